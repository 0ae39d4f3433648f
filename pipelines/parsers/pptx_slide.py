"""One slide as blocks: its title, what lies on it in reading order, its notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pipelines.errors import Corrupt
from pipelines.parsers.apart import Apart
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.ooxml_chart import chart_blocks
from pipelines.parsers.ooxml_chartex import chartex_blocks
from pipelines.parsers.ooxml_comments import names
from pipelines.parsers.ooxml_diagram import diagram_blocks
from pipelines.parsers.ooxml_package import parts, relationships, web_links
from pipelines.parsers.ooxml_xml import child, chosen, link_of
from pipelines.parsers.pptx_comments import comments
from pipelines.parsers.pptx_shapes import Backdrop, Shape, backdrop, ordered_shapes
from pipelines.parsers.pptx_table import table_block
from pipelines.parsers.pptx_text import paragraph_text, text_blocks
from pipelines.parsers.pptx_title import title_of, words
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Block, Locator

NOTES_LABEL = "발표자 노트"
HIDDEN_LABEL = "[숨긴 슬라이드]"
# Placeholders that repeat on every slide: number, date, header, footer.
_FURNITURE = ("sldNum", "dt", "hdr", "ftr")


class SlideReader:
    """Reads the slides of one package whose main part is `main`; counts what it can't read."""

    def __init__(self, archive: BoundedZip, main: str, height: float) -> None:
        self.apart = Apart()
        self.warnings: Counter[str] = Counter()
        self._archive = archive
        self._height = height
        self._present = set(archive.names)
        self._backdrops: dict[str, Backdrop] = {}
        self._authors: dict[str, str] = {}
        for kind in ("commentAuthors", "authors"):
            for part in parts(archive, main, kind):
                self._authors |= names(self._root(part))

    def blocks(self, part: str, number: int) -> list[Block]:
        """Return the blocks of slide `number`, none when its part is damaged."""
        root = self._root(part)
        if root is None:
            return []
        locator = Locator(slide=number)
        hidden = root.get("show") in ("0", "false")
        self.warnings["hidden slides"] += hidden
        for said in self._comments(part):
            self.apart.put("comment", said, locator)
        layout = next(iter(parts(self._archive, part, "slideLayout")), "")
        master = next(iter(parts(self._archive, layout, "slideMaster")), "") if layout else ""
        shapes = self._shown(ordered_shapes(root, self._backdrop(layout), self._backdrop(master)), locator)
        title, level = title_of(shapes, first=number == 1, height=self._height)
        blocks = [Block("heading", words(title), level=level, locator=locator)] if title is not None else []
        if hidden:
            blocks.append(Block("paragraph", HIDDEN_LABEL, locator=locator, in_body=False))
        self.apart.count("image", sum(local(shape.element) == "pic" for shape in shapes))
        content = _Content(self, part, locator)
        for shape in shapes:
            if shape is not title:
                blocks += content.of(shape)
        return blocks + self._notes(part, locator)

    def root(self, part: str) -> Any:
        """Return the root of a part, None when it is missing or damaged."""
        return self._root(part)

    def diagram(self, part: str, locator: Locator) -> list[Block]:
        """Return the words of a SmartArt diagram, none when its part is missing."""
        return diagram_blocks(self._archive.read(part), part, locator) if part in self._present else []

    def targets(self, part: str) -> dict[str, str]:
        """Return relationship id -> part name."""
        return {key: link.target for key, link in relationships(self._archive, part).items()}

    def linked(self, part: str, kind: str) -> list[str]:
        """Return the parts of `kind` that `part` refers to."""
        return parts(self._archive, part, kind)

    def web_links(self, part: str) -> dict[str, str]:
        """Return the web addresses that hyperlinks of `part` lead to, by relationship id."""
        return web_links(self._archive, part)

    def _shown(self, shapes: list[Shape], locator: Locator) -> list[Shape]:
        """Keep hidden shapes and what every slide repeats apart."""
        found = []
        for shape in shapes:
            if shape.hidden:
                self.apart.count("hidden")
            elif shape.placeholder in _FURNITURE:
                self._keep_furniture(shape, locator)
            else:
                found.append(shape)
        return found

    def _keep_furniture(self, shape: Shape, locator: Locator) -> None:
        text = words(shape)
        if shape.placeholder != "sldNum":
            self.apart.put("header" if shape.placeholder == "hdr" else "footer", text, locator)
        elif text:
            self.apart.count("footer")

    def _notes(self, part: str, locator: Locator) -> list[Block]:
        blocks: list[Block] = []
        for notes in parts(self._archive, part, "notesSlide"):
            root = self._root(notes)
            content = _Content(self, notes, locator)
            for shape in ordered_shapes(root) if root is not None else ():
                if shape.placeholder not in (*_FURNITURE, "sldImg"):
                    blocks += content.of(shape)
        label = Block("heading", NOTES_LABEL, level=3, locator=locator, in_body=False)
        return [label, *blocks] if blocks else []

    def _comments(self, part: str) -> Iterator[str]:
        for name in parts(self._archive, part, "comments"):
            root = self._root(name)
            yield from comments(root, self._authors) if root is not None else ()

    def _backdrop(self, part: str) -> Backdrop:
        if part not in self._backdrops:
            self._backdrops[part] = backdrop(self._root(part))
        return self._backdrops[part]

    def _root(self, part: str) -> Any:
        if part not in self._present:
            return None
        try:
            return parse_xml(self._archive.read(part), part)
        except Corrupt:
            self.warnings["damaged parts"] += 1
            return None


class _Content:
    """Turns the shapes of one part (a slide or its notes) into blocks."""

    def __init__(self, reader: SlideReader, part: str, locator: Locator) -> None:
        self._reader = reader
        self._locator = locator
        self._targets = reader.targets(part)
        self._links = reader.web_links(part)

    def of(self, shape: Shape) -> list[Block]:
        """Return what one shape says."""
        if local(shape.element) != "graphicFrame":
            return text_blocks(child(shape.element, "txBody"), self._locator, shape.styles, self._links)
        data = child(shape.element, "graphic", "graphicData")
        return [block for one in _graphics(data) for block in self._graphic(one)]

    def _graphic(self, element: Any) -> list[Block]:
        name = local(element)
        if name == "tbl":
            table = table_block(element, self._locator, self._links)
            return [table] if table is not None else []
        if name == "relIds":
            return self._reader.diagram(self._targets.get(link_of(element, "dm"), ""), self._locator)
        if name == "chart":
            return self._chart(self._targets.get(link_of(element), ""))
        self._reader.warnings["embedded objects that aren't read"] += 1
        return []

    def _chart(self, part: str) -> list[Block]:
        root = self._reader.root(part)
        if root is None or local(root) != "chartSpace":
            self._reader.warnings["charts without readable data"] += 1
            return []
        newer = child(root, "chartData") is not None
        blocks = chartex_blocks(root, self._locator) if newer else chart_blocks(root, self._locator)
        if not blocks:
            self._reader.warnings["charts without readable data"] += 1
        for drawing in self._reader.linked(part, "chartUserShapes"):
            shapes = self._reader.root(drawing)
            texts = (paragraph_text(one) for one in shapes.iter() if local(one) == "p") if shapes is not None else ()
            blocks += [Block("paragraph", text, locator=self._locator) for text in texts if text]
        return blocks


def _graphics(data: Any) -> Iterator[Any]:
    for element in data if data is not None else ():
        if local(element) == "AlternateContent":
            yield from _graphics(chosen(element))
        elif local(element):
            yield element
