"""From a story (body, cell, text box, note) of a Word file to blocks in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pipelines.parsers.docx_numbering import Numbering
from pipelines.parsers.docx_styles import MAX_LEVEL, Styles
from pipelines.parsers.docx_text import Inline, read_inline
from pipelines.parsers.docx_xml import attribute, child, children, chosen, is_on, number
from pipelines.parsers.xml import local
from pipelines.records import Block, Cell

# Properties, deleted and moved-away content.
_SKIPPED = frozenset(
    ("del", "moveFrom", "sdtPr", "sdtEndPr", "tcPr", "tblPr", "tblGrid", "tblPrEx", "trPr", "sectPr", "pPr", "rPr")
)
# Wrappers between a table and its rows, or a row and its cells.
_WRAPPERS = ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag")


class Body:
    """Reads stories of one document; list counters run on from one call to the next."""

    def __init__(
        self,
        styles: Styles,
        numbering: Numbering,
        notes: dict[tuple[str, str], str],
        embedded: Callable[[str, str], list[Block]],
        depth: int,
    ) -> None:
        """`notes` maps (part kind, id) to text; `embedded` reads an altChunk or diagram by (kind, relationship id)."""
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._embedded = embedded
        self._depth = depth
        self._note_count = 0
        self.asides: Counter[str] = Counter()
        self.too_deep = 0

    def blocks(self, story: Any, depth: int = 0) -> list[Block]:
        """Return the blocks of a story; a note follows the paragraph or table that refers to it."""
        found: list[Block] = []
        for element in story:
            name = local(element)
            if not name or name in _SKIPPED:
                continue
            if name == "p":
                found += self._paragraph(element, depth)
            elif name == "tbl":
                found += self._table(element, depth)
            elif name == "altChunk":
                found += self._embedded("altChunk", _relationship_id(element))
            elif name == "AlternateContent":
                branch = chosen(element)
                found += self.blocks(branch, depth) if branch is not None else []
            else:
                found += self.blocks(element, depth)
        return found

    def _paragraph(self, element: Any, depth: int) -> list[Block]:
        inline = read_inline(element, self._styles)
        self.asides["hidden"] += inline.hidden
        style_id = attribute(child(element, "pPr", "pStyle"), "val") or self._styles.default_paragraph
        listed = self._list_place(element, style_id)
        if self._styles.is_hidden(style_id):
            self.asides["hidden"] += 1
            return []
        found = []
        if inline.text:
            found.append(_as_block(inline.text, self._level(element, style_id), listed))
        for diagram in inline.diagrams:
            found += self._embedded("diagramData", diagram)
        for box in inline.boxes:
            if depth < self._depth:
                found += self.blocks(box, depth + 1)
            else:
                self.too_deep += 1
        return found + self._note_blocks(inline)

    def _list_place(self, element: Any, style_id: str) -> tuple[int, str] | None:
        if child(element, "pPr", "rPr", "del") is not None:
            return None
        return self._numbering.next(child(element, "pPr", "numPr"), style_id)

    def _level(self, element: Any, style_id: str) -> int:
        own = child(element, "pPr", "outlineLvl")
        if own is not None:
            outline = number(own, "val", 9)
            return min(outline + 1, MAX_LEVEL) if 0 <= outline < 9 else 0
        return self._styles.heading_level(style_id)

    def _note_blocks(self, inline: Inline) -> list[Block]:
        found = []
        for reference in inline.notes:
            text = self._notes.get(reference, "")
            if text:
                self._note_count += 1
                found.append(Block("note", text, number=str(self._note_count), in_body=False))
        return found

    def _table(self, element: Any, depth: int) -> list[Block]:
        if depth >= self._depth:
            self.too_deep += 1
            return []
        cells, notes = self._cells(element, depth)
        if len(cells) == 1:
            # A one-cell table is a frame around ordinary paragraphs.
            return [*cells[0].blocks, *notes]
        if not any(cell.blocks for cell in cells):
            return notes
        return [Block("table", cells=tuple(cells), header_rows=_header_rows(element)), *notes]

    def _cells(self, table: Any, depth: int) -> tuple[list[Cell], list[Block]]:
        cells: list[Cell] = []
        notes: list[Block] = []
        open_merges: dict[int, int] = {}
        row = 0
        for line in _unwrapped(table, "tr"):
            if child(line, "trPr", "del") is not None:
                continue
            column = number(child(line, "trPr", "gridBefore"), "val", 0)
            for element in _unwrapped(line, "tc"):
                span = max(1, number(child(element, "tcPr", "gridSpan"), "val", 1))
                merge = child(element, "tcPr", "vMerge")
                continues = merge is not None and attribute(merge, "val", "continue") == "continue"
                sideways = attribute(child(element, "tcPr", "hMerge"), "val", "")
                if continues and column in open_merges:
                    origin = open_merges[column]
                    cells[origin] = replace(cells[origin], row_span=row - cells[origin].row + 1)
                elif sideways == "continue" and cells and cells[-1].row == row:
                    cells[-1] = replace(cells[-1], col_span=cells[-1].col_span + span)
                else:
                    inside = self.blocks(element, depth + 1)
                    notes += [block for block in inside if block.kind == "note"]
                    words = tuple(_plain(block) for block in inside if block.kind != "note")
                    if merge is not None:
                        open_merges[column] = len(cells)
                    else:
                        open_merges.pop(column, None)
                    cells.append(Cell(row, column, words, 1, span))
                column += span
            row += 1
        return cells, notes


def _as_block(text: str, level: int, listed: tuple[int, str] | None) -> Block:
    label = listed[1] if listed else ""
    if level:
        return Block("heading", text, level=level, number=label)
    if listed:
        return Block("item", text, level=listed[0], number=label)
    return Block("paragraph", text)


def _plain(block: Block) -> Block:
    """A heading inside a cell labels the cell, not the document's outline."""
    return replace(block, kind="paragraph", level=0) if block.kind == "heading" else block


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


def _header_rows(table: Any) -> int:
    count = 0
    for line in children(table, "tr"):
        if not is_on(child(line, "trPr", "tblHeader")):
            break
        count += 1
    return max(1, count)


def _relationship_id(element: Any) -> str:
    return next((value for key, value in element.attrib.items() if key.endswith("}id")), "")
