"""Which printed lines are headings: large print, chapter numbers, bold lines that stand alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pipelines.parsers.pdf_lines import WRAP_WIDTH, Line, PageText, Part, body_half_points
from pipelines.parsers.pdf_running import LARGE_PRINT

# Large print that is longer than this isn't a heading; a bold line is shorter still.
_LARGE_CHARS = 100
_BOLD_CHARS = 60
# When more than this share is large, large print is the text itself (slides, posters); so with bold.
_LARGE_SHARE = 0.5
_BOLD_SHARE = 0.25
_MAX_LEVEL = 6
# Two sizes (points) that a reader can't tell apart.
SAME_SIZE = 0.6
_CHAPTER = re.compile(r"제\s*\d{1,3}\s*([편장절관])(?:의\s*\d{1,2})?(?=[\s.:]|$)")
# An article's name on a line of its own; most stand before their text.
_ARTICLE = re.compile(r"제\s*\d{1,4}\s*(조)(?:의\s*\d{1,2})?(?:\s*\([^()]{1,30}\)$|(?=\s[^\s(].{0,24}$))")
_CHAPTERS = "편장절관조"
_CHAPTER_CHARS = 40
# What a text says of a chapter or article ("제3조 및 제5조에 따른").
_SAYS_OF = re.compile(r"\s*(?:및|또는|제\s*\d|에\s|의\s|부터|내지|,)")
# Three dots lead to a page number: an entry of a table of contents.
_LEADER = re.compile(r"\.{3}|…|·{3}|‥|\s\d{1,4}$")
_ENDS_SENTENCE = re.compile(r"(?:다|요|함|음|임)\.?$|[.,:;?!]$")
_HAS_WORD = re.compile(r"[^\W\d_]{2}|[가-힣\u3400-\u9fff]")
# A line of text is followed by its next within this many sizes.
_NEAR = 2.3


class Headings:
    """The levels of a document's headings: sizes first, then chapters, then bold lines."""

    def __init__(self, pages: Sequence[PageText]) -> None:
        lines = [line for page in pages for line in page.lines]
        self._body = body_half_points(lines) / 2
        self._slides = len(pages) > 1 and all(page.wide for page in pages)
        self._sizes = {} if self._slides else _sizes(lines)
        # The first level names the document, by its largest print; a chapter or a bold line never does.
        kinds = sorted({_CHAPTERS.index(kind) for line in lines if (kind := _chapter(line))})
        self._chapters = {_CHAPTERS[kind]: min(2 + n, _MAX_LEVEL) for n, kind in enumerate(kinds)}
        levels = [*self._sizes.values(), *self._chapters.values()]
        self._bold = min(max(levels, default=1) + 1, _MAX_LEVEL)
        chars = sum(len(line.text) for line in lines)
        self._bold_counts = 0 < sum(len(line.text) for line in lines if line.bold) <= _BOLD_SHARE * chars

    def level(self, page: PageText, index: int) -> int:
        """Return the heading level of a line among the parts of its page, 0 for text."""
        line = page.parts[index]
        # Sizes that a program recognised differ from line to line.
        if not isinstance(line, Line) or (line.reach and not line.vertical) or page.ocr:
            return 0
        if not _HAS_WORD.search(line.text):
            return 0
        kind = _chapter(line)
        if kind and not (index and _runs_into(page.parts[index - 1], line)):
            return self._chapters[kind]
        if self._slides and index == 0 and _is_slide_title(page):
            return 1
        if len(line.text) <= _LARGE_CHARS and round(line.size * 2) in self._sizes:
            return self._sizes[round(line.size * 2)]
        return self._bold if self._bold_counts and self._is_bold_heading(page.parts, index, line) else 0

    def _is_bold_heading(self, parts: Sequence[Part], index: int, line: Line) -> bool:
        """Tell a bold heading from a bold beginning, a name or a cell: it stands alone, and plain text follows."""
        if not line.bold or line.columns or line.reach or line.size < self._body - SAME_SIZE:
            return False
        if len(line.text) > _BOLD_CHARS or _ENDS_SENTENCE.search(line.text):
            return False
        following = parts[index + 1] if index + 1 < len(parts) else None
        if following is None or any(_is_beside(line, part) for part in _around(parts, index)):
            return False
        return not isinstance(following, Line) or (not following.bold and following.top > line.y)


def _sizes(lines: Sequence[Line]) -> dict[int, int]:
    """Return the heading level of each size (in half points) that is clearly larger than that of most characters."""
    chars: Counter[int] = Counter()
    for line in lines:
        chars[round(line.size * 2)] += len(line.text)
    large = sorted((size for size in chars if size >= body_half_points(lines) * LARGE_PRINT), reverse=True)
    if sum(chars[size] for size in large) > _LARGE_SHARE * chars.total():
        return {}
    levels: dict[int, int] = {}
    level, before = 0, 0
    for size in large:
        if not before or before - size > SAME_SIZE * 2:
            level += 1
        levels[size], before = min(level, _MAX_LEVEL), size
    return levels


def _chapter(line: Line) -> str:
    """Return the kind of chapter that a line opens ("장"), "" for text and the entries of a table of contents."""
    match = _CHAPTER.match(line.text) or _ARTICLE.match(line.text)
    if not match or len(line.text) > _CHAPTER_CHARS:
        return ""
    rest = line.text[match.end() :]
    return "" if _LEADER.search(rest) or _ENDS_SENTENCE.search(rest) or _SAYS_OF.match(rest) else match.group(1)


def _runs_into(before: Part, line: Line) -> bool:
    """Tell whether a line of text goes on with the next: it is long, and no sentence ends with it."""
    if not isinstance(before, Line) or abs(before.size - line.size) >= SAME_SIZE or before.bold != line.bold:
        return False
    near = 0 < line.y - before.y < _NEAR * line.size
    return near and before.right - before.left > WRAP_WIDTH * line.size and not _ENDS_SENTENCE.search(before.text)


def _is_slide_title(page: PageText) -> bool:
    """Tell whether the first line of a slide is its name: short, and large beside most of what follows."""
    first, *others = page.lines
    beside = sorted(line.size for line in others)
    if len(first.text) > _BOLD_CHARS or (beside and first.y > min(line.y for line in others)):
        return False
    return not beside or first.size >= LARGE_PRINT * beside[len(beside) // 2]


def _around(parts: Sequence[Part], index: int) -> list[Part]:
    return [*parts[max(0, index - 2) : index], *parts[index + 1 : index + 3]]


def _is_beside(line: Line, part: Part) -> bool:
    return part.top < line.y < part.bottom
