"""The body of an HWPX section: paragraphs, tables, text boxes and notes in reading order (OWPML, KS X 6101)."""

from __future__ import annotations

from typing import Any

from pipelines.errors import TooLarge
from pipelines.parsers.hwp_flow import PLAIN, Flow, header_rows
from pipelines.parsers.hwp_places import Places
from pipelines.parsers.hwpx_chart import Charts
from pipelines.parsers.hwpx_form import FORMS, form_words
from pipelines.parsers.hwpx_header import number, place, shown_number
from pipelines.parsers.hwpx_inline import Deletions, Inline, web_address
from pipelines.parsers.xml import local
from pipelines.records import Block, Cell

_MARKS = {"tab": "\t", "lineBreak": "\n", "nbSpace": " ", "fwSpace": " ", "hyphen": "-"}
_SHOWN_NUMBERS = ("PICTURE", "TABLE", "EQUATION")
_ASIDES = {"header": "header", "footer": "footer", "hiddenComment": "comment"}
_TEXT_LISTS = ("subList", "drawText", "caption")
_NOTES = ("footNote", "endNote")
# Controls that only set something: columns, page numbers, marks for indexes.
_SILENT = frozenset(("colPr", "pageNum", "pageNumCtrl", "pageHiding", "newNum", "bookmark", "indexmark"))


