"""Exact neighbours by cosine, block by block: no index, nothing quantised, memory that doesn't grow with the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float16] | npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Cosines = npt.NDArray[np.float32]

# Rows whose products are taken at once: 1,024 x 8,192 float32 are 32 MB, and 8,192 rows of 384 widened are 12 MB.
QUERY_BLOCK, COLUMN_BLOCK = 1024, 8192
_NONE: Numbers = np.zeros(0, np.int64)


def neighbours(
    vectors: Vectors,
    queries: Sequence[int] | range | Numbers,
    bar: float,
    *,
    query_block: int = QUERY_BLOCK,
    column_block: int = COLUMN_BLOCK,
) -> Iterator[tuple[Numbers, Numbers, Cosines]]:
    """Yield (i, j, cosine) of every pair of rows with cosine >= bar of which at least one is a query, each pair once.

    `vectors` is (n, d), unit rows; float16 is widened a block at a time. `queries` are row numbers without repetition.
    The three arrays have one length: i int64 is the query, j int64 the other row, never i; where both are queries
    i < j. A pair belongs to both of its rows: who asks for the neighbours of each query reads it twice. No order.
    Products are float32 sums, so a cosine is exact to about 1e-6 for float32 rows, 1e-4 for rows kept as float16.
    Blocks without a pair yield nothing.
    """
    asked = np.unique(np.asarray(queries, np.int64))
    is_query = np.zeros(len(vectors), bool)
    is_query[asked] = True
    for start in range(0, len(asked), query_block):
        rows = asked[start : start + query_block]
        left = _wide(vectors[rows])
        for first in range(0, len(vectors), column_block):
            columns = slice(first, first + column_block)
            queried = is_query[columns]
            if queried.all() and first + len(queried) <= rows[0]:
                continue  # every pair was met from its other side
            cosines = left @ _wide(vectors[columns]).T
            at, of = np.divmod(np.flatnonzero(cosines >= np.float32(bar)), len(queried))
            i, j = rows[at], of + first
            once = np.where(queried[of], i < j, True)
            if once.any():
                yield i[once], j[once], cosines[at[once], of[once]]


def nearest(
    vectors: Vectors,
    queries: Sequence[int] | range | Numbers,
    count: int,
    *,
    query_block: int = QUERY_BLOCK,
    column_block: int = COLUMN_BLOCK,
) -> Iterator[tuple[Numbers, Numbers, Cosines]]:
    """Yield (i, j, cosine) of the `count` nearest other rows of each query, best first, equal ones by row number.

    Shapes as in `neighbours`, but each query has all of its own pairs, in the order of the queries.
    """
    asked = np.unique(np.asarray(queries, np.int64))
    for start in range(0, len(asked), query_block):
        rows = asked[start : start + query_block]
        left = _wide(vectors[rows])
        kept: tuple[Numbers, Numbers, Cosines] = (_NONE, _NONE, np.zeros(0, np.float32))
        for first in range(0, len(vectors), column_block):
            cosines = left @ _wide(vectors[first : first + column_block]).T
            own = np.nonzero((rows >= first) & (rows < first + cosines.shape[1]))[0]
            cosines[own, rows[own] - first] = -np.inf
            kept = _best(kept, cosines, first, count)
        at, numbers, scores = kept
        yield rows[at], numbers, scores


def _best(
    kept: tuple[Numbers, Numbers, Cosines], cosines: Cosines, first: int, count: int
) -> tuple[Numbers, Numbers, Cosines]:
    """Return the best of those kept and of a block of columns from `first` on: (line, row number, cosine), in order."""
    rank = max(cosines.shape[1] - count, 0)
    least = np.partition(cosines, rank, axis=1)[:, rank : rank + 1]
    at, of = np.nonzero((cosines >= least) & np.isfinite(cosines))
    lines = np.concatenate([kept[0], at])
    numbers = np.concatenate([kept[1], of + first])
    scores = np.concatenate([kept[2], cosines[at, of]])
    order = np.lexsort((numbers, -scores, lines))
    lines = lines[order]
    place = np.arange(len(lines)) - np.searchsorted(lines, lines)
    best = place < count
    return lines[best], numbers[order][best], scores[order][best]


def _wide(rows: Vectors) -> Cosines:
    return np.ascontiguousarray(rows, dtype=np.float32)
