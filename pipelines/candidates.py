"""Which of many sketched bodies may be alike: those that share a band, less those whose signatures say no."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pipelines.grams import Hashes, Numbers, opens_run
from pipelines.signature import BINS, Signatures

Shares = NDArray[np.float64]

# The estimate's standard error at .40 is at most .057, in texts of ten 5-grams (.044 in longer ones): 4.4 of them.
DOUBT = 0.25
# Pairs in memory at once besides the answer, repeats from band to band included: 2 MB a column.
_BLOCK_PAIRS = 1 << 18


def candidate_pairs(owners: Numbers, bands: Hashes, among_new: Numbers | None = None) -> Numbers:
    """Return (m, 2) distinct pairs of owners, the lesser first, that share a band; sorted.

    among_new  owners of which each pair must hold at least one; every pair counts without it
    """
    pairs = np.concatenate([np.empty((0, 2), np.int64), *candidate_blocks(owners, bands, among_new)])
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def candidate_blocks(owners: Numbers, bands: Hashes, among_new: Numbers | None = None) -> Iterator[Numbers]:
    """Yield the same pairs in blocks of bounded size, each pair once, in no order that means anything."""
    owners, bands = _meeting(owners, bands)
    names, owners = np.unique(owners, return_inverse=True)
    first_new = 0
    if among_new is not None:
        new = np.isin(names, among_new)
        order = np.argsort(new, kind="stable")  # the new ones last: of each pair the later one is new
        owners, names, first_new = np.argsort(order)[owners], names[order], int(np.count_nonzero(~new))
    order = np.lexsort((owners, bands))
    owners, bands = owners[order], bands[order]
    places = np.arange(len(bands))
    starts = np.maximum.accumulate(np.where(opens_run(bands), places, 0))
    earlier = np.where(owners >= first_new, places - starts, 0)
    entries = np.argsort(owners, kind="stable")
    bounds = np.searchsorted(owners[entries], np.arange(len(names) + 1))
    ends = np.concatenate(([0], np.cumsum(earlier[entries])))[bounds]
    cut = 0
    while cut < len(names):
        end = max(int(np.searchsorted(ends, ends[cut] + _BLOCK_PAIRS, side="right")) - 1, cut + 1)
        some = entries[bounds[cut] : bounds[end]]
        one, other = _met(owners, starts[some], earlier[some], some)
        keys = _distinct((one - cut) * end + other, (end - cut) * end)
        yield np.sort(names[np.stack((keys // end + cut, keys % end), axis=1)], axis=1)
        cut = end


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


def _met(owners: Numbers, starts: Numbers, counts: Numbers, places: Numbers) -> tuple[Numbers, Numbers]:
    """Return the owner of each entry beside those of the `counts` entries from `starts` on."""
    nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts - starts, counts)
    one, other = np.repeat(owners[places], counts), owners[nth]
    apart = one != other
    return one[apart], other[apart]


def _distinct(keys: Numbers, bound: int) -> Numbers:
    """Return the sorted distinct keys, all below `bound`.

    Copies of one form repeat each pair in most of their bands: to tick keys off took a tenth of the time of sorting
    them. np.unique hashes, which took 48 times as long as sorting for a million.
    """
    if bound <= 8 * len(keys):
        met = np.zeros(bound, bool)
        met[keys] = True
        return np.flatnonzero(met)
    keys.sort()
    return keys[opens_run(keys)]
