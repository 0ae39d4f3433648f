"""What is left to say of a Hangul document whose body holds no word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipelines.errors import Empty, NeedsOcr
from pipelines.records import Block

# What is kept apart from the body, in the order in which a reader meets it.
_ASIDES = ("header", "footer", "memo", "comment", "hidden")


def settled(blocks: Sequence[Block], asides: Mapping[str, int], *, pictures: int) -> tuple[Block, ...]:
    """Return the blocks of a document.

    Notes are outside the body, but where nothing else was written they are the document, and become paragraphs. Raises
    NeedsOcr for pictures without a word and Empty for words in headers, footers, memos or comments alone; a document
    with nothing at all returns no block.
    """
    if blocks:
        if all(block.kind == "note" for block in blocks):
            return tuple(replace(block, kind="paragraph", number="", in_body=True) for block in blocks)
        return tuple(blocks)
    if pictures:
        raise NeedsOcr("the document holds pictures and no text; recognise the text and save it again")
    kept = [f"{kind}s" for kind in _ASIDES if asides.get(kind)]
    if kept:
        raise Empty(f"the document holds words only in {' and '.join(kept)}")
    return ()
