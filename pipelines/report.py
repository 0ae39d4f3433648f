"""A report in sections, written as Markdown or as one HTML page that needs nothing beside it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipelines.alert_mail import clean

_STYLE = (
    "body{font-family:sans-serif;line-height:1.6;max-width:64em;margin:2em auto;padding:0 1em;word-break:keep-all;"
    "overflow-wrap:anywhere;color-scheme:light dark}table{border-collapse:collapse;width:100%;margin:.5em 0}"
    "th,td{border-bottom:1px solid #8886;padding:.3em .6em;text-align:left;vertical-align:top}"
    ".n{white-space:nowrap}code{font-size:.9em}@media print{body{margin:0;max-width:none}}"
)
# Dates, times and counts, which are read whole.
_NUMBERS = re.compile(r"[\d .:/-]+")
# What Markdown would read as a mark inside a line or a cell.
_MARK = re.compile(r"([\\`*_\[\]<>|#~&])")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, sentences below it, a table (its head empty when there is none), and commands to go on with."""

    title: str
    lines: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    commands: tuple[str, ...] = ()


def markdown(title: str, sections: Iterable[Section]) -> str:
    """Return the report as Markdown (CommonMark with GitHub's tables); names show as they are."""
    parts = [f"# {_marked(title)}"]
    for section in sections:
        parts.append(f"## {_marked(section.title)}")
        parts += [_marked(line) for line in section.lines]
        if section.rows:
            lines = [_row(section.head), "|" + " --- |" * len(section.head), *map(_row, section.rows)]
            parts.append("\n".join(lines))
        if section.commands:
            parts.append("\n".join(f"    {clean(command)}" for command in section.commands))
    return "\n\n".join(parts) + "\n"


def page(title: str, sections: Iterable[Section], language: str) -> str:
    """Return the report as one HTML page: no script, no font and no picture from elsewhere."""
    shown = html.escape(clean(title))
    parts = [
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{shown}</title><style>{_STYLE}</style></head><body>\n<h1>{shown}</h1>"
    ]
    for section in sections:
        parts.append(f"<h2>{html.escape(clean(section.title))}</h2>")
        parts += [f"<p>{html.escape(clean(line))}</p>" for line in section.lines]
        if section.rows:
            parts.append(_table(section.head, section.rows))
        parts += [f"<p><code>{html.escape(clean(command))}</code></p>" for command in section.commands]
    return "\n".join([*parts, "</body></html>\n"])


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    names = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in head)
    body = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{names}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _cell(cell: str) -> str:
    mark = ' class="n"' if _NUMBERS.fullmatch(cell) else ""
    return f"<td{mark}>{html.escape(clean(cell))}</td>"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(_marked(cell) for cell in cells) + " |"


def _marked(text: str) -> str:
    return _MARK.sub(r"\\\1", clean(text))
