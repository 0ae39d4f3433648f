"""Workbooks that python-calamine reads: .xls, and .xlsx whose parts our own reader refuses. It gives no formats."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, Encrypted, TooLarge
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.sheet_dates import show_moment
from pipelines.parsers.sheet_format import show_general
from pipelines.parsers.sheet_grid import Area, Grid, column_of
from pipelines.records import Limits

# The place of a cell ("AB12"), or of a row ("12") whose cells needn't name theirs.
_REF = re.compile(rb'\br\s*=\s*["\']([A-Za-z]{0,3})([0-9]{1,9})["\']')
# Calamine keeps a place for every cell of the used range: one stray cell at XFD1048576 would ask for 17 billion.
_MAX_PLACES = 20_000_000


def check_used_ranges(archive: BoundedZip) -> None:
    """Raise TooLarge when a sheet of a package spans more places than calamine may hold."""
    for name in archive.names:
        if not name.startswith("xl/worksheets/") or not name.endswith(".xml"):
            continue
        refs = {(match[1], match[2]) for match in _REF.finditer(archive.read(name))}
        rows = max((int(row) for _, row in refs), default=0)
        columns = max((column_of(letters.decode().upper()) for letters in {letters for letters, _ in refs}), default=0)
        if rows * columns > _MAX_PLACES:
            raise TooLarge("a damaged sheet spans more cells than can be held; repair the workbook in Excel")


def read_with_calamine(file: BinaryIO, limits: Limits) -> list[Grid]:
    """Return the sheets in order; raises Corrupt, Encrypted or TooLarge (filled cells)."""
    import python_calamine

    file.seek(0)
    cells_left = limits.cells
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(file)
        grids = []
        for about in book.sheets_metadata:
            if about.typ != python_calamine.SheetTypeEnum.WorkSheet:
                continue
            grid = Grid("", visible=about.visible == python_calamine.SheetVisibleEnum.Visible)
            grid.name = grid.text(about.name)
            cells_left = _fill(grid, book.get_sheet_by_name(about.name), cells_left)
            grid.settle()
            grids.append(grid)
    except python_calamine.PasswordError as error:
        raise Encrypted("a password is needed to open the workbook") from error
    except TooLarge:
        raise
    except BaseException as error:
        # A panic of Rust is no Exception to Python (pyo3's PanicException), and would end the process.
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise Corrupt(f"the workbook is damaged ({type(error).__name__})") from error
        raise
    return grids


def _fill(grid: Grid, sheet: Any, cells_left: int) -> int:
    # Rows start at the sheet's first row and column; empty cells are "".
    for number, values in enumerate(sheet.to_python(skip_empty_area=False), 1):
        cells = {}
        for column, value in enumerate(values, 1):
            text = grid.text(_show(value)) if value != "" else ""
            if text:
                cells[column] = text
        if cells:
            grid.rows[number] = cells
            cells_left -= len(cells)
            if cells_left < 0:
                raise TooLarge("the workbook holds more filled cells than the limit")
    for start, end in sheet.merged_cell_ranges or ():
        grid.merges.append(Area(start[0] + 1, start[1] + 1, end[0] + 1, end[1] + 1))
    return cells_left


def _show(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return show_general(value)
    if isinstance(value, (datetime, date, time, timedelta)):
        return show_moment(value)
    return str(value)
