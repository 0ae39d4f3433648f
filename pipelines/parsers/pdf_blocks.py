"""From printed lines to paragraphs, list items, headings and tables that go on over pages."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pipelines.parsers.bullet import without_bullet
from pipelines.parsers.pdf_glyphs import is_hangul
from pipelines.parsers.pdf_headings import SAME_SIZE, Headings
from pipelines.parsers.pdf_lines import WRAP_WIDTH, Line, PageText, Part, PlacedCell, PlacedTable, standard
from pipelines.parsers.pdf_words import LineEnds
from pipelines.records import Block, Cell, Locator

# Distance of two lines of one paragraph, in sizes; 1.6 to 2 are Korean office defaults.
_PITCH = 2.3
# In a set block this share of the lines ends within a size of the same edge.
_SET_SHARE = 0.6
_SET_LINES = 3
# Footnotes are printed this much smaller than the text over them.
_SMALL_PRINT = 0.9
_SENTENCE_END = re.compile(r"[.!?:;。…][\"'”’)\]」』]*$")
# Without a full stop it ends one before the edge, and is part of a word there ("다|음").
_PLAIN_END = "다"
# A date goes on ("2020." "3. 11.").
_NUMBER_END = re.compile(r"\d\.$")
_STARTS_ANEW = re.compile(
    r"\d{1,3}[.)](?!\d)|\(\d{1,3}\)|제\s*\d+\s*[편장절관조항호]|[가-하][.)]\s|[①-⑳㉠-㉻]|[-–•◦▪○●□■◇◆※▶*·☞]|[a-zA-Z][.)]\s"
    r"|\([a-zA-Z가-하]\)\s"
)
# "갑: ", "계약금액: "; one syllable else, or an ending, is the rest of a word ("같|음:").
_LABEL = re.compile("(?:[갑을병정]|[가-힣]{1,5}(?![다음함임됨것])[가-힣])\\s?[:\uff1a](?:\\s|$)")
# A bracket starts a paragraph ("[별표 1]", "(단위: 천원)") unless the line before reaches its column's edge.
_STARTS_BRACKET = re.compile(r"[<\[【(「『]")
# In a cell narrower than this (in sizes) lines are broken by hand as often as not; its padding (points) is no room.
_CELL_WIDTH = 8
_UNRULED_ROWS = 3
_SHORT = 0.5
_PADDING = 12.0
# Columns of two parts of one table agree within this many points.
_SAME_EDGE = 3.0
# A first line is indented by two sizes at most, a list's by four.
_INDENT = 4
# A column takes at least this share of the page's widest line.
_NARROW = 0.4
# Looking at every other line for each is quadratic; a page of more is a map.
_MAX_PARTS = 400


def blocks_of(pages: Sequence[PageText]) -> list[Block]:
    """Return the blocks of all pages; a paragraph that goes on over a page is one, with the place of its first line.

    A table that goes on stays two, each with its page, the header over the second one again but outside the body.
    """
    return _Flow(pages).whole()


@dataclass(frozen=True, slots=True)
class _Open:
    """The last line of a paragraph that may go on: its block, and the right edge of the text around it."""

    block: int
    line: Line
    edge: float
    level: int


class _Flow:
    """The blocks so far, and what of them the next part may go on with."""

    def __init__(self, pages: Sequence[PageText]) -> None:
        self.blocks: list[Block] = []
        self._headings = Headings(pages)
        self._ends = LineEnds(line for page in pages for line in _all_lines(page))
        self._last: _Open | None = None
        # What stood before a run of small print at the foot of a column.
        self._above_notes: _Open | None = None
        self._table: tuple[PlacedTable, Block] | None = None
        # What goes on is joined at the end: a text without a full stop may be a million lines.
        self._more: dict[int, list[str]] = {}
        for page in pages:
            self._page(page)

    def whole(self) -> list[Block]:
        for place, texts in self._more.items():
            self.blocks[place] = replace(self.blocks[place], text=standard(self.blocks[place].text + "".join(texts)))
        return self.blocks

    def _page(self, page: PageText) -> None:
        edges = right_edges(page.parts)
        locator = Locator(page=page.number, ocr=page.ocr)
        for index, part in enumerate(page.parts):
            if isinstance(part, PlacedTable):
                self._add_table(part, locator, is_first=index == 0)
            else:
                level = self._headings.level(page, index)
                self._add_line(part, level, edges[index], locator, is_first=index == 0)

    def _add_table(self, table: PlacedTable, locator: Locator, is_first: bool) -> None:
        listed = {(placed.cell.row, _heights(placed)) for placed in table.cells if _is_list(placed)}
        cells = (self._cell(placed, (placed.cell.row, _heights(placed)) in listed) for placed in table.cells)
        block = Block("table", cells=tuple(cells), locator=locator)
        if is_first and self._table is not None and _same_columns(self._table[0], table):
            block = _under_header(self._table[1], block)
        self.blocks.append(block)
        self._table = (table, block)
        self._last = self._above_notes = None

    def _cell(self, placed: PlacedCell, apart: bool) -> Cell:
        """Return a cell with its words; lines that go on are joined, all others keep their break.

        All of them do when they stand `apart`, each beside an entry of another cell: rows without a rule between them.
        """
        text = ""
        for n, line in enumerate(placed.lines):
            before = placed.lines[n - 1] if n else None
            goes_on = before is not None and not apart and _goes_on_in(placed, before, line)
            text += (self._ends.glue(before, line) if before and goes_on else "\n") + line.text
        text = standard(text).strip()
        return replace(placed.cell, blocks=(Block("paragraph", text),) if text else ())

    def _add_line(self, line: Line, level: int, edge: float, locator: Locator, is_first: bool) -> None:
        found = self._before(line, level, is_first)
        if found is None:
            place = len(self.blocks)
            self.blocks.append(_start(line, level, locator))
        else:
            place = found.block
            self._more.setdefault(place, []).append(self._ends.glue(found.line, line) + line.text)
        last = self._last
        above = self._above_notes or last
        small = above is not None and line.size < above.line.size * _SMALL_PRINT
        self._above_notes = above if small else None
        self._last = _Open(place, line, edge, level)
        self._table = None

    def _before(self, line: Line, level: int, is_first: bool) -> _Open | None:
        """Return the paragraph or heading that `line` goes on with, None when it starts one."""
        last = self._last
        if last is None or without_bullet(line.text) is not None:
            return None
        if not is_first and _follows(last.line, line):
            return last if self._joins(last, line, level) else None
        if not is_first and not _starts_column(last.line, line):
            return None
        return next((found for found in (last, self._above_notes) if found and _goes_over(found, line, level)), None)

    def _joins(self, last: _Open, line: Line, level: int) -> bool:
        """Tell whether a line right below another goes on with its paragraph or heading."""
        before = last.line
        if before.columns or line.columns or (before.bold != line.bold and (last.level or level)):
            return False
        if before.hyphenated:
            return True
        if last.level or level:
            anew = _STARTS_ANEW.match(line.text) or _STARTS_BRACKET.match(line.text)
            return level == last.level and not anew
        return not _ends_between(last, line) and _is_full(last, line)


def right_edges(parts: Sequence[Part]) -> list[float]:
    """Return for each part where the text around it ends: the edge of its block when that is set, else of its column.

    A few short lines have none: an address, the lines of a title.
    """
    edges = [part.right for part in parts]
    widest = max((part.right - part.left for part in parts), default=0.0)
    start = 0
    for end in range(1, len(parts) + 1):
        if end < len(parts) and _is_set_with(parts[end - 1], parts[end]):
            continue
        block = [part for part in parts[start:end] if isinstance(part, Line)]
        edge = max((line.right for line in block), default=0.0)
        if not _is_set(block, edge):
            edge = max((_column_edge(line, parts) for line in block[:1]), default=edge)
            narrow = max((line.right - line.left for line in block), default=0.0) < _NARROW * widest
            edge = math.inf if narrow else edge
        edges[start:end] = [max(edge, part.right) for part in parts[start:end]]
        start = end
    return edges


def _is_set_with(before: Part, part: Part) -> bool:
    if not isinstance(before, Line) or not isinstance(part, Line):
        return False
    return _follows(before, part) and abs(before.left - part.left) < _INDENT * part.size


def _is_set(block: Sequence[Line], edge: float) -> bool:
    return len(block) >= _SET_LINES and (
        sum(edge - line.right < line.size for line in block) >= _SET_SHARE * (len(block) - 1)
    )


def _column_edge(line: Line, parts: Sequence[Part]) -> float:
    if len(parts) > _MAX_PARTS:
        return line.right
    beside = (part for part in parts if isinstance(part, Line) and abs(part.left - line.left) < _INDENT * part.size)
    return max(part.right for part in beside if abs(part.size - line.size) < SAME_SIZE)


def _heights(placed: PlacedCell) -> tuple[int, ...]:
    return tuple(round(line.y) for line in placed.lines)


def _is_list(placed: PlacedCell) -> bool:
    """Tell whether a cell holds some short lines, figures most often, and none that fills it."""
    room = _SHORT * (placed.right - placed.left)
    return len(placed.lines) >= _UNRULED_ROWS and all(line.right - line.left < room for line in placed.lines)


def _all_lines(page: PageText) -> Iterator[Line]:
    for part in page.parts:
        if isinstance(part, Line):
            yield part
        else:
            for placed in part.cells:
                yield from placed.lines


def _goes_on_in(placed: PlacedCell, before: Line, line: Line) -> bool:
    """Tell whether a cell's line goes on with the one before: the first word had no room left in a cell of some width.

    Short lines break where a person put it ("분류", "기준").
    """
    if before.right - before.left < _CELL_WIDTH * before.size or not _follows(before, line):
        return False
    padding = min(max(0.0, before.left - placed.left), _PADDING)
    last = _Open(0, before, placed.right - padding, 0)
    return not _ends_between(last, line) and _is_wrapped(last, line)


def _start(line: Line, level: int, locator: Locator) -> Block:
    if level:
        return Block("heading", standard(line.text), level=level, locator=locator)
    item = without_bullet(line.text)
    if item is not None:
        return Block("item", standard(item), level=1, locator=locator)
    return Block("paragraph", standard(line.text), locator=locator)


def _follows(before: Line, line: Line) -> bool:
    """Tell whether a line stands right below another, in vertical writing right beside it."""
    if abs(line.size - before.size) >= SAME_SIZE or before.vertical != line.vertical:
        return False
    pitch = _PITCH * max(line.size, 1.0)
    if line.vertical:
        return 0 < before.left - line.left < pitch and line.bottom <= before.bottom + line.size / 2
    return 0 < line.y - before.y < pitch and line.left < before.right and before.left < line.right


def _starts_column(before: Line, line: Line) -> bool:
    return line.y < before.y and line.left > before.left + line.size


def _goes_over(last: _Open, line: Line, level: int) -> bool:
    """Tell whether a line at the top of a column or page goes on with the paragraph at the end of the one before."""
    before = last.line
    if last.level or level or before.columns or line.columns or before.bold != line.bold:
        return False
    if abs(line.size - before.size) >= SAME_SIZE or before.reach or line.reach:
        return False
    if before.hyphenated:
        return True
    if _ends_between(last, line) or not _is_full(last, line):
        return False
    return is_hangul(line.text[0]) or line.text[0].islower()


def _ends_between(last: _Open, line: Line) -> bool:
    """Tell whether a sentence ends with one line or something new starts with the next, by their words."""
    before = last.line
    if _STARTS_ANEW.match(line.text) or _LABEL.match(line.text):
        return True
    if before.right < last.edge - before.size / 2 and (
        _STARTS_BRACKET.match(line.text) or before.text.endswith(_PLAIN_END)
    ):
        return True
    if _NUMBER_END.search(before.text) and line.text[0].isdigit():
        return False
    return _SENTENCE_END.search(before.text) is not None


def _is_full(last: _Open, line: Line) -> bool:
    """Tell whether the first word of the next line wouldn't have fitted any more."""
    before = last.line
    if before.vertical:
        return True
    return before.right - before.left >= WRAP_WIDTH * before.size and _is_wrapped(last, line)


