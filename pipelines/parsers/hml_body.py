"""The body of an HWPML section: paragraphs, tables, text boxes and notes in reading order (HWPML 2.x, revision 1.2)."""

from __future__ import annotations

from typing import Any

from pipelines.errors import TooLarge
from pipelines.parsers.hwp_flow import PLAIN, Flow, header_rows
from pipelines.parsers.hwp_places import Places
from pipelines.parsers.hwpx_form import HWPML_FORMS, hwpml_form_words
from pipelines.parsers.hwpx_header import number, numbered, owpml_word, place
from pipelines.parsers.hwpx_inline import Deletions, Inline, web_address
from pipelines.parsers.xml import local
from pipelines.records import Block, Cell

# The specification spells the hyphen HYPEN.
_MARKS = {"TAB": "\t", "LINEBREAK": "\n", "NBSPACE": " ", "FWSPACE": " ", "HYPEN": "-", "HYPHEN": "-"}
_SHOWN_NUMBERS = ("Figure", "Table", "Equation")
_ASIDES = {"HEADER": "header", "FOOTER": "footer", "HIDDENCOMMENT": "comment", "MEMO": "memo"}
_TEXT_LISTS = ("PARALIST", "DRAWTEXT")
_LISTS = (*_TEXT_LISTS, "CAPTION")
# A caption stands among what all objects have in common: size, position and margins.
_CAPTIONED = ("CAPTION", "SHAPEOBJECT")
_NOTES = ("FOOTNOTE", "ENDNOTE")
# Controls that only set something: sections, columns, page numbers, marks for indexes.
_SILENT = frozenset(("SECDEF", "COLDEF", "BOOKMARK", "NEWNUM", "PAGENUM", "PAGENUMCTRL", "PAGEHIDING", "INDEXMARK"))


