"""The words of a SmartArt diagram."""

from __future__ import annotations

from typing import Any

from pipelines.errors import Corrupt
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Block, Locator


def diagram_blocks(data: bytes, part: str, locator: Locator | None = None) -> list[Block]:
    """Return one item a text point of a diagram's data part, in stored order; none when the part is damaged."""
    try:
        root = parse_xml(data, part)
    except Corrupt:
        return []
    texts = (_text(element) for element in root.iter() if local(element) == "p" and _has_text(element))
    return [Block("item", text, level=1, locator=locator or Locator()) for text in texts if text]


def _has_text(element: Any) -> bool:
    return any(local(inner) == "t" for inner in element.iter())


def _text(paragraph: Any) -> str:
    words = []
    for element in paragraph.iter():
        name = local(element)
        words.append((element.text or "") if name == "t" else "\n" if name == "br" else "")
    return clean("".join(words)).strip()