def _is_wrapped(last: _Open, line: Line) -> bool:
    before = last.line
    first_word = line.text.split(maxsplit=1)[0]
    needed = (line.right - line.left) / len(line.text) * len(first_word)
    return before.right + needed > last.edge - before.size / 2


def _same_columns(above: PlacedTable, below: PlacedTable) -> bool:
    pairs = zip(above.edges, below.edges, strict=False)
    return len(above.edges) == len(below.edges) and all(abs(a - b) < _SAME_EDGE for a, b in pairs)


def _under_header(first: Block, second: Block) -> Block:
    """Put the header of `first` over `second`, outside the body; a copy that is printed there is no word either."""
    header = [cell for cell in first.cells if cell.row < first.header_rows]
    if any(cell.row + cell.row_span > first.header_rows for cell in header) or not any(map(_text, header)):
        return replace(second, header_rows=0)
    printed = [_text(cell) for cell in second.cells if cell.row < first.header_rows]
    skipped = first.header_rows if printed == [_text(cell) for cell in header] else 0
    moved = first.header_rows - skipped
    rows = (replace(cell, row=cell.row + moved) for cell in second.cells if cell.row >= skipped)
    repeated = (replace(cell, blocks=tuple(replace(block, in_body=False) for block in cell.blocks)) for cell in header)
    return replace(second, cells=(*repeated, *rows), header_rows=first.header_rows)


def _text(cell: Cell) -> str:
    return "".join("".join(block.text.split()) for block in cell.blocks)
