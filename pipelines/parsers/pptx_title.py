"""Which shape of a slide is its title."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.parsers.ooxml_xml import child, children
from pipelines.parsers.pptx_shapes import Shape
from pipelines.parsers.pptx_text import paragraph_text, text_size
from pipelines.parsers.sheet_header import is_value
from pipelines.parsers.xml import local

_TITLES = ("title", "ctrTitle")
# Titles of decks without title placeholders: one or two lines, a sixth larger than anything else, in the upper third
# (on a cover anywhere). In the case decks made by programs every title is so, and no other text.
_MAX_CHARS, _MAX_LINES, _LARGER, _UPPER = 60, 2, 1.15, 1 / 3


def title_of(shapes: Sequence[Shape], *, first: bool, height: float) -> tuple[Shape | None, int]:
    """Return the title's shape and heading level: 1 for covers, 2 for other slides; (None, 0) without one."""
    for shape in shapes:
        if shape.placeholder in _TITLES and words(shape):
            return shape, 1 if shape.placeholder == "ctrTitle" else 2
    return _largest(shapes, first=first, height=height)


def _largest(shapes: Sequence[Shape], *, first: bool, height: float) -> tuple[Shape | None, int]:
    sized = [(text_size(child(shape.element, "txBody")), shape) for shape in shapes if words(shape)]
    if not sized or any(shape.placeholder in _TITLES for shape in shapes):
        return None, 0
    size, shape = max(sized, key=lambda pair: pair[0])
    others = [other for other, one in sized if one is not shape]
    alone = not others and all(local(one.element) != "graphicFrame" for one in shapes)
    if alone or any(size < _LARGER * other for other in others) or not _reads_as_title(shape):
        return None, 0
    middle = shape.box.y + shape.box.high / 2
    return (shape, 1 if first else 2) if first or middle < height * _UPPER else (None, 0)


def _reads_as_title(shape: Shape) -> bool:
    lines = [text for p in children(child(shape.element, "txBody"), "p") if (text := paragraph_text(p))]
    text = " ".join(lines)
    return len(lines) <= _MAX_LINES and len(text) <= _MAX_CHARS and not is_value(text) and any(map(str.isalpha, text))


def words(shape: Shape) -> str:
    """Return a shape's words on one line."""
    body = child(shape.element, "txBody")
    lines = [paragraph_text(one) for one in children(body, "p")] if body is not None else []
    return " ".join(" ".join(lines).split())
