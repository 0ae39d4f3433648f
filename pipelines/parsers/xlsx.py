"""Excel workbooks (.xlsx and its macro and template variants, .xls): one record a row."""

from __future__ import annotations

from typing import BinaryIO

from pipelines.errors import Corrupt, Empty
from pipelines.parsers import xls_records, xlsx_places
from pipelines.parsers.archive import BoundedZip, open_zip
from pipelines.parsers.calamine_book import read_with_calamine
from pipelines.parsers.ooxml_properties import CoreProperties, read_core
from pipelines.parsers.sheet_blocks import sheet_blocks
from pipelines.parsers.sheet_grid import Grid
from pipelines.parsers.xlsx_book import read_workbook
from pipelines.records import Block, Limits, Parsed

_OLE = b"\xd0\xcf\x11\xe0"


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a workbook; raises Empty, Corrupt, Encrypted, TooLarge or UnsafeXml."""
    if file.read(4) == _OLE:
        xls_records.check_places(file, limits)
        return _parsed("xls", read_with_calamine(file, limits), CoreProperties(), [])
    file.seek(0)
    archive = open_zip(file, limits)
    grids, warnings = _read(archive, file, limits)
    return _parsed("xlsx", grids, read_core(archive), warnings)


def _read(archive: BoundedZip, file: BinaryIO, limits: Limits) -> tuple[list[Grid], list[str]]:
    try:
        return read_workbook(archive, limits), []
    except Corrupt:
        # Calamine is more forgiving about the package; what it can't read either is damaged.
        xlsx_places.check_places(archive, limits)
        return read_with_calamine(file, limits), ["read without number formats: parts of the workbook are damaged"]


def _parsed(word: str, grids: list[Grid], core: CoreProperties, warnings: list[str]) -> Parsed:
    blocks: list[Block] = []
    for grid in grids:
        blocks += sheet_blocks(grid)
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
        asides=_asides(grids),
        warnings=(*warnings, *_warnings(grids)),
        properties=core.properties,
    )


def _asides(grids: list[Grid]) -> dict[str, int]:
    counts = {
        "hidden": sum(not grid.visible and bool(grid.rows) for grid in grids) + sum(grid.hidden_rows for grid in grids),
        "comment": sum(grid.comments for grid in grids),
        "header": sum(grid.headers for grid in grids),
        "footer": sum(grid.footers for grid in grids),
    }
    return {kind: count for kind, count in counts.items() if count}


def _warnings(grids: list[Grid]) -> list[str]:
    counts = (
        (sum(not grid.visible and bool(grid.rows) for grid in grids), "hidden sheets kept in the text"),
        (sum(grid.hidden_rows for grid in grids), "hidden rows kept in the text"),
        (sum(grid.hidden_columns for grid in grids), "hidden columns kept in the text"),
        (sum(grid.uncached for grid in grids), "formulas without a cached value"),
        (sum(grid.references for grid in grids), "cells whose numeric character references were decoded"),
    )
    return [f"{what}: {count}" for count, what in counts if count]
