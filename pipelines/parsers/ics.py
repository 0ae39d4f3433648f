"""Calendar entries (iCalendar, RFC 5545): what, when and where, for people; nothing that programs tell each other."""

from __future__ import annotations

import re
from typing import BinaryIO

from pipelines.errors import Empty
from pipelines.parsers.text import clean, decode
from pipelines.parsers.whole_file import read_whole
from pipelines.records import Block, Limits, Parsed

_LINE = re.compile(r'([A-Za-z-]+)((?:;[A-Za-z-]+=(?:"[^"]*"|[^;:"]*))*):(.*)', re.DOTALL)
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
_ENTRIES = ("VEVENT", "VTODO", "VJOURNAL")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a calendar file; raises Empty without any entry, Corrupt (encoding) or TooLarge."""
    text = decode(read_whole(file, limits))[0]
    blocks = calendar_blocks(text, described=True)
    if not blocks:
        raise Empty("the calendar holds no entry")
    return Parsed(format="ics", blocks=tuple(blocks))


def calendar_blocks(text: str, *, described: bool) -> list[Block]:
    """Return a paragraph for each entry: its summary, time and place, and below it its description when `described`."""
    blocks: list[Block] = []
    for entry in _entries(text):
        when = " ~ ".join(filter(None, (_shown(entry, "DTSTART"), _shown(entry, "DTEND") or _shown(entry, "DUE"))))
        lines = [_value(entry, "SUMMARY"), when, _value(entry, "LOCATION")]
        blocks += [Block("paragraph", "\n".join(line for line in lines if line))] if any(lines) else []
        if described:
            parts = re.split(r"\n\s*\n", _value(entry, "DESCRIPTION"))
            blocks += [Block("paragraph", part.strip()) for part in parts if part.strip()]
    return blocks


def _entries(text: str) -> list[dict[str, tuple[str, str]]]:
    """Return the fields (parameters, value) of each entry, alarms and time zones inside or beside it left out."""
    entries: list[dict[str, tuple[str, str]]] = []
    open_parts: list[str] = []
    for line in re.sub(r"\n[ \t]", "", clean(text)).split("\n"):
        match = _LINE.match(line)
        if match is None:
            continue
        name, part = match[1].upper(), match[3].strip().upper()
        if name == "BEGIN":
            open_parts.append(part)
            entries += [{}] if part in _ENTRIES else []
        elif name == "END":
            del open_parts[-1:]
        elif open_parts and open_parts[-1] in _ENTRIES and entries:
            entries[-1].setdefault(name, (match[2], match[3]))
    return entries


def _value(entry: dict[str, tuple[str, str]], name: str) -> str:
    raw = entry.get(name, ("", ""))[1]
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], raw).strip()


def _shown(entry: dict[str, tuple[str, str]], name: str) -> str:
    """Return a time as the entry's own clock shows it, its zone named when the entry names one."""
    parameters, raw = entry.get(name, ("", ""))
    match = _TIME.match(raw.strip())
    if match is None:
        return ""
    day = f"{match[1]}-{match[2]}-{match[3]}"
    zone = re.search(r';TZID="?([^;"]+)', parameters, re.IGNORECASE)
    named = "UTC" if match[6] else zone[1] if zone else ""
    return f"{day} {match[4]}:{match[5]} {named}".strip() if match[4] else day
