"""The body of an HWPX section: paragraphs, tables, text boxes and notes in reading order (OWPML, KS X 6101)."""

from __future__ import annotations

from typing import Any

from pipelines.parsers.hwp_flow import Flow, header_rows
from pipelines.parsers.hwpx_header import number
from pipelines.parsers.xml import local
from pipelines.records import Block, Cell

_MARKS = {"tab": "\t", "lineBreak": "\n", "nbSpace": " ", "fwSpace": " ", "hyphen": "-"}
_SHOWN_NUMBERS = ("PICTURE", "TABLE", "EQUATION")
_ASIDES = {"header": "header", "footer": "footer", "hiddenComment": "comment", "fieldBegin": "memo"}
_FORMS = ("edit", "comboBox", "listBox", "btn", "radioBtn", "checkBtn")
_TEXT_LISTS = ("subList", "drawText", "caption")


class Body:
    """Reads the sections of one document into one flow."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    def blocks(self, parent: Any) -> list[Block]:
        """Return the blocks of the paragraphs directly under `parent`, text lists and tables between them included.

        Hancom puts a table into a run; other programs write it beside the paragraphs.
        """
        out: list[Block] = []
        for child in parent:
            name = local(child)
            if name == "p":
                out += self._paragraph(child)
            elif name in _TEXT_LISTS:
                out += self.blocks(child)
            elif name == "tbl":
                out += self.table(child)
        return out

    def _paragraph(self, element: Any) -> list[Block]:
        for section in element.iterfind("{*}run/{*}secPr"):
            self._flow.outline_numbering = number(section.get("outlineShapeIDRef"))
        begun = self._flow.begin(element.get("paraPrIDRef") or "")
        run = _Run(self, self._flow)
        for child in element.iterfind("{*}run"):
            for item in child:
                run.take(item)
        return self._flow.paragraph(begun, "".join(run.words)) + run.notes + run.anchored

    def shape(self, element: Any) -> list[Block]:
        """Return the paragraphs of a drawing: caption and text boxes, grouped drawings included."""
        out: list[Block] = []
        for caption in element.iterfind("{*}caption"):
            out += self.blocks(caption)
        if local(element) == "textart" and element.get("text"):
            out += self._flow.paragraph(self._flow.begin(""), element.get("text"))
        for child in element:
            name = local(child)
            if name == "drawText":
                out += self.blocks(child)
            elif name == "tbl":
                out += self.table(child)
            elif name and name != "caption":
                out += self.shape(child)
        return out

    def table(self, element: Any) -> list[Block]:
        """Return the caption's paragraphs and the table."""
        caption = [block for child in element.iterfind("{*}caption") for block in self.blocks(child)]
        cells: list[Cell] = []
        flags: list[tuple[int, bool]] = []
        self._flow.enter()
        for row, line in enumerate(element.iterfind("{*}tr")):
            for col, item in enumerate(line.iterfind("{*}tc")):
                cell = self._cell(item, row, col)
                cells.append(cell)
                flags.append((cell.row, item.get("header") == "1"))
        return caption + self._flow.table(cells, header_rows(flags))

    def _cell(self, element: Any, row: int, col: int) -> Cell:
        place, span = element.find("{*}cellAddr"), element.find("{*}cellSpan")
        if place is not None:
            row, col = number(place.get("rowAddr"), row), number(place.get("colAddr"), col)
        rows, cols = (1, 1) if span is None else (number(span.get("rowSpan"), 1), number(span.get("colSpan"), 1))
        return Cell(row, col, tuple(self.blocks(element)), max(1, rows), max(1, cols))


class _Run:
    """Collects what the runs of one paragraph hold."""

    def __init__(self, body: Body, flow: Flow) -> None:
        self.words: list[str] = []
        self.notes: list[Block] = []
        self.anchored: list[Block] = []
        self._body = body
        self._flow = flow
        self._deleted = False

    def take(self, element: Any) -> None:
        """Take one child of a run."""
        name = local(element)
        if name == "t":
            self._text(element)
        elif name == "tbl":
            self.anchored += self._body.table(element)
        elif name == "ctrl":
            for control in element:
                self._control(control)
        elif name == "equation":
            self.words.append(f" {(element.findtext('{*}script') or '').strip()} ")
        elif name == "dutmal":
            self.words.append(f"{element.findtext('{*}mainText') or ''}({element.findtext('{*}subText') or ''})")
        elif name == "compose":
            self.words.append(element.get("composeText") or "")
        elif name in _FORMS:
            self.words.append(element.findtext("{*}text") or "")
        elif name == "switch":
            # The default is what a reader without the newer namespace sees: the same drawing in older words.
            for item in element.iterfind("{*}default/*"):
                self.take(item)
        elif name and name != "secPr":
            self.anchored += self._body.shape(element)

    def _text(self, element: Any) -> None:
        """Take the text of a run; what tracked changes deleted is left out."""
        self._add(element.text)
        for child in element:
            name = local(child)
            if name == "deleteBegin":
                self._deleted = True
            elif name == "deleteEnd":
                self._deleted = False
            else:
                self._add(_MARKS.get(name))
            self._add(child.tail)

    def _add(self, text: str | None) -> None:
        if text and not self._deleted:
            self.words.append(text)

    def _control(self, element: Any) -> None:
        name = local(element)
        if name in ("footNote", "endNote"):
            self.notes += self._flow.note(self._body.blocks(element))
        elif name in _ASIDES:
            self._flow.aside(_ASIDES[name], has_text(element))
        elif name == "autoNum" and element.get("numType") in _SHOWN_NUMBERS:
            self.words.append(element.get("num") or "")


def has_text(element: Any) -> bool:
    """Tell whether any run under `element` holds words."""
    return any((text.text or "").strip() for text in element.iter("{*}t"))
