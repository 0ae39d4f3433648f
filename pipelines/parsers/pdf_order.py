"""Reading order: the stream's own where it goes down the page, mended where it jumps back up."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

from pipelines.parsers.pdf_lines import WRAP_WIDTH, Line, Part

# The work is quadratic; a page of more parts (a map, a plan) has no order to mend. A full page of text has 60 lines.
_MAX_PARTS = 400
# Two parts are one below the other when they share this much of the narrower one's width.
_SHARED_WIDTH = 0.3
# Lines may touch: a part is above another when no more than this share of the lower one's height is beside it.
_SHARED_HEIGHT = 0.3
# Text boxes and tables are drawn late on many a page; when the stream jumps back more often than this, and once in so
# many parts, it says nothing about the order. Lines at random jump once in four.
_JUMPS = 3
_SCRAMBLED = 0.1
# Points of white that part two columns.
_GUTTER = 8.0
_DEPTH = 20
# So many pairs of long lines side by side, this share of the left ones ending at one edge, are two columns of prose.
_PAIRS = 4
_SET_SHARE = 0.6


def in_order(parts: Sequence[Part]) -> list[Part]:
    """Return the parts of a page in the order in which a person reads them.

    Where a part comes after one that stands below it, the lower one waits; all else keeps the stream's order, which
    knows columns and boxes better than their places do. A scrambled stream is cut into columns and bands.
    """
    found = _by_columns(_right_to_left(_turned_last(parts)))
    if not 1 < len(found) <= _MAX_PARTS:
        return found
    if all(lower.top >= upper.top for upper, lower in pairwise(found)):
        return found
    if not any(_is_above(found[j], found[i]) for j in range(len(found)) for i in range(j)):
        return found
    jumps = sum(_is_above(lower, upper) for upper, lower in pairwise(found))
    if jumps > _JUMPS + _SCRAMBLED * len(found):
        return _cut(found, _DEPTH)
    return _outermost(_waiting(found))


def _turned_last(parts: Sequence[Part]) -> list[Part]:
    """Put text that runs up or down a margin after the text of the page, when it is the lesser part."""
    turned = [part for part in parts if isinstance(part, Line) and part.reach and not part.vertical]
    if len(turned) * 2 > len(parts):
        return list(parts)
    apart = set(map(id, turned))
    return [part for part in parts if id(part) not in apart] + turned


def _right_to_left(parts: Sequence[Part]) -> list[Part]:
    """Put neighbouring columns of vertical writing from right to left, one band of them after the other."""
    found: list[Part] = []
    run: list[Line] = []
    for part in [*parts, None]:
        if isinstance(part, Line) and part.vertical:
            run.append(part)
            continue
        found += _bands(run)
        run = []
        found += [part] if part is not None else []
    return found


def _bands(columns: Sequence[Line]) -> list[Line]:
    bands: list[list[Line]] = []
    for column in sorted(columns, key=lambda column: column.top):
        if bands and column.top < max(other.bottom for other in bands[-1]) - column.size:
            bands[-1].append(column)
        else:
            bands.append([column])
    return [column for band in bands for column in sorted(band, key=lambda column: -column.left)]


def _by_columns(parts: list[Part]) -> list[Part]:
    """Part two columns of prose that the stream draws line by line across both; cells of a table are ragged."""
    pairs = [n for n in range(len(parts) - 1) if _is_across(parts[n], parts[n + 1])]
    if len(pairs) < _PAIRS:
        return parts
    first, last = pairs[0], pairs[-1] + 2
    edge = max(parts[n].right for n in pairs)
    split = min(parts[n + 1].left for n in pairs)
    full = sum(edge - parts[n].right < parts[n].bottom - parts[n].top for n in pairs)
    stretch = parts[first:last]
    if full < _SET_SHARE * len(pairs) or any(part.left < split - 1 and part.right > split for part in stretch):
        return parts
    left = [part for part in stretch if part.right <= split]
    right = [part for part in stretch if part.left >= split - 1]
    return [*parts[:first], *left, *right, *parts[last:]]


def _is_across(part: Part, other: Part) -> bool:
    """Tell whether two long lines stand side by side."""
    if not isinstance(part, Line) or not isinstance(other, Line) or abs(part.y - other.y) > part.size / 2:
        return False
    long = min(part.right - part.left, other.right - other.left) > WRAP_WIDTH * part.size
    return long and other.left - part.right >= _GUTTER


def _is_above(part: Part, other: Part) -> bool:
    """Tell whether `part` stands over `other` in one column of the page."""
    shared = min(part.right, other.right) - max(part.left, other.left)
    if shared < _SHARED_WIDTH * min(part.right - part.left, other.right - other.left) or shared <= 0:
        return False
    return part.top < other.top and part.bottom - other.top < _SHARED_HEIGHT * (other.bottom - other.top)


def _waiting(parts: Sequence[Part]) -> list[Part]:
    """Return the parts in stream order, each after all that stand above it."""
    below: list[list[int]] = [[] for _ in parts]
    waits = [0] * len(parts)
    for i, upper in enumerate(parts):
        for j, lower in enumerate(parts):
            if i != j and _is_above(upper, lower):
                below[i].append(j)
                waits[j] += 1
    ready = [n for n, count in enumerate(waits) if not count]
    heapify(ready)
    found = []
    while ready:
        n = heappop(ready)
        found.append(parts[n])
        for j in below[n]:
            waits[j] -= 1
            if not waits[j]:
                heappush(ready, j)
    return found


def _outermost(parts: list[Part]) -> list[Part]:
    """Put what stands above all other parts first and what stands below them last: a header, a page's number."""
    first, last = min(parts, key=lambda part: part.bottom), max(parts, key=lambda part: part.top)
    others = [part for part in parts if part is not first and part is not last]
    if first is last or not others:
        return parts
    start = [first] if all(part.top >= first.bottom for part in others) else []
    end = [last] if all(part.bottom <= last.top for part in others) else []
    apart = set(map(id, (*start, *end)))
    return [*start, *(part for part in parts if id(part) not in apart), *end]


