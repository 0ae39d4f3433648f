"""From characters to printed lines."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from pipelines.parsers.old_hangul import plain
from pipelines.parsers.pdf_glyphs import Glyph, is_hangul
from pipelines.parsers.text import clean
from pipelines.records import Cell

# pdfium marks a hyphen at a line's end with one of these, and gives no line end then.
_HYPHENS = ("\ufffe", "\x02")
# A soft hyphen is only drawn where a word breaks.
_HYPHEN = re.compile("[\ufffe\x02\u00ad]\\s*$")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SHOWN = str.maketrans({**_LIGATURES, "\u00ad": ""})
# A line shorter than this many sizes doesn't wrap: addresses, labels, lists.
WRAP_WIDTH = 12
# A gap of this many sizes separates columns; justified words stay under one.
_COLUMN_GAP = 1.5
# Raised marks and words in another font come as pieces of one line: their middles lie within this many sizes, and the
# gap between two pieces is that of a word at most.
_SAME_LINE = 0.45
_PIECE_GAP = 0.6
_WORD_GAP = 0.12
# A raised mark is this much smaller than what it stands on.
_MARK_SIZE = 0.8
_MARKED_WORD = re.compile("(?:[가-힣]{2}|[^\\W\\d_]{4})$")
# Letters of one column of vertical text follow each other within this many sizes.
_VERTICAL_PITCH = 1.4
_VERTICAL_LETTERS = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line: `hyphenated` when its last word goes on in the next, `spaced` when it ends with a space.

    `columns` tells that a gap wider than between words stands in it, as in the rows of a table without rules.
    y is its middle, for a line that runs down the page (`vertical` writing, or turned text) its upper end, and
    `reach` is how far it goes below that.
    """

    text: str
    left: float
    right: float
    y: float
    size: float
    hyphenated: bool = False
    spaced: bool = False
    columns: bool = False
    bold: bool = False
    vertical: bool = False
    reach: float = 0.0

    @property
    def top(self) -> float:
        return self.y - self.size / 2

    @property
    def bottom(self) -> float:
        return self.y + self.reach + self.size / 2


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell without its blocks, the lines printed in it, and the x of its borders."""

    cell: Cell
    lines: tuple[Line, ...]
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A ruled table and where it stands; `edges` are the x of its column borders."""

    cells: tuple[PlacedCell, ...]
    top: float
    bottom: float
    edges: tuple[float, ...]

    @property
    def left(self) -> float:
        return self.edges[0]

    @property
    def right(self) -> float:
        return self.edges[-1]


Part: TypeAlias = Line | PlacedTable


@dataclass(frozen=True, slots=True)
class PageText:
    """What one page says, in reading order; `number` counts from 1.

    `ocr` marks words that a program recognised, `wide` a page that lies across, as slides do. `top` and `bottom` are
    where what is displayed of it begins and ends, the same when nobody knows.
    """

    number: int
    parts: tuple[Part, ...]
    ocr: bool = False
    wide: bool = False
    top: float = 0.0
    bottom: float = 0.0

    @property
    def lines(self) -> list[Line]:
        return [part for part in self.parts if isinstance(part, Line)]


def lines_of(glyphs: Iterable[Glyph]) -> list[Line]:
    """Cut a run of characters at its line ends; lines without words are left out."""
    pieces: list[Line] = []
    run: list[Glyph] = []
    for glyph in [*glyphs, Glyph("\n")]:
        if glyph.text != "\n":
            run.append(glyph)
        if glyph.text == "\n" or glyph.text in _HYPHENS:
            line = _line(run)
            pieces += [line] if line else []
            run = []
    return _without_pieces(_with_columns(pieces))


