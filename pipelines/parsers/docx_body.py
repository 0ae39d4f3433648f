"""From a story (body, cell, text box) of a Word file to blocks in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pipelines.errors import TooLarge
from pipelines.parsers.docx_blocks import in_cell, joined_code, text_block
from pipelines.parsers.docx_fields import Lists
from pipelines.parsers.docx_heading import marked_level
from pipelines.parsers.docx_inline import Float, Inline, Source
from pipelines.parsers.docx_notes import Notes
from pipelines.parsers.docx_numbering import Numbering
from pipelines.parsers.docx_styles import MAX_LEVEL
from pipelines.parsers.docx_table import closed_up, merged_cells, placed_cells, rows_of
from pipelines.parsers.docx_text import read_inline
from pipelines.parsers.ooxml_xml import attribute, child, chosen, is_on, link_of, number
from pipelines.parsers.xml import local
from pipelines.records import Block, Limits

# Properties, deleted and moved-away content.
_SKIPPED = frozenset(
    ("del", "moveFrom", "sdtPr", "sdtEndPr", "tcPr", "tblPr", "tblGrid", "tblPrEx", "trPr", "sectPr", "pPr", "rPr")
)
# The gallery name of a contents control, the same in every language of Word.
_CONTENTS = "Table of Contents"
# More paragraphs without an end than this are no edit of a person.
_MAX_JOINED = 1000


class Body:
    """Reads stories of one document; list counters run on from one call to the next.

    asides    kind -> count of what was left out: hidden text, prompts, lines of generated lists, readings, images
    lost      what couldn't be read -> count
    """

    def __init__(
        self,
        source: Source,
        numbering: Numbering,
        notes: Notes,
        embedded: Callable[[str, str], list[Block]],
        limits: Limits,
    ) -> None:
        """`embedded` reads an "altChunk", "chart" or "diagram" by kind and relationship id."""
        self._source = source
        self._numbering = numbering
        self._notes = notes
        self._embedded = embedded
        self._limits = limits
        self._heading = 0
        self._last_marked: Block | None = None
        self.asides: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()

    def blocks(self, story: Any, depth: int = 0) -> list[Block]:
        """Return the blocks of a story; a note follows the paragraph or table that refers to it."""
        found: list[Block] = []
        before: list[Inline] = []
        self._walk(story, depth, found, before)
        return joined_code(found + self._alone(before, depth))

    def _walk(self, story: Any, depth: int, found: list[Block], before: list[Inline]) -> None:
        """Add the blocks of `story`; `before` holds paragraphs whose end is deleted, to be joined with the next one."""
        for element in story:
            name = local(element)
            if not name or name in _SKIPPED:
                continue
            if name == "p":
                self._paragraph(element, depth, found, before)
                continue
            if name in ("tbl", "altChunk"):
                found += self._alone(before, depth)
            if name == "tbl":
                found += self._table(element, depth)
            elif name == "altChunk":
                found += self._embedded("altChunk", link_of(element))
            elif name == "subDoc":
                self.lost["sub-documents in files of their own"] += 1
            elif name == "sdt" and _is_contents(element):
                self.asides["contents"] += sum(self._has_words(inner) for inner in element.iter())
            elif name == "AlternateContent":
                branch = chosen(element)
                if branch is not None:
                    self._walk(branch, depth, found, before)
            else:
                self._walk(element, depth, found, before)

    def _paragraph(self, element: Any, depth: int, found: list[Block], before: list[Inline]) -> None:
        style_id = attribute(child(element, "pPr", "pStyle"), "val") or self._source.styles.default_paragraph
        inline = read_inline(element, self._source, style_id)
        self._count(inline)
        if _joins_next(element) and len(before) < _MAX_JOINED:
            before.append(inline)
            return
        said = "".join(one.text for one in (*before, inline))
        words = said.strip()
        if words or not self._is_hidden(element, style_id):
            # An empty paragraph of a list has a number too, as printed.
            listed = self._numbering.next(child(element, "pPr", "numPr"), style_id)
            level = self._level(element, style_id)
            plain = not (depth or listed or level or before)
            if words and plain and inline.bold and (marked := marked_level(words, self._heading)):
                self._marked(words, marked, found)
            elif words and not (level or listed) and self._source.styles.is_code(style_id):
                found.append(Block("code", said.strip("\n").rstrip()))
            elif words:
                self._heading = level or self._heading
                found.append(text_block(words, level, listed))
        for one in (*before, inline):
            found += self._beside(one, depth)
        before.clear()

    def _marked(self, words: str, level: int, found: list[Block]) -> None:
        """Add a heading made by hand; several in a row without a word between them are a list."""
        if found and found[-1] is self._last_marked:
            found[-1] = text_block(found[-1].text, 0, None)
            level = 0
        self._last_marked = text_block(words, level, None)
        found.append(self._last_marked)

    def _is_hidden(self, paragraph: Any, style_id: str) -> bool:
        vanish = child(paragraph, "pPr", "rPr", "vanish")
        return is_on(vanish) if vanish is not None else self._source.styles.is_hidden(style_id)

    def _alone(self, before: list[Inline], depth: int) -> list[Block]:
        """Return what waited for a paragraph to be joined with, when none came."""
        words = "".join(one.text for one in before).strip()
        found = [Block("paragraph", words)] if words else []
        for one in before:
            found += self._beside(one, depth)
        before.clear()
        return found

    def _count(self, inline: Inline) -> None:
        counts = {
            "hidden": inline.hidden,
            "contents": inline.listed,
            "prompt": inline.prompts,
            "ruby": inline.rubies,
            "image": inline.pictures,
        }
        self.asides.update({kind: int(count) for kind, count in counts.items() if count})
        if inline.objects:
            self.lost["embedded files that are not read"] += inline.objects

    def _has_words(self, element: Any) -> bool:
        return local(element) == "p" and bool(read_inline(element, self._source._replace(lists=Lists())).text.strip())

    def _level(self, element: Any, style_id: str) -> int:
        own = child(element, "pPr", "outlineLvl")
        if own is not None:
            outline = number(own, "val", 9)
            return min(outline + 1, MAX_LEVEL) if 0 <= outline < 9 else 0
        return self._source.styles.heading_level(style_id)

    def _beside(self, inline: Inline, depth: int) -> list[Block]:
        """Return the charts, diagrams, boxes and notes of a paragraph."""
        found: list[Block] = []
        for one in inline.floats:
            found += self._float(one, depth)
        for kind, note_id, own_mark in inline.notes:
            found += self._notes.take(kind, note_id, own_mark)
        return found

    def _float(self, one: Float, depth: int) -> list[Block]:
        if one.kind == "art":
            return [Block("paragraph", one.content)] if one.content else []
        if one.kind != "box":
            return self._embedded(one.kind, one.content)
        if depth >= self._limits.depth:
            self._too_deep()
            return []
        return self.blocks(one.content, depth + 1)

    def _too_deep(self) -> None:
        self.lost[f"tables or text boxes nested deeper than {self._limits.depth}"] += 1

    def _table(self, element: Any, depth: int) -> list[Block]:
        if depth >= self._limits.depth:
            self._too_deep()
            return []
        rows = rows_of(element)
        self.asides.update({"hidden": rows.hidden} if rows.hidden else {})
        cells, notes = merged_cells(placed_cells(rows.lines), lambda cell: self.blocks(cell, depth + 1))
        if len(cells) == 1:
            # A one-cell table is a frame around ordinary paragraphs.
            return [*cells[0].blocks, *notes]
        if not any(cell.blocks for cell in cells):
            return notes
        shown = closed_up([replace(cell, blocks=tuple(map(in_cell, cell.blocks))) for cell in cells])
        if (1 + max(cell.col for cell in shown)) * len(rows.lines) > self._limits.cells:
            raise TooLarge(f"a table spans more than {self._limits.cells:,} cells")
        return [Block("table", cells=shown, header_rows=rows.headers), *notes]


def _joins_next(paragraph: Any) -> bool:
    """Tell whether the paragraph has no end of its own: its mark is deleted or moved, or it is a drop cap."""
    mark = child(paragraph, "pPr", "rPr")
    if child(mark, "del") is not None or child(mark, "moveFrom") is not None:
        return True
    return attribute(child(paragraph, "pPr", "framePr"), "dropCap") in ("drop", "margin")


def _is_contents(control: Any) -> bool:
    gallery = child(control, "sdtPr", "docPartObj", "docPartGallery")
    return attribute(gallery, "val") == _CONTENTS
