"""CSV and TSV files: one record a row, with the header's labels."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from typing import BinaryIO, Literal

from pipelines.errors import Corrupt, Empty, TooLarge
from pipelines.parsers.sheet_grid import Area, Grid
from pipelines.parsers.sheet_header import find_header, is_period, is_value, repeats
from pipelines.parsers.text import decode
from pipelines.parsers.whole_file import read_whole
from pipelines.records import Block, Limits, Locator, Parsed

_DELIMITERS = (",", "\t", ";", "|")
_SAMPLED_ROWS = 100
# Excel writes and reads this line; it belongs to no table.
_SAID = re.compile(r"[\"']?sep=([,;\t|])[\"']?[ \t]*(?:\r\n?|\n)", re.IGNORECASE)
# Rows above the header of an export: title, date, blank line.
_HEADER_WINDOW = 20


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a table of text; raises Empty, Corrupt (encoding) or TooLarge (limits.cells filled cells)."""
    text = decode(read_whole(file, limits))[0].lstrip("\ufeff")
    said = _SAID.match(text)
    text = text[said.end() :] if said else text
    delimiter = said[1] if said else "\t" if name.lower().endswith(".tsv") else find_delimiter(text)
    # csv refuses fields over 131,072 characters by default; the file itself is bounded already.
    csv.field_size_limit(limits.stream_mb << 20)
    grid = read_rows(text, delimiter, limits)
    if not grid.rows:
        raise Empty("the file holds no filled cell")
    _merge_as_exported(grid)
    return Parsed(format="csv", blocks=tuple(_blocks(grid)), warnings=_warnings(grid))


def find_delimiter(text: str) -> str:
    """Return the delimiter that divides most rows into the same number of fields; a comma when none does.

    One that divides the first of these rows so too goes before: commas within numbers stand only below the header.
    """
    lines = text.splitlines(keepends=True)[: _SAMPLED_ROWS * 2]
    widths = {delimiter: _widths(lines, delimiter) for delimiter in _DELIMITERS}
    first = min((row for rows in widths.values() for row, width in enumerate(rows) if width > 1), default=0)
    best, best_score = ",", (False, 0.0)
    for delimiter, rows in widths.items():
        filled = [width for width in rows if width]
        width, count = Counter(filled).most_common(1)[0] if filled else (0, 0)
        if width > 1:
            score = (rows[first : first + 1] == [width], count / len(filled) * math.log(width))
            best, best_score = max((best, best_score), (delimiter, score), key=lambda one: one[1])
    return best


def _widths(lines: list[str], delimiter: str) -> list[int]:
    """Return the number of fields of the sampled rows, 0 for a blank one; none when they can't be divided."""
    try:
        return [len(row) for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True)][:_SAMPLED_ROWS]
    except csv.Error:
        return []


def read_rows(text: str, delimiter: str, limits: Limits) -> Grid:
    """Return the filled cells; rows are records as a spreadsheet counts them, blank ones included."""
    grid = Grid("")
    # One quote left open swallows the rest of the file; then quotes are characters like others.
    quoting: Literal[0, 3] = csv.QUOTE_NONE if text.count('"') % 2 else csv.QUOTE_MINIMAL
    cells_left = limits.cells
    try:
        for number, row in enumerate(
            csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, skipinitialspace=True), 1
        ):
            cells = {column: shown for column, field in enumerate(row, 1) if (shown := grid.text(field))}
            if cells:
                grid.rows[number] = cells
                cells_left -= len(cells)
                if cells_left < 0:
                    raise TooLarge("the file holds more filled cells than the limit")
    except csv.Error as error:
        raise Corrupt("the rows can't be divided into fields") from error
    return grid


def _merge_as_exported(grid: Grid) -> None:
    """Merge again what was merged before a header of two rows was exported: the gaps right of and below its cells."""
    rows = list(grid.rows.items())[:_HEADER_WINDOW]
    for (number, upper), (following, lower), (_, data) in zip(rows, rows[1:], rows[2:], strict=False):
        columns = sorted({*upper, *lower})
        if following != number + 1 or len(upper) < 2 or len(lower) < 2 or set(upper) >= set(lower):
            continue
        heads = (text for text in (*upper.values(), *lower.values()) if not is_period(text))
        if any(map(is_value, heads)) or not any(map(is_value, data.values())):
            continue
        for column, after in zip(sorted(upper), [*sorted(upper)[1:], columns[-1] + 1], strict=True):
            if column not in lower:
                grid.merges.append(Area(number, column, following, column))
            elif after > column + 1:
                grid.merges.append(Area(number, column, number, after - 1))
        break
    grid.settle()


def _blocks(grid: Grid) -> list[Block]:
    rows = list(grid.rows.items())
    header = find_header(rows[:_HEADER_WINDOW], grid)
    if header is None:
        return [_record(number, cells, {}) for number, cells in rows]
    start = header.first + header.levels
    again = repeats(rows, header)
    blocks = [_record(number, cells, {}) for number, cells in rows[:start]]
    blocks += [_record(number, cells, header.labels) for number, cells in rows[start:] if number not in again]
    return blocks


def _record(number: int, cells: dict[int, str], labels: dict[int, str]) -> Block:
    locator = Locator(rows=(number, number))
    if not labels:
        return Block("record", values=tuple(cells.values()), locator=locator)
    columns = sorted(set(labels) | set(cells))
    return Block(
        "record",
        labels=tuple(labels.get(column, "") for column in columns),
        values=tuple(cells.get(column, "") for column in columns),
        locator=locator,
    )


def _warnings(grid: Grid) -> tuple[str, ...]:
    count = grid.references
    return (f"cells whose numeric character references were decoded: {count}",) if count else ()
