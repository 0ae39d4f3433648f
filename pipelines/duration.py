"""ISO 8601 durations: P14D, P2W, P6M, P1Y, PT36H and their sums."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

_FORM = re.compile(
    r"P(?:(?P<years>\d+)Y)?(?:(?P<months>\d+)M)?(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?P<time>T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+)S)?)?"
)
# Longer is a slip of the pen (P2026Y), and would leave the calendar.
MOST_YEARS = 100


@dataclass(frozen=True, slots=True)
class Duration:
    """Calendar months and days, and an exact `time`: "P1M" is the same day a month later, not 30 days."""

    months: int = 0
    days: int = 0
    time: timedelta = timedelta()

    def after(self, moment: datetime, zone: tzinfo) -> datetime:
        """Return the aware UTC moment this long after `moment`, on the wall clock of `zone`.

        A day that its month lacks becomes the month's last: 31 January + P1M is 28 February.
        """
        local = moment.astimezone(zone)
        year, month0 = divmod(local.year * 12 + local.month - 1 + self.months, 12)
        day = min(local.day, calendar.monthrange(year, month0 + 1)[1])
        local = local.replace(year=year, month=month0 + 1, day=day) + timedelta(days=self.days)
        return local.astimezone(UTC) + self.time


def parse_duration(text: str) -> Duration:
    """Read an ISO 8601 duration; the ValueError says what is wrong and how it is written."""
    found = _FORM.fullmatch(text.strip())
    if not found or not any(found[unit] for unit in ("years", "months", "weeks", "days", "time")):
        raise ValueError(f"{text!r} is no duration; write for example P14D, P2W, P6M, P1Y or PT36H{_hint(text)}")
    if found["time"] == "T":
        raise ValueError(f"{text!r} has nothing after T; write for example PT36H, or leave T out")
    number = {unit: int(value or 0) for unit, value in found.groupdict().items() if unit != "time"}
    duration = Duration(
        number["years"] * 12 + number["months"],
        number["weeks"] * 7 + number["days"],
        timedelta(hours=number["hours"], minutes=number["minutes"], seconds=number["seconds"])
        if max(number.values()) < 10**9
        else timedelta.max,
    )
    if duration.months / 12 + duration.days / 365 + duration.time / timedelta(days=365) > MOST_YEARS:
        raise ValueError(f"{text!r} is longer than {MOST_YEARS} years")
    return duration


def _hint(text: str) -> str:
    """Name the likely slip: lower case, hours without T, a decimal or a sign."""
    bare = text.strip()
    if bare != bare.upper() and _FORM.fullmatch(bare.upper()):
        return f" (in capitals: {bare.upper()})"
    if re.fullmatch(r"P(?:\d+D)?\d+[HS]", bare):
        return " (hours and seconds come after T: PT36H)"
    if re.search(r"\d[.,]\d", bare):
        return " (whole numbers only)"
    if re.fullmatch(r"\d+", bare):
        return f" ({bare} days are P{bare}D)"
    return " (no sign)" if re.match(r"P?[-+]", bare) else ""
