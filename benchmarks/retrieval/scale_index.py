"""An index of many passages, written, indexed and published as a night does it."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from scale_texts import Writer
from scale_vectors import Bases, Vectors, neighbours

from pipelines.tokens import with_names
from resources.index import Index
from resources.reader import IndexReader
from resources.rows import rows_table
from resources.table import BATCH

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
# Folders of a company, from the one with most passages to the one with few, and how many of a thousand they hold.
SOURCES = {"영업": 430, "개발": 250, "인사": 150, "총무": 100, "연구": 50, "품질": 19, "법무": 1}
MOST, FEWEST = "영업", "법무"
_PASSAGES_A_DOCUMENT = 10
# Of a hundred documents, those with an expiry date; of them every tenth has passed it since the last night.
_EXPIRING = 5


@dataclass(slots=True)
class Built:
    """An index on disk with what is known of it: vectors in the order they were written, questions, sizes, seconds."""

    folder: Path
    reader: IndexReader
    ids: list[str]
    vectors: Vectors
    sources: list[str]
    questions: list[str]
    written_seconds: float = 0.0
    indexed_seconds: float = 0.0
    bytes_by_part: dict[str, int] = field(default_factory=dict)


def build(folder: Path, found: Bases, chunks: int, *, questions: int, seed: int, encoder_id: str) -> Built:
    """Write `chunks` rows in commits as the index stage does, then index, compact and publish them."""
    rng, writer = np.random.default_rng(seed), Writer(seed)
    index = Index(folder, encoder_id, found.passages.shape[1])
    vectors = np.empty((chunks, found.passages.shape[1]), np.float32)
    asked: list[str] = []
    ids: list[str] = []
    sources: list[str] = []
    spent = 0.0
    for start in range(0, chunks, BATCH):
        size = min(BATCH, chunks - start)
        vectors[start : start + size] = neighbours(found, size, rng)
        rows = list(_rows(writer, rng, vectors[start : start + size], start, encoder_id, asked, chunks // questions))
        ids += [row["chunk_id"] for row in rows]
        sources += [row["source"] for row in rows]
        began = time.perf_counter()
        index.live.apply(rows_table(rows, vectors.shape[1]))
        spent += time.perf_counter() - began
    began = time.perf_counter()
    index.optimize()
    indexed = time.perf_counter() - began
    index.publish(index.candidate(calibration="e5-small-2", chunker="scale", run_id="scale", now=NOW))
    # No reader is open here, so nothing has to wait for its hour.
    index.live.cleanup(timedelta(0))
    sizes = {part: _bytes(index.live.path / part) for part in ("data", "_indices")}
    return Built(folder, IndexReader(folder), ids, vectors, sources, asked[:questions], spent, indexed, sizes)


def _rows(
    writer: Writer,
    rng: np.random.Generator,
    vectors: Vectors,
    first: int,
    encoder_id: str,
    asked: list[str],
    every: int,
) -> Iterator[dict[str, Any]]:
    shares = np.cumsum(list(SOURCES.values())) / sum(SOURCES.values())
    source, name = "", ""
    expires: datetime | None = None
    for number, vector in enumerate(vectors, start=first):
        place = number % _PASSAGES_A_DOCUMENT
        if place == 0 or not source:
            source = list(SOURCES)[int(np.searchsorted(shares, rng.random()))]
            name = " ".join(writer.names(2))
            expires = _expiry(int(rng.integers(0, 1_000)))
        passage = writer.passage()
        if number % every == 0:
            asked.append(writer.question(passage))
        chunk_id = hashlib.sha256(str(number).encode()).hexdigest()[:32]
        document = number // _PASSAGES_A_DOCUMENT
        yield {
            "chunk_id": chunk_id,
            "body_hash": f"{document:064x}",
            "chunk_hash": chunk_id,
            "row_hash": chunk_id,
            "text": passage.text,
            "tokens": with_names(passage.tokens, name),
            "title": name,
            "heading": [name, f"제{place + 1}장"],
            "vector": vector,
            "source": source,
            "path": f"{document // 100:04}/{name.replace(' ', '_')}_{document:06}.docx",
            "format": "docx",
            "locator": json.dumps({"lines": [place * 2 + 1, place * 2 + 1]}),
            "also_in": "[]",
            "modified_at": NOW - timedelta(hours=document % 20_000),
            "clock": "core.xml",
            "expires_at": expires,
            "flags": "[]",
            "encoder_id": encoder_id,
            "ordinal": place,
            "n_tokens": len(passage.text) * 6 // 10,
        }


def _expiry(drawn: int) -> datetime | None:
    """Return when a document ends, for a number below 1,000."""
    if drawn >= _EXPIRING * 10:
        return None
    return NOW + timedelta(days=30) * (-1 if drawn < _EXPIRING else 1)


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
