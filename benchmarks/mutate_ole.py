"""Damage inside an OLE container: the records of HWP streams (unpacked and packed again) and those of a workbook."""

from __future__ import annotations

import io
import struct
import sys
import zlib
from pathlib import Path
from random import Random

import olefile
from mutate_bytes import EDGES, mutated_bytes

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "tests")]

from ole_writer import write_ole  # noqa: E402

# ole_writer writes no DIFAT: 109 FAT sectors span 6.8 MB.
_LARGEST = 6 << 20

Record = tuple[int, int, bytes]  # tag, level, payload
Streams = dict[str, bytes]


def mutated_ole(data: bytes, dice: Random) -> bytes:
    """Return the compound file with one or two streams changed; one that can't be read takes damage as bytes."""
    streams = _unpacked(data)
    if not streams or dice.random() < 0.15:
        return mutated_bytes(data, dice)
    for _ in range(dice.choice((1, 1, 2))):
        _change(streams, dice)
    try:
        return write_ole(streams)
    except ValueError:
        return mutated_bytes(data, dice)


def _unpacked(data: bytes) -> Streams:
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as ole:
            streams = {"/".join(path): ole.openstream(path).read() for path in ole.listdir()}
    except Exception:
        return {}
    return streams if sum(map(len, streams.values())) < _LARGEST else {}


def _change(streams: Streams, dice: Random) -> None:
    names = [name for name in streams if name.startswith(("BodyText/", "DocInfo", "Workbook", "Book"))]
    name = dice.choice(names) if names and dice.random() < 0.85 else dice.choice(list(streams))
    data = streams[name]
    if name.startswith(("BodyText/", "DocInfo")):
        streams[name] = _hwp_stream(data, dice)
    elif name in ("Workbook", "Book"):
        streams[name] = _workbook(data, dice)
    elif dice.random() < 0.1 and len(streams) > 1:
        del streams[name]
    else:
        streams[name] = mutated_bytes(data, dice)


def _hwp_stream(data: bytes, dice: Random) -> bytes:
    """Change the records of a stream, in raw deflate or plain, as it came."""
    try:
        plain, packed = zlib.decompressobj(-15).decompress(data, _LARGEST), True
    except zlib.error:
        plain, packed = data, False
    if dice.random() < 0.15:
        plain = mutated_bytes(plain, dice)
    else:
        records = _records(plain)
        for _ in range(dice.choice((1, 2, 3, 8))):
            _change_record(records, dice)
        plain = b"".join(_record(record, dice) for record in records)
    if not packed:
        return plain
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    deflated = packer.compress(plain) + packer.flush()
    return mutated_bytes(deflated, dice) if dice.random() < 0.05 else deflated


def _records(data: bytes) -> list[Record]:
    """Return tag, level and payload (HWP 5.0 specification, 4.1: 10 bits tag, 10 level, 12 size, 4,095 = long)."""
    found = []
    at = 0
    while at + 4 <= len(data):
        (head,) = struct.unpack_from("<I", data, at)
        at += 4
        size = head >> 20
        if size == 0xFFF and at + 4 <= len(data):
            (size,) = struct.unpack_from("<I", data, at)
            at += 4
        found.append((head & 0x3FF, head >> 10 & 0x3FF, data[at : at + size]))
        at += size
    return found


def _record(record: Record, dice: Random) -> bytes:
    tag, level, payload = record
    size = len(payload)
    if dice.random() < 0.0005:
        size = max(0, size + dice.choice((-1, 1, 4, 1000)))
    long = struct.pack("<I", size) if size >= 0xFFF else b""
    return struct.pack("<I", tag | level << 10 | min(size, 0xFFF) << 20) + long + payload


def _change_record(records: list[Record], dice: Random) -> None:
    if not records:
        records.append((66, 0, b""))
    at = dice.randrange(len(records))
    tag, level, payload = records[at]
    act = dice.randrange(9)
    if act == 0:
        del records[at]
    elif act == 1:
        end = at + dice.choice((1, 2, 10))
        records[end:end] = records[at:end] * dice.choice((1, 1, 20))
    elif act == 2:
        other = dice.randrange(len(records))
        records[at], records[other] = records[other], records[at]
    elif act == 3:
        records[at] = (tag, dice.choice((0, 1, level + 1, max(0, level - 1), 500, 1023)), payload)
    elif act == 4:
        records[at] = (dice.choice(records)[0], level, payload)
    elif act == 5:
        records[at] = (tag, level, mutated_bytes(payload, dice))
    elif act == 6:
        # Each table, list or shape one level deeper: a document inside itself.
        records[at:at] = [(t, min(1023, lv + n), p) for n in range(40) for t, lv, p in records[max(0, at - 4) : at]]
    else:
        records[at] = (tag, level, _edge_field(payload, dice))


def _edge_field(payload: bytes, dice: Random) -> bytes:
    """Put an edge number on a field's place: fields stand on even places."""
    size = dice.choice((2, 2, 4))
    at = 2 * dice.randrange(max(1, len(payload) // 2))
    return payload[:at] + struct.pack("<q", dice.choice(EDGES))[:size] + payload[at + size :]


def _workbook(data: bytes, dice: Random) -> bytes:
    """Change the records of a BIFF stream (MS-XLS 2.1.4: type and size of 16 bits each)."""
    records = []
    at = 0
    while at + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, at)
        records.append((kind, 0, data[at + 4 : at + 4 + size]))
        at += 4 + size
    for _ in range(dice.choice((1, 2, 4))):
        _change_record(records, dice)
    return b"".join(struct.pack("<HH", kind, len(body) & 0xFFFF) + body for kind, _, body in records)
