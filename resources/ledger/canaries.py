"""Canaries and their history, kept for ever."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from resources.ledger.rows import fetch, insert, update

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
COLUMNS: Row = {
    "canary_id": None, "query": None, "origin": "settings", "min_score": 0.75, "expect_path": "", "expect_text": "",
    "owner": "", "critical": False, "must_fail": False, "pinned_source": None, "pinned_path": None,
    "pinned_body": None, "pinned_chunk": None, "pinned_content": None, "baseline": None, "calibration": None,
    "state": "new", "cause": None, "since": None, "removed_at": None,
}  # fmt: skip

EXPECTED = ("expect_path", "expect_text", "must_fail")
# What runs and persons made of a canary while the same was expected of it.
PINNED = (
    "pinned_source", "pinned_path", "pinned_body", "pinned_chunk", "pinned_content", "baseline", "calibration",
    "state", "cause",
)  # fmt: skip


def canary_id(query: str) -> str:
    """Return a canary's id: its question decides, however its Hangul is composed."""
    return hashlib.sha256(unicodedata.normalize("NFC", query).encode("utf-8")).hexdigest()[:12]


def active(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the canaries that are asked, in the order they were added."""
    return fetch(con, "select * from canaries where removed_at is null order by since, query")


def add(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Insert canaries; missing columns get their defaults.

    One that was removed before comes back in its old row, with its history; its pin only when the same is expected.
    """
    whole = {row["canary_id"]: {**COLUMNS, **row} for row in rows}
    known = fetch(con, "select * from canaries where list_contains(?, canary_id)", [list(whole)])
    insert(con, "canaries", [row for key, row in whole.items() if key not in {old["canary_id"] for old in known}])
    change(con, [_revived(old, whole[old["canary_id"]]) for old in known])


def _revived(old: Row, new: Row) -> Row:
    if any(old[name] != new[name] for name in EXPECTED):
        return new
    return {**new, **{name: old[name] for name in PINNED}, "baseline": baseline_under(old, new["min_score"])}


def baseline_under(old: Row, min_score: float) -> float | None:
    """Return a canary's baseline once `min_score` is asked of it: what was good for less may be no answer now."""
    raised = old["baseline"] is not None and old["min_score"] < min_score and old["baseline"] < min_score
    return None if raised else old["baseline"]


def change(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Write columns of existing canaries by canary_id; all rows must have the same keys."""
    update(con, "canaries", ["canary_id"], rows)


def add_history(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Append answers of a run."""
    insert(con, "canary_history", rows)


def history(con: duckdb.DuckDBPyConnection, canary: str) -> list[Row]:
    """Return a canary's answers, newest first."""
    return fetch(con, "select * from canary_history where canary_id = ? order by asked_at desc", [canary])


def last_answers(con: duckdb.DuckDBPyConnection, runs: int = 3) -> list[Row]:
    """Return the answers of the newest `runs` runs that asked canaries, newest first."""
    return fetch(
        con,
        """
        select * from canary_history where run_id in (
            select run_id from canary_history group by run_id order by max(asked_at) desc limit ?)
        order by asked_at desc
        """,
        [runs],
    )
