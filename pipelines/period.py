"""Periods in names and titles: 2026_Q1, FY26, 2026년 3월, 상반기, 9월 2주차, 2026-W36, and their last days."""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from pipelines.day_spans import DATES, last_days

_YEAR = re.compile(
    r"(?<!\d)(?P<full>(?:19|20)\d{2})(?!\d)|(?<!\d)(?P<said>\d{2})\s*(?:학?년|회계\s*연도)(?!\s*[차간])"
    r"|(?<![a-z])fy\s*['’]?(?P<fiscal>\d{2})(?!\d)|['’](?P<short>\d{2})(?!\d)"
    r"|(?<!\d)(?P<before>\d{2})(?=[qh][1-4](?!\d))|(?<=(?<!\d)[1-4][qh])(?P<after>\d{2})(?!\d)",
    re.IGNORECASE,
)
# What makes a year alone a period: 2026년 계획, 연간 일정, FY26. "API 2026 roadmap" may be a name.
_WHOLE_YEAR = re.compile(
    r"\d\s*년(?!\s*[차간])|연간|연도|(?<![a-z])(?:fy|fiscal|annual|yearly)(?![a-z])|(?<![a-z])fy\s*['’]?\d",
    re.IGNORECASE,
)
_SCHOOL_YEAR = re.compile(r"\d\s*학년도")
_YEARS_LONG = re.compile(r"(?<!\d)([2-9]|10)\s*개년")
_RANGE = re.compile(r"[~∼〜–—→-]|부터|(?<![a-z])to(?![a-z])", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,._'’/-]*(?:년도?)?[\s,._'’/-]*")
_ORDINALS = {"첫": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5, "first": 1, "second": 2, "third": 3, "fourth": 4}
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
# "may" in small letters is a verb, but in may_2026.
_MONTH_NAME = (
    r"(?<![A-Za-z])(?:(?i:(?P<name>jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)(?:(?<=sep)t|(?<=jan)uary|(?<=feb)ruary|"
    r"(?<=mar)ch|(?<=apr)il|(?<=jun)e|(?<=jul)y|(?<=aug)ust|(?<=sep)tember|(?<=oct)ober|(?<=nov)ember|(?<=dec)ember)?)"
    r"|(?P<may>May|MAY|may(?=[\s_-]*(?:19|20)\d{2})|(?<=20\d\d[\s_-])may))(?![A-Za-z])"
)
# Kinds of periods, in the order in which they are looked for; what one took is no other's.
_PERIODS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("week_of_month", re.compile(
        r"(?<!\d)(?P<month>1[0-2]|0?[1-9])\s*월\s*(?:제\s*)?(?:[1-5]\s*[~-]\s*)?(?P<week>[1-5]|첫|둘|셋|넷|다섯)째?\s*주"
    )),
    ("week", re.compile(
        r"(?<![a-z])(?:w|wk|cw|kw)(?P<week>\d{2})(?!\d)|(?<=(?:19|20)\d\d)[\s_-]?(?:w|week)[\s_-]?(?P<short>\d{1,2})(?!\d)"
        r"|(?<=\d년)\s*(?:제\s*)?(?P<said>\d{1,2})\s*주차", re.IGNORECASE
    )),
    ("quarter", re.compile(
        r"(?<!\d)([1-4])\s*(?:/\s*4\s*|사\s*)?분기|(?<![a-z])q([1-4])(?!\d)|(?<!\d)([1-4])q(?![a-eg-z])"
        r"|(?<![a-z])(first|second|third|fourth)[\s_-]quarter", re.IGNORECASE
    )),
    ("half", re.compile(
        r"([상하전후])반기|(?:(?<![a-z\d])|(?<=\d\d))h([12])(?!\d)|(?<!\d)([12])h(?![a-eg-z])"
        r"|(?<![a-z])(first|second)[\s_-]half", re.IGNORECASE
    )),
    ("year_month", re.compile(
        r"(?<=(?:19|20)\d\d)(?:[-_. ]?(?P<month>0[1-9]|1[0-2])(?!\d)|\.\s?(?P<short>[1-9])(?![\d.차호번회]))"
    )),
    ("month", re.compile(
        r"(?<!\d)(?:(?P<first>1[0-2]|0?[1-9])\s*[~∼〜–-]\s*)?(?P<month>1[0-2]|0?[1-9])\s*월(?![가-힣]*급)"
    )),
    ("month_name", re.compile(_MONTH_NAME)),
)  # fmt: skip
# A plan for January is written in December: half a year after its end a period without a year means the next one.
_HALF_YEAR = timedelta(days=183)
# 26년 is a year when it is so near; 10년 and 30년 are how long something lasts.
_NEAR_YEARS = 3


@dataclass(frozen=True, slots=True)
class _Said:
    """A period, and where it stands in the text; `first` is the month on which it begins when that is said."""

    kind: str
    start: int
    end: int
    number: int
    week: int = 0
    first: int = 0

    @property
    def month(self) -> int:
        """The month in which it ends; of a week of the year, about."""
        return (
            {"quarter": 3, "half": 6}.get(self.kind, 1) * self.number if self.kind != "week" else self.number // 5 + 1
        )

    def last_day(self, year: int) -> date | None:
        """Return its last day in `year`, None when that year has no such week."""
        if self.kind == "week_of_month":
            return _week_end(year, self.number, self.week)
        if self.kind == "week":
            return _iso_week_end(year, self.number)
        year += self.first > self.number
        return date(year, self.month, calendar.monthrange(year, self.month)[1])


