"""Where the sheets of an .xlsx package say that their cells stand, before python-calamine believes it.

Like xls_records: calamine reserves the rectangle between a sheet's first and last cell, and ends the process when that
is more than there is. Our own reader of sound workbooks reserves nothing.
"""

from __future__ import annotations

import re

from pipelines.errors import Corrupt
from pipelines.parsers.archive import BoundedZip
from pipelines.records import Limits

# `r` of a row ("12") or of a cell ("AB12"), ECMA-376 part 1, 18.3.1.73 and 18.3.1.4.
_PLACE = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{0,3})(\d{1,9})[\"']")


def check_places(archive: BoundedZip, limits: Limits) -> None:
    """Raise Corrupt when the cells of a sheet span more places than the limit."""
    for part in archive.names:
        if part.startswith("xl/worksheets/") and _places(archive.read(part)) > limits.cells:
            raise Corrupt("parts of the workbook are damaged, and its cells lie too far apart to read it another way")


def _places(sheet: bytes) -> int:
    """Return rows x columns from the first cell of a sheet to the last."""
    rows, columns = [1], [1]
    for letters, digits in _PLACE.findall(sheet):
        rows.append(int(digits))
        columns.append(_column(letters))
    return max(rows) * max(columns)


def _column(letters: bytes) -> int:
    """Return the number of a column, A = 1; 1 for none."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number or 1
