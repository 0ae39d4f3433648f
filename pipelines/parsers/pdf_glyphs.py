"""The characters of a PDF page as pdfium reads them, with their places and what they look like."""

from __future__ import annotations

import ctypes
import math
import re
import statistics
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from pipelines.parsers.pdf_covers import address, covers
from pipelines.parsers.pdf_page import Box, Drawn, is_invisible, page_frame, shown_box

# A page has 2,000 characters, the densest table seen 12,000; what is beyond this is an attack on the memory.
MAX_CHARS = 200_000
# Above this share of code points without meaning the fonts carry no map to text (.13 and .23; normal pages 0).
UNMAPPED_SHARE = 0.1
# The syllables of KS X 1001.
_USUAL = frozenset(bytes((high, low)).decode("euc_kr") for high in range(0xB0, 0xC9) for low in range(0xA1, 0xFF))
# With fewer syllables a rare one may be a name.
_MIN_SYLLABLES = 10
_HYPHENS = ("\ufffe", "\x02")
_LAST_POINT = 0x10FFFF
_SYMBOL_FONTS = range(0xF020, 0xF100)
_BOLD_NAME = re.compile(r"bold|black|heavy|headline|cmbx|[-,](?:demi|medi)(?:$|ital)|견고딕|헤드라인", re.IGNORECASE)
# White to the eye: the paper of scans and "white" of other colour spaces lie above it.
_WHITE = 250
# Print of less than a point is none, nor is print under this share of the page's height (A4: 0.8 points).
_TINY = 1.0
_TINY_SHARE = 0.001
# Office programs set letters and digits a quarter of a size apart from Hangul; their spaces are a third wide.
_SCRIPT_GAP = 0.3
_SCRIPT_GAP_TO_SPACE = 0.8


class Glyph(NamedTuple):
    """A character; places in points from the top left of the displayed page. A line end has none.

    high   height of its box, a measure of its size inside a line
    given  a space that pdfium adds where it sees a gap
    bold, white, turned  how its word is drawn: heavy, in white, turned by a quarter against the page
    guessed  the font says no character for it; pdfium takes the font's own number for one
    unseen   drawn in no colour at all, under a box, or so small that nobody reads it
    """

    text: str
    left: float = math.nan
    right: float = math.nan
    y: float = math.nan
    size: float = 0.0
    high: float = 0.0
    given: bool = False
    bold: bool = False
    white: bool = False
    turned: bool = False
    guessed: bool = False
    unseen: bool = False

    @property
    def placed(self) -> bool:
        return self.y == self.y


class _Look(NamedTuple):
    size: float
    bold: bool
    white: bool
    turned: bool
    guessed: bool
    invisible: bool
    covers: list[Box]


def read_glyphs(page: Any, drawn: Drawn) -> tuple[list[Glyph], bool]:
    """Return the characters in stream order, "\n" at a line's end, and whether there are more than MAX_CHARS.

    Those outside the page are left out.
    """
    text_page = page.get_textpage()
    try:
        count = raw.FPDFText_CountChars(text_page.raw)
        return _Reader(text_page.raw, page, drawn).glyphs(min(count, MAX_CHARS)), count > MAX_CHARS
    finally:
        text_page.close()


