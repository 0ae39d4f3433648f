"""HWP 5 streams: bounded inflate, and records as a tree (한글문서파일형식 5.0 revision 1.3, 3.2 and 4.1)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pipelines.errors import Corrupt, TooLarge

# Levels are ten bits wide; a table in a cell costs three of them, and 20 nested tables are the limit elsewhere.
_MAX_NESTING = 120
# The largest real section seen (the format's own specification) has 60,000 records.
_MAX_RECORDS = 2_000_000
# Character shapes and line segments: two of five records of a body, and never read.
_UNREAD = frozenset({68, 69})


@dataclass(slots=True)
class Record:
    """A record and those below it."""

    tag: int
    data: bytes
    children: list[Record] = field(default_factory=list)


def descend(records: Iterable[Record]) -> Iterator[Record]:
    """Yield `records` and all below them, each before what is below it."""
    for record in records:
        yield record
        yield from descend(record.children)


def inflate(data: bytes, limit_bytes: int, what: str) -> bytes:
    """Return the raw deflate stream unpacked; `what` names it in messages."""
    unpacker = zlib.decompressobj(-15)
    try:
        out = unpacker.decompress(data, limit_bytes)
        if not unpacker.eof and unpacker.decompress(unpacker.unconsumed_tail, 1):
            raise TooLarge(f"the stream {what} unpacks to more than {limit_bytes >> 20} MB")
    except zlib.error as error:
        raise Corrupt(f"the stream {what} can't be unpacked") from error
    if not unpacker.eof:
        raise Corrupt(f"the stream {what} ends early")
    return out


def read_records(data: bytes, what: str) -> list[Record]:
    """Return the top records of a stream with their children; Corrupt when one is cut or nests too deep."""
    root = Record(0, b"")
    stack: list[tuple[int, Record]] = [(-1, root)]
    position, size, count = 0, len(data), 0
    while position + 4 <= size:
        (head,) = struct.unpack_from("<I", data, position)
        tag, level, length = head & 0x3FF, head >> 10 & 0x3FF, head >> 20
        position += 4
        if length == 0xFFF:
            if position + 4 > size:
                raise Corrupt(f"the stream {what} is cut inside a record")
            (length,) = struct.unpack_from("<I", data, position)
            position += 4
        if position + length > size:
            raise Corrupt(f"the stream {what} is cut inside a record")
        count += 1
        if count > _MAX_RECORDS:
            raise TooLarge(f"the stream {what} holds more than {_MAX_RECORDS} records")
        if tag not in _UNREAD:
            while stack[-1][0] >= level:
                stack.pop()
            record = Record(tag, data[position : position + length])
            stack[-1][1].children.append(record)
            stack.append((level, record))
            if len(stack) > _MAX_NESTING:
                raise Corrupt(f"the stream {what} nests its records deeper than {_MAX_NESTING}")
        position += length
    return root.children
