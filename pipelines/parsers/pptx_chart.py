"""The data of a chart part, from the values that the file caches (ISO 29500-1 section 21.2)."""

from __future__ import annotations

from typing import Any

from pipelines.parsers.docx_xml import child, children
from pipelines.parsers.pptx_text import paragraph_text
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local
from pipelines.records import Block, Cell, Locator

# A cache that claims more points than this is damaged: PowerPoint draws at most 32,000 a series.
MAX_POINTS = 32_000


def chart_blocks(root: Any, locator: Locator) -> list[Block]:
    """Return a chart's title and one table a plot: categories down, series across."""
    chart = child(root, "chart")
    title = child(chart, "title")
    lines = [paragraph_text(p) for p in title.iter() if local(p) == "p"] if title is not None else []
    blocks = [Block("paragraph", line, locator=locator) for line in lines if line]
    plot_area = child(chart, "plotArea")
    for plot in plot_area if plot_area is not None else ():
        series = list(children(plot, "ser"))
        if series:
            blocks.append(_table(series, locator))
    return blocks


def _table(series: list[Any], locator: Locator) -> Block:
    names = [" ".join(_points(child(one, "tx")).values()) for one in series]
    values = [_points(child(one, "val")) or _points(child(one, "yVal")) for one in series]
    categories = next(
        (found for one in series if (found := _points(child(one, "cat")) or _points(child(one, "xVal")))), {}
    )
    indices = sorted({index for found in [categories, *values] for index in found})
    rows = [["", *names]]
    rows += [[categories.get(i, str(i + 1)), *(found.get(i, "") for found in values)] for i in indices]
    cells = (Cell(r, c, _words(text)) for r, row in enumerate(rows) for c, text in enumerate(row))
    return Block("table", cells=tuple(cells), locator=locator)


def _words(text: str) -> tuple[Block, ...]:
    return (Block("paragraph", text),) if text else ()


def _points(holder: Any) -> dict[int, str]:
    """Return index -> shown value of a series name, its categories or its values."""
    if holder is None:
        return {}
    found: dict[int, str] = {}
    direct = child(holder, "v")
    if direct is not None:
        return {0: clean(direct.text or "").strip()}
    # Of several category levels the first is the innermost, the one that labels each point.
    inner = next((level for level in holder.iter() if local(level) == "lvl"), holder)
    code = next((element.text or "" for element in inner.iter() if local(element) == "formatCode"), "")
    for point in inner.iter():
        if local(point) == "pt" and point.get("idx", "").isdigit() and int(point.get("idx")) < MAX_POINTS:
            value = child(point, "v")
            text = clean((value.text or "") if value is not None else "").strip()
            found[int(point.get("idx"))] = _number(text, point.get("formatCode") or code)
    return found


def _number(text: str, code: str) -> str:
    """Return 1200.0 as 1200 and .125 under a percent format as 12.5%; what is no number stays."""
    try:
        value = float(text)
    except ValueError:
        return text
    percent = "%" in code
    shown = f"{value * 100 if percent else value:.10g}"
    return f"{shown}%" if percent else shown
