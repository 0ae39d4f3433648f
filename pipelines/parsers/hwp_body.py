"""The body of an HWP 5 section: paragraphs, tables, text boxes and notes in reading order.

Record and control layouts: format specification 5.0 revision 1.3, 4.3. A control stands in the text as a character
that takes eight 16-bit units and names the control's id; the controls follow the text as records.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from pipelines.parsers.hwp_flow import Flow, header_rows
from pipelines.parsers.hwp_records import Record
from pipelines.records import Block, Cell

_PARA, _TEXT, _CONTROL, _LIST, _TABLE, _EQUATION, _MEMO = 66, 67, 71, 72, 77, 88, 93
# Characters of eight units: those that stand for a control, and those that only carry data (tabs, field ends).
_ANCHORS = frozenset({1, 2, 3, 11, 12, 14, 15, 16, 17, 18, 21, 22, 23})
_WIDE = frozenset({4, 5, 6, 7, 8, 9, 19, 20})
_NARROW = {10: "\n", 24: "-", 30: " ", 31: " "}
_TAB = 9
_HEADER_CELL = 1 << 18
# Automatic numbers of pages and notes (codes 0 to 2, 6) aren't words; those of pictures, tables and equations are.
_SHOWN_NUMBERS = (3, 4, 5)
_ASIDES = {"head": "header", "foot": "footer", "tcmt": "comment"}


class Body:
    """Reads the sections of one document into one flow."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    def blocks(self, records: Sequence[Record]) -> list[Block]:
        """Return the blocks of the paragraphs among `records`."""
        return [block for record in records if record.tag == _PARA for block in self._paragraph(record)]

    def _paragraph(self, record: Record) -> list[Block]:
        data = record.data
        shape = struct.unpack_from("<H", data, 8)[0] if len(data) >= 10 else 0
        controls = [child for child in record.children if child.tag == _CONTROL]
        # The section says which numbering its outline has; it is anchored in the section's first paragraph.
        for control in controls:
            self._take_section(control)
        begun = self._flow.begin(str(shape))
        for child in record.children:
            if child.tag == _MEMO:
                self._flow.aside("memo", True)
        words: list[str] = []
        anchored: list[Block] = []
        notes: list[Block] = []
        text = next((child.data for child in record.children if child.tag == _TEXT), b"")
        for piece in _pieces(text):
            if isinstance(piece, str):
                words.append(piece)
            else:
                found = next((at for at, control in enumerate(controls) if control.data[:4] == piece), None)
                if found is not None:
                    self._control(controls.pop(found), words, anchored, notes)
        for control in controls:
            self._control(control, words, anchored, notes)
        return self._flow.paragraph(begun, "".join(words)) + notes + anchored

    def _take_section(self, control: Record) -> None:
        if control.data[:4] == b"dces" and len(control.data) >= 20:
            (self._flow.outline_numbering,) = struct.unpack_from("<H", control.data, 18)

    def _control(self, control: Record, words: list[str], anchored: list[Block], notes: list[Block]) -> None:
        """Add what a control holds: words to the text, blocks after the paragraph, notes directly after it."""
        name = control.data[:4][::-1].decode("latin-1")
        if name == "tbl ":
            anchored += self._table(control)
        elif name == "gso ":
            anchored += self._shape(control.children)
        elif name in ("fn  ", "en  "):
            notes += self._flow.note(self.blocks(control.children))
        elif name in _ASIDES:
            self._flow.aside(_ASIDES[name], _has_text(control.children))
        elif name == "secd":
            # Master pages stand under the section definition.
            self._flow.aside("header", _has_text(control.children))
        elif name.startswith("%"):
            self._flow.aside("memo", _has_text(control.children))
        else:
            words += _inline(name, control)
            if name != "eqed":
                anchored += self.blocks(control.children)

    def _shape(self, records: Sequence[Record]) -> list[Block]:
        """Return the paragraphs of a drawing: caption and text boxes, grouped drawings included."""
        out: list[Block] = []
        for record in records:
            if record.tag == _PARA:
                out += self._paragraph(record)
            elif record.tag == _CONTROL:
                words: list[str] = []
                self._control(record, words, out, out)
            elif record.tag != _TEXT:
                out += self._shape(record.children)
        return out

    def _table(self, control: Record) -> list[Block]:
        """Return the caption's paragraphs and the table."""
        caption: list[Block] = []
        cells: list[tuple[tuple[int, int, int, int], list[Block]]] = []
        flags: list[tuple[int, bool]] = []
        target = caption
        in_table = False
        self._flow.enter()
        for record in control.children:
            if record.tag == _TABLE:
                in_table = True
            elif record.tag == _LIST and in_table and len(record.data) >= 16:
                (attributes,) = struct.unpack_from("<I", record.data, 4)
                col, row, col_span, row_span = struct.unpack_from("<4H", record.data, 8)
                target = []
                cells.append(((row, col, max(1, row_span), max(1, col_span)), target))
                flags.append((row, bool(attributes & _HEADER_CELL)))
            elif record.tag == _PARA:
                target += self._paragraph(record)
        made = [Cell(row, col, tuple(blocks), rows, cols) for (row, col, rows, cols), blocks in cells]
        return caption + self._flow.table(made, header_rows(flags))


def _pieces(text: bytes) -> Iterator[str | bytes]:
    """Yield words, and for each anchored control its four-byte id."""
    place, start, size = 0, 0, len(text) & ~1
    while place < size:
        code = text[place] | text[place + 1] << 8
        if code > 31:
            place += 2
            continue
        if place > start:
            yield text[start:place].decode("utf-16-le", "surrogatepass")
        if code in _ANCHORS:
            yield text[place + 2 : place + 6]
            place += 16
        elif code in _WIDE:
            if code == _TAB:
                yield "\t"
            place += 16
        else:
            if code in _NARROW:
                yield _NARROW[code]
            place += 2
        start = place
    if size > start:
        yield text[start:size].decode("utf-16-le", "surrogatepass")


def _inline(name: str, control: Record) -> list[str]:
    """Return the words of a control that stands inside the text."""
    data = control.data
    if name == "eqed":
        return [f" {_string(child.data, 4)[0].strip()} " for child in control.children if child.tag == _EQUATION]
    if name == "atno" and len(data) >= 10:
        kind, number = struct.unpack_from("<IH", data, 4)
        return [str(number)] if kind & 15 in _SHOWN_NUMBERS else []
    if name == "tdut":
        main, place = _string(data, 4)
        return [f"{main}({_string(data, place)[0]})"]
    if name == "tcps":
        return [_string(data, 4)[0]]
    return []


def _string(data: bytes, place: int) -> tuple[str, int]:
    """Return the counted string at `place` and the place after it."""
    if place + 2 > len(data):
        return "", place
    (length,) = struct.unpack_from("<H", data, place)
    end = place + 2 + 2 * length
    return data[place + 2 : end].decode("utf-16-le", "ignore"), end


def _has_text(records: Sequence[Record]) -> bool:
    for record in records:
        if record.tag == _TEXT and any(isinstance(piece, str) and piece.strip() for piece in _pieces(record.data)):
            return True
        if _has_text(record.children):
            return True
    return False