def period_end(text: str, written: date) -> date | None:
    """Return the last day of the latest period that `text` names, None without one.

    A period belongs to the year beside it, else to the last one named before; a year that isn't said is that of
    `written`, the document's own date. 11월~2월 ends in the year after. Weeks run from Monday to Sunday, and the first
    of a month is the one with its first Thursday (ISO 8601, KS X ISO 8601). FY26 is the calendar year 2026, 2026학년도
    ends with February. One full date is no period, two with a range between them are.
    """
    text = unicodedata.normalize("NFKC", text)
    spans = last_days(text, written)
    text = DATES.sub(lambda found: " " * len(found[0]), text)
    years = [(found, year) for found in _YEAR.finditer(text) if (year := _number(found, written.year))]
    said = sorted(_said(text), key=lambda each: each.start)
    if said:
        ends = _ends(text, said, years, written.year)
        if not years and ends and written - max(ends) > _HALF_YEAR:
            ends = _ends(text, said, years, written.year + 1)
        return max([*ends, *spans], default=None)
    return max(spans, default=None) or _year_end(text, [year for _, year in years])


def _number(found: re.Match[str], written: int) -> int | None:
    """Return a year; 10년 계획, which isn't of these years, is a plan of ten."""
    year = int(found["full"] or f"20{next(part for part in found.groups() if part)}")
    return None if found["said"] and abs(year - written) > _NEAR_YEARS else year


def _year_end(text: str, years: list[int]) -> date | None:
    """Return the end of a year that is the whole period; 2026년 3개년 계획 runs until 2028."""
    if not years:
        return None
    if _SCHOOL_YEAR.search(text):
        return date(max(years) + 1, 3, 1) - timedelta(days=1)
    long = _YEARS_LONG.search(text)
    if long:
        return date(max(max(years), min(years) + int(long[1]) - 1), 12, 31)
    return date(max(years), 12, 31) if _WHOLE_YEAR.search(text) else None


def _said(text: str) -> Iterator[_Said]:
    """Find the periods, each kind in what the kinds before it left."""
    for kind, pattern in _PERIODS:
        for found in pattern.finditer(text):
            yield _read(kind, found)
        if kind != "year_month":
            text = pattern.sub(lambda taken: " " * len(taken[0]), text)


def _read(kind: str, found: re.Match[str]) -> _Said:
    named = found.groupdict()
    if kind == "week":
        number = int(next(part for part in found.groups() if part))
    elif kind == "month_name":
        number = _MONTHS[(named["name"] or named["may"]).lower()]
    elif kind == "half":
        word = next(part for part in found.groups() if part).lower()
        number = 1 if word in ("상", "전", "1", "first") else 2
    elif kind == "quarter":
        word = next(part for part in found.groups() if part).lower()
        number = _ORDINALS.get(word) or int(word)
    else:
        number = int(named["month"] or named["short"])
    week = named.get("week") if kind == "week_of_month" else None
    nth = (_ORDINALS.get(week) or int(week)) if week else 0
    return _Said(kind, found.start(), found.end(), number, nth, int(named.get("first") or 0))


def _ends(text: str, said: list[_Said], years: list[tuple[re.Match[str], int]], default: int) -> list[date]:
    """Return the last day of each period; one after a range sign lies behind the one before."""
    ends: list[date] = []
    before: tuple[_Said, int] | None = None
    for each in said:
        year, own = _year_of(text, each, years, default)
        if before and not own and _RANGE.fullmatch(text[before[0].end : each.start].strip()):
            year = before[1] + (each.month < before[0].month)
        end = each.last_day(year)
        ends += [end] if end else []
        before = each, year
    return ends


def _year_of(text: str, said: _Said, years: list[tuple[re.Match[str], int]], default: int) -> tuple[int, bool]:
    """Return a period's year, and whether it stands beside it."""
    earlier = [(found, year) for found, year in years if found.end() <= said.start + 1]
    later = [(found, year) for found, year in years if found.start() >= said.end - 1]
    beside = [
        (len(gap), year)
        for gap, year in (
            *((text[found.end() : said.start], year) for found, year in earlier[-1:]),
            *((text[said.end : found.start()], year) for found, year in later[:1]),
        )
        if _BETWEEN.fullmatch(gap)
    ]
    if beside:
        return min(beside, key=lambda one: one[0])[1], True
    known = [year for _, year in (earlier[-1:] or later[:1])]
    return (known[0] if known else default), False


def _iso_week_end(year: int, week: int) -> date | None:
    try:
        return date.fromisocalendar(year, week, 7)
    except ValueError:
        return None


def _week_end(year: int, month: int, week: int) -> date:
    """Return the Sunday of the month's n-th week; a fifth that has no Thursday was counted from the first day."""
    weeks = timedelta(days=7 * (week - 1))
    first = date(year, month, 1)
    thursday = first + timedelta(days=(3 - first.weekday()) % 7) + weeks
    if thursday.month == month:
        return thursday + timedelta(days=3)
    return first + timedelta(days=6 - first.weekday()) + weeks
