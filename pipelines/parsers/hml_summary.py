"""What an HWPML document says of itself: title, author, and when it was written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from pipelines.parsers.text import clean

# Hangul writes the date as it shows it, in Korean time: in 28 of 35 HWP 5 files, which hold both, its words are the
# moment of creation (property 12, UTC) nine hours later; in the others somebody has set them.
_KOREA = timezone(timedelta(hours=9))
_DATE = re.compile(r"(\d{4})\s*(?:년|[-./])\s*(\d{1,2})\s*(?:월|[-./])\s*(\d{1,2})")
_ENGLISH_DATE = re.compile(r"([A-Z][a-z]{2})[a-z]*\s+(\d{1,2}),?\s+(\d{4})")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TIME = re.compile(
    r"(오전|오후|AM|PM|am|pm)?\s*(\d{1,2})\s*[시:]\s*(\d{1,2})(?:\s*분)?(?:\s*:?\s*(\d{1,2})초?)?\s*(AM|PM|am|pm)?"
)


@dataclass(frozen=True, slots=True)
class Summary:
    """`written_at` is the date that Hangul sets when a document is begun; there is none of its last change."""

    title: str | None = None
    author: str | None = None
    written_at: datetime | None = None


def read_summary(root: Any) -> Summary:
    """Read HEAD/DOCSUMMARY."""
    summary = root.find("{*}HEAD/{*}DOCSUMMARY")
    if summary is None:
        return Summary()
    values = [clean(summary.findtext(f"{{*}}{name}") or "").strip() for name in ("TITLE", "AUTHOR", "DATE")]
    return Summary(values[0] or None, values[1] or None, moment(values[2]))


def moment(text: str) -> datetime | None:
    """Read a date as Hangul shows it ("2019년 9월 6일 금요일 오후 5:03:01"); without a zone it is Korean time."""
    date = _date(text[:200])
    if date is None:
        return None
    year, month, day, place = date
    hour, minute, second = _time(text[place:200])
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=_KOREA).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _date(text: str) -> tuple[int, int, int, int] | None:
    """Return year, month, day and the place after them."""
    if match := _DATE.search(text):
        return int(match[1]), int(match[2]), int(match[3]), match.end()
    if (match := _ENGLISH_DATE.search(text)) and match[1] in _MONTHS:
        return int(match[3]), _MONTHS.index(match[1]) + 1, int(match[2]), match.end()
    return None


def _time(text: str) -> tuple[int, int, int]:
    """Return hour, minute and second; midnight when only the day is told."""
    match = _TIME.search(text)
    if match is None:
        return 0, 0, 0
    hour, half = int(match[2]), (match[1] or match[5] or "").upper()
    if half in ("오후", "PM"):
        hour = hour % 12 + 12
    elif half in ("오전", "AM"):
        hour %= 12
    return hour, int(match[3]), int(match[4] or 0)
