"""Presentations (ISO 29500 PresentationML), read from the package's own XML; the locator is the slide."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, TooLarge
from pipelines.parsers.archive import BoundedZip, open_zip
from pipelines.parsers.docx_xml import child, children
from pipelines.parsers.ooxml_diagram import diagram_blocks
from pipelines.parsers.ooxml_package import Relationship, main_part, parts, relationships, wordless
from pipelines.parsers.ooxml_properties import read_core
from pipelines.parsers.pptx_chart import chart_blocks
from pipelines.parsers.pptx_shapes import Shape, ordered_shapes
from pipelines.parsers.pptx_text import text_blocks
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Block, Cell, Limits, Locator, Parsed

NOTES_LABEL = "발표자 노트"
_TITLES = ("title", "ctrTitle")
# Placeholders that repeat on every slide: number, date, header, footer.
_FURNITURE = ("sldNum", "dt", "hdr", "ftr")
# Placeholders whose layouts draw bullets unless a paragraph says otherwise.
_BULLETED = ("body", "obj")


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a presentation: per slide its title, then shapes by rows from left to right, then the speaker's notes."""
    return _Presentation(open_zip(file, limits), limits).parsed()


class _Presentation:
    """One opened package."""

    def __init__(self, archive: BoundedZip, limits: Limits) -> None:
        self._archive = archive
        self._present = set(archive.names)
        self._limits = limits
        self._asides: Counter[str] = Counter()
        self._warnings: Counter[str] = Counter()
        self._roots: dict[str, Any] = {}

    def parsed(self) -> Parsed:
        slides = self._slide_parts()
        if len(slides) > self._limits.pages:
            raise TooLarge(f"the presentation has {len(slides)} slides")
        blocks: list[Block] = []
        for number, part in enumerate(slides, 1):
            blocks += self._slide(part, Locator(slide=number))
        if not any(block.in_body for block in blocks):
            raise wordless(self._archive, "slides")
        core = read_core(self._archive)
        return Parsed(
            format="pptx",
            blocks=tuple(blocks),
            title=core.title,
            author=core.author,
            modified_at=core.modified_at,
            created_at=core.created_at,
            clock="ooxml:modified" if core.modified_at else None,
            pages=len(slides),
            asides=dict(self._asides),
            warnings=tuple(f"{count} {what}" for what, count in self._warnings.items()),
            properties=core.properties,
        )

    def _slide_parts(self) -> list[str]:
        """Return the slides in showing order, which is the list's and not that of the part names."""
        main = main_part(self._archive)
        root = parse_xml(self._archive.read(main), main)
        if local(root) != "presentation":
            raise Corrupt("the main part is not a presentation")
        links = relationships(self._archive, main)
        entries = child(root, "sldIdLst")
        found = []
        for entry in entries if entries is not None else ():
            link = links.get(_link_id(entry))
            if link is not None and link.target in self._present:
                found.append(link.target)
            elif local(entry) == "sldId":
                self._warnings["slides that the file lists but doesn't hold"] += 1
        return found

    def _slide(self, part: str, locator: Locator) -> list[Block]:
        root = self._root(part)
        if root is None:
            return []
        if root.get("show") in ("0", "false"):
            self._warnings["hidden slides"] += 1
        links = relationships(self._archive, part)
        self._asides.update({"comment": self._comments(part)} if parts(self._archive, part, "comments") else {})
        layout = next(iter(parts(self._archive, part, "slideLayout")), "")
        master = next(iter(parts(self._archive, layout, "slideMaster")), "") if layout else ""
        layout_root = self._root(layout)
        shapes = ordered_shapes(root, layout_root, self._root(master))
        title = next((shape for shape in shapes if shape.placeholder in _TITLES and _words(shape)), None)
        blocks = [_heading(title, layout_root, locator)] if title else []
        for shape in shapes:
            if shape is not title:
                blocks += self._shape(shape, links, locator)
        return blocks + self._notes(part, locator)

    def _shape(self, shape: Shape, links: dict[str, Relationship], locator: Locator) -> list[Block]:
        if shape.hidden:
            self._asides["hidden"] += 1
            return []
        if shape.placeholder in _FURNITURE:
            self._asides["footer"] += bool(_words(shape))
            return []
        if local(shape.element) == "graphicFrame":
            data = child(shape.element, "graphic", "graphicData")
            return [
                block for inner in (data if data is not None else ()) for block in self._graphic(inner, links, locator)
            ]
        body = child(shape.element, "txBody")
        return text_blocks(body, locator, bulleted=shape.placeholder in _BULLETED)

    def _graphic(self, element: Any, links: dict[str, Relationship], locator: Locator) -> list[Block]:
        name = local(element)
        if name == "tbl":
            return [block for block in [_table(element, locator)] if block.cells]
        if name == "relIds":
            link = links.get(_link_id(element, "dm"))
            known = link is not None and link.target in self._present
            return diagram_blocks(self._archive.read(link.target), link.target, locator) if link and known else []
        if name == "chart":
            link = links.get(_link_id(element))
            root = self._root(link.target) if link is not None else None
            if root is not None and local(root) == "chartSpace" and child(root, "chart") is not None:
                return chart_blocks(root, locator)
            self._warnings["charts without readable data"] += 1
        elif name:
            self._warnings["embedded objects that aren't read"] += 1
        return []

    def _notes(self, part: str, locator: Locator) -> list[Block]:
        blocks: list[Block] = []
        for notes in parts(self._archive, part, "notesSlide"):
            root = self._root(notes)
            for shape in ordered_shapes(root) if root is not None else ():
                if shape.placeholder == "body":
                    blocks += text_blocks(child(shape.element, "txBody"), locator)
        label = Block("heading", NOTES_LABEL, level=3, locator=locator, in_body=False)
        return [label, *blocks] if blocks else []

    def _comments(self, part: str) -> int:
        roots = (self._root(name) for name in parts(self._archive, part, "comments"))
        return sum(1 for root in roots if root is not None for _ in children(root, "cm"))

    def _root(self, part: str) -> Any:
        """Return the root of a part, None when it is missing or damaged; layouts and masters are read once."""
        if part not in self._present:
            return None
        if part in self._roots:
            return self._roots[part]
        try:
            root = parse_xml(self._archive.read(part), part)
        except Corrupt:
            self._warnings["damaged parts"] += 1
            root = None
        if "/slideLayouts/" in part or "/slideMasters/" in part:
            self._roots[part] = root
        return root


