"""A small writer of HWP 5.0 documents, for tests and the example corpus.

Record layouts: 한글문서파일형식 5.0 revision 1.3 (Hancom). Numbers in `number` are written as literal text, the way
most people type them, unless `outline_numbers` asks for automatic ones.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ole_writer import write_ole

from pipelines.records import Block, Cell

_VERSION = 0x05000500
_COMPRESSED, _PASSWORD = 1, 2
# Record tags: HWPTAG_BEGIN is 16.
_PROPERTIES, _MAPPINGS, _FACE, _BORDER, _CHAR_SHAPE, _TAB, _NUMBERING, _BULLET, _PARA_SHAPE, _STYLE = (
    16, 17, 19, 20, 21, 22, 23, 24, 25, 26,
)  # fmt: skip
_PARA, _TEXT, _CHARS, _CONTROL, _LIST, _PAGE, _NOTE_SHAPE, _PAGE_BORDER, _TABLE = 66, 67, 68, 71, 72, 73, 74, 75, 77
# Paragraph shapes: 0 is plain, 1..6 the outline levels, then bullets and indented lines of three depths.
_BULLET_SHAPE, _INDENT_SHAPE = 7, 10
_DEPTHS = 3
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_FORMAT_ID = bytes.fromhex("60b6a29f61 10d411b4c6 006097c09d8c".replace(" ", ""))
# One inch is 7,200 units; the text of an A4 page with 30 mm margins is 150 mm wide.
_TEXT_WIDTH = 42520
_ROW_HEIGHT = 1282

# A control: the character that stands for it in the text, its id as read from the file, its records.
_Anchor = tuple[int, bytes, bytes]


def write_hwp(
    blocks: Sequence[Block],
    *,
    title: str,
    author: str,
    modified: datetime,
    password: bool = False,
    compressed: bool = True,
    outline_numbers: Sequence[str] = (),
) -> bytes:
    """Return an HWP 5.0.5.0 file of headings, paragraphs, items, tables and notes.

    `outline_numbers` are the formats of the heading levels ("제^1장", "^2."): headings then carry automatic numbers
    and their `number` is not written. `password` sets the flag and scrambles the streams.
    """
    streams = {
        **hwp_streams(blocks, outline_numbers),
        "\x05HwpSummaryInformation": _summary(title, author, modified),
        "PrvText": "\r\n".join(preview_lines(blocks))[:1023].encode("utf-16-le"),
    }
    return pack_hwp(streams, password=password, compressed=compressed)


def hwp_streams(blocks: Sequence[Block], outline_numbers: Sequence[str] = ()) -> dict[str, bytes]:
    """Return DocInfo and the one section as plain records."""
    section = _section(plain_numbers(blocks, bool(outline_numbers)))
    return {"DocInfo": _doc_info(outline_numbers), "BodyText/Section0": section}


def pack_hwp(streams: dict[str, bytes], *, password: bool = False, compressed: bool = True, flags: int = 0) -> bytes:
    """Return the file of plain streams; `flags` are further bits of the file header (16: DRM)."""
    flags |= (_COMPRESSED if compressed else 0) | (_PASSWORD if password else 0)
    packed = {"FileHeader": struct.pack("<32sII216s", b"HWP Document File", _VERSION, flags, b"")}
    for name, data in streams.items():
        if name == "DocInfo" or "/" in name:
            data = _deflate(data) if compressed else data
            data = bytes(byte ^ 0x5A for byte in data) if password else data
        packed[name] = data
    return write_ole(packed)


def _deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def plain_numbers(blocks: Sequence[Block], automatic: bool) -> list[Block]:
    """Move `number` into the text, except of headings that are numbered automatically."""
    out: list[Block] = []
    for block in blocks:
        if block.kind == "table":
            cells = tuple(
                Cell(c.row, c.col, tuple(plain_numbers(c.blocks, False)), c.row_span, c.col_span) for c in block.cells
            )
            out.append(Block("table", cells=cells))
        elif block.number and block.kind != "note" and not (automatic and block.kind == "heading"):
            out.append(Block(block.kind, f"{block.number} {block.text}", level=block.level, number=block.number))
        else:
            out.append(block)
    return out


def preview_lines(blocks: Sequence[Block]) -> list[str]:
    """Return the lines of PrvText, cells in angle brackets."""
    lines: list[str] = []
    for block in blocks:
        if block.kind == "table":
            lines += [f"<{' '.join(preview_lines(cell.blocks))}>" for cell in block.cells]
        elif block.kind != "note":
            lines.append(f"{block.number} {block.text}".strip())
    return lines


def _record(tag: int, level: int, data: bytes) -> bytes:
    if len(data) < 0xFFF:
        return struct.pack("<I", tag | level << 10 | len(data) << 20) + data
    return struct.pack("<II", tag | level << 10 | 0xFFF << 20, len(data)) + data


def _string(text: str) -> bytes:
    data = text.encode("utf-16-le")
    return struct.pack("<H", len(data) // 2) + data


def _doc_info(outline_numbers: Sequence[str]) -> bytes:
    shapes = [_para_shape(0, 0)]
    shapes += [_para_shape(1 << 23 | level << 25, 0) for level in range(6)]
    shapes += [_para_shape(3 << 23 | depth << 25, 1000 * depth) for depth in range(_DEPTHS)]
    shapes += [_para_shape(0, 1000 * (depth + 1)) for depth in range(_DEPTHS)]
    names = [("바탕글", "Normal", 0), *((f"개요 {level}", f"Outline {level}", level) for level in range(1, 7))]
    counts = (0, *[1] * 7, 2, 1, 1, 1, 1, len(shapes), len(names), 0, 0, 0)
    records = [
        _record(_PROPERTIES, 0, struct.pack("<7H3I", 1, 1, 1, 1, 1, 1, 1, 0, 0, 0)),
        _record(_MAPPINGS, 0, struct.pack("<18i", *counts)),
        *[_record(_FACE, 1, b"\0" + _string("함초롬바탕"))] * 7,
        _record(_BORDER, 1, _border(0)),
        _record(_BORDER, 1, _border(1)),
        _record(_CHAR_SHAPE, 1, _char_shape()),
        _record(_TAB, 1, bytes(8)),
        _record(_NUMBERING, 1, _numbering(outline_numbers)),
        _record(_BULLET, 1, _paragraph_head(0x0C) + struct.pack("<HI5xH", ord("●"), 0, 0)),
        *[_record(_PARA_SHAPE, 1, shape) for shape in shapes],
    ]
    for index, (korean, english, shape) in enumerate(names):
        style = _string(korean) + _string(english) + struct.pack("<BBhHHH", 0, index, 1042, shape, 0, 0)
        records.append(_record(_STYLE, 1, style))
    return b"".join(records)


def _border(line: int) -> bytes:
    """Four sides and a diagonal: line type (0 none, 1 solid), width 0.12 mm, colour; then no fill."""
    return struct.pack("<H", 0) + struct.pack("<BBI", line, 1, 0) * 4 + struct.pack("<BBI", 1, 0, 0) + bytes(8)


def _char_shape() -> bytes:
    """10 pt black text of the first font in all seven scripts."""
    faces = struct.pack("<7H", *[0] * 7) + bytes([100] * 7) + bytes(7) + bytes([100] * 7) + bytes(7)
    colours = struct.pack("<IIII", 0, 0, 0xFFFFFFFF, 0xB2B2B2)
    return faces + struct.pack("<iIbb", 1000, 0, 10, 10) + colours + struct.pack("<HI", 1, 0)


def _paragraph_head(attributes: int) -> bytes:
    return struct.pack("<IhhI", attributes, 0, 50, 0xFFFFFFFF)


def _numbering(formats: Sequence[str]) -> bytes:
    levels = (list(formats) + [""] * 7)[:7]
    heads = b"".join(_paragraph_head(0x0C) + _string(text) for text in levels)
    return heads + struct.pack("<H7I", 0, *[1] * 7)


def _para_shape(head: int, left: int) -> bytes:
    """`head`: paragraph head kind at bit 23 (1 outline, 3 bullet), its level at bit 25; line spacing 160 %."""
    number = 1 if head >> 23 & 3 == 3 else 0
    body = struct.pack("<I6i", 0x180 | head, left, 0, 0, 0, 0, 160)
    return body + struct.pack("<HHH4hIII", 0, number, 1, 0, 0, 0, 0, 0, 0, 160)


def _section(blocks: Sequence[Block]) -> bytes:
    out: list[bytes] = []
    lead: list[_Anchor] = [(2, b"dces", _section_definition()), (2, b"dloc", _columns())]
    for block, notes in with_notes(blocks) or [(Block("paragraph"), [])]:
        out.append(_block(block, notes, 0, lead=lead))
        lead = []
    return b"".join(out)


def with_notes(blocks: Sequence[Block]) -> list[tuple[Block, list[Block]]]:
    """Pair each block with the notes that follow it."""
    pairs: list[tuple[Block, list[Block]]] = []
    for block in blocks:
        if block.kind == "note" and pairs:
            pairs[-1][1].append(block)
        else:
            pairs.append((block, []))
    return pairs


def _section_definition() -> bytes:
    # id, attributes, column gap, two grids, tab width, numbering of the outline, first numbers, language
    head = b"dces" + struct.pack("<IHHHIH", 0, 1134, 0, 0, 8000, 1) + bytes(18)
    page = struct.pack("<9II", 59528, 84188, 8504, 8504, 5668, 4252, 4252, 4252, 0, 0)
    note = struct.pack("<IHHHHIHHHBBI", 0, 0, 0, ord(")"), 1, 0xFFFFFFFF, 850, 567, 283, 1, 1, 0)
    border = struct.pack("<I4HH", 1, 1417, 1417, 1417, 1417, 1)
    return b"".join(
        [
            _record(_CONTROL, 1, head),
            _record(_PAGE, 2, page),
            *[_record(_NOTE_SHAPE, 2, note)] * 2,
            *[_record(_PAGE_BORDER, 2, border)] * 3,
        ]
    )


def _columns() -> bytes:
    return _record(_CONTROL, 1, b"dloc" + struct.pack("<HHHBBI", 0x1004, 0, 0, 0, 0, 0))


def _block(block: Block, notes: Sequence[Block], level: int, lead: Sequence[_Anchor] = (), last: bool = False) -> bytes:
    anchors = [(17, b"  nf", _note(note, level + 1)) for note in notes]
    if block.kind == "table":
        lead = [*lead, (11, b" lbt", _table(block, level + 1))]
        return _paragraph("", 0, 0, level, lead, anchors, last)
    if block.kind == "heading":
        return _paragraph(block.text, block.level, block.level, level, lead, anchors, last)
    if block.kind == "item":
        depth = min(max(block.level, 1), _DEPTHS) - 1
        shape = (_INDENT_SHAPE if block.number else _BULLET_SHAPE) + depth
        return _paragraph(block.text, shape, 0, level, lead, anchors, last)
    return _paragraph(block.text, 0, 0, level, lead, anchors, last)


def _paragraph(
    text: str, shape: int, style: int, level: int, lead: Sequence[_Anchor], trail: Sequence[_Anchor], last: bool
) -> bytes:
    """One paragraph with its controls; extended characters take eight 16-bit units."""
    units = _anchor_units(lead) + _text_units(text) + _anchor_units(trail) + struct.pack("<H", 13)
    mask = 0
    for code in [anchor[0] for anchor in (*lead, *trail)] + [9] * ("\t" in text) + [10] * ("\n" in text):
        mask |= 1 << code
    count = len(units) // 2
    header = struct.pack(
        "<IIHBBHHHIH", count | (0x80000000 if last else 0), mask, shape, style, 3 if lead and level == 0 else 0,
        1, 0, 0, 0, 0,
    )  # fmt: skip
    records = [_record(_PARA, level, header)]
    if count > 1:
        records.append(_record(_TEXT, level + 1, units))
    records.append(_record(_CHARS, level + 1, struct.pack("<II", 0, 0)))
    return b"".join(records) + b"".join(anchor[2] for anchor in (*lead, *trail))


def _anchor_units(anchors: Sequence[_Anchor]) -> bytes:
    return b"".join(struct.pack("<H4s8xH", code, name, code) for code, name, _ in anchors)


def _text_units(text: str) -> bytes:
    units = text.encode("utf-16-le")
    return units.replace(b"\t\0", struct.pack("<HI8xH", 9, 4000, 9)) if "\t" in text else units


def _note(block: Block, level: int) -> bytes:
    head = b"  nf" + struct.pack("<IHHII", 1, 0, ord(")"), 0, 0)
    paragraph = _paragraph(block.text, 0, 0, level + 1, (), (), True)
    return _record(_CONTROL, level, head) + _record(_LIST, level + 1, struct.pack("<HHI8x", 1, 0, 0)) + paragraph


def _table(block: Block, level: int) -> bytes:
    cells = sorted(block.cells, key=lambda cell: (cell.row, cell.col))
    rows = max(cell.row + cell.row_span for cell in cells)
    cols = max(cell.col + cell.col_span for cell in cells)
    width = _TEXT_WIDTH // cols
    head = b" lbt" + struct.pack("<IiiIIi4HIiH", 0x082A2210, 0, 0, width * cols, _ROW_HEIGHT * rows, 0,
                                 *[283] * 4, 1, 0, 0)  # fmt: skip
    in_row = [sum(cell.row == row for cell in cells) for row in range(rows)]
    body = struct.pack(f"<IHHH4H{rows}HHH", 6, rows, cols, 0, 510, 510, 141, 141, *in_row, 2, 0)
    out = [_record(_CONTROL, level, head), _record(_TABLE, level + 1, body)]
    for cell in cells:
        pairs = with_notes(cell.blocks) or [(Block("paragraph"), [])]
        size = (width * cell.col_span, _ROW_HEIGHT * cell.row_span)
        place = (cell.col, cell.row, cell.col_span, cell.row_span)
        data = struct.pack("<HHI4HII4HHI9x", len(pairs), 0, 0x20, *place, *size, 510, 510, 141, 141, 2, size[0])
        out.append(_record(_LIST, level + 1, data))
        out += [_block(b, notes, level + 1, last=at == len(pairs) - 1) for at, (b, notes) in enumerate(pairs)]
    return b"".join(out)


def _summary(title: str, author: str, modified: datetime) -> bytes:
    """A property set with title (2), author (4), last author (8), created (12) and modified (13)."""
    moment = (modified.astimezone(UTC) - _EPOCH) // timedelta(microseconds=1) * 10
    values = [(2, _text_value(title)), (4, _text_value(author)), (8, _text_value(author))]
    values += [(number, struct.pack("<IQ", 64, moment)) for number in (12, 13)]
    offset = 8 + 8 * len(values)
    index, data = b"", b""
    for number, value in values:
        index += struct.pack("<II", number, offset + len(data))
        data += value
    section = struct.pack("<II", 8 + len(index) + len(data), len(values)) + index + data
    return struct.pack("<HHI16xI16sI", 0xFFFE, 0, 0x00020005, 1, _FORMAT_ID, 48) + section


def _text_value(text: str) -> bytes:
    data = text.encode("utf-16-le") + b"\0\0"
    return struct.pack("<II", 31, len(data) // 2) + data + bytes(-len(data) % 4)
