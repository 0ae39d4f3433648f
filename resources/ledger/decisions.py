"""What persons decided. It exists nowhere else and follows bodies, so that a rename does not ask again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from resources.ledger.rows import as_json, fetch, insert

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def add(
    con: duckdb.DuckDBPyConnection, *, decision_id: str, kind: str, subject: str, value: dict[str, Any], now: datetime
) -> None:
    """Write down a decision about `subject` (a body hash, canary id or alert kind).

    It comes after the ones before it, also when the clock was set back between them.
    """
    sql = "select max(decided_at) as newest from decisions where kind = ? and subject = ?"
    before = fetch(con, sql, [kind, subject])[0]["newest"]
    if before is not None and before >= now:
        now = before + timedelta(microseconds=1)
    row = {"decision_id": decision_id, "kind": kind, "subject": subject, "value": value, "decided_at": now}
    insert(con, "decisions", [{**row, "undone_at": None}])


def standing(con: duckdb.DuckDBPyConnection, kind: str) -> dict[str, Row]:
    """Return subject -> value of the newest decision of a kind that wasn't undone."""
    rows = fetch(con, "select * from decisions where kind = ? and undone_at is null order by decided_at", [kind])
    return {row["subject"]: json.loads(row["value"]) for row in rows}


def amend(con: duckdb.DuckDBPyConnection, kind: str, values: Mapping[str, Row]) -> None:
    """Set what standing decisions of a kind say, by subject: names that a rename made untrue, never the decision."""
    for subject, value in values.items():
        con.execute(
            "update decisions set value = ? where kind = ? and subject = ? and undone_at is null",
            [as_json(value), kind, subject],
        )