def joined_text(glyphs: Iterable[Glyph]) -> str:
    """Return the clean text of some characters; halves of a surrogate pair are put together."""
    text = "".join(glyph.text for glyph in glyphs)
    return clean(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")).translate(_SHOWN)


def standard(text: str) -> str:
    """Return the words of a line or cell with signs of symbol fonts, a leading bullet perhaps, as standard ones."""
    return unicodedata.normalize("NFC", plain(text.replace("\uf0b7", "•")))


def body_half_points(lines: Iterable[Line]) -> int:
    """Return the size (in half points) of most characters, 0 without lines."""
    chars: Counter[int] = Counter()
    for line in lines:
        chars[round(line.size * 2)] += len(line.text)
    return max(chars, key=lambda size: (chars[size], -size), default=0)


def _line(run: list[Glyph]) -> Line | None:
    placed = [glyph for glyph in run if glyph.placed and not glyph.text.isspace()]
    if not placed:
        return None
    text = "".join(glyph.text for glyph in run)
    shown = joined_text(_with_marks_apart(run)).strip()
    if not shown:
        return None
    reach = max(glyph.y for glyph in placed) - min(glyph.y for glyph in placed)
    left, right = min(glyph.left for glyph in placed), max(glyph.right for glyph in placed)
    down = len(placed) > 1 and reach > right - left
    return Line(
        shown,
        left=left,
        right=right,
        y=min(glyph.y for glyph in placed) if down else placed[0].y,
        size=max(_size(placed), 0.1),
        hyphenated=bool(_HYPHEN.search(text)),
        spaced=text[-1:].isspace(),
        columns=any(b.left - a.right > _COLUMN_GAP * max(b.size, 1.0) for a, b in pairwise(placed)),
        bold=all(glyph.bold for glyph in placed),
        vertical=down and not placed[0].turned,
        reach=reach if down else 0.0,
    )


def _size(placed: Sequence[Glyph]) -> float:
    sizes = Counter(glyph.size for glyph in placed)
    return max(sizes, key=lambda size: (sizes[size], size))


def _with_marks_apart(run: Sequence[Glyph]) -> list[Glyph]:
    """Put a space before a raised number or sign on a word: that is a footnote's, no part of the word."""
    heights = [glyph.high for glyph in run if glyph.high]
    if not heights or min(heights) >= max(heights) * _MARK_SIZE:
        return list(run)
    found: list[Glyph] = []
    for glyph in run:
        if found and _is_mark(found[-1], glyph) and _MARKED_WORD.search("".join(other.text for other in found[-4:])):
            found.append(Glyph(" "))
        found.append(glyph)
    return found


def _is_mark(base: Glyph, glyph: Glyph) -> bool:
    smaller = glyph.high < base.high * _MARK_SIZE and glyph.y < base.y
    return smaller and base.text.isalpha() and (glyph.text.isdigit() or glyph.text in "*†‡")


def _without_pieces(pieces: Sequence[Line]) -> list[Line]:
    """Join the pieces of one printed line."""
    lines: list[Line] = []
    for piece in pieces:
        if lines and _is_piece(lines[-1], piece):
            lines[-1] = _joined(lines[-1], piece)
        else:
            lines.append(piece)
    return lines


def _is_piece(line: Line, piece: Line) -> bool:
    size = max(line.size, piece.size)
    if line.reach or piece.reach or abs(line.y - piece.y) > _SAME_LINE * size:
        return False
    return -_PIECE_GAP * size < piece.left - line.right < _PIECE_GAP * size and piece.left > line.left


def _joined(line: Line, piece: Line) -> Line:
    larger = line if len(line.text) >= len(piece.text) else piece
    apart = line.spaced or piece.left - line.right > _WORD_GAP * larger.size
    marked = piece.size < line.size * _MARK_SIZE and piece.text[0].isdigit() and _MARKED_WORD.search(line.text)
    return replace(
        piece,
        text=line.text + (" " if apart or marked else "") + piece.text,
        left=line.left,
        right=max(line.right, piece.right),
        y=larger.y,
        size=larger.size,
        columns=line.columns or piece.columns,
        bold=line.bold and piece.bold,
    )


def _with_columns(pieces: Sequence[Line]) -> list[Line]:
    """Join letters that stand below each other, each a line to pdfium, to the columns of vertical writing."""
    lines: list[Line] = []
    run: list[Line] = []
    for piece in [*pieces, None]:
        if run and (piece is None or not _goes_down(run[-1], piece)):
            lines += [_column(run)] if len(run) >= _VERTICAL_LETTERS else run
            run = []
        if piece is not None:
            run.append(piece)
    return lines


def _goes_down(letter: Line, below: Line) -> bool:
    size = max(letter.size, below.size)
    one_column = abs(letter.left + letter.right - below.left - below.right) < size / 2
    return one_column and 0 < below.y - letter.y < _VERTICAL_PITCH * size and _is_letter(letter) and _is_letter(below)


def _is_letter(line: Line) -> bool:
    mark = line.text
    return len(mark) == 1 and (is_hangul(mark) or mark >= "\u2e80")


def _column(letters: Sequence[Line]) -> Line:
    return replace(
        letters[-1],
        text="".join(letter.text for letter in letters),
        left=min(letter.left for letter in letters),
        right=max(letter.right for letter in letters),
        y=letters[0].y,
        bold=all(letter.bold for letter in letters),
        vertical=True,
        reach=letters[-1].y - letters[0].y,
    )
