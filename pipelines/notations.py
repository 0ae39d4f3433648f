"""A question's amounts, days and times in the other ways that documents write them: 13만원 is 130,000원."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from pipelines.numerals import AMOUNT, number

# Below a thousand there is one way to write a number in digits.
_LEAST = 1_000
# Spoken words of numbers need a unit: 이만 is "here we stop" too. "2026년" is a year, so 년 is none.
_UNITS = (
    r"원|달러|유로|엔|위안|명|인|건|개|대|부|권|회|주|석|점|표|장|통|병|켤레|세대|가구|평|톤|㎡|제곱미터|미터|"
    r"킬로미터|km|kg|won|krw"
)
_AMOUNT = re.compile(
    rf"(?<![\w.,\-/:])(?P<number>{AMOUNT})(?P<gap>\s?)(?:(?P<unit>{_UNITS})(?![A-Za-z])|(?![\w\-/:.]|,\d))",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"(?<![\d.,/\-])(?P<y>(?:19|20)\d\d)(?:\s?년\s?|[-/]|\.\s?)(?P<m>0?[1-9]|1[0-2])"
    r"(?:(?:\s?월\s?|[-/]|\.\s?)(?P<d>3[01]|[12]\d|0?[1-9])(?:\s?일|\.(?!\d))?|\s?월|\.(?!\d))?(?![\d\-/])"
)
_TIME = re.compile(
    r"(?<![\d:])(?:(?P<half>오전|오후)\s?(?P<h>1[0-2]|0?[1-9])(?:시(?:\s?(?P<min>[0-5]?\d)분|\s?(?P<thirty>반))?|"
    r":(?P<min2>[0-5]\d))|(?P<h24>2[0-3]|[01]?\d)(?::(?P<min24>[0-5]\d)|시(?:\s?(?P<min3>[0-5]?\d)분)?))(?![\d:]|간)"
)


def notations(text: str) -> list[str]:
    """Return the question once for every other notation of what it states, at most five times; [] mostly.

    The n-th of them has everything in its n-th notation, or as asked where there are fewer.
    """
    spans = sorted(chain(_spans(_DAY, _days, text), _spans(_TIME, _times, text), _spans(_AMOUNT, _amounts, text)))
    kept: list[tuple[int, int, list[str]]] = []
    for start, end, others in spans:
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, others))
    rounds = max((len(others) for _, _, others in kept), default=0)
    made = (_written(text, kept, turn) for turn in range(rounds))
    return list(dict.fromkeys(one for one in made if one != text))


def _spans(
    pattern: re.Pattern[str], notations_of: Callable[[re.Match[str]], list[str]], text: str
) -> Iterator[tuple[int, int, list[str]]]:
    for found in pattern.finditer(text):
        others = [other for other in notations_of(found) if other != found.group()]
        if others:
            yield found.start(), found.end(), others


def _written(text: str, spans: list[tuple[int, int, list[str]]], turn: int) -> str:
    parts, place = [], 0
    for start, end, others in spans:
        parts += [text[place:start], others[turn] if turn < len(others) else text[start:end]]
        place = end
    return "".join([*parts, text[place:]])


def _amounts(found: re.Match[str]) -> list[str]:
    said, unit = found["number"], found["unit"] or ""
    value = number(said)
    if value is None or value < _LEAST or value != int(value) or not _is_meant(said, unit):
        return []
    tail = said[len(said.rstrip()) :] + found["gap"] + unit
    forms = [f"{int(value):,}", str(int(value)), _in_myriads(int(value), thousands=False)]
    forms.append(_in_myriads(int(value), thousands=True))
    return [form + tail for form in dict.fromkeys(forms)]


def _is_meant(said: str, unit: str) -> bool:
    """Tell whether digits are an amount and no year or number of a room, and Hangul a number."""
    if re.search(r"\d", said) is None:
        return bool(unit)
    return bool(unit) or "," in said or re.search(r"[천만억조]", said) is not None or len(said) > len("2026")


def _in_myriads(value: int, *, thousands: bool) -> str:
    """Write a number in 만 and 억: 1억 2,500만, or with 천 where a part is full: 2천만, 12만 5천."""
    parts = []
    for name, size in (("조", 10**12), ("억", 10**8), ("만", 10**4), ("", 1)):
        share, value = divmod(value, size)
        if share and thousands and share % 1_000 == 0:
            parts.append(f"{share // 1_000}천{name}")
        elif share:
            parts.append(f"{share:,}{name}")
    return " ".join(parts)


def _days(found: re.Match[str]) -> list[str]:
    year, month, day = found["y"], int(found["m"]), found["d"]
    if day is None:
        return [f"{year}년 {month}월", f"{year}-{month:02}", f"{year}.{month:02}", f"{year}. {month}."]
    date = int(day)
    return [
        f"{year}년 {month}월 {date}일",
        f"{year}-{month:02}-{date:02}",
        f"{year}.{month:02}.{date:02}",
        f"{year}. {month}. {date}.",
        f"{year}/{month:02}/{date:02}",
    ]


def _times(found: re.Match[str]) -> list[str]:
    minute = int(found["min"] or found["min2"] or found["min24"] or found["min3"] or (30 if found["thirty"] else 0))
    hour = int(found["h"] or found["h24"])
    if found["half"]:
        hour = hour % 12 + (12 if found["half"] == "오후" else 0)
    half, of_half = ("오전", hour or 12) if hour < 12 else ("오후", hour - 12 or 12)
    rest = f" {minute}분" if minute else ""
    return [f"{hour:02}:{minute:02}", f"{half} {of_half}시{rest}", f"{hour}시{rest}"]
