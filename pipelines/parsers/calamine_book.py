"""Workbooks that python-calamine reads: .xls, and .xlsx whose parts our own reader refuses. It gives no formats."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, Encrypted, TooLarge
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.sheet_dates import show_moment
from pipelines.parsers.sheet_format import show_number
from pipelines.parsers.sheet_grid import Area, Grid, column_of
from pipelines.parsers.xls_formats import Looks, SheetLooks
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


def read_with_calamine(file: BinaryIO, limits: Limits, looks: Looks | None = None) -> list[Grid]:
    """Return the sheets in order; raises Corrupt, Encrypted or TooLarge (filled cells).

    `looks` are the formats and hidden places of an .xls file.
    """
    import python_calamine

    file.seek(0)
    cells_left = limits.cells
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(file)
        grids = []
        for place, about in enumerate(book.sheets_metadata):
            if about.typ != python_calamine.SheetTypeEnum.WorkSheet:
                continue
            grid = Grid("", visible=about.visible == python_calamine.SheetVisibleEnum.Visible)
            grid.name = grid.text(about.name)
            sheet = book.get_sheet_by_index(place)
            known = looks.sheets[place] if looks is not None and place < len(looks.sheets) else SheetLooks()
            show = partial(_show, codes=known.codes, from_1904=looks is not None and looks.from_1904)
            cells_left = _fill(grid, sheet, show, cells_left)
            _hide(grid, known)
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


def _fill(grid: Grid, sheet: Any, show: Callable[[object, tuple[int, int]], str], cells_left: int) -> int:
    # Rows start at the sheet's first row and column; empty cells are "".
    for number, values in enumerate(sheet.to_python(skip_empty_area=False), 1):
        cells = {}
        for column, value in enumerate(values, 1):
            text = grid.text(show(value, (number, column))) if value != "" else ""
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


def _hide(grid: Grid, looks: SheetLooks) -> None:
    grid.hidden_rows = [row for row in grid.rows if row in looks.hidden_rows]
    grid.hide_columns(looks.hidden_columns)


def _show(value: object, place: tuple[int, int], *, codes: dict[tuple[int, int], str], from_1904: bool) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    code = codes.get(place, "")
    if isinstance(value, (int, float)):
        return show_number(float(value), code or "General")
    if isinstance(value, (datetime, date, time, timedelta)):
        return show_number(_serial(value, from_1904), code, from_1904=from_1904) if code else show_moment(value)
    return str(value)


def _serial(value: datetime | date | time | timedelta, from_1904: bool) -> float:
    """Return the day number that calamine read a moment from."""
    if isinstance(value, timedelta):
        return value / timedelta(days=1)
    if isinstance(value, time):
        return (value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6) / 86_400
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    days = (moment - (datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30))) / timedelta(days=1)
    # Excel takes 1900 for a leap year.
    return days if from_1904 or days > 60 else days - 1
