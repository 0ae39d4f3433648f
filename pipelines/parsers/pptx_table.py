"""Tables of slides (ISO 29500-1 section 21.1.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipelines.parsers.ooxml_xml import child, children
from pipelines.parsers.pptx_text import text_blocks
from pipelines.records import Block, Cell, Locator


def table_block(element: Any, locator: Locator, links: Mapping[str, str]) -> Block | None:
    """Return an `a:tbl` with merged cells once, at their top left; None when no cell holds words."""
    rows = [list(children(row, "tc")) for row in children(element, "tr")]
    cells: list[Cell] = []
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if _is_on(cell, "hMerge") or _is_on(cell, "vMerge"):
                continue
            blocks = tuple(text_blocks(child(cell, "txBody"), Locator(), links=links))
            # Spans beyond the table's edge are a damaged file's.
            spans = min(_span(cell, "rowSpan"), len(rows) - r), min(_span(cell, "gridSpan"), len(row) - c)
            cells.append(Cell(r, c, blocks, *spans))
    if not any(cell.blocks for cell in cells):
        return None
    return Block("table", cells=tuple(cells), locator=locator)


def _is_on(cell: Any, name: str) -> bool:
    return cell.get(name) in ("1", "true")


def _span(cell: Any, name: str) -> int:
    value = cell.get(name, "1")
    return max(1, int(value)) if value.isdecimal() and len(value) < 7 else 1
