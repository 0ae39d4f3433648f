"""One worksheet part: its cells as a person sees them, merges, hidden rows and columns (ECMA-376 part 1, 18.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pipelines.errors import TooLarge
from pipelines.parsers.apart import Apart
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.ooxml_package import web_links, with_target
from pipelines.parsers.ooxml_xml import link_of
from pipelines.parsers.sheet_format import show_number, show_text
from pipelines.parsers.sheet_grid import MAX_COLUMN, MAX_ROW, Grid, Table, area_of, column_of
from pipelines.parsers.xlsx_parts import elements, is_on, number
from pipelines.parsers.xlsx_print import keep_printed
from pipelines.parsers.xlsx_strings import rich_text, unescape
from pipelines.parsers.xlsx_styles import Styles
from pipelines.parsers.xml import local
from pipelines.records import Locator

_TAGS = ("row", "mergeCell", "col", "hyperlink", "autoFilter", "headerFooter")
# The address in =HYPERLINK("https://...", "words").
_LINK_FORMULA = re.compile(r'HYPERLINK\(\s*"(https?://[^"]{1,2000})"', re.IGNORECASE)
# A longer formula is cut: it stands for a value that is missing.
_MAX_FORMULA_CHARS = 200
_EPOCH_1900, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)


@dataclass(slots=True)
class Book:
    """What the sheets of a workbook share; `cells_left` counts down to the limit over all of them.

    people  the names of those who comment, by id
    """

    archive: BoundedZip
    strings: list[str] = field(default_factory=list)
    styles: Styles = field(default_factory=Styles)
    from_1904: bool = False
    cells_left: int = 0
    people: dict[str, str] = field(default_factory=dict)
    apart: Apart = field(default_factory=Apart)


def read_sheet(book: Book, grid: Grid, part: str) -> None:
    """Fill `grid` from a worksheet part; raises Corrupt, UnsafeXml or TooLarge."""
    grid.emphasised = set() if any(book.styles.emphasis) else None
    reader = _SheetReader(book, grid)
    hidden: list[tuple[int, int]] = []
    links: list[tuple[str, str]] = []
    for element in elements(book.archive, part, tuple(f"{{*}}{tag}" for tag in _TAGS)):
        name = local(element)
        if name == "row":
            reader.row(element)
        elif name == "mergeCell":
            merge = area_of(element.get("ref", ""))
            grid.merges += [merge] if merge else []
        elif name == "col":
            if is_on(element.get("hidden")):
                hidden.append((number(element.get("min")), min(number(element.get("max")), MAX_COLUMN)))
        elif name == "hyperlink":
            links.append((element.get("ref", ""), link_of(element)))
        elif name == "autoFilter":
            area = area_of(element.get("ref", ""))
            grid.tables += [Table(area, filtered=True)] if area else []
        elif name == "headerFooter":
            keep_printed(element, book.apart, Locator(sheet=grid.name))
    grid.hide_columns(hidden)
    _add_targets(grid, links, web_links(book.archive, part) if links else {})


def _add_targets(grid: Grid, links: list[tuple[str, str]], targets: dict[str, str]) -> None:
    for ref, link in links:
        area = area_of(ref)
        cells = grid.rows.get(area.top, {}) if area else {}
        if area and area.left in cells and link in targets:
            cells[area.left] = with_target(cells[area.left], targets[link])


class _SheetReader:
    """Reads rows one after the other; a row or cell without an address follows the one before."""

    def __init__(self, book: Book, grid: Grid) -> None:
        self._book = book
        self._grid = grid
        self._number = 0
        self._columns: dict[str, int] = {}
        # By the style's index as it is written, which saves a conversion for every cell.
        self._codes: dict[str | None, str] = {str(n): code for n, code in enumerate(book.styles.formats)}
        self._codes[None] = book.styles.code(0)
        self._marked = {str(n) for n, marked in enumerate(book.styles.emphasis) if marked}
        self._shown: dict[str, str] = {}
        self._worded = {style for style, code in self._codes.items() if "@" in code and code != "@"}
        self._value = self._inline = self._formula = ""

    def row(self, element: Any) -> None:
        """Add the filled cells of one row."""
        stated = number(element.get("r"))
        self._number = stated if 0 < stated <= MAX_ROW else self._number + 1
        space = element.tag[:-3]
        self._value, self._inline, self._formula = f"{space}v", f"{space}is", f"{space}f"
        cells: dict[int, str] = {}
        column = 0
        for cell in element:
            ref = cell.get("r")
            column = (self._column(ref) if ref else 0) or column + 1
            size = len(cell)
            if size == 0 or column > MAX_COLUMN:
                continue
            style = cell.get("s")
            if size == 1 and (child := cell[0]).tag == self._value:
                text = self._plain(cell.get("t"), child.text or "", style)
            else:
                text = self._text(cell, style)
            if text:
                cells[column] = text
                if style in self._marked and self._grid.emphasised is not None:
                    self._grid.emphasised.add((self._number, column))
        if cells:
            self._keep(cells, hidden=is_on(element.get("hidden")))

    def _keep(self, cells: dict[int, str], *, hidden: bool) -> None:
        self._grid.rows.setdefault(self._number, {}).update(cells)
        if hidden:
            self._grid.hidden_rows.append(self._number)
        self._book.cells_left -= len(cells)
        if self._book.cells_left < 0:
            raise TooLarge("the workbook holds more filled cells than the limit")

    def _column(self, ref: str) -> int:
        """Return the column of a cell's address, 0 when it lies."""
        letters = ref.rstrip("0123456789")
        column = self._columns.get(letters)
        if column is None:
            plain = letters.isascii() and letters.isalpha() and len(letters) <= 3
            column = self._columns[letters] = column_of(letters) if plain else 0
        return column if column <= MAX_COLUMN else 0

    def _plain(self, kind: str | None, value: str, style: str | None) -> str:
        """Return the value of a cell that holds nothing else, as most cells of a sheet do."""
        if kind == "s":
            shown = self._shown.get(value)
            if shown is None:
                shown = self._shared(value)
            return show_text(shown, self._codes[style]) if style in self._worded else shown
        if kind is not None and kind != "n":
            return self._shown_value(kind, value, style)
        try:
            return show_number(float(value), self._codes.get(style, "General"), from_1904=self._book.from_1904)
        except ValueError:
            return self._grid.text(value)

    def _text(self, cell: Any, style: str | None) -> str:
        kind = cell.get("t", "n")
        value = formula = None
        for child in cell:
            tag = child.tag
            if tag == self._value:
                value = child.text or ""
            elif tag == self._inline:
                value = rich_text(child)
            elif tag == self._formula:
                formula = child.text or ""
        if value is None or (formula is not None and value == "" and kind not in ("str", "inlineStr")):
            return self._uncached(formula)
        shown = self._shown_value(kind, value, style)
        link = _LINK_FORMULA.search(formula) if formula else None
        return with_target(shown, link[1]) if link else shown

    def _uncached(self, formula: str | None) -> str:
        """Return a formula for the value that the file doesn't keep; part of a shared one says nothing by itself."""
        if formula is None:
            return ""
        self._grid.uncached += 1
        return self._grid.text(f"={formula[:_MAX_FORMULA_CHARS]}") if formula else ""

    def _shown_value(self, kind: str, value: str, style: str | None) -> str:
        code = self._codes.get(style, "General")
        if kind in ("n", "s"):
            return self._plain(kind, value, style)
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value.strip(), self._grid.text(value))
        if kind == "d":
            return self._day_text(value.strip(), code)
        text = self._grid.text(value if kind == "inlineStr" else unescape(value))
        return text if kind == "e" else show_text(text, code)

    def _shared(self, index: str) -> str:
        """Return a shared string, cleaned once for all cells that refer to it."""
        shown = self._shown.get(index)
        if shown is None:
            bare = index.strip()
            place = int(bare) if bare.isdecimal() and len(bare) < 10 else -1
            if not 0 <= place < len(self._book.strings):
                self._grid.missing_texts += 1
                return ""
            shown = self._shown[index] = self._grid.text(self._book.strings[place])
        return shown

    def _day_text(self, value: str, code: str) -> str:
        """Return a date that is stored in ISO 8601 (strict files) through its format."""
        try:
            day = datetime.fromisoformat(value.removesuffix("Z")).replace(tzinfo=None)
        except ValueError:
            return self._grid.text(value)
        epoch = _EPOCH_1904 if self._book.from_1904 else _EPOCH_1900
        serial = (day - epoch).total_seconds() / 86_400
        return show_number(serial, code if code != "General" else "yyyy-mm-dd", from_1904=self._book.from_1904)
