"""What a Word file holds in parts of their own: charts, SmartArt, imported documents (altChunk)."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace

from pipelines.errors import Corrupt, SkipDocument, UnsafeXml
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.ooxml_chart import chart_blocks
from pipelines.parsers.ooxml_chartex import chartex_blocks
from pipelines.parsers.ooxml_diagram import diagram_blocks
from pipelines.parsers.ooxml_package import relationships
from pipelines.parsers.xml import parse_xml
from pipelines.records import Aside, Block, Limits, Locator

# An import within an import within ...: each level has this share of the depth of the one above, 20, 5, 1.
_DEPTH_SHARE = 4
_LOST = {"altChunk": "imported parts that can't be read", "chart": "damaged charts", "diagram": "damaged diagrams"}


class Embedded:
    """The parts that the main part shows; each is read once, at its first place."""

    def __init__(self, archive: BoundedZip, main: str, limits: Limits) -> None:
        self._archive = archive
        self._links = relationships(archive, main)
        self._names = set(archive.names)
        self._limits = limits
        self._read: set[str] = set()
        self.lost: Counter[str] = Counter()
        self.asides: Counter[str] = Counter()
        self.apart: list[Aside] = []

    def blocks(self, kind: str, link: str) -> list[Block]:
        """Return the words of an "altChunk", "chart" or "diagram"; what can't be read is counted in `lost`."""
        relationship = self._links.get(link)
        if relationship is None or relationship.target not in self._names:
            self.lost[_LOST[kind]] += 1
            return []
        part = relationship.target
        if part in self._read:
            return []
        self._read.add(part)
        try:
            data = self._archive.read(part)
            return self._imported(data, part) if kind == "altChunk" else self._drawn(relationship.kind, data, part)
        except Corrupt:
            self.lost[_LOST[kind]] += 1
            return []

    def _drawn(self, kind: str, data: bytes, part: str) -> list[Block]:
        if kind == "diagramData":
            return diagram_blocks(data, part)
        read = chartex_blocks if kind == "chartEx" else chart_blocks
        return read(parse_xml(data, part), Locator())

    def _imported(self, data: bytes, part: str) -> list[Block]:
        from pipelines.parsers import parse as parse_any

        depth = self._limits.depth // _DEPTH_SHARE
        try:
            if depth < 1:
                raise Corrupt("imported documents are nested too deep")
            inner = parse_any(io.BytesIO(data), part.rpartition("/")[2], replace(self._limits, depth=depth))
        except UnsafeXml:
            raise
        except SkipDocument:
            self.lost[_LOST["altChunk"]] += 1
            return []
        # What signs an import signs nothing else.
        self.asides.update({kind: count for kind, count in inner.asides.items() if kind != "signature"})
        self.apart += inner.apart
        return [replace(block, locator=Locator()) for block in inner.blocks]
