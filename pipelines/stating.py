"""What passages state, as columns: which of many thousand pairs may contradict is asked of numbers, not of objects."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipelines.neighbours import Numbers, Vectors, neighbours
from pipelines.similar import keys, stem
from pipelines.value import Value

Flags = npt.NDArray[np.bool_]
Pairs = tuple[Numbers, Numbers, npt.NDArray[np.float32]]
# Without vectors: a word that more passages state values of says little of which one is meant.
RARE_PASSAGES = 40
# Pairs whose keys are compared at once: with 20 keys a passage 1 M numbers.
_PAIRS_AT_ONCE = 50_000
# Passages whose fellows are looked up at once: with 20 rare keys of 40 passages each 1.6 M pairs.
_ROWS_AT_ONCE = 2048


@dataclass(frozen=True, slots=True)
class Stating:
    """n passages that state values. Pairs are given by place, 0 to n - 1.

    rows    (n,) rows among the served passages, ascending
    starts  (n + 1,) where the keys of each begin
    keys    (k,) number of each (kind, word)
    stems   (k,) number of each (kind, begin of the word): passages that share none can't contradict
    known   (k,) passage and stem as one number, sorted
    told    (n,) equal for passages that state the same throughout
    usual   word -> how many passages state values of it
    """

    rows: Numbers
    starts: Numbers
    keys: Numbers
    stems: Numbers
    known: Numbers
    told: Numbers
    usual: Counter[str]

    def may_differ(self, i: Numbers, j: Numbers) -> Flags:
        """Tell of which pairs the passages state values of one kind under a common word, and not the same ones."""
        found = np.asarray(self.told[i] != self.told[j], np.bool_)
        waiting = np.flatnonzero(found)
        for start in range(0, len(waiting), _PAIRS_AT_ONCE):
            part = waiting[start : start + _PAIRS_AT_ONCE]
            found[part] = self._share(i[part], j[part])
        return found

    def _share(self, i: Numbers, j: Numbers) -> Flags:
        of, at = _spread(self.starts, i)
        if not len(at):
            return np.zeros(len(i), bool)
        wanted = j[of] * len(self.stems) + self.stems[at]
        place = np.minimum(np.searchsorted(self.known, wanted), len(self.known) - 1)
        return np.asarray(np.bincount(of[self.known[place] == wanted], minlength=len(i)) > 0, np.bool_)


def stating(found: Iterable[tuple[int, Sequence[Value]]]) -> Stating:
    """Make the columns of (row, values), rows ascending."""
    rows, ends, told = array("q"), array("q", [0]), array("q")
    words, stems = array("q"), array("q")
    usual: Counter[str] = Counter()
    for row, values in found:
        said = keys(values)
        by_stem = sorted((hash((kind, stem(word))), hash((kind, word))) for kind, word in said)
        stems.extend(one for one, _ in by_stem)
        words.extend(one for _, one in by_stem)
        usual.update({word for _, word in said})
        rows.append(row)
        ends.append(len(words))
        told.append(hash(frozenset(map(_told, values))))
    starts, numbers = _column(ends), _numbered(stems)  # np.unique keeps their order, so what is known is sorted
    known = np.repeat(np.arange(len(rows)), np.diff(starts)) * len(numbers) + numbers
    return Stating(_column(rows), starts, _numbered(words), numbers, known, _column(told), usual)


def near_pairs(said: Stating, vectors: Vectors, embedded: Flags, asked: Flags, bar: float) -> Iterator[Pairs]:
    """Yield (i, j, cosine) of passages with cosine >= bar, at least one `asked`.

    vectors          one row for each of the served passages
    embedded, asked  (n,)
    """
    places = np.flatnonzero(embedded)
    for i, j, cosines in neighbours(vectors[said.rows[places]], np.flatnonzero(asked[places]), bar):
        yield places[i], places[j], cosines


def word_pairs(said: Stating, asked: Flags, wanted: Flags) -> Iterator[Pairs]:
    """Yield (i, j, how many) of passages that state values of one kind under rare words, at least one `asked`.

    asked   (n,)
    wanted  (n,) of a pair at least one must be
    """
    order = np.argsort(said.keys, kind="stable")
    holders = np.repeat(np.arange(len(said.rows)), np.diff(said.starts))[order]
    ends = np.cumsum(np.bincount(said.keys))
    starts = np.concatenate([np.zeros(1, np.int64), ends])
    rare = (np.diff(starts) > 1) & (np.diff(starts) <= RARE_PASSAGES)
    queries = np.flatnonzero(asked)
    for first in range(0, len(queries), _ROWS_AT_ONCE):
        rows = queries[first : first + _ROWS_AT_ONCE]
        of, at = _spread(said.starts, rows)
        of, at = of[rare[said.keys[at]]], at[rare[said.keys[at]]]
        of_key, place = _spread(starts, said.keys[at])
        i, j = rows[of[of_key]], holders[place]
        once = np.where(asked[j], i < j, True) & (i != j) & (wanted[i] | wanted[j])
        codes, counts = np.unique(i[once] * len(said.rows) + j[once], return_counts=True)
        if len(codes):
            i, j = np.divmod(codes, len(said.rows))
            yield i, j, counts.astype(np.float32)


def _told(value: Value) -> tuple[object, ...]:
    return value.kind, value.value, value.bound, value.per, value.words, value.predicate, value.context, value.scope


def _spread(starts: Numbers, rows: Numbers) -> tuple[Numbers, Numbers]:
    """Return for every element of the `rows` of a ragged array which of `rows` has it, and its place."""
    lengths = starts[rows + 1] - starts[rows]
    of = np.repeat(np.arange(len(rows)), lengths)
    before = np.cumsum(lengths) - lengths
    return of, np.arange(len(of)) - before[of] + starts[rows][of]


def _column(numbers: array[int]) -> Numbers:
    return np.array(numbers, np.int64)


def _numbered(names: array[int]) -> Numbers:
    return np.unique(_column(names), return_inverse=True)[1].astype(np.int64).reshape(-1)
