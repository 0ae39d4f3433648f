"""Sketches of bodies: their 5-grams as hashes, a MinHash signature, and the band keys under which alike ones meet."""

from __future__ import annotations

import heapq
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Signatures = NDArray[np.uint32]

# Raised whenever folding, hashing, signature or bands change: sketches of two versions are never compared.
SKETCH_VERSION = "1"
GRAM_CHARS = 5
BINS = 128
# 42 bands of 3 rows, laid twice over the 128 values: of contained pairs with a Jaccard of .40 to .90 one layout finds
# 99.6 %, both 99.95 %. datasketch's own choice for .9 finds 4 % of contained bodies.
BANDS, ROWS, LAYOUTS = 42, 3, 2
# Bodies that are mostly form meet at .90 in 99.99 % of cases, at .45, where forms with other fillings lie, in 3 %.
FORM_BANDS, FORM_ROWS = 16, 8
# 5-grams in more bodies than this are boilerplate. On reports of 20 kB leaving them out took the candidates from 2.07 %
# of all pairs to .12 % and lost none of 197 true ones; at 2 % nothing more was gained, at 10 % six times more stayed.
COMMON_SHARE = 0.05
# 400 bodies place a share of 5 % within 1.1 points and hold about 3 million 5-grams of 20 kB reports (25 MB).
SAMPLE = 400
# In fewer bodies 5 % is a handful: ten versions of one report would make all of it common. So few need no list.
MIN_SAMPLE = 200
# The estimate's standard error at .40 is at most .057, in texts of ten 5-grams (.044 in longer ones): 4.4 of them.
DOUBT = 0.25

# One block of texts fits the processor's cache; one document alone may be larger.
_BLOCK_CHARS = 1 << 16
_BLOCK_TEXTS = 512
_BLOCK_PAIRS = 1 << 20
# Odd constants of SplitMix64 (Steele, Lea and Flood 2014), which passes the usual tests of randomness.
_STEP, _MIX_1, _MIX_2 = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_NO_CHARACTER = 0x110000
_BIN_SHIFT = np.uint64(64 - 7)


@dataclass(frozen=True, slots=True)
class Sketches:
    """Sketches of n bodies as columns.

    n_grams, n_common  (n,) 5-grams, and those of them on the common list
    signature          (n, 128) uint32 over all 5-grams; 0 throughout for a body without any
    owners, bands      (k,) row number and key of each band under which it may meet another
    """

    n_grams: Numbers
    n_common: Numbers
    signature: Signatures
    owners: Numbers
    bands: Hashes


def folded(text: str) -> str:
    """Return `text` in NFC and lower case, white space folded to single spaces."""
    return " ".join(unicodedata.normalize("NFC", text.lower()).split())


def grams(text: str) -> Hashes:
    """Return the sorted unique hashes of a folded text's 5-grams; a shorter text is its only one, an empty has none."""
    return _grams([text])[0]


def sketches(texts: Sequence[str], common: Hashes) -> Sketches:
    """Sketch folded texts, `common` left out of their bands; the same whatever else is in the batch."""
    blocks = [_sketch_block(texts[start:end], common, start) for start, end in _blocks(texts)]
    return Sketches(
        np.concatenate([block.n_grams for block in blocks] or [np.empty(0, np.int64)]),
        np.concatenate([block.n_common for block in blocks] or [np.empty(0, np.int64)]),
        np.concatenate([block.signature for block in blocks] or [np.empty((0, BINS), np.uint32)]),
        np.concatenate([block.owners for block in blocks] or [np.empty(0, np.int64)]),
        np.concatenate([block.bands for block in blocks] or [np.empty(0, np.uint64)]),
    )


def sampled(bodies: Iterable[str]) -> list[str]:
    """Return the body hashes from which the common list is made: the least, a fair draw that no order changes."""
    return heapq.nsmallest(SAMPLE, bodies)


def common_grams(samples: Iterable[Hashes]) -> Hashes:
    """Return the sorted 5-grams that more than COMMON_SHARE of the samples hold; none of too few samples."""
    found = list(samples)
    if len(found) < MIN_SAMPLE:
        return np.empty(0, np.uint64)
    values, counts = np.unique(np.concatenate(found), return_counts=True)
    return values[counts > COMMON_SHARE * len(found)]


def estimate(a: Signatures, b: Signatures) -> float:
    """Return the Jaccard estimated from two signatures, standard error at most .045; 0 for empty bodies."""
    return float(np.mean((a == b) & (a != 0)))


