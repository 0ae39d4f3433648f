"""What a person types into a search: words, and what the passages must have, mustn't have, and come from.

    "두 낱말"        the passage holds it as written          -낱말 -"두 낱말"   and doesn't hold this
    source:제안서    of this source                           path:*.hwp         of files like this, or path:주간
    after:2026-03    changed on that day or later             before:2026-06-01  changed before that day

Anything else is a word, also what only looks like one of these: -10도, 14:30, 5", a quote that is never closed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo

from pipelines.errors import Refused

_QUOTED = r'"([^"]*\S[^"]*)"|“([^”]*\S[^”]*)”'
_PART = re.compile(
    rf"(?<!\S)(?:(?P<key>source|path|after|before):(?:{_QUOTED}|(\S+))|(?P<minus>-)?(?:{_QUOTED})(?!\w)|-(?P<bare>[^\W\d_]\S*))",
    re.IGNORECASE,
)
# The rest of a longer question isn't read: models read 512 tokens, and a page's morphemes took ten seconds.
QUERY_CHARS = 2_000
# Within the calendar of Python and of DuckDB, in every zone.
_YEARS = range(1000, 9999)
_DAY = re.compile(r"(\d{4})(?:[-./](\d{1,2})(?:[-./](\d{1,2})\.?)?)?")
# Ends of a phrase that would join what stands beside it into one word; Korean particles may follow.
_JOINS = re.compile(r"[0-9A-Za-z_]")


@dataclass(frozen=True, slots=True)
class Request:
    """A question taken apart. `words` is what is looked for, phrases included; days are in the settings' zone."""

    words: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    after: date | None = None
    before: date | None = None


def read(text: str) -> Request:
    """Take the first QUERY_CHARS of a question apart.

    Raises Refused for a day that is none, and when nothing is left to look for.
    """
    text = text[:QUERY_CHARS]
    lists: dict[str, list[str]] = {"phrase": [], "minus": [], "source": [], "path": []}
    days: dict[str, date] = {}

    def take(found: re.Match[str]) -> str:
        value = " ".join(next(group for group in found.groups()[1:] if group and group != "-").split())
        key = (found["key"] or "").lower()
        if key in ("after", "before"):
            days[key] = _day(key, value)
        elif key:
            lists[key].append(value)
        elif found["minus"] or found["bare"]:
            lists["minus"].append(value)
        else:
            lists["phrase"].append(value)
            return f" {value} "
        return " "

    words = " ".join(_PART.sub(take, text).split())
    if not words:
        raise Refused(f"{text.strip()}: only filters; add words to look for")
    return Request(
        words,
        tuple(lists["phrase"]),
        tuple(lists["minus"]),
        tuple(lists["source"]),
        tuple(lists["path"]),
        days.get("after"),
        days.get("before"),
    )


def conditions(request: Request, zone: tzinfo = UTC) -> list[str]:
    """Return the SQL conditions on index rows that a request makes; all of them hold at once."""
    made = [_holds(phrase) for phrase in request.phrases]
    made += [f"not {_holds(phrase)}" for phrase in request.excluded]
    made += _any([f"source = {_quoted(source)}" for source in request.sources])
    made += _any([_like(path) for path in request.paths])
    bounds: list[tuple[str, date | None]] = [(">=", request.after), ("<", request.before)]
    return made + [f"modified_at {sign} timestamp '{_moment(day, zone)}'" for sign, day in bounds if day is not None]


def _day(key: str, value: str) -> date:
    found = _DAY.fullmatch(value)
    try:
        if found and int(found[1]) in _YEARS:
            return date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        pass
    raise Refused(f"{key}:{value}: no day such as 2026-03-01, 2026-03 or 2026")


def _any(parts: list[str]) -> list[str]:
    return [f"({' or '.join(parts)})"] if parts else []


def _holds(phrase: str) -> str:
    """Return the condition that text or headings hold a phrase, whatever its case and line breaks."""
    escape: Callable[[str], str] = re.escape
    pattern = r"\s+".join(escape(word) for word in phrase.split())
    before = "(^|[^0-9A-Za-z_])" if _JOINS.match(phrase[0]) else ""
    after = "([^0-9A-Za-z_]|$)" if _JOINS.match(phrase[-1]) else ""
    asked = _quoted(f"{before}{pattern}{after}")
    return f"(regexp_like(text, {asked}, 'i') or regexp_like(array_to_string(heading, ' '), {asked}, 'i'))"


def _like(path: str) -> str:
    """Return the condition of a path: a glob over the end of it from a folder on, else a part of it."""
    plain = path.lower().replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
    if not re.search(r"[*?]", plain):
        return f"lower(path) like {_quoted(f'%{plain}%')}"
    glob = re.sub(r"\*+", "%", plain).replace("?", "_")
    return f"(lower(path) like {_quoted(glob)} or lower(path) like {_quoted(f'%/{glob}')})"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _moment(day: date, zone: tzinfo) -> str:
    return datetime.combine(day, time(), zone).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
