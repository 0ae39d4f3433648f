"""Replacements of older versions, each with its evidence. What persons said of them is in `decisions`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipelines.review import item_id
from resources.ledger.rows import fetch, insert

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
Pair = tuple[str, str]


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
    """Make the standing replacements equal to `rows`; returns those that ended although the older body still stands.

    taken_back  (older, newer) bodies that a person parted: their row says so, and their end is no news
    """
    wanted = {(row["older_body"], row["newer_body"]): row for row in rows}
    before = {(row["older_body"], row["newer_body"]): row for row in standing(con)}
    insert(con, "replacements", [row for key, row in wanted.items() if key not in before])
    ended = {key: row for key, row in before.items() if key not in wanted}
    for older, newer in ended:
        con.execute(
            "update replacements set ended_at = ?, undone_at = ? "
            "where older_body = ? and newer_body = ? and ended_at is null",
            [now, now if (older, newer) in taken_back else None, older, newer],
        )
    replaced_anew = {older for older, _ in wanted}
    alive = {row["body_hash"] for row in fetch(con, "select distinct body_hash from documents where state = 'live'")}
    return [row for key, row in ended.items() if key[0] in alive - replaced_anew and key not in taken_back]