def likely(pairs: Numbers, signature: Signatures, floor: float) -> Numbers:
    """Return the pairs of rows whose estimate leaves it possible that their Jaccard reaches `floor`."""
    kept = [np.empty((0, 2), np.int64)]
    for start in range(0, len(pairs), _BLOCK_PAIRS // BINS):
        block = pairs[start : start + _BLOCK_PAIRS // BINS]
        equal = np.count_nonzero(signature[block[:, 0]] == signature[block[:, 1]], axis=1)
        kept.append(block[equal >= (floor - DOUBT) * BINS])
    return np.concatenate(kept)


def candidate_pairs(owners: Numbers, bands: Hashes, among_new: Numbers | None = None) -> Numbers:
    """Return (m, 2) distinct pairs of owners, the lesser first, that share a band; sorted.

    among_new  owners of which each pair must hold at least one; every pair counts without it
    """
    owners, bands = _meeting(owners, bands)
    names, owners = np.unique(owners, return_inverse=True)
    new = np.ones(len(names), bool) if among_new is None else np.isin(names, among_new)
    order = np.lexsort((owners, new[owners], bands))
    owners, bands = owners[order], bands[order]
    places = np.arange(len(bands))
    starts = np.maximum.accumulate(np.where(_opens(bands), places, 0))
    earlier = np.where(new[owners], places - starts, 0)
    n = max(len(names), 1)
    keys = _distinct(_met(owners, starts, earlier, n))
    return np.stack((names[keys // n], names[keys % n]), axis=1)


def _meeting(owners: Numbers, bands: Hashes) -> tuple[Numbers, Hashes]:
    """Return the entries whose band another entry has too: few of many, which makes all that follows cheap."""
    order = np.argsort(bands)
    again = ~_opens(bands[order])
    again[:-1] |= again[1:]
    return owners[order[again]], bands[order[again]]


def _opens(ordered: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return which values of a sorted array differ from the one before."""
    first = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def _met(owners: Numbers, starts: Numbers, earlier: Numbers, n: int) -> Iterator[Numbers]:
    """Yield first * n + second for each entry and every earlier one of its band, in blocks of bounded size."""
    ends = np.cumsum(earlier)
    cut = 0
    while cut < len(ends):
        done = ends[cut - 1] if cut else 0
        end = max(int(np.searchsorted(ends, done + _BLOCK_PAIRS, side="right")), cut + 1)
        counts = earlier[cut:end]
        later = np.repeat(np.arange(cut, end), counts)
        offsets = np.arange(len(later)) - np.repeat(ends[cut:end] - counts - done, counts)
        one, other = owners[later], owners[starts[later] + offsets]
        keys = np.minimum(one, other) * n + np.maximum(one, other)
        yield np.unique(keys[one != other])
        cut = end


def _distinct(blocks: Iterable[Numbers]) -> Numbers:
    """Return the sorted union, merged whenever what waits has outgrown it, so that repeats never pile up."""
    found, waiting, size = np.empty(0, np.int64), [], 0
    for block in blocks:
        waiting.append(block)
        size += len(block)
        if size > max(len(found), _BLOCK_PAIRS):
            found, waiting, size = np.unique(np.concatenate([found, *waiting])), [], 0
    return np.unique(np.concatenate([found, *waiting]))


def _blocks(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = chars = 0
    for place, text in enumerate(texts):
        if place > start and (chars + len(text) > _BLOCK_CHARS or place - start == _BLOCK_TEXTS):
            yield start, place
            start, chars = place, 0
        chars += len(text)
    if start < len(texts):
        yield start, len(texts)


def _sketch_block(texts: Sequence[str], common: Hashes, first: int) -> Sketches:
    flat, n_grams = _grams(texts)
    rows = np.repeat(np.arange(len(texts)), n_grams)
    signature = _signatures(flat, rows, len(texts))
    n_common, own, forms = np.zeros(len(texts), np.int64), signature, np.empty(0, np.int64)
    if len(common):
        listed = _listed(flat, common)
        n_common = np.bincount(rows[listed], minlength=len(texts))
        own = _signatures(flat[~listed], rows[~listed], len(texts))
        forms = np.flatnonzero(2 * n_common > n_grams)
    kept = np.flatnonzero(n_grams > n_common)
    bands = _band_keys(own[kept], _BANDS, 0), _band_keys(signature[forms], _FORM_BANDS, len(_BANDS))
    owners = np.concatenate((np.repeat(kept, len(_BANDS)), np.repeat(forms, FORM_BANDS)))
    return Sketches(n_grams, n_common, signature, owners + first, np.concatenate(bands))


def _grams(texts: Sequence[str]) -> tuple[Hashes, Numbers]:
    """Return the sorted unique hashes of each text, one after the other, and how many each has."""
    lengths = np.array([max(len(text), GRAM_CHARS) if text else 0 for text in texts], np.int64)
    codes = _codes(texts)
    if not len(codes):
        return np.empty(0, np.uint64), lengths
    hashes = _windows(codes)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    first = np.zeros(len(hashes), bool)
    inside = np.zeros(len(hashes), bool)
    for start, end in zip(starts.tolist(), (ends - GRAM_CHARS + 1).tolist(), strict=True):
        if end > start:
            hashes[start:end].sort()
            first[start] = True
            inside[start:end] = True
    first[1:] |= hashes[1:] != hashes[:-1]
    first &= inside
    before = np.concatenate(([0], np.cumsum(first), [first.sum()] * GRAM_CHARS))
    return hashes[first], before[ends] - before[starts]


def _codes(texts: Sequence[str]) -> Hashes:
    """Return the code points of all texts, shorter ones filled up to one 5-gram by a number that is no character."""
    filled = "".join(text if len(text) >= GRAM_CHARS or not text else text.ljust(GRAM_CHARS, "\0") for text in texts)
    codes = np.frombuffer(filled.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    start = 0
    for text in texts:
        if 0 < len(text) < GRAM_CHARS:
            codes[start + len(text) : start + GRAM_CHARS] = _NO_CHARACTER
        start += max(len(text), GRAM_CHARS) if text else 0
    return codes


def _windows(codes: Hashes) -> Hashes:
    """Return the hash of every GRAM_CHARS neighbours: a polynomial in 64 bits, mixed."""
    n = len(codes) - GRAM_CHARS + 1
    hashes = codes[:n].copy()
    for k in range(1, GRAM_CHARS):
        hashes *= _STEP
        hashes += codes[k : k + n]
    return _mix(hashes)


def _mix(values: Hashes) -> Hashes:
    """Return `values` after the finisher of SplitMix64, changed in place: every bit depends on every other."""
    shifted = np.empty_like(values)
    for shift, factor in ((30, _MIX_1), (27, _MIX_2)):
        values ^= np.right_shift(values, np.uint64(shift), out=shifted)
        values *= factor
    values ^= np.right_shift(values, np.uint64(31), out=shifted)
    return values


def _listed(flat: Hashes, common: Hashes) -> NDArray[np.bool_]:
    """Return which of the hashes are on the sorted list."""
    places = np.searchsorted(common, flat)
    places[places == len(common)] = 0
    return np.equal(common[places], flat)


def _probes() -> Numbers:
    """Return for each of the 128 places the order in which it looks into the bins, its own first."""
    order = np.argsort(_mix(np.arange(1, BINS * BINS + 1, dtype=np.uint64)).reshape(BINS, BINS), axis=1)
    own = order == np.arange(BINS)[:, None]
    return np.concatenate((np.arange(BINS)[:, None], order[~own].reshape(BINS, BINS - 1)), axis=1)


_PROBES = _probes()
# Places of the signature that each band is made of: two layouts of BANDS, each in an order of its own.
_FORM_BANDS = np.arange(FORM_BANDS * FORM_ROWS).reshape(FORM_BANDS, FORM_ROWS)
_BANDS = np.concatenate([_PROBES[layout][: BANDS * ROWS].reshape(BANDS, ROWS) for layout in range(LAYOUTS)])


def _signatures(flat: Hashes, rows: Numbers, n: int) -> Signatures:
    """Return (n, 128): one-permutation hashing, an empty bin filled from the first that isn't in an order of its own.

    The first 7 bits of a hash name its bin, the least hash of a bin stands for it by its last 32 bits. Each place is
    so the MinHash under one random order of the 5-grams (optimal densification, Shrivastava 2017, without retries).
    """
    bins = rows * BINS + (flat >> _BIN_SHIFT).astype(np.int64)
    firsts = np.flatnonzero(_opens(bins))
    signature = np.zeros(n * BINS, np.uint32)
    filled = np.zeros(n * BINS, bool)
    signature[bins[firsts]] = flat[firsts].astype(np.uint32)
    filled[bins[firsts]] = True
    filled_rows = filled.reshape(n, BINS)
    row, place = np.nonzero(~filled_rows & filled_rows.any(axis=1, keepdims=True))
    donor = np.argmax(filled_rows[row[:, None], _PROBES[place]], axis=1)
    signature[row * BINS + place] = signature[row * BINS + _PROBES[place, donor]]
    return signature.reshape(n, BINS)


def _band_keys(signature: Signatures, places: Numbers, first: int) -> Hashes:
    """Return the key of each band of each row; `first` numbers the bands, so that no two ever meet."""
    keys = np.arange(first + 1, first + len(places) + 1, dtype=np.uint64) * _STEP
    for column in places.T:
        keys = _mix(keys ^ signature[:, column]) * _STEP
    return np.ravel(keys)
