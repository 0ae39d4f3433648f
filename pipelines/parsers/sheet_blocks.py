"""A sheet's cells as blocks: headings, titles and one record a row."""

from __future__ import annotations

from collections.abc import Iterator

from pipelines.parsers.sheet_grid import Grid
from pipelines.parsers.sheet_header import Header, Row, find_header, is_value
from pipelines.records import Block, Locator

# A title is a line; longer single cells are notes.
_MAX_TITLE_CHARS = 60
_NOT_TITLES = ("※", "*", "(", "[", "주)", "-", "•", "·")
_SENTENCE_ENDS = (".", ":", "니다", "세요", "시오")
# More single cells in a row than this are a list, not titles and notes.
_MAX_NOTES = 3


def sheet_blocks(grid: Grid) -> list[Block]:
    """Return the blocks of one sheet; an empty sheet gives none."""
    blocks: list[Block] = []
    seen: Header | None = None
    pattern: dict[int, bool] = {}
    filled = _down_fill(grid)
    for rows in _split(grid):
        header = find_header(rows, grid)
        if header is None and seen is not None and _continues(rows, seen, pattern):
            header = Header(0, 0, seen.labels)
        first = len(rows) if header is None else header.first
        # One line over a table, or alone at the top of the sheet, is its title.
        titled = first == 1 and (header is not None or not blocks)
        for number, cells in rows[:first]:
            blocks.append(_free_row(grid, number, cells, titled=titled, listed=first > _MAX_NOTES))
        if header is None:
            continue
        start = header.first + header.levels
        blocks += [_record(grid, n, cells, {}) for n, cells in rows[header.first : start]]
        for number, cells in rows[start:]:
            blocks.append(_record(grid, number, {**filled.get(number, {}), **cells}, header.labels))
        seen = header
        pattern = {column: is_value(text) for column, text in rows[-1][1].items()}
    blocks += [Block("paragraph", text, locator=Locator(sheet=grid.name)) for text in grid.drawn]
    if not blocks:
        return []
    return [Block("heading", grid.name, level=1, locator=Locator(sheet=grid.name), in_body=False), *blocks]


def _split(grid: Grid) -> Iterator[list[Row]]:
    """Divide the rows at blank rows, and where the columns change altogether (tables set diagonally)."""
    bridges = {row for first, _, last, _ in grid.merges if last - first < 1000 for row in range(first + 1, last + 1)}
    block: list[Row] = []
    left, right = 0, 0
    for number in sorted(grid.rows):
        cells = grid.rows[number]
        if block:
            gap = any(row not in bridges for row in range(block[-1][0] + 1, min(number, block[-1][0] + 1001)))
            apart = len(cells) > 1 and (min(cells) > right or max(cells) < left)
            if gap or apart:
                yield block
                block = []
        left = min(left, *cells) if block else min(cells)
        right = max(right, *cells) if block else max(cells)
        block.append((number, cells))
    if block:
        yield block


def _down_fill(grid: Grid) -> dict[int, dict[int, str]]:
    """Return row -> column -> the value of a vertical merge that covers the place."""
    filled: dict[int, dict[int, str]] = {}
    for first, column, last, _ in grid.merges:
        text = grid.rows.get(first, {}).get(column, "")
        if text:
            for row in range(first + 1, last + 1):
                filled.setdefault(row, {})[column] = text
    return filled


def _continues(rows: list[Row], header: Header, pattern: dict[int, bool]) -> bool:
    """Tell whether rows after a blank row go on with the table above: same columns, same kinds of values."""
    if any(column not in header.labels for _, cells in rows for column in cells):
        return False
    cells = rows[0][1]
    if len(cells) < max(2, 0.6 * len(header.labels)) or not any(is_value(text) for text in cells.values()):
        return False
    return all(pattern.get(column, is_value(text)) == is_value(text) for column, text in cells.items())


def _free_row(grid: Grid, number: int, cells: dict[int, str], *, titled: bool, listed: bool) -> Block:
    """Turn a row outside a table into a heading, a paragraph or a record without labels."""
    if len(cells) > 1:
        return _record(grid, number, cells, {})
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


def _record(grid: Grid, number: int, cells: dict[int, str], labels: dict[int, str]) -> Block:
    """Make a row a record; a cell merged over several columns (합계, a divider) stands under none of their labels."""
    locator = _at(grid, number)
    if not labels:
        return Block("record", values=tuple(text for _, text in sorted(cells.items())), locator=locator)
    columns = sorted(set(labels) | set(cells))
    wide = grid.wide(number)
    return Block(
        "record",
        labels=tuple("" if column in wide else labels.get(column, "") for column in columns),
        values=tuple(cells.get(column, "") for column in columns),
        locator=locator,
    )


def _at(grid: Grid, number: int) -> Locator:
    return Locator(sheet=grid.name, rows=(number, number))
