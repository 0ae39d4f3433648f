"""Which passages stand in other passages too: alike by cosine, confirmed by their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from pipelines.candidates import candidate_pairs
from pipelines.grams import Hashes, folded, grams, grams_of_each
from pipelines.near import shared
from pipelines.neighbours import Cosines, nearest, neighbours
from pipelines.served import Numbers, Served
from pipelines.sketch import common_grams, sampled, sketches

Proposed = tuple[Numbers, Numbers, Cosines, Cosines]
Candidates = Iterable[Proposed]
# Returns pairs of rows of Served.hashes of which one is asked, each at least once: i, j, cosine (NaN where none is
# known), and the containment that the pair must have.
Propose = Callable[[Numbers], Candidates]
TextsOf = Callable[[Sequence[int]], Sequence[str]]
OnRows = Callable[[int, int], None]

# DESIGN section 7: with a cosine above the encoder's bar.
CONTAINED = 0.5
# By words alone: different texts on a form of 70 % have at most .78 in common (docs/decisions/008).
CONTAINED_BY_WORDS = 0.8
# DESIGN section 7: a body of which less is covered adds enough of its own, whoever covers it.
PARTIAL = 0.2
# A duplicate stands among the very nearest, whatever cosines mean; its own document's passages may be as near.
NEAREST = 16
# Candidates whose words are compared at once: of 1,000 characters each they are 33 MB of text and 130 MB of 5-grams.
_PAIRS = 8192
# Texts whose 5-grams are taken at once: what 256 of them need stays in the processor's cache.
_GRAMS = 256
# Texts sketched at once.
_TEXTS = 2048


@dataclass(frozen=True, slots=True)
class Covers:
    """m directed facts, sorted: of passage text `text` the share `containment` of its 5-grams stands in text `by`.

    text, by     (m,) rows of Served.hashes, never equal: what is equal needs no fact
    cosine       (m,) float32, NaN where none is known
    containment  (m,) float32
    """

    text: Numbers
    by: Numbers
    cosine: Cosines
    containment: Cosines

    def of(self, text: int) -> Iterator[tuple[int, float, float]]:
        """Yield (by, cosine, containment) of one text."""
        start, end = np.searchsorted(self.text, [text, text + 1])
        for n in range(int(start), int(end)):
            yield int(self.by[n]), float(self.cosine[n]), float(self.containment[n])


def find_covers(
    served: Served, asked: Iterable[str], propose: Propose, texts_of: TextsOf, on_rows: OnRows | None = None
) -> tuple[Covers, frozenset[str]]:
    """Return the covers of the asked bodies' passages, and the bodies whose covers are all known.

    Those are the asked ones and, again and again, the bodies that cover a body of which PARTIAL or more is covered:
    which of two is named depends on them, so a verdict is the same however few were asked for. `texts_of` gives the
    passages of rows of Served.hashes; `on_rows` hears (done, total) of the texts that are asked.
    """
    wanted = set(asked)
    reached = np.array([body in wanted for body in served.bodies], bool)
    compared = np.zeros(len(served.hashes), bool)
    held_twice = holders(served) > 1
    covers = _NONE
    while True:
        rows = np.unique(served.hash_of[reached[served.body_of]])
        rows = rows[~compared[rows]]
        if not len(rows):
            break
        batches = _batches(_told(propose(rows), rows, on_rows))
        covers = _joined([covers, *(_confirmed(*batch, texts_of) for batch in batches)])
        compared[rows] = True
        has_cover = held_twice.copy()
        has_cover[covers.text] = True
        leading = reached & (_share(served, has_cover) >= PARTIAL)
        own = np.isin(np.arange(len(served.hashes)), served.hash_of[leading[served.body_of]])
        above = np.concatenate([np.flatnonzero(own), covers.by[own[covers.text]]])
        reached[served.body_of[np.isin(served.hash_of, above)]] = True
    return covers, frozenset(body for body, there in zip(served.bodies, reached, strict=True) if there)


def _told(candidates: Candidates, rows: Numbers, on_rows: OnRows | None) -> Candidates:
    """Pass candidates on and tell how far in `rows` they are, where they come in their order."""
    done = 0
    for block in candidates:
        yield block
        if on_rows and len(block[0]):
            done = max(done, int(np.searchsorted(rows, block[0].min())))
            on_rows(done, len(rows))


def holders(served: Served) -> Numbers:
    """Return (len(hashes),) how many bodies hold each text."""
    held = np.unique(served.hash_of * max(len(served.bodies), 1) + served.body_of)
    return np.bincount(held // max(len(served.bodies), 1), minlength=len(served.hashes))


def _share(served: Served, has_cover: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return (len(bodies),) the share of each body's passages whose text is marked."""
    count = len(served.bodies)
    marked = np.bincount(served.body_of, weights=has_cover[served.hash_of], minlength=count)
    return marked / np.maximum(np.bincount(served.body_of, minlength=count), 1)


