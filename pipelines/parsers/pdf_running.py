"""Running lines: headers, footers and page numbers, which only repeat from page to page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipelines.parsers.apart import Apart
from pipelines.parsers.pdf_edges import PageEdges, edges_of
from pipelines.parsers.pdf_lines import Line, PageText, body_half_points
from pipelines.records import Locator

_SHARE = 0.6
# A chapter's name runs over its own pages only, on the left ones or the right ones perhaps.
_IN_A_ROW = 3
_STEP = 2
# A heading is printed this much larger than the text of most characters.
LARGE_PRINT = 1.15
_NUMBER = re.compile("[0-9]+")
# Brackets or a full stop make it a list's number, "제" alone an article's.
_RULE = r"[-–—‐−~·|\s]{0,3}"
_PAGE_NUMBER = re.compile(
    rf"{_RULE}(?:(?:page|p\.)?|제(?=\s*\d+\s*(?:쪽|페이지|면)))\s*(\d{{1,5}})"
    rf"(?:\s*(?:/|of|쪽|페이지|면)\s*\d{{0,5}}\s*(?:쪽|페이지)?)?{_RULE}",
    re.IGNORECASE,
)
_DASHED_NUMBER = re.compile(r"[-–—‐−]\s*\d{1,5}\s*[-–—‐−]")
_SAYS_PAGE_BEFORE = re.compile(r"\b(?:page|p\.?|쪽|페이지)\s*$", re.IGNORECASE)
_SAYS_PAGE_AFTER = re.compile(r"\s*(?:쪽|페이지|면|page)\b", re.IGNORECASE)
# A number glued to a letter ("SFR-001") or after one of these words counts something else than pages.
_GLUED_BEFORE = re.compile(r"\w[-–.]?$")
_GLUED_AFTER = re.compile(r"[-–.]?\w")
_COUNTS_ELSE = re.compile(
    r"(?:붙임|첨부|별표|별지|별첨|부록|서식|양식|표|그림|번호|no\.?|table|figure|annex|appendix)\s*$", re.IGNORECASE
)


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
    edges = {page.number: edges_of(page) for page in pages}
    running = _running(pages, edges)
    apart = Apart()
    met: set[tuple[str, str]] = set()
    kept = []
    for page in pages:
        edge = edges[page.number]
        gone = set()
        for kind, lines in (("header", edge.top), ("footer", edge.bottom[::-1])):
            for line in lines:
                is_number = not edge.alone and _is_page_number(line.text, page.number)
                masked = running.get((page.number, id(line)))
                if is_number or masked is not None:
                    gone.add(id(line))
                    _keep(kind, line.text, masked, page.number, met, apart)
        kept.append(replace(page, parts=tuple(part for part in page.parts if id(part) not in gone)))
    if not any(page.parts for page in kept):
        # The same page again and again: what repeats is the text itself.
        return list(pages), Apart()
    return kept, apart


def _keep(kind: str, text: str, masked: str | None, page: int, met: set[tuple[str, str]], apart: Apart) -> None:
    """Keep a line once, whatever its page numbers are later."""
    is_number = masked is None or ("#" in masked and _PAGE_NUMBER.fullmatch(text) is not None)
    if is_number or (kind, masked) in met:
        apart.count(kind)
    else:
        met.add((kind, masked or text))
        apart.put(kind, text, Locator(page=page))


def _running(pages: Sequence[PageText], edges: dict[int, PageEdges]) -> dict[tuple[int, int], str]:
    """Return the lines that run, by page number and id: their text, "#" for a number that counts the pages."""
    if len(pages) < 2:
        return {}
    largest = body_half_points(line for page in pages for line in page.lines) * LARGE_PRINT / 2
    groups: dict[str, list[_Seen]] = defaultdict(list)
    for page in pages:
        for line in (*edges[page.number].top, *edges[page.number].bottom):
            if line.size < largest:
                numbers = tuple(int(number[:9]) for number in _NUMBER.findall(line.text))
                groups[_key(line)].append(_Seen(page.number, line, numbers))
    found: dict[tuple[int, int], str] = {}
    for group in groups.values():
        same: dict[tuple[int, ...], list[_Seen]] = defaultdict(list)
        for seen in group:
            same[seen.numbers].append(seen)
        for alike, counting in (_alike(group), *((seen, set[int]()) for seen in same.values())):
            if _runs(alike, len(pages)):
                for seen in alike:
                    found.setdefault((seen.page, id(seen.line)), _masked(seen.line.text, counting))
    return found


def _key(line: Line) -> str:
    return f"{_NUMBER.sub('#', ''.join(line.text.split()))} {line.y:.0f}"


def _alike(group: Sequence[_Seen]) -> tuple[list[_Seen], set[int]]:
    """Return those whose numbers say the same or count the pages, as those of most do, and which numbers count.

    A number of its own on each page ("접수번호 2026-17") is what the page is about.
    """
    alike = list(group)
    slots: set[int] = set()
    for slot in range(len(group[0].numbers)):
        same = Counter(seen.numbers[slot] for seen in alike).most_common(1)
        counting = Counter(seen.numbers[slot] - seen.page for seen in alike if _may_count(seen, slot)).most_common(1)
        if counting and counting[0][1] > same[0][1]:
            alike = [seen for seen in alike if seen.numbers[slot] - seen.page == counting[0][0]]
            slots.add(slot)
        else:
            alike = [seen for seen in alike if seen.numbers[slot] == same[0][0]]
    return alike, slots


def _may_count(seen: _Seen, slot: int) -> bool:
    """Tell a page's number, which stands alone or beside the word, from another; a sentence counts no pages."""
    text = seen.line.text
    if text.endswith((".", "?", "!")):
        return False
    number = list(_NUMBER.finditer(text))[slot]
    before, after = text[: number.start()], text[number.end() :]
    if _SAYS_PAGE_BEFORE.search(before) or _SAYS_PAGE_AFTER.match(after):
        return True
    return not (_GLUED_BEFORE.search(before) or _GLUED_AFTER.match(after) or _COUNTS_ELSE.search(before))


def _masked(text: str, slots: set[int]) -> str:
    for slot, number in reversed(list(enumerate(_NUMBER.finditer(text)))):
        if slot in slots:
            text = f"{text[: number.start()]}#{text[number.end() :]}"
    return text


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


def _is_page_number(text: str, number: int) -> bool:
    match = _PAGE_NUMBER.fullmatch(text)
    return (match is not None and int(match.group(1)) == number) or _DASHED_NUMBER.fullmatch(text) is not None
