"""The body of an HWPML section: paragraphs, tables, text boxes and notes in reading order."""

from __future__ import annotations

from typing import Any

from pipelines.parsers.hwp_flow import Flow, header_rows
from pipelines.parsers.hwpx_header import number
from pipelines.parsers.xml import local
from pipelines.records import Block, Cell

_MARKS = {"TAB": "\t", "LINEBREAK": "\n", "NBSPACE": " ", "FWSPACE": " ", "HYPHEN": "-"}
_SHOWN_NUMBERS = ("Figure", "Table", "Equation")
_ASIDES = {"HEADER": "header", "FOOTER": "footer", "HIDDENCOMMENT": "comment", "MEMO": "memo", "FIELDBEGIN": "memo"}
_LISTS = ("PARALIST", "DRAWTEXT", "CAPTION")


class Body:
    """Reads the sections of one document into one flow."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    def blocks(self, parent: Any) -> list[Block]:
        """Return the blocks of the paragraphs directly under `parent`, paragraph lists between them included."""
        out: list[Block] = []
        for child in parent:
            name = local(child)
            if name == "P":
                out += self._paragraph(child)
            elif name in _LISTS:
                out += self.blocks(child)
        return out

    def _paragraph(self, element: Any) -> list[Block]:
        for section in element.iterfind("TEXT/SECDEF"):
            self._flow.outline_numbering = number(section.get("OutlineShape"))
            for page in section.iterfind("MASTERPAGE"):
                self._flow.aside("header", _has_text(page))
        begun = self._flow.begin(element.get("ParaShape") or "")
        words: list[str] = []
        notes: list[Block] = []
        anchored: list[Block] = []
        for item in element.iterfind("TEXT/*"):
            self._take(item, words, notes, anchored)
        return self._flow.paragraph(begun, "".join(words)) + notes + anchored

    def _take(self, element: Any, words: list[str], notes: list[Block], anchored: list[Block]) -> None:
        """Take one child of a text run."""
        name = local(element)
        if name == "CHAR":
            words.append(element.text or "")
            for child in element:
                words.append(_MARKS.get(local(child), "") + (child.tail or ""))
        elif name == "TABLE":
            anchored += self._table(element)
        elif name in ("FOOTNOTE", "ENDNOTE"):
            notes += self._flow.note(self.blocks(element))
        elif name in _ASIDES:
            self._flow.aside(_ASIDES[name], _has_text(element))
        elif name == "EQUATION":
            words.append(f" {(element.findtext('SCRIPT') or '').strip()} ")
        elif name == "AUTONUM":
            words.append(element.get("Number") or "" if element.get("NumberType") in _SHOWN_NUMBERS else "")
        elif name == "DUTMAL":
            words.append(f"{element.findtext('MAINTEXT') or ''}({element.findtext('SUBTEXT') or ''})")
        elif name and name != "SECDEF":
            anchored += self._shape(element)

    def _shape(self, element: Any) -> list[Block]:
        """Return the paragraphs of a drawing: caption and text boxes, grouped drawings included."""
        out: list[Block] = []
        for child in element:
            name = local(child)
            if name in _LISTS:
                out += self.blocks(child)
            elif name == "TABLE":
                out += self._table(child)
            elif name:
                out += self._shape(child)
        return out

    def _table(self, element: Any) -> list[Block]:
        """Return the caption's paragraphs and the table."""
        caption = [block for child in element.iterfind("SHAPEOBJECT/CAPTION") for block in self.blocks(child)]
        cells: list[Cell] = []
        flags: list[tuple[int, bool]] = []
        self._flow.enter()
        for row, line in enumerate(element.iterfind("ROW")):
            for col, item in enumerate(line.iterfind("CELL")):
                cell = Cell(
                    number(item.get("RowAddr"), row),
                    number(item.get("ColAddr"), col),
                    tuple(self.blocks(item)),
                    max(1, number(item.get("RowSpan"), 1)),
                    max(1, number(item.get("ColSpan"), 1)),
                )
                cells.append(cell)
                flags.append((cell.row, item.get("Header") == "true"))
        return caption + self._flow.table(cells, header_rows(flags))


def _has_text(element: Any) -> bool:
    return any((text.text or "").strip() for text in element.iter("CHAR"))
