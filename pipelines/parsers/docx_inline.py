"""What a paragraph of a Word file holds, and what its words depend on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pipelines.parsers.docx_fields import Lists, Sequences
from pipelines.parsers.docx_styles import Styles


class Float(NamedTuple):
    """Something beside the words: kind "box" with its element, "art" (WordArt) with its words, or "chart" and
    "diagram" with a relationship id."""

    kind: str
    content: Any


@dataclass(slots=True)
class Inline:
    """What a paragraph holds: its words, what floats beside them, and its notes as (part kind, id, has its own mark).

    text      with the white space at both ends, which counts when the paragraph has no end of its own
    hidden    runs that are hidden
    prompts   runs that only say what to fill in ("click to enter text")
    rubies    readings left out above words
    objects   embedded files
    pictures  pictures that aren't the face of an embedded file
    listed    whether words of a generated list were left out
    bold      whether every word is bold
    """

    text: str = ""
    floats: list[Float] = field(default_factory=list)
    notes: list[tuple[str, str, bool]] = field(default_factory=list)
    hidden: int = 0
    prompts: int = 0
    rubies: int = 0
    objects: int = 0
    pictures: int = 0
    listed: bool = False
    bold: bool = False


class Source(NamedTuple):
    """What the words of a part depend on: styles, web addresses by relationship id, caption numbers, lists."""

    styles: Styles
    links: Mapping[str, str]
    sequences: Sequences
    lists: Lists
