"""Whether the nightly schedule still calls: what the ledger knows of whole refreshes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from resources.ledger.rows import fetch

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
# A run that the schedule launched is written under the schedule's name, one that a person started under its job's.
SCHEDULE = "nightly"
# They read one folder or none.
PARTIAL = ("refresh_folder", "analyse_gaps")


def last_refresh(con: duckdb.DuckDBPyConnection, *, before: str = "") -> Row | None:
    """Return the newest whole refresh that came to its end, well or not, other than run `before`.

    A failed one was told as such; a killed one told nothing and doesn't count. Newest as written down: a clock that
    ran ahead once must not hide the nights after it.
    """
    rows = fetch(
        con,
        """
        select run_id, job, started_at, ended_at, outcome from runs
        where outcome in ('success', 'failed') and run_id <> ? and not list_contains(?, job)
        order by rowid desc limit 1
        """,
        [before, list(PARTIAL)],
    )
    return rows[0] if rows else None
