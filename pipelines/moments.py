"""Dates, months, quarters, days of the week or month, times of day, and how often something happens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from pipelines.monthdays import NAMED_DAY, WEEKDAYS, monthdays
from pipelines.periods import DAY, YEAR
from pipelines.quantities import Found

_MONTHS = {
    name: n
    for n, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)
}  # fmt: skip
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_PART_WORD = r"초순|중순|하순|초|중|말"
_PART = (
    rf"(?:\s?(?P<part>{_PART_WORD})(?![가-힣]|\s?(?:하나|일부))|"
    rf"\s?(?P<partly>{_PART_WORD})(?=(?:에|까지|으로|로|이|경|부터|이며|이다|쯤)))?"
)
_Y4 = r"(?P<y>(?:19|20)\d\d)"
_SHORT_Y = r"(?:['’]|(?<![\d.,\-/]))(?P<y2>[23]\d)"
_DAY_MARK = rf"(?:\s?\([{WEEKDAYS}](?:요일)?\))?"
_NOT_MORE = r"(?![\d.]\d|\d)"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\d.]){_Y4}\s?(?:년|[.\-/])\s?(?P<m>\d{{1,2}})\s?(?:월|"
        rf"[.\-/])\s?(?P<d>\d{{1,2}})(?:일(?!정)|\.)?{_NOT_MORE}{_DAY_MARK}",
        rf"{_SHORT_Y}(?:년\s?|[.\-/])\s?(?P<m>\d{{1,2}})(?:월\s?|[.\-/])\s?(?P<d>\d{{1,2}})(?:일(?!정)|"
        rf"\.)?{_NOT_MORE}{_DAY_MARK}",
        rf"(?<!\d){_Y4}\s?(?:년도?|[.])\s?(?P<m>1[0-2]|0?[1-9])\s?월{_PART}",
        rf"{_SHORT_Y}년\s?(?P<m>1[0-2]|0?[1-9])\s?월(?!\s?\d){_PART}",
        rf"(?<![\d.\-/]){_Y4}[.\-/](?P<m>1[0-2]|0?[1-9]){_NOT_MORE}(?![-/]\d)",
        rf"(?<![\d년.])(?P<m>1[0-2]|0?[1-9])\s?월\s?(?P<d>[12]\d|3[01]|0?[1-9])\s?일(?!정|간){_DAY_MARK}",
        rf"(?<![\d.])(?P<m>1[0-2]|0?[1-9])\s?월(?![가-힣]|\s?\d+\s?일){_PART}",
        rf"(?<![\d.])(?P<m>1[0-2]|0?[1-9])\s?월(?=(?:까지|부터|에|로|으로|이|은|중|말|초|과|와)){_PART}",
        rf"(?<![\d./])(?P<m>1[0-2]|0?[1-9])[./](?P<d>[12]\d|3[01]|0?[1-9])\.?(?=\s?\([{WEEKDAYS}]|"
        rf"\s?(?:까지|부터)|\s?[~∼]){_DAY_MARK}",
        rf"(?<![\d.])(?<!and\s)(?<!or\s)(?P<m>1[0-2]|0?[1-9])\.\s?(?P<d>[12]\d|3[01]|0?[1-9])\.(?=\s?(?:[~∼(]|까지|부터|$)){_DAY_MARK}",
        rf"(?<=[~∼–])\s?(?P<m>1[0-2]|0?[1-9])[./](?P<d>[12]\d|3[01]|0?[1-9])(?![\d.])\.?{_DAY_MARK}",
        rf"(?<![A-Za-z])(?=(?-i:[A-Z]))(?P<mon>{_MONTH})\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s?{_Y4})?",
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<mon>{_MONTH})(?![a-z])(?:,?\s?{_Y4})?",
        rf"(?<![A-Za-z])(?P<mon>{_MONTH}),?\s{_Y4}",
        rf"\b(?:in|by|until|from|since|each|every)\s(?=(?-i:[A-Z]))(?P<mon>{_MONTH})(?![A-Za-z])(?!,?\s?\d)",
        r"(?:(?P<y>(?:19|20)\d\d)\s?(?:년도?)?\s?)?(?<!\d)(?P<q>[1-4])\s?(?:/4\s?)?분기(?!당|별|마다|\s?\d+\s?회)",
        r"(?:(?P<y>(?:19|20)\d\d)\s?(?:년도?)?\s?)?(?P<half>[상하])반기",
        r"(?<![A-Za-z\d])Q(?P<q>[1-4])(?![A-Za-z\d])(?:\s?(?P<y>20\d\d))?",
        r"(?<![A-Za-z\d])(?P<y>20\d\d)[\s\-_]?Q(?P<q>[1-4])(?![A-Za-z\d])",
        r"(?<!\d)(?P<y>(?:19|20)\d\d)\s?년(?!\s?\d{1,2}\s?월|간)(?P<half2>도)?",
        r"(?:(?<=\bby )|(?<=\bin )|(?<=\bFY)|(?<=\bFY ))(?P<y>20\d\d)(?![\d\-/.])",
    )
)
_WEEKDAY = re.compile(
    rf"(?<![가-힣])(?P<one>[{WEEKDAYS}])요일|\b(?P<en>mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE
)
_CLOCK = re.compile(
    r"""(?P<half>오전|오후|저녁|밤|새벽|아침|낮)?\s?(?<!\d)(?P<h>[01]?\d|2[0-4])\s?시(?!간|스|점|설|작|행|도|장|내|민|급)
        (?:\s?(?P<min>[0-5]?\d)\s?분|\s?(?P<thirty>반))?
      | (?P<half2>오전|오후|저녁|밤|새벽|아침|낮)?\s?(?<![\d:.])
        (?P<h2>[01]?\d|2[0-4]):(?P<min2>[0-5]\d)(?::[0-5]\d)?(?!\d|:)
        (?:\s?(?P<ampm2>[ap]\.?m\b\.?))?
      | (?<![\d:.])(?P<h3>1[0-2]|0?\d)\s?(?P<ampm>[ap]\.?m\b\.?)
      | (?<![가-힣])(?P<word>정오|자정)(?=에|까지|부터|이|으로|[\s.,)]|$) | \b(?P<noon>noon|midnight)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_EVERY = r"second|minute|hour|day|week|month|quarter|year"
