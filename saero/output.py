"""What commands print: tables, JSON, CSV."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import click

Command = TypeVar("Command", bound=Callable[..., Any])
# What a spreadsheet takes for the begin of a formula (OWASP, CSV injection), full-width forms included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# Besides C0 and C1: marks that change the direction of writing, and the separators that some terminals break lines at.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def json_option(command: Command) -> Command:
    """Add --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON (shapes: docs/cli.md).")(command)


def csv_option(command: Command) -> Command:
    """Add --csv."""
    return click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet (UTF-8 with BOM).")(command)


def print_json(value: Any) -> None:
    """Print one JSON document: line by line on a terminal, on one line for a program; times as ISO 8601."""
    click.echo(json_text(value, indent=1 if sys.stdout.isatty() else None))


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON that the terminal can show."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("_", "-")
    ascii_only = not encoding.startswith("utf")  # a terminal of another code page would show codes that are no JSON
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=ascii_only, indent=indent, separators=separators, default=_plain)


def print_csv(rows: Iterable[dict[str, Any]], columns: Sequence[str]) -> None:
    """Print rows so that a Korean Excel opens them, with cells that look like formulas quoted, on one line each."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in columns])
    sys.stdout.flush()
    sys.stdout.buffer.write(b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def print_table(rows: Sequence[Sequence[str]], head: Sequence[str]) -> None:
    """Print columns aligned by what a terminal shows: a Hangul syllable is two cells wide.

    Control characters become "?": a file's name must not move the cursor or break a line.
    """
    listed = [[printable(str(cell)) for cell in row] for row in (head, *rows)]
    widths = [max(width(row[i]) for row in listed) for i in range(len(head))]
    for row in listed:
        click.echo("  ".join(cell + " " * (widths[i] - width(cell)) for i, cell in enumerate(row)).rstrip())


def printable(text: str) -> str:
    """Return `text` with "?" for what would act on a terminal: control characters and changes of direction."""
    return _CONTROL.sub("?", text)


def width(text: str) -> int:
    """Return how many terminal cells `text` takes."""
    return sum(_cells(char) for char in text)


def _cells(char: str) -> int:
    # Vowels and finals of decomposed Hangul join the initial, which is two cells wide (UAX #11).
    if unicodedata.category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def local(time: datetime | str | None, zone: ZoneInfo) -> str:
    """Return a time as people of the zone write it, "" for none."""
    if not time:
        return ""
    if isinstance(time, str):
        time = datetime.fromisoformat(time)
    return time.astimezone(zone).strftime("%Y-%m-%d %H:%M")


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    if isinstance(value, list | dict):
        text = json.dumps(value, ensure_ascii=False, default=_plain)
    shown = printable(text)
    return "'" + shown if text.startswith(_FORMULA) and not isinstance(value, int | float) else shown
