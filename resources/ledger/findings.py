"""Findings and alerts in the ledger."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipelines.records import Finding
from resources.ledger.rows import fetch, insert, update

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def finding_id(finding: Finding) -> str:
    """Return the id under which the same finding is known night after night."""
    key = "\0".join((finding.kind, finding.source, finding.path))
    return hashlib.sha256(key.encode("utf-8")).hexdigest()[:16]


def sync(
    con: duckdb.DuckDBPyConnection,
    found: Iterable[Finding],
    *,
    kinds: Collection[str],
    sources: Collection[str] | None,
    run_id: str,
    now: datetime,
) -> None:
    """Make the open findings of `kinds` (in `sources`, all when None) equal to `found`.

    What is open already keeps its first date; what isn't found any more is resolved.
    """
    current = {finding_id(finding): finding for finding in found}
    before = {
        row["finding_id"]: row
        for row in opened(con)
        if row["finding_id"] in current or (row["kind"] in kinds and (sources is None or row["source"] in sources))
    }
    insert(
        con,
        "findings",
        [
            {
                "finding_id": key,
                "kind": finding.kind,
                "source": finding.source,
                "path": finding.path,
                "detail": finding.detail,
                "opened_at": now,
                "opened_run": run_id,
                "seen_run": run_id,
                "resolved_at": None,
            }
            for key, finding in current.items()
            if key not in before
        ],
    )
    kept = [
        {"finding_id": key, "opened_at": before[key]["opened_at"], "detail": current[key].detail, "seen_run": run_id}
        for key in before
        if key in current
    ]
    update(con, "findings", ["finding_id", "opened_at"], kept)
    closed = [
        {"finding_id": key, "opened_at": row["opened_at"], "resolved_at": now}
        for key, row in before.items()
        if key not in current
    ]
    update(con, "findings", ["finding_id", "opened_at"], closed)


def opened(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return every finding that stands, oldest first."""
    return fetch(con, "select * from findings where resolved_at is null order by opened_at, kind, source, path")


def counts(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return kind -> number of findings that stand."""
    rows = fetch(con, "select kind, count(*) as n from findings where resolved_at is null group by kind order by kind")
    return {row["kind"]: row["n"] for row in rows}


def alerts(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return every alert with the state of the mail that told it, newest first."""
    return fetch(
        con,
        """
        select a.*, coalesce(m.state, 'queued') as mail from alerts a left join mails m using (mail_id)
        order by a.changed_at desc, a.kind, a.source, a.path
        """,
    )


def put_alerts(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Write alerts, in place of earlier rows of the same ids."""
    listed = list(rows)
    con.execute("delete from alerts where list_contains(?, alert_id)", [[row["alert_id"] for row in listed]])
    insert(con, "alerts", listed)
