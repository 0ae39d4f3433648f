"""Texts as sets of 5-grams, each a number of 64 bits; many texts at a time."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]

GRAM_CHARS = 5
# Fills texts of fewer characters up to one 5-gram: beyond the last code point.
_NO_CHARACTER = 0x110000
# Odd constants of SplitMix64 (Steele, Lea and Flood 2014), which passes the usual tests of randomness.
STEP, _MIX_1, _MIX_2 = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def folded(text: str) -> str:
    """Return `text` in NFC and lower case, white space folded to single spaces."""
    return " ".join(unicodedata.normalize("NFC", text.lower()).split())


def grams(text: str) -> Hashes:
    """Return the sorted unique hashes of a folded text's 5-grams; a shorter text is its only one, an empty has none."""
    return grams_of_each([text])[0]


def grams_of_each(texts: Sequence[str]) -> tuple[Hashes, Numbers]:
    """Return the 5-grams of each text, as `grams` gives them, one text after the other, and how many each has."""
    places = [max(len(text), GRAM_CHARS) if text else 0 for text in texts]
    counts = np.zeros(len(texts), np.int64)
    if not any(places):
        return np.empty(0, np.uint64), counts
    hashes = _windows(_codes(texts))
    first = np.zeros(len(hashes), bool)
    start = 0
    for row, length in enumerate(places):
        if length:
            end = start + length - GRAM_CHARS + 1  # what reaches into the next text is no 5-gram
            own = hashes[start:end]
            own.sort()
            first[start:end] = opens_run(own)
            counts[row] = np.count_nonzero(first[start:end])
        start += length
    return hashes[first], counts


def mix(values: Hashes) -> Hashes:
    """Return `values` after the finisher of SplitMix64, changed in place: every bit depends on every other."""
    shifted = np.empty_like(values)
    for shift, factor in ((30, _MIX_1), (27, _MIX_2)):
        values ^= np.right_shift(values, np.uint64(shift), out=shifted)
        values *= factor
    values ^= np.right_shift(values, np.uint64(31), out=shifted)
    return values


def opens_run(ordered: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return which values of a sorted array differ from the one before."""
    first = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def _codes(texts: Sequence[str]) -> Hashes:
    """Return the code points of all texts, short ones filled up; a lone surrogate is a character like any other."""
    filled = "".join(text if len(text) >= GRAM_CHARS or not text else text.ljust(GRAM_CHARS) for text in texts)
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
        hashes *= STEP
        hashes += codes[k : k + n]
    return mix(hashes)
