"""The body of an HWP 5 section: paragraphs, tables, text boxes and notes in reading order.

Record and control layouts: format specification 5.0 revision 1.3, 4.3. The controls of a paragraph follow its text
as records, in the order in which the text names them.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, repeat

from pipelines.errors import TooLarge
from pipelines.parsers.hwp_chart import Charts
from pipelines.parsers.hwp_flow import PLAIN, Flow, header_rows
from pipelines.parsers.hwp_inline import inline_words, link_target, text_art
from pipelines.parsers.hwp_lists import BESIDE, beside_lists
from pipelines.parsers.hwp_places import Places
from pipelines.parsers.hwp_records import Record
from pipelines.parsers.hwp_text import FIELD_END, deleted_ranges, kept_pieces, unfolded
from pipelines.parsers.ooxml_package import with_target
from pipelines.records import Block, Cell

_PARA, _TEXT, _RANGE_TAG, _CONTROL, _LIST, _TABLE, _OLE, _PICTURE = 66, 67, 70, 71, 72, 77, 84, 85
_HEADER_CELL = 1 << 18
# Attributes, rows, columns, spacing and four margins stand before them.
_ROW_SIZES = 18
_ASIDES = {"head": "header", "foot": "footer", "tcmt": "comment"}


class Body:
    """Reads the sections of one document into one flow."""

    def __init__(self, flow: Flow, charts: Charts | None, tracked: frozenset[int], depth: int) -> None:
        """`tracked` are the numbers of the tracked changes that delete; without `charts` none is drawn."""
        self.pictures = 0
        self._master_pages: list[Sequence[Record]] = []
        self._tracked = tracked
        self._deletions = 0
        self._flow = flow
        self._charts = charts
        self._limit = depth
        self._depth = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        return (f"{self._deletions} passages that tracked changes deleted",) if self._deletions else ()

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
        line = _Line()
        text = next((child.data for child in record.children if child.tag == _TEXT), b"")
        tags = next((child.data for child in record.children if child.tag == _RANGE_TAG), b"")
        for control in self._read(text, tags, controls, line):
            self._control(control, line)
        if any(child.tag in BESIDE for child in record.children):
            self._take_lists(record.children)
        words = self._flow.paragraph(begun, line.finish()) + line.notes
        # What has a number or a level leads; else a table before the first word is read before it.
        return line.leading + words + line.anchored if begun[0].kind == "none" else words + line.leading + line.anchored

    def _read(self, text: bytes, tags: bytes, controls: Sequence[Record], line: _Line) -> Iterator[Record]:
        """Fill `line` with the words and yield each control at its place; the unnamed ones come last."""
        waiting: dict[bytes, deque[Record]] = {}
        for control in controls:
            waiting.setdefault(control.data[:4], deque()).append(control)
        deleted = deleted_ranges(tags, self._tracked)
        self._deletions += len(deleted)
        for piece, stays in kept_pieces(text, deleted):
            if isinstance(piece, str):
                line.words += [piece] if stays else []
            elif piece == FIELD_END:
                line.end_field()
            else:
                named = waiting[piece].popleft() if waiting.get(piece) else None
                if named is not None and stays:
                    yield named
                elif piece.endswith(b"%"):
                    line.begin_field("")  # its end mark may stay, and must not close another field
        left = {id(control) for rest in waiting.values() for control in rest}
        yield from (control for control in controls if id(control) in left)

    def _take_section(self, control: Record) -> None:
        if control.data[:4] == b"dces" and len(control.data) >= 20:
            (self._flow.outline_numbering,) = struct.unpack_from("<H", control.data, 18)

    def _control(self, control: Record, line: _Line) -> None:
        """Add what a control holds: words to the text, blocks after the paragraph, notes directly after it."""
        self._depth += 1
        if self._depth > self._limit:
            raise TooLarge(f"tables, text boxes and notes are nested deeper than {self._limit}")
        name = control.data[:4][::-1].decode("latin-1")
        if name == "tbl ":
            table = self._table(control)
            if line.anchored or line.has_words():
                line.anchored += table
            else:
                line.leading += table
        elif name == "gso ":
            line.anchored += self._shape(control.children)
        elif name in ("fn  ", "en  "):
            line.notes += self._flow.note(self.blocks(control.children))
        elif name in _ASIDES:
            self._aside(_ASIDES[name], control.children)
        elif name == "secd":
            self._take_lists(control.children)
        elif name.startswith("%"):
            self._aside("memo", control.children)
            line.begin_field(link_target(control))
        else:
            line.words += inline_words(name, control)
            line.anchored += self.blocks(control.children)
        self._depth -= 1

    def _aside(self, kind: str, records: Sequence[Record]) -> None:
        """Keep the words of a header, footer, memo or comment."""
        if any(record.tag == _PARA for record in records):
            self._flow.aside(kind, lambda: self._beside(records))

    def _beside(self, records: Sequence[Record]) -> list[Block]:
        """Read what stands beside the body without what this one counts and draws."""
        if self._depth >= self._limit:
            raise TooLarge(f"comments are nested deeper than {self._limit}")
        return Body(self._flow.beside(), None, self._tracked, self._limit - max(1, self._depth)).blocks(records)

    def _take_lists(self, records: Sequence[Record]) -> None:
        """Keep the memos among `records`, and the master pages until the document ends."""
        for kind, paragraphs in beside_lists(records):
            if kind == "memo":
                self._aside("memo", paragraphs)
            else:
                self._master_pages.append(paragraphs)

    def finish(self) -> None:
        """Keep the words of the master pages, which HWPX has in parts of their own."""
        for paragraphs in self._master_pages:
            self._aside("header", paragraphs)

    def _shape(self, records: Sequence[Record]) -> list[Block]:
        """Return what a drawing holds: caption, text boxes, text art and charts, grouped drawings included."""
        out: list[Block] = []
        for words in text_art(records):
            out += self._flow.paragraph(PLAIN, unfolded(words))
        for record in records:
            if record.tag == _PARA:
                out += self._paragraph(record)
            elif record.tag == _CONTROL:
                line = _Line()
                self._control(record, line)
                out += line.leading + line.anchored + line.notes
            elif record.tag == _OLE:
                out += self._charts.blocks(record.data) if self._charts else []
            elif record.tag != _TEXT:
                self.pictures += record.tag == _PICTURE
                out += self._shape(record.children)
        return out

    def _table(self, control: Record) -> list[Block]:
        """Return the caption's paragraphs and the table."""
        caption: list[Block] = []
        cells: list[tuple[tuple[int, int, int, int], list[Block]]] = []
        flags: list[tuple[int, bool]] = []
        target = caption
        places = Places()
        rows: Iterator[int] | None = None
        self._flow.enter()
        for record in control.children:
            if record.tag == _TABLE:
                rows = _rows_of_cells(record.data)
            elif record.tag == _LIST and rows is not None and len(record.data) >= 16:
                (attributes,) = struct.unpack_from("<I", record.data, 4)
                col, row, col_span, row_span = struct.unpack_from("<4H", record.data, 8)
                if (in_file := next(rows, places.row)) != places.row:
                    places.start_row(in_file)
                row, col = places.take(row, col, max(1, col_span))
                target = []
                cells.append(((row, col, max(1, row_span), max(1, col_span)), target))
                flags.append((row, bool(attributes & _HEADER_CELL)))
            elif record.tag == _PARA:
                target += self._paragraph(record)
        made = [Cell(row, col, tuple(blocks), rows, cols) for (row, col, rows, cols), blocks in cells]
        return caption + self._flow.table(made, header_rows(flags))


