"""Paragraph heads, numberings and tracked changes from an HWP 5 DocInfo stream.

Layouts: format specification 5.0 revision 1.3, 4.2; that of a tracked change as files show it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from pipelines.parsers.hwp_flow import Head
from pipelines.parsers.hwp_numbers import FORMATS, Level
from pipelines.parsers.hwp_records import Record, descend
from pipelines.parsers.hwp_text import DELETION, INSERTION

_PROPERTIES, _NUMBERING, _PARA_SHAPE, _TRACK_CHANGE = 16, 23, 25, 96
_KINDS = ("none", "outline", "number", "bullet")
_HEAD_BYTES = 12
_LEVELS, _MORE_LEVELS = 7, 3


def read_shapes(records: list[Record]) -> tuple[dict[str, Head], dict[int, list[Level]]]:
    """Return heads by paragraph shape number (as text, from 0) and numberings by number (from 1)."""
    heads: dict[str, Head] = {}
    numberings: dict[int, list[Level]] = {}
    for record in descend(records):
        if record.tag == _PARA_SHAPE:
            heads[str(len(heads))] = _head(record.data)
        elif record.tag == _NUMBERING:
            numberings[len(numberings) + 1] = _levels(record.data)
    return heads, numberings


def section_count(records: list[Record]) -> int:
    """Return how many sections the document says it has; 0 when it doesn't say."""
    properties = next((record.data for record in descend(records) if record.tag == _PROPERTIES), b"")
    return int.from_bytes(properties[:2], "little")


def tracked_deletions(records: list[Record]) -> frozenset[int]:
    """Return which of the document's tracked changes (numbered from 1) are deletions."""
    return frozenset(n for n, kind in enumerate(_changes(records), 1) if kind == DELETION)


def listed_changes(records: list[Record]) -> int:
    """Return how many words were inserted and deleted while changes were tracked; changed shapes don't count.

    Hangul marks them in a copy of the body (ViewText) that isn't read, and lists them here.
    """
    return sum(kind in (INSERTION, DELETION) for kind in _changes(records))


def _changes(records: list[Record]) -> Iterator[int]:
    return (int.from_bytes(one.data[:4], "little") for one in descend(records) if one.tag == _TRACK_CHANGE)


def _head(data: bytes) -> Head:
    (attributes,) = struct.unpack_from("<I", data, 0)
    numbering = struct.unpack_from("<H", data, 30)[0] if len(data) >= 32 else 0
    return Head(_KINDS[attributes >> 23 & 3], attributes >> 25 & 7, numbering)


def _levels(data: bytes) -> list[Level]:
    """Read seven levels and their first numbers (since 5.0.2.5), then three more (since 5.1.0.0)."""
    parts, place = _patterns(data, 0, _LEVELS)
    first = struct.unpack_from("<H", data, place)[0] if place + 2 <= len(data) else 1
    starts, place = _starts(data, place + 2, _LEVELS, first)
    if place + _HEAD_BYTES < len(data):
        more, place = _patterns(data, place, _MORE_LEVELS)
        more_starts, _ = _starts(data, place, _MORE_LEVELS, 1)
        parts, starts = parts + more, starts + more_starts
    return [Level(pattern, kind, start) for (pattern, kind), start in zip(parts, starts, strict=True)]


def _patterns(data: bytes, place: int, count: int) -> tuple[list[tuple[str, str]], int]:
    """Return (pattern, number format) of `count` levels and the place after them."""
    parts: list[tuple[str, str]] = []
    for _ in range(count):
        (attributes,) = struct.unpack_from("<I", data, place)
        (length,) = struct.unpack_from("<H", data, place + _HEAD_BYTES)
        text = data[place + _HEAD_BYTES + 2 : place + _HEAD_BYTES + 2 + 2 * length].decode("utf-16-le", "ignore")
        code = attributes >> 5 & 15
        parts.append((text, FORMATS[code] if code < len(FORMATS) else "DIGIT"))
        place += _HEAD_BYTES + 2 + 2 * length
    return parts, place


def _starts(data: bytes, place: int, count: int, first: int) -> tuple[list[int], int]:
    """Return the first number of each level; older files only say `first`, that of the top level."""
    if place + 4 * count > len(data):
        return [max(1, first), *[1] * (count - 1)], place
    return list(struct.unpack_from(f"<{count}I", data, place)), place + 4 * count
