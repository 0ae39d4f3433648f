"""Day numbers of spreadsheets as dates and times (ECMA-376 part 1, 18.17.4 and 18.8.31)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple

from pipelines.parsers.sheet_code import Section
from pipelines.parsers.sheet_numerals import day_number, transcribed

_WEEKDAYS = "월화수목금토일"
_ENGLISH_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ENGLISH_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_EPOCH_1900, _EPOCH_1904 = date(1899, 12, 30), date(1904, 1, 1)
_HALF_DAYS = ("am/pm", "a/p", "오전/오후")
# The last day that Excel shows is 31 December 9999.
_LAST_DAY = 2_958_465
_DAY = 86_400


class Moment(NamedTuple):
    """A day and a time of it; `micro` is the fraction of the second in millionths. Weekdays count from Monday, 0."""

    year: int
    month: int
    day: int
    weekday: int
    hour: int
    minute: int
    second: int
    micro: int


def moment_of(value: float, *, from_1904: bool, places: int = 0) -> Moment | None:
    """Return the moment of a day number, rounded to `places` digits of a second; None where Excel shows none."""
    if not 0 <= value <= _LAST_DAY:
        return None
    # Doubles hold a day number of today to a third of a microsecond.
    units = round(value * _DAY * 10**places)
    seconds, rest = divmod(units, 10**places)
    days, seconds = divmod(seconds, _DAY)
    micro = rest * 10 ** (6 - places)
    clock = (seconds // 3600, seconds // 60 % 60, seconds % 60, micro)
    if from_1904:
        day = _EPOCH_1904 + timedelta(days=days)
        return Moment(day.year, day.month, day.day, day.weekday(), *clock)
    # Excel takes 1900 for a leap year: day 0 is "1900-01-00", day 60 "1900-02-29".
    if days in (0, 60):
        return Moment(1900, 1 if days == 0 else 2, 0 if days == 0 else 29, (days + 5) % 7, *clock)
    try:
        day = _EPOCH_1900 + timedelta(days=days + (days < 60))
    except OverflowError:
        return None
    return Moment(day.year, day.month, day.day, day.weekday(), *clock)


def show_moment(value: datetime | date | time | timedelta) -> str:
    """Return a date or time in ISO form; midnight and seconds of 0 are left out."""
    if isinstance(value, datetime):
        day = value.strftime("%Y-%m-%d")
        if value.time() == time(0):
            return day
        return f"{day} {show_moment(value.time())}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        sign, seconds = "-" if seconds < 0 else "", abs(seconds)
        return f"{sign}{seconds // 3600}:{seconds % 3600 // 60:02d}" + (f":{seconds % 60:02d}" if seconds % 60 else "")
    return value.strftime("%H:%M:%S") if value.second else value.strftime("%H:%M")


def show_serial(value: float, section: Section, *, from_1904: bool) -> str | None:
    """Write a day number through a section; None when it is no day that Excel shows."""
    plan = _plan(section)
    counted = abs(value) if plan.elapsed else value
    moment = moment_of(counted, from_1904=from_1904 and not plan.elapsed, places=plan.places)
    if moment is None:
        return None
    out = ["-" if plan.elapsed and value < 0 else ""]
    for place, (kind, text) in enumerate(section.tokens):
        if kind == "elapsed":
            out.append(_elapsed(text, round(counted * _DAY)))
        elif kind == "date":
            out.append(_part(text, moment, section, minute=place in plan.minutes, twelve=plan.twelve))
        elif kind == "text":
            out.append(text)
    return "".join(out).strip()


class _Plan(NamedTuple):
    """What a section's tokens say together: digits of a second, hours of a day or a half, which m is a minute."""

    places: int
    elapsed: bool
    twelve: bool
    minutes: frozenset[int]


@lru_cache(maxsize=1024)
def _plan(section: Section) -> _Plan:
    dates = [text.lower() for kind, text in section.tokens if kind == "date"]
    return _Plan(
        places=min(6, max((len(text.partition(".")[2]) for text in dates), default=0)),
        elapsed=any(kind == "elapsed" for kind, _ in section.tokens),
        twelve=any(text in _HALF_DAYS for text in dates),
        minutes=frozenset(n for n, t in enumerate(section.tokens) if t.kind == "date" and _is_minute(section, n)),
    )


def _elapsed(text: str, seconds: int) -> str:
    value = seconds // {"h": 3600, "m": 60, "s": 1}[text[0]]
    return f"{value:0{len(text)}d}"


def _is_minute(section: Section, place: int) -> bool:
    """Tell whether an m is a minute: the time before it is an hour, or the one after it a second."""
    if section.tokens[place].text[0] not in "mM" or len(section.tokens[place].text) > 2:
        return False
    clocks = [(n, t.text[0].lower()) for n, t in enumerate(section.tokens) if t.kind in ("date", "elapsed")]
    at = [n for n, _ in clocks].index(place)
    before = clocks[at - 1][1] if at else ""
    after = clocks[at + 1][1] if at + 1 < len(clocks) else ""
    return before == "h" or after == "s"


def _part(text: str, moment: Moment, section: Section, *, minute: bool, twelve: bool) -> str:
    word = text.lower()
    if word in _HALF_DAYS:
        late = moment.hour >= 12
        if section.korean or word == "오전/오후":
            return "오후" if late else "오전"
        return ("PM" if late else "AM")[: 2 if word == "am/pm" else 1]
    shown = _digits(word, moment, minute=minute, twelve=twelve)
    if shown is None:
        return _named(word, moment, korean=section.korean)
    if not section.numerals:
        return shown
    is_year = word[0] in "ye"
    return (
        transcribed(shown, section.numerals) if is_year else day_number(int(shown.partition(".")[0]), section.numerals)
    )


def _digits(word: str, moment: Moment, *, minute: bool, twelve: bool) -> str | None:
    """Return a part in digits, None when it is a name."""
    first, wide = word[0], 2 if len(word) > 1 else 1
    if first in "ye":
        return f"{moment.year:04d}" if len(word) > 2 or first == "e" else f"{moment.year % 100:02d}"
    if first == "h":
        return f"{(moment.hour % 12 or 12) if twelve else moment.hour:0{wide}d}"
    if first == "s":
        whole, point, zeros = word.partition(".")
        return f"{moment.second:0{len(whole[:2])}d}" + point + f"{moment.micro:06d}"[: len(zeros)]
    if minute:
        return f"{moment.minute:0{wide}d}"
    if first == "m" and len(word) < 3:
        return f"{moment.month:0{wide}d}"
    if first == "d" and len(word) < 3:
        return f"{moment.day:0{wide}d}"
    return None


def _named(word: str, moment: Moment, *, korean: bool) -> str:
    if word[0] == "m":
        if korean:
            return f"{moment.month}월"
        name = _ENGLISH_MONTHS[moment.month - 1]
        return name if len(word) == 4 else name[0] if len(word) > 4 else name[:3]
    if korean or word[0] == "a":
        return _WEEKDAYS[moment.weekday] + ("요일" if len(word) > 3 else "")
    day = _ENGLISH_DAYS[moment.weekday]
    return day if len(word) > 3 else day[:3]
