"""One spelling for the words of two values that mean the same, so that they can be counted as common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from pipelines.loanwords import is_loan

Words = tuple[str, ...]
# What a word means depends on what it stands beside; what is deleted after 30 days is kept for 30 days.
_MEANS_TOO = {"빌리": ("임대", "대출"), "연차": ("휴가",)}
_LASTS_UNTIL = {"삭제": ("보관",), "폐기": ("보관",)}
# A word and itself with one syllable more are one, rooms and people apart (회의실, 개발자).
_HANGUL = re.compile("[가-힣]{2,}")
_LONGER = re.compile("[가-힣]{3,}(?<![실자점팀장])")


@lru_cache(maxsize=65_536)
def one_spelling(a: Words, b: Words, lasting: bool) -> tuple[Words, Words]:
    """Return the words of both sides in order, those that mean the same spelled alike; `lasting`: of durations."""
    left, right = _divided(a, b), _divided(b, a)
    if left == right:
        return left, right
    same = _stems(left, right)
    means = _MEANS_TOO | _LASTS_UNTIL if lasting else _MEANS_TOO
    for one, other in ((x, y) for mine, yours in ((left, right), (right, left)) for x in mine for y in yours):
        if other in means.get(one, ()):
            same[one] = other
    same |= {one: other for one in left for other in right if one != other and is_loan(one, other)}
    return tuple(same.get(word, word) for word in left), tuple(same.get(word, word) for word in right)


def _divided(words: Sequence[str], other: Sequence[str]) -> Words:
    """Return the words, one that the other side writes as two neighbours divided so: 지체상금 beside 지체, 상금."""
    pairs = {one + two: (one, two) for one, two in pairwise(other)}
    return tuple(part for word in words for part in pairs.get(word, (word,)))


def _stems(left: Sequence[str], right: Sequence[str]) -> dict[str, str]:
    """Return the longer word -> the shorter one for those that differ by a last syllable: 임대차, 임대."""
    same = {}
    for one in left:
        for other in right:
            short, long = sorted((one, other), key=len)
            near = one != other and len(long) - len(short) < 3 and long.startswith(short)
            if near and _HANGUL.fullmatch(short) and _LONGER.fullmatch(long):
                same[long] = short
    return same
