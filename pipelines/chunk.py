"""Cut a body into passages for the index, so that an edit moves few of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from itertools import pairwise

from pipelines.heading import HEADING_CHARS, heading_text, is_heading, without_numbering
from pipelines.mirror import render
from pipelines.piece import Piece, Places, divide
from pipelines.records import Block, Chunk
from pipelines.section import Run, Section, sections

# Part of every chunk_hash: a change that moves a boundary or a rendered line must change it.
CHUNKER_VERSION = "2"

# A chunk ends between this share of the room and all of it. Measured on 120 documents of 90 paragraphs (benchmarks/
# retrieval/chunk_identity.py): a new first paragraph changes 1.3 chunks of 24; with .3 of the room 1.6 of 23, with .4
# 1.7 of 22; packed greedily 1.7 of 22, where a section has many chunks all of them.
LEAST_FULL = 0.2
# Word hashes that are compared to find where a chunk ends; paragraphs that share more of them are as good as equal.
_WORDS_COMPARED = 8

CountTokens = Callable[[list[str]], Sequence[int]]


def cut(
    blocks: Sequence[Block],
    *,
    title: str,
    body_hash: str,
    count_tokens: CountTokens,
    limit: int = 400,
    hard_limit: int = 500,
) -> list[Chunk]:
    """Cut a document into chunks of about `limit` tokens and at most `hard_limit`, heading path included.

    `count_tokens` is asked a few times with many texts. A chunk is longer than `hard_limit` only when one character
    under its heading path is.
    """
    mirror = render(blocks)
    places = Places(mirror)
    tokens = _Tokens(count_tokens)
    found = sections(blocks, mirror, places)
    paths = _paths(found, _title_apart(blocks, title), tokens, limit // 3)
    ceilings = [hard_limit - tokens[path] for path in paths]
    _divide_long(found, ceilings, places, tokens)
    drafts: list[_Draft] = []
    for section, path in zip(found, paths, strict=True):
        heading = tuple(heading_text(block) for block in section.path)
        groups = _pack(section.runs, max(1, limit - tokens[path]), places, tokens)
        drafts.extend(_Draft(path, heading, group) for group in groups)
    return _chunks(_fitted(drafts, places, tokens, hard_limit), places, tokens, body_hash)


@dataclass(frozen=True, slots=True)
class _Draft:
    path: str
    heading: tuple[str, ...]
    pieces: Run

    def text(self, places: Places) -> str:
        """Return the part of the mirror from the first piece to the last, a table's header before its later rows."""
        first = self.pieces[0]
        shown = places.text[first.start : self.pieces[-1].end]
        return f"{first.header}\n{shown}" if first.header else shown

    def embedded(self, places: Places) -> str:
        return f"{self.path}\n{self.text(places)}" if self.path else self.text(places)


class _Tokens:
    """Token counts by text; `learn` asks for all that are missing at once."""

    def __init__(self, count_tokens: CountTokens) -> None:
        self._count = count_tokens
        self._known = {"": 0}

    def learn(self, texts: Iterable[str]) -> None:
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known.update(zip(missing, self._count(missing), strict=True))

    def __getitem__(self, text: str) -> int:
        return self._known[text]


def _title_apart(blocks: Sequence[Block], title: str) -> str:
    """Return the title when it says more than each section's own path, else "".

    A title from the document's properties does. One that is a heading does when it has no number: "결제 API" stands
    over the sections after it whatever their level, "1. 개요" doesn't, and a new first section would change them all.
    """
    title = " ".join(title.split())[:HEADING_CHARS]
    for block in blocks:
        if is_heading(block) and heading_text(block) == title:
            return title if without_numbering(block) == title else ""
    return title


def _paths(found: Sequence[Section], title: str, tokens: _Tokens, limit: int) -> list[str]:
    """Return each section's path as it is embedded; of a path over `limit` tokens only the inner headings."""
    entries = []
    for section in found:
        headings = [text for block in section.path if (text := without_numbering(block))]
        apart = [title] if title and title not in headings[:1] else []
        entries.append(apart + headings)
    tokens.learn(" > ".join(path) for path in entries)
    long = [path for path in entries if tokens[" > ".join(path)] > limit]
    tokens.learn(" > ".join(path[n:]) for path in long for n in range(1, len(path)))
    return [
        next(text for n in range(len(path) + 1) if tokens[text := " > ".join(path[n:])] <= limit) for path in entries
    ]


