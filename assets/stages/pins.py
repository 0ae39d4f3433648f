"""Canaries keep their passage when its body is cut anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pipelines.gap import holds
from pipelines.records import Chunk
from pipelines.score import coverage
from pipelines.tokens import query_terms, tokens
from resources.ledger import canaries, passages

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def carry_pins(con: duckdb.DuckDBPyConnection, cuts: Sequence[tuple[Row, Sequence[Chunk]]]) -> None:
    """Move pins from the chunks that the ledger still holds of these bodies to the new ones of the same place.

    Another tokenizer or limit moves boundaries, not words: without this every question would be told as lost. The
    baseline is taken anew, as a score depends on the cut.
    """
    made = {row["body_hash"]: chunks for row, chunks in cuts}
    changes = []
    for canary in canaries.active(con):
        chunks = made.get(canary["pinned_body"])
        if chunks and canary["pinned_chunk"] not in {chunk.chunk_hash for chunk in chunks}:
            heir = _heir(
                passages.chunks_of(con, [canary["pinned_body"]]).get(canary["pinned_body"], []), canary, chunks
            )
            if heir is not None:
                changes.append({"canary_id": canary["canary_id"], "pinned_chunk": heir.chunk_hash, "baseline": None})
    canaries.change(con, changes)


def _heir(before: Sequence[Row], canary: Row, chunks: Sequence[Chunk]) -> Chunk | None:
    """Return which of the new chunks in the place of the pinned one answers: by the expected text, then by words."""
    spans = [(row["span_start"], row["span_end"]) for row in before if row["chunk_hash"] == canary["pinned_chunk"]]
    if not spans:
        return None
    start, end = spans[0]
    terms = query_terms(canary["query"])

    def fitness(chunk: Chunk) -> tuple[bool, float, int]:
        shared = min(end, chunk.end) - max(start, chunk.start)
        return holds(chunk.text, canary["expect_text"] or ""), coverage(terms, tokens(chunk.embedded)), shared

    near = [chunk for chunk in chunks if chunk.start < end and start < chunk.end]
    return max(near, key=fitness, default=None)
