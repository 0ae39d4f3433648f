"""The text of an HWP 5 paragraph: words, the places of its controls, and what tracked changes deleted from it.

Characters and range tags: format specification 5.0 revision 1.3, tables 6 and 63. A control stands in the text as a
character that takes eight 16-bit units and names the control's id. That a range tag of kind 0x11 names a tracked
deletion isn't in the specification: it follows from files that exist in both formats.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice

# Characters of eight units: those that stand for a control, and those that only carry data (tabs, field ends).
_ANCHORS = frozenset({1, 2, 3, 11, 12, 14, 15, 16, 17, 18, 21, 22, 23})
_WIDE = frozenset({4, 5, 6, 7, 8, 9, 19, 20})
_NARROW = {10: "\n", 24: "-", 30: " ", 31: " "}
_FIELD_END, _TAB = 4, 9
INSERTION, DELETION = 0x10, 0x11

# Where Hancom's signs (U+F0000 to U+F08FF) stand in documents of 16-bit characters: over scripts that it doesn't know.
_FOLDED = re.compile("[\ua000-\ua8ff]")

# Stands for the end of a field among the ids of controls, which have four bytes.
FIELD_END = b"\x04"


def pieces(text: bytes) -> Iterator[tuple[int, str | bytes]]:
    """Yield (place in 16-bit units, words), and for each anchored control its four-byte id or FIELD_END."""
    place, start, size = 0, 0, len(text) & ~1
    while place < size:
        code = text[place] | text[place + 1] << 8
        if code > 31:
            place += 2
            continue
        if place > start:
            yield start // 2, text[start:place].decode("utf-16-le", "surrogatepass")
        if code in _ANCHORS:
            yield place // 2, text[place + 2 : place + 6]
            place += 16
        elif code in _WIDE:
            if code == _TAB:
                yield place // 2, "\t"
            elif code == _FIELD_END:
                yield place // 2, FIELD_END
            place += 16
        else:
            if code in _NARROW:
                yield place // 2, _NARROW[code]
            place += 2
        start = place
    if size > start:
        yield start // 2, text[start:size].decode("utf-16-le", "surrogatepass")


def kept_pieces(text: bytes, deleted: Sequence[tuple[int, int]]) -> Iterator[tuple[str | bytes, bool]]:
    """Yield the pieces, each with whether it stays; words are cut where a deletion begins or ends.

    `deleted` is in order and without overlaps, as deleted_ranges returns it.
    """
    ahead = 0
    for place, piece in pieces(text):
        while ahead < len(deleted) and deleted[ahead][1] <= place:
            ahead += 1
        if ahead == len(deleted):
            yield piece, True
        elif isinstance(piece, bytes):
            yield piece, place < deleted[ahead][0]
        else:
            yield from _cut(place, piece, islice(deleted, ahead, None))


def _cut(place: int, words: str, deleted: Iterable[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    units = words.encode("utf-16-le", "surrogatepass")
    at, end = place, place + len(units) // 2
    for first, last in deleted:
        if first >= end:
            break
        for until, stays in ((max(first, at), True), (min(last, end), False)):
            if until > at:
                yield units[2 * (at - place) : 2 * (until - place)].decode("utf-16-le", "surrogatepass"), stays
                at = until
    if end > at:
        yield units[2 * (at - place) :].decode("utf-16-le", "surrogatepass"), True


def deleted_ranges(tags: bytes, deletions: Container[int]) -> list[tuple[int, int]]:
    """Return the closed-open ranges of tracked deletions in order, joined where they touch.

    `deletions` are the numbers of the tracked changes that delete; highlights and proof marks are range tags too.
    """
    found = sorted(
        (start, end)
        for start, end, tag in struct.iter_unpack("<III", tags[: len(tags) // 12 * 12])
        if tag >> 24 == DELETION and tag & 0xFFFFFF in deletions and start < end
    )
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def unfolded(text: str) -> str:
    """Return `text` with Hancom's signs at their places in plane 15, where HWPX has them."""
    return _FOLDED.sub(lambda match: chr(0xF0000 | ord(match[0]) & 0xFFF), text)


def counted_string(data: bytes, place: int) -> tuple[str, int]:
    """Return the counted string at `place` and the place after it."""
    if place + 2 > len(data):
        return "", place
    (length,) = struct.unpack_from("<H", data, place)
    end = place + 2 + 2 * length
    return data[place + 2 : end].decode("utf-16-le", "ignore"), end