_OFTEN = re.compile(
    rf"""(?<![가-힣])매\s?(?P<n>\d+)\s?(?P<u>초|분|시간|일|주|개월|년)(?![가-힣]*\s?\d)
      | (?<![\d.,])(?P<n2>\d[\d,]*|한|두|세|네)\s?(?P<u2>초|분|시간|일|주|주일|개월|달|년)
        \s?(?:마다|[가-힣]+\s때마다|간격|주기|에\s(?:한|1)\s?(?:번|회))
      | (?<![가-힣])(?:(?P<bi>격주|격월|격일|격년)
          | (?P<each>매일|매주|매월|매달|매년|매시간|매분기|매\s분기|매\s반기|분기마다|반기마다|
            분기별|반기별|월별|주별|연도별|일별))
        (?=로|에|\s|[.,)]|$|이다|마다|단위)
        (?!\s?(?:\d+|[한두세네])\s?(?:회|번|차례|건|시간|일|명|개)|\s?(?:말|최대|최소|평균))
      | \b(?:every|each)\s(?:(?P<n3>\d+|two|three|four|six|other)\s)?(?P<u3>{_EVERY})s?\b
      | \b(?P<times>once|twice|(?P<nt>\d+|three|four)\stimes)\s(?:a|an|per|every|each)\s(?P<u4>{_EVERY})\b
      | \b(?P<adv>daily|weekly|monthly|quarterly|annually|yearly|hourly|biweekly|semi-?annually)\b
        (?=\s*(?:$|[.,;)]|at|on|by|basis|to|and))""",
    re.VERBOSE | re.IGNORECASE,
)
_SPAN = {
    "초": 1, "분": 60, "시간": 3600, "일": DAY, "주": 7 * DAY, "주일": 7 * DAY, "개월": YEAR // 12, "달": YEAR // 12,
    "년": YEAR, "second": 1, "minute": 60, "hour": 3600, "day": DAY, "week": 7 * DAY, "month": YEAR // 12,
    "quarter": YEAR // 4, "year": YEAR,
}  # fmt: skip
_EACH = {
    "격일": 2 * DAY, "격주": 14 * DAY, "격월": YEAR // 6, "격년": 2 * YEAR, "매시간": 3600, "hourly": 3600,
    "daily": DAY,
    "weekly": 7 * DAY, "biweekly": 14 * DAY, "monthly": YEAR // 12, "quarterly": YEAR // 4, "annually": YEAR,
    "yearly": YEAR, "semiannually": YEAR // 2, "semi-annually": YEAR // 2,
}  # fmt: skip
_FIRST = {
    "일": DAY,
    "주": 7 * DAY,
    "월": YEAR // 12,
    "달": YEAR // 12,
    "년": YEAR,
    "연": YEAR,
    "분": YEAR // 4,
    "반": YEAR // 2,
}
_FEW = {
    "한": 1,
    "두": 2,
    "세": 3,
    "네": 4,
    "two": 2,
    "three": 3,
    "four": 4,
    "six": 6,
    "other": 2,
    "once": 1,
    "twice": 2,
}


# What a number with a dot after these is one of: version 4.1.
_NUMBERED = re.compile(r"(?:version|ver\.?|\bv|release|section|버전|릴리스|제)\s?$", re.IGNORECASE)


def moments(text: str) -> Iterator[Found]:
    """Yield the moments of a text, possibly overlapping; the earlier yielded one is the better reading."""
    yield from monthdays(text)
    for pattern in _DATES:
        for m in pattern.finditer(text):
            value = _date(m.groupdict())
            if value and not _NUMBERED.search(text, max(0, m.start() - 10), m.start()):
                yield _trimmed(Found("date", value, *m.span()), text)
    yield from _clocks(text)
    yield from _often(text)
    for m in _WEEKDAY.finditer(text):
        english = ["mon", "tues", "wednes", "thurs", "fri", "satur", "sun"]
        n = WEEKDAYS.index(m["one"]) if m["one"] else english.index(m["en"].lower())
        yield Found("weekday", str(n + 1), *m.span())


