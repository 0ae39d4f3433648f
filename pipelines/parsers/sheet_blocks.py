"""A sheet's cells as blocks: headings, titles and one record a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from pipelines.parsers.sheet_form import Row, is_entry, is_form, paired
from pipelines.parsers.sheet_grid import Grid, letters_of
from pipelines.parsers.sheet_header import Header, find_header, heads_anew, is_marked, is_value, named_header, repeats
from pipelines.parsers.sheet_split import Region, regions
from pipelines.records import Block, Locator

HIDDEN_SHEET, HIDDEN_ROWS, HIDDEN_COLUMNS = "[숨긴 시트]", "숨긴 행", "숨긴 열"
# A title is a line; longer single cells are notes.
_MAX_TITLE_CHARS = 60
_NOT_TITLES = ("※", "*", "(", "[", "주)", "-", "•", "·")
_SENTENCE_ENDS = (".", ":", "니다", "세요", "시오")
# More single cells in a row than this are a list, not titles and notes.
_MAX_NOTES = 3
# Ranges of hidden rows that are written out; a filter may hide thousands.
_MAX_RANGES = 20


def sheet_blocks(grid: Grid) -> list[Block]:
    """Return the blocks of one sheet; an empty sheet gives none."""
    blocks = [*_Sheet(grid).blocks(), *grid.drawn]
    if not blocks:
        return []
    locator = Locator(sheet=grid.name)
    hidden = hidden_note(grid)
    return [
        Block("heading", grid.name, level=1, locator=locator, in_body=False),
        *([Block("paragraph", hidden, locator=locator, in_body=False)] if hidden else []),
        *blocks,
    ]


def hidden_note(grid: Grid) -> str:
    """Say what of a sheet a person doesn't see unless it is unhidden: "[숨긴 행 3-5, 9] [숨긴 열 D]"."""
    rows = _ranges(grid.hidden_rows, str)
    columns = _ranges(grid.hidden_columns, letters_of)
    notes = [HIDDEN_SHEET] if not grid.visible else []
    notes += [f"[{HIDDEN_ROWS} {rows}]"] if rows else []
    notes += [f"[{HIDDEN_COLUMNS} {columns}]"] if columns else []
    return " ".join(notes)


def _ranges(numbers: Iterable[int], name: Callable[[int], str]) -> str:
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [name(first) if first == last else f"{name(first)}-{name(last)}" for first, last in runs[:_MAX_RANGES]]
    more = [f"외 {len(runs) - _MAX_RANGES}곳"] if len(runs) > _MAX_RANGES else []
    return ", ".join(shown + more)


@dataclass(slots=True)
class _Sheet:
    """Turns the regions of a grid into blocks; remembers the last header for rows that go on below a gap."""

    grid: Grid
    header: Header | None = None
    marked: bool = False
    pattern: dict[int, bool] = field(default_factory=dict)
    filled: dict[int, dict[int, str]] = field(default_factory=dict)

    def blocks(self) -> list[Block]:
        """Return titles, notes, forms and records in reading order."""
        self.filled = _down_fill(self.grid)
        found: list[Block] = []
        parts = [
            part
            for region in regions(self.grid, lambda rows: find_header(rows, self.grid) is not None)
            for part in self._parted(region)
        ]
        for place, region in enumerate(parts):
            below = parts[place + 1] if place + 1 < len(parts) else None
            found += self._region(region, below, top=not found)
        return found

    def _parted(self, region: Region) -> list[Region]:
        """Divide a region where another table begins right under the rows of the one above."""
        if region.table is not None:
            return [region]
        rows = region.rows
        starts = [n for n in range(1, len(rows)) if len(rows[n][1]) == 1 and heads_anew(rows, n, self.grid)]
        return [Region(rows[a:b]) for a, b in pairwise([0, *starts, len(rows)])]

    def _region(self, region: Region, below: Region | None, *, top: bool) -> list[Block]:
        rows = region.rows
        header = self._header(region)
        first = len(rows) if header is None else header.first
        # One line over a table, or alone at the top of the sheet, is its title.
        heads = header is not None or top or (below is not None and _stands_over(rows, below))
        form = is_form(rows[:first])
        blocks = [
            self._free_row(number, cells, titled=first == 1 and heads, listed=first > _MAX_NOTES, form=form)
            for number, cells in self._outside(rows[:first])
        ]
        if any(block.kind == "heading" for block in blocks):
            # What stands under a new title doesn't go on with the table above it.
            self.header = None
        if header is None:
            return blocks
        start = header.first + header.levels
        columns, again = _columns(rows), repeats(rows, header)
        blocks += [_record(self.grid, number, cells, {}) for number, cells in rows[header.first : start]]
        end = len(rows) - _notes_below(rows[start:], header)
        for number, cells in rows[start:end]:
            if number in again:
                continue
            above = self.filled.get(number)
            blocks.append(_record(self.grid, number, _within(above, columns, cells) if above else cells, header.labels))
        notes = [Block("paragraph", next(iter(cells.values())), locator=_at(self.grid, n)) for n, cells in rows[end:]]
        blocks += notes
        if notes:
            # What stands under a note doesn't go on with the table above it.
            self.header = None
            return blocks
        self.header = header
        self.pattern = {column: is_value(text) for column, text in rows[-1][1].items()}
        return blocks

    def _header(self, region: Region) -> Header | None:
        if region.table is not None:
            return named_header(region.rows, self.grid) if region.table.header_rows else Header(0, 0, {})
        header = find_header(region.rows, self.grid)
        if header is not None and header.first < len(region.rows):
            marked = is_marked(region.rows[header.first], self.grid)
            if self.marked and not marked:
                # Where one header of a sheet stands out, plain rows are no headers.
                header = None
            self.marked = self.marked or marked
        if header is None and self.header is not None and _continues(region.rows, self.header, self.pattern):
            return Header(0, 0, self.header.labels)
        return header

    def _outside(self, rows: list[Row]) -> list[Row]:
        """Fill merges down where rows without a header are data; a form's boxes stay once."""
        if is_form(rows):
            return rows
        columns = _columns(rows)
        return [(n, _within(self.filled.get(n, {}), columns, cells) if len(cells) > 1 else cells) for n, cells in rows]

    def _free_row(self, number: int, cells: dict[int, str], *, titled: bool, listed: bool, form: bool) -> Block:
        """Turn a row outside a table into a heading, a paragraph or a record without labels."""
        grid = self.grid
        if len(cells) > 1:
            return Block("record", values=_free_values(number, cells, grid, form=form), locator=_at(grid, number))
        column, text = next(iter(cells.items()))
        wide = column in grid.wide(number)
        marked = grid.emphasised is not None and (number, column) in grid.emphasised
        above = number != next(reversed(grid.rows))
        short = len(text) <= _MAX_TITLE_CHARS and "\n" not in text and not text.startswith(_NOT_TITLES)
        plain = not is_value(text) and not text.endswith(_SENTENCE_ENDS) and "://" not in text
        if short and plain and above and (wide or marked or titled):
            return Block("heading", text, level=2, locator=_at(grid, number))
        if listed:
            return _record(grid, number, cells, {})
        return Block("paragraph", text, locator=_at(grid, number))


