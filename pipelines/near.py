"""Which bodies are near or contained in one another, verified on all their 5-grams."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipelines.candidates import candidate_pairs, likely
from pipelines.grams import Hashes, Numbers, folded, grams
from pipelines.signature import Signatures
from pipelines.sketch import LIST_FROM, common_grams, sampled, sketches

Kind = Literal["near", "contains"]

NEAR = 0.90
# Plain additions keep all of the smaller text; template siblings with 93 of 100 lines in common reach .95.
CONTAINS = 0.96
# Keeps short texts and forms from joining everything that quotes them; bounds sizes to 1 : 2.5.
CONTAINS_JACCARD = 0.40
# 5-grams held in memory while pairs are verified: 64 MB.
_CACHED_GRAMS = 8_000_000


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """Two alike bodies, a < b; a_in_b is the part of a's 5-grams that b holds."""

    a: str
    b: str
    kind: Kind
    jaccard: float
    a_in_b: float
    b_in_a: float


def shared(a: Hashes, b: Hashes) -> int:
    """Return how many values two sorted unique arrays have in common."""
    both = np.concatenate((a, b))
    both.sort(kind="stable")  # it merges the two runs
    return int(np.count_nonzero(both[1:] == both[:-1]))


def relation(n_a: int, n_b: int, shared: int, near: float = NEAR) -> Kind | None:
    """Return how two bodies of n_a and n_b 5-grams are related; near goes before contains, empty ones never are."""
    if not shared:
        return None
    jaccard = shared / (n_a + n_b - shared)
    if jaccard >= near:
        return "near"
    return "contains" if shared / min(n_a, n_b) >= CONTAINS and jaccard >= CONTAINS_JACCARD else None


def worth_reading(pairs: Numbers, n_grams: Numbers, signature: Signatures, near: float = NEAR) -> Numbers:
    """Return the pairs of rows that may be related, by their numbers of 5-grams and the estimate.

    Of two bodies of one size the smaller is contained only where they are near, so that forms with other fillings,
    which have a Jaccard of .4 to .6, are told apart without a look at their words.
    """
    small, large = np.sort(n_grams[pairs], axis=1).T
    fits = small >= min(near, CONTAINS_JACCARD) * large
    pairs, small, large = pairs[fits], small[fits], large[fits]
    contained = np.maximum(CONTAINS_JACCARD, CONTAINS * small / (large + (1 - CONTAINS) * small))
    return likely(pairs, signature, np.minimum(near, contained))


def verify(pairs: Iterable[tuple[str, str]], grams_of: Callable[[str], Hashes], near: float = NEAR) -> list[Edge]:
    """Return the true edges among candidate pairs of body hashes, sorted; grams_of is asked for few bodies twice."""
    held = _Held(grams_of)
    edges = [edge for a, b in _neighbours_together(pairs) if (edge := _edge(a, b, held.of(a), held.of(b), near))]
    return sorted(edges)


def edges_among(texts: Mapping[str, str], near: float = NEAR) -> list[Edge]:
    """Return all edges among the compared texts of a folder, by body hash; sorted, whatever the order of `texts`."""
    bodies = sorted(texts)
    ready = [folded(texts[body]) for body in bodies]
    rows = {body: row for row, body in enumerate(bodies)}
    sample = sampled(bodies) if len(bodies) >= LIST_FROM else []
    common = common_grams(grams(ready[rows[body]]) for body in sample)
    sketched = sketches(ready, common)
    pairs = worth_reading(candidate_pairs(sketched.owners, sketched.bands), sketched.n_grams, sketched.signature, near)
    named = ((bodies[a], bodies[b]) for a, b in pairs.tolist())
    return verify(named, lambda body: grams(ready[rows[body]]), near)


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return each name's least fellow, whatever the order: names joined by a chain of pairs have the same one."""
    least: dict[str, str] = {}

    def root(name: str) -> str:
        least.setdefault(name, name)
        while least[name] != name:
            least[name] = name = least[least[name]]
        return name

    for a, b in pairs:
        first, second = sorted((root(a), root(b)))
        least[second] = first
    return {name: root(name) for name in least}


def _neighbours_together(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs, a < b, so that those of one cluster follow each other."""
    ordered = [(a, b) if a < b else (b, a) for a, b in pairs]
    cluster = joined(ordered)
    return sorted(set(ordered), key=lambda pair: (cluster[pair[0]], pair))


def _edge(a: str, b: str, of_a: Hashes, of_b: Hashes, near: float) -> Edge | None:
    n_a, n_b = len(of_a), len(of_b)
    if min(n_a, n_b) < min(near, CONTAINS_JACCARD) * max(n_a, n_b):
        return None  # even if all of the smaller were in the larger
    n = shared(of_a, of_b)
    kind = relation(n_a, n_b, n, near)
    return Edge(a, b, kind, n / (n_a + n_b - n), n / n_a, n / n_b) if kind else None


class _Held:
    """The 5-grams of the bodies used last, within _CACHED_GRAMS."""

    def __init__(self, grams_of: Callable[[str], Hashes]) -> None:
        self._grams_of = grams_of
        self._kept: OrderedDict[str, Hashes] = OrderedDict()
        self._size = 0

    def of(self, body: str) -> Hashes:
        """Return the 5-grams of `body`, asked for again only when they had to make room."""
        if body not in self._kept:
            self._kept[body] = self._grams_of(body)
            self._size += len(self._kept[body])
        self._kept.move_to_end(body)
        while self._size > _CACHED_GRAMS and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])
        return self._kept[body]
