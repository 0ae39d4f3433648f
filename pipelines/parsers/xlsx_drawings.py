"""What lies over the cells of a sheet: text boxes, charts, comments, and the tables that the file names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipelines.errors import Corrupt
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.ooxml_chart import chart_blocks
from pipelines.parsers.ooxml_chartex import chartex_blocks
from pipelines.parsers.ooxml_package import relationships, web_links
from pipelines.parsers.ooxml_xml import child, chosen, link_of
from pipelines.parsers.pptx_text import text_blocks
from pipelines.parsers.sheet_grid import Grid, Table, area_of
from pipelines.parsers.xlsx_comments import Remark, notes, remarks, threaded
from pipelines.parsers.xlsx_parts import is_on, number
from pipelines.parsers.xlsx_sheet import Book
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Block, Locator

_ANCHORS = ("twoCellAnchor", "oneCellAnchor", "absoluteAnchor")


def read_companions(book: Book, grid: Grid, part: str) -> list[str]:
    """Add what the parts that a sheet refers to say; returns the names of those that are damaged or missing."""
    lost = []
    noted: list[Remark] = []
    said: list[Remark] = []
    archive = book.archive
    present = set(archive.names)
    for link in relationships(archive, part).values():
        if link.kind not in ("comments", "threadedComment", "drawing", "table"):
            continue
        try:
            root = parse_xml(archive.read(link.target), link.target) if link.target in present else None
        except Corrupt:
            root = None
        if root is None:
            lost.append(link.target)
        elif link.kind == "table":
            grid.tables += _table(root)
        elif link.kind == "drawing":
            grid.drawn += _Drawing(archive, link.target, grid).blocks(root)
            book.apart.count("image", sum(map(_is_shown, root.iter("{*}pic"))))
        elif link.kind == "comments":
            noted += notes(root)
        else:
            said += threaded(root, book.people)
    for text in remarks(noted, said):
        book.apart.put("comment", text, Locator(sheet=grid.name))
    return lost


def _is_shown(picture: Any) -> bool:
    """Tell a picture that lies on the sheet from a hidden one, and from the copy for older programs."""
    about = child(picture, "nvPicPr", "cNvPr")
    hidden = about is not None and is_on(about.get("hidden"))
    return not hidden and next(picture.iterancestors("{*}Fallback"), None) is None


def _table(root: Any) -> list[Table]:
    area = area_of(root.get("ref", ""))
    if local(root) != "table" or area is None:
        return []
    stated = root.get("headerRowCount")
    return [Table(area, 1 if stated is None else min(1, number(stated)))]


class _Drawing:
    """Reads one drawing part (ECMA-376 part 1, 20.5): what it says, by rows and then columns of its anchors."""

    def __init__(self, archive: BoundedZip, part: str, grid: Grid) -> None:
        self._archive = archive
        self._present = set(archive.names)
        self._targets = {key: link.target for key, link in relationships(archive, part).items()}
        self._links = web_links(archive, part)
        self._sheet = grid.name

    def blocks(self, root: Any) -> list[Block]:
        """Return the words of text boxes and the titles of charts; what charts draw stands in cells."""
        found = []
        for anchor in root:
            if local(anchor) in _ANCHORS:
                row, column = _place(child(anchor, "from"))
                locator = Locator(sheet=self._sheet, rows=(row, row)) if row else Locator(sheet=self._sheet)
                found.append((row, column, [block for one in _shapes(anchor) for block in self._said(one, locator)]))
        return [block for _, _, blocks in sorted(found, key=lambda one: one[:2]) for block in blocks]

    def _said(self, shape: Any, locator: Locator) -> list[Block]:
        if local(shape) == "sp":
            body = child(shape, "txBody")
            own = child(body, "lstStyle")
            return text_blocks(body, locator, [own] if own is not None else [], self._links)
        blocks: list[Block] = []
        for frame in shape.iter():
            if local(frame) == "chart":
                blocks += self._titles(self._targets.get(link_of(frame), ""), locator)
        return blocks

    def _titles(self, part: str, locator: Locator) -> list[Block]:
        if part not in self._present:
            return []
        try:
            root = parse_xml(self._archive.read(part), part)
        except Corrupt:
            return []
        newer = child(root, "chartData") is not None
        blocks = chartex_blocks(root, locator) if newer else chart_blocks(root, locator)
        return [block for block in blocks if block.kind != "table"]


def _place(start: Any) -> tuple[int, int]:
    """Return the row and column of an anchor, counted from 1; (0, 0) for one that hangs on no cell."""
    row, column = child(start, "row"), child(start, "col")
    if row is None or column is None:
        return 0, 0
    return number((row.text or "").strip()) + 1, number((column.text or "").strip()) + 1


def _shapes(element: Any) -> Iterator[Any]:
    """Yield shapes and frames in drawing order, those inside groups too, each AlternateContent once."""
    for one in element:
        name = local(one)
        if name in ("sp", "graphicFrame"):
            yield one
        elif name == "AlternateContent":
            branch = chosen(one)
            yield from _shapes(branch) if branch is not None else ()
        elif name == "grpSp":
            yield from _shapes(one)
