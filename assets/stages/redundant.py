"""Redundant documents of a night: which acceptances hold, which items are over, and what came back."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from pipelines.records import Finding
from resources.build import Run
from resources.ledger import reviews
from resources.ledger.rows import fetch
from resources.ledger.version_pairs import asked_as_version, version_pairs

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def record(con: duckdb.DuckDBPyConnection, run: Run, current: Collection[str], rejected: Collection[str]) -> None:
    """Close items whose documents or covers aren't searched or became versions; leaves a finding for each that is back.

    current   bodies that are neither past nor expired, those in `rejected` among them
    rejected  bodies that an acceptance keeps out of search tonight
    """
    served = set(current) - set(rejected)
    pairs = version_pairs(con)
    kept = [
        row
        for row in reviews.opened(con, "redundancy")
        if {row["a_body"], *reviews.covers(row)} <= served
        and not asked_as_version(row["a_body"], reviews.covers(row), pairs)
    ]
    reviews.sync(con, "redundancy", kept, run.now)
    back = {
        row["a_body"]: row
        for row in reviews.answers(con, "redundancy").values()
        if row["answer"] == "accept" and row["a_body"] in served
    }
    found = [_returned(row, back[row["body_hash"]], served) for row in _live(con, back)]
    run.memory["returned"] = [*run.memory.get("returned", []), *found]


def _live(con: duckdb.DuckDBPyConnection, bodies: Collection[str]) -> list[Row]:
    sql = "select * from documents where state = 'live' and body_hash in (select unnest(?)) order by source, path"
    return fetch(con, sql, [list(bodies)])


def _returned(row: Row, answer: Row, served: Collection[str]) -> Finding:
    """Name the first cover that search has lost, by its place when the person was asked."""
    places = answer["evidence"].get("covered_by", [])
    lost = [f"{place['source']}/{place['path']}" for place in places if place["body"] not in served]
    return Finding("redundancy_returned", row["source"], row["path"], {"covered_by": lost[0]} if lost else {})
