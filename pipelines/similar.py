"""Which passages are alike enough that what they state may contradict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from pipelines.scope import scopes
from pipelines.value import Value

# A single word is telling when it stands in no more passages than these, or than this share of them.
FEW, FEW_SHARE = 3, 0.02
# Classes of scope that a file's name sets for all of it.
_OF_NAMES = frozenset(("year", "quarter", "half", "month", "ordinal", "code", "party"))
# Kinds whose values are compared with each other (pipelines.contradict): free and an amount, every month and 30 days.
_CLASSES = {"state:fee": "money", "rate": "span", "duration": "span", "monthday": "span"}
# Names that are looked at again and again: a pair of passages asks for two.
_NAMES = 65_536


def is_telling(words: Sequence[str], stating: Mapping[str, int], passages: int) -> bool:
    """Tell whether words name an attribute: two do, a single one only when few passages state values of it.

    `stating` is word -> how many of the `passages` do. On the example corpus, with a lower bar for the cosine, 29 of 31
    false findings stood on one word that many passages have (가맹점, 직원, 실패).
    """
    return len(words) > 1 or all(stating.get(word, 0) <= max(FEW, FEW_SHARE * passages) for word in words)


def keys(values: Sequence[Value]) -> set[tuple[str, str]]:
    """Return (kind, word) of all values, kinds that may contradict each other as one."""
    return {(_class(value.kind), word) for value in values for word in (*value.words, *value.predicate)}


def _class(kind: str) -> str:
    head = kind.split(":")[0]
    return _CLASSES.get(kind, _CLASSES.get(head, head))


def stem(word: str) -> str:
    """Return what spellings of a word that count as one have in common: 임대, 임대차; 지체, 지체상금."""
    return word[:2] if "가" <= word[:1] <= "힣" else word


def one_series(path: str, other: str) -> bool:
    """Tell whether two names differ by date, number or version only, or say that they are of different periods.

    Minutes, releases and versions of one document naturally state other values.
    """
    if series_of(path) and series_of(path) == series_of(other):
        return True
    one, two = dict(_periods(path)), dict(_periods(other))
    return any(name in two and two[name] != said for name, said in one.items())


@lru_cache(_NAMES)
def series_of(path: str) -> str:
    """Return a name without its dates, numbers and words of versions; "" when nothing is left."""
    return _MARKS.sub("", _name(path))


_MARKS = re.compile(
    r"초안|최종|수정|사본|복사본|draft|final|copy|rev|ver|[vr](?=\d)|[상하]반기|분기|[년월일차주]|q(?=\d)|"
    r"h(?=[12])|[\d\s._()\[\]-]"
)


def _name(path: str) -> str:
    return PurePosixPath(path.lower()).name.rsplit(".", 1)[0]


@lru_cache(_NAMES)
def _periods(path: str) -> tuple[tuple[str, str], ...]:
    text = re.sub(r"[_.]", " ", _name(path))
    return tuple(pair for pair in scopes(text.upper()) if pair[0] in _OF_NAMES)
