"""What a search can find now, read from the ledger for questions to the whole corpus at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pipelines.served import Served, served
from resources.ledger.passages import SERVED
from resources.ledger.rows import fetch

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


# Documents that a search may show as current: what a newer version replaced isn't asked about.
_CURRENT_DOCUMENT = (
    f"{SERVED} and d.state not in ('superseded', 'expired') and d.duplicate_of is null and not d.retired"
)
# Their passages, but for those that wait withheld.
_CURRENT = f"""
    chunks k join documents d on d.body_hash = k.body_hash
    where {_CURRENT_DOCUMENT} and k.chunk_id not in (select chunk_id from withheld)
    """
# Vectors taken from the database at once: 16,384 of 384 numbers are 12 MB.
_VECTORS_READ = 16_384


def current(con: duckdb.DuckDBPyConnection, encoder_id: str) -> Served:
    """Return the passages that a search can find now, with the vectors that they have."""
    rows = con.execute(
        f"select k.chunk_id, k.body_hash, k.chunk_hash from {_CURRENT} order by k.body_hash, k.ordinal"
    ).fetchall()
    return served(rows, _vectors(con, encoder_id, sorted({name for _, _, name in rows})))


def bodies(con: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the bodies of the documents that a search may show as current."""
    return {row["body_hash"] for row in fetch(con, f"select d.body_hash from documents d where {_CURRENT_DOCUMENT}")}


def _vectors(con: duckdb.DuckDBPyConnection, encoder_id: str, hashes: list[str]) -> npt.NDArray[np.float16]:
    """Return one row for each of `hashes`, zeros where no vector is known."""
    place = {name: row for row, name in enumerate(hashes)}
    batches = con.execute("select chunk_hash, vector from vectors where encoder_id = ?", [encoder_id]).to_arrow_reader(
        _VECTORS_READ
    )
    found = np.zeros((len(hashes), 0), np.float16)
    for batch in batches:
        rows = [(place[name], at) for at, name in enumerate(batch.column("chunk_hash").to_pylist()) if name in place]
        if rows:
            numbers = _numbers(batch.column("vector"))
            if not found.shape[1]:
                found = np.zeros((len(hashes), numbers.shape[1]), np.float16)
            places, at = np.array(rows).T
            found[places] = numbers[at]
    return found


def _numbers(column: pa.BinaryArray) -> npt.NDArray[np.float16]:
    """Return a column of vectors, all of one length, without making objects of them."""
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    return np.frombuffer(data, "<f2", (ends[-1] - ends[0]) // 2, ends[0]).reshape(len(column), -1)


def texts(con: duckdb.DuckDBPyConnection, hashes: Sequence[str]) -> dict[str, str]:
    """Return chunk_hash -> the passage, without its heading path."""
    rows = fetch(con, "select chunk_hash, text from texts where chunk_hash in (select unnest(?))", [list(hashes)])
    return {row["chunk_hash"]: row["text"] for row in rows}


def locators(con: duckdb.DuckDBPyConnection, chunk_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return chunk_id -> its locator in the document that serves it."""
    rows = fetch(
        con,
        f"""
        select p.chunk_id, p.locator from places p join chunks k using (chunk_id)
        join documents d on d.body_hash = k.body_hash
            and d.served_hash = p.content_hash and d.served_parser = p.parser_version
        where {SERVED} and d.duplicate_of is null and p.chunk_id in (select unnest(?))
        """,
        [list(chunk_ids)],
    )
    return {row["chunk_id"]: json.loads(row["locator"]) for row in rows}