def _cut(parts: Sequence[Part], depth: int) -> list[Part]:
    """Cut a region into its columns, else at its widest white band, and so on in each half."""
    if len(parts) < 2 or not depth:
        return _by_rows(parts)
    columns = _columns(parts)
    if columns:
        return _cut(columns[0], depth - 1) + _cut(columns[1], depth - 1)
    halves = _halves(parts)
    if halves:
        return _cut(halves[0], depth - 1) + _cut(halves[1], depth - 1)
    return _by_rows(parts)


def _columns(parts: Sequence[Part]) -> tuple[list[Part], list[Part]] | None:
    """Return the parts left and right of the first gutter that has lines on both sides, None without one."""
    ordered = sorted(parts, key=lambda part: part.left)
    reach = ordered[0].right
    for n in range(1, len(ordered)):
        if ordered[n].left - reach >= _GUTTER and min(n, len(ordered) - n) > 1:
            return ordered[:n], ordered[n:]
        reach = max(reach, ordered[n].right)
    return None


def _halves(parts: Sequence[Part]) -> tuple[list[Part], list[Part]] | None:
    ordered = sorted(parts, key=lambda part: part.top)
    reach = ordered[0].bottom
    best, widest = 0, 0.0
    for n in range(1, len(ordered)):
        if ordered[n].top - reach > widest:
            best, widest = n, ordered[n].top - reach
        reach = max(reach, ordered[n].bottom)
    return (ordered[:best], ordered[best:]) if best else None


def _by_rows(parts: Sequence[Part]) -> list[Part]:
    """Return the parts from top to bottom, those on one line from left to right."""
    rows: list[list[Part]] = []
    for part in sorted(parts, key=lambda part: (part.top + part.bottom) / 2):
        middle = (part.top + part.bottom) / 2
        if rows and middle < rows[-1][0].bottom and isinstance(part, Line) and isinstance(rows[-1][0], Line):
            rows[-1].append(part)
        else:
            rows.append([part])
    return [part for row in rows for part in sorted(row, key=lambda part: part.left)]
