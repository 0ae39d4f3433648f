"""One spelling for the words of two values that mean the same, so that they can be counted as common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from pipelines.loanwords import is_loan
from pipelines.value import Value

Words = tuple[str, ...]
# What a word means depends on what it stands beside; what is deleted after 30 days is kept for 30 days.
_MEANS_TOO = {"빌리": ("임대", "대출"), "연차": ("휴가",)}
_LASTS_UNTIL = {"삭제": ("보관",), "폐기": ("보관",)}
# A word and itself with one syllable more are one, rooms and people apart (회의실, 개발자).
_HANGUL = re.compile("[가-힣]{2,}")
_LONGER = re.compile("[가-힣]{3,}(?<![실자점팀장])")


def spelled_alike(a: Value, b: Value) -> tuple[tuple[Words, Words, Words], tuple[Words, Words, Words]]:
    """Return (words, predicate, context) of both values in one spelling."""
    mine, yours = ((v.words, v.predicate, v.context) for v in (a, b))
    return _spelled_alike(mine, yours, a.kind.startswith("duration"))


@lru_cache(maxsize=65_536)
def _spelled_alike(
    a: tuple[Words, Words, Words], b: tuple[Words, Words, Words], lasting: bool
) -> tuple[tuple[Words, Words, Words], tuple[Words, Words, Words]]:
    left, right = one_spelling(a[0], b[0], lasting)
    if a[1:] == b[1:] == ((), ()):
        return (left, (), ()), (right, (), ())
    all_a, all_b = (*left, *a[1], *a[2]), (*right, *b[1], *b[2])
    same = _same_words(all_a, all_b, lasting)
    parts_a, parts_b = _pairs(all_a), _pairs(all_b)
    one, other = (
        tuple(
            tuple(same.get(piece, piece) for word in part for piece in parts.get(word, (word,)))
            for part in (words, *side[1:])
        )
        for words, side, parts in ((left, a, parts_b), (right, b, parts_a))
    )
    return (one[0], one[1], one[2]), (other[0], other[1], other[2])


def _pairs(words: Sequence[str]) -> dict[str, tuple[str, str]]:
    return {one + two: (one, two) for one, two in pairwise(words)}


@lru_cache(maxsize=65_536)
def one_spelling(a: Words, b: Words, lasting: bool) -> tuple[Words, Words]:
    """Return the words of both sides in order, those that mean the same spelled alike; `lasting`: of durations."""
    left, right = _divided(a, b), _divided(b, a)
    if left == right:
        return left, right
    same = _same_words(left, right, lasting)
    return tuple(same.get(word, word) for word in left), tuple(same.get(word, word) for word in right)


def _same_words(left: Words, right: Words, lasting: bool) -> dict[str, str]:
    same = _stems(left, right)
    means = _MEANS_TOO | _LASTS_UNTIL if lasting else _MEANS_TOO
    for mine, yours in ((left, right), (right, left)):
        same |= {one: other for one in mine if one in means for other in means[one] if other in yours}
    latin_l, latin_r = ([word for word in side if len(word) > 3 and word.isascii()] for side in (left, right))
    for one, other in ((x, y) for x in latin_l for y in right if is_loan(x, y)):
        same[one] = other
    for one, other in ((x, y) for x in left for y in latin_r if is_loan(x, y)):
        same[one] = other
    return same


def _divided(words: Sequence[str], other: Sequence[str]) -> Words:
    """Return the words, one that the other side writes as two neighbours divided so: 지체상금 beside 지체, 상금."""
    pairs = _pairs(other)
    return tuple(part for word in words for part in pairs.get(word, (word,)))


def _stems(left: Sequence[str], right: Sequence[str]) -> dict[str, str]:
    """Return the longer word -> the shorter one for those that differ by a last syllable: 임대차, 임대."""
    same = {}
    begins: dict[str, list[str]] = {}
    for other in right:
        begins.setdefault(other[:2], []).append(other)
    for one in left:
        for other in begins.get(one[:2], ()):
            short, long = sorted((one, other), key=len)
            near = one != other and len(long) - len(short) < 3 and long.startswith(short)
            if near and _HANGUL.fullmatch(short) and _LONGER.fullmatch(long):
                same[long] = short
    return same
