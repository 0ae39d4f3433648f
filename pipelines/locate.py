"""From a chunk of a body to the place in one document that holds it, and to the lines that prove it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import NotRequired, TypedDict

from pipelines.body import squeeze
from pipelines.heading import is_heading
from pipelines.mirror import Mirror
from pipelines.piece import SENTENCE_END
from pipelines.records import Block

SNIPPET_CHARS = 360


class Location(TypedDict):
    """A locator in results: page, slide, rows and lines count from 1; rows and lines are [first, last].

    `page` is the first one; of a passage on several, `pages` are [line, page]: from which line on each is shown. `ocr`
    tells that some of the passage was recognised from a picture, by us or by whoever made the PDF.
    """

    page: int | None
    slide: int | None
    sheet: str | None
    rows: list[int] | None
    heading: list[str]
    lines: list[int]
    ocr: bool
    pages: NotRequired[list[list[int]]]


def locate(
    start: int, end: int, text: str, blocks: Sequence[Block], spans: Sequence[tuple[int, int]], mirror: Mirror
) -> Location:
    """Return where the squeezed range `start`..`end` (closed-open) stands in this document.

    `text` is the passage as it is shown: of the lines beside the range that are no part of the body (a mail's head,
    what it quotes, notes), those that stand in it are cited too.
    """
    first, last = _blocks(start, end, blocks, spans)
    held = blocks[first : last + 1]
    content = next((n for n in range(first, last + 1) if not is_heading(blocks[n])), first)
    sheet = next((block.locator.sheet for block in held if block.locator.sheet), None)
    rows = [block.locator.rows for block in held if block.locator.rows and block.locator.sheet == sheet]
    location = Location(
        page=next((block.locator.page for block in held if block.locator.page), None),
        slide=next((block.locator.slide for block in held if block.locator.slide), None),
        sheet=sheet,
        rows=[min(row[0] for row in rows), max(row[1] for row in rows)] if rows else None,
        heading=list(mirror.headings[content]),
        lines=list(_cited(start, end, text, blocks, spans, mirror)),
        ocr=any(block.locator.ocr for block in held),
    )
    pages = [[mirror.block_lines[n][0], page] for n in range(first, last + 1) if (page := blocks[n].locator.page)]
    turns = [one for before, one in zip([[0, 0], *pages], pages, strict=False) if one[1] != before[1]]
    return Location(**location, pages=turns) if len(turns) > 1 else location


def snippet(
    chunk_text: str,
    mirror_lines: Sequence[str],
    lines: Sequence[int],
    terms: Sequence[tuple[str, float]],
    size: int = SNIPPET_CHARS,
) -> str:
    """Return at most `size` characters of the cited mirror lines, byte for byte, where most weight of `terms` stands.

    Within them only what `chunk_text` shows, when this mirror holds it as it is (the body's own representative).
    """
    text = "\n".join(mirror_lines[lines[0] - 1 : lines[1]])
    found = text.find(chunk_text) if chunk_text else -1
    low, high = (found, found + len(chunk_text)) if found >= 0 else (0, len(text))
    if high - low <= size:
        return text[low:high]
    hits = _hits(text, low, high, [term for term, _ in terms])
    weights = {term.lower(): weight for term, weight in terms}
    return _around(text, low, high, _window(hits, weights, size) if hits else (low, low), size)


def page_at(line: int, pages: Iterable[Sequence[int]]) -> int | None:
    """Return the page that shows a line, by a location's `pages`; None before the first."""
    return max((tuple(one) for one in pages if one[0] <= line), default=(0, None))[1]


def heaviest_line(text: str, terms: Iterable[tuple[str, float]]) -> int:
    """Return which line of a text (from 0) holds most weight of `terms`, the first of equals."""
    weighed = [(word.lower(), weight) for word, weight in terms]
    lines = [sum(weight for word, weight in weighed if word in line.lower()) for line in text.split("\n")]
    return lines.index(max(lines))


def places_of(text: str, terms: Iterable[str]) -> list[tuple[int, int]]:
    """Return the closed-open ranges of a text where terms stand, from left to right, joined where they touch."""
    joined: list[tuple[int, int]] = []
    for start, end, _ in _hits(text, 0, len(text), terms):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _blocks(start: int, end: int, blocks: Sequence[Block], spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the first and last block of a range; for an empty one the notes that stand there, else who ends there."""
    if start < end:
        first = bisect_right(spans, start, key=lambda span: span[1])
        last = bisect_left(spans, end, key=lambda span: span[0]) - 1
        while last + 1 < len(blocks) and blocks[last + 1].kind == "note":
            last += 1
        return first, last
    notes = [n for n, span in enumerate(spans) if span == (start, start) and not is_heading(blocks[n])]
    if notes:
        return notes[0], notes[-1]
    before = max(0, bisect_right(spans, start, key=lambda span: span[0]) - 1)
    return before, before


def _cited(
    start: int, end: int, text: str, blocks: Sequence[Block], spans: Sequence[tuple[int, int]], mirror: Mirror
) -> tuple[int, int]:
    """Return the first and last line of a passage, with what stands in it beside its range of the body."""
    first, last = _blocks(start, end, blocks, spans)
    top, bottom = _lines(start, end, first, last, spans, mirror)
    shown = [squeeze(line) for line in text.split("\n") if line.strip()]
    held = [n for n in range(top, bottom + 1) if _holds(shown, mirror.lines[n - 1])]
    if start == end and held:  # nothing of the body: what stands there may be several passages
        return held[0], held[-1]
    if top == mirror.block_lines[first][0]:
        above = (n for block in range(first - 1, -1, -1) for n in _apart(block, blocks, spans, mirror)[::-1])
        top = min([top, *_while_held(above, shown, mirror)])
    if bottom == mirror.block_lines[last][1]:
        below = (n for block in range(last + 1, len(blocks)) for n in _apart(block, blocks, spans, mirror))
        bottom = max([bottom, *_while_held(below, shown, mirror)])
    return top, bottom


def _apart(place: int, blocks: Sequence[Block], spans: Sequence[tuple[int, int]], mirror: Mirror) -> list[int]:
    """Return the lines of a block that is no part of the body; [0] of any other, a line that no passage holds."""
    if spans[place][0] < spans[place][1] or is_heading(blocks[place]):
        return [0]
    first, last = mirror.block_lines[place]
    return [n for n in range(first, last + 1) if mirror.lines[n - 1].strip()]


def _while_held(numbers: Iterable[int], shown: Sequence[str], mirror: Mirror) -> list[int]:
    """Return the lines up to the first that isn't in the passage."""
    return list(takewhile(lambda n: n > 0 and _holds(shown, mirror.lines[n - 1]), numbers))


def _holds(shown: Sequence[str], line: str) -> bool:
    """Tell whether a line stands in the passage of these lines, or is divided where the passage begins or ends."""
    wanted, passage = squeeze(line), "".join(shown)
    if not wanted or not passage:
        return False
    return wanted in passage or passage in wanted or wanted.startswith(shown[-1]) or wanted.endswith(shown[0])


def _lines(
    start: int, end: int, first: int, last: int, spans: Sequence[tuple[int, int]], mirror: Mirror
) -> tuple[int, int]:
    """Return the first and last line of a range that begins in block `first` and ends in block `last`."""
    top, bottom = mirror.block_lines[first][0], mirror.block_lines[last][1]
    if start > spans[first][0]:
        top = next((n for n in range(top, bottom) if mirror.line_spans[n - 1][1] > start), bottom)
    if end < spans[last][1]:
        bottom = next((n for n in range(bottom, top, -1) if mirror.line_spans[n - 1][0] < end), top)
    return top, bottom


def _hits(text: str, low: int, high: int, terms: Iterable[str]) -> list[tuple[int, int, str]]:
    """Return (start, end, term) of every term found, in reading order."""
    wanted = {term.lower() for term in terms if term.strip()}
    found = (
        (m.start(), m.end(), term)
        for term in wanted
        for m in re.compile(re.escape(term), re.IGNORECASE).finditer(text, low, high)
    )
    return sorted(found)


def _window(hits: Sequence[tuple[int, int, str]], weights: Mapping[str, float], size: int) -> tuple[int, int]:
    """Return the first of the shortest ranges that hold the most weight of different terms within `size` characters."""
    best, window = (0.0, 0), (hits[0][0], min(hits[0][1], hits[0][0] + size))
    for n, (start, _, _) in enumerate(hits):
        seen: set[str] = set()
        last, held = start, 0.0
        for _, end, term in hits[n : n + size]:
            if term not in seen and end <= start + size:
                seen.add(term)
                last, held = max(last, end), round(held + weights[term], 6)
        if (held, start - last) > best:
            best, window = (held, start - last), (start, last)
    return window


def _around(text: str, low: int, high: int, window: tuple[int, int], size: int) -> str:
    """Return the window with what stands around it, from a sentence or line to one, else from word to word."""
    first, last = window
    ends = [m.end() for m in SENTENCE_END.finditer(text, low, high)]
    bounds = sorted({low, high, *ends, *(m.end() for m in re.compile("\n").finditer(text, low, high))})
    gaps = [low, *(m.end() for m in re.compile(r"\s+").finditer(text, low, high)), high]
    earliest = max(low, last - size, first - size // 2)
    leads = [n for n in bounds if earliest <= n <= first] or [n for n in gaps if earliest <= n <= first] or [first]
    start = leads[-1]
    if high - start < size:  # close to the end, the room that is left goes to what stands before
        start = next((n for n in bounds if high - size <= n <= start), start)
    end = max((n for n in bounds if last <= n <= start + size), default=start)
    if end - start < size // 2:
        end = max((n for n in gaps if last <= n <= start + size), default=start + size)
    return text[start:end].strip()
