"""GFM tables (GitHub Flavored Markdown, 4.10)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipelines.parsers.md_inline import plain
from pipelines.records import Block, Cell

_DIVIDER = re.compile(r":?-+:?")
_BAR = re.compile(r"(?<!\\)\|")


def is_table(line: str, following: str) -> bool:
    """Tell whether two lines are a header and its divider of as many columns."""
    if "|" not in line or "-" not in following:
        return False
    dividers = _split(following)
    return all(_DIVIDER.fullmatch(part) for part in dividers) and len(_split(line)) == len(dividers)


def read_table(rows: list[str], targets: Mapping[str, str]) -> Block:
    """Return a table block; the first row is the header, the divider isn't among `rows`."""
    cells = []
    width = len(_split(rows[0]))
    for row, line in enumerate(rows):
        for col, text in enumerate(_split(line)[:width]):
            words = plain(text.replace("\\|", "|"), targets)
            cells.append(Cell(row, col, (Block("paragraph", words),) if words else ()))
    return Block("table", cells=tuple(cells), header_rows=1)


def _split(line: str) -> list[str]:
    """Divide a row at bars that are neither escaped nor inside code."""
    line = line.strip()
    codes: list[str] = []

    def hide(match: re.Match[str]) -> str:
        codes.append(match[0])
        return f"\x01{len(codes) - 1}\x01"

    hidden = re.sub(r"`[^`]+`", hide, line)
    hidden = hidden.removeprefix("|")
    if hidden.endswith("|") and not hidden.endswith("\\|"):
        hidden = hidden[:-1]
    return [re.sub("\x01(\\d+)\x01", lambda m: codes[int(m[1])], part).strip() for part in _BAR.split(hidden)]
