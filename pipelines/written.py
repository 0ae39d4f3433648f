"""Values where a statement writes them, each place read once: ranges, rates and units of labels included."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from itertools import chain

from pipelines.moments import moments
from pipelines.numerals import canonical, number
from pipelines.periods import with_period
from pipelines.quantities import Found, product_versions, quantities
from pipelines.shares import shares
from pipelines.soon import soon
from pipelines.wording import is_past

# A sentence or cell states a handful of values, a long list some dozens; what states more is a dump of numbers, which
# has no attribute that could contradict, and would cost the square of its length.
MOST_VALUES = 200


def written(shown: str, unit: str = "") -> list[Found]:
    """Return the values of a statement in order, each place read once."""
    bare = re.fullmatch(r"\s*(\d[\d,]*(?:\.\d+)?)\s*", shown)
    if bare and unit:
        for value in quantities(f"{bare[1]}{unit}"):
            return [replace(value, start=bare.start(1), end=bare.end(1))]
    kept: list[Found] = []
    for value in chain(product_versions(shown), moments(shown), soon(shown), shares(shown), quantities(shown)):
        if len(kept) >= MOST_VALUES:
            break
        wide = with_period(value, shown) if _is_counted(value, shown) else value
        same = [k for k in kept if wide.start < k.end and k.start < wide.end]
        if not same or all(
            (k.start, k.end, k.kind) == (wide.start, wide.end, wide.kind)
            and (k.bound != wide.bound or (k.kind == "percent" and k.value != wide.value))
            for k in same
        ):
            kept.append(_as_rate(wide))
        elif wide is not value and all(_within(k, wide, value) for k in same):
            kept = [k for k in kept if k not in same] + [_as_rate(wide)]
    if any(value.per.isdigit() or value.kind == "rate" for value in kept):
        kept = [value for value in kept if not _is_period(value, shown)]
    return _ranges(sorted(kept, key=lambda v: (v.start, v.bound == "max")), shown)


_PERIOD = re.compile(r"[1한]\s?(?:시간|일|주|달|개월|년)간?|하루|일주일|an?\s(?:day|week|month|year)")


def _is_counted(value: Found, shown: str) -> bool:
    """Tell whether a value may be counted against something; others are counted against a period such as 하루."""
    period = _PERIOD.fullmatch(shown, value.start, value.end)
    return value.kind.startswith(("money", "count", "duration", "size")) and not period


def _is_period(value: Found, shown: str) -> bool:
    """Tell whether a duration only says in which time something else is counted: 1년에 직무교육을 30시간."""
    duration = value.kind.startswith("duration") and not value.per
    return duration and bool(_PERIOD.fullmatch(shown, value.start, value.end)) and shown.startswith("에 ", value.end)


def _within(known: Found, wide: Found, value: Found) -> bool:
    """Tell whether what was read is only the period of a wider value: "하루" in "하루 3회"."""
    return (
        wide.start <= known.start
        and known.end <= wide.end
        and not (known.start < value.end and value.start < known.end)
    )


_HOUR, _DAY, _WEEK = 3600, 86400, "604800"


def _as_rate(value: Found) -> Found:
    """Return "월 1회" as what it is, a rate: seconds from one time to the next."""
    days = value.kind == "duration:second" and value.per == _WEEK and int(value.value) % _DAY == 0
    if days and int(value.value):  # 주 3일
        return replace(value, kind="rate", value=canonical(round(Decimal(_WEEK) * _DAY / int(value.value), 3)), per="")
    if value.kind not in ("count:회",) or not value.per.isdigit():
        return value
    if int(value.per) < _HOUR:
        return replace(value, kind="count:건")  # 분당 60회: how many calls there may be
    times = number(value.value)
    return replace(value, kind="rate", value=canonical(round(int(value.per) / times, 3)), per="") if times else value


_TILDE = re.compile(
    r"\.?\s*(?:\([월화수목금토일]\))?\s*(?:[~∼〜–—-]|부터|에서|to|from)\s*(?:오전|오후)?\s*$", re.IGNORECASE
)


def _ranges(found: list[Found], shown: str) -> list[Found]:
    """Mark the ends of ranges written as two values: 11월 1일 ~ 11월 30일, 09:00~18:00, 11월 1일부터 30일까지."""
    made = list(found)
    for n in range(len(made) - 1):
        first, second = made[n], made[n + 1]
        if first.bound or second.bound or not _TILDE.fullmatch(shown[first.end : second.start]):
            continue
        if is_past(shown, first, 0, len(shown)):
            continue  # from 30 to 60 seconds
        if second.kind == "duration:second" and re.fullmatch(r"\d+일", shown[second.start : second.end]):
            day = int(shown[second.start : second.end - 1])
            if first.kind == "date":
                second = replace(second, kind="date", value=f"{first.value.rsplit('-', 1)[0]}-{day}/")
        if first.kind == second.kind:
            made[n], made[n + 1] = replace(first, bound="min"), replace(_with_year(first, second), bound="max")
    return made


def _with_year(first: Found, second: Found) -> Found:
    if second.kind == "date" and second.value.startswith("?-") and not first.value.startswith("?"):
        return replace(second, value=first.value.split("-", 1)[0] + second.value[1:])
    return second
