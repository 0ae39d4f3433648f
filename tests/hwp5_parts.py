"""What a paragraph of an HWP 5.0 document holds besides words, as records, for tests.

Layouts: 한글문서파일형식 5.0 revision 1.3 (Hancom), 4.3; those of form objects, links and tracked changes as files show
them. A section made here opens with the definitions that other readers ask for.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from hwp5_writer import hwp_streams, pack_hwp
from ole_writer import write_ole

from pipelines.records import Block

_PARA, _TEXT, _TAGS, _CONTROL, _LIST, _SHAPE, _RECTANGLE, _PICTURE, _MEMO = 66, 67, 70, 71, 72, 76, 79, 85, 93
_OLE, _EQUATION, _TEXT_ART, _FORM, _BIN_DATA = 84, 88, 90, 91, 18
_OBJECT, _FIELD, _NOTE, _ASIDE, _COMPOSED = 11, 3, 17, 16, 23
_DELETION, _TRACK_CHANGE, _TRACKED = 0x11, 96, 1 << 14
_FORM_SETS = {"tbp+": "ButtonSet", "tbc+": "ButtonSet", "tbr+": "ButtonSet", "boc+": "ComboBoxSet", "tde+": "EditSet"}


@dataclass(frozen=True)
class Part:
    """A piece of a paragraph: its units in the text, and its records at level 1."""

    units: bytes
    records: bytes = b""


def record(tag: int, level: int, data: bytes) -> bytes:
    """Return one record."""
    if len(data) < 0xFFF:
        return struct.pack("<I", tag | level << 10 | len(data) << 20) + data
    return struct.pack("<II", tag | level << 10 | 0xFFF << 20, len(data)) + data


def paragraph(*pieces: str | Part, deleted: Sequence[str] = (), level: int = 0, shape: int = 0) -> bytes:
    """Return a paragraph of words and parts; tracked change n deleted the n-th of `deleted`."""
    units = b"".join(piece.encode("utf-16-le") if isinstance(piece, str) else piece.units for piece in pieces) + b"\r\0"
    header = struct.pack("<IIHBBHHHIH", len(units) // 2, 0, shape, 0, 0, 1, len(deleted), 0, 0, 0)
    out = record(_PARA, level, header) + record(_TEXT, level + 1, units)
    out += record(68, level + 1, struct.pack("<II", 0, 0))
    if deleted:
        places = [(units.index(word.encode("utf-16-le")) // 2, len(word)) for word in deleted]
        tags = (struct.pack("<III", at, at + size, _DELETION << 24 | n) for n, (at, size) in enumerate(places, 1))
        out += record(_TAGS, level + 1, b"".join(tags))
    parts = (piece.records for piece in pieces if isinstance(piece, Part))
    return out + b"".join(deeper(records, level) for records in parts)


def deeper(records: bytes, levels: int) -> bytes:
    """Return the same records, further down the tree."""
    out, place = b"", 0
    while place < len(records):
        (head,) = struct.unpack_from("<I", records, place)
        length, start = head >> 20, place + 4
        if length == 0xFFF:
            (length,) = struct.unpack_from("<I", records, start)
            start += 4
        out += record(head & 0x3FF, (head >> 10 & 0x3FF) + levels, records[start : start + length])
        place = start + length
    return out


def document(*paragraphs: bytes, chart: bytes = b"", deletions: int = 0) -> bytes:
    """Return a document of these paragraphs.

    `chart` is the stored OLE object that `chart_object` refers to; `deletions` tracked changes are deletions.
    """
    streams = hwp_streams([Block("paragraph", "")])
    streams["BodyText/Section0"] += b"".join(paragraphs)
    if chart:
        streams["DocInfo"] += record(_BIN_DATA, 0, struct.pack("<HHH", 2, 1, 3) + "OLE".encode("utf-16-le"))
        streams["BinData/BIN0001.OLE"] = chart
    change = struct.pack("<I6H6xI", _DELETION, 2026, 3, 2, 9, 30, 1, 0)
    streams["DocInfo"] += record(_TRACK_CHANGE, 1, change) * deletions
    return pack_hwp(streams, flags=_TRACKED if deletions else 0)


def control(code: int, name: str, data: bytes = b"", inside: bytes = b"") -> Part:
    """Return a control of four letters with the records inside it, which are at level 2."""
    letters = name[::-1].encode("ascii")
    return Part(struct.pack("<H4s8xH", code, letters, code), record(_CONTROL, 1, letters + data) + inside)


def link(words: str, command: str) -> tuple[Part, str, Part]:
    """Return the pieces of a hyperlink; `command` as stored ("http\\://a.kr;1;0;0;")."""
    data = struct.pack("<IB", 0x8800, 0) + _counted(command) + bytes(4)
    return control(_FIELD, "%hlk", data), words, Part(struct.pack("<H4s8xH", 4, b"klh\x25", 4))


def click_here(words: str, hint: str) -> tuple[Part, str, Part]:
    """Return the pieces of a field to fill in (누름틀) with what somebody filled in."""
    command = f"Clickhere:set:66:Direction:wstring:{len(hint)}:{hint} HelpState:wstring:0:  "
    data = struct.pack("<IB", 0x8001, 9) + _counted(command) + bytes(4)
    return control(_FIELD, "%clk", data), words, Part(struct.pack("<H4s8xH", 4, b"klc\x25", 4))


def equation(script: str, caption: str = "") -> Part:
    """Return an equation by its script."""
    data = struct.pack("<I", 0) + _counted(script) + struct.pack("<IIh", 1000, 0, 0) + _counted("Equation Version 60")
    return control(_OBJECT, "eqed", _frame(), _text_list(caption) + record(_EQUATION, 2, data))


def over_words(main: str, sub: str) -> Part:
    """Return words with smaller words over them (덧말)."""
    return control(_COMPOSED, "tdut", _counted(main) + _counted(sub) + struct.pack("<5I", 0, 0, 0, 0, 0))


def composed(letters: str) -> Part:
    """Return letters printed over each other in a frame (글자겹침)."""
    return control(_COMPOSED, "tcps", _counted(letters) + struct.pack("<BbBB", 1, -3, 0, 0))


def form(kind: str, *properties: str) -> Part:
    """Return a form object; kinds: tbp+ button, tbc+ check box, tbr+ radio button, boc+ combo box, tde+ entry field."""
    inner = " ".join(properties)
    common = "Name:wstring:13:Caption:int:3 ForeColor:int:0 "
    line = f"CommonSet:set:{len(common)}:{common} {_FORM_SETS[kind]}:set:{len(inner)}:{inner}  "
    head = kind.encode("ascii") * 2 + struct.pack("<I", len(line))
    return control(_OBJECT, "form", _frame(), record(_FORM, 2, head + _counted(line)))


def wstring(key: str, value: str) -> str:
    """Return one property of a form object."""
    return f"{key}:wstring:{len(value)}:{value}"


def text_box(*lines: str, caption: str = "") -> Part:
    """Return a rectangle with a paragraph a line."""
    return control(_OBJECT, "gso ", _frame(), _text_list(caption) + _rectangle(2, lines, outer=True))


def group(*boxes: str) -> Part:
    """Return rectangles in a group, one text each."""
    head = record(_SHAPE, 2, _component(b"noc$") + struct.pack("<H", len(boxes)) + b"cer$" * len(boxes))
    return control(_OBJECT, "gso ", _frame(), head + b"".join(_rectangle(3, [box], outer=False) for box in boxes))


def text_art(words: str) -> Part:
    """Return words drawn as a picture (글맵시)."""
    art = bytes(32) + _counted(words) + _counted("함초롬돋움") + bytes(8)
    return control(
        _OBJECT, "gso ", _frame(), record(_SHAPE, 2, _component(b"tat$", twice=True)) + record(_TEXT_ART, 3, art)
    )


def picture() -> Part:
    """Return a picture."""
    head = record(_SHAPE, 2, _component(b"cip$", twice=True))
    return control(_OBJECT, "gso ", _frame(), head + record(_PICTURE, 3, bytes(78)))


def chart_object() -> Part:
    """Return the drawing of the document's one chart."""
    head = record(_SHAPE, 2, _component(b"elo$", twice=True))
    data = struct.pack("<III H IIIB", 1, 7200, 7200, 1, 0, 0, 0, 0)
    return control(_OBJECT, "gso ", _frame(), head + record(_OLE, 3, data))


