"""When the schedule calls next, and whether it called in vain."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from pipelines.stale import OVERDUE

# A night that starts late (the machine slept, another run was at work) is not missing yet.
GRACE = timedelta(hours=2)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
# A schedule of 29 February comes every eight years at worst.
_LOOK_DAYS = 366 * 8 + 1


def is_missed(ended: datetime, now: datetime, cron: str, zone: tzinfo) -> bool:
    """Tell whether the run after the one that ended at `ended` should have come by now: never within 26 hours, and
    not before the schedule calls ("0 2 * * 1-5" rests from Friday to Monday).
    """
    call = next_call(cron, ended, zone)
    return call is not None and now > max(ended + OVERDUE, call + GRACE)


def next_call(cron: str, after: datetime, zone: tzinfo) -> datetime | None:
    """Return the first moment after `after` that five cron fields name, None when no day ever fits."""
    minutes, hours, days, months, weekdays = (
        _numbers(field, *bounds) for field, bounds in zip(cron.split(), _BOUNDS, strict=True)
    )
    weekdays = {day % 7 for day in weekdays}
    # Where both name a day, either one is enough (crontab(5)).
    both = not (cron.split()[2].startswith("*") or cron.split()[4].startswith("*"))
    start = after.astimezone(zone)
    for offset in range(_LOOK_DAYS):
        day = start.date() + timedelta(days=offset)
        fits = (day.day in days, day.isoweekday() % 7 in weekdays)
        if day.month not in months or not (any(fits) if both else all(fits)):
            continue
        for hour in sorted(hours):
            for minute in sorted(minutes):
                moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone).astimezone(UTC)
                if moment > after:
                    return moment
    return None


_BOUNDS: tuple[tuple[int, int, tuple[str, ...]], ...] = (
    (0, 59, ()), (0, 23, ()), (1, 31, ()), (1, 12, ("", *_MONTHS)), (0, 7, _DAYS),
)  # fmt: skip


def _numbers(field: str, low: int, high: int, names: tuple[str, ...]) -> set[int]:
    """Return the numbers that one field names: *, 5, 1-5, mon-fri, */15, 1,3,5."""
    found: set[int] = set()
    for part in field.lower().split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        begin = low if first == "*" else _number(first, names)
        end = high if first == "*" or (step and not last) else _number(last or first, names)
        found.update(range(begin, end + 1, int(step or 1)))
    return found


def _number(text: str, names: tuple[str, ...]) -> int:
    return names.index(text) if text in names else int(text)
