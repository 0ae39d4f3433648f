"""One page of a PDF as pdfium sees it: its characters with their places, and what else is drawn."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

# Fewer visible characters under a picture of at least this share of the page is a scan, with a stamp perhaps
# (5 of 5 scans; a slide with a chart has 26 characters and a share of .3).
SCAN_CHARS = 50
SCAN_SHARE = 0.5
# Above this share of code points without meaning the fonts carry no map to text (.13 and .23; normal pages 0).
UNMAPPED_SHARE = 0.1
# Forms inside forms; deeper drawings hold no text of their own in any file seen.
_OBJECT_DEPTH = 4
# A path thinner than this (points) is a rule, a thicker one a box.
RULE_WIDTH = 3.0
# A table has at least two rules each way; a page with more paths than this is a drawing or a map.
_MIN_RULES = 2
_MAX_PATHS = 5_000
# A text object narrower than this has a font without outlines here, and pdfium drops its words.
_NO_WIDTH = 0.01
_INVISIBLE = 3
_HYPHENS = ("\ufffe", "\x02")
_SYMBOL_FONTS = range(0xF020, 0xF100)


Box = tuple[float, float, float, float]


class Glyph(NamedTuple):
    """A character; places in points from the top left of the displayed page. White space that pdfium adds has none."""

    text: str
    left: float = math.nan
    right: float = math.nan
    y: float = math.nan
    size: float = 0.0

    @property
    def placed(self) -> bool:
        return self.y == self.y


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a page holds besides readable text: share covered by its largest picture, paths, lost and unseen words."""

    image_share: float = 0.0
    objects: int = 0
    across: int = 0
    down: int = 0
    paths: int = 0
    loses_words: bool = False
    unseen_text: bool = False

    @property
    def may_hold_tables(self) -> bool:
        return min(self.across, self.down) >= _MIN_RULES and self.paths <= _MAX_PATHS


def media_box(page: Any) -> Box:
    """Return the page's MediaBox (left, bottom, right, top).

    pdfium reads only the page's own entry (crbug.com/pdfium/1786); one that stands in the page tree shows in the
    bounding box alone, which is MediaBox and CropBox together.
    """
    own: Box | None = page.get_mediabox(fallback_ok=False)
    return own or shown_box(page)


def shown_box(page: Any) -> Box:
    """Return what of the page is displayed (left, bottom, right, top), inherited boxes counted."""
    box: Box = page.get_bbox()
    return box


def page_frame(page: Any) -> Callable[[float, float], tuple[float, float]]:
    """Return the map from the page's own coordinates to points from the top left as it is displayed."""
    left, bottom, right, top = media_box(page)
    return {
        90: lambda x, y: (y - bottom, x - left),
        180: lambda x, y: (right - x, y - bottom),
        270: lambda x, y: (top - y, right - x),
    }.get(page.get_rotation(), lambda x, y: (x - left, top - y))


def read_glyphs(page: Any) -> list[Glyph]:
    """Return the characters in stream order, those outside the page left out; "\\n" ends a line."""
    text_page = page.get_textpage()
    try:
        return _glyphs(text_page.raw, raw.FPDFText_CountChars(text_page.raw), page)
    finally:
        text_page.close()


def _glyphs(text_page: Any, count: int, page: Any) -> list[Glyph]:
    place = page_frame(page)
    left, bottom, right, top = shown_box(page)
    box, matrix = raw.FS_RECTF(), raw.FS_MATRIX()
    found: list[Glyph] = []
    size = 0.0
    for index in range(count):
        text = chr(raw.FPDFText_GetUnicode(text_page, index))
        if text == "\r" or text == "\0":
            continue
        if text == "\n" or not raw.FPDFText_GetLooseCharBox(text_page, index, ctypes.byref(box)):
            found.append(Glyph(text))
            size = 0.0
            continue
        x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
        if not (left - 1 <= x <= right + 1 and bottom - 1 <= y <= top + 1):
            continue
        if not size and not text.isspace():
            scale = raw.FPDFText_GetMatrix(text_page, index, ctypes.byref(matrix))
            size = raw.FPDFText_GetFontSize(text_page, index) * (math.hypot(matrix.c, matrix.d) if scale else 1.0)
        x0, y0 = place(box.left, box.bottom)
        x1, y1 = place(box.right, box.top)
        found.append(Glyph(text, min(x0, x1), max(x0, x1), (y0 + y1) / 2, size))
    return found


def survey(page: Any) -> Drawn:
    """Look at the objects of a page without reading or rendering them."""
    kinds = (raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE)
    shown = shown_box(page)
    share, across, down, paths, objects = 0.0, 0, 0, 0, 0
    loses, unseen, seen = False, 0, 0
    for item in page.get_objects(filter=kinds, max_depth=_OBJECT_DEPTH):
        objects += 1
        try:
            left, bottom, right, top = item.get_bounds()
        except pdfium.PdfiumError:
            continue
        if item.type == raw.FPDF_PAGEOBJ_IMAGE:
            share = max(share, _covered((left, bottom, right, top), shown))
        elif item.type == raw.FPDF_PAGEOBJ_PATH:
            paths += 1
            wide, high = right - left > RULE_WIDTH, top - bottom > RULE_WIDTH
            # A box has two edges each way.
            across += (1 + high) if wide else 0
            down += (1 + wide) if high else 0
        else:
            hidden = raw.FPDFTextObj_GetTextRenderMode(item.raw) == _INVISIBLE
            unseen, seen = unseen + hidden, seen + (not hidden)
            loses = loses or (right - left < _NO_WIDTH and not _is_embedded(item))
    return Drawn(share, objects, across, down, paths, loses, unseen > seen)


def _is_embedded(item: Any) -> bool:
    return bool(raw.FPDFFont_GetIsEmbedded(raw.FPDFTextObj_GetFont(item.raw)))


def _covered(box: tuple[float, ...], page: tuple[float, ...]) -> float:
    """Return the share of `page` that `box` covers; both (left, bottom, right, top)."""
    width = min(box[2], page[2]) - max(box[0], page[0])
    height = min(box[3], page[3]) - max(box[1], page[1])
    area = (page[2] - page[0]) * (page[3] - page[1])
    return max(0.0, width) * max(0.0, height) / area if area > 0 else 0.0


def visible(glyphs: list[Glyph]) -> int:
    """Return how many characters a reader could see."""
    return sum(not glyph.text.isspace() for glyph in glyphs)


def is_unmapped(glyphs: list[Glyph]) -> bool:
    """Tell whether the fonts give code points without meaning instead of text."""
    marks = [glyph.text for glyph in glyphs if not glyph.text.isspace() and glyph.text not in _HYPHENS]
    return sum(map(_is_meaningless, marks)) > len(marks) * UNMAPPED_SHARE


def _is_meaningless(text: str) -> bool:
    point = ord(text[0])
    private = 0xE000 <= point <= 0xF8FF and point not in _SYMBOL_FONTS
    return point < 0x20 or 0x7F <= point < 0xA0 or private or text == "\ufffd"
