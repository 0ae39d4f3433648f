"""The data of charts that came with Office 2016: waterfall, funnel, treemap, histogram (MS-ODRAWXML 2.24)."""

from __future__ import annotations

from typing import Any

from pipelines.parsers.ooxml_chart import MAX_POINTS, Points, Series, series_tables, shown_value
from pipelines.parsers.ooxml_xml import child, children
from pipelines.parsers.pptx_text import paragraph_text
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local
from pipelines.records import Block, Locator


def chartex_blocks(root: Any, locator: Locator) -> list[Block]:
    """Return the title, the axes' titles and the table of a `cx:chartSpace`."""
    chart = child(root, "chart")
    area = child(chart, "plotArea")
    if area is None:
        return []
    axes = [_words(child(axis, "title")) for axis in children(area, "axis")]
    data = {one.get("id", ""): one for one in _below(child(root, "chartData"), "data")}
    series = [_series(one, data) for one in _below(child(area, "plotAreaRegion"), "series")]
    lines = [_words(child(chart, "title")), " / ".join(filter(None, axes))]
    return [*(Block("paragraph", line, locator=locator) for line in lines if line), *series_tables(series, locator)]


def _below(element: Any, name: str) -> list[Any]:
    return list(children(element, name)) if element is not None else []


def _series(element: Any, data: dict[str, Any]) -> Series:
    chosen = child(element, "dataId")
    source = data.get(chosen.get("val", "") if chosen is not None else "")
    dimensions = list(source) if source is not None else []
    texts = [one for one in dimensions if local(one) == "strDim"]
    numbers = [_points(one) for one in dimensions if local(one) == "numDim"]
    return Series(_words(element), _categories(texts), tuple(numbers) or ({},))


def _categories(dimensions: list[Any]) -> Points:
    levels = [_level(level) for one in dimensions for level in children(one, "lvl")]
    indices = sorted({index for level in levels for index in level})
    # The first level is the innermost; unlike older charts every level names every point.
    return {index: " / ".join(level[index] for level in reversed(levels) if level.get(index)) for index in indices}


def _points(dimension: Any) -> Points:
    level = child(dimension, "lvl")
    return _level(level) if level is not None else {}


def _level(level: Any) -> Points:
    code, found = level.get("formatCode", ""), {}
    for point in children(level, "pt"):
        index = point.get("idx", "")
        if index.isdecimal() and len(index) < 7 and int(index) < MAX_POINTS:
            text = clean(point.text or "").strip()
            numeric = local(level.getparent()) == "numDim"
            found[int(index)] = shown_value(text, code) if numeric else text
    return found


def _words(holder: Any) -> str:
    """Return the words of a title or a series' name: rich text, else the cached cell."""
    text = child(holder, "tx")
    rich = child(text, "rich")
    lines = [paragraph_text(p) for p in children(rich, "p")] if rich is not None else []
    cached = child(text, "txData", "v")
    return " ".join(line for line in lines if line) or clean((cached.text or "") if cached is not None else "").strip()
