"""Replacements of older versions, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from resources.ledger.rows import fetch, insert

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def undone(con: duckdb.DuckDBPyConnection) -> set[tuple[str, str]]:
    """Return the (older, newer) body pairs that a person took back."""
    rows = fetch(con, "select distinct older_body, newer_body from replacements where undone_at is not null")
    return {(row["older_body"], row["newer_body"]) for row in rows}


def standing(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the replacements that hold now."""
    return fetch(
        con,
        "select * from replacements where ended_at is null and undone_at is null order by older_source, older_path",
    )


def sync(con: duckdb.DuckDBPyConnection, rows: Iterable[Row], now: datetime) -> list[Row]:
    """Make the standing replacements equal to `rows`; returns those that ended although the older body still stands."""
    wanted = {(row["older_body"], row["newer_body"]): row for row in rows}
    before = {(row["older_body"], row["newer_body"]): row for row in standing(con)}
    insert(con, "replacements", [row for key, row in wanted.items() if key not in before])
    ended = [row for key, row in before.items() if key not in wanted]
    for row in ended:
        con.execute(
            "update replacements set ended_at = ? where older_body = ? and newer_body = ? and ended_at is null",
            [now, row["older_body"], row["newer_body"]],
        )
    replaced_anew = {older for older, _ in wanted}
    alive = {row["body_hash"] for row in fetch(con, "select distinct body_hash from documents where state = 'live'")}
    return [row for row in ended if row["older_body"] in alive - replaced_anew]
