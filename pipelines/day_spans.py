"""Days in names and titles: one is when something was written, two with a range between them are a period."""

from __future__ import annotations

import re
from datetime import date

_DIGITS = r"(?<!\d)(?:19|20)?\d{2}[-_. /]?(?:0[1-9]|1[0-2])[-_. /]?(?:0[1-9]|[12]\d|3[01])(?!\d)"
_KOREAN = r"(?:(?<!\d)\d{2,4}\s*년\s*)?(?<!\d)(?:1[0-2]|0?[1-9])\s*월\s*(?:[12]\d|3[01]|0?[1-9])\s*일"
_NAMES = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?"
)
_NTH = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_ENGLISH = (
    rf"(?<![a-z])(?:{_NAMES})[\s_]+{_NTH}(?![\da-z])(?:,?\s+(?:19|20)\d\d)?"
    rf"|(?<![\d.-]){_NTH}[\s_]+(?:{_NAMES})(?![a-z])(?:,?[\s_]+(?:19|20)\d\d)?"
)
# A full date in any of these spellings.
DATES = re.compile(rf"{_DIGITS}|{_KOREAN}|{_ENGLISH}", re.IGNORECASE)

_DAY = r"(?:[12]\d|3[01]|0?[1-9])"
_MONTH = r"(?:1[0-2]|0?[1-9])"
_YEAR = r"(?:(?:19|20)\d{2}|\d{2})"
# A weekday in brackets may follow a day: 9. 1.(화) ~ 9. 15.(화)
_TO = r"(?:\([^()]{1,3}\))?\s*(?:부터)?\s*[~∼〜–—]\s*"
_NO_MORE = r"(?![\d.]*\d)(?!\s*(?:월|분기|년|주))"
_SEPARATED = re.compile(
    rf"(?<![v\d.])(?:(?P<y1>{_YEAR})\s*[-_./년]\s*)?(?P<m1>{_MONTH})\s*(?P<sign>[-_./월])\s*(?P<d1>{_DAY})\s*[일.]?{_TO}"
    rf"(?:(?:(?P<y2>{_YEAR})\s*[-_./년]\s*)?(?P<m2>{_MONTH})\s*[-_./월]\s*)?(?P<d2>{_DAY}){_NO_MORE}",
    re.IGNORECASE,
)
_COMPACT = re.compile(
    rf"(?<!\d)(?P<y1>{_YEAR})?(?P<m1>0[1-9]|1[0-2])(?P<d1>0[1-9]|[12]\d|3[01])\s*[~∼〜–—-]\s*"
    rf"(?P<y2>{_YEAR})?(?P<m2>0[1-9]|1[0-2])(?P<d2>0[1-9]|[12]\d|3[01])(?!\d)"
)


def last_days(text: str, written: date) -> list[date]:
    """Return the last day of every range of days: 2026-09-01~09-15, 9월 1일 ~ 15일, 0901~0915.

    A year that isn't said is that of `written`; a range that ends before it begins ends in the year after.
    """
    found: list[date] = []
    for span in [*_SEPARATED.finditer(text), *_COMPACT.finditer(text)]:
        if _is_versions(span):
            continue
        month = int(span["m2"] or span["m1"])
        year = _year(span["y2"] or span["y1"], written.year)
        try:
            first = date(_year(span["y1"], year), int(span["m1"]), int(span["d1"]))
            last = date(year, month, int(span["d2"]))
            found.append(last if last >= first else last.replace(year=last.year + 1))
        except ValueError:
            continue
    return found


def _is_versions(span: re.Match[str]) -> bool:
    """Tell 1.2~1.5, which is no more likely days than versions, from 9.1~9.15."""
    named = span.groupdict()
    return named.get("sign") == "." and not named["y1"] and max(int(named["d1"]), int(named["d2"])) < 10


def _year(said: str | None, default: int) -> int:
    return int(said if len(said) == 4 else f"20{said}") if said else default
