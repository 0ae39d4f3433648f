"""What a search can find now, read from the ledger for questions to the whole corpus at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pipelines.served import Served, served
from resources.ledger.passages import SERVED
from resources.ledger.rows import fetch, one

if TYPE_CHECKING:
    import duckdb


# Passages that a search may show as current: what a newer version replaced or what waits withheld isn't asked about.
_CURRENT = f"""
    chunks k join documents d on d.body_hash = k.body_hash
    where {SERVED} and d.state not in ('superseded', 'expired') and d.duplicate_of is null and not d.retired
        and k.chunk_id not in (select chunk_id from withheld)
    """
# Vectors taken from the database at once: 16,384 of 384 numbers are 12 MB.
_VECTORS_READ = 16_384


def current(con: duckdb.DuckDBPyConnection, encoder_id: str) -> Served:
    """Return the passages that a search can find now, with the vectors that they have."""
    rows = con.execute(
        f"select k.chunk_id, k.body_hash, k.chunk_hash from {_CURRENT} order by k.body_hash, k.ordinal"
    ).fetchall()
    return served(rows, _vectors(con, encoder_id))


def _vectors(con: duckdb.DuckDBPyConnection, encoder_id: str) -> npt.NDArray[np.float16]:
    """Return one row for each distinct current chunk_hash in order, zeros where no vector is known."""
    count = int(one(con, f"select count(distinct k.chunk_hash) from {_CURRENT}") or 0)
    batches = con.execute(
        f"""
        with wanted as (select distinct k.chunk_hash from {_CURRENT}),
             placed as (select chunk_hash, row_number() over (order by chunk_hash) - 1 as place from wanted)
        select place, vector from placed join vectors using (chunk_hash) where encoder_id = ?
        """,
        [encoder_id],
    ).to_arrow_reader(_VECTORS_READ)
    found = np.zeros((count, 0), np.float16)
    for batch in batches:
        places = batch.column("place").to_numpy()
        numbers = np.frombuffer(b"".join(batch.column("vector").to_pylist()), "<f2").reshape(len(places), -1)
        if not found.shape[1]:
            found = np.zeros((count, numbers.shape[1]), np.float16)
        found[places] = numbers
    return found


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
