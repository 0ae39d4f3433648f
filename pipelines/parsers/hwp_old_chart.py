"""The data of charts that Hangul before 2018 keeps in a binary form of its own.

Layout: 한글문서파일형식 차트 revision 1.2: each object is its type's number, for the first of a type its name and
version, then its data. The data grid comes first; of what follows (titles, axes, legend) the file doesn't say plainly
what is shown, and its sample texts ("차트 제목") stand there whether or not a person asked for a title.
"""

from __future__ import annotations

import re
import struct

from pipelines.errors import Corrupt, TooLarge
from pipelines.parsers.sheet_format import show_number
from pipelines.parsers.text import clean
from pipelines.records import Block, Cell

# The matrix is a collection, which is an object: its data are rows, columns and a mark of four bytes.
_MATRIX = re.compile(
    rb"VtMatrix\0.{6}\x0d\0VtCollection\0.{4}(.{4})\x09\0VtObject\0..(..)(..)\xff{4}",
    re.DOTALL,
)
_NUMBERS = {b"VtInteger": "<i", b"VtLong": "<i", b"VtDouble": "<d"}
# What Hangul lets a person type into a chart's grid is far below.
_MAX_CELLS = 200_000


def old_chart_blocks(data: bytes) -> list[Block]:
    """Return the grid of a chart as a table, labels in its first row and column.

    Raises Corrupt for a layout that is another, TooLarge for a grid that no person filled in.
    """
    matrix = _MATRIX.search(data)
    if matrix is None:
        raise Corrupt("the chart has no data grid")
    rows, cols = struct.unpack("<HH", matrix[2] + matrix[3])
    if rows * cols > _MAX_CELLS:
        raise TooLarge(f"the grid of a chart has more than {_MAX_CELLS} cells")
    try:
        found = _Grid(data, matrix, rows * cols).read()
    except struct.error as error:
        raise Corrupt("the data grid of the chart is cut short") from error
    cells = (
        Cell(at // cols, at % cols, (Block("paragraph", text),) if text else ())
        for at, text in ((at, found.get(at + 1, "")) for at in range(rows * cols))
    )
    return [Block("table", cells=tuple(cells))] if any(found.values()) else []


class _Grid:
    """Reads the cells of a grid one after the other."""

    def __init__(self, data: bytes, matrix: re.Match[bytes], count: int) -> None:
        self._data = data
        self._place = matrix.end()
        self._count = count
        self._names = {int.from_bytes(matrix[1], "little"): b"VtObject"}

    def read(self) -> dict[int, str]:
        """Return the text of each filled cell by its number, from 1 and row by row."""
        found: dict[int, str] = {}
        while len(found) < self._count:
            (number,) = struct.unpack_from("<I", self._data, self._place)
            if not 0 < number <= self._count:
                break
            self._place += 4
            found[number] = self._value(self._type())
            # A value (VtValue) is an object (VtObject); neither has data of its own.
            self._type()
            self._type()
        return found

    def _type(self) -> bytes:
        """Take the number of a type and, where it is the first, its name and version."""
        (number,) = struct.unpack_from("<I", self._data, self._place)
        self._place += 4
        if number not in self._names:
            (length,) = struct.unpack_from("<H", self._data, self._place)
            name = self._data[self._place + 2 : self._place + 2 + length]
            if not name.startswith(b"Vt") or not name.endswith(b"\0"):
                raise Corrupt("the data grid of the chart holds what no chart holds")
            self._names[number] = name[:-1]
            self._place += 2 + length + 2
        return self._names[number]

    def _value(self, name: bytes) -> str:
        if name == b"VtString":
            (length,) = struct.unpack_from("<H", self._data, self._place)
            stored = self._data[self._place + 2 : self._place + 2 + length]
            # One byte more stands behind what the length counts.
            self._place += 2 + length + 1
            return _text(stored)
        if name not in _NUMBERS:
            raise Corrupt("the data grid of the chart holds values of an unknown type")
        (value,) = struct.unpack_from(_NUMBERS[name], self._data, self._place)
        self._place += struct.calcsize(_NUMBERS[name])
        return show_number(value, "General")


def _text(stored: bytes) -> str:
    """Return a string that is stored twice: in CP949, and after a zero and one byte in UTF-16."""
    narrow, _, rest = stored.partition(b"\0")
    wide = rest[1:].decode("utf-16-le", "ignore").partition("\0")[0]
    return clean(wide or narrow.decode("cp949", "replace")).strip()