def _divide_long(found: Sequence[Section], ceilings: Sequence[int], places: Places, tokens: _Tokens) -> None:
    """Divide every piece that no chunk could hold, until none is left or it is a single character.

    A table's header that would take more than half of the room isn't repeated.
    """
    tokens.learn(piece.header for section in found for run in section.runs for piece in run)
    for section, ceiling in zip(found, ceilings, strict=True):
        section.runs = [[_bare(piece, tokens, ceiling // 2) for piece in run] for run in section.runs]
    waiting = list(zip(found, ceilings, strict=True))
    while waiting:
        tokens.learn(places.shown(piece) for section, _ in waiting for run in section.runs for piece in run)
        waiting = [(section, ceiling) for section, ceiling in waiting if _divided(section, ceiling, places, tokens)]


def _bare(piece: Piece, tokens: _Tokens, room: int) -> Piece:
    return replace(piece, header="") if piece.header and tokens[piece.header] > room else piece


def _divided(section: Section, ceiling: int, places: Places, tokens: _Tokens) -> bool:
    """Divide the long pieces of a section once; tell whether there were any."""
    runs: list[Run] = []
    for run in section.runs:
        parts = [_parts(piece, ceiling, places, tokens) for piece in run]
        if all(len(part) == 1 for part in parts):
            runs.append(run)
        else:
            runs.extend([piece] for part in parts for piece in part)
    changed = len(runs) != len(section.runs)
    section.runs = runs
    return changed


def _parts(piece: Piece, ceiling: int, places: Places, tokens: _Tokens) -> list[Piece]:
    size = tokens[places.shown(piece)]
    room = max(1, ceiling - tokens[piece.header])
    return divide(places.text, piece, (piece.end - piece.start) * room // size) if size > room else [piece]


def _pack(runs: Sequence[Run], room: int, places: Places, tokens: _Tokens) -> list[Run]:
    """Pack runs into groups of at most `room` tokens, cut by content so that an edit moves few boundaries."""
    fitting: list[Run] = []
    for run in runs:
        fits = len(run) == 1 or _size(run, places, tokens) <= room
        fitting.extend([run] if fits else [[piece] for piece in run])
    starts = _starts(fitting, [_size(run, places, tokens) for run in fitting], room, places, tokens)
    return [[piece for run in fitting[start:end] for piece in run] for start, end in pairwise([*starts, len(fitting)])]


def _size(run: Run, places: Places, tokens: _Tokens) -> int:
    return sum(tokens[places.shown(piece)] for piece in run)


def _starts(runs: Sequence[Run], sizes: Sequence[int], room: int, places: Places, tokens: _Tokens) -> list[int]:
    """Return where groups start: each but the last ends, full enough, before the run of the least mark."""
    starts = [0]
    while True:
        used = tokens[runs[starts[-1]][0].header] + sizes[starts[-1]]
        ends = []
        for n in range(starts[-1] + 1, len(runs)):
            over = used + sizes[n] > room
            if over or used >= room * LEAST_FULL:
                ends.append(n)
            if over:
                break
            used += sizes[n]
        else:
            return starts
        starts.append(min(ends, key=lambda n: _mark(places.shown(runs[n][0]))))


def _mark(text: str) -> list[bytes]:
    """Return the least hashes of a text's words: the first mostly decides, and one edited word rarely changes it."""
    return nsmallest(_WORDS_COMPARED, {hashlib.sha256(word.encode("utf-8")).digest() for word in text.split()})


def _fitted(drafts: list[_Draft], places: Places, tokens: _Tokens, hard_limit: int) -> list[_Draft]:
    """Halve the drafts that came out over `hard_limit` (the joined text may have more tokens than its pieces)."""
    while True:
        tokens.learn(draft.embedded(places) for draft in drafts)
        fitted: list[_Draft] = []
        for draft in drafts:
            over = tokens[draft.embedded(places)] > hard_limit
            fitted.extend(_halves(draft, places) if over else [draft])
        if fitted == drafts:  # a half may be all that is left of a draft: the other held nothing but white space
            return fitted
        drafts = fitted


def _halves(draft: _Draft, places: Places) -> list[_Draft]:
    pieces = draft.pieces
    if len(pieces) == 1:
        pieces = divide(places.text, pieces[0], (pieces[0].end - pieces[0].start + 1) // 2)
    middle = (len(pieces) + 1) // 2
    return [replace(draft, pieces=half) for half in (pieces[:middle], pieces[middle:]) if half]


def _chunks(drafts: Sequence[_Draft], places: Places, tokens: _Tokens, body_hash: str) -> list[Chunk]:
    seen: Counter[str] = Counter()
    chunks: list[Chunk] = []
    before = 0
    for ordinal, draft in enumerate(drafts):
        text = draft.text(places)
        chunk_hash = _sha256(CHUNKER_VERSION, draft.path, text)
        one_line = "\n" not in places.text[before : draft.pieces[0].start]
        before = draft.pieces[-1].end
        chunks.append(
            Chunk(
                chunk_id=_sha256(body_hash, chunk_hash, str(seen[chunk_hash]))[:32],
                chunk_hash=chunk_hash,
                body_hash=body_hash,
                ordinal=ordinal,
                heading=draft.heading,
                text=text,
                embedded=draft.embedded(places),
                # What is left out inside a line is only a gap: the next chunk starts where the last one ended.
                start=chunks[-1].end if chunks and one_line else places.in_body(draft.pieces[0].start),
                end=places.in_body(draft.pieces[-1].end),
                n_tokens=tokens[draft.embedded(places)],
            )
        )
        seen[chunk_hash] += 1
    return chunks


def _sha256(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()
