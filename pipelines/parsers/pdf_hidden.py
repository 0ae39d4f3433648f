"""White text on white paper: no reader sees it, so it is no word of the document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipelines.parsers.pdf_glyphs import Glyph
from pipelines.parsers.pdf_page import Box, grounds, page_frame


def without_hidden(glyphs: Sequence[Glyph], page: Any) -> tuple[list[Glyph], int]:
    """Return the characters that show, and how many lines lost some.

    Only the place of what is drawn is known, not its order or shape: white text over anything at all counts as shown.
    """
    if not any(glyph.white for glyph in glyphs):
        return list(glyphs), 0
    found = grounds(page)
    if found is None:
        return list(glyphs), 0
    place = page_frame(page)
    boxes = [_displayed(box, place) for box in found]
    kept: list[Glyph] = []
    lines, in_line = 0, False
    for glyph in glyphs:
        if glyph.white and not any(_holds(box, glyph) for box in boxes):
            lines += not in_line
            in_line = True
            continue
        in_line = in_line and glyph.text != "\n"
        kept.append(glyph)
    return kept, lines


def _displayed(box: Box, place: Any) -> Box:
    (x0, y0), (x1, y1) = place(box[0], box[1]), place(box[2], box[3])
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _holds(box: Box, glyph: Glyph) -> bool:
    x = (glyph.left + glyph.right) / 2
    return box[0] <= x <= box[2] and box[1] <= glyph.y <= box[3]
