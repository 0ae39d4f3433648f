"""Which passages are alike enough that what they state may contradict."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import PurePosixPath

import numpy as np

from pipelines.neighbours import Numbers, Vectors, neighbours
from pipelines.scope import scopes
from pipelines.value import Value

# Without vectors: a word that more passages state values of says little of which one is meant.
RARE_PASSAGES = 40
# A single word is telling when it stands in no more passages than these, or than this share of them.
FEW, FEW_SHARE = 3, 0.02
# Classes of scope that a file's name sets for all of it.
_OF_NAMES = frozenset(("year", "quarter", "half", "month", "ordinal", "code", "party"))

Pair = tuple[int, int, float | None]


def near_pairs(vectors: Vectors, rows: Numbers, queries: Numbers, bar: float) -> Iterator[Pair]:
    """Yield (i, j, cosine) of rows with cosine >= bar; only `rows` are looked at, at least one being in `queries`."""
    asked = np.flatnonzero(np.isin(rows, queries))
    for i, j, cosines in neighbours(vectors[rows], asked, bar):
        yield from zip(rows[i].tolist(), rows[j].tolist(), cosines.tolist(), strict=True)


def word_pairs(values: Mapping[int, Sequence[Value]], queries: set[int]) -> Iterator[Pair]:
    """Yield (i, j, None) of passages that state values of one kind under a rare word, at least one in `queries`."""
    stating: dict[tuple[str, str], set[int]] = defaultdict(set)
    for row, found in values.items():
        for key in keys(found):
            stating[key].add(row)
    pairs = {
        pair
        for rows in stating.values()
        if 1 < len(rows) <= RARE_PASSAGES
        for pair in combinations(sorted(rows), 2)
        if not queries.isdisjoint(pair)
    }
    yield from ((i, j, None) for i, j in sorted(pairs))


def is_telling(words: Sequence[str], stating: Mapping[str, int], passages: int) -> bool:
    """Tell whether words name an attribute: two do, a single one only when few passages state values of it.

    `stating` is word -> how many of the `passages` do. On the example corpus, with a lower bar for the cosine, 29 of 31
    false findings stood on one word that many passages have (가맹점, 직원, 실패).
    """
    return len(words) > 1 or all(stating.get(word, 0) <= max(FEW, FEW_SHARE * passages) for word in words)


def keys(values: Sequence[Value]) -> set[tuple[str, str]]:
    """Return (kind, word) of all values: passages that share none can't contradict."""
    return {(value.kind.split(":")[0], word) for value in values for word in (*value.words, *value.predicate)}


def one_series(path: str, other: str) -> bool:
    """Tell whether two names differ by date, number or version only, or say that they are of different periods.

    Minutes, releases and versions of one document naturally state other values.
    """
    a, b = (PurePosixPath(name.lower()).name for name in (path, other))
    if _bare(a) and _bare(a) == _bare(b):
        return True
    one, two = (dict(_periods(name)) for name in (a, b))
    return any(name in two and two[name] != said for name, said in one.items())


_MARKS = re.compile(
    r"초안|최종|수정|사본|복사본|draft|final|copy|rev|ver|[vr](?=\d)|[상하]반기|분기|[년월일차주]|q(?=\d)|"
    r"h(?=[12])|[\d\s._()\[\]-]"
)


def _bare(name: str) -> str:
    return _MARKS.sub("", name.rsplit(".", 1)[0])


def _periods(name: str) -> Iterator[tuple[str, str]]:
    text = re.sub(r"[_.]", " ", name.rsplit(".", 1)[0])
    yield from (pair for pair in scopes(text.upper()) if pair[0] in _OF_NAMES)
