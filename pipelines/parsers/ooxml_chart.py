"""The data of charts, from the values that the file caches (ISO 29500-1 section 21.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pipelines.parsers.ooxml_xml import child, children
from pipelines.parsers.pptx_text import paragraph_text
from pipelines.parsers.sheet_format import show_number
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local
from pipelines.records import Block, Cell, Locator

# A cache that claims more points than this is damaged: PowerPoint draws at most 32,000 a series.
MAX_POINTS = 32_000
# Series that share no category would make a table of mostly empty cells; above this each has its own.
_MAX_CELLS = 50_000

Points = dict[int, str]


@dataclass(frozen=True, slots=True)
class Series:
    """One series: its name, what its points are called, and one or two columns of values (the second: bubble sizes)."""

    name: str
    categories: Points
    columns: tuple[Points, ...]


def chart_blocks(root: Any, locator: Locator) -> list[Block]:
    """Return a chart's title, its axes' titles and one table a set of categories: categories down, series across."""
    chart = child(root, "chart")
    plot_area = child(chart, "plotArea")
    if plot_area is None:
        return []
    from_1904 = child(root, "date1904") is not None and child(root, "date1904").get("val", "1") in ("1", "true")
    axes = [_title(child(axis, "title")) for axis in plot_area if local(axis).endswith("Ax")]
    lines = [_title(child(chart, "title")), " / ".join(filter(None, axes))]
    series = [_series(one, from_1904=from_1904) for plot in plot_area for one in children(plot, "ser")]
    tables = series_tables(series, locator)
    labels = [text for one in plot_area.iter() if local(one) == "dLbl" for text in _rich(child(one, "tx"))]
    return [
        *(Block("paragraph", line, locator=locator) for line in lines if line),
        *tables,
        *(Block("paragraph", label, locator=locator) for label in dict.fromkeys(labels)),
    ]


def series_tables(series: Iterable[Series], locator: Locator) -> list[Block]:
    """Return one table for each run of series that share their categories."""
    groups: list[list[Series]] = []
    rows: set[int] = set()
    for one in series:
        used = set(one.categories).union(*one.columns)
        together = groups and groups[-1][0].categories == one.categories
        if together and len(rows | used) * (len(groups[-1]) + 1) <= _MAX_CELLS:
            groups[-1].append(one)
            rows |= used
        else:
            groups.append([one])
            rows = used
    tables = (_table(group, locator) for group in groups)
    return [table for table in tables if any(cell.blocks for cell in table.cells)]


def _table(group: list[Series], locator: Locator) -> Block:
    columns = [(one.name if n == 0 else "", points) for one in group for n, points in enumerate(one.columns)]
    categories = group[0].categories
    indices = sorted({index for found in (categories, *(points for _, points in columns)) for index in found})
    rows = [["", *(name for name, _ in columns)]]
    rows += [[categories.get(i, str(i + 1)), *(points.get(i, "") for _, points in columns)] for i in indices]
    cells = (Cell(r, c, _words(text)) for r, row in enumerate(rows) for c, text in enumerate(row))
    return Block("table", cells=tuple(cells), locator=locator)


def _words(text: str) -> tuple[Block, ...]:
    return (Block("paragraph", text),) if text else ()


def _title(title: Any) -> str:
    """Return a title's words, typed in or taken from a cell."""
    text = child(title, "tx")
    return " ".join(_rich(text)) or " ".join(_points(text, from_1904=False).values())


def _rich(text: Any) -> list[str]:
    rich = child(text, "rich")
    lines = (paragraph_text(p) for p in children(rich, "p")) if rich is not None else ()
    # Fields that the program fills in ([VALUE], [CELLRANGE]) repeat what the table says.
    return [line for line in lines if line and not (line.startswith("[") and line.endswith("]"))]


def _series(element: Any, *, from_1904: bool) -> Series:
    def points(*names: str) -> Points:
        found = (_points(child(element, name), from_1904=from_1904) for name in names)
        return next((one for one in found if one), {})

    columns = [points("val", "yVal")]
    sizes = points("bubbleSize")
    return Series(
        name=" ".join(points("tx").values()),
        categories=points("cat", "xVal"),
        columns=(*columns, sizes) if sizes else tuple(columns),
    )


def _points(holder: Any, *, from_1904: bool) -> Points:
    """Return index -> shown value of a series' name, its categories or its values."""
    if holder is None:
        return {}
    direct = child(holder, "v")
    if direct is not None:
        return {0: clean(direct.text or "").strip()}
    levels = [level for level in holder.iter() if local(level) == "lvl"]
    if levels:
        return _joined([dict(_cached(level, from_1904=from_1904)) for level in levels])
    return dict(_cached(holder, from_1904=from_1904))


def _joined(levels: list[Points]) -> Points:
    """Join category levels, innermost first in the file; an outer one is written once for the points below it."""
    found: Points = {}
    outer = [""] * (len(levels) - 1)
    for index in sorted({index for level in levels for index in level}):
        outer = [level.get(index, before) for level, before in zip(levels[1:], outer, strict=True)]
        found[index] = " / ".join(part for part in (*reversed(outer), levels[0].get(index, "")) if part)
    return found


def _cached(holder: Any, *, from_1904: bool) -> Iterator[tuple[int, str]]:
    code = ""
    for element in holder.iter():
        name, index = local(element), element.get("idx", "")
        if name == "formatCode":
            code = element.text or ""
        elif name == "pt" and index.isdecimal() and len(index) < 7 and int(index) < MAX_POINTS:
            value = child(element, "v")
            text = clean((value.text or "") if value is not None else "").strip()
            numeric = local(element.getparent()) in ("numCache", "numLit")
            yield (
                int(index),
                shown_value(text, element.get("formatCode") or code, from_1904=from_1904) if numeric else text,
            )


def shown_value(text: str, code: str, *, from_1904: bool = False) -> str:
    """Return a cached number as its format shows it (1200.0 as 1200); what is no number stays."""
    try:
        return show_number(float(text), code or "General", from_1904=from_1904)
    except ValueError:
        return text
