"""Which of many sketched bodies may be alike: those that share a band, less those whose signatures say no."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from pipelines.grams import Hashes, Numbers, opens_run
from pipelines.signature import BINS, Signatures

Shares = NDArray[np.float64]

# The estimate's standard error at .40 is at most .057, in texts of ten 5-grams (.044 in longer ones): 4.4 of them.
DOUBT = 0.25
# Pairs in memory at once besides the answer: 8 MB.
_BLOCK_PAIRS = 1 << 20


def candidate_pairs(owners: Numbers, bands: Hashes, among_new: Numbers | None = None) -> Numbers:
    """Return (m, 2) distinct pairs of owners, the lesser first, that share a band; sorted.

    among_new  owners of which each pair must hold at least one; every pair counts without it
    """
    owners, bands = _meeting(owners, bands)
    names, owners = np.unique(owners, return_inverse=True)
    new = np.ones(len(names), bool) if among_new is None else np.isin(names, among_new)
    if among_new is not None:
        order = np.lexsort((new[owners], bands))  # in each band the new ones last
        owners, bands = owners[order], bands[order]
    places = np.arange(len(bands))
    starts = np.maximum.accumulate(np.where(opens_run(bands), places, 0))
    n = max(len(names), 1)
    keys = _distinct(_keys(owners, starts, np.where(new[owners], places - starts, 0), n))
    return np.stack((names[keys // n], names[keys % n]), axis=1)


def likely(pairs: Numbers, signature: Signatures, floor: float | Shares) -> Numbers:
    """Return the pairs of rows whose estimate leaves it possible that their Jaccard reaches `floor`, or one each."""
    floors = np.broadcast_to(np.asarray(floor), len(pairs))
    kept = [np.empty((0, 2), np.int64)]
    for start in range(0, len(pairs), _BLOCK_PAIRS // BINS):
        block = slice(start, start + _BLOCK_PAIRS // BINS)
        equal = np.count_nonzero(signature[pairs[block, 0]] == signature[pairs[block, 1]], axis=1)
        kept.append(pairs[block][equal >= (floors[block] - DOUBT) * BINS])
    return np.concatenate(kept)


def _meeting(owners: Numbers, bands: Hashes) -> tuple[Numbers, Hashes]:
    """Return the entries whose band another entry has too, by band: few of many, which makes all that follows cheap."""
    order = np.argsort(bands)
    again = ~opens_run(bands[order])
    again[:-1] |= again[1:]
    return owners[order[again]], bands[order[again]]


def _keys(owners: Numbers, starts: Numbers, earlier: Numbers, n: int) -> Iterator[Numbers]:
    """Yield lesser * n + greater for each entry and the `earlier` ones from `starts` on, in blocks of bounded size."""
    ends = np.cumsum(earlier)
    cut = 0
    while cut < len(ends):
        done = ends[cut - 1] if cut else 0
        end = max(int(np.searchsorted(ends, done + _BLOCK_PAIRS, side="right")), cut + 1)
        counts = earlier[cut:end]
        entry = np.repeat(np.arange(cut, end), counts)
        nth = np.arange(len(entry)) - np.repeat(ends[cut:end] - counts - done, counts)
        one, other = owners[entry], owners[starts[entry] + nth]
        keys = np.minimum(one, other) * n + np.maximum(one, other)
        yield _sorted(keys[one != other])
        cut = end


def _distinct(blocks: Iterable[Numbers]) -> Numbers:
    """Return the sorted union, merged whenever what waits has outgrown it, so that repeats never pile up."""
    found, waiting, size = np.empty(0, np.int64), [], 0
    for block in blocks:
        waiting.append(block)
        size += len(block)
        if size > max(len(found), _BLOCK_PAIRS):
            found, waiting, size = _sorted(np.concatenate([found, *waiting])), [], 0
    return _sorted(np.concatenate([found, *waiting]))


def _sorted(keys: Numbers) -> Numbers:
    """Return the sorted distinct keys; np.unique hashes them, which took 48 times as long for a million."""
    ordered = np.sort(keys)
    return ordered[opens_run(ordered)]
