"""What a sheet holds before tables are looked for: its filled cells, merges, defined tables and hidden rows."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from pipelines.parsers.text import clean
from pipelines.records import Block

# Web systems write Korean as numeric character references and escape the "&" again; both readers keep those as text.
_REFERENCE = re.compile(r"&#(?:[xX][0-9a-fA-F]{2,6}|\d{2,7});")
_REF = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
# The last row and column of a sheet (ECMA-376 part 1, 18.3.1.73: XFD1048576).
MAX_ROW, MAX_COLUMN = 1_048_576, 16_384
# Places that merges may cover together, after they are cut to the used range: more is no sheet that people drew.
_MAX_MERGED_PLACES = 500_000


class Area(NamedTuple):
    """A closed range of rows and columns, counted from 1."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class Table:
    """A range that the file itself says is a table, with 0 or 1 header row; `filtered`: only a filter lies on it."""

    area: Area
    header_rows: int = 1
    filtered: bool = False


@dataclass(slots=True)
class Grid:
    """One sheet. Rows and columns count from 1; `rows` holds filled cells only, in order.

    emphasised  filled cells in bold or with a background; None when the reader can't tell
    drawn       what text boxes and charts of the sheet say
    """

    name: str
    visible: bool = True
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merges: list[Area] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    emphasised: set[tuple[int, int]] | None = None
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[int] = field(default_factory=list)
    uncached: int = 0
    references: int = 0
    missing_texts: int = 0
    drawn: list[Block] = field(default_factory=list)
    _merged: dict[int, list[Area]] = field(default_factory=dict)
    _filters: dict[int, Area] = field(default_factory=dict)

    def settle(self) -> None:
        """Put the rows in order and cut the merges to the used range; call it once when the sheet is complete.

        Merges without a value at their top left say nothing.
        """
        self.rows = {number: self.rows[number] for number in sorted(self.rows)}
        last_row = next(reversed(self.rows), 0)
        last_column = max((max(cells) for cells in self.rows.values()), default=0)
        places = 0
        kept: list[Area] = []
        for top, left, bottom, right in self.merges:
            bottom, right = min(bottom, last_row), min(right, max(last_column, left))
            if left not in self.rows.get(top, {}):
                continue
            places += (bottom - top + 1) * (right - left + 1)
            if places > _MAX_MERGED_PLACES:
                break
            kept.append(Area(top, left, bottom, right))
        self.merges = kept
        self._merged = {}
        for merge in kept:
            self._merged.setdefault(merge.top, []).append(merge)
        self._filters = {table.area.top: table.area for table in self.tables if table.filtered}

    def hide_columns(self, ranges: list[tuple[int, int]]) -> None:
        """Note which filled columns lie in these closed ranges; a sheet can't have more ranges than columns."""
        hidden = bytearray(MAX_COLUMN + 1)
        for first, last in ranges[:MAX_COLUMN]:
            size = min(last, MAX_COLUMN) - first + 1
            if first > 0 and size > 0:
                hidden[first : first + size] = b"\1" * size
        used = {column for cells in self.rows.values() for column in cells} if ranges else set()
        self.hidden_columns = sorted(column for column in used if column <= MAX_COLUMN and hidden[column])

    def merged(self, row: int) -> list[Area]:
        """Return the merges whose first row is `row`."""
        return self._merged.get(row, [])

    def filter_at(self, row: int) -> Area | None:
        """Return the range of the filter whose buttons stand in `row`."""
        return self._filters.get(row)

    def wide(self, row: int) -> set[int]:
        """Return the first columns of cells in `row` that are merged over several columns."""
        return {merge.left for merge in self.merged(row) if merge.right > merge.left}

    def text(self, raw: str) -> str:
        """Return a cell's text cleaned, with numeric character references decoded and counted."""
        if "&#" in raw:
            decoded = _REFERENCE.sub(lambda match: html.unescape(match[0]), raw)
            if decoded != raw:
                self.references += 1
                raw = decoded
        return clean(raw).strip()


def place_of(ref: str) -> tuple[int, int] | None:
    """Return (row, column) of "B2" or "$B$2"; None when it is none or lies outside a sheet."""
    match = _REF.fullmatch(ref)
    if match is None:
        return None
    row, column = int(match[2]), column_of(match[1])
    return (row, column) if 0 < row <= MAX_ROW and column <= MAX_COLUMN else None


def column_of(letters: str) -> int:
    """Return 1 for A, 27 for AA."""
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - 64
    return column


def letters_of(column: int) -> str:
    """Return A for 1, AA for 27."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def area_of(ref: str) -> Area | None:
    """Return the closed range of "A1:B2" or "A1"; None when it is none."""
    first, _, last = ref.partition(":")
    start, end = place_of(first), place_of(last or first)
    if start is None or end is None or start[0] > end[0] or start[1] > end[1]:
        return None
    return Area(*start, *end)
