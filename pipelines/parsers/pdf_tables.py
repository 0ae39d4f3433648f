"""Ruled tables: pdfplumber finds the cells, the characters are pdfium's."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.parsers.pdf_glyphs import Glyph
from pipelines.parsers.pdf_lines import Line, Part, PlacedCell, PlacedTable, lines_of
from pipelines.parsers.pdf_page import RULE_WIDTH
from pipelines.records import Cell

Box = tuple[float, float, float, float]
# Borders drawn twice lie within this many points of each other.
_SNAP = 2.0
# Gap between characters (in sizes) that reads as a space: 1.2 points at 10 finds 5 of 5 Korean word gaps.
_WORD_GAP = 0.12
# Two rules may be a box, three are the rows of a table.
_OPEN_RULES = 3
# A letter drawn again within this share of its width is heavy print, no second letter.
_TWICE = 0.5
# A strip thinner than this (points) is the padding around a shaded paragraph: no line of text fits.
_PADDING = 6.0
# In a table no word crosses a border; where more of the characters do, the rules are decoration.
_TORN_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Ruled:
    """What pdfplumber says of a page: the cells of its tables (left, top, right, bottom), characters if asked."""

    number: int
    tables: tuple[tuple[Box, ...], ...]
    glyphs: tuple[Glyph, ...]
    failed: bool = False


def ruled_pages(data: bytes, wanted: dict[int, bool]) -> Iterator[Ruled]:
    """Yield the pages in `wanted` (number from 1 -> whether its characters are needed too), in order.

    A page that pdfplumber can't read comes back empty and `failed`.
    """
    import pdfplumber

    with pdfplumber.open(io.BytesIO(data), pages=sorted(wanted)) as document:
        for page in document.pages:
            try:
                if not wanted[page.page_number]:
                    _draw_rules(page)
                yield _ruled(page, wanted[page.page_number])
            except Exception:
                yield Ruled(page.page_number, (), (), failed=True)
            finally:
                page.close()


def _draw_rules(page: Any) -> None:
    """Lay out a page without its text, which takes most of pdfplumber's time: pdfium has read it already."""
    from pdfminer.pdfinterp import PDFPageInterpreter
    from pdfminer.pdftypes import dict_value
    from pdfplumber.page import PDFPageAggregatorWithMarkedContent

    class RulesOnly(PDFPageInterpreter):
        def init_resources(self, resources: Any) -> None:
            super().init_resources({key: value for key, value in dict_value(resources).items() if key != "Font"})

        def do_Tf(self, fontid: Any, fontsize: Any) -> None:
            # Without a font the interpreter passes over strings.
            pass

    device = PDFPageAggregatorWithMarkedContent(page.pdf.rsrcmgr, pageno=page.page_number, laparams=None)
    RulesOnly(page.pdf.rsrcmgr, device).process_page(page.page_obj)
    page._layout = device.get_result()


def split_tables(glyphs: Sequence[Glyph], tables: Sequence[tuple[Box, ...]]) -> list[Part]:
    """Return lines and tables in stream order; a table stands where its first character does."""
    owners = [_owner(glyph, tables) for glyph in glyphs]
    inside: list[list[list[Glyph]]] = [[[] for _ in cells] for cells in tables]
    for position, owner in enumerate(owners):
        if owner is not None:
            _append(inside[owner[0]][owner[1]], glyphs, owners, position)
    torn = _torn(glyphs, owners)
    placed = {
        index: None
        if torn[index] > sum(map(len, inside[index])) * _TORN_SHARE
        else _placed(cells, [lines_of(run) for run in inside[index]])
        for index, cells in enumerate(tables)
    }
    parts: list[Part] = []
    run: list[Glyph] = []
    shown: set[int] = set()
    for glyph, owner in zip(glyphs, owners, strict=True):
        table = placed.get(owner[0]) if owner else None
        if owner is None or table is None:
            run.append(glyph)
        elif owner[0] not in shown:
            parts += [*lines_of(run), table]
            run = []
            shown.add(owner[0])
        elif run and run[-1].text != "\n":
            run.append(Glyph("\n"))
    return parts + lines_of(run)


def _ruled(page: Any, with_glyphs: bool) -> Ruled:
    x, y = page.bbox[:2]
    found = _tables(page)
    if any(min(cell[2] - cell[0], cell[3] - cell[1]) < _PADDING for table in found for cell in table.cells if cell):
        found = _tables(page.filter(_is_border)) or found
    tables = tuple(
        tuple((cell[0] - x, cell[1] - y, cell[2] - x, cell[3] - y) for cell in table.cells if cell) for table in found
    )
    glyphs = tuple(_plumber_glyphs(page.chars, x, y)) if with_glyphs else ()
    return Ruled(page.page_number, tables, glyphs)


def _tables(page: Any) -> list[Any]:
    """Return the tables of a page, those without borders at their sides closed first, as Korean offices draw them."""
    finder = page.debug_tablefinder()
    sides = _open_sides(finder.edges)
    return list(page.find_tables({"explicit_vertical_lines": sides}) if sides else finder.tables)


