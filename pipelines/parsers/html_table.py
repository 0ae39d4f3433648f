"""Rows, columns and spans of an HTML table (HTML standard, 4.9.12: forming a table)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# The standard's own limits for spans.
_MAX_COL_SPAN, _MAX_ROW_SPAN = 1000, 65534
_CELLS = ("td", "th")
# Old pages put forms between a table and its rows, and a row and its cells.
_FRAME = frozenset(("thead", "tbody", "tfoot", "tr", "form", "font", "center", "div"))
_NO_STRAYS = ("caption", "col", "colgroup")


@dataclass(frozen=True, slots=True)
class Span:
    """A cell's element at its place, counted from 0."""

    row: int
    col: int
    element: Any
    row_span: int = 1
    col_span: int = 1


@dataclass(frozen=True, slots=True)
class Rows:
    """A table's rows (their cells) as a browser shows them: head, bodies, foot; and what stands between rows or cells.

    marked   rows in <thead>
    strays   elements and text; browsers show them above the table (HTML standard, 13.2.6.4.9: foster parenting)
    """

    rows: list[list[Any]]
    marked: int
    strays: list[Any]


def is_layout(table: Any) -> bool:
    """Tell whether a table only arranges a page: a presentation, one column, or tables inside it."""
    if (table.get("role") or "").lower() in ("presentation", "none"):
        return True
    rows = read_rows(table).rows
    if max(map(len, rows), default=0) < 2:
        return True
    if next(table.iterdescendants("table"), None) is None:
        return False
    # Pages that are arranged by tables have no lines around them and no header cells.
    drawn = (table.get("border") or "0").strip() not in ("", "0")
    return not (drawn or any(cell.tag == "th" for cells in rows for cell in cells))


def place_cells(found: Rows) -> tuple[list[Span], int]:
    """Return the cells in row order and the number of header rows (1 when none is marked)."""
    # column -> first row below the cell that reaches down into it
    free_from: dict[int, int] = {}
    spans: list[Span] = []
    for row, cells in enumerate(found.rows):
        col = 0
        for cell in cells:
            while free_from.get(col, 0) > row:
                col += 1
            col_span = _span(cell.get("colspan"), _MAX_COL_SPAN)
            row_span = min(_span(cell.get("rowspan"), _MAX_ROW_SPAN), len(found.rows) - row)
            free_from.update(dict.fromkeys(range(col, col + col_span), row + row_span))
            spans.append(Span(row, col, cell, row_span, col_span))
            col += col_span
    return spans, _header_rows(found)


def read_rows(table: Any, shown: Callable[[Any], bool] = lambda part: True) -> Rows:
    """Return a table's rows without the groups, rows and cells that aren't `shown`."""
    rows: dict[str, list[list[Any]]] = {"thead": [], "tbody": [], "tfoot": []}
    strays: list[Any] = []
    pending: list[tuple[Any, str, list[Any] | None]] = [(table, "tbody", None)]
    while pending:
        part, group, cells = pending.pop()
        if isinstance(part, str):
            strays += [part] if part.strip() else []
        elif part.tag in _CELLS and cells is not None:
            cells += [part] if shown(part) else []
        elif part is not table and part.tag not in _FRAME:
            strays += [part] if part.tag not in _NO_STRAYS else []
        elif part is table or shown(part):
            group = part.tag if part.tag in rows else group
            if part.tag == "tr":
                cells = []
                rows[group].append(cells)
            pending += [(inner, group, cells) for inner in _contents(part)]
    return Rows([*rows["thead"], *rows["tbody"], *rows["tfoot"]], len(rows["thead"]), strays)


def _contents(part: Any) -> list[Any]:
    """Return the text and children of an element, last first."""
    contents = []
    for child in reversed(part):
        contents += [child.tail or "", child]
    return [*contents, part.text or ""]


def _header_rows(found: Rows) -> int:
    count = 0
    for number, cells in enumerate(found.rows):
        if number >= found.marked and not (cells and all(cell.tag == "th" for cell in cells)):
            break
        count += 1
    return count if 0 < count < len(found.rows) else 1


def _span(value: str | None, limit: int) -> int:
    return max(1, min(int(value), limit)) if value and value.strip().isdigit() else 1
