"""The block of "key: value" lines between --- lines at the top of a Markdown file."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

_FENCE = re.compile(r"---[ \t]*\n")
_LINE = re.compile(r"([A-Za-z가-힣][\w .-]{0,60}?)[ \t]*:(?:[ \t]+(.*))?$")
# A block without an end line within this is text that begins with a rule.
_MAX_LINES = 200


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return (lower-case key -> value, the text after it); no block gives ({}, text).

    Values are read as text: quotes are taken off, lists joined by ", ". Nested maps are left out.
    """
    if not _FENCE.match(text):
        return {}, text
    lines = text.split("\n")
    for end, line in enumerate(lines[1 : _MAX_LINES + 1], 1):
        if line.rstrip() in ("---", "..."):
            values = _values(lines[1:end])
            return (values, "\n".join(lines[end + 1 :])) if values or end == 1 else ({}, text)
    return {}, text


def _values(lines: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    key = ""
    for line in lines:
        match = _LINE.match(line)
        if match:
            key = match[1].strip().lower()
            values[key] = _plain(match[2] or "")
        elif key and (entry := re.match(r"\s*-\s+(.+)", line)):
            values[key] = ", ".join(filter(None, (values[key], _plain(entry[1]))))
        elif line[:1] not in (" ", "\t", "#", "") and line.strip():
            key = ""
    return {name: value for name, value in values.items() if value}


def _plain(value: str) -> str:
    value = re.sub(r"\s+#.*$", "", value).strip()
    if value[:1] == "[" and value[-1:] == "]":
        return ", ".join(part.strip().strip("\"'") for part in value[1:-1].split(",") if part.strip())
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return "" if value in ("|", ">", "null", "~") else value


def moment(value: str) -> datetime | None:
    """Return an aware UTC time from an ISO date or time ("2026-03-02", "2026.3.2", "2026-03-02T09:00+09:00")."""
    text = value.strip().rstrip(".")
    day = re.fullmatch(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})", text)
    try:
        if day:
            found = date(int(day[1]), int(day[2]), int(day[3]))
            return datetime(found.year, found.month, found.day, tzinfo=UTC)
        when = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return None
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
