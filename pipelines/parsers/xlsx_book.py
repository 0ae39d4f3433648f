"""Workbooks of SpreadsheetML (ECMA-376 part 1, 18) read part by part in one pass.

openpyxl's streaming reader gives no hidden rows, merges or formulas without values, refuses workbooks with an empty
<fill/>, and took 57 times the time of a plain pass on 200,000 styled empty rows.
"""

from __future__ import annotations

from typing import Any

from pipelines.errors import Corrupt
from pipelines.parsers.apart import Apart
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.ooxml_comments import names
from pipelines.parsers.ooxml_package import Relationship, damaged_lists, main_part, relationships
from pipelines.parsers.ooxml_xml import link_of
from pipelines.parsers.sheet_grid import Grid
from pipelines.parsers.xlsx_drawings import read_companions
from pipelines.parsers.xlsx_parts import is_on, number
from pipelines.parsers.xlsx_sheet import Book, read_sheet
from pipelines.parsers.xlsx_strings import shared_strings, unescape
from pipelines.parsers.xlsx_styles import read_styles
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Limits


def read_workbook(archive: BoundedZip, limits: Limits) -> tuple[list[Grid], Apart, list[str]]:
    """Return the sheets in order, what stands apart from them, and the parts that couldn't be read.

    Raises Corrupt, UnsafeXml, or TooLarge above limits.cells filled cells.
    """
    part = main_part(archive)
    root = parse_xml(archive.read(part), part)
    links = relationships(archive, part, whole=True)
    present = set(archive.names)
    book = Book(archive, cells_left=limits.cells)
    lost = damaged_lists(archive)
    damaged: list[str] = []
    for link in links.values():
        if link.target in present:
            try:
                _share(book, link)
            except Corrupt:
                (damaged if link.kind == "sharedStrings" else lost).append(link.target)
    grids: list[Grid] = []
    read: set[str] = set()
    for element in root.iter("{*}workbookPr", "{*}sheet"):
        if local(element) == "workbookPr":
            book.from_1904 = is_on(element.get("date1904"))
            continue
        grid = Grid("", visible=element.get("state", "visible") == "visible")
        grid.name = " ".join(grid.text(unescape(element.get("name", ""))).split())
        found = links.get(link_of(element))
        if found is None or found.target not in present:
            lost.append(found.target if found else "")
        elif found.target not in read and found.kind in ("worksheet", "chartsheet"):
            read.add(found.target)
            if found.kind == "worksheet" and not _is_whole(book, grid, found.target):
                damaged.append(found.target)
            lost += read_companions(book, grid, found.target)
        grid.settle()
        grids.append(grid)
    if damaged and not any(grid.rows or grid.drawn for grid in grids):
        raise Corrupt(f"no cell can be read; {len(damaged)} parts with cells or their texts are damaged")
    return grids, book.apart, lost + damaged


def _share(book: Book, link: Relationship) -> None:
    """Add what all sheets share; raises Corrupt or UnsafeXml. Texts before the damage stay."""
    if link.kind == "sharedStrings":
        book.strings.extend(shared_strings(book.archive, link.target))
    elif link.kind == "styles":
        book.styles = read_styles(book.archive, link.target)
    elif link.kind == "person":
        book.people |= names(parse_xml(book.archive.read(link.target), link.target))
    elif link.kind == "revisionHeaders":
        book.apart.count("tracked_change", _changes(parse_xml(book.archive.read(link.target), link.target)))


def _changes(history: Any) -> int:
    """Return how many changes the history of a shared workbook holds: each save names its first and its last one.

    ECMA-376 part 1, 18.11.1.2.
    """
    saves = ((number(save.get("minRId")), number(save.get("maxRId"))) for save in history.iter("{*}header"))
    return sum(last - first + 1 for first, last in saves if 0 < first <= last)


def _is_whole(book: Book, grid: Grid, part: str) -> bool:
    """Fill a sheet; False when its part is damaged, of which the cells before the damage stay."""
    try:
        read_sheet(book, grid, part)
    except Corrupt:
        return False
    return True
