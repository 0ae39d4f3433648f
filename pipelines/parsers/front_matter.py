"""What a Markdown file says of itself at its top: "key: value" lines between --- lines, or TOML between +++ lines."""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, date, datetime, time

_FENCE = re.compile(r"(---|\+\+\+)[ \t]*\n")
# "key: >" and "key: |-": the value stands in the indented lines below (YAML 1.2, 8.1).
_SCALAR = re.compile(r"[|>][-+\d]{0,2}")
_LINE = re.compile(r"([A-Za-z가-힣][\w .-]{0,60}?)[ \t]*:(?:[ \t]+(.*))?$")
# A block without an end line within this is text that begins with a rule.
_MAX_LINES = 200


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return (lower-case key -> value, the text after it); no block gives ({}, text).

    Values are read as text: quotes are taken off, lists joined by ", ". Nested maps are left out.
    """
    fence = _FENCE.match(text)
    if fence is None:
        return {}, text
    lines = text.split("\n")
    closing = ("+++",) if fence[1] == "+++" else ("---", "...")
    for end, line in enumerate(lines[1 : _MAX_LINES + 1], 1):
        if line.rstrip() in closing:
            values = _toml(lines[1:end]) if fence[1] == "+++" else _values(lines[1:end])
            return (values, "\n".join(lines[end + 1 :])) if values or end == 1 else ({}, text)
    return {}, text


def _toml(lines: list[str]) -> dict[str, str]:
    try:
        table = tomllib.loads("\n".join(lines))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    return {key.lower(): shown for key, value in table.items() if (shown := _shown(value))}


def _shown(value: object) -> str:
    """Return a scalar as text, a list of them joined by ", "; "" for tables."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_shown, value)))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (date, time)):
        return value.isoformat()
    return str(value).strip() if isinstance(value, (str, int, float)) else ""


def _values(lines: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    key, scalar = "", False
    for line in lines:
        match = _LINE.match(line)
        if match:
            key = match[1].strip().lower()
            scalar = _SCALAR.fullmatch((match[2] or "").strip()) is not None
            values[key] = "" if scalar else _plain(match[2] or "")
        elif key and scalar and line.startswith((" ", "\t")):
            values[key] = f"{values[key]} {line.strip()}".strip()
        elif key and not scalar and (entry := re.match(r"\s*-\s+(.+)", line)):
            values[key] = ", ".join(filter(None, (values[key], _plain(entry[1]))))
        elif line[:1] not in (" ", "\t", "#", "") and line.strip():
            key = ""
    return {name: value for name, value in values.items() if value}


def _plain(value: str) -> str:
    value = re.sub(r"(?<!\s)\s+#.*$", "", value).strip()
    if value[:1] == "[" and value[-1:] == "]":
        return ", ".join(part.strip().strip("\"'") for part in value[1:-1].split(",") if part.strip())
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return "" if value in ("null", "~") else value


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
