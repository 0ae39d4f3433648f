"""Candidate pairs of bodies held against all their 5-grams."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.candidates import candidate_blocks
from pipelines.edges import Edges, components
from pipelines.grams import Hashes, Numbers, folded, grams, opens_run
from pipelines.near import NEAR, Flags, related, shared, worth_reading
from pipelines.sketch import LIST_FROM, Sketches, common_grams, sampled, sketches

# 5-grams held in memory while pairs are verified: 64 MB.
_CACHED_GRAMS = 8_000_000
# Pairs that are verified together, 4 MB a column: with fewer the bodies of a large cluster are read more often.
_PAIRS = 1 << 19
# From so many pairs a body on, to number the 5-grams of a cluster costs less than to merge them for each pair.
_DENSE = 25
# 5-grams that are numbered at once: 2 MB a column.
_RANGE_GRAMS = 1 << 18
# To look at one word of 64 columns took a tenth of the time in which a merge passes one value.
_WORDS = 10
# Cells of the table of bodies and 5-grams that are filled, and words that are compared, at once: 8 MB each.
_CELLS = 1 << 23
_COMPARED = 1 << 20


@dataclass(frozen=True, slots=True)
class Verified:
    """Edges between rows, as columns: numbers of 5-grams of both, and how many they have in common."""

    a: Numbers
    b: Numbers
    n_a: Numbers
    n_b: Numbers
    shared: Numbers
    near: Flags


def verify(
    pairs: Numbers, n_grams: Numbers, grams_of: Callable[[int], Hashes], near: float = NEAR
) -> Iterator[Verified]:
    """Yield the true edges among (m, 2) distinct pairs of rows, those of one cluster together.

    n_grams   (n,) of each row: how many bodies are held at once; grams_of is asked for few of them twice
    """
    held = _Held(grams_of)
    for some, dense in _tiles(pairs, n_grams):
        sizes, common = (_in_one if dense else _one_by_one)(some, held)
        is_near, is_edge = related(sizes[:, 0], sizes[:, 1], common, near)
        if is_edge.any():
            (a, b), (n_a, n_b) = some[is_edge].T, sizes[is_edge].T
            yield Verified(a, b, n_a, n_b, common[is_edge], is_near[is_edge])


def verified_candidates(
    owners: Numbers, bands: Hashes, made: Sketches, grams_of: Callable[[int], Hashes], near: float = NEAR
) -> Iterator[Verified]:
    """Yield the edges between rows that share a band; never all pairs of a large cluster in memory."""
    blocks = (worth_reading(block, made.n_grams, made.signature, near) for block in candidate_blocks(owners, bands))
    for pairs in gathered(blocks):
        yield from verify(pairs, made.n_grams, grams_of, near)


def gathered(blocks: Iterator[Numbers]) -> Iterator[Numbers]:
    """Yield the same pairs in blocks that are worth the reading of their bodies."""
    waiting, size = [], 0
    for block in blocks:
        waiting.append(block.astype(np.int32))
        size += len(block)
        if size > _PAIRS:
            yield np.concatenate(waiting)
            waiting, size = [], 0
    if size:
        yield np.concatenate(waiting)


def edges_among(texts: Mapping[str, str], near: float = NEAR) -> Edges:
    """Return all edges among the compared texts of a folder, by body hash; sorted, whatever the order of `texts`."""
    bodies = sorted(texts)
    ready = [folded(texts[body]) for body in bodies]
    rows = {body: row for row, body in enumerate(bodies)}
    sample = sampled(bodies) if len(bodies) >= LIST_FROM else []
    common = common_grams(grams(ready[rows[body]]) for body in sample)
    made = sketches(ready, common)
    found = list(verified_candidates(made.owners, made.bands, made, lambda row: grams(ready[row]), near))
    return as_edges(bodies, found)


def as_edges(bodies: Sequence[str], found: Sequence[Verified]) -> Edges:
    """Return what was verified between rows of sorted bodies as sorted edges; a row stands left of a greater one."""
    if not found:
        return Edges.of(())
    a, b, n_a, n_b, both = (
        np.concatenate([getattr(one, name) for one in found]) for name in ("a", "b", "n_a", "n_b", "shared")
    )
    near = np.concatenate([one.near for one in found])
    made = Edges(bodies, a, b, near, both / (n_a + n_b - both), both / n_a, both / n_b)
    return made.taken(np.lexsort((b, a)))


def _one_by_one(pairs: Numbers, held: _Held) -> tuple[Numbers, Numbers]:
    """Return the two sizes of each pair, (m, 2), and how many 5-grams it shares."""
    sizes, common = np.empty((len(pairs), 2), np.int64), np.empty(len(pairs), np.int64)
    for place, (a, b) in enumerate(pairs.tolist()):
        one, other = held.of(a), held.of(b)
        sizes[place], common[place] = (len(one), len(other)), shared(one, other)
    return sizes, common


def _in_one(pairs: Numbers, held: _Held) -> tuple[Numbers, Numbers]:
    """Return the same of many pairs among few rows."""
    rows, inner = np.unique(pairs, return_inverse=True)
    inner = inner.reshape(pairs.shape)
    sets = [held.of(row) for row in rows.tolist()]
    sizes = np.array([len(one) for one in sets], np.int64)
    common = shared_counts(sets, inner)
    return (sizes[inner], common) if common is not None else _one_by_one(pairs, held)


def shared_counts(sets: Sequence[Hashes], pairs: Numbers) -> Numbers | None:
    """Return how many values both sets of each pair have, (m,); None when merging them pair by pair costs less.

    sets   sorted hashes, evenly spread over 64 bits: they are taken range by range
    """
    size = sum(map(len, sets))
    n = -(-size // _RANGE_GRAMS)
    bounds = np.array([(number << 64) // n for number in range(1, n)], np.uint64)
    counts = np.zeros(len(pairs), np.int64)
    for parts in zip(*(np.split(one, np.searchsorted(one, bounds)) for one in sets), strict=True):
        owner, column, everywhere = _numbered(parts)
        columns = int(column[-1]) + 1 if len(column) else 0
        if columns * len(sets) * n > 64 * _WORDS * size:
            return None
        counts += everywhere
        _add_shared(counts, len(sets), owner, column, columns, pairs)
    return counts


def _numbered(sets: Sequence[Hashes]) -> tuple[Numbers, Numbers, int]:
    """Number the values that some but not all sets hold: owners, columns (ascending), and how many all hold."""
    flat = np.concatenate(sets)
    owner = np.repeat(np.arange(len(sets)), [len(one) for one in sets])
    order = np.argsort(flat, kind="stable")
    run = np.cumsum(opens_run(flat[order])) - 1
    holders = np.bincount(run)
    told = (holders > 1) & (holders < len(sets))
    kept = told[run]
    return owner[order[kept]], (np.cumsum(told) - 1)[run[kept]], int(np.count_nonzero(holders == len(sets)))


def _add_shared(counts: Numbers, n: int, owner: Numbers, column: Numbers, columns: int, pairs: Numbers) -> None:
    """Add how many columns both of each pair hold, some columns at a time: a bit each, 64 to a word."""
    width = max(64, _CELLS // n // 64 * 64)
    for first in range(0, columns, width):
        start, end = np.searchsorted(column, (first, first + width))
        cells = np.zeros((n, min(width, -(-(columns - first) // 64) * 64)), bool)
        cells[owner[start:end], column[start:end] - first] = True
        bits = np.packbits(cells, axis=1).view(np.uint64)
        step = max(1, _COMPARED // bits.shape[1])
        for at in range(0, len(pairs), step):
            some = pairs[at : at + step]
            both = np.bitwise_count(bits[some[:, 0]] & bits[some[:, 1]])
            counts[at : at + step] += both.sum(axis=1, dtype=np.int64)


def _tiles(pairs: Numbers, n_grams: Numbers) -> Iterator[tuple[Numbers, bool]]:
    """Yield the pairs cluster by cluster, and whether they are many among few rows.

    Of such a cluster each part is held at once, or the pairs between two parts when it is too large for that.
    """
    if not len(pairs):
        return
    rows, inner = np.unique(pairs, return_inverse=True)
    inner = inner.reshape(pairs.shape)
    cluster = components(len(rows), [(inner[:, 0], inner[:, 1])])
    of_pair = cluster[inner[:, 0]]
    members = np.bincount(cluster, minlength=len(rows))
    is_dense = (np.bincount(of_pair, minlength=len(rows)) >= _DENSE * members) & (members > 0)
    order = np.argsort(cluster, kind="stable")
    before = np.empty(len(rows), np.int64)
    before[order] = np.cumsum(n_grams[rows[order]]) - n_grams[rows[order]]
    part = np.where(is_dense[cluster], (before - before[cluster]) // max(_CACHED_GRAMS // 2, 1), 0)
    small, large = np.sort(part[inner], axis=1).T
    order = np.lexsort((inner[:, 1], inner[:, 0], large, small, of_pair))
    tile = np.stack((np.where(is_dense[of_pair], of_pair, -1), small, large))[:, order]
    opens = (np.diff(tile, axis=1) != 0).any(axis=0)
    for some in np.split(order, np.flatnonzero(opens) + 1):
        yield pairs[some], bool(is_dense[of_pair[some[0]]])


class _Held:
    """The 5-grams of the bodies used last, within _CACHED_GRAMS."""

    def __init__(self, grams_of: Callable[[int], Hashes]) -> None:
        self._grams_of = grams_of
        self._kept: OrderedDict[int, Hashes] = OrderedDict()
        self._size = 0

    def of(self, row: int) -> Hashes:
        """Return the 5-grams of a row, asked for again only when they had to make room."""
        if row not in self._kept:
            self._kept[row] = self._grams_of(row)
            self._size += len(self._kept[row])
        self._kept.move_to_end(row)
        while self._size > _CACHED_GRAMS and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])
        return self._kept[row]