def by_cosine(served: Served, bar: float) -> Propose:
    """Propose every pair above the bar of a calibrated encoder."""

    def propose(rows: Numbers) -> Candidates:
        for i, j, cosine in neighbours(served.vectors, rows[served.embedded[rows]], bar):
            yield i, j, cosine, np.full(len(i), CONTAINED, np.float32)

    return propose


def by_rank(served: Served) -> Propose:
    """Propose the NEAREST of each text, for an encoder whose cosines have no bar: the words alone decide."""

    def propose(rows: Numbers) -> Candidates:
        for i, j, cosine in nearest(served.vectors, rows[served.embedded[rows]], NEAREST):
            known = served.embedded[j]
            yield i[known], j[known], cosine[known], np.full(int(known.sum()), CONTAINED_BY_WORDS, np.float32)

    return propose


def by_words(served: Served, texts_of: TextsOf) -> Propose:
    """Propose texts whose sketches meet where one has no vector; of equal length and .8 contained 99.99 % do."""

    @cache
    def pairs() -> Numbers:
        def read(rows: Sequence[int]) -> list[str]:
            return [folded(text) for text in texts_of(rows)]

        place = {name: row for row, name in enumerate(served.hashes)}
        common = common_grams([grams(text) for text in read([place[name] for name in sampled(served.hashes)])])
        owners, bands = [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
        for start in range(0, len(served.hashes), _TEXTS):
            part = sketches(read(range(start, min(start + _TEXTS, len(served.hashes)))), common)
            owners.append(part.owners + start)
            bands.append(part.bands)
        met = candidate_pairs(np.concatenate(owners), np.concatenate(bands))
        return met[~served.embedded[met].all(axis=1)]

    def propose(rows: Numbers) -> Candidates:
        if served.embedded.all():
            return
        i, j = pairs()[np.isin(pairs(), rows).any(axis=1)].T
        yield i, j, np.full(len(i), np.nan, np.float32), np.full(len(i), CONTAINED_BY_WORDS, np.float32)

    return propose


def together(*proposals: Propose) -> Propose:
    """Propose what any of them proposes."""
    return lambda rows: (block for propose in proposals for block in propose(rows))


def _batches(candidates: Candidates) -> Candidates:
    """Gather small blocks and divide large ones."""
    waiting: list[Proposed] = []
    for block in candidates:
        waiting.append(block)
        if sum(len(i) for i, *_ in waiting) >= _PAIRS:
            yield from _cut(waiting)
            waiting = []
    yield from _cut(waiting)


def _cut(blocks: list[Proposed]) -> Candidates:
    if blocks:
        i, j, cosine, bar = (np.concatenate(column) for column in zip(*blocks, strict=True))
        for start in range(0, len(i), _PAIRS):
            part = slice(start, start + _PAIRS)
            yield i[part], j[part], cosine[part], bar[part]


def _confirmed(i: Numbers, j: Numbers, cosine: Cosines, bar: Cosines, texts_of: TextsOf) -> Covers:
    """Keep what the words confirm, in either direction."""
    rows, places = np.unique(np.concatenate([i, j]), return_inverse=True)
    held = _grams_of(texts_of(rows.tolist()))
    sizes = np.array([max(len(one), 1) for one in held])
    left, right = places[: len(i)], places[len(i) :]
    common = np.array([shared(held[a], held[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True)])
    there, back = common / sizes[left], common / sizes[right]
    ok, kept = there >= bar, back >= bar
    return Covers(
        np.concatenate([i[ok], j[kept]]),
        np.concatenate([j[ok], i[kept]]),
        np.concatenate([cosine[ok], cosine[kept]]),
        np.concatenate([there[ok], back[kept]]).astype(np.float32),
    )


def _grams_of(texts: Sequence[str]) -> list[Hashes]:
    """Return the 5-grams of each text."""
    held: list[Hashes] = []
    for start in range(0, len(texts), _GRAMS):
        flat, counts = grams_of_each([folded(text) for text in texts[start : start + _GRAMS]])
        held.extend(np.split(flat, np.cumsum(counts)[:-1]))
    return held


def _joined(parts: Sequence[Covers]) -> Covers:
    """Return all facts once, sorted; of a pair met twice the one with a cosine."""
    text, by = (np.concatenate([getattr(part, name) for part in parts]) for name in ("text", "by"))
    cosine, containment = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("cosine", "containment")
    )
    order = np.lexsort((np.isnan(cosine), by, text))
    text, by = text[order], by[order]
    first = np.r_[True, (text[1:] != text[:-1]) | (by[1:] != by[:-1])][: len(text)]
    return Covers(text[first], by[first], cosine[order][first], containment[order][first])


_NONE = Covers(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.float32))
