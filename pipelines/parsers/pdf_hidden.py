"""Text that no reader sees, so that it is no word of the document: white on white paper, invisible, covered,
tiny.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipelines.parsers.pdf_glyphs import Glyph
from pipelines.parsers.pdf_page import Box, grounds, page_frame


def without_hidden(glyphs: Sequence[Glyph], page: Any) -> tuple[list[Glyph], int]:
    """Return the characters that show, and how many lines lost some.

    Only the place of what is drawn is known, not its order or shape: white text over anything at all counts as shown.
    """
    grounds_of_white = _grounds(page) if any(glyph.white for glyph in glyphs) else None
    if grounds_of_white is None and not any(glyph.unseen for glyph in glyphs):
        return list(glyphs), 0
    kept: list[Glyph] = []
    lines, in_line = 0, False
    for glyph in glyphs:
        on_white = glyph.white and grounds_of_white is not None
        if glyph.unseen or (on_white and not any(_holds(box, glyph) for box in grounds_of_white or ())):
            lines += not in_line
            in_line = True
            continue
        in_line = in_line and glyph.text != "\n"
        kept.append(glyph)
    return kept, lines


def _grounds(page: Any) -> list[Box] | None:
    """Return where white text shows, in points of the displayed page; None when that may be anywhere."""
    found = grounds(page)
    place = page_frame(page)
    return None if found is None else [_displayed(box, place) for box in found]


def _displayed(box: Box, place: Any) -> Box:
    (x0, y0), (x1, y1) = place(box[0], box[1]), place(box[2], box[3])
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _holds(box: Box, glyph: Glyph) -> bool:
    x = (glyph.left + glyph.right) / 2
    return box[0] <= x <= box[2] and box[1] <= glyph.y <= box[3]
