"""What a sheet holds before tables are looked for: its filled cells, merges and hidden rows."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from pipelines.parsers.text import clean

# Web systems write Korean as numeric character references and escape the "&" again; both readers keep those as text.
_REFERENCE = re.compile(r"&#(?:[xX][0-9a-fA-F]{2,6}|\d{2,7});")
# (first row, first column, last row, last column), counted from 1, closed
Merge = tuple[int, int, int, int]


@dataclass(slots=True)
class Grid:
    """One sheet. Rows and columns count from 1; `rows` holds filled cells only, in order.

    emphasised  filled cells in bold or with a background; None when the reader can't tell
    """

    name: str
    visible: bool = True
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merges: list[Merge] = field(default_factory=list)
    emphasised: set[tuple[int, int]] | None = None
    hidden_rows: int = 0
    hidden_columns: int = 0
    uncached: int = 0
    references: int = 0
    comments: int = 0
    headers: int = 0
    footers: int = 0
    drawn: list[str] = field(default_factory=list)
    _merged: dict[int, list[Merge]] | None = None

    def merged(self, row: int) -> list[Merge]:
        """Return the merges whose first row is `row`; call it only when the sheet is complete."""
        if self._merged is None:
            self._merged = {}
            for merge in self.merges:
                self._merged.setdefault(merge[0], []).append(merge)
        return self._merged.get(row, [])

    def wide(self, row: int) -> set[int]:
        """Return the first columns of cells in `row` that are merged over several columns."""
        return {column for _, column, _, last_column in self.merged(row) if last_column > column}

    def text(self, raw: str) -> str:
        """Return a cell's text cleaned, with numeric character references decoded and counted."""
        if "&#" in raw:
            decoded = _REFERENCE.sub(lambda match: html.unescape(match[0]), raw)
            if decoded != raw:
                self.references += 1
                raw = decoded
        return clean(raw).strip()
