"""Where an .xls workbook says that its cells stand, looked at before a reader believes it.

python-calamine reserves memory for the whole rectangle between a sheet's first and last cell. A request beyond the
limit ends the process, where no exception can be caught, so it must never be made.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from pipelines.errors import Corrupt
from pipelines.parsers.ole_chains import check_chains
from pipelines.records import Limits

# MS-XLS 2.3.1: end of a part, BoundSheet8, Dimensions, and the records that hold a cell's row and column first.
_END, _SHEET, _DIMENSIONS = 0x0A, 0x85, (0x00, 0x200)
_CELLS = frozenset({0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xBD, 0xD6, 0xFD, 0x203, 0x204, 0x205, 0x207, 0x27E})
# MS-XLS 2.5.37 and 2.5.247: a sheet has 256 columns and 65,536 rows (which 16 bits can't exceed).
_COLUMNS, _ROWS = 256, 65536
# MS-OFFCRYPTO 2.5.1.1 and 2.5.2.1: one stream of all signatures by the older way, a storage with one each by the newer.
_SIGNED = ("_signatures", "_xmlsignatures")


def check_places(stream: bytes) -> None:
    """Raise Corrupt when a cell stands outside the grid that a sheet can have, or a stream never ends."""
    named = [body for kind, body in records(stream, 0) if kind == _SHEET and len(body) >= 4]
    for place in sorted({struct.unpack_from("<I", body)[0] for body in named}):
        if any(_outside(kind, body) for kind, body in records(stream, place)):
            raise Corrupt("the workbook has cells outside the grid of an .xls sheet")


def _outside(kind: int, body: bytes) -> bool:
    if kind in _CELLS and len(body) >= 4:
        return bool(struct.unpack_from("<H", body, 2)[0] >= _COLUMNS)
    if kind in _DIMENSIONS and len(body) >= 14:
        first, last, left, right = struct.unpack_from("<IIHH", body)
        return not (first <= last <= _ROWS and left <= right <= _COLUMNS)
    return False


def records(stream: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """Yield type and payload of the records from `at` to the end of that part."""
    while at + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        yield kind, stream[at + 4 : at + 4 + size]
        if kind == _END:
            return
        at += 4 + size


class Stored(NamedTuple):
    """The records of a workbook and how many digital signatures lie beside them (MS-OFFCRYPTO 2.5)."""

    records: bytes
    signatures: int


def stored_workbook(file: BinaryIO, limits: Limits) -> Stored:
    """Return what the container holds; raises Corrupt when there are no records."""
    import olefile

    file.seek(0)
    try:
        with olefile.OleFileIO(file) as ole:
            check_chains(ole)
            name = next(name for name in ("Workbook", "Book") if ole.exists(name))
            stream = bytes(ole.openstream(name).read(limits.file_mb << 20))
            return Stored(stream, sum(path[0] in _SIGNED for path in ole.listdir(streams=True, storages=False)))
    except Exception as error:
        raise Corrupt("the OLE container is damaged or cut short") from error
