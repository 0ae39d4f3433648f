"""Whether two values can both be true, in whatever units and however exactly they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from pipelines.value import Value

LOWER, UPPER = ("min", "over"), ("max", "under")

# Days of a month, for "3개월" beside "90일" (89 to 92 days), "1년" beside "365일".
_MONTH_DAYS = (Decimal("29.5"), Decimal("31"))
_DAY = Decimal(86400)
_MONTH = _DAY * 365 / 12
# "월 1회" and "30일마다" are one rate.
_RATE = Decimal("0.05")


def agree(a: Value, b: Value) -> bool:
    """Tell whether two comparable values can both be true."""
    kind = a.kind.split(":")[0]
    if {kind, b.kind.split(":")[0]} == {"rate", "monthday"}:
        often = a if kind == "rate" else b  # a day of every month, and how often something happens
        return Decimal(often.value) < 7 * _DAY or abs(_interval(often) - _MONTH) <= _RATE * _MONTH
    if "state:fee" in (a.kind, b.kind) and a.kind != b.kind:
        return "free" not in (a.value, b.value) or "0" in (a.value, b.value)
    if kind == "date":
        return _dates_agree(a.value, b.value)
    if kind == "time":
        return _times_agree(a.value, b.value)
    if numeric(a) is None or numeric(b) is None:
        return a.value == b.value
    if _equal(a, b):
        return a.bound == b.bound or not (a.bound and b.bound) or _whole(a) == _whole(b)
    return _within(a, b) or _within(b, a) or (bool(a.bound and b.bound) and _whole(a) == _whole(b))


def equal(a: Value, b: Value) -> bool:
    """Tell whether two comparable values are the same, not only free of contradiction."""
    if numeric(a) is None or numeric(b) is None:
        return agree(a, b)
    return _equal(a, b) and agree(a, b)


def numeric(value: Value) -> Decimal | None:
    texts = ("date", "time", "weekday", "monthday", "version", "phone", "state", "choice")
    return None if value.kind.split(":")[0] in texts else Decimal(value.value)


def amount(value: Value) -> Decimal:
    """Return the number, against a period as per year."""
    number = Decimal(value.value)
    return number * 31536000 / Decimal(value.per) if value.per.isdigit() else number


def _equal(a: Value, b: Value) -> bool:
    if "rate" in (a.kind[:4], b.kind[:4]):
        one, other = _interval(a), _interval(b)
        return abs(one - other) <= _RATE * max(one, other)
    if a.per.isdigit() and b.per.isdigit():
        if {a.per, b.per} == {"86400", "604800"}:
            day, week = (a, b) if a.per == "86400" else (b, a)
            return Decimal(week.value) in (5 * Decimal(day.value), 7 * Decimal(day.value))
        return abs(amount(a) - amount(b)) <= Decimal("0.03") * amount(a)
    if {a.kind, b.kind} == {"duration:month", "duration:second"}:
        month, second = (a, b) if a.kind == "duration:month" else (b, a)
        days, months = Decimal(second.value) / _DAY, Decimal(month.value)
        return _MONTH_DAYS[0] * months <= days <= _MONTH_DAYS[1] * months or days in (
            7 * round(months * 52 / 12),
            28 * months,
        )
    if a.kind != b.kind and a.kind.startswith("duration"):
        # Five working days are a week.
        work, plain = (a, b) if a.kind == "duration:workday" else (b, a)
        weeks = re.search("주|week", plain.written) is not None
        return in_days(plain) == (in_days(work) * 7 / 5 if weeks else in_days(work))
    if a.kind == "size":
        return Decimal(a.value) == Decimal(b.value) or _decimal_size(a) == _decimal_size(b)
    return Decimal(a.value) == Decimal(b.value)


def _interval(value: Value) -> Decimal:
    return Decimal(value.value) * (_MONTH if value.kind.endswith("month") else 1)


def in_days(value: Value) -> Decimal:
    """Return about how many days a duration has, working days as they are counted."""
    factor = {"duration:month": Decimal("30.4"), "duration:second": 1 / _DAY, "duration:workday": Decimal(1)}
    return round(Decimal(value.value) * factor[value.kind], 3)


def _decimal_size(value: Value) -> Decimal:
    """Return bytes counted in thousands, so that 1 GB is also 1,000 MB."""
    number = Decimal(value.value)
    steps = 0
    while number >= 1024 and number % 1024 == 0:
        number, steps = number / 1024, steps + 1
    return number * Decimal(1000) ** steps


def _whole(value: Value) -> tuple[str, Decimal]:
    """Return a bound of whole things in one form: more than 7 persons are at least 8."""
    number = Decimal(value.value)
    if value.kind.startswith("count") and value.bound in ("over", "under"):
        return ("min", number + 1) if value.bound == "over" else ("max", number - 1)
    return value.bound, number


# What is a bar itself: 이수 기준은 40시간, 목표는 99.9 %.
_STANDARD = re.compile(
    r"기준(?!일|으로|에\s?따)|목표|요건|합격선|하한|최소|moq|\btarget|requirement|minimum", re.IGNORECASE
)


def _within(bound: Value, exact: Value) -> bool:
    """Tell whether an exact number keeps a lower bound: 5년 with 3년 이상.

    An upper bound is mostly meant as the number itself: who says 10만 원 and who says 20만 원까지 disagree.
    """
    if bound.bound not in LOWER or exact.bound or bound.condition or exact.condition or _STANDARD.search(exact.clause):
        return False
    one, other = (in_days(v) if v.kind.startswith("duration") else amount(v) for v in (bound, exact))
    if bound.kind.startswith("rate"):
        one, other = other, one  # the longer the interval, the less often
    return other > one


def _dates_agree(a: str, b: str) -> bool:
    """Tell whether two dates can be one day: what one side doesn't say may be as the other says."""
    (one, part), (other, piece) = a.split("/"), b.split("/")
    fields = list(zip(one.split("-"), other.split("-"), strict=True))
    if any(x != y and "?" not in (x, y) for x, y in fields):
        return False
    if part == piece or not (part or piece):
        return True
    if part and piece and part[0] not in "QH" and piece[0] not in "QH":
        return False
    return _covers(part, fields, piece) and _covers(piece, fields, part)


_PARTS = {"초": (1, 10), "하": (20, 31), "말": (20, 31)}


def _covers(part: str, fields: Sequence[tuple[str, str]], other: str) -> bool:
    """Tell whether a part of a month or year holds what is said of month and day."""
    month = next((int(x) for x in fields[1] if x != "?"), 0)
    day = next((int(x) for x in fields[2] if x != "?"), 0)
    if part.startswith("Q"):
        return other[:1] != "Q" and (not month or (month + 2) // 3 == int(part[1])) and _half_of(part, other)
    if part.startswith("H"):
        return other[:1] != "H" and (not month or (month > 6) == (part == "H2"))
    first, last = _PARTS.get(part, (1, 31))
    return not day or first <= day <= last


def _half_of(part: str, other: str) -> bool:
    return not other.startswith("H") or (int(part[1]) > 2) == (other == "H2")


def _times_agree(a: str, b: str) -> bool:
    """Tell whether two times of day can be one: "3:00?" is 3:00 or 15:00."""
    return bool(_hours(a) & _hours(b))


def _hours(time: str) -> set[str]:
    hour, rest = time.rstrip("?").split(":")
    both = {f"{int(hour) % 12}:{rest}", f"{int(hour) % 12 + 12}:{rest}"}
    return both if time.endswith("?") else {f"{int(hour)}:{rest}"}
