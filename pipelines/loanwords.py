"""Whether a Latin word and a Hangul one are one loan word by their consonants: autoscaler, 오토스케일러."""

from __future__ import annotations

import re
from functools import lru_cache

# Consonants of a syllable's begin and end in Unicode's order, as classes that Hangul doesn't tell apart in loan words.
_INITIALS = ("k", "k", "n", "t", "t", "l", "m", "p", "p", "s", "s", "", "j", "j", "j", "k", "t", "p", "")
_FINALS = (
    "", "k", "k", "k", "n", "n", "n", "t", "l", "l", "l", "l", "l", "l", "l", "l", "m", "p", "p", "s", "s", "n", "j",
    "j", "k", "t", "p", "",
)  # fmt: skip
_LATIN = (
    (r"tion|sion", "sn"), (r"ng", "n"), (r"ph", "p"), (r"ch", "j"), (r"sh|th", "s"), (r"ck|q", "k"), (r"x", "ks"),
    (r"c(?=[eiy])", "s"), (r"g(?=[eiy])", "j"), (r"c|g", "k"), (r"r(?![aeiouy])", ""), (r"r", "l"), (r"[bfv]", "p"),
    (r"d", "t"), (r"z", "s"), (r"[^klmnpstj]", ""),
)  # fmt: skip
# Two consonants are shared by too many words.
_LEAST = 3


@lru_cache(maxsize=65_536)
def is_loan(one: str, other: str) -> bool:
    """Tell whether one word is Latin, the other Hangul, and both have the same three consonants or more."""
    if one.isascii() == other.isascii():
        return False
    latin, hangul = (one, other) if one.isascii() else (other, one)
    if not re.fullmatch("[a-z]{4,}", latin) or not re.fullmatch("[가-힣]{3,}", hangul):
        return False
    return len(_of_hangul(hangul)) >= _LEAST and _of_hangul(hangul) == _of_latin(latin)


@lru_cache(maxsize=4096)
def _of_latin(word: str) -> str:
    for pattern, instead in _LATIN:
        word = re.sub(pattern, instead, word)
    return re.sub(r"(.)\1+", r"\1", word)


@lru_cache(maxsize=4096)
def _of_hangul(word: str) -> str:
    said = ""
    for letter in word:
        place = ord(letter) - ord("가")
        said += _INITIALS[place // 588] + _FINALS[place % 28]
    return re.sub(r"(.)\1+", r"\1", said)
