"""Chunk: bodies become passages, with morphemes for full text and a place in the document that serves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from assets.stages.pins import carry_pins
from assets.stages.stored import blocks_of
from pipelines.body import spans
from pipelines.chunk import CHUNKER_VERSION, cut
from pipelines.locate import locate
from pipelines.mirror import render
from pipelines.records import Chunk
from pipelines.tokens import tokens, tokens_version
from resources.build import Run
from resources.encoder import Encoder
from resources.ledger import passages
from resources.ledger.rows import as_json

Row = dict[str, Any]
Item = TypeVar("Item")
# Bodies between two commits: some seconds of work.
BATCH = 200
# DESIGN section 5: about 400 tokens and at most 500, and under the encoder's own limit with prompt and heading path.
TARGET_TOKENS, MOST_TOKENS = 400, 500
ROOM = 12  # special tokens, prompt, and the few more that joined pieces may have


def cut_bodies(run: Run) -> dict[str, Any]:
    """Cut what has no chunks of this chunker and tokenizer yet; then morphemes and places that are missing."""
    saero = run.saero
    with saero.ledger.session("chunk"):
        with saero.ledger.transaction("chunk") as con:
            bodies = passages.bodies_to_cut(con, chunker_version(saero.encoder))
        # On a quiet night all is looked up at once; otherwise chunks come first.
        waiting = None if bodies else _waiting(run)
    run.stage("chunk", len(bodies))
    made = 0
    for part in batches(bodies, BATCH):
        cuts = [(row, chunks) for row in part if (chunks := _cut(run, row)) is not None]
        with saero.ledger.transaction("chunk") as con:
            carry_pins(con, cuts)
            passages.replace_bodies(con, *_stored(run, cuts))
        made += sum(len(chunks) for _, chunks in cuts)
    tokenless, placeless = waiting or _waiting(run)
    _add_tokens(run, tokenless)
    _add_places(run, placeless)
    return {"bodies": len(bodies), "chunks": made, "tokenized": len(tokenless), "placed": len(placeless)}


def chunker_version(encoder: Encoder) -> str:
    """Name all that decides where a passage ends: the rules, the tokenizer that measures it, and both limits.

    An encoder that reads less would find every passage too long, so its first night cuts all bodies anew.
    """
    soft, hard = _limits(encoder)
    return f"{CHUNKER_VERSION}/{encoder.tokenizer_id}/{soft}-{hard}"


def _limits(encoder: Encoder) -> tuple[int, int]:
    """Return how many tokens a passage should have and may have."""
    hard = min(MOST_TOKENS, encoder.max_tokens - ROOM)
    return min(TARGET_TOKENS, hard * 4 // 5), hard


def _cut(run: Run, row: Row) -> list[Chunk] | None:
    """Return a body's chunks; None when its words are lost and no file gives them, so that its earlier chunks stay."""
    encoder = run.saero.encoder
    soft, hard = _limits(encoder)
    blocks = blocks_of(run, row["content_hash"], row["parser_version"])
    if blocks is None:
        return None
    chunks = cut(
        blocks,
        title=row["title"] or "",
        body_hash=row["body_hash"],
        count_tokens=encoder.count_tokens,
        limit=soft,
        hard_limit=hard,
    )
    run.progress.advance()
    return chunks


def _stored(run: Run, cuts: list[tuple[Row, list[Chunk]]]) -> tuple[list[Row], list[Row], list[Row]]:
    """Return the rows of bodies, chunks and texts."""
    bodies = [
        {
            "body_hash": row["body_hash"],
            "content_hash": row["content_hash"],
            "parser_version": row["parser_version"],
            "chunker_version": chunker_version(run.saero.encoder),
            "title": row["title"],
            "chars": row["chars"],
            "chunk_count": len(chunks),
            "made_at": run.now,
        }
        for row, chunks in cuts
    ]
    every = [chunk for _, chunks in cuts for chunk in chunks]
    chunk_rows = [
        {
            "chunk_id": chunk.chunk_id,
            "body_hash": chunk.body_hash,
            "chunk_hash": chunk.chunk_hash,
            "ordinal": chunk.ordinal,
            "heading": list(chunk.heading),
            "span_start": chunk.start,
            "span_end": chunk.end,
        }
        for chunk in every
    ]
    texts = [
        {
            "chunk_hash": chunk.chunk_hash,
            "text": chunk.text,
            "embedded": chunk.embedded,
            "n_tokens": chunk.n_tokens,
            "made_at": run.now,
        }
        for chunk in every
    ]
    return bodies, chunk_rows, texts


def _waiting(run: Run) -> tuple[list[str], list[Row]]:
    """Return the hashes of texts without morphemes, and served contents without places."""
    with run.saero.ledger.transaction("chunk") as con:
        return passages.texts_without_tokens(con, tokens_version()), passages.places_needed(con)


def _add_tokens(run: Run, missing: Sequence[str]) -> None:
    for part in batches(missing, 2000):
        with run.saero.ledger.transaction("tokens") as con:
            texts = passages.embedded_texts(con, list(part))
        made = [(key, tokens(texts[key])) for key in part]
        with run.saero.ledger.transaction("tokens") as con:
            passages.add_tokens(con, tokens_version(), made)


def _add_places(run: Run, needed: Sequence[Row]) -> None:
    """Locate the chunks of each served content in that content: another format has other pages and lines."""
    for part in batches(needed, 10 * BATCH):
        with run.saero.ledger.transaction("places") as con:
            chunks = passages.chunks_of(con, {row["body_hash"] for row in part})
        rows = [place for row in part for place in _places(run, row, chunks.get(row["body_hash"], []))]
        with run.saero.ledger.transaction("places") as con:
            passages.add_places(con, rows)
    if needed:
        with run.saero.ledger.transaction("places") as con:
            passages.drop_unserved_places(con)


def _places(run: Run, row: Row, chunks: list[Row]) -> list[Row]:
    blocks = blocks_of(run, row["content_hash"], row["parser_version"])
    if blocks is None:
        return []
    ranges, mirror = spans(blocks), render(blocks)
    return [
        {
            "content_hash": row["content_hash"],
            "parser_version": row["parser_version"],
            "chunk_id": chunk["chunk_id"],
            "locator": as_json(locate(chunk["span_start"], chunk["span_end"], chunk["text"], blocks, ranges, mirror)),
        }
        for chunk in chunks
    ]


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Yield slices of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
