"""From where a duration is counted: before or after something, and whether it is the earliest time or the latest."""

from __future__ import annotations

import re

from pipelines.quantities import Found

_SIDE = re.compile(
    r"(?:\s?(?:이내|이상|까지))?\s?(?:(?P<before>전(?!화|체|기|문|자|달|부(?!터)|산|용|국|년|월|일)|이전|prior|"
    r"before|in\sadvance|ahead|['’]?\s?(?:written\s|prior\s)?notice)|(?P<after>후|뒤|이후|경과|after|later|from))",
    re.IGNORECASE,
)
_SINCE = re.compile(r"(?:에)?부터")
_AS_EARLY = re.compile(r"(?:최대|최장|up\sto|as\searly\sas|(?:no|not)\s(?:more|earlier)\sthan)\s*$", re.IGNORECASE)
_UNTIL = re.compile("(?:에)?까지")
_AS_LATE = re.compile(r"(?:최소|적어도|늦어도|at\s(?:the\s)?least|(?:no|not)\s(?:less|later)\sthan)\s*$", re.IGNORECASE)


def sides_of(shown: str, value: Found) -> tuple[str, ...]:
    """Return from where a duration is counted: "after" something, or before it: "early", "latest", or either of both.

    3일 전까지 and at least 3 days before are the latest time, 2주 전부터 is the earliest.
    """
    if not value.kind.startswith("duration"):
        return ()
    m = _SIDE.match(shown, value.end)
    if m is None or m["after"]:
        return ("after",) if m else ()
    place = max(0, value.start - 20), value.start
    if _SINCE.match(shown, m.end()) or _AS_EARLY.search(shown, *place):
        return ("early",)
    late = _UNTIL.match(shown, m.end()) or m["before"].endswith("notice") or _AS_LATE.search(shown, *place)
    return ("latest",) if late else ("early", "latest")


def bound_before(sides: tuple[str, ...], bound: str) -> str:
    """Return the bound of a duration before something: 7일 전까지, 최소 7일 전 and 늦어도 7일 전 are one."""
    return "max" if sides == ("early",) else "" if "latest" in sides else bound
