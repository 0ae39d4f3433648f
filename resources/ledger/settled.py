"""What the states of all documents were last decided on, so that a night without changes decides nothing anew."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from resources.ledger.rows import fetch, insert

if TYPE_CHECKING:
    import duckdb

# What reading notes of a file each night and no state hangs on: where its bytes lay, when it was tried, how often.
_NOTES = (
    "disk_path", "size", "ctime_ns", "inode", "read_at_ns", "reason", "failing_since", "failed_runs", "first_run",
    "changed_at", "hold_nights", "hold_counted", "gone_at",
)  # fmt: skip
# Everything that the stage reads, outcomes of its last time among it. What is derived from other tables and never
# changed without them (bands, edges) is only counted; of sketches and contents the keys say what they are.
_READ = {
    "documents": f"select * exclude ({', '.join(_NOTES)}) from documents where state <> 'gone'",
    "contents": "select content_hash, parser_version, parsed_at from contents",
    "sketches": "select sketch_id, body_hash, content_hash, parser_version, sketch_version from sketches",
    "common_grams": "select version, bodies from common_grams",
    "edges": "select count(*) as edges from edges",
    "replacements": "select * from replacements",
    "likeness": "select * from likeness",
    "review_items": "select * from review_items where kind in ('version', 'redundancy')",
    "decisions": "select * from decisions",
}


@dataclass(frozen=True, slots=True)
class Settled:
    """What was decided: on what (`digest`), when, until when it holds, and how many families each label has."""

    digest: str
    decided_at: datetime
    until: datetime | None
    labels: dict[str, int]


def digest(con: duckdb.DuckDBPyConnection, *others: str) -> str:
    """Name the state of all that is read, in whatever order its rows lie, and of `others`."""
    sums = [
        con.execute(f"select count(*), sum(hash(r)::hugeint)::varchar from ({sql}) r").fetchone()
        for sql in _READ.values()
    ]
    return hashlib.sha256(json.dumps([*sums, *others]).encode("utf-8")).hexdigest()


def standing(con: duckdb.DuckDBPyConnection, found: str, now: datetime) -> dict[str, int] | None:
    """Return the family labels of the last time when it holds still (its digest is `found`), else None.

    A clock that was set back before it is no clock to go by.
    """
    sql = "select labels from settled where digest = ? and decided_at <= ? and (until is null or until > ?)"
    rows = fetch(con, sql, [found, now, now])
    return dict(json.loads(rows[0]["labels"])) if rows else None


def keep(con: duckdb.DuckDBPyConnection, settled: Settled) -> None:
    """Remember what was decided, in place of what was before."""
    con.execute("delete from settled")
    insert(con, "settled", [asdict(settled)])
