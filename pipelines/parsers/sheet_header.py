"""Where a table's header rows are, told from what the cells look like."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from pipelines.parsers.sheet_form import Row, is_form, is_form_label
from pipelines.parsers.sheet_grid import Grid
from pipelines.parsers.sheet_words import head_columns

# Titles, units and dates stand above a header; deeper than this no header was seen in the case files.
_SEARCHED_ROWS = 12
# Rows below a candidate that are compared with it.
_COMPARED_ROWS = 5
_MAX_LEVELS = 3
_MAX_LABEL_CHARS = 40
_MAX_VALUE_CHARS = 60
# Share of a row's filled cells that must read as labels, and of the data's columns that the labels must cover.
_LABEL_SHARE, _COVERED_SHARE = 0.8, 0.8

# Rows between a title and its table, and characters by which values are longer than twice their label.
_TITLE_GAP, _MIN_LONGER = 4, 4

_VALUE = re.compile(
    r"[-+(△▲₩$€¥]*[\d][\d,.]*\)?\s*(%|원|천원|백만원|명|개|건|회|시간|일|개월)?|\d{4}[-./년]\s*\d{1,2}([-./월][\d일\s.:]*)?|\d{1,2}:\d{2}.*"
    r"|TRUE|FALSE|=.+|#[A-Z/0!]+[!?]?|[^@\s]+@[^@\s]+\.[a-z]+|0\d{1,2}-\d{3,4}-\d{4}|[-○×OX◎△]"
)
_YEAR = re.compile(r"(19|20)\d{2}(년|년도)?|\d{1,2}월|[1-4]/?4?분기|Q[1-4]")
# 2026-03-02, 3월 2일, 3/2, with or without the day of the week.
_DAY = re.compile(r"((19|20)\d{2}[-./년]\s?\d{1,2}[-./월]|\d{1,2}[/월])\s?\d{1,2}[.일]?\s?(\([월화수목금토일]\))?")
# "3. 담당자" is an entry of a form, "견적번호: Q-2026" a label with its value; neither heads a column.
_ENTRY = re.compile(r"\d{1,2}[.)]\s.*", re.DOTALL)
_PAIR = re.compile(r"[^:：]{1,20}[:：]\s*\S.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Header:
    """A header: its place among the rows of a block, how many rows it takes, and a label for every column."""

    first: int
    levels: int
    labels: dict[int, str]


def is_value(text: str) -> bool:
    """Tell whether a cell reads as a number, date, mark or address rather than as a label."""
    return len(text) <= _MAX_VALUE_CHARS and _VALUE.fullmatch(text) is not None


def find_header(rows: list[Row], grid: Grid) -> Header | None:
    """Return the header of a block of rows; None for a form, a list or data without one."""
    filtered = _filtered(rows, grid)
    return filtered if filtered is not None else _find(rows, grid)


def _find(rows: list[Row], grid: Grid) -> Header | None:
    widest = 0
    for index, (_, cells) in enumerate(rows[:_SEARCHED_ROWS]):
        if len(cells) < 2 or all(_PAIR.fullmatch(text) for text in cells.values()):
            continue
        if (widest == 0 or (len(cells) >= 3 and len(cells) > widest)) and _is_header(rows, index, grid):
            levels = _levels(rows, index, grid)
            if index + levels < len(rows):
                return Header(index, levels, _labels(rows, index, levels, grid))
        widest = max(widest, len(cells))
    return None


def repeats(rows: list[Row], header: Header) -> set[int]:
    """Return the numbers of the rows that say all of a header's rows again."""
    said = [cells for _, cells in rows[header.first : header.first + header.levels]]
    if not said or len(said[0]) < 2:
        return set()
    starts = (n for n in range(header.first + header.levels, len(rows)) if rows[n][1] == said[0])
    again = (rows[n : n + header.levels] for n in starts)
    return {number for block in again if [cells for _, cells in block] == said for number, _ in block}


def is_period(text: str) -> bool:
    """Tell whether a text names a year, quarter or month, as it may head a column."""
    return _YEAR.fullmatch(text) is not None


