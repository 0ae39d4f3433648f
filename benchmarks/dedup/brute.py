"""The truth about every pair of texts, without a sketch and without the product's code.

A 5-gram is five code points packed into one integer, exactly, so that nothing is hashed; what two texts share is
counted by multiplying sparse matrices, a block of rows at a time.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

GRAM = 5
NEAR, CONTAINS, FLOOR = 0.90, 0.96, 0.40
# Rows at a time: their product with all others stays below some 100 MB.
ROWS = 250

Found = dict[tuple[int, int], tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Truth:
    """Pairs by position in the list of texts, smaller first, with kind and Jaccard; `pairs` were all looked at."""

    edges: Found
    pairs: int
    shared_matrix: csr_matrix

    def of_kind(self, kind: str) -> set[tuple[int, int]]:
        """Return the pairs that are near, or contained."""
        return {pair for pair, (found, _) in self.edges.items() if found == kind}


def grams_matrix(texts: Sequence[str]) -> csr_matrix:
    """Return texts x distinct 5-grams, 1 where the text has it; a shorter text is its only one."""
    plain = [" ".join(unicodedata.normalize("NFC", text).lower().split()) for text in texts]
    alphabet = {letter: number for number, letter in enumerate(sorted(set("".join(plain))), 1)}
    if len(alphabet) >= 1 << 12:
        raise ValueError("five letters of this alphabet don't fit into 60 bits")
    rows = [_packed(np.array([alphabet[letter] for letter in text], dtype=np.int64)) for text in plain]
    ends = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    ids, columns = np.unique(np.concatenate(rows), return_inverse=True)
    ones = np.ones(len(columns), dtype=np.int32)
    return csr_matrix((ones, columns, ends), shape=(len(texts), len(ids)))


def _packed(letters: np.ndarray) -> np.ndarray:
    width = min(GRAM, len(letters))
    if not width:
        return np.zeros(0, dtype=np.int64)
    count = len(letters) - width + 1
    packed = np.zeros(count, dtype=np.int64)
    for place in range(width):
        packed = (packed << 12) | letters[place : place + count]
    return np.unique(packed)


def truth(texts: Sequence[str]) -> Truth:
    """Judge every pair: near from Jaccard .90, else contained from .96 of the smaller and Jaccard .40."""
    matrix = grams_matrix(texts)
    sizes = np.diff(matrix.indptr)
    turned = matrix.T.tocsr()
    edges: Found = {}
    for start in range(0, len(texts), ROWS):
        product = (matrix[start : start + ROWS] @ turned).tocoo()
        a, b, shared = product.row + start, product.col, product.data
        later = b > a
        a, b, shared = a[later], b[later], shared[later]
        jaccard = shared / (sizes[a] + sizes[b] - shared)
        contained = shared / np.minimum(sizes[a], sizes[b])
        near = jaccard >= NEAR
        kept = near | ((contained >= CONTAINS) & (jaccard >= FLOOR))
        for place in np.flatnonzero(kept):
            kind = "near" if near[place] else "contains"
            edges[int(a[place]), int(b[place])] = kind, float(jaccard[place])
    count = len(texts)
    return Truth(edges, count * (count - 1) // 2, matrix)