def _open_sides(edges: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines that close the sides where three rules or more end alike and a column border stands between."""
    groups: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    down = [edge for edge in edges if edge["orientation"] == "v"]
    for edge in edges:
        if edge["orientation"] == "h":
            groups[round(edge["x0"] / _SNAP), round(edge["x1"] / _SNAP)].append(edge)
    sides: list[dict[str, Any]] = []
    for rules in groups.values():
        top, bottom = min(rule["top"] for rule in rules), max(rule["top"] for rule in rules)
        left, right = min(rule["x0"] for rule in rules), max(rule["x1"] for rule in rules)
        crossing = [edge for edge in down if edge["top"] < bottom and edge["bottom"] > top]
        inner = [edge for edge in crossing if left + _SNAP < edge["x0"] < right - _SNAP]
        if len(rules) < _OPEN_RULES or not inner:
            continue
        # The rule under a coloured header may be the colour's edge alone, which ends elsewhere.
        top = min(top, *(edge["top"] for edge in inner))
        closed = [x for x in (left, right) if any(abs(edge["x0"] - x) <= _SNAP for edge in crossing)]
        sides += [_side(x, top, bottom) for x in (left, right) if x not in closed]
    return sides


def _side(x: float, top: float, bottom: float) -> dict[str, Any]:
    place = {"x0": x, "x1": x, "top": top, "bottom": bottom, "width": 0.0, "height": bottom - top}
    return {"object_type": "line", "orientation": "v", **place}


def _is_border(item: dict[str, Any]) -> bool:
    """Tell a border from the shading behind a paragraph, which Word draws as a filled box inside the cell."""
    shading = item["object_type"] == "rect" and item.get("fill") and not item.get("stroke")
    return not (shading and min(item["width"], item["height"]) > RULE_WIDTH)


def _plumber_glyphs(chars: Sequence[dict[str, Any]], x: float, y: float) -> Iterator[Glyph]:
    """Yield pdfplumber's characters with the spaces and line ends that their places imply."""
    before: Glyph | None = None
    for char in chars:
        text = "\ufffd" if char["text"].startswith("(cid:") else char["text"]
        middle = (char["top"] + char["bottom"]) / 2 - y
        glyph = Glyph(text, char["x0"] - x, char["x1"] - x, middle, char["size"], char["bottom"] - char["top"])
        if before is not None:
            size, width = max(glyph.size, 1.0), glyph.right - glyph.left
            if text == before.text and abs(glyph.left - before.left) < _TWICE * width and abs(middle - before.y) < 1:
                continue
            if abs(middle - before.y) > 0.5 * size or glyph.left < before.left - size:
                yield Glyph("\n")
            elif glyph.left - before.right > _WORD_GAP * size:
                yield Glyph(" ")
        yield glyph
        before = glyph


def _owner(glyph: Glyph, tables: Sequence[tuple[Box, ...]]) -> tuple[int, int] | None:
    if not glyph.placed:
        return None
    x = (glyph.left + glyph.right) / 2
    for table, cells in enumerate(tables):
        for index, (left, top, right, bottom) in enumerate(cells):
            if left <= x <= right and top <= glyph.y <= bottom:
                return table, index
    return None


def _torn(glyphs: Sequence[Glyph], owners: Sequence[tuple[int, int] | None]) -> Counter[int]:
    """Count by table the places where a border cuts a word in two."""
    torn: Counter[int] = Counter()
    for position in range(1, len(glyphs)):
        before, after = owners[position - 1], owners[position]
        if before is None or after is None or before == after or before[0] != after[0]:
            continue
        left, right = glyphs[position - 1], glyphs[position]
        one_line = abs(left.y - right.y) < 1 and not (left.text.isspace() or right.text.isspace())
        if one_line and -0.5 < (right.left - left.right) / max(right.size, 1.0) < _WORD_GAP:
            torn[after[0]] += 1
    return torn


def _append(run: list[Glyph], glyphs: Sequence[Glyph], owners: Sequence[tuple[int, int] | None], position: int) -> None:
    """Add a character to its cell, with the white space between it and the cell's last one."""
    glyph = glyphs[position]
    if run:
        last = position - 1
        while last >= 0 and not glyphs[last].placed:
            last -= 1
        gap = [between for between in glyphs[last + 1 : position] if between.text.isspace()]
        if last >= 0 and owners[last] == owners[position]:
            run.extend(gap)
        else:
            run.append(Glyph("\n" if abs(run[-1].y - glyph.y) > glyph.size / 2 else " "))
    run.append(glyph)


def _placed(boxes: tuple[Box, ...], printed: list[list[Line]]) -> PlacedTable | None:
    """Return the table, None for a frame or an ornament: under two rows, two columns or two filled cells."""
    xs = _edges([value for box in boxes for value in (box[0], box[2])])
    ys = _edges([value for box in boxes for value in (box[1], box[3])])
    if len(xs) < 3 or len(ys) < 3 or sum(map(bool, printed)) < 2:
        return None
    found = []
    for (left, top, right, bottom), lines in zip(boxes, printed, strict=True):
        row, column = _nearest(ys, top), _nearest(xs, left)
        spans = max(1, _nearest(ys, bottom) - row), max(1, _nearest(xs, right) - column)
        found.append(PlacedCell(Cell(row, column, (), *spans), tuple(lines), left, right))
    found.sort(key=lambda placed: (placed.cell.row, placed.cell.col))
    return PlacedTable(tuple(found), ys[0], ys[-1], tuple(xs))


def _edges(values: list[float]) -> list[float]:
    edges: list[float] = []
    for value in sorted(values):
        if not edges or value - edges[-1] > _SNAP:
            edges.append(value)
    return edges


def _nearest(edges: list[float], value: float) -> int:
    return min(range(len(edges)), key=lambda index: abs(edges[index] - value))
