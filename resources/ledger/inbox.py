"""What the inbox brought: how often documents are found, questions, feedback."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from pipelines.inbox import Taken
from resources.ledger.rows import fetch, insert

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def known(con: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the ids of the lines that a file which may be read again holds and that are counted already."""
    return {row["line_id"] for row in fetch(con, "select line_id from taken")}


def add(con: duckdb.DuckDBPyConnection, taken: Taken, now: datetime) -> None:
    """Write down what lines say, and that they are counted."""
    insert(con, "taken", [{"line_id": line, "taken_at": now} for line in taken.lines])
    insert(con, "found", taken.found)
    insert(con, "questions", taken.questions)
    insert(con, "feedback", taken.feedback)


def forget_lines(con: duckdb.DuckDBPyConnection, now: datetime) -> None:
    """Let go of the ids that runs before `now` wrote: their file has left."""
    con.execute("delete from taken where taken_at < ?", [now])


def expire(
    con: duckdb.DuckDBPyConnection, texts_before: datetime, feedback_before: datetime, counts_before: date
) -> None:
    """Delete questions asked before a time, those given with feedback before another, and counts of older days."""
    con.execute("delete from questions where asked_at < ?", [texts_before])
    con.execute("update feedback set question = null where given_at < ?", [feedback_before])
    con.execute("delete from found where day < ?", [counts_before])


def times_found(con: duckdb.DuckDBPyConnection, since: date) -> dict[tuple[str, str], int]:
    """Return (source, path) -> how often searches showed a present document, or its text at another place, since."""
    rows = fetch(
        con,
        """
        select d.source, d.path, sum(f.times)::bigint as times from documents d join found f
        on (f.source = d.source and f.path = d.path) or f.body_hash = d.body_hash
        where d.state <> 'gone' and f.day >= ? group by d.source, d.path
        """,
        [since],
    )
    return {(row["source"], row["path"]): row["times"] for row in rows}


def votes(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the feedback on passages that a present document serves, with its place as now_source and now_path."""
    return fetch(
        con,
        """
        select f.*, d.source as now_source, d.path as now_path from feedback f join documents d using (body_hash)
        where d.state in ('live', 'failed', 'held') order by f.given_at
        """,
    )


def low_questions(con: duckdb.DuckDBPyConnection, below: float) -> list[Row]:
    """Return the questions whose best passage scored below: question, times, score (the newest), most asked first."""
    return fetch(
        con,
        """
        select question, count(*) as times, arg_max(score, asked_at) as score from questions
        group by question having arg_max(score, asked_at) < ? order by times desc, question
        """,
        [below],
    )