class Body:
    """Reads the sections of one document into one flow."""

    def __init__(self, flow: Flow, charts: Charts | None, depth: int) -> None:
        """Without `charts` none is drawn."""
        self.pictures = 0
        self._flow = flow
        self._charts = charts
        self._deletions = Deletions()
        self._limit = depth
        self._depth = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what was left out."""
        return self._deletions.warnings

    def section(self, root: Any) -> list[Block]:
        """Return the blocks of a section."""
        self._deletions.start_section(root, "deleteBegin", "deleteEnd")
        return self._blocks(root)

    def aside(self, kind: str, element: Any) -> None:
        """Keep the words of a header, footer, memo or comment."""
        if next(element.iter("{*}p"), None) is not None:
            self._flow.aside(kind, lambda: self._beside(element))

    def _beside(self, element: Any) -> list[Block]:
        """Read what stands beside the body without what this one counts and draws."""
        if self._depth >= self._limit:
            raise TooLarge(f"comments are nested deeper than {self._limit}")
        return Body(self._flow.beside(), None, self._limit - self._depth - 1).section(element)

    def _blocks(self, parent: Any) -> list[Block]:
        """Return the blocks of the paragraphs directly under `parent`, text lists and tables between them included.

        Hancom puts a table into a run; other programs write it beside the paragraphs.
        """
        out: list[Block] = []
        for child in parent:
            name = local(child)
            if name == "p":
                out += self._paragraph(child)
            elif name in _TEXT_LISTS:
                out += self._blocks(child)
            elif name == "tbl":
                out += self._table(child)
        return out

    def _paragraph(self, element: Any) -> list[Block]:
        for section in element.iterfind("{*}run/{*}secPr"):
            self._flow.outline_numbering = number(section.get("outlineShapeIDRef"))
        inline = Inline(self._deletions)
        for child in element.iterfind("{*}run"):
            for item in child:
                self._take(item, inline)
        text = inline.finish()
        begun = PLAIN if inline.is_gone else self._flow.begin(element.get("paraPrIDRef") or "")
        leading: list[Block] = []
        notes: list[Block] = []
        anchored: list[Block] = []
        self._step_in(bool(inline.anchors))
        open_here = self._deletions.set_aside()
        for at, item in enumerate(inline.anchors):
            if local(item) in _NOTES:
                notes += self._flow.note(self._blocks(item))
            elif at < inline.leading and local(item) == "tbl" and not anchored:
                leading += self._table(item)
            else:
                anchored += self._anchored(item)
        self._deletions.take_back(open_here)
        self._depth -= bool(inline.anchors)
        words = self._flow.paragraph(begun, text) + notes
        # What has a number or a level leads; else a table before the first word is read before it.
        return leading + words + anchored if begun[0].kind == "none" else words + leading + anchored

    def _step_in(self, is_deeper: bool) -> None:
        """Count a level of tables, boxes and notes inside each other; TooLarge beyond the limit."""
        self._depth += is_deeper
        if self._depth > self._limit:
            raise TooLarge(f"tables, text boxes and notes are nested deeper than {self._limit}")

    def _take(self, element: Any, inline: Inline) -> None:
        """Take one child of a run."""
        name = local(element)
        if name == "t":
            self._text(element, inline)
        elif name == "ctrl":
            for control in element:
                self._control(control, inline)
        elif name == "equation":
            inline.say(f" {(element.findtext('{*}script') or '').strip()} ")
            inline.anchor(element)
        elif name == "dutmal":
            inline.say(f"{element.findtext('{*}mainText') or ''}({element.findtext('{*}subText') or ''})")
        elif name == "compose":
            inline.say(element.get("composeText") or element.findtext("{*}composeText"))
        elif name in FORMS:
            inline.say(f" {form_words(element)} ")
        elif name == "switch":
            for item in _branch(element):
                self._take(item, inline)
        elif name and name != "secPr":
            inline.anchor(element)

    def _text(self, element: Any, inline: Inline) -> None:
        inline.say(element.text)
        for child in element:
            name = local(child)
            if name == "deleteBegin":
                self._deletions.begin(child)
            elif name == "deleteEnd":
                self._deletions.end(child)
                inline.end_deleted |= child.get("paraend") == "1"
            elif name:
                inline.say(_MARKS.get(name) or child.text)
            inline.say(child.tail)

    def _control(self, element: Any, inline: Inline) -> None:
        name = local(element)
        if name == "fieldBegin":
            self._field(element, inline)
        elif name == "fieldEnd":
            inline.end_field()
        elif name in _ASIDES:
            if not self._deletions.here:
                self.aside(_ASIDES[name], element)
        elif name == "autoNum":
            if element.get("numType") in _SHOWN_NUMBERS:
                inline.say(shown_number(element))
        elif name not in _SILENT:
            self._take(element, inline)

    def _field(self, element: Any, inline: Inline) -> None:
        """Open a field; a memo's own text is kept apart, the words that it is about stay."""
        self.aside("memo", element)
        address = ""
        if element.get("type") == "HYPERLINK":
            values = {item.get("name"): item.text or "" for item in element.iterfind("{*}parameters/{*}stringParam")}
            address = web_address(values.get("Path", "")) or web_address(values.get("Command", ""))
        inline.begin_field(address)

    def _anchored(self, element: Any) -> list[Block]:
        """Return the blocks of a drawing: caption, chart and text boxes, grouped drawings included."""
        name = local(element)
        if name == "tbl":
            return self._table(element)
        self.pictures += name == "pic"
        out = self._captions(element)
        if name == "chart" and self._charts:
            out += self._charts.part(element.get("chartIDRef") or "")
        elif name == "ole" and self._charts:
            out += self._charts.object(element.get("binaryItemIDRef") or "")
        elif name == "textart" and element.get("text"):
            out += self._flow.paragraph(PLAIN, element.get("text"))
        for child in _branch(element) if name == "switch" else element:
            inner = local(child)
            if inner == "drawText":
                out += self._blocks(child)
            elif inner and inner != "caption":
                out += self._anchored(child)
        return out

    def _captions(self, element: Any) -> list[Block]:
        return [block for caption in element.iterfind("{*}caption") for block in self._blocks(caption)]

    def _table(self, element: Any) -> list[Block]:
        """Return the caption's paragraphs and the table."""
        caption = self._captions(element)
        cells: list[Cell] = []
        flags: list[tuple[int, bool]] = []
        self._flow.enter()
        places = Places()
        for row, line in enumerate(element.iterfind("{*}tr")):
            places.start_row(row)
            for item in line.iterfind("{*}tc"):
                cell = self._cell(item, places)
                cells.append(cell)
                flags.append((cell.row, item.get("header") == "1"))
        return caption + self._flow.table(cells, header_rows(flags))

    def _cell(self, element: Any, places: Places) -> Cell:
        """Read a cell; other programs leave out its address, or write the same one everywhere."""
        address, span = element.find("{*}cellAddr"), element.find("{*}cellSpan")
        row, col, rows, cols = places.row, places.col, 1, 1
        if address is not None:
            row, col = place(address.get("rowAddr"), row), place(address.get("colAddr"), col)
        if span is not None:
            rows, cols = place(span.get("rowSpan"), 1), place(span.get("colSpan"), 1)
        row, col = places.take(row, col, max(1, cols))
        return Cell(row, col, tuple(self._blocks(element)), max(1, rows), max(1, cols))


def _branch(switch: Any) -> list[Any]:
    """Return what a switch shows: a chart where there is one, else what a reader without the newer words sees."""
    case = next((case for case in switch.iterfind("{*}case") if case.find("{*}chart") is not None), None)
    return list(case) if case is not None else list(switch.iterfind("{*}default/*"))
