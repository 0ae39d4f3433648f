"""Runs, sources, publications and checks in the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from resources.ledger.rows import as_json, fetch, insert

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def begin(con: duckdb.DuckDBPyConnection, run_id: str, job: str, now: datetime) -> None:
    """Write down that a run started; earlier runs that never ended were killed."""
    con.execute("update runs set outcome = 'killed', ended_at = ? where outcome is null", [now])
    con.execute("delete from runs where run_id = ?", [run_id])
    insert(con, "runs", [{"run_id": run_id, "job": job, "started_at": now, "outcome": None}])


def end(
    con: duckdb.DuckDBPyConnection,
    run_id: str,
    now: datetime,
    *,
    outcome: str,
    published: bool,
    held: str | None,
    counts: dict[str, Any],
) -> None:
    """Write down how a run ended and what it counted."""
    con.execute(
        "update runs set ended_at = ?, outcome = ?, published = ?, held = ?, counts = ? where run_id = ?",
        [now, outcome, published, held, as_json(counts), run_id],
    )


def last(con: duckdb.DuckDBPyConnection, outcome: str | None = None) -> Row | None:
    """Return the newest run that ended, of one outcome when it is given: as written down, whatever the clock said."""
    rows = fetch(
        con,
        "select * from runs where outcome is not null and (? is null or outcome = ?) order by rowid desc limit 1",
        [outcome, outcome],
    )
    return rows[0] if rows else None


def held_last(con: duckdb.DuckDBPyConnection) -> datetime | None:
    """Return when the newest run that got as far as the gate began, if it was held there; what failed or only asked
    canaries between doesn't count.
    """
    sql = "select started_at, held from runs where held is not null or published order by rowid desc limit 1"
    rows = fetch(con, sql)
    return rows[0]["started_at"] if rows and rows[0]["held"] else None


def count(con: duckdb.DuckDBPyConnection) -> int:
    """Return how many runs succeeded so far."""
    return int(fetch(con, "select count(*) as n from runs where outcome = 'success'")[0]["n"])


def sources(con: duckdb.DuckDBPyConnection) -> dict[str, Row]:
    """Return name -> row of every source the ledger knows."""
    return {row["name"]: row for row in fetch(con, "select * from sources order by position, name")}


def put_sources(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Write sources, in place of earlier rows of the same names."""
    listed = list(rows)
    con.execute("delete from sources where list_contains(?, name)", [[row["name"] for row in listed]])
    insert(con, "sources", listed)


def changed_since_publication(con: duckdb.DuckDBPyConnection) -> set[tuple[str, str]]:
    """Return (source, path) of the present documents that came or changed after a whole version was last published."""
    rows = fetch(
        con,
        """
        select source, path from documents where state <> 'gone' and changed_at > (
            select max(published_at) from publications where reason <> 'deletions only')
        """,
    )
    return {(row["source"], row["path"]) for row in rows}


def add_publication(con: duckdb.DuckDBPyConnection, row: Row) -> None:
    """Write down what was published."""
    insert(con, "publications", [row])


def add_checks(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Write down what the quality checks said."""
    insert(con, "checks", rows)
