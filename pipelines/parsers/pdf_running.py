"""Running lines: headers, footers and page numbers, which only repeat from page to page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipelines.parsers.apart import Apart
from pipelines.parsers.pdf_lines import Line, PageText, body_half_points
from pipelines.records import Locator

# Lines at the top and bottom of a page that may run.
_EDGE = 2
_SHARE = 0.6
# A chapter's name runs over its own pages only, on the left ones or the right ones perhaps.
_IN_A_ROW = 3
_STEP = 2
# A heading is printed this much larger than the text of most characters.
LARGE_PRINT = 1.15
_NUMBER = re.compile("[0-9]+")
_PAGE_NUMBER = re.compile(
    r"\W{0,3}(?:page\s*|p\.\s*|제\s*)?(\d{1,5})(?:\s*(?:/|of|쪽|페이지|면)\s*\d{0,5}\s*(?:쪽|페이지)?)?\W{0,3}",
    re.IGNORECASE,
)
_DASHED_NUMBER = re.compile(r"[-–—‐−]\s*\d{1,5}\s*[-–—‐−]")


@dataclass(frozen=True, slots=True)
class _Seen:
    page: int
    line: Line
    numbers: tuple[int, ...]


def without_running_lines(pages: Sequence[PageText]) -> tuple[list[PageText], Apart]:
    """Keep headers and footers apart, each with the first page that it stands on; page numbers are only counted.

    A line runs when it stands at the edge of most pages, or of three in a row, at the same height and the same but
    for numbers that count the pages. Large print is a heading, also when every page has the same one.
    """
    running = _running(pages)
    apart = Apart()
    met: set[tuple[str, str]] = set()
    kept = []
    for page in pages:
        lines = _top_down(page)
        middle = (lines[0].y + lines[-1].y) / 2 if lines else 0.0
        gone = {id(line) for line in _edge_lines(page) if (page.number, id(line)) in running}
        if len(lines) > 1:
            gone |= {id(line) for line in (lines[0], lines[-1]) if _is_page_number(line.text, page.number)}
        for line in lines:
            if id(line) in gone:
                _keep("header" if line.y < middle else "footer", line.text, page.number, met, apart)
        kept.append(replace(page, parts=tuple(part for part in page.parts if id(part) not in gone)))
    if not any(page.parts for page in kept):
        # The same page again and again: what repeats is the text itself.
        return list(pages), Apart()
    return kept, apart


def _keep(kind: str, text: str, page: int, met: set[tuple[str, str]], apart: Apart) -> None:
    """Keep a line once, whatever its numbers are on later pages."""
    masked = kind, _NUMBER.sub("#", text)
    if masked in met or _PAGE_NUMBER.fullmatch(text):
        apart.count(kind)
    else:
        met.add(masked)
        apart.put(kind, text, Locator(page=page))


def _running(pages: Sequence[PageText]) -> set[tuple[int, int]]:
    """Return (page number, id of the line) of the lines that run."""
    if len(pages) < 2:
        return set()
    largest = body_half_points(line for page in pages for line in page.lines) * LARGE_PRINT / 2
    groups: dict[str, list[_Seen]] = defaultdict(list)
    for page in pages:
        for line in _edge_lines(page):
            if line.size < largest:
                numbers = tuple(int(number[:9]) for number in _NUMBER.findall(line.text))
                groups[_key(line)].append(_Seen(page.number, line, numbers))
    found = set()
    for group in groups.values():
        same: dict[tuple[int, ...], list[_Seen]] = defaultdict(list)
        for seen in group:
            same[seen.numbers].append(seen)
        for alike in (_alike(group), *same.values()):
            if _runs(alike, len(pages)):
                found |= {(seen.page, id(seen.line)) for seen in alike}
    return found


def _key(line: Line) -> str:
    return f"{_NUMBER.sub('#', ''.join(line.text.split()))} {line.y:.0f}"


def _alike(group: Sequence[_Seen]) -> list[_Seen]:
    """Return those whose numbers say the same or count the pages, as those of most do.

    A number of its own on each page ("접수번호 2026-17") is what the page is about.
    """
    alike = list(group)
    for slot in range(len(group[0].numbers)):
        same = Counter(seen.numbers[slot] for seen in alike).most_common(1)
        counting = Counter(seen.numbers[slot] - seen.page for seen in alike if _may_count(seen, slot)).most_common(1)
        if counting and counting[0][1] > same[0][1]:
            alike = [seen for seen in alike if seen.numbers[slot] - seen.page == counting[0][0]]
        else:
            alike = [seen for seen in alike if seen.numbers[slot] == same[0][0]]
    return alike


def _may_count(seen: _Seen, slot: int) -> bool:
    """Tell a page's number from another: it is this page's, or stands alone ("SFR-017" counts requirements).

    A sentence counts no pages.
    """
    number = seen.numbers[slot]
    if seen.line.text.endswith((".", "?", "!")):
        return False
    return number == seen.page or re.search(rf"(?:^|\s)0*{number}(?:\s|$)", seen.line.text) is not None


def _runs(group: Sequence[_Seen], pages: int) -> bool:
    if pages <= _IN_A_ROW:
        return len({seen.page for seen in group}) >= min(pages, _IN_A_ROW)
    numbers = sorted({seen.page for seen in group})
    if len(numbers) >= max(_IN_A_ROW, _SHARE * pages):
        return True
    row = 1
    for before, page in pairwise(numbers):
        row = row + 1 if page - before <= _STEP else 1
        if row >= _IN_A_ROW:
            return True
    return False


def _top_down(page: PageText) -> list[Line]:
    """Return the lines of a page from its top to its bottom, whatever was drawn first."""
    return sorted(page.lines, key=lambda line: line.y)


def _edge_lines(page: PageText) -> Iterable[Line]:
    lines = _top_down(page)
    return lines if len(lines) <= 2 * _EDGE else lines[:_EDGE] + lines[-_EDGE:]


def _is_page_number(text: str, number: int) -> bool:
    match = _PAGE_NUMBER.fullmatch(text)
    return (match is not None and int(match.group(1)) == number) or _DASHED_NUMBER.fullmatch(text) is not None
