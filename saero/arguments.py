"""What a person types: texts and days, made usable before a command sees them."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import click

# The calendar of Python ends with the year 9999; the day after the last one must still fit, in every zone.
_LAST_YEAR = 9998


class _Text(click.ParamType):  # type: ignore[type-arg]
    """NFC (macOS types Hangul decomposed), and bytes that aren't UTF-8 as U+FFFD: no library behind takes them."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        whole = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in str(value))
        return unicodedata.normalize("NFC", whole)


class _Clock(click.ParamType):  # type: ignore[type-arg]
    """A time of day as HH:MM."""

    name = "clock"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d", str(value), re.ASCII):
            self.fail(f"{value!r} is no time of day such as 07:00", param, ctx)
        return str(value)


class _Day(click.ParamType):  # type: ignore[type-arg]
    """A day as YYYY-MM-DD."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            day = date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no day such as 2027-01-31", param, ctx)
        if day.year > _LAST_YEAR:
            self.fail(f"{value} is too far away", param, ctx)
        return day


TEXT = _Text()
CLOCK = _Clock()
DAY = _Day()


def end_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the first moment after `day` in `zone`, in UTC."""
    return datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)
