"""When a document stops being true: what it says of itself, and the rules of its source."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from typing import Literal

from pipelines.duration import Duration, parse_duration
from pipelines.names import name_stem
from pipelines.period import period_end
from pipelines.scan import Globs

__all__ = ["Dated", "Expiry", "Rule", "counts_from", "expires_at", "own_date", "parse_duration", "rule", "unreadable"]

# The front matter key, and the custom property of an office document.
_PROPERTY = "expires_at"
_OLDEST = datetime(1990, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=1)

# A plan is void after its period; a report on that period is written then.
_PLAN = re.compile(r"계획|일정|스프린트|(?<![a-z])(?:plans?|planning|roadmap|schedule|sprint)(?![a-z])", re.IGNORECASE)
_NEVER = re.compile(
    r"보고|결산|실적|결과|회의록|감사|통계|공고|계약|"
    r"(?<![a-z])(?:reports?|results?|minutes|audit|statistics|contracts?|retrospective)(?![a-z])",
    re.IGNORECASE,
)
_DAY = re.compile(r"(\d{4})\s*[-./년]\s*(\d{1,2})\s*[-./월]\s*(\d{1,2})\s*[.일]?|(\d{4})(\d{2})(\d{2})")


@dataclass(frozen=True, slots=True)
class Rule:
    """A `ttl` entry of a source: files that `match` end `after` their own date, or at their period's end."""

    match: str
    after: Duration | None = None
    until: Literal["period_end"] | None = None


@dataclass(frozen=True, slots=True)
class Dated:
    """A document in the eyes of TTL.

    path         relative to its source
    modified_at  the document's own clock, `clock` its name; mtime is the file's
    properties   what the document says of itself
    """

    path: str
    title: str
    modified_at: datetime | None
    clock: str | None
    mtime: datetime
    properties: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Expiry:
    """The first moment (aware UTC) at which the document isn't valid any more, and what says so."""

    at: datetime
    evidence: str


def rule(match: str, after: str = "", until: str = "") -> Rule:
    """Make a rule from the settings' words; raises ValueError unless exactly one of `after` and `until` is given."""
    if bool(after) == bool(until) or until not in ("", "period_end"):
        raise ValueError(f'ttl {match!r}: give either after = "P14D" or until = "period_end"')
    return Rule(match, parse_duration(after)) if after else Rule(match, until="period_end")


def expires_at(document: Dated, rules: Sequence[Rule], timezone: tzinfo, now: datetime) -> Expiry | None:
    """Return when a document expires, None for never.

    Its own word comes first, even when it says 9999-12-31; then the first rule that matches and finds a date.
    """
    said = document.properties.get(_PROPERTY, "")
    if said and unreadable(document.properties, timezone) is None:
        return _stated(said, timezone)
    dated = own_date(document, now)
    if dated is None:
        return None
    path = unicodedata.normalize("NFC", document.path)
    for each in rules:
        if _globs(each.match).match(path):
            found = _by_rule(document, each, dated, timezone)
            if found is not None:
                return found
    return None


def unreadable(properties: Mapping[str, str], timezone: tzinfo) -> str | None:
    """Return the expires_at that isn't a date, for a finding; None when there is none or it can be read."""
    said = properties.get(_PROPERTY, "")
    try:
        _moment(said, timezone)
    except OverflowError:
        return None
    except ValueError:
        return said or None
    return None


def own_date(document: Dated, now: datetime) -> tuple[datetime, str] | None:
    """Return the document's own date and its clock: embedded, else the file's; before 1990 or ahead of now is none."""
    for moment, clock in ((document.modified_at, document.clock or "embedded"), (document.mtime, "mtime")):
        if moment is not None and _OLDEST <= moment <= now + _AHEAD:
            return moment, clock
    return None


def counts_from(document: Dated, now: datetime) -> datetime | None:
    """Return when a clock of the document that is ahead of now begins to count, None when none is."""
    ahead = [moment - _AHEAD for moment in (document.modified_at, document.mtime) if moment and moment > now + _AHEAD]
    return min(ahead, default=None)


@cache
def _globs(match: str) -> Globs:
    return Globs([match])


def _stated(said: str, zone: tzinfo) -> Expiry | None:
    try:
        return Expiry(_moment(said, zone), f"{_PROPERTY}: {said}")
    except OverflowError:
        return None


def _by_rule(document: Dated, by: Rule, dated: tuple[datetime, str], zone: tzinfo) -> Expiry | None:
    moment, clock = dated
    day = moment.astimezone(zone).date()
    if by.after is not None:
        return Expiry(by.after.after(moment, zone), f"ttl {by.match}: dated {day} ({clock})")
    names = unicodedata.normalize("NFKC", f"{name_stem(document.path)}\n{document.title}")
    if _NEVER.search(names) or not _PLAN.search(names):
        return None
    end = next((end for name in names.split("\n") if (end := period_end(name, day))), None)
    return Expiry(_end_of(end, zone), f"ttl {by.match}: period ends {end}") if end else None


def _moment(said: str, zone: tzinfo) -> datetime:
    """Read a date (that day included) or a time (in `zone` unless it says its own); OverflowError is "never"."""
    said = unicodedata.normalize("NFKC", said).strip()
    if found := _DAY.fullmatch(said):
        year, month, day = (int(part) for part in found.groups() if part)
        return _end_of(date(year, month, day), zone)
    moment = datetime.fromisoformat(said)
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _end_of(day: date, zone: tzinfo) -> datetime:
    """Return the midnight after `day` in `zone`; raises OverflowError for the calendar's last day."""
    after = day + timedelta(days=1)
    return datetime(after.year, after.month, after.day, tzinfo=zone).astimezone(UTC)
