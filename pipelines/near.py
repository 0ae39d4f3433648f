"""Which bodies are near or contained in one another, by their 5-grams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pipelines.candidates import likely
from pipelines.grams import Hashes, Numbers
from pipelines.signature import Signatures

Kind = Literal["near", "contains"]
Flags = NDArray[np.bool_]

NEAR = 0.90
# Plain additions keep all of the smaller text; template siblings with 93 of 100 lines in common reach .95.
CONTAINS = 0.96
# Keeps short texts and forms from joining everything that quotes them; bounds sizes to 1 : 2.5.
CONTAINS_JACCARD = 0.40


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


def related(n_a: Numbers, n_b: Numbers, shared: Numbers, near: float = NEAR) -> tuple[Flags, Flags]:
    """Return which pairs `relation` calls near, and which it relates at all; as columns."""
    with np.errstate(invalid="ignore"):  # two empty bodies
        jaccard = shared / (n_a + n_b - shared)
        is_near = (jaccard >= near) & (shared > 0)
        contained = (shared / np.minimum(n_a, n_b) >= CONTAINS) & (jaccard >= CONTAINS_JACCARD) & (shared > 0)
    return is_near, is_near | contained


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