def is_marked(row: Row, grid: Grid) -> bool:
    """Tell whether every cell of a row stands out, as headers do; False when the reader can't tell."""
    number, cells = row
    return grid.emphasised is not None and all((number, column) in grid.emphasised for column in cells)


def heads_anew(rows: list[Row], index: int, grid: Grid) -> bool:
    """Tell whether another table begins at a row without a gap: a title of one cell, then a header that stands out."""
    if len(rows[index][1]) != 1 or index + 2 >= len(rows) or not is_marked(rows[index + 1], grid):
        return False
    below = rows[index + 1 : index + 2 + _COMPARED_ROWS]
    return len(rows[index + 1][1]) > 1 and not is_marked(below[1], grid) and _is_header(below, 0, grid)


def named_header(rows: list[Row], grid: Grid) -> Header:
    """Return the first row as the header, which the file says it is."""
    return Header(0, 1, _labels(rows, 0, 1, grid))


def _filtered(rows: list[Row], grid: Grid) -> Header | None:
    """Return the row that carries a filter's buttons, with the levels above it that its merges belong to."""
    for index, (number, cells) in enumerate(rows[:_SEARCHED_ROWS]):
        area = grid.filter_at(number)
        inside = [c for c in cells if area is not None and area.left <= c <= area.right]
        if area is None or len(inside) < 2 or index + 1 >= len(rows):
            continue
        above = _find(rows[: index + 1], grid) if index else None
        first = above.first if above is not None and above.first + above.levels == index + 1 else index
        return Header(first, index + 1 - first, _labels(rows, first, index + 1 - first, grid))
    return None


def _is_header(rows: list[Row], index: int, grid: Grid) -> bool:
    number, cells = rows[index]
    texts = list(cells.values())
    labels = [text for text in texts if _is_label(text)]
    years = [text for text in texts if _YEAR.fullmatch(text) and not _is_label(text)]
    below = _data_below(rows, index)
    if len(labels) + len(years) + _days(cells, below) < _LABEL_SHARE * len(texts):
        return False
    if not below or (len(below) == 1 and len(below[0][1]) < 2):
        return False
    corner = _empty_corner(cells, below)
    if not labels and corner is None:
        return False
    spans = _spans(number, grid)
    covered = {column for first, last in (spans.get(c, (c, c)) for c in cells) for column in range(first, last + 1)}
    used = [column for _, row in below for column in row]
    if sum(column in covered or column == corner for column in used) < _COVERED_SHARE * len(used):
        return False
    # A label that comes again in its own column is a value: these rows are all data.
    if any(row.get(column) == text for column, text in cells.items() for _, row in below):
        return False
    if not any(is_value(text) for _, row in below for text in row.values()) and not _is_signed(rows, index, grid):
        return False
    return not is_form([rows[index], *below]) and not _is_styled_form(rows[index], below, grid)


def _is_signed(rows: list[Row], index: int, grid: Grid) -> bool:
    """Tell whether a row over nothing but words shows that it heads them: their kind alone can't."""
    number, cells = rows[index]
    texts = list(cells.values())
    if is_marked(rows[index], grid) or head_columns(texts) or any(map(is_form_label, texts)):
        return True
    if any(merge.right > merge.left for merge in grid.merged(number)) or _has_title(number, grid):
        return True
    below = [row for _, row in _data_below(rows, index)]
    if _empty_corner(cells, rows[index + 1 : index + 1 + _COMPARED_ROWS]) is not None:
        return True
    columns = ((text, [row[column] for row in below if column in row]) for column, text in cells.items())
    return any(len(values) > 1 and _looks_other(text, values) for text, values in columns)


def _has_title(number: int, grid: Grid) -> bool:
    """Tell whether a single cell or a blank top of the sheet stands over a row, a gap of a few rows between them."""
    above = next((grid.rows[n] for n in range(number - 1, max(0, number - _TITLE_GAP), -1) if n in grid.rows), None)
    return len(above) == 1 if above is not None else 1 < number == next(iter(grid.rows))


