"""The order in which a reader meets what lies on a slide: rows from the top, in a row from left to right.

A region is cut along its empty stripes, first into rows, then into columns (recursive XY cut, Nagy and Seth 1984). A
card drawn behind several texts holds them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")

# Shapes whose tops lie within half an inch (EMU) are one row where no empty stripe divides them.
_ROW = 457_200
# Text frames overlap by their inner margins: a tenth of an inch at both ends, or a tenth of a small frame, is empty.
_MARGIN, _MARGIN_SHARE = 91_440, 0.1
# Cuts inside cuts; slides that people draw need 3 or 4.
_MAX_DEPTH = 12


class Box(NamedTuple):
    """Left, top, width and height in EMU."""

    x: float
    y: float
    wide: float
    high: float


def reading_order(units: Sequence[tuple[Box, bool, Item]]) -> list[Item]:
    """Return the items in reading order; the flag says whether one holds words or only lies behind them."""
    return [units[place][2] for place in _read(list(range(len(units))), units, 0)]


def _read(places: list[int], units: Sequence[tuple[Box, bool, Item]], depth: int) -> list[int]:
    if len(places) < 2:
        return places
    if depth >= _MAX_DEPTH:
        return _by_rows(places, units)
    for span in (_height, _width):
        stripes = _cut(places, lambda place, span=span: span(units[place][0]))  # type: ignore[misc]
        if len(stripes) > 1:
            return [place for stripe in stripes for place in _read(stripe, units, depth + 1)]
    behind = [place for place in places if not units[place][1]]
    if not behind or len(behind) == len(places):
        return _by_rows(places, units)
    # Whatever lies behind everything else hides the empty stripes: without the largest one they may show.
    largest = max(behind, key=lambda place: units[place][0].wide * units[place][0].high)
    return [largest, *_read([place for place in places if place != largest], units, depth + 1)]


def _cut(places: Iterable[int], span: Callable[[int], tuple[float, float]]) -> list[list[int]]:
    """Divide at every stripe that no item reaches into."""
    stripes: list[list[int]] = []
    end = 0.0
    for (start, stop), place in sorted((span(place), place) for place in places):
        if stripes and start < end:
            stripes[-1].append(place)
            end = max(end, stop)
        else:
            stripes.append([place])
            end = stop
    return [sorted(stripe) for stripe in stripes]


def _height(box: Box) -> tuple[float, float]:
    return _shrunk(box.y, box.high)


def _width(box: Box) -> tuple[float, float]:
    return _shrunk(box.x, box.wide)


def _shrunk(start: float, size: float) -> tuple[float, float]:
    margin = min(_MARGIN, size * _MARGIN_SHARE)
    # A frame without height still takes its place: two at the same top stand beside each other.
    return start + margin, max(start + size - margin, start + margin + 1.0)


def _by_rows(places: list[int], units: Sequence[tuple[Box, bool, Item]]) -> list[int]:
    rows: list[list[int]] = []
    for place in sorted(places, key=lambda place: units[place][0].y):
        if rows and units[place][0].y - units[rows[-1][0]][0].y < _ROW:
            rows[-1].append(place)
        else:
            rows.append([place])
    return [place for row in rows for place in sorted(row, key=lambda place: units[place][0].x)]
