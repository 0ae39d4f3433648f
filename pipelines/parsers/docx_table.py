"""The grid of a Word table (ISO 29500-1 section 17.4): which cell stands where, whatever its spans claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pipelines.parsers.ooxml_xml import attribute, child, chosen, is_on, number
from pipelines.parsers.xml import local
from pipelines.records import Block, Cell

# Word draws 63 columns; what claims to be wider than this many cells is not to be believed.
MAX_SPAN = 1000
# The bit of a tblLook's value that formats the first row as a header.
_FIRST_ROW = 0x0020
# Wrappers between a table and its rows, or a row and its cells.
_WRAPPERS = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"})


class Placed(NamedTuple):
    """A `w:tc` and its place; `merged` is "" or how it joins: "down" (to the cell above), "right" or "start"."""

    element: Any
    row: int
    col: int
    span: int
    merged: str


@dataclass(slots=True)
class Rows:
    """The rows of a table that are shown, how many are hidden, how many at the top are headers."""

    lines: list[Any]
    hidden: int = 0
    headers: int = 0


def rows_of(table: Any) -> Rows:
    """Return the `w:tr` elements that aren't deleted or hidden.

    A table that says nothing of its first row has it as a header, as most tables do.
    """
    found = Rows([])
    for line in _unwrapped(table, "tr"):
        properties = child(line, "trPr")
        if child(properties, "del") is not None:
            continue
        if is_on(child(properties, "hidden")):
            found.hidden += 1
            continue
        if is_on(child(properties, "tblHeader")) and found.headers == len(found.lines):
            found.headers += 1
        found.lines.append(line)
    if found.lines and not found.headers and not _denies_header(table, found.lines[0]):
        found.headers = 1
    return found


def _denies_header(table: Any, first: Any) -> bool:
    """Tell whether the file itself says that the first row is like the others (ISO 29500-1, 17.4.55 and 17.4.78)."""
    look = child(table, "tblPr", "tblLook")
    if child(first, "trPr", "tblHeader") is not None:
        return True
    said = attribute(look, "firstRow")
    if said:
        return said in ("0", "false", "off")
    try:
        return look is not None and not int(attribute(look, "val"), 16) & _FIRST_ROW
    except ValueError:
        return False


def placed_cells(lines: Sequence[Any]) -> Iterator[Placed]:
    """Yield the cells row by row with their grid columns."""
    for row, line in enumerate(lines):
        col = _bounded(child(line, "trPr", "gridBefore"), 0)
        for element in _unwrapped(line, "tc"):
            properties = child(element, "tcPr")
            if child(properties, "cellDel") is not None:
                continue
            span = max(1, _bounded(child(properties, "gridSpan"), 1))
            yield Placed(element, row, col, span, _merged(properties))
            col += span


def merged_cells(placed: Iterable[Placed], read: Callable[[Any], list[Block]]) -> tuple[list[Cell], list[Block]]:
    """Return the cells, merged ones once, and the notes of all; `read` gives the blocks of a `w:tc`."""
    cells: list[Cell] = []
    notes: list[Block] = []
    open_merges: dict[int, int] = {}
    for element, row, col, span, merged in placed:
        above = open_merges.get(col)
        if merged == "down" and above is not None and cells[above].row + cells[above].row_span == row:
            cells[above] = replace(cells[above], row_span=cells[above].row_span + 1)
            continue
        if merged == "right" and cells and cells[-1].row == row:
            cells[-1] = replace(cells[-1], col_span=cells[-1].col_span + span)
            continue
        if merged in ("down", "start"):
            open_merges[col] = len(cells)
        else:
            open_merges.pop(col, None)
        inside = read(element)
        notes += [block for block in inside if block.kind == "note"]
        cells.append(Cell(row, col, tuple(block for block in inside if block.kind != "note"), 1, span))
    return cells, notes


def closed_up(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return the cells on a grid of the columns in which one starts: lines of the grid that no cell uses are gone."""
    starts = sorted({cell.col for cell in cells})
    places = {start: place for place, start in enumerate(starts)}
    ends = sorted({cell.col + cell.col_span for cell in cells})
    after, place = {}, 0
    for end in ends:
        while place < len(starts) and starts[place] < end:
            place += 1
        after[end] = place
    return tuple(
        replace(cell, col=places[cell.col], col_span=after[cell.col + cell.col_span] - places[cell.col])
        for cell in cells
    )


def _merged(properties: Any) -> str:
    down = child(properties, "vMerge")
    if down is not None:
        return "down" if attribute(down, "val", "continue") == "continue" else "start"
    right = child(properties, "hMerge")
    return "right" if right is not None and attribute(right, "val", "continue") == "continue" else ""


def _bounded(element: Any, default: int) -> int:
    return min(max(0, number(element, "val", default)), MAX_SPAN)


def _unwrapped(element: Any, name: str) -> Iterator[Any]:
    for below in element:
        found = local(below)
        if found == name:
            yield below
        elif found in _WRAPPERS:
            yield from _unwrapped(below, name)
        elif found == "AlternateContent":
            branch = chosen(below)
            if branch is not None:
                yield from _unwrapped(branch, name)
