"""Excel workbooks (.xlsx and its macro and template variants, .xls): one record a row."""

from __future__ import annotations

from typing import BinaryIO

from pipelines.errors import Corrupt, Empty
from pipelines.parsers.apart import Apart
from pipelines.parsers.archive import BoundedZip, open_zip
from pipelines.parsers.calamine_book import check_used_ranges, read_with_calamine
from pipelines.parsers.ooxml_package import signatures
from pipelines.parsers.ooxml_properties import CoreProperties, read_core
from pipelines.parsers.sheet_blocks import sheet_blocks
from pipelines.parsers.sheet_grid import Grid
from pipelines.parsers.xls_formats import read_looks
from pipelines.parsers.xls_records import check_places, stored_workbook
from pipelines.parsers.xlsx_book import read_workbook
from pipelines.records import Limits, Parsed

_OLE = b"\xd0\xcf\x11\xe0"
_NO_FORMATS = "read without number formats: percents and currencies are shown as plain numbers"


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a workbook; raises Empty, Corrupt, Encrypted, TooLarge or UnsafeXml."""
    if file.read(4) == _OLE:
        stored = stored_workbook(file, limits)
        check_places(stored.records)
        looks = read_looks(stored.records)
        grids = read_with_calamine(file, limits, looks)
        apart = Apart()
        apart.count("signature", stored.signatures)
        return _parsed("xls", grids, apart, CoreProperties(), [] if looks.sheets else [_NO_FORMATS])
    file.seek(0)
    archive = open_zip(file, limits)
    grids, apart, warnings = _read(archive, file, limits)
    apart.count("signature", signatures(archive))
    return _parsed("xlsx", grids, apart, read_core(archive), warnings)


def _read(archive: BoundedZip, file: BinaryIO, limits: Limits) -> tuple[list[Grid], Apart, list[str]]:
    try:
        grids, apart, lost = read_workbook(archive, limits)
    except Corrupt:
        check_used_ranges(archive)
        # Calamine is more forgiving about the package; what it can't read either is damaged.
        return read_with_calamine(file, limits), Apart(), [f"parts of the workbook are damaged; {_NO_FORMATS}"]
    return grids, apart, [f"parts that are missing or damaged: {len(lost)}"] if lost else []


def _parsed(word: str, grids: list[Grid], apart: Apart, core: CoreProperties, warnings: list[str]) -> Parsed:
    blocks = [block for grid in grids for block in sheet_blocks(grid)]
    if not blocks:
        raise Empty("no sheet holds a filled cell")
    return Parsed(
        format=word,
        blocks=tuple(blocks),
        title=core.title,
        author=core.author,
        modified_at=core.modified_at,
        created_at=core.created_at,
        clock="ooxml:modified" if core.modified_at else None,
        asides={kind: count for kind, count in {"hidden": _hidden(grids), **apart.counts}.items() if count},
        apart=apart.kept,
        warnings=(*warnings, *_warnings(grids)),
        properties=core.properties,
    )


def _hidden_sheets(grids: list[Grid]) -> int:
    return sum(not grid.visible and bool(grid.rows) for grid in grids)


def _hidden(grids: list[Grid]) -> int:
    return _hidden_sheets(grids) + sum(len(grid.hidden_rows) for grid in grids)


def _warnings(grids: list[Grid]) -> list[str]:
    counts = (
        (_hidden_sheets(grids), "hidden sheets kept in the text"),
        (sum(len(grid.hidden_rows) for grid in grids), "hidden rows kept in the text"),
        (sum(len(grid.hidden_columns) for grid in grids), "hidden columns kept in the text"),
        (sum(grid.uncached for grid in grids), "formulas without a cached value"),
        (sum(grid.missing_texts for grid in grids), "cells whose text is missing from the file"),
        (sum(grid.references for grid in grids), "cells whose numeric character references were decoded"),
    )
    return [f"{what}: {count}" for count, what in counts if count]