def _notes_below(rows: list[Row], header: Header) -> int:
    """Count the rows at a table's end that are notes on it: one cell each that begins with a note's mark."""
    count = 0
    for _, cells in reversed(rows if len(header.labels) > 1 else []):
        text = next(iter(cells.values()))
        if len(cells) > 1 or is_value(text) or not text.startswith(_NOT_TITLES):
            break
        count += 1
    return count


def _stands_over(rows: list[Row], below: Region) -> bool:
    """Tell whether rows end right above a table that the file names, over its columns."""
    area = below.table.area if below.table is not None else None
    if area is None:
        return False
    return rows[-1][0] in (area.top - 1, area.top - 2) and all(area.left <= c <= area.right for c in rows[-1][1])


def _free_values(number: int, cells: dict[int, str], grid: Grid, *, form: bool) -> tuple[str, ...]:
    """Return a row's texts, labels and values of a form as pairs; a row by itself has to be made of pairs only."""
    if is_entry(cells) and (form or len(cells) % 2 == 0):
        return paired(number, cells, grid)
    return tuple(text for _, text in sorted(cells.items()))


def _down_fill(grid: Grid) -> dict[int, dict[int, str]]:
    """Return row -> column -> the value of a vertical merge that covers the place, for rows that hold anything."""
    filled: dict[int, dict[int, str]] = {}
    for top, left, bottom, _ in grid.merges:
        text = grid.rows[top][left]
        for row in range(top + 1, bottom + 1):
            if row in grid.rows:
                filled.setdefault(row, {})[left] = text
    return filled


def _columns(rows: list[Row]) -> range:
    """Return the columns from the first to the last that rows fill; a walk over all of them, so once a region."""
    return range(min((min(row) for _, row in rows), default=0), max((max(row) for _, row in rows), default=-1) + 1)


def _within(above: dict[int, str], columns: range, cells: dict[int, str]) -> dict[int, str]:
    """Add what merges above cover, inside these columns."""
    return {**{column: text for column, text in above.items() if column in columns}, **cells} if above else cells


def _continues(rows: list[Row], header: Header, pattern: dict[int, bool]) -> bool:
    """Tell whether rows after a blank row go on with the table above: same columns, same kinds of values."""
    if any(column not in header.labels for _, cells in rows for column in cells):
        return False
    cells = rows[0][1]
    if len(cells) < max(2, 0.6 * len(header.labels)) or not any(is_value(text) for text in cells.values()):
        return False
    return all(pattern.get(column, is_value(text)) == is_value(text) for column, text in cells.items())


def _record(grid: Grid, number: int, cells: dict[int, str], labels: dict[int, str]) -> Block:
    """Make a row a record of its filled cells; one merged over several columns (합계) stands under no label."""
    columns = sorted(cells)
    values = tuple([cells[column] for column in columns])
    if not labels:
        return Block("record", values=values, locator=_at(grid, number))
    wide = grid.wide(number)
    shown = tuple([labels.get(column, "") if column not in wide else "" for column in columns])
    return Block("record", labels=shown, values=values, locator=_at(grid, number))


def _at(grid: Grid, number: int) -> Locator:
    return Locator(sheet=grid.name, rows=(number, number))
