"""From characters to lines, and the lines that only repeat on every page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipelines.parsers.pdf_page import Glyph
from pipelines.parsers.text import clean
from pipelines.records import Block

# pdfium marks a hyphen at a line's end with one of these.
_HYPHEN = re.compile("[\ufffe\x02]\\s*$")
# Lines at the top and bottom of a page that may be running titles.
_EDGE = 2
_RUNNING_SHARE = 0.6
_RUNNING_PAGES = 3
# A heading is printed this much larger than the text of most characters.
LARGE_PRINT = 1.15
_PAGE_NUMBER = re.compile(r"\W{0,3}(?:page\s*)?(\d{1,5})(?:\s*(?:/|of|쪽|페이지)\s*\d{0,5})?\W{0,3}", re.IGNORECASE)

# A gap of this many sizes separates columns; justified words stay under one.
_COLUMN_GAP = 1.5


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line: `hyphenated` when its last word goes on in the next, `spaced` when it ends with a space.

    `columns` tells that a gap wider than between words stands in it, as in the rows of a table without rules.
    """

    text: str
    left: float
    right: float
    y: float
    size: float
    hyphenated: bool = False
    spaced: bool = False
    columns: bool = False


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A ruled table and where it stands; `edges` are the x of its column borders."""

    block: Block
    top: float
    bottom: float
    edges: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PageText:
    """What one page says, in stream order; `number` counts from 1."""

    number: int
    parts: tuple[Line | PlacedTable, ...]
    ocr: bool = False


def lines_of(glyphs: Iterable[Glyph]) -> list[Line]:
    """Cut a run of characters at its line ends; lines without words are left out."""
    lines: list[Line] = []
    run: list[Glyph] = []
    for glyph in [*glyphs, Glyph("\n")]:
        if glyph.text == "\n":
            line = _line(run)
            lines += [line] if line else []
            run = []
        else:
            run.append(glyph)
    return lines


def joined_text(glyphs: Iterable[Glyph]) -> str:
    """Return the clean text of some characters; halves of a surrogate pair are put together."""
    text = "".join(glyph.text for glyph in glyphs)
    return clean(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore"))


def body_half_points(lines: Iterable[Line]) -> int:
    """Return the size (in half points) of most characters, 0 without lines."""
    chars: Counter[int] = Counter()
    for line in lines:
        chars[round(line.size * 2)] += len(line.text)
    return max(chars, key=lambda size: (chars[size], -size), default=0)


def without_running_lines(pages: Sequence[PageText]) -> tuple[list[PageText], Counter[str]]:
    """Drop headers, footers and page numbers; the count says how many of which went.

    A line runs when it stands at the edge of most pages, at the same height and the same but for its digits (of two
    pages, the same with its digits). Large print is a heading, also when every page has the same one.
    """
    running = _running(pages)
    dropped: Counter[str] = Counter()
    kept = []
    for page in pages:
        lines = _lines(page)
        middle = (lines[0].y + lines[-1].y) / 2 if lines else 0.0
        outermost = lines[:1] + lines[-1:]
        gone = set()
        for line in _edge_lines(page):
            if _key(line, len(pages)) in running or (line in outermost and _is_page_number(line.text, page.number)):
                gone.add(id(line))
                dropped["header" if line.y < middle else "footer"] += 1
        kept.append(PageText(page.number, tuple(part for part in page.parts if id(part) not in gone), page.ocr))
    if not any(page.parts for page in kept):
        # The same page again and again: what repeats is the text itself.
        return list(pages), Counter()
    return kept, dropped


def _running(pages: Sequence[PageText]) -> set[str]:
    if len(pages) < 2:
        return set()
    largest = body_half_points(line for page in pages for line in _lines(page)) * LARGE_PRINT / 2
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_key(line, len(pages)) for line in _edge_lines(page) if line.size < largest})
    needed = 2 if len(pages) == 2 else max(_RUNNING_PAGES, _RUNNING_SHARE * len(pages))
    return {key for key, count in seen.items() if count >= needed}


def _key(line: Line, pages: int) -> str:
    text = re.sub(r"\s+", "", line.text)
    return f"{text if pages == 2 else re.sub('[0-9]+', '#', text)} {line.y:.0f}"


def _line(run: list[Glyph]) -> Line | None:
    placed = [glyph for glyph in run if glyph.placed and not glyph.text.isspace()]
    if not placed:
        return None
    text = "".join(glyph.text for glyph in run)
    hyphenated = bool(_HYPHEN.search(text))
    shown = joined_text(run).strip()
    if not shown:
        return None
    return Line(
        shown,
        left=min(glyph.left for glyph in placed),
        right=max(glyph.right for glyph in placed),
        y=placed[0].y,
        size=max(placed[0].size, 0.1),
        hyphenated=hyphenated,
        spaced=text[-1:].isspace(),
        columns=any(b.left - a.right > _COLUMN_GAP * max(b.size, 1.0) for a, b in pairwise(placed)),
    )


def _lines(page: PageText) -> list[Line]:
    """Return the lines of a page from its top to its bottom, whatever was drawn first."""
    return sorted((part for part in page.parts if isinstance(part, Line)), key=lambda line: line.y)


def _edge_lines(page: PageText) -> list[Line]:
    lines = _lines(page)
    return lines if len(lines) <= 2 * _EDGE else lines[:_EDGE] + lines[-_EDGE:]


def _is_page_number(text: str, number: int) -> bool:
    match = _PAGE_NUMBER.fullmatch(text)
    return match is not None and int(match.group(1)) == number