class _Reader:
    """Asks pdfium about each character of a page; what it answers into is made once."""

    def __init__(self, text_page: Any, page: Any, drawn: Drawn) -> None:
        self._page = text_page
        self._place = page_frame(page)
        self._shown = shown_box(page)
        self._hides_text = drawn.hides_text
        self._covers = covers(page) if drawn.boxes_last else {}
        # A page may have a unit of its own; nothing that it means to say is this small beside it.
        self._tiny = min(_TINY, page.get_height() * _TINY_SHARE)
        self._on_its_side = page.get_rotation() in (90, 270)
        self._bold_fonts: dict[bytes, bool] = {}
        self._matrix = raw.FS_MATRIX()
        self._name = ctypes.create_string_buffer(64)
        self._colour = [ctypes.c_uint() for _ in range(4)]
        self._colours = [ctypes.byref(part) for part in self._colour]

    def glyphs(self, count: int) -> list[Glyph]:
        """Return the first `count` characters; a word's look is asked for once, each question costs as much."""
        left, bottom, right, top = self._shown
        page, place = self._page, self._place
        box = raw.FS_RECTF()
        reference = ctypes.byref(box)
        found: list[Glyph] = []
        look: _Look | None = None
        for index in range(count):
            point = raw.FPDFText_GetUnicode(page, index)
            # A damaged map gives numbers that no character has.
            text = chr(point) if point <= _LAST_POINT else "\ufffd"
            if text == "\r" or text == "\0":
                continue
            if text == "\n" or not raw.FPDFText_GetLooseCharBox(page, index, reference):
                found.append(Glyph(text))
                look = None
                continue
            x0, y0, x1, y1 = box.left, box.bottom, box.right, box.top
            if not (left - 1 <= (x0 + x1) / 2 <= right + 1 and bottom - 1 <= (y0 + y1) / 2 <= top + 1):
                continue
            own_x, own_y = (x0 + x1) / 2, (y0 + y1) / 2
            x0, y0 = place(x0, y0)
            x1, y1 = place(x1, y1)
            if x1 < x0:
                x0, x1 = x1, x0
            middle, high = (y0 + y1) / 2, abs(y1 - y0)
            if text.isspace():
                given = raw.FPDFText_IsGenerated(page, index) == 1
                found.append(Glyph(text, x0, x1, middle, look.size if look else 0.0, high, given))
                look = None
                continue
            if look is None:
                look = self._look(index)
            # One wrong sign of a word says to ask about each.
            guessed = look.guessed and raw.FPDFText_HasUnicodeMapError(page, index) == 1
            unseen = look.invisible or (0 < high < self._tiny and 0 < look.size < self._tiny)
            if look.covers and not unseen:
                unseen = any(b[0] <= own_x <= b[2] and b[1] <= own_y <= b[3] for b in look.covers)
            found.append(
                Glyph(text, x0, x1, middle, look.size, high, False, look.bold, look.white, look.turned, guessed, unseen)
            )
        return found

    def _look(self, index: int) -> _Look:
        matrix, name = self._matrix, self._name
        scale, turned = 1.0, False
        if raw.FPDFText_GetMatrix(self._page, index, ctypes.byref(matrix)):
            across, up = matrix.c, matrix.d
            scale = math.hypot(across, up)
            turned = (abs(across) > abs(up)) != self._on_its_side
        name.value = b""
        raw.FPDFText_GetFontInfo(self._page, index, name, 64, None)
        bold = self._bold_fonts.get(name.value)
        if bold is None:
            bold = self._bold_fonts[name.value] = _is_bold(name.value)
        size = raw.FPDFText_GetFontSize(self._page, index) * scale
        item = raw.FPDFText_GetTextObject(self._page, index) if self._hides_text or self._covers else None
        return _Look(
            size,
            bold,
            self._is_white(index),
            turned,
            guessed=raw.FPDFText_HasUnicodeMapError(self._page, index) == 1,
            invisible=self._hides_text and is_invisible(item),
            covers=self._covers.get(address(item), []) if self._covers else [],
        )

    def _is_white(self, index: int) -> bool:
        if not raw.FPDFText_GetFillColor(self._page, index, *self._colours):
            return False
        return all(part.value >= _WHITE for part in self._colour[:3])


def _is_bold(name: bytes) -> bool:
    return _BOLD_NAME.search(name.decode("utf-8", "ignore")) is not None


def without_script_gaps(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Drop the spaces that pdfium sees where Office only sets digits and letters apart from Hangul ("2026 년")."""
    gaps = [
        _gap(glyphs, n)
        for n in range(1, len(glyphs) - 1)
        if glyphs[n].given and is_hangul(glyphs[n - 1].text) and is_hangul(glyphs[n + 1].text)
    ]
    if not gaps:
        return list(glyphs)
    largest = min(_SCRIPT_GAP, statistics.median(gaps) * _SCRIPT_GAP_TO_SPACE)
    return [glyph for n, glyph in enumerate(glyphs) if not (_at_border(glyphs, n) and _gap(glyphs, n) < largest)]


def is_hangul(text: str) -> bool:
    """Tell whether a character is a Hangul syllable."""
    return "가" <= text <= "힣"


def _at_border(glyphs: Sequence[Glyph], n: int) -> bool:
    if not glyphs[n].given or not 0 < n < len(glyphs) - 1:
        return False
    before, after = glyphs[n - 1].text, glyphs[n + 1].text
    return is_hangul(before) != is_hangul(after) and before.isalnum() and after.isalnum()


def _gap(glyphs: Sequence[Glyph], n: int) -> float:
    """Return the width of the gap that the space `n` stands for, in sizes; no gap goes against the line's way."""
    before, after = glyphs[n - 1], glyphs[n + 1]
    gap = (after.left - before.right) / max(before.size, 1.0)
    return gap if gap >= 0 else math.inf


def visible(glyphs: Iterable[Glyph]) -> int:
    """Return how many characters a reader could see."""
    return sum(not glyph.text.isspace() for glyph in glyphs)


def is_unmapped(glyphs: Iterable[Glyph]) -> bool:
    """Tell whether the fonts give code points without meaning instead of text.

    A wrong map may also give syllables at random; of those three in four are none of the 2,350 that KS X 1001 has,
    of Korean text one in 2,000.
    """
    marks = [glyph for glyph in glyphs if not glyph.text.isspace() and glyph.text not in _HYPHENS]
    if sum(mark.guessed or _is_meaningless(mark.text) for mark in marks) > len(marks) * UNMAPPED_SHARE:
        return True
    syllables = [mark.text for mark in marks if is_hangul(mark.text)]
    rare = sum(syllable not in _USUAL for syllable in syllables)
    return len(syllables) >= _MIN_SYLLABLES and rare > len(syllables) * UNMAPPED_SHARE


def _is_meaningless(text: str) -> bool:
    point = ord(text[0])
    private = 0xE000 <= point <= 0xF8FF and point not in _SYMBOL_FONTS
    return point < 0x20 or 0x7F <= point < 0xA0 or private or text == "\ufffd"
