"""Calendar entries (iCalendar, RFC 5545): what, when and where, for people; nothing that programs tell each other."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import BinaryIO

from pipelines.errors import Empty
from pipelines.parsers.text import clean, decode
from pipelines.parsers.whole_file import read_whole
from pipelines.records import Block, Limits, Parsed

_LINE = re.compile(r'([A-Za-z-]+)((?:;[A-Za-z-]+=(?:"[^"]*"|[^;:"]*))*):(.*)', re.DOTALL)
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
_LENGTH = re.compile(r"\+?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,7})S)?)?")
_ENTRIES = ("VEVENT", "VTODO", "VJOURNAL")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

# field -> its occurrences: (parameters, value)
Entry = dict[str, list[tuple[str, str]]]


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a calendar file; raises Empty without any entry, Corrupt (encoding) or TooLarge."""
    text = decode(read_whole(file, limits))[0]
    blocks = calendar_blocks(text, described=True)
    if not blocks:
        raise Empty("the calendar holds no entry")
    return Parsed(format="ics", blocks=tuple(blocks))


def calendar_blocks(text: str, *, described: bool) -> list[Block]:
    """Return a paragraph for each entry (summary, time, repetition, place, people), below it what describes it."""
    blocks: list[Block] = []
    for entry in _entries(text):
        lines = [_value(entry, "SUMMARY"), _when(entry), _repeats(entry), _value(entry, "LOCATION"), *_people(entry)]
        blocks += [Block("paragraph", "\n".join(line for line in lines if line))] if any(lines) else []
        if described:
            parts = re.split(r"\n\s*\n", _value(entry, "DESCRIPTION"))
            blocks += [Block("paragraph", part.strip()) for part in parts if part.strip()]
    return blocks


def _entries(text: str) -> list[Entry]:
    """Return the fields of each entry, alarms and time zones inside or beside it left out."""
    entries: list[Entry] = []
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
            entries[-1].setdefault(name, []).append((match[2], match[3]))
    return entries


def _first(entry: Entry, name: str) -> tuple[str, str]:
    return entry.get(name, [("", "")])[0]


def _value(entry: Entry, name: str) -> str:
    return _plain(_first(entry, name)[1])


def _plain(raw: str) -> str:
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], raw).strip()


def _when(entry: Entry) -> str:
    start = _shown(*_first(entry, "DTSTART"))
    end = _shown(*_first(entry, "DTEND")) or _shown(*_first(entry, "DUE")) or _end_after(entry)
    return " ~ ".join(filter(None, (start, end)))


def _shown(parameters: str, raw: str) -> str:
    """Return a time as the entry's own clock shows it, its zone named when the entry names one."""
    match = _TIME.match(raw.strip())
    if match is None:
        return ""
    day = f"{match[1]}-{match[2]}-{match[3]}"
    return f"{day} {match[4]}:{match[5]} {_zone(parameters, match[6])}".strip() if match[4] else day


def _zone(parameters: str, mark: str) -> str:
    zone = re.search(r';TZID="?([^;"]+)', parameters, re.IGNORECASE)
    return "UTC" if mark else zone[1] if zone else ""


def _end_after(entry: Entry) -> str:
    """Return the end of an entry that says how long it takes (RFC 5545, 3.3.6); the length itself without a start."""
    length = _value(entry, "DURATION").upper()
    took = _LENGTH.fullmatch(length)
    parameters, raw = _first(entry, "DTSTART")
    start = _TIME.match(raw.strip())
    if took is None or start is None:
        return length
    weeks, days, hours, minutes, seconds = (int(number or 0) for number in took.groups())
    try:
        begun = datetime(*(int(number or 0) for number in start.groups()[:5]))  # type: ignore[arg-type]
        end = begun + timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    except (ValueError, OverflowError):
        return length
    at = f"{end:%H:%M} {_zone(parameters, start[6])}".strip() if start[4] else ""
    return f"{end.date().isoformat()} {at}".strip()


def _repeats(entry: Entry) -> str:
    """Return the rule by which an entry comes again, in the standard's own words (RFC 5545, 3.3.10)."""
    rule = _value(entry, "RRULE")
    until = re.search(r"UNTIL=([^;]+)", rule, re.IGNORECASE)
    shown = _shown("", until[1]) if until else ""
    return f"RRULE: {rule.replace(until[1], shown) if until and shown else rule}" if rule else ""


def _people(entry: Entry) -> list[str]:
    """Return a line of who invites and a line of who is invited."""
    lines = []
    for name, label in (("ORGANIZER", "Organizer"), ("ATTENDEE", "Attendees")):
        people = list(dict.fromkeys(filter(None, (_person(*field) for field in entry.get(name, [])))))
        lines += [f"{label}: {', '.join(people)}"] if people else []
    return lines


def _person(parameters: str, raw: str) -> str:
    named = re.search(r';CN=(?:"([^"]*)"|([^;:"]*))', parameters, re.IGNORECASE)
    name = ((named[1] or named[2] or "") if named else "").strip()
    address = re.sub(r"^mailto:", "", _plain(raw), flags=re.IGNORECASE)
    return f"{name} <{address}>" if name and address and name != address else name or address
