"""Replacements of older versions, each with its evidence. What persons said of them is in `decisions`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipelines.review import item_id
from resources.ledger.rows import fetch, insert, update

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
Pair = tuple[str, str]

_PAIR = ("older_body", "newer_body")
_FOLLOWING = ("older_source", "older_path", "newer_source", "newer_path", "policy", "evidence")


def standing(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the replacements that hold now; `evidence` is a dict, `item_id` their name in the review queue."""
    rows = fetch(con, "select * from replacements where ended_at is null order by older_source, older_path, older_body")
    return [
        {
            **row,
            "evidence": json.loads(row["evidence"] or "{}"),
            "item_id": item_id("version", row["older_body"], row["newer_body"]),
        }
        for row in rows
    ]


def evidence(con: duckdb.DuckDBPyConnection) -> dict[str, Row]:
    """Return older body -> id, why and figures of the replacement that holds, for a line of a mail."""
    return {
        row["older_body"]: {
            "id": row["item_id"],
            "why": row["evidence"].get("why"),
            "jaccard": round(row["evidence"].get("jaccard", 0.0), 2),
        }
        for row in standing(con)
    }


def sync(
    con: duckdb.DuckDBPyConnection, rows: Iterable[Row], now: datetime, *, taken_back: Collection[Pair] = ()
) -> list[Row]:
    """Make the standing replacements equal to `rows`; what stands keeps its date and follows places and reasons.

    Returns those that ended because their newer body is gone, and whose older body serves again.

    taken_back  (older, newer) bodies that a person parted: their row says so, and their end is no news
    """
    wanted = {(row["older_body"], row["newer_body"]): row for row in rows}
    before = {(row["older_body"], row["newer_body"]): row for row in standing(con)}
    insert(con, "replacements", [row for key, row in wanted.items() if key not in before])
    changed = [_followed(row, before[key]) for key, row in wanted.items() if key in before]
    update(con, "replacements", [*_PAIR, "decided_at"], [row for row in changed if row])
    ended = {key: row for key, row in before.items() if key not in wanted}
    for older, newer in ended:
        con.execute(
            "update replacements set ended_at = ?, undone_at = ? "
            "where older_body = ? and newer_body = ? and ended_at is null",
            [now, now if (older, newer) in taken_back else None, older, newer],
        )
    replaced_anew = {older for older, _ in wanted}
    states = fetch(con, "select body_hash, state from documents where state <> 'gone'")
    present = {row["body_hash"] for row in states}
    alive = {row["body_hash"] for row in states if row["state"] == "live"} - replaced_anew
    return [row for (a, b), row in ended.items() if a in alive and b not in present and (a, b) not in taken_back]


def _followed(row: Row, stands: Row) -> Row:
    """Return the columns to be set where places, policy or reasons of a standing row are others tonight, else {}."""
    after = {name: row[name] for name in _FOLLOWING}
    if after == {name: stands[name] for name in _FOLLOWING}:
        return {}
    return {**{name: stands[name] for name in (*_PAIR, "decided_at")}, **after}
