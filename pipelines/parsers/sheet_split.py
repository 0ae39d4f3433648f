"""The blocks of a sheet: tables and notes set above and beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from pipelines.parsers.sheet_form import Row
from pipelines.parsers.sheet_grid import Grid, Table

# Merges of more rows than this are backgrounds; blank rows inside them divide blocks all the same.
_MAX_BRIDGE = 1000
# Tables beside each other have a header and two rows of data at least.
_MIN_ROWS = 3
# Every table costs a walk over the rows; sheets that people make name a dozen.
_MAX_TABLES = 100
# Blocks inside blocks; sheets that people make need 2.
_MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Region:
    """Rows that belong together; `table` when the file itself says that they are one."""

    rows: list[Row]
    table: Table | None = None


def regions(grid: Grid, has_header: Callable[[list[Row]], bool]) -> list[Region]:
    """Return the blocks from the top, those beside each other from the left."""
    rest, tables = _named_tables(grid)
    loose = [Region(rows) for rows in _divide(list(rest.items()), grid, has_header, 0)]
    if not tables:
        return loose
    return sorted([*loose, *tables], key=lambda region: (region.rows[0][0], min(region.rows[0][1])))


def _named_tables(grid: Grid) -> tuple[dict[int, dict[int, str]], list[Region]]:
    """Take the cells of the tables that the file names out of the rows."""
    rest = grid.rows
    found: list[Region] = []
    for table in [one for one in grid.tables if not one.filtered][:_MAX_TABLES]:
        top, left, bottom, right = table.area
        inside = [
            (n, {c: t for c, t in cells.items() if left <= c <= right})
            for n, cells in rest.items()
            if top <= n <= bottom
        ]
        rows = [(number, cells) for number, cells in inside if cells]
        if len(rows) < 2:
            continue
        kept = {n: {c: t for c, t in rest[n].items() if not left <= c <= right} for n, _ in inside}
        rest = {n: kept.get(n, cells) for n, cells in rest.items()}
        rest = {n: cells for n, cells in rest.items() if cells}
        found.append(Region(rows, table))
    return rest, found


def _divide(rows: list[Row], grid: Grid, has_header: Callable[[list[Row]], bool], depth: int) -> Iterator[list[Row]]:
    for block in _by_rows(rows, grid):
        titles, below = _titles(block)
        sides = _by_columns(below, has_header) if depth < _MAX_DEPTH else [below]
        if len(sides) < 2:
            yield block
            continue
        if titles:
            yield titles
        for side in sides:
            yield from _divide(side, grid, has_header, depth + 1)


def _by_rows(rows: list[Row], grid: Grid) -> Iterator[list[Row]]:
    """Divide at blank rows, and where the columns change altogether (tables set diagonally)."""
    merges = [merge for merge in grid.merges if merge.top < merge.bottom <= merge.top + _MAX_BRIDGE]
    bridged = {row for merge in merges for row in range(merge.top + 1, merge.bottom + 1)}
    block: list[Row] = []
    left, right = 0, 0
    for number, cells in rows:
        if block:
            before = block[-1][0]
            gap = number - before > _MAX_BRIDGE or any(row not in bridged for row in range(before + 1, number))
            apart = len(cells) > 1 and (min(cells) > right or max(cells) < left)
            if gap or apart:
                yield block
                block = []
        left = min(left, *cells) if block else min(cells)
        right = max(right, *cells) if block else max(cells)
        block.append((number, cells))
    if block:
        yield block


def _titles(block: list[Row]) -> tuple[list[Row], list[Row]]:
    """Take the single cells at the top, which stand over everything below."""
    first = next((n for n, (_, cells) in enumerate(block) if len(cells) > 1), 0)
    return block[:first], block[first:]


def _by_columns(rows: list[Row], has_header: Callable[[list[Row]], bool]) -> list[list[Row]]:
    """Divide at empty columns where both sides are tables with a header of their own."""
    used = sorted({column for _, cells in rows for column in cells})
    starts = [used[0], *(after for before, after in pairwise(used) if after - before > 1)]
    if len(starts) < 2 or len(rows) < _MIN_ROWS:
        return [rows]
    sides: list[list[Row]] = []
    begun = 0
    for n in range(1, len(starts)):
        left = _between(rows, starts[begun], starts[n])
        right = _between(rows, starts[n], starts[n + 1] if n + 1 < len(starts) else used[-1] + 1)
        if all(len(side) >= _MIN_ROWS and has_header(side) for side in (left, right)):
            sides.append(left)
            begun = n
    return [*sides, _between(rows, starts[begun], used[-1] + 1)]


def _between(rows: list[Row], start: int, stop: int) -> list[Row]:
    cut = [(number, {c: t for c, t in cells.items() if start <= c < stop}) for number, cells in rows]
    return [(number, cells) for number, cells in cut if cells]
