"""Rows, columns and spans of an HTML table (HTML standard, 4.9.12: forming a table)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# The standard's own limits for spans.
_MAX_COL_SPAN, _MAX_ROW_SPAN = 1000, 65534


@dataclass(frozen=True, slots=True)
class Span:
    """A cell's element at its place, counted from 0."""

    row: int
    col: int
    element: Any
    row_span: int = 1
    col_span: int = 1


def is_layout(table: Any) -> bool:
    """Tell whether a table only arranges a page: a presentation, one column, or tables inside it."""
    if (table.get("role") or "").lower() in ("presentation", "none"):
        return True
    rows = _rows(table)
    if max((len(_cells(row)) for row in rows), default=0) < 2:
        return True
    if next(table.iterdescendants("table"), None) is None:
        return False
    # Pages that are arranged by tables have no lines around them and no header cells.
    drawn = (table.get("border") or "0").strip() not in ("", "0")
    return not (drawn or any(cell.tag == "th" for row in rows for cell in _cells(row)))


def place_cells(table: Any) -> tuple[list[Span], int]:
    """Return the cells in row order and the number of header rows (1 when none is marked)."""
    rows = _rows(table)
    # column -> first row below the cell that reaches down into it
    free_from: dict[int, int] = {}
    spans: list[Span] = []
    for row, element in enumerate(rows):
        col = 0
        for cell in _cells(element):
            while free_from.get(col, 0) > row:
                col += 1
            col_span = _span(cell.get("colspan"), _MAX_COL_SPAN)
            row_span = min(_span(cell.get("rowspan"), _MAX_ROW_SPAN), len(rows) - row)
            free_from.update(dict.fromkeys(range(col, col + col_span), row + row_span))
            spans.append(Span(row, col, cell, row_span, col_span))
            col += col_span
    return spans, _header_rows(rows)


def _rows(table: Any) -> list[Any]:
    """Return the rows: head, bodies, foot, as a browser shows them."""
    head: list[Any] = []
    body: list[Any] = []
    foot: list[Any] = []
    for child in table:
        if child.tag == "tr":
            body.append(child)
        elif child.tag in ("thead", "tbody", "tfoot"):
            group = {"thead": head, "tbody": body, "tfoot": foot}[child.tag]
            group += [row for row in child if row.tag == "tr"]
    return head + body + foot


def _cells(row: Any) -> list[Any]:
    return [cell for cell in row if cell.tag in ("td", "th")]


def _header_rows(rows: list[Any]) -> int:
    count = 0
    for row in rows:
        cells = _cells(row)
        if row.getparent().tag != "thead" and not (cells and all(cell.tag == "th" for cell in cells)):
            break
        count += 1
    return count if 0 < count < len(rows) else 1


def _span(value: str | None, limit: int) -> int:
    return max(1, min(int(value), limit)) if value and value.strip().isdigit() else 1