def _trimmed(found: Found, text: str) -> Found:
    """Leave white space and a final dot out."""
    shown = text[found.start : found.end]
    start = found.start + len(shown) - len(shown.lstrip())
    return replace(found, start=start, end=found.start + len(shown.rstrip(" .")))


def _date(said: dict[str, str | None]) -> str:
    """Return "year-month-day" with "?" for what isn't said, and "/part"; "" when there is no such day."""
    year = said.get("y") or (f"20{said['y2']}" if said.get("y2") else "?")
    month = int(said.get("m") or _MONTHS.get((said.get("mon") or "")[:3].lower(), 0))
    day = int(said.get("d") or 0)
    if month > 12 or day > 31 or (said.get("m") and not month) or (said.get("d") and not day):
        return ""
    if month and day and not _exists(year, month, day):
        return ""
    half = said.get("half")
    part = f"Q{said['q']}" if said.get("q") else "H1" if half == "상" else "H2" if half == "하" else ""
    part = part or (said.get("part") or said.get("partly") or "").removesuffix("순")
    return f"{year}-{month or '?'}-{day or '?'}/{'' if part == '중' else part}"


def _exists(year: str, month: int, day: int) -> bool:
    """Tell whether there is such a day; without a year, whether a leap year has it."""
    try:
        date(2000 if year == "?" else int(year), month, day)
    except ValueError:  # 31 February
        return False
    return True


def _clocks(text: str) -> Iterator[Found]:
    for m in _CLOCK.finditer(text):
        if m["word"] or m["noon"]:
            noon = (m["word"] or m["noon"]).lower() in ("정오", "noon")
            yield Found("time", "12:00" if noon else "0:00", *m.span())
            continue
        hour = int(m["h"] or m["h2"] or m["h3"])
        minute = 30 if m["thirty"] else int(m["min"] or m["min2"] or 0)
        half = (m["half"] or m["half2"] or m["ampm"] or m["ampm2"] or "").lower().replace(".", "")
        told = half != "" or hour == 0 or hour > 12 or hour == 12 or len(m["h2"] or "") == 2
        yield _trimmed(Found("time", _time(hour, minute, half, told), *m.span()), text)


def _time(hour: int, minute: int, half: str, told: bool) -> str:
    """Return "h:mm" of 24 hours; with "?" when the half of the day isn't told ("3시")."""
    if half in ("오후", "저녁", "pm", "낮") or (half == "밤" and hour >= 6):
        hour = hour if hour >= 12 or (half == "낮" and hour >= 10) else hour + 12
    elif half and hour == 12:
        hour = 0
    return f"{hour % 24}:{minute:02d}{'' if told else '?'}"


def _often(text: str) -> Iterator[Found]:
    for m in _OFTEN.finditer(text):
        if m["each"] in ("매월", "매달") and NAMED_DAY.search(text, m.start(), m.start() + 32):
            continue  # the day says which of the month
        if m["times"] and m["u4"].lower() in ("second", "minute", "hour"):
            per = str(_SPAN[m["u4"].lower()])  # 60 times a minute: how much a minute takes, not how often one looks
            yield Found("count:회", str(_few(m["nt"] or m["times"])), *m.span(), per=per)
            continue
        times = _listed(text, m)
        yield _trimmed(Found("rate", str(_interval(m) // times), *m.span()), text)


# 매년 4월과 10월, 매주 화·목
_LISTED = {
    "매년": re.compile(r"(?:\s?\d{1,2}\s?월\s?(?:[,·/]|과|와|및)?)+"),
    "매주": re.compile(rf"(?:\s?[{WEEKDAYS}](?:요일)?(?:[,·/]|과\s|와\s|\s및|(?=\s|[에은이]))\s?)+"),
}


def _listed(text: str, m: re.Match[str]) -> int:
    """Return how often something happens in a year or week whose months or days are named after it."""
    listed = _LISTED.get(m["each"] or "")
    found = listed.match(text, m.end()) if listed else None
    one = r"\d+" if m["each"] == "매년" else rf"[{WEEKDAYS}](?!요일?[{WEEKDAYS}])(?:요일)?"
    return max(1, len(re.findall(one, found[0]))) if found else 1


def _interval(m: re.Match[str]) -> int:
    if m["each"] or m["bi"] or m["adv"]:
        word = "".join((m["each"] or m["bi"] or m["adv"]).lower().split())
        return _EACH.get(word) or _FIRST[word.removeprefix("매")[0]]
    if m["times"]:
        return _SPAN[m["u4"].lower()] // _few(m["nt"] or m["times"])
    return _few(m["n"] or m["n2"] or m["n3"] or "1") * _SPAN[(m["u"] or m["u2"] or m["u3"]).lower()]


def _few(word: str) -> int:
    return _FEW.get(word.lower(), 0) or max(1, int(word.replace(",", "")))
