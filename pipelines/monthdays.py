"""Days of a month on which something recurs: 매월 25일, 익월 5영업일, 매월 첫째 주 토요일, the 10th of each month."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.quantities import Found

WEEKDAYS = "월화수목금토일"
_OF = r"(?P<of>매월|매달|매\s월|익월|다음\s?달|다음\s?월|차월|당월|전월|매\s?분기|매년)\s?"
_DAY = r"[12]\d|3[01]|0?[1-9]"
_MONTHDAY = re.compile(
    rf"{_OF}(?:(?P<d>{_DAY})\s?(?P<work>영업)?일(?!정|간)(?:\s?(?:[~∼–-]|부터)\s?(?P<until>{_DAY})\s?일(?!정|간))?(?P<more>(?:\s?(?:[,·]|과|와|및)\s?(?:{_DAY})\s?일(?!정|간))*)"
    rf"|(?P<lastwork>마지막\s?영업일)|(?P<firstwork>첫\s?영업일)|(?P<last>말일|마지막\s?날|말)(?!정))"
)
_NTH = {
    "첫": 1,
    "첫째": 1,
    "첫번째": 1,
    "둘째": 2,
    "두번째": 2,
    "셋째": 3,
    "세번째": 3,
    "넷째": 4,
    "네번째": 4,
    "마지막": 9,
}
_ANY_NTH = r"첫\s?번째|두\s?번째|세\s?번째|네\s?번째|첫째|둘째|셋째|넷째|첫|마지막|제?\s?[1-5]"
_NTH_WEEKDAY = re.compile(
    rf"{_OF}(?:의\s)?(?P<nth>(?:{_ANY_NTH})(?:\s?(?:[,·]|과|와|및)\s?(?:{_ANY_NTH}))*)\s?(?:주\s?째?)?\s?(?P<day>[{WEEKDAYS}])요일"
)
# The same without saying that it is of every month: 월간 회의는 첫째 주 월요일에.
_WEEKDAY_OF_WEEK = re.compile(rf"(?<![가-힣])(?P<nth>{_ANY_NTH})\s?주\s?(?:째\s?)?(?P<day>[{WEEKDAYS}])요일")
# A day of the month that its label names: 급여 지급일은 25일, 매월 임대료 납부는 5일까지.
NAMED_DAY = re.compile(
    r"(?:(?:지급|급여|월급|결제|납부|마감|정산|이체|청구|출금|검침|발행|송금|입금|상환|공제|납입)일(?:[은는이]|\s?:)?"
    r"|매\s?[월달]\s[^.,\d]{2,16}[은는이])\s(?:매\s?[월달]\s)?(?P<d>[12]\d|3[01]|0?[1-9])\s?일"
    r"(?!\s?(?:정|간|이내|내|동안|전|후|뒤|이상|이하|치))"
)
_ENGLISH_DAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_ENGLISH_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 9}
_MONTH = r"(?:(?:each|every|the)\s(?:calendar\s)?month|(?P<next>the\s(?:following|next)\smonth))\b"
_ENGLISH = re.compile(
    rf"""\b(?:(?P<d>{_DAY})(?:st|nd|rd|th)(?P<work>\s(?:business|working)\sday)?(?:\sday)?
        | (?P<nth>first|second|third|fourth|last)\s
          (?:(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day|(?P<nwork>business\s|working\s)?day)
        | (?P<end>end))\s of\s {_MONTH}""",
    re.VERBOSE | re.IGNORECASE,
)


def monthdays(text: str) -> Iterator[Found]:
    """Yield the days of a month of a text; what doesn't name one of its days isn't read."""
    for m in _NTH_WEEKDAY.finditer(text):
        said = ("".join(one[0].split()).lstrip("제") for one in re.finditer(_ANY_NTH, m["nth"]))
        nth = "·".join(str(_NTH.get(one, one)) for one in said)
        yield Found("monthday", f"{_of(m)} {nth}주 {WEEKDAYS.index(m['day']) + 1}", *m.span())
    for m in _WEEKDAY_OF_WEEK.finditer(text):
        which = "".join(m["nth"].split()).lstrip("제")
        yield Found("monthday", f"매월 {_NTH.get(which, which)}주 {WEEKDAYS.index(m['day']) + 1}", *m.span())
    for m in _ENGLISH.finditer(text):
        yield Found("monthday", f"{'익월' if m['next'] else '매월'} {_english(m)}", *m.span())
    for m in NAMED_DAY.finditer(text):
        yield Found("monthday", f"매월 {int(m['d'])}", m.start("d"), m.end())
    for m in _MONTHDAY.finditer(text):
        end = m.start("more") if m["d"] else m.end()
        if m["until"]:
            yield Found("monthday", f"{_of(m)} {_day(m)}", m.start(), m.end("d") + 1, bound="min")
            yield Found("monthday", f"{_of(m)} {int(m['until'])}", m.start("until"), end, bound="max")
            continue
        yield Found("monthday", f"{_of(m)} {_day(m)}", m.start(), end)
        for more in re.finditer(r"\d+", m["more"] or ""):
            start = m.start("more") + more.start()
            yield Found("monthday", f"{_of(m)} {int(more[0])}", start, start + len(more[0]) + 1)


def _of(m: re.Match[str]) -> str:
    of = "".join(m["of"].split())
    return {"매달": "매월", "다음달": "익월", "다음월": "익월", "차월": "익월"}.get(of, of)


def _day(m: re.Match[str]) -> str:
    if m["d"]:
        return f"{int(m['d'])}{m['work'] or ''}"
    return "마지막영업" if m["lastwork"] else "1영업" if m["firstwork"] else "말일"


def _english(m: re.Match[str]) -> str:
    if m["d"]:
        return f"{int(m['d'])}{'영업' if m['work'] else ''}"
    if m["end"]:
        return "말일"
    nth = _ENGLISH_NTH[m["nth"].lower()]
    if m["day"]:
        return f"{nth}주 {_ENGLISH_DAYS.index(m['day'].lower()) + 1}"
    last = "마지막영업" if m["nwork"] else "말일"
    return last if nth == 9 else f"{nth}{'영업' if m['nwork'] else ''}"
