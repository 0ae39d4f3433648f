"""The words of a SmartArt diagram (ISO 29500-1 section 21.4), in the order and depth in which it shows them."""

from __future__ import annotations

from typing import Any

from pipelines.errors import Corrupt
from pipelines.parsers.ooxml_xml import child, children
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Block, Locator

_INT_CHARS = 9


def diagram_blocks(data: bytes, part: str, locator: Locator | None = None) -> list[Block]:
    """Return one item a paragraph of a diagram's data part, none when the part is damaged.

    Points are stored in the order in which they were made; what leads to what, and in which order, is in the
    connections. A point that nothing leads to comes last.
    """
    try:
        root = parse_xml(data, part)
    except Corrupt:
        return []
    stored = (element for element in root.iter() if local(element) == "pt")
    points = {point.get("modelId") or f"#{n}": point for n, point in enumerate(stored)}
    return [
        Block("item", text, level=level, locator=locator or Locator())
        for identity, level in _ordered(points, _below(root))
        for text in _texts(points[identity])
    ]


def _below(root: Any) -> dict[str, list[str]]:
    """Return the points under each point, in order."""
    found: dict[str, list[tuple[int, str]]] = {}
    for connection in root.iter():
        if local(connection) == "cxn" and connection.get("type", "parOf") == "parOf":
            place = connection.get("srcOrd", "")
            order = int(place) if place.isdecimal() and len(place) <= _INT_CHARS else 0
            found.setdefault(connection.get("srcId", ""), []).append((order, connection.get("destId", "")))
    return {source: [target for _, target in sorted(below)] for source, below in found.items()}


def _ordered(points: dict[str, Any], below: dict[str, list[str]]) -> list[tuple[str, int]]:
    """Return every point once with its level from 1, from the diagram's own point down."""
    seen: set[str] = set()
    found = []
    led_to = {target for targets in below.values() for target in targets}
    starts = [identity for identity, point in points.items() if point.get("type") == "doc"]
    starts += [identity for identity in points if identity not in led_to]
    waiting = [(identity, 0) for identity in reversed([*starts, *points])]
    while waiting:
        identity, level = waiting.pop()
        if identity in seen or identity not in points:
            continue
        seen.add(identity)
        found.append((identity, max(1, level)))
        waiting += [(inner, level + 1) for inner in reversed(below.get(identity, ()))]
    return found


def _texts(point: Any) -> list[str]:
    body = child(point, "t")
    return [text for paragraph in children(body, "p") if (text := _text(paragraph))] if body is not None else []


def _text(paragraph: Any) -> str:
    words = []
    for element in paragraph.iter():
        name = local(element)
        words.append((element.text or "") if name == "t" else "\n" if name == "br" else "")
    return clean("".join(words)).strip()
