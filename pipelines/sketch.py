"""Sketches of bodies: how many 5-grams each has, its MinHash signature, and the bands under which alike ones meet."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipelines.grams import Hashes, Numbers, grams_of_each
from pipelines.signature import FORM_PLACES, PLACES, Signatures, band_keys, signatures

# Raised whenever folding, hashing, signature or bands change: sketches of two versions are never compared.
SKETCH_VERSION = "1"
# 5-grams in more bodies than this are boilerplate. On reports of 20 kB leaving them out took the candidates from 2.07 %
# of all pairs to .12 % and lost none of 197 true ones; at 2 % nothing more was gained, at 10 % six times more stayed.
COMMON_SHARE = 0.05
# 400 bodies place a share of 5 % within 1.1 points and hold about 3 million 5-grams of 20 kB reports (25 MB).
SAMPLE = 400
# With fewer, a share of 5 % is ten bodies and chance decides.
MIN_SAMPLE = 200
# Of so many bodies 20 kB long the list saves a second of comparing. In fewer, 5 % may be the versions of one report,
# whose text would count as boilerplate: in 420 bodies with 25 such versions, 71 of 206 contained pairs were missed.
LIST_FROM = 2000

# A block of texts fits the processor's cache; one document alone may be larger.
_BLOCK_CHARS = 1 << 16
_BLOCK_TEXTS = 512
# 5-grams of all samples held in memory, 256 MB, unless MIN_SAMPLE hold more; counted in so many ranges, one at a time.
_SAMPLE_GRAMS = 1 << 25
_RANGES = 16


@dataclass(frozen=True, slots=True)
class Sketches:
    """Sketches of n bodies as columns.

    n_grams        (n,) how many 5-grams
    signature      (n, 128) uint32 over all 5-grams; 0 throughout for a body without any
    owners, bands  (k,) row number and key of each band under which it may meet another
    """

    n_grams: Numbers
    signature: Signatures
    owners: Numbers
    bands: Hashes


def sketches(texts: Sequence[str], common: Hashes) -> Sketches:
    """Sketch folded texts, `common` left out of their bands; the same whatever else is in the batch."""
    blocks = [_sketched(texts[start:end], common, start) for start, end in _blocks(texts)]
    blocks = blocks or [_sketched([], common, 0)]
    return Sketches(
        np.concatenate([block.n_grams for block in blocks]),
        np.concatenate([block.signature for block in blocks]),
        np.concatenate([block.owners for block in blocks]),
        np.concatenate([block.bands for block in blocks]),
    )


def sampled(bodies: Iterable[str]) -> list[str]:
    """Return the body hashes from which the common list is made: the least, a fair draw that no order changes."""
    return heapq.nsmallest(SAMPLE, bodies)


def common_grams(samples: Iterable[Hashes]) -> Hashes:
    """Return the sorted 5-grams that more than COMMON_SHARE of the samples hold; none of too few samples."""
    taken: list[Hashes] = []
    size = 0
    for sample in samples:
        if size > _SAMPLE_GRAMS and len(taken) >= MIN_SAMPLE:
            break
        taken.append(sample)
        size += len(sample)
    if len(taken) < MIN_SAMPLE:
        return np.empty(0, np.uint64)
    bounds = np.arange(1, _RANGES, dtype=np.uint64) << np.uint64(60)
    ranges = zip(*(np.split(sample, np.searchsorted(sample, bounds)) for sample in taken), strict=True)
    return np.concatenate([_frequent(np.concatenate(parts), COMMON_SHARE * len(taken)) for parts in ranges])


def _frequent(values: Hashes, bar: float) -> Hashes:
    distinct, counts = np.unique(values, return_counts=True)
    return distinct[counts > bar]


def _blocks(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = chars = 0
    for place, text in enumerate(texts):
        if place > start and (chars + len(text) > _BLOCK_CHARS or place - start == _BLOCK_TEXTS):
            yield start, place
            start, chars = place, 0
        chars += len(text)
    if start < len(texts):
        yield start, len(texts)


def _sketched(texts: Sequence[str], common: Hashes, first: int) -> Sketches:
    """Sketch one block; its first text is row `first`.

    A body that is mostly form shares with its fellows hardly anything but common 5-grams, so it meets them by all of
    its own too, in bands of more rows.
    """
    flat, n_grams = grams_of_each(texts)
    rows = np.repeat(np.arange(len(texts), dtype=np.int32), n_grams)
    signature = own = signatures(flat, rows, len(texts))
    n_common = np.zeros(len(texts), np.int64)
    if len(common):
        listed = _listed(flat, common)
        n_common = np.bincount(rows[listed], minlength=len(texts))
        own = signatures(flat[~listed], rows[~listed], len(texts))
    usual, forms = np.flatnonzero(n_grams > n_common), np.flatnonzero(2 * n_common > n_grams)
    owners = np.concatenate((np.repeat(usual, len(PLACES)), np.repeat(forms, len(FORM_PLACES))))
    bands = band_keys(own[usual], PLACES, 0), band_keys(signature[forms], FORM_PLACES, len(PLACES))
    return Sketches(n_grams, signature, owners + first, np.concatenate(bands))


def _listed(flat: Hashes, common: Hashes) -> NDArray[np.bool_]:
    """Return which of the hashes are on the sorted list."""
    places = np.searchsorted(common, flat)
    places[places == len(common)] = 0
    return np.equal(common[places], flat)