def stored_chart(content: str | bytes, stream: str = "OOXMLChartContents") -> bytes:
    """Return the OLE object of a chart as its stream holds it."""
    container = write_ole({stream: content.encode("utf-8") if isinstance(content, str) else content})
    return struct.pack("<I", len(container)) + container


def old_chart(*rows: Sequence[str | float | None], declared: tuple[int, int] | None = None) -> bytes:
    """Return the binary chart of older programs with a data grid; `declared` are its rows and columns."""
    numbers: dict[str, int] = {}

    def kind(name: str) -> bytes:
        known = name in numbers
        number = struct.pack("<I", numbers.setdefault(name, len(numbers) + 1))
        stored = name.encode("ascii") + b"\0"
        return number if known else number + struct.pack("<H", len(stored)) + stored + b"\1\0"

    head = bytes(44) + kind("VtChart")[4:] + bytes(4) + kind("VtDataGrid") + kind("VtMatrix") + kind("VtCollection")
    out = (
        head + bytes(2) + kind("VtObject") + struct.pack("<HH", *(declared or (len(rows), len(rows[0])))) + b"\xff" * 4
    )
    for number, value in enumerate((value for row in rows for value in row), 1):
        if value is None:
            continue
        out += struct.pack("<I", number)
        if isinstance(value, str):
            text = value.encode("cp949") + b"\0\0" + value.encode("utf-16-le") + b"\0\0"
            out += kind("VtString") + struct.pack("<H", len(text)) + text + b"\0"
        elif isinstance(value, int):
            out += kind("VtInteger") + struct.pack("<i", value)
        else:
            out += kind("VtDouble") + struct.pack("<d", value)
        out += kind("VtValue") + kind("VtObject")
    return out + struct.pack("<I", 0x10001) + bytes(40)