def _looks_other(label: str, values: list[str]) -> bool:
    """Tell whether all values of a column have a look that its label lacks: digits, spaces, length, Hangul."""
    looks: tuple[Callable[[str], bool], ...] = (
        lambda text: any(char.isdecimal() for char in text),
        lambda text: " " in text.strip(),
        lambda text: len(text) > 2 * len(label) + _MIN_LONGER,
        lambda text: not text.isascii(),
    )
    return any(all(map(has, values)) and not has(label) for has in looks)


def _days(cells: dict[int, str], below: list[Row]) -> int:
    """Count the days that head columns: later ones to the right, and no days under them."""
    days = {column: text for column, text in cells.items() if _DAY.fullmatch(text) and not _YEAR.fullmatch(text)}
    order = [tuple(map(int, re.findall(r"\d+", text))) for _, text in sorted(days.items())]
    rising = len(order) > 1 and all(before < after for before, after in pairwise(order))
    under = any(_DAY.fullmatch(row.get(column, "")) for _, row in below for column in days)
    return len(days) if rising and not under else 0


def _empty_corner(cells: dict[int, str], below: list[Row]) -> int | None:
    """Return the column of row names, one left of a crosstab's header, where every row has a name."""
    corner = min(cells) - 1
    names = [row.get(corner, "") for _, row in below]
    return corner if all(map(_is_label, names)) and all(names) else None


def _data_below(rows: list[Row], index: int) -> list[Row]:
    """Return the next rows to compare with a header, without those that say it again, as on every printed page."""
    again = rows[index][1]
    if index + 1 < len(rows) and rows[index + 1][1] == again:
        return rows[index + 1 : index + 1 + _COMPARED_ROWS]
    return [row for row in rows[index + 1 : index + 1 + 2 * _COMPARED_ROWS] if row[1] != again][:_COMPARED_ROWS]


def _is_label(text: str) -> bool:
    if len(text) > _MAX_LABEL_CHARS or is_value(text):
        return False
    return not _PAIR.fullmatch(text) and not _ENTRY.fullmatch(text)


def _is_styled_form(row: Row, below: list[Row], grid: Grid) -> bool:
    """Tell whether label and value cells alternate in the row, as in a form."""
    number, cells = row
    if grid.emphasised is None:
        return False
    marks = [(number, column) in grid.emphasised for column in sorted(cells)]
    if all(marks) or not any(marks):
        return False
    alike = [[(n, column) in grid.emphasised for column in sorted(r)] for n, r in below[:2]]
    return marks[0] and not marks[1] and all(not other or other[0] for other in alike)


def _spans(number: int, grid: Grid) -> dict[int, tuple[int, int]]:
    return {merge.left: (merge.left, merge.right) for merge in grid.merged(number)}


def _levels(rows: list[Row], index: int, grid: Grid) -> int:
    """Count header rows: a horizontal merge is divided by the row below it, a vertical one reaches into it."""
    number = rows[index][0]
    levels = 1
    for merge in grid.merged(number):
        if merge[1] not in rows[index][1]:
            continue
        if merge[2] > number:
            levels = max(levels, merge[2] - number + 1)
        elif merge[3] > merge[1] and index + 1 < len(rows):
            under = [text for column, text in rows[index + 1][1].items() if merge[1] <= column <= merge[3]]
            if len(under) > 1 and not any(is_value(text) and not _YEAR.fullmatch(text) for text in under):
                levels = max(levels, 2)
    levels = min(levels, _MAX_LEVELS)
    last = number + levels - 1
    return sum(1 for n, _ in rows[index : index + levels] if n <= last)


def _labels(rows: list[Row], index: int, levels: int, grid: Grid) -> dict[int, str]:
    """Join the levels over each column: "상반기 / 계획"."""
    parts: dict[int, list[str]] = {}
    for number, cells in rows[index : index + levels]:
        spans = _spans(number, grid)
        for column, text in cells.items():
            first, last = spans.get(column, (column, column))
            for under in range(first, last + 1):
                words = parts.setdefault(under, [])
                if text not in words:
                    words.append(text)
    return {column: " / ".join(" ".join(word.split()) for word in words) for column, words in sorted(parts.items())}
