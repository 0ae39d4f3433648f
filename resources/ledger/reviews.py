"""The one review queue in the ledger: items that wait for a person, and what persons answered."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipelines.accepted import holding
from pipelines.review import Answer, ItemKind
from resources.ledger.rows import as_json, fetch, insert, update

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
COLUMNS = ("item_id", "kind", "a_body", "b_body", "a_chunk", "b_chunk", "evidence")


def new_item(
    item_id: str,
    kind: ItemKind,
    *,
    a_body: str,
    b_body: str,
    evidence: dict[str, Any],
    a_chunk: str = "",
    b_chunk: str = "",
) -> Row:
    """Return an item for `sync`. `evidence` holds names, figures and values, never a passage."""
    return dict(zip(COLUMNS, (item_id, kind, a_body, b_body, a_chunk, b_chunk, evidence), strict=True))


def sync(con: duckdb.DuckDBPyConnection, kind: ItemKind, items: Iterable[Row], now: datetime) -> None:
    """Make the open items of a kind equal to `items`; what stands keeps its date, what isn't found any more closes."""
    wanted = {row["item_id"]: {key: row[key] for key in COLUMNS} for row in items}
    before = {row["item_id"]: row for row in opened(con, kind)}
    fresh = [{**row, "opened_at": now, "closed_at": None} for key, row in wanted.items() if key not in before]
    gone = [key for key in before if key not in wanted]
    con.execute(
        "update review_items set closed_at = ? where kind = ? and closed_at is null and list_contains(?, item_id)",
        [now, kind, gone],
    )
    stays = [(row, before[key]) for key, row in wanted.items() if key in before]
    changed = [{**row, "opened_at": old["opened_at"]} for row, old in stays if _differs(row, old)]
    update(con, "review_items", ["item_id", "opened_at"], changed)
    insert(con, "review_items", fresh)


def _differs(row: Row, old: Row) -> bool:
    return any(json.loads(as_json(row[key])) != old[key] for key in COLUMNS)


def opened(con: duckdb.DuckDBPyConnection, kind: ItemKind | None = None) -> list[Row]:
    """Return the items whose cause stands, answered or not, oldest first; `evidence` is a dict."""
    sql = "select * from review_items where closed_at is null and (? is null or kind = ?) order by opened_at, item_id"
    return [{**row, "evidence": json.loads(row["evidence"] or "{}")} for row in fetch(con, sql, [kind, kind])]


def find(con: duckdb.DuckDBPyConnection, item_id: str) -> Row | None:
    """Return the newest item of that id, also one whose cause is over."""
    rows = fetch(con, "select * from review_items where item_id = ? order by opened_at desc limit 1", [item_id])
    return {**rows[0], "evidence": json.loads(rows[0]["evidence"] or "{}")} if rows else None


def answers(con: duckdb.DuckDBPyConnection, kind: ItemKind | None = None) -> dict[str, Row]:
    """Return item id -> the standing answer: `answer` ("accept", "reject"), decided_at, and the columns of the item."""
    rows = fetch(
        con,
        "select * from decisions where kind = 'answer' and undone_at is null order by decided_at",
    )
    found = {row["subject"]: {**json.loads(row["value"]), "decided_at": row["decided_at"]} for row in rows}
    return {key: value for key, value in found.items() if kind is None or value["kind"] == kind}


def answer(con: duckdb.DuckDBPyConnection, item: Row, said: Answer, now: datetime) -> None:
    """Write down what a person said of an item, in place of an earlier answer."""
    undo(con, item["item_id"], now)
    value = {key: item[key] for key in COLUMNS if key != "item_id"}
    row = {
        "decision_id": uuid.uuid4().hex[:12],
        "kind": "answer",
        "subject": item["item_id"],
        "value": {**value, "answer": said},
        "decided_at": now,
        "undone_at": None,
    }
    insert(con, "decisions", [row])


def undo(con: duckdb.DuckDBPyConnection, item_id: str, now: datetime) -> bool:
    """Take back the standing answer to an item; tells whether there was one."""
    given = fetch(con, "select 1 from decisions where kind = 'answer' and subject = ? and undone_at is null", [item_id])
    con.execute(
        "update decisions set undone_at = ? where kind = 'answer' and subject = ? and undone_at is null", [now, item_id]
    )
    return bool(given)


def undone_since(con: duckdb.DuckDBPyConnection, moment: datetime | None) -> set[str]:
    """Return the ids of items of which an answer was taken back after a moment, ever for None."""
    sql = (
        "select subject from decisions where kind = 'answer' and undone_at is not null and (? is null or undone_at > ?)"
    )
    return {row["subject"] for row in fetch(con, sql, [moment, moment])}


def covers(item: Row) -> frozenset[str]:
    """Return the bodies that cover the document of a redundancy, item or answer."""
    return frozenset([item["b_body"], *(place["body"] for place in item["evidence"].get("covered_by", ()))])


def accepted_covers(con: duckdb.DuckDBPyConnection) -> dict[str, frozenset[str]]:
    """Return covered body -> the bodies that cover it, of every redundancy that a person accepted."""
    return {row["a_body"]: covers(row) for row in answers(con, "redundancy").values() if row["answer"] == "accept"}


def unacceptable(con: duckdb.DuckDBPyConnection, items: Iterable[Row], served: Collection[str]) -> list[str]:
    """Return the ids of redundancies that wouldn't hold if all of `items` were accepted now."""
    listed = list(items)
    holds = holding({**accepted_covers(con), **{row["a_body"]: covers(row) for row in listed}}, served)
    return [row["item_id"] for row in listed if row["a_body"] not in holds]


def lapsed(con: duckdb.DuckDBPyConnection, served: Collection[str]) -> set[str]:
    """Return the ids of accepted redundancies that don't hold, given the bodies that a search finds."""
    given = {key: row for key, row in answers(con, "redundancy").items() if row["answer"] == "accept"}
    holds = holding({row["a_body"]: covers(row) for row in given.values()}, served)
    return {key for key, row in given.items() if row["a_body"] not in holds}


def waiting(con: duckdb.DuckDBPyConnection, over: Collection[str]) -> dict[str, Row]:
    """Return id -> open item that nobody answered, or whose acceptance is `over` (those that lapsed)."""
    given = answers(con)
    return {row["item_id"]: row for row in opened(con) if row["item_id"] not in given or row["item_id"] in over}
