"""Footnotes and endnotes of a Word file, numbered as they are printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from pipelines.parsers.docx_formats import shown
from pipelines.parsers.ooxml_xml import attribute, child, children, number
from pipelines.records import Block

# part kind -> name of a note in it, its numbering properties (ISO 29500-1 section 17.11), Word's own format
_KINDS = {
    "footnotes": ("footnote", "footnotePr", "decimal"),
    "endnotes": ("endnote", "endnotePr", "lowerRoman"),
}
KINDS = tuple(_KINDS)


class Notes:
    """The notes of one document; each is given out once, at its first reference."""

    def __init__(self, roots: dict[str, Any], properties: list[Any], words: Callable[[Any], str]) -> None:
        """`roots` are the parts by kind; `properties` may hold numbering properties, the strongest first."""
        self._notes = {
            (kind, attribute(note, "id")): note
            for kind, root in roots.items()
            for note in children(root, _KINDS[kind][0])
            if attribute(note, "type", "normal") == "normal"
        }
        self._words = words
        self._counts: Counter[str] = Counter()
        self._formats: dict[str, str] = {}
        for kind, (_, name, default) in _KINDS.items():
            found = [child(one, name) for one in properties]
            formats = (attribute(child(one, "numFmt"), "val") for one in found)
            self._formats[kind] = next(filter(None, formats), default)
            starts = (number(child(one, "numStart"), "val", -1) for one in found)
            self._counts[kind] = next((start for start in starts if start >= 0), 1) - 1

    def take(self, kind: str, note_id: str, own_mark: bool) -> list[Block]:
        """Return the note as a block; a note with a mark of its own isn't counted and has no number."""
        note = self._notes.pop((kind, note_id), None)
        if note is None:
            return []
        self._counts[kind] += not own_mark
        text = self._words(note)
        label = "" if own_mark else shown(self._counts[kind], self._formats[kind])
        return [Block("note", text, number=label, in_body=False)] if text else []
