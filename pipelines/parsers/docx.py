"""Word files (ISO 29500 WordprocessingML, transitional and strict), read from the package's own XML.

python-docx refuses strict files and dangling relationships and loses text in content controls, tracked
insertions, text boxes and notes, so only the parts that hold words are read here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, Empty, SkipDocument
from pipelines.parsers.apart import Apart
from pipelines.parsers.archive import BoundedZip, open_zip
from pipelines.parsers.docx_body import Body
from pipelines.parsers.docx_changes import tracked_changes
from pipelines.parsers.docx_comments import discussions
from pipelines.parsers.docx_embedded import Embedded
from pipelines.parsers.docx_fields import Lists, Sequences, generated_lists
from pipelines.parsers.docx_inline import Inline, Source
from pipelines.parsers.docx_notes import KINDS, Notes
from pipelines.parsers.docx_numbering import Numbering
from pipelines.parsers.docx_styles import Styles
from pipelines.parsers.docx_text import read_inline
from pipelines.parsers.ooxml_package import (
    DAMAGED_LISTS,
    damaged_lists,
    main_part,
    parts,
    signatures,
    web_links,
    wordless,
)
from pipelines.parsers.ooxml_properties import read_core
from pipelines.parsers.ooxml_xml import child, chosen
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Limits, Parsed

_ASIDES = ("header", "footer")


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a Word file; notes and the words of text boxes follow their paragraph, headers and comments stand apart."""
    return _Document(open_zip(file, limits), limits).parsed()


class _Document:
    """One opened package."""

    def __init__(self, archive: BoundedZip, limits: Limits) -> None:
        self._archive = archive
        self._limits = limits
        self._main = main_part(archive)
        self._warnings: Counter[str] = Counter()
        self._styles = Styles(self._optional("styles"))
        self._sequences = Sequences()

    def parsed(self) -> Parsed:
        story = self._story()
        lists = generated_lists(story)
        source = Source(self._styles, web_links(self._archive, self._main), self._sequences, lists)
        embedded = Embedded(self._archive, self._main, self._limits)
        numbering = Numbering(self._optional("numbering"), self._styles)
        body = Body(source, numbering, self._notes(story), embedded.blocks, self._limits)
        blocks = tuple(body.blocks(story))
        if not blocks:
            raise self._wordless(body)
        self._warnings.update(body.lost + embedded.lost)
        damaged = len(damaged_lists(self._archive))
        if damaged:
            self._warnings[DAMAGED_LISTS] += damaged
        if self._sequences.missing:
            self._warnings["fields without a stored result"] += self._sequences.missing
        apart = self._apart()
        apart.count("tracked_change", tracked_changes(story))
        apart.count("signature", signatures(self._archive))
        asides = body.asides + embedded.asides + apart.counts
        for one in embedded.apart:
            apart.put(one.kind, one.text)
        core = read_core(self._archive)
        return Parsed(
            format="docx",
            blocks=blocks,
            title=core.title,
            author=core.author,
            modified_at=core.modified_at,
            created_at=core.created_at,
            clock="ooxml:modified" if core.modified_at else None,
            asides={kind: count for kind, count in asides.items() if count},
            apart=apart.kept,
            warnings=tuple(f"{count} {what}" for what, count in self._warnings.items()),
            properties=core.properties,
        )

    def _wordless(self, body: Body) -> SkipDocument:
        if body.lost:
            return Corrupt("tables or text boxes are nested deeper than office programs do, and nothing stands outside")
        if body.asides["contents"]:
            return Empty("the pages hold a generated list (contents, index) and no other words")
        return wordless(self._archive, "pages")

    def _story(self) -> Any:
        root = parse_xml(self._archive.read(self._main), self._main)
        story = child(root, "body")
        if local(root) != "document" or story is None:
            raise Corrupt("the main part is not a Word document")
        return story

    def _notes(self, story: Any) -> Notes:
        found = {kind: self._optional(kind) for kind in KINDS}
        settings = self._optional("settings")
        properties = [one for one in (child(story, "sectPr"), settings) if one is not None]
        roots = {kind: root for kind, root in found.items() if root is not None}
        links = {kind: self._links(kind) for kind in roots}
        return Notes(
            roots, properties, lambda note: self._words(note, links.get(f"{local(note)}s", {}), self._sequences)
        )

    def _links(self, kind: str) -> dict[str, str]:
        return next((web_links(self._archive, part) for part in parts(self._archive, self._main, kind)), {})

    def _apart(self) -> Apart:
        """Return the words of headers, footers and comments; their captions don't count on for the body."""
        found = Apart()
        for kind in _ASIDES:
            for part, root in self._roots(kind):
                found.put(kind, self._words(root, web_links(self._archive, part), Sequences()))
        comments = self._optional("comments")
        if comments is not None:
            words = partial(self._words, links=self._links("comments"), sequences=Sequences())
            for text in discussions(comments, self._optional("commentsExtended"), words):
                found.put("comment", text)
        return found

    def _optional(self, kind: str) -> Any:
        """Return the root of the part of this kind, None when there is none or it is damaged."""
        return next((root for _, root in self._roots(kind)), None)

    def _roots(self, kind: str) -> Iterator[tuple[str, Any]]:
        """Yield the parts of this kind, each once, with their roots; damaged ones are counted."""
        for part in dict.fromkeys(parts(self._archive, self._main, kind)):
            try:
                root = parse_xml(self._archive.read(part), part)
            except Corrupt:
                self._warnings[f"damaged {kind} parts"] += 1
                continue
            yield part, root

    def _words(self, story: Any, links: dict[str, str], sequences: Sequences) -> str:
        source = Source(self._styles, links, sequences, Lists())
        said = (read_inline(paragraph, source) for paragraph in _paragraphs(story))
        lines = (line for one in said for line in (one.text.strip(), *_art(one)))
        return "\n".join(line for line in lines if line)


def _art(inline: Inline) -> Iterator[str]:
    """Yield the words drawn in a paragraph: those of a watermark stand in a header."""
    return (str(one.content) for one in inline.floats if one.kind == "art")


def _paragraphs(story: Any) -> Iterator[Any]:
    """Yield the paragraphs of a note, header or footer, those of its tables and text boxes too."""
    for element in story:
        name = local(element)
        if name == "p":
            yield element
        if name == "AlternateContent":
            branch = chosen(element)
            if branch is not None:
                yield from _paragraphs(branch)
        elif name and name not in ("del", "moveFrom"):
            yield from _paragraphs(element)