def caption_number(number: int, kind: int = 3, shape: int = 0, marks: str = "\0\0") -> Part:
    """Return an automatic number of a picture (3), table (4) or equation (5), in number format `shape`."""
    data = struct.pack("<IHH", kind | shape << 4, number, 0) + marks.encode("utf-16-le")
    return control(18, "atno", data)


def note(words: str, name: str = "fn  ") -> Part:
    """Return a footnote ("fn  ") or endnote ("en  ")."""
    return control(_NOTE, name, struct.pack("<IHHII", 1, 0, ord(")"), 0, 0), _text_list(words))


def aside(name: str, words: str) -> Part:
    """Return a header ("head"), footer ("foot") or hidden comment ("tcmt") with a paragraph a line."""
    code = _COMPOSED if name == "tcmt" else _ASIDE
    return control(code, name, struct.pack("<II", 0, 0), _text_list(words))


def memo(words: str) -> Part:
    """Return a memo as it stands below a document's last paragraph, with a paragraph a line."""
    return Part(b"", record(_MEMO, 1, struct.pack("<I", 1)) + _text_list(words, level=1))


def last_master_page(words: str) -> Part:
    """Return the master page of last pages as it stands below a section's last paragraph."""
    return Part(b"", _text_list(words, level=1))


def master_pages(*pages: str) -> Part:
    """Return the definition of a section with these master pages."""
    return control(2, "secd", bytes(12), b"".join(map(_text_list, pages)))


def _counted(text: str) -> bytes:
    data = text.encode("utf-16-le")
    return struct.pack("<H", len(data) // 2) + data


def _frame() -> bytes:
    """Place and size of an object in the line, 20 mm wide."""
    return struct.pack("<IiiIIi4HIiH", 0x042A6311, 0, 0, 5669, 2834, 0, 0, 0, 0, 0, 1, 0, 0)


def _text_list(words: str, level: int = 2) -> bytes:
    if not words:
        return b""
    lines = words.split("\n")
    head = record(_LIST, level, struct.pack("<HHI8x", len(lines), 0, 0))
    return head + b"".join(paragraph(line, level=level) for line in lines)


def _component(name: bytes, *, twice: bool = False) -> bytes:
    """Place, size and turning of a drawing: the unit matrix three times."""
    unit = struct.pack("<6d", 1, 0, 0, 0, 1, 0)
    head = name * (2 if twice else 1)
    return head + struct.pack("<iiHHIIIIIHii", 0, 0, 0, 1, 5669, 2834, 5669, 2834, 0, 0, 0, 0) + b"\1\0" + unit * 3


def _rectangle(level: int, lines: Sequence[str], *, outer: bool) -> bytes:
    style = struct.pack("<IIIBIIIII", 0, 33, 0x41, 0, 0, 0, 0, 0, 0)
    head = record(_SHAPE, level, _component(b"cer$", twice=outer) + style)
    text = record(_LIST, level + 1, struct.pack("<HHI4HI13x", len(lines), 0, 0x20, 283, 283, 283, 283, 5669))
    text += b"".join(paragraph(line, level=level + 1) for line in lines)
    corners = struct.pack("<B8i", 0, 0, 0, 5669, 0, 5669, 2834, 0, 2834)
    return head + text + record(_RECTANGLE, level + 1, corners)
