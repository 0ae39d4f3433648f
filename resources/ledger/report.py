"""What a report tells of the past: nights, answers, replacements, and how new the documents of a source are."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import duckdb

from resources.ledger.rows import fetch

Row = dict[str, Any]


def nights(con: duckdb.DuckDBPyConnection, since: datetime) -> list[Row]:
    """Return the refreshes that began since, newest first, with how many canaries they asked and were answered.

    `answered` counts those in order: ok, moved, or new with a passage. Both are NULL for a run that asked none.
    """
    return fetch(
        con,
        """
        with asked as (
            select run_id, count(*) as asked,
                   count(*) filter (state in ('ok', 'moved') or (state = 'new' and score is not null)) as answered
            from canary_history group by run_id)
        select r.run_id, r.job, r.started_at, r.ended_at, r.outcome, r.published, r.held, r.counts::varchar as counts,
               a.asked, a.answered
        from runs r left join asked a using (run_id)
        where r.started_at >= ? order by r.rowid desc
        """,
        [since],
    )


def replaced(con: duckdb.DuckDBPyConnection, since: datetime) -> list[Row]:
    """Return the replacements that were decided since and stand, newest first."""
    return fetch(
        con,
        """
        select older_source, older_path, newer_source, newer_path, decided_at from replacements
        where decided_at >= ? and ended_at is null and undone_at is null
        order by decided_at desc, older_source, older_path
        """,
        [since],
    )


def newest(con: duckdb.DuckDBPyConnection) -> dict[str, datetime]:
    """Return source -> the latest own date of its present documents; without any, the latest time of its files."""
    rows = fetch(
        con,
        """
        select d.source, coalesce(max(c.modified_at), max(make_timestamptz(d.mtime_ns // 1000))) as at
        from documents d
        left join contents c on c.content_hash = d.served_hash and c.parser_version = d.served_parser
        where d.state <> 'gone' group by d.source
        """,
    )
    return {row["source"]: row["at"] for row in rows if row["at"] is not None}
