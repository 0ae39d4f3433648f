"""Periods in names and titles: 2026_Q1, 2026년 3월, 상반기, 9월 2주차, and the day on which they end."""

from __future__ import annotations

import calendar
import re
import unicodedata
from datetime import date, timedelta

_FULL_DATE = re.compile(r"(?<!\d)(?:19|20)?\d{2}[-_. ]?(?:0[1-9]|1[0-2])[-_. ]?(?:0[1-9]|[12]\d|3[01])(?!\d)")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})(?!\d)|(?<!\d)(\d{2})\s*년(?!\s*[차간])")
_YEAR_MONTH = re.compile(r"(?<!\d)(?:19|20)\d{2}[-_. ]?(0[1-9]|1[0-2])(?!\d)")
_WEEK = re.compile(r"(?<!\d)(1[0-2]|0?[1-9])\s*월\s*(?:제\s*)?([1-5]|첫|둘|셋|넷|다섯)째?\s*주")
_MONTH = re.compile(r"(?<!\d)(1[0-2]|0?[1-9])\s*월(?![가-힣]*급)")
_QUARTER = re.compile(
    r"(?<!\d)([1-4])\s*(?:/\s*4\s*)?분기|(?<![a-z])q([1-4])(?!\d)|(?<!\d)([1-4])q(?![a-z])", re.IGNORECASE
)
_HALF = re.compile(r"([상하])반기|(?<![a-z\d])h([12])(?!\d)|(?<!\d)([12])h(?![a-z])", re.IGNORECASE)
_ORDINALS = {"첫": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5}
# A plan for January is written in December: half a year after its end a period without a year means the next one.
_HALF_YEAR = timedelta(days=183)


def period_end(text: str, written: date) -> date | None:
    """Return the last day of the latest period that `text` names, None without one.

    A year that isn't said is that of `written`, the document's own date. Weeks run from Monday to Sunday, and the first
    of a month is the one with its first Thursday (ISO 8601, KS X ISO 8601). A full date is no period.
    """
    text = _FULL_DATE.sub(" ", unicodedata.normalize("NFKC", text))
    years = [int(found[1] or f"20{found[2]}") for found in _YEAR.finditer(text)]
    year = max(years, default=written.year)
    ends = _ends(text, year)
    if not ends:
        spoken = re.search(r"\d\s*년", text)
        return date(year, 12, 31) if years and spoken else None
    if not years and written - max(ends) > _HALF_YEAR:
        ends = _ends(text, year + 1)
    return max(ends)


def _ends(text: str, year: int) -> list[date]:
    weeks = [_week_end(year, int(found[1]), found[2]) for found in _WEEK.finditer(text)]
    text = _WEEK.sub(" ", text)
    months = [int(found[1]) for pattern in (_YEAR_MONTH, _MONTH) for found in pattern.finditer(text)]
    months += [3 * int(found[1] or found[2] or found[3]) for found in _QUARTER.finditer(text)]
    months += [6 if (found[1] or found[2] or found[3]) in ("상", "1") else 12 for found in _HALF.finditer(text)]
    return weeks + [date(year, month, calendar.monthrange(year, month)[1]) for month in months]


def _week_end(year: int, month: int, week: str) -> date:
    """Return the Sunday of the month's n-th week; a fifth that has no Thursday was counted from the first day."""
    weeks = timedelta(days=7 * ((_ORDINALS.get(week) or int(week)) - 1))
    first = date(year, month, 1)
    thursday = first + timedelta(days=(3 - first.weekday()) % 7) + weeks
    if thursday.month == month:
        return thursday + timedelta(days=3)
    return first + timedelta(days=6 - first.weekday()) + weeks
