"""From printed lines to paragraphs, list items, headings and tables that go on over pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipelines.parsers.bullet import without_bullet
from pipelines.parsers.pdf_lines import LARGE_PRINT, Line, PageText, PlacedTable, body_half_points
from pipelines.records import Block, Cell, Locator

# Large print that is longer than this isn't a heading.
_HEADING_CHARS = 100
# When more than this share is large, large print is the text itself (slides, posters).
_HEADING_SHARE = 0.5
_MAX_LEVEL = 6
# Two sizes (points) that a reader can't tell apart.
_SAME_SIZE = 0.6
# Distance of two lines of one paragraph, in sizes; 1.6 to 2 are Korean office defaults.
_PITCH = 2.3
# A line shorter than this many sizes doesn't wrap: addresses, labels, lists.
_WRAP_WIDTH = 12
_SENTENCE_END = (".", "!", "?", ":", ";", "。", "…", "다")
_STARTS_ANEW = re.compile(
    r"\d{1,3}[.)]|\(\d{1,3}\)|제\s*\d+|[가-하][.)]\s|[①-⑳㉠-㉻]|[-–•◦▪○●□■◇◆※▶*·☞<\[【(「]|[a-zA-Z][.)]\s"
)
# Columns of two parts of one table agree within this many points.
_SAME_EDGE = 3.0
_HANGUL = re.compile("[가-힣]")


def blocks_of(pages: Sequence[PageText]) -> list[Block]:
    """Return the blocks of all pages; a table that goes on at the top of the next page is one table."""
    levels = _heading_levels([part for page in pages for part in page.parts if isinstance(part, Line)])
    glued = _breaks_inside_words(pages)
    blocks: list[Block] = []
    open_table: PlacedTable | None = None
    for page in pages:
        for index, part in enumerate(page.parts):
            locator = Locator(page=page.number, ocr=page.ocr)
            if isinstance(part, PlacedTable):
                if index == 0 and open_table is not None and _goes_on(open_table, part):
                    blocks[-1] = _continued(blocks[-1], part.block)
                else:
                    blocks.append(part.block)
                continue
            previous = page.parts[index - 1] if index else None
            before = previous if isinstance(previous, Line) else None
            level = levels.get(round(part.size * 2), 0) if len(part.text) <= _HEADING_CHARS else 0
            if before is not None and blocks and _joins(before, part, blocks[-1], level, page):
                blocks[-1] = replace(blocks[-1], text=blocks[-1].text + _glue(before, part, glued) + part.text)
            else:
                blocks.append(_start(part, level, locator))
        last = page.parts[-1] if page.parts else None
        open_table = last if isinstance(last, PlacedTable) else None
    return blocks


def _heading_levels(lines: Iterable[Line]) -> dict[int, int]:
    """Return the heading level of each size (in half points) that is clearly larger than that of most characters."""
    lines = list(lines)
    chars: Counter[int] = Counter()
    for line in lines:
        chars[round(line.size * 2)] += len(line.text)
    large = sorted((size for size in chars if size >= body_half_points(lines) * LARGE_PRINT), reverse=True)
    if sum(chars[size] for size in large) > _HEADING_SHARE * chars.total():
        return {}
    levels: dict[int, int] = {}
    level, before = 0, 0
    for size in large:
        if not before or before - size > _SAME_SIZE * 2:
            level += 1
        levels[size], before = min(level, _MAX_LEVEL), size
    return levels


def _start(line: Line, level: int, locator: Locator) -> Block:
    if level:
        return Block("heading", line.text, level=level, locator=locator)
    item = without_bullet(line.text)
    if item is not None:
        return Block("item", item, level=1, locator=locator)
    return Block("paragraph", line.text, locator=locator)


def _joins(before: Line, line: Line, block: Block, level: int, page: PageText) -> bool:
    """Tell whether `line` goes on with the paragraph or heading that `before` ends so far.

    A paragraph's line is full when the first word of the next wouldn't have fitted any more.
    """
    near = 0 < line.y - before.y < _PITCH * max(line.size, 1.0) and abs(line.size - before.size) < _SAME_SIZE
    if not near or before.columns or line.columns or without_bullet(line.text) is not None:
        return False
    if before.hyphenated:
        return True
    if block.kind == "heading":
        return level == block.level and not _STARTS_ANEW.match(line.text)
    if level or before.text.endswith(_SENTENCE_END) or _STARTS_ANEW.match(line.text):
        return False
    if before.right - before.left < _WRAP_WIDTH * before.size:
        return False
    beside = [other.right for other in page.parts if isinstance(other, Line) and _in_column(other, before)]
    first_word = line.text.split(maxsplit=1)[0]
    needed = (line.right - line.left) / len(line.text) * len(first_word)
    return before.right + needed > max(beside) - before.size / 2


def _in_column(line: Line, other: Line) -> bool:
    return abs(line.left - other.left) < 4 * other.size and abs(line.size - other.size) < _SAME_SIZE


def _breaks_inside_words(pages: Sequence[PageText]) -> bool:
    """Tell whether lines of this document that end between words keep their space, as Word and Hancom write them.

    Then a line without one ends inside a word. Breaking anywhere, Korean meets a space about every fourth time.
    """
    lines = [part for page in pages for part in page.parts if isinstance(part, Line)]
    wide = [line for line in lines if line.right - line.left >= _WRAP_WIDTH * line.size]
    return bool(wide) and sum(line.spaced for line in wide) > 0.1 * len(wide)


def _glue(before: Line, line: Line, glued: bool) -> str:
    if before.hyphenated:
        return ""
    inside = glued and not before.spaced and _HANGUL.match(before.text[-1]) and _HANGUL.match(line.text[0])
    return "" if inside else " "


def _goes_on(above: PlacedTable, below: PlacedTable) -> bool:
    pairs = zip(above.edges, below.edges, strict=False)
    return len(above.edges) == len(below.edges) and all(abs(a - b) < _SAME_EDGE for a, b in pairs)


def _continued(first: Block, second: Block) -> Block:
    """Append the rows of `second`, its repeated header left out."""
    header = _row_texts(first.cells, 0)
    skipped = 1 if any(header) and _row_texts(second.cells, 0) == header else 0
    start = max(cell.row + cell.row_span for cell in first.cells) - skipped
    rows = tuple(replace(cell, row=cell.row + start) for cell in second.cells if cell.row >= skipped)
    return replace(first, cells=first.cells + rows)


def _row_texts(cells: tuple[Cell, ...], row: int) -> list[str]:
    return ["".join("".join(block.text.split()) for block in cell.blocks) for cell in cells if cell.row == row]
