"""The edges of a printed page: lines in its margin that keep away from the text, as headers and footers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, median_low
from typing import NamedTuple

from pipelines.parsers.pdf_lines import Line, PageText, Part

# Hancom's default keeps 35 mm of A4 free of text at the top (.12 of its height), Word's less.
_MARGIN = 0.12
# Rows of a header or footer; below it is a gap wider than between the lines of the text, by this much.
_ROWS = 2
_GAP = 1.5
# Distance of two lines (in sizes) where a page has too few to measure; 1.6 is Hancom's default.
_PITCH = 1.6
# What is further apart is no line after a line.
_FAR = 5.0
_SAME_ROW = 0.5


@dataclass(frozen=True, slots=True)
class PageEdges:
    """The lines that stand apart at the top and at the bottom of a page, and whether it has anything else."""

    top: tuple[Line, ...] = ()
    bottom: tuple[Line, ...] = ()
    alone: bool = False


class _Row(NamedTuple):
    """What stands at one height; tables and turned text have no lines here."""

    upper: float
    lower: float
    lines: tuple[Line, ...]


def edges_of(page: PageText) -> PageEdges:
    """Return what of a page may be its header and footer, whatever was drawn first."""
    rows = _rows(page.parts)
    lines = [line for row in rows for line in row.lines]
    if not lines or page.bottom <= page.top:
        return PageEdges()
    gap = _GAP * max(_PITCH * median(line.size for line in lines), _pitch(rows))
    margin = _MARGIN * (page.bottom - page.top)
    mirrored = sorted((_Row(-row.lower, -row.upper, row.lines) for row in rows), key=lambda row: row.upper)
    top = _outer(rows, page.top + margin, gap)
    bottom = [line for line in _outer(mirrored, margin - page.bottom, gap) if line not in top]
    return PageEdges(tuple(top), tuple(bottom), alone=len(rows) == 1)


def _rows(parts: Sequence[Part]) -> list[_Row]:
    rows: list[_Row] = []
    for upper, lower, line in sorted(map(_placed, parts), key=lambda place: place[0]):
        before = rows[-1] if rows else None
        if line and before and before.lines and upper - before.lower < _SAME_ROW * line.size:
            rows[-1] = before._replace(lower=max(before.lower, lower), lines=(*before.lines, line))
        else:
            rows.append(_Row(upper, lower, (line,) if line else ()))
    return rows


def _placed(part: Part) -> tuple[float, float, Line | None]:
    if not isinstance(part, Line):
        return part.top, part.bottom, None
    return part.y, part.y + part.reach, None if part.reach else part


def _pitch(rows: Sequence[_Row]) -> float:
    """Return the usual distance of two lines, 0 when no two follow each other."""
    steps = [
        below.upper - row.lower
        for row, below in pairwise(rows)
        if row.lines and below.lines and below.upper - row.lower < _FAR * below.lines[0].size
    ]
    return median_low(steps) if steps else 0.0


def _outer(rows: Sequence[_Row], limit: float, gap: float) -> list[Line]:
    """Return the lines above `limit` that a gap keeps away from the rest, for rows from the outside in."""
    found: list[Line] = []
    outer: list[Line] = []
    for place, row in enumerate(rows[:_ROWS]):
        if not row.lines or row.upper > limit:
            break
        outer += row.lines
        if len(rows) == 1 or (place + 1 < len(rows) and rows[place + 1].upper - row.lower > gap):
            found = list(outer)
    return found
