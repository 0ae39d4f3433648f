"""Word files (ISO 29500 WordprocessingML, transitional and strict), read from the package's own XML.

python-docx refuses strict files and dangling relationships and loses text in content controls, tracked
insertions, text boxes and notes, so only the parts that hold words are read here.
"""

from __future__ import annotations

import io
from collections import Counter
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, SkipDocument, UnsafeXml
from pipelines.parsers.archive import BoundedZip, open_zip
from pipelines.parsers.docx_body import Body
from pipelines.parsers.docx_numbering import Numbering
from pipelines.parsers.docx_styles import Styles
from pipelines.parsers.docx_text import read_inline
from pipelines.parsers.docx_xml import attribute, child, children
from pipelines.parsers.ooxml_diagram import diagram_blocks
from pipelines.parsers.ooxml_package import main_part, parts, relationships, wordless
from pipelines.parsers.ooxml_properties import read_core
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Block, Limits, Parsed

_NOTE_PARTS = {"footnotes": "footnote", "endnotes": "endnote"}


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a Word file; notes and the words of text boxes follow their paragraph, headers and comments are counted."""
    return _Document(open_zip(file, limits), limits).parsed()


class _Document:
    """One opened package."""

    def __init__(self, archive: BoundedZip, limits: Limits) -> None:
        self._archive = archive
        self._limits = limits
        self._main = main_part(archive)
        self._warnings: Counter[str] = Counter()
        self._styles = Styles(self._optional("styles"))
        notes = {
            (kind, attribute(note, "id")): self._words(note)
            for kind, tag in _NOTE_PARTS.items()
            for root in [self._optional(kind)]
            if root is not None
            for note in children(root, tag)
            if attribute(note, "type", "normal") == "normal"
        }
        numbering = Numbering(self._optional("numbering"), self._styles)
        self._body = Body(self._styles, numbering, notes, self._embedded, limits.depth)

    def parsed(self) -> Parsed:
        root = parse_xml(self._archive.read(self._main), self._main)
        story = child(root, "body")
        if local(root) != "document" or story is None:
            raise Corrupt("the main part is not a Word document")
        core = read_core(self._archive)
        blocks = tuple(self._body.blocks(story))
        if not blocks:
            raise wordless(self._archive, "pages")
        if self._body.too_deep:
            self._warnings[f"tables or text boxes nested deeper than {self._limits.depth}"] += self._body.too_deep
        return Parsed(
            format="docx",
            blocks=blocks,
            title=core.title,
            author=core.author,
            modified_at=core.modified_at,
            created_at=core.created_at,
            clock="ooxml:modified" if core.modified_at else None,
            asides=self._asides(),
            warnings=tuple(f"{count} {what}" for what, count in self._warnings.items()),
            properties=core.properties,
        )

    def _asides(self) -> dict[str, int]:
        found = Counter(self._body.asides)
        for kind in ("header", "footer"):
            for part in parts(self._archive, self._main, kind):
                try:
                    found[kind] += bool(self._words(parse_xml(self._archive.read(part), part)))
                except Corrupt:
                    self._warnings[f"damaged {kind} parts"] += 1
        comments = self._optional("comments")
        if comments is not None:
            found["comment"] += sum(1 for _ in children(comments, "comment"))
        return {kind: count for kind, count in found.items() if count}

    def _optional(self, kind: str) -> Any:
        """Return the root of the part of this kind, None when there is none or it is damaged."""
        for part in parts(self._archive, self._main, kind):
            try:
                return parse_xml(self._archive.read(part), part)
            except Corrupt:
                self._warnings[f"damaged {kind} parts"] += 1
        return None

    def _words(self, story: Any) -> str:
        paragraphs = (element for element in story.iter() if local(element) == "p")
        texts = (read_inline(paragraph, self._styles).text for paragraph in paragraphs)
        return "\n".join(text for text in texts if text)

    def _embedded(self, kind: str, link: str) -> list[Block]:
        """Read an imported chunk or a diagram's words; what can't be read is counted."""
        relationship = relationships(self._archive, self._main).get(link)
        if relationship is None or relationship.target not in self._archive.names:
            return []
        data = self._archive.read(relationship.target)
        if kind == "diagramData":
            return diagram_blocks(data, relationship.target)
        return self._imported(data, relationship.target)

    def _imported(self, data: bytes, part: str) -> list[Block]:
        from pipelines.parsers import parse as parse_any

        try:
            return list(parse_any(io.BytesIO(data), part.rpartition("/")[2], self._limits).blocks)
        except UnsafeXml:
            raise
        except SkipDocument:
            self._warnings["imported parts that can't be read"] += 1
            return []
