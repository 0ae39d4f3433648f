"""What must hold of every parsed document, whatever its bytes were. A fault is named without document text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from pipelines.blocks_json import dump, load
from pipelines.body import body_hash, squeezed, title_of, words
from pipelines.chunk import cut
from pipelines.mirror import lines_of, render
from pipelines.records import Block, BlockKind, Limits, Locator, Parsed

_KINDS = frozenset(get_args(BlockKind))


def faults(parsed: Parsed, limits: Limits) -> list[str]:
    """Return every promise of pipelines.records that the document breaks, else what follows a parser makes of it."""
    found = {*_own(parsed), *_texts(parsed), *_blocks(parsed.blocks, limits, 0)}
    if sum(map(_places, parsed.blocks)) > limits.cells:
        found.add("grids of more places than the limit")
    return sorted(found or _downstream(parsed))


def _own(parsed: Parsed) -> Iterator[str]:
    for name in ("modified_at", "created_at"):
        moment = getattr(parsed, name)
        if moment is not None and moment.tzinfo is None:
            yield f"{name} has no time zone"
    if (parsed.clock is None) != (parsed.modified_at is None):
        yield "a clock without its time, or a time without its clock"
    if any(page < 1 for page in parsed.ocr_pages) or (parsed.pages is not None and parsed.pages < 0):
        yield "pages out of range"
    if any(count < 0 for count in parsed.asides.values()):
        yield "asides below 0"


def _texts(parsed: Parsed) -> Iterator[str]:
    said = [("title", parsed.title), ("author", parsed.author), *(("warning", text) for text in parsed.warnings)]
    said += [("property", text) for pair in parsed.properties.items() for text in pair]
    said += [("attachment name", item.name) for item in parsed.attachments]
    said += [("words apart", one.text) for one in parsed.apart]
    for what, text in said:
        if text and (fault := text_fault(text)):
            yield f"{what}: {fault}"


def text_fault(text: str) -> str:
    """Name what is wrong with a text: "" when it is NFC without surrogates and control characters."""
    if text.isascii() and text.isprintable():
        return ""
    for character in text:
        kind = unicodedata.category(character)
        if kind == "Cs":
            return "lone surrogate"
        if kind == "Cc" and character not in "\n\t":
            return f"control character U+{ord(character):04X}"
    return "" if unicodedata.is_normalized("NFC", text) else "not in NFC"


def _blocks(blocks: tuple[Block, ...], limits: Limits, depth: int) -> Iterator[str]:
    if depth > limits.depth:
        yield "tables nested below the limit"
        return
    for block in blocks:
        yield from _block(block)
        if block.cells:
            yield from _grid(block)
            for cell in block.cells:
                yield from _blocks(cell.blocks, limits, depth + 1)


def _block(block: Block) -> Iterator[str]:
    if block.kind not in _KINDS:
        yield "unknown kind of block"
    if block.kind == "heading" and not 1 <= block.level <= 6:
        yield "heading out of levels 1 to 6"
    if block.kind == "item" and block.level < 1:
        yield "item without a level"
    if block.cells and block.kind != "table":
        yield f"cells in a {block.kind}"
    if block.labels and len(block.labels) != len(block.values):
        yield "labels and values of different lengths"
    for text in (block.text, block.number, *block.labels, *block.values, block.locator.sheet or ""):
        if text and (fault := text_fault(text)):
            yield f"{block.kind}: {fault}"
    yield from _locator(block.locator)


def _locator(place: Locator) -> Iterator[str]:
    if (place.page is not None and place.page < 1) or (place.slide is not None and place.slide < 1):
        yield "page or slide below 1"
    if place.rows is not None and not 1 <= place.rows[0] <= place.rows[1]:
        yield "rows out of range"


def _grid(table: Block) -> Iterator[str]:
    if any(min(cell.row, cell.col) < 0 or min(cell.row_span, cell.col_span) < 1 for cell in table.cells):
        yield "cell out of the grid"
    if table.header_rows < 0:
        yield "header rows below 0"


def _places(table: Block) -> int:
    """Return how many places Markdown writes for a table and those in its cells."""
    if not table.cells:
        return 0
    own = (1 + max(cell.row for cell in table.cells)) * (1 + max(cell.col for cell in table.cells))
    return own + sum(_places(block) for cell in table.cells for block in cell.blocks)


def _downstream(parsed: Parsed) -> Iterator[str]:
    """Do to the blocks what a refresh does, and compare the words."""
    body = squeezed(parsed.blocks)
    mirror = render(parsed.blocks)
    if mirror.line_spans and mirror.line_spans[-1][1] != len(body):
        yield "the mirror's words are not the body's"
    if any("".join(line.words for line in lines_of(block)) != words(block) for block in parsed.blocks):
        yield "a block's lines don't hold its words"
    if len(mirror.lines) != mirror.text.count("\n"):
        yield "a mirror line holds a line break"
    if load(dump(parsed)) != replace(parsed, attachments=()):
        yield "stored blocks come back changed"
    title = title_of(parsed)
    chunks = cut(parsed.blocks, title=title, body_hash=body_hash(parsed.blocks, ""), count_tokens=_tokens)
    ends = [0, *(end for chunk in chunks for end in (chunk.start, chunk.end)), len(body)]
    if ends != sorted(ends):
        yield "passages out of order, or outside the body"


def _tokens(texts: list[str]) -> list[int]:
    return [len(text) // 2 + 1 for text in texts]
