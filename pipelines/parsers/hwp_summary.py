"""The summary of an HWP 5 file: an OLE property set (MS-OLEPS) under Hancom's own format id."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pipelines.parsers.old_hangul import plain
from pipelines.parsers.text import clean

_TITLE, _AUTHOR, _CREATED, _MODIFIED, _PAGES = 2, 4, 12, 13, 14
_INT, _TEXT, _TIME = 3, 31, 64
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
# A property set of Hangul has 14 to 20 properties.
_MAX_PROPERTIES = 1000


@dataclass(frozen=True, slots=True)
class Summary:
    """What the document says of itself; times are UTC."""

    title: str | None = None
    author: str | None = None
    created_at: datetime | None = None
    modified_at: datetime | None = None
    pages: int | None = None


def read_summary(data: bytes) -> Summary:
    """Read the property set; a damaged one gives what could be read before the damage."""
    values: dict[int, object] = {}
    with suppress(struct.error):
        for number, value in _properties(data):
            values[number] = value
    return Summary(
        title=_string(values.get(_TITLE)),
        author=_string(values.get(_AUTHOR)),
        created_at=_time(values.get(_CREATED)),
        modified_at=_time(values.get(_MODIFIED)),
        pages=_count(values.get(_PAGES)),
    )


def _properties(data: bytes) -> Iterator[tuple[int, object]]:
    """Yield (property id, value): text, a FILETIME wrapped in a timedelta, or an integer."""
    if not data:
        return
    (start,) = struct.unpack_from("<I", data, 44)
    (count,) = struct.unpack_from("<I", data, start + 4)
    for index in range(min(count, _MAX_PROPERTIES)):
        number, offset = struct.unpack_from("<II", data, start + 8 + 8 * index)
        place = start + offset
        (kind,) = struct.unpack_from("<I", data, place)
        if kind == _TEXT:
            (length,) = struct.unpack_from("<I", data, place + 4)
            yield number, data[place + 8 : place + 8 + 2 * length].decode("utf-16-le", "ignore").partition("\0")[0]
        elif kind == _TIME:
            (ticks,) = struct.unpack_from("<Q", data, place + 4)
            yield number, timedelta(microseconds=min(ticks, 1 << 62) // 10)
        elif kind == _INT:
            yield number, struct.unpack_from("<i", data, place + 4)[0]


def _string(value: object) -> str | None:
    return (clean(plain(value)).strip() or None) if isinstance(value, str) else None


def _time(value: object) -> datetime | None:
    """Return the moment; None for zero and for what no calendar holds."""
    if not isinstance(value, timedelta) or not value:
        return None
    try:
        return _EPOCH + value
    except OverflowError:
        return None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
