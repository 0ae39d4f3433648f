"""Values that passages state, in the ledger: extracted once for a chunk_hash and a version of the rules."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from pipelines.value import Value, from_json
from resources.ledger.rows import fetch, insert

if TYPE_CHECKING:
    import duckdb


def unread(con: duckdb.DuckDBPyConnection, hashes: Collection[str], version: str) -> list[str]:
    """Return those of `hashes` that this version hasn't read, in order."""
    sql = """
        select chunk_hash from texts
        where chunk_hash in (select unnest(?)) and chunk_hash not in (
            select chunk_hash from chunk_values where values_version = ?)
        order by chunk_hash
        """
    return [row["chunk_hash"] for row in fetch(con, sql, [list(hashes), version])]


def texts(con: duckdb.DuckDBPyConnection, hashes: Collection[str]) -> list[tuple[str, str, str]]:
    """Return (chunk_hash, text, heading path) of passages, in order; what is gone by now is left out."""
    sql = "select chunk_hash, text, embedded from texts where chunk_hash in (select unnest(?)) order by chunk_hash"
    rows = fetch(con, sql, [list(hashes)])
    return [(row["chunk_hash"], row["text"], row["embedded"].removesuffix(row["text"]).strip()) for row in rows]


def add(con: duckdb.DuckDBPyConnection, version: str, found: Iterable[tuple[str, Sequence[Value]]]) -> None:
    """Store the values of passages; those of earlier versions go."""
    rows = [
        {"chunk_hash": name, "values_version": version, "found": [value.as_json() for value in values]}
        for name, values in found
    ]
    con.execute(
        "delete from chunk_values where chunk_hash in (select unnest(?))", [[str(row["chunk_hash"]) for row in rows]]
    )
    insert(con, "chunk_values", rows)


def stating(con: duckdb.DuckDBPyConnection, version: str) -> set[str]:
    """Return the chunk hashes of the passages that state any value."""
    sql = "select chunk_hash from chunk_values where values_version = ? and json_array_length(found) > 0"
    return {row["chunk_hash"] for row in fetch(con, sql, [version])}


def of(con: duckdb.DuckDBPyConnection, hashes: Collection[str], version: str) -> dict[str, list[Value]]:
    """Return chunk_hash -> the values of those of `hashes` that have been read."""
    sql = "select chunk_hash, found from chunk_values where values_version = ? and chunk_hash in (select unnest(?))"
    rows = fetch(con, sql, [version, list(hashes)])
    return {row["chunk_hash"]: [from_json(stored) for stored in json.loads(row["found"])] for row in rows}