class Body:
    """Reads the sections of one document into one flow."""

    def __init__(self, flow: Flow, depth: int) -> None:
        self.pictures = 0
        self._master_pages: list[Any] = []
        self._flow = flow
        self._deletions = Deletions()
        self._limit = depth
        self._depth = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what was left out."""
        return self._deletions.warnings

    def section(self, root: Any) -> list[Block]:
        """Return the blocks of a section."""
        self._deletions.start_section(root, "DELETEBEGIN", "DELETEEND")
        return self._blocks(root)

    def finish(self) -> None:
        """Keep the words of the master pages, after those of the sections as in HWPX."""
        for page in self._master_pages:
            self._aside("header", page)

    def _aside(self, kind: str, element: Any) -> None:
        """Keep the words of a header, footer, memo or comment."""
        if next(element.iter("{*}P"), None) is not None:
            self._flow.aside(kind, lambda: self._beside(element))

    def _beside(self, element: Any) -> list[Block]:
        """Read what stands beside the body without what this one counts."""
        if self._depth >= self._limit:
            raise TooLarge(f"comments are nested deeper than {self._limit}")
        return Body(self._flow.beside(), self._limit - self._depth - 1).section(element)

    def _blocks(self, parent: Any) -> list[Block]:
        """Return the blocks of the paragraphs directly under `parent`, paragraph lists between them included."""
        out: list[Block] = []
        for child in parent:
            name = local(child)
            if name == "P":
                out += self._paragraph(child)
            elif name in _LISTS:
                out += self._blocks(child)
        return out

    def _paragraph(self, element: Any) -> list[Block]:
        for section in element.iterfind("{*}TEXT/{*}SECDEF"):
            self._flow.outline_numbering = number(section.get("OutlineShape"))
            self._master_pages += [*section.iterfind("{*}MASTERPAGE"), *section.iterfind("{*}EXT_MASTERPAGE")]
        inline = Inline(self._deletions)
        for item in element.iterfind("{*}TEXT/*"):
            self._take(item, inline)
        text = inline.finish()
        begun = PLAIN if inline.is_gone else self._flow.begin(element.get("ParaShape") or "")
        leading: list[Block] = []
        notes: list[Block] = []
        anchored: list[Block] = []
        self._step_in(bool(inline.anchors))
        open_here = self._deletions.set_aside()
        for at, item in enumerate(inline.anchors):
            if local(item) in _NOTES:
                notes += self._flow.note(self._blocks(item))
            elif at < inline.leading and local(item) == "TABLE" and not anchored:
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
        """Take one child of a text run."""
        name = local(element)
        if name == "CHAR":
            self._text(element, inline)
        elif name in _ASIDES:
            if not self._deletions.here:
                self._aside(_ASIDES[name], element)
        elif name == "FIELDBEGIN":
            self._aside("memo", element)
            is_link = element.get("Type") == "Hyperlink"
            inline.begin_field(web_address(element.get("Command") or "") if is_link else "")
        elif name == "FIELDEND":
            inline.end_field()
        elif name == "EQUATION":
            inline.say(f" {(element.findtext('{*}SCRIPT') or '').strip()} ")
            inline.anchor(element)
        elif name == "AUTONUM":
            if element.get("NumberType") in _SHOWN_NUMBERS:
                inline.say(_shown_number(element))
        elif name == "DUTMAL":
            inline.say(f"{element.findtext('{*}MAINTEXT') or ''}({element.findtext('{*}SUBTEXT') or ''})")
        elif name == "COMPOSE":
            inline.say(element.get("ComposeText") or element.text)
        elif name in HWPML_FORMS:
            inline.say(f" {hwpml_form_words(element)} ")
        elif name and name not in _SILENT:
            inline.anchor(element)

    def _text(self, element: Any, inline: Inline) -> None:
        inline.say(element.text)
        for child in element:
            name = local(child)
            if name == "DELETEBEGIN":
                self._deletions.begin(child)
            elif name == "DELETEEND":
                self._deletions.end(child)
                inline.end_deleted |= (child.get("ParaEnd") or child.get("paraend") or "") in ("1", "true")
            elif name:
                inline.say(_MARKS.get(name) or child.text)
            inline.say(child.tail)

    def _anchored(self, element: Any) -> list[Block]:
        """Return the blocks of a drawing: caption, text art and text boxes, grouped drawings included."""
        name = local(element)
        if name == "TABLE":
            return self._table(element)
        self.pictures += name == "PICTURE"
        out = self._captions(element)
        if name == "TEXTART" and element.get("Text"):
            out += self._flow.paragraph(PLAIN, element.get("Text"))
        for child in element:
            inner = local(child)
            if inner in _TEXT_LISTS:
                out += self._blocks(child)
            elif inner and inner not in _CAPTIONED:
                out += self._anchored(child)
        return out

    def _captions(self, element: Any) -> list[Block]:
        """Return the words of an object's captions, which come first in HWP and HWPX."""
        captions = (*element.iterfind("{*}SHAPEOBJECT/{*}CAPTION"), *element.iterfind("{*}CAPTION"))
        return [block for caption in captions for block in self._blocks(caption)]

    def _table(self, element: Any) -> list[Block]:
        """Return the caption's paragraphs and the table."""
        caption = self._captions(element)
        cells: list[Cell] = []
        flags: list[tuple[int, bool]] = []
        self._flow.enter()
        places = Places()
        for number_of_row, line in enumerate(element.iterfind("{*}ROW")):
            places.start_row(number_of_row)
            for item in line.iterfind("{*}CELL"):
                rows, cols = max(1, place(item.get("RowSpan"), 1)), max(1, place(item.get("ColSpan"), 1))
                row, col = place(item.get("RowAddr"), places.row), place(item.get("ColAddr"), places.col)
                row, col = places.take(row, col, cols)
                cells.append(Cell(row, col, tuple(self._blocks(item)), rows, cols))
                flags.append((row, item.get("Header") == "true"))
        return caption + self._flow.table(cells, header_rows(flags))


def _shown_number(element: Any) -> str:
    form = element.find("{*}AUTONUMFORMAT")
    value = number(element.get("Number"), 1)
    if form is None:
        return str(value)
    kind = owpml_word(form.get("Type") or "Digit")
    return numbered(value, kind, form.get("PrefixChar") or "", form.get("SuffixChar") or "")
