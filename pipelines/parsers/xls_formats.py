"""Which number format each cell of an .xls workbook has, and what is hidden (MS-XLS); calamine tells neither."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from pipelines.parsers.sheet_format import BUILTIN_FORMATS
from pipelines.parsers.xls_records import records

# MS-XLS 2.3.1: globals, then what a sheet holds.
_BOF, _SHEET, _DATE_MODE, _FORMAT, _XF = 0x809, 0x85, 0x22, 0x41E, 0xE0
_ROW, _COLUMNS, _NUMBERS = 0x208, 0x7D, 0xBD
# Number, RK and formula: row, column, style.
_VALUES = frozenset({0x203, 0x27E, 0x06})
_BIFF8 = 0x600
# Bit of a Row record (2.4.221) and of a ColInfo record (2.4.53).
_HIDDEN_ROW, _HIDDEN_COLUMN = 0x20, 0x01


@dataclass(slots=True)
class SheetLooks:
    """One sheet; rows and columns count from 1. `codes` holds the formats of numbers, General left out."""

    codes: dict[tuple[int, int], str] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Looks:
    """A workbook; its sheets in the order of the file, empty where the version is too old to tell."""

    sheets: list[SheetLooks] = field(default_factory=list)
    from_1904: bool = False


def read_looks(stream: bytes) -> Looks:
    """Read the Workbook stream of an .xls file."""
    looks = Looks()
    codes = dict(BUILTIN_FORMATS)
    styles: list[int] = []
    places: list[int] = []
    for kind, body in records(stream, 0):
        if kind == _BOF and _word(body, 0) != _BIFF8:
            return looks
        if kind == _DATE_MODE:
            looks.from_1904 = _word(body, 0) == 1
        elif kind == _FORMAT and len(body) > 5:
            codes[_word(body, 0)] = _text(body[2:])
        elif kind == _XF:
            styles.append(_word(body, 2))
        elif kind == _SHEET and len(body) > 4:
            places.append(int.from_bytes(body[:4], "little"))
    shown = [codes.get(number, "General") for number in styles]
    read = {place: _sheet(stream, place, shown) for place in dict.fromkeys(places)}
    looks.sheets = [read[place] for place in places]
    return looks


def _sheet(stream: bytes, place: int, codes: list[str]) -> SheetLooks:
    looks = SheetLooks()
    for kind, body in records(stream, place):
        if kind in _VALUES and len(body) >= 6:
            _mark(looks, _word(body, 0), _word(body, 2), _word(body, 4), codes)
        elif kind == _NUMBERS and len(body) >= 6:
            first = _word(body, 2)
            for n, at in enumerate(range(4, len(body) - 2, 6)):
                _mark(looks, _word(body, 0), first + n, _word(body, at), codes)
        elif kind == _ROW and len(body) >= 14 and _word(body, 12) & _HIDDEN_ROW:
            looks.hidden_rows.add(_word(body, 0) + 1)
        elif kind == _COLUMNS and len(body) >= 10 and _word(body, 8) & _HIDDEN_COLUMN:
            looks.hidden_columns.append((_word(body, 0) + 1, _word(body, 2) + 1))
    return looks


def _mark(looks: SheetLooks, row: int, column: int, style: int, codes: list[str]) -> None:
    if style < len(codes) and codes[style] != "General":
        looks.codes[row + 1, column + 1] = codes[style]


def _word(body: bytes, at: int) -> int:
    return int(struct.unpack_from("<H", body, at)[0]) if len(body) >= at + 2 else 0


def _text(body: bytes) -> str:
    """Return an XLUnicodeString (2.5.294): length, a flag for two bytes a character, the characters."""
    size, wide = _word(body, 0), body[2] & 1
    raw = body[3 : 3 + size * (2 if wide else 1)]
    return raw.decode("utf-16-le" if wide else "latin-1", "replace")
