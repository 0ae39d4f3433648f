"""Days and periods in names: 20260305, 2026년 3월 5일, 0305; 2026년, Q1, 상반기, 7월, 36주차."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

# (year or 0, month, day); names that give no year are compared with each other alone.
Day = tuple[int, int, int]
# Where a day or a period stood: white space to every pattern, and no letter of a name.
DAY_GAP, PERIOD_GAP = "\x1f", "\x1e"

_YEAR, _MONTH, _DAY = r"(?P<y>(?:19|20)\d{2})", r"(?P<m>0[1-9]|1[0-2])", r"(?P<d>0[1-9]|[12]\d|3[01])"
_SHORT, _SHORT_DAY = r"(?P<m>1[0-2]|0?[1-9])", r"(?P<d>3[01]|[12]\d|0?[1-9])"
_TIME = r"(?:[_\- T]?(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?"
_DAYS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<!\d){_YEAR}{_MONTH}{_DAY}{_TIME}(?!\d)",
        rf"(?<!\d){_YEAR}\s?[-_./년 ]\s?{_SHORT}\s?[-_./월 ]\s?{_SHORT_DAY}(?!\d)\s?일?\.?",
        rf"(?<![\d.])(?P<y>[1-3]\d){_MONTH}{_DAY}(?![\d.])",
        rf"(?<![\dv.])(?P<y>[1-3]\d)(?P<s>[-._]){_MONTH}(?P=s){_DAY}(?!\d|\.\d)",
        rf"(?<!\d){_SHORT}\s?월\s?{_SHORT_DAY}\s?일",
        rf"(?:(?<=[_\s\-(])|^){_MONTH}{_DAY}(?=$|[_\s\-.)])",
    )
)
_ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAMES = (
    r"(?<![a-z])(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)(?![a-z])"
)
_ORDINALS = {"첫": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5}
# Each with what it is called, whatever the spelling. The order matters: 2026-03 before 2026, 9월 2주 before 9월.
_PERIODS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), called)
    for pattern, called in (
        (r"(?<!\d)((?:19|20)\d{2})[-_. ]?(0[1-9]|1[0-2])(?!\d)", lambda m: f"y{m[1]} m{int(m[2])}"),
        (r"(?<!\d)((?:19|20)\d{2})(?![\d])\s*(?:학년도|년도|년)?", lambda m: f"y{m[1]}"),
        (r"(?<![\d.])(\d{2})\s*년(?:도)?(?!\s*[차간])", lambda m: f"y20{m[1]}"),
        (r"(?<![a-z])fy\s?(?:20)?(\d{2})(?!\d)|'(\d{2})(?!\d)", lambda m: f"y20{m[1] or m[2]}"),
        (
            r"(?<!\d)(1[0-2]|0?[1-9])\s*월\s*(?:제\s*)?([1-5]|첫|둘|셋|넷|다섯)\s*째?\s*주차?",
            lambda m: f"m{int(m[1])} n{_ORDINALS.get(m[2]) or m[2]}",
        ),
        (r"(?<!\d)(\d{1,2})\s*주차|(?<![a-z\d])w(\d{1,2})(?![\da-z])", lambda m: f"w{int(m[1] or m[2])}"),
        (
            r"(?<![\da-z])([1-4])\s*(?:/\s*4\s*)?분기|(?<![a-z])q([1-4])(?![\da-z])|(?<![\da-z.])([1-4])q(?![a-z\d])",
            lambda m: f"q{m[1] or m[2] or m[3]}",
        ),
        (
            r"([상하전후])반기|(?<![a-z\d])h([12])(?![\da-z])|(?<![\da-z.])([12])h(?![a-z\d])",
            lambda m: "h1" if (m[1] or m[2] or m[3]) in "상전1" else "h2",
        ),
        (r"(?<!\d)([12])\s*학기", lambda m: f"t{m[1]}"),
        (r"(?<!\d)(1[0-2]|0?[1-9])\s*월(?![가-힣]*급)", lambda m: f"m{int(m[1])}"),
        (_MONTH_NAMES, lambda m: f"m{_ENGLISH.index(m[1].lower()[:3]) + 1}"),
    )
)


# Half of all names have neither, and ten searches cost more than one.
_MAY_BE_DAY = re.compile(r"\d\s?[-_./월]?\s?\d")
_MAY_BE_PERIOD = re.compile(rf"\d|반기|{_MONTH_NAMES}", re.IGNORECASE)


def take_days(text: str) -> tuple[str, tuple[Day, ...]]:
    """Return the text with a DAY_GAP for each day it names, and the days; "260301" is of 2026."""
    found: list[Day] = []
    if not _MAY_BE_DAY.search(text):
        return text, ()

    def take(match: re.Match[str]) -> str:
        parts = match.groupdict()
        year = int(parts.get("y") or 0)
        day = (year + 2000 if 0 < year < 100 else year, int(parts["m"]), int(parts["d"]))
        if not _exists(day):
            return match[0]
        found.append(day)
        return DAY_GAP

    for pattern in _DAYS:
        text = pattern.sub(take, text)
    return text, tuple(found)


def take_periods(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with a PERIOD_GAP for each period it names, and what they are called, sorted: ("q1", "y2026")."""
    found: set[str] = set()
    if not _MAY_BE_PERIOD.search(text):
        return text, ()

    def take(match: re.Match[str], called: Callable[[re.Match[str]], str]) -> str:
        found.update(called(match).split())
        return PERIOD_GAP

    for pattern, called in _PERIODS:
        text = pattern.sub(lambda match, called=called: take(match, called), text)  # type: ignore[misc]
    return text, tuple(sorted(found))


def _exists(day: Day) -> bool:
    try:
        date(day[0] or 2000, day[1], day[2])
    except ValueError:  # 31 February
        return False
    return True
