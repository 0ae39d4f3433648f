"""The characters of a PDF page as pdfium reads them, with their places and what they look like."""

from __future__ import annotations

import ctypes
import math
import re
import statistics
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from pipelines.parsers.pdf_page import page_frame, shown_box

# A page has 2,000 characters, the densest table seen 12,000; what is beyond this is an attack on the memory.
MAX_CHARS = 200_000
# Above this share of code points without meaning the fonts carry no map to text (.13 and .23; normal pages 0).
UNMAPPED_SHARE = 0.1
# With fewer syllables a rare one may be a name.
_MIN_SYLLABLES = 10
_HYPHENS = ("\ufffe", "\x02")
_SYMBOL_FONTS = range(0xF020, 0xF100)
_BOLD_NAME = re.compile(r"bold|black|heavy|headline|cmbx|[-,](?:demi|medi)(?:$|ital)|견고딕|헤드라인", re.IGNORECASE)
# White to the eye: the paper of scans and "white" of other colour spaces lie above it.
_WHITE = 250
# Office programs set letters and digits a quarter of a size apart from Hangul; their spaces are a third wide.
_SCRIPT_GAP = 0.3
_SCRIPT_GAP_TO_SPACE = 0.8


class Glyph(NamedTuple):
    """A character; places in points from the top left of the displayed page. A line end has none.

    high   height of its box, a measure of its size inside a line
    given  a space that pdfium adds where it sees a gap
    bold, white, turned  how its word is drawn: heavy, in white, turned by a quarter against the page
    guessed  the font says no character for it; pdfium takes the font's own number for one
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

    @property
    def placed(self) -> bool:
        return self.y == self.y


class _Look(NamedTuple):
    size: float
    bold: bool
    white: bool
    turned: bool
    guessed: bool


def read_glyphs(page: Any) -> list[Glyph]:
    """Return the characters in stream order, those outside the page left out; "\\n" ends a line."""
    text_page = page.get_textpage()
    try:
        return _glyphs(text_page.raw, page)
    finally:
        text_page.close()


def _glyphs(text_page: Any, page: Any) -> list[Glyph]:
    place = page_frame(page)
    left, bottom, right, top = shown_box(page)
    on_its_side = page.get_rotation() in (90, 270)
    box = raw.FS_RECTF()
    reference = ctypes.byref(box)
    found: list[Glyph] = []
    look: _Look | None = None
    bold_fonts: dict[bytes, bool] = {}
    for index in range(min(raw.FPDFText_CountChars(text_page), MAX_CHARS)):
        text = chr(raw.FPDFText_GetUnicode(text_page, index))
        if text == "\r" or text == "\0":
            continue
        if text == "\n" or not raw.FPDFText_GetLooseCharBox(text_page, index, reference):
            found.append(Glyph(text))
            look = None
            continue
        x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
        if not (left - 1 <= x <= right + 1 and bottom - 1 <= y <= top + 1):
            continue
        x0, y0 = place(box.left, box.bottom)
        x1, y1 = place(box.right, box.top)
        if text.isspace():
            given = raw.FPDFText_IsGenerated(text_page, index) == 1
            size = look.size if look else 0.0
            found.append(Glyph(text, min(x0, x1), max(x0, x1), (y0 + y1) / 2, size, abs(y1 - y0), given))
            look = None
            continue
        if look is None:
            look = _look(text_page, index, on_its_side, bold_fonts)
        # One wrong sign of a word says to ask about each.
        guessed = look.guessed and raw.FPDFText_HasUnicodeMapError(text_page, index) == 1
        found.append(
            Glyph(text, min(x0, x1), max(x0, x1), (y0 + y1) / 2, look.size, abs(y1 - y0), False, *look[1:4], guessed)
        )
    return found


def _look(text_page: Any, index: int, on_its_side: bool, bold_fonts: dict[bytes, bool]) -> _Look:
    """Ask how a character is drawn; once a word, as each question costs as much as the character itself."""
    matrix = raw.FS_MATRIX()
    scale, turned = 1.0, False
    if raw.FPDFText_GetMatrix(text_page, index, ctypes.byref(matrix)):
        scale = math.hypot(matrix.c, matrix.d)
        turned = (abs(matrix.b) > abs(matrix.a)) != on_its_side
    name = ctypes.create_string_buffer(64)
    raw.FPDFText_GetFontInfo(text_page, index, name, 64, None)
    if name.value not in bold_fonts:
        bold_fonts[name.value] = _is_bold(name.value)
    return _Look(
        raw.FPDFText_GetFontSize(text_page, index) * scale,
        bold_fonts[name.value],
        _is_white(text_page, index),
        turned,
        raw.FPDFText_HasUnicodeMapError(text_page, index) == 1,
    )


def _is_bold(name: bytes) -> bool:
    return _BOLD_NAME.search(name.decode("utf-8", "ignore")) is not None


def _is_white(text_page: Any, index: int) -> bool:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not raw.FPDFText_GetFillColor(text_page, index, *map(ctypes.byref, parts)):
        return False
    return all(part.value >= _WHITE for part in parts[:3])


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
    return len(syllables) >= _MIN_SYLLABLES and sum(map(_is_rare, syllables)) > len(syllables) * UNMAPPED_SHARE


def _is_meaningless(text: str) -> bool:
    point = ord(text[0])
    private = 0xE000 <= point <= 0xF8FF and point not in _SYMBOL_FONTS
    return point < 0x20 or 0x7F <= point < 0xA0 or private or text == "\ufffd"


def _is_rare(syllable: str) -> bool:
    # Python spells syllables outside KS X 1001 as jamo, in eight bytes.
    return len(syllable.encode("euc_kr", "ignore")) != 2
