"""Findings and alerts in the ledger."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipelines.alert import alert_id
from pipelines.records import Finding
from resources.ledger.rows import as_json, fetch, insert, update

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def finding_id(finding: Finding) -> str:
    """Return the id under which the same finding is known night after night."""
    return alert_id(finding.kind, finding.source, finding.path)


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

    What is open already keeps its first date and, unless its details are others, its row; what isn't found any more is
    resolved.
    """
    current = {finding_id(finding): finding for finding in found}
    before = {
        row["finding_id"]: row
        for row in opened(con)
        if row["finding_id"] in current or (row["kind"] in kinds and (sources is None or row["source"] in sources))
    }
    _open(con, {key: finding for key, finding in current.items() if key not in before}, run_id, now)
    kept = [
        {"finding_id": key, "opened_at": before[key]["opened_at"], "detail": current[key].detail, "seen_run": run_id}
        for key in before
        if key in current and as_json(current[key].detail) != before[key]["detail"]
    ]
    update(con, "findings", ["finding_id", "opened_at"], kept)
    closed = [
        {"finding_id": key, "opened_at": row["opened_at"], "resolved_at": now}
        for key, row in before.items()
        if key not in current
    ]
    update(con, "findings", ["finding_id", "opened_at"], closed)


def begin(con: duckdb.DuckDBPyConnection, found: Iterable[Finding], *, run_id: str, now: datetime) -> None:
    """Open what isn't open yet, and resolve nothing: a finding that must be in the ledger with what it is about.

    One of the same name that stands, and that this run doesn't carry on (`see`), is over and gives way.
    """
    current = {finding_id(finding): finding for finding in found}
    con.execute(
        """
        update findings set resolved_at = ? where list_contains(?, finding_id) and resolved_at is null
        and seen_run <> ?
        """,
        [now, list(current), run_id],
    )
    standing = {row["finding_id"] for row in opened(con)}
    _open(con, {key: finding for key, finding in current.items() if key not in standing}, run_id, now)


def see(con: duckdb.DuckDBPyConnection, found: Iterable[Finding], run_id: str) -> None:
    """Write down that a run carries findings on that stand."""
    sql = "update findings set seen_run = ? where list_contains(?, finding_id) and resolved_at is null"
    con.execute(sql, [run_id, [finding_id(finding) for finding in found]])


def _open(con: duckdb.DuckDBPyConnection, found: Mapping[str, Finding], run_id: str, now: datetime) -> None:
    rows = [
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
        for key, finding in found.items()
    ]
    insert(con, "findings", rows)


def opened(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return every finding that stands, oldest first."""
    return fetch(con, "select * from findings where resolved_at is null order by opened_at, kind, source, path")


def counts(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return kind -> number of findings that stand."""
    rows = fetch(con, "select kind, count(*) as n from findings where resolved_at is null group by kind order by kind")
    return {row["kind"]: row["n"] for row in rows}


def alerts(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return every alert, newest first, with the state of its mail: queued while there is news to tell, else of the
    mail that told it last, NULL when there was nothing to tell.
    """
    return fetch(
        con,
        """
        select a.*, case when a.news is not null then 'queued' else m.state end as mail
        from alerts a left join mails m using (mail_id)
        order by a.changed_at desc, a.kind, a.source, a.path
        """,
    )


def put_alerts(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Write alerts, in place of earlier rows of the same ids."""
    listed = list(rows)
    con.execute("delete from alerts where list_contains(?, alert_id)", [[row["alert_id"] for row in listed]])
    insert(con, "alerts", listed)


def accept_alert(con: duckdb.DuckDBPyConnection, accepted: str, now: datetime) -> None:
    """Resolve an alert that a person accepted; that is news only for those who were told of it."""
    con.execute(
        """
        update alerts set state = 'resolved', changed_at = ?,
            kind = coalesce((told->>'kind'), kind), severity = coalesce((told->>'severity'), severity),
            news = case when (told->>'state') <> 'resolved' and (told->>'over') = 'false' then 'resolved' end
        where alert_id = ? and state <> 'resolved'
        """,
        [now, accepted],
    )


def rename_source(con: duckdb.DuckDBPyConnection, old: str, new: str) -> None:
    """Give findings and alerts of a source its new name and the ids that follow from it.

    Where the new name has the same finding or alert already, that one stays and the old one leaves.
    """
    for row in fetch(con, "select distinct finding_id, kind, path from findings where source = ?", [old]):
        renamed = finding_id(Finding(row["kind"], new, row["path"]))
        if fetch(con, "select 1 from findings where finding_id = ? and resolved_at is null", [renamed]):
            con.execute("delete from findings where finding_id = ? and resolved_at is null", [row["finding_id"]])
        con.execute("update findings set finding_id = ? where finding_id = ?", [renamed, row["finding_id"]])
    con.execute("update findings set source = ? where source = ?", [new, old])
    # A canary's alert is known by its question.
    for row in fetch(con, "select * from alerts where source = ? and kind not like 'canary%'", [old]):
        renamed = finding_id(Finding(row["kind"], new, row["path"]))
        twin = fetch(con, "select state from alerts where alert_id = ?", [renamed])
        leaves = row["alert_id"] if twin and twin[0]["state"] != "resolved" else renamed
        con.execute("delete from alerts where alert_id = ?", [leaves])
        con.execute("update alerts set alert_id = ? where alert_id = ?", [renamed, row["alert_id"]])
    con.execute("update alerts set source = ? where source = ?", [new, old])