def _rows_of_cells(table: bytes) -> Iterator[int]:
    """Yield the row of each cell, by the numbers of cells that a table's record holds (specification, table 75)."""
    count = struct.unpack_from("<H", table, 4)[0] if len(table) >= 6 else 0
    sizes = table[_ROW_SIZES : _ROW_SIZES + 2 * count]
    unpacked = struct.iter_unpack("<H", sizes[: len(sizes) & ~1])
    return chain.from_iterable(repeat(row, size) for row, (size,) in enumerate(unpacked))


class _Line:
    """Collects what one paragraph holds."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.leading: list[Block] = []
        self.anchored: list[Block] = []
        self.notes: list[Block] = []
        self._fields: list[tuple[int, str]] = []
        self._in_link = False
        self._blank = 0

    def has_words(self) -> bool:
        """Tell whether anything but blanks was said so far."""
        while self._blank < len(self.words) and not self.words[self._blank].strip():
            self._blank += 1
        return self._blank < len(self.words)

    def begin_field(self, target: str) -> None:
        """Open a field; `target` is where a hyperlink leads, "" for every other field. Links don't nest."""
        self._fields.append((len(self.words), "" if self._in_link else target))
        self._in_link = self._in_link or bool(target)

    def end_field(self) -> None:
        """Close the last field; a web address follows the words that lead to it."""
        if self._fields:
            start, target = self._fields.pop()
            if target:
                self.words[start:] = [with_target("".join(self.words[start:]), target)]
                self._in_link = False

    def finish(self) -> str:
        """Close the fields that go on in the next paragraph and return the words."""
        while self._fields:
            self.end_field()
        return unfolded("".join(self.words))