def _words(shape: Shape) -> str:
    texts = text_blocks(child(shape.element, "txBody"), Locator())
    return " ".join(block.text.replace("\n", " ") for block in texts)


def _heading(title: Shape, layout: Any, locator: Locator) -> Block:
    cover = title.placeholder == "ctrTitle" or (layout is not None and layout.get("type") == "title")
    return Block("heading", _words(title), level=1 if cover else 2, locator=locator)


def _table(element: Any, locator: Locator) -> Block:
    cells: list[Cell] = []
    for r, row in enumerate(children(element, "tr")):
        for c, cell in enumerate(children(row, "tc")):
            if cell.get("hMerge") in ("1", "true") or cell.get("vMerge") in ("1", "true"):
                continue
            blocks = tuple(replace(block, locator=Locator()) for block in text_blocks(child(cell, "txBody"), locator))
            cells.append(Cell(r, c, blocks, _span(cell, "rowSpan"), _span(cell, "gridSpan")))
    if not any(cell.blocks for cell in cells):
        cells = []
    return Block("table", cells=tuple(cells), locator=locator)


def _span(cell: Any, name: str) -> int:
    value = cell.get(name, "1")
    return max(1, int(value)) if value.isdigit() else 1


def _link_id(element: Any, name: str = "id") -> str:
    return next((value for key, value in element.attrib.items() if key.endswith("}" + name)), "")
