"""Documents become the rows of an index, as a refresh would make them, and the index is written and opened."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from vectors import CachedEncoder

from pipelines.chunk import CHUNKER_VERSION, cut
from pipelines.records import Block
from pipelines.tokens import tokens
from resources.index import Index
from resources.reader import IndexReader
from resources.rows import rows_table

Row = dict[str, Any]
# What assets/stages/chunk.py asks for, and a finer cut, which makes more passages of the same words.
TOKENS, FINE_TOKENS = (400, 488), (150, 190)


@dataclass(frozen=True, slots=True)
class Document:
    """What is to be cut: `key` tells whose passage a row is."""

    key: str
    title: str
    text: str


def rows_of(documents: Sequence[Document], encoder: CachedEncoder, limits: tuple[int, int] = TOKENS) -> list[Row]:
    """Return the index rows; `path` is the document's key."""
    cuts = [(document, chunk) for document in documents for chunk in _cut(document, encoder, limits)]
    # A second document of the same words is a duplicate, which the first one serves.
    found = list({chunk.chunk_id: (document, chunk) for document, chunk in reversed(cuts)}.values())[::-1]
    vectors = encoder.passages([chunk.embedded for _, chunk in found])
    return [
        {
            "chunk_id": chunk.chunk_id,
            "body_hash": chunk.body_hash,
            "chunk_hash": chunk.chunk_hash,
            "row_hash": chunk.chunk_hash,
            "text": chunk.text,
            "tokens": tokens(chunk.embedded),
            "title": document.title,
            "heading": list(chunk.heading),
            "vector": vector,
            "source": "bench",
            "path": document.key,
            "format": "txt",
            "locator": "{}",
            "also_in": "[]",
            "flags": "[]",
            "encoder_id": encoder.encoder_id,
            "ordinal": chunk.ordinal,
            "n_tokens": chunk.n_tokens,
        }
        for (document, chunk), vector in zip(found, vectors, strict=True)
    ]


def write_index(folder: Path, rows: Sequence[Row], encoder: CachedEncoder) -> IndexReader:
    """Write and publish the rows; returns a reader of them."""
    index = Index(folder, encoder.encoder_id, encoder.batch.dimension)
    index.live.apply(rows_table(rows, encoder.batch.dimension))
    index.optimize()
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return IndexReader(folder, index.candidate(calibration="", chunker=CHUNKER_VERSION, run_id="bench", now=now))


def _cut(document: Document, encoder: CachedEncoder, limits: tuple[int, int]) -> list[Any]:
    blocks = [Block("paragraph", line) for line in document.text.split("\n") if line.strip()]
    return cut(
        blocks,
        title=document.title,
        body_hash=hashlib.sha256(document.text.encode()).hexdigest(),
        count_tokens=encoder.batch.count_tokens,
        limit=limits[0],
        hard_limit=limits[1],
    )
