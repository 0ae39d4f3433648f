"""The likeliest of many pairs of passages: memory and time stay bounded however much a corpus repeats itself."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pipelines.neighbours import Numbers
from pipelines.stating import Flags, Pairs, Stating

# Two documents that differ state it where they are most alike; two of 100 pages have hundreds of pairs over the bar.
OF_TWO_FAMILIES = 32
# Pairs whose values are compared one by one, at about 1 ms: two minutes.
MOST = 100_000


class Likeliest:
    """Keeps the best pairs of all that are added, the same ones in whatever order; `left_out` counts the others."""

    def __init__(
        self,
        said: Stating,
        groups: Numbers,
        alone: Flags,
        series: Numbers,
        of_two: int = OF_TWO_FAMILIES,
        most: int = MOST,
    ) -> None:
        """Take the columns of the n passages.

        groups  (n,) number of the family that holds a passage, a number of its own where several do
        alone   (n,) whether only that family does: of one family nothing is compared
        series  (n,) number of the dated series that the passage's document belongs to, -1 for none
        """
        self._said, self._groups, self._alone, self._series = said, groups, alone, series
        self._of_two, self._most = of_two, most
        self._held: list[Pairs] = []
        self._n_held = 0
        self.left_out = 0

    def add(self, pairs: Pairs) -> None:
        """Take the pairs that may contradict."""
        i, j, scores = pairs
        family = (self._groups[i] == self._groups[j]) & self._alone[i] & self._alone[j]
        series = (self._series[i] == self._series[j]) & (self._series[i] >= 0)
        some = np.flatnonzero(~(family | series))
        some = some[self._said.may_differ(i[some], j[some])]
        self._held.append((i[some], j[some], scores[some]))
        self._n_held += len(some)
        if self._n_held > 2 * self._most:
            self._press()

    def take(self, blocks: Iterable[Pairs]) -> None:
        """Add all of them."""
        for pairs in blocks:
            self.add(pairs)

    def best(self) -> list[tuple[int, int, float]]:
        """Return (i, j, score) of what is kept, the best first."""
        self._press()
        return [pair for part in self._held for pair in zip(*(column.tolist() for column in part), strict=True)]

    def _press(self) -> None:
        if not self._held:
            return
        i, j, scores = (np.concatenate(column) for column in zip(*self._held, strict=True))
        one, other = np.sort(np.stack([self._groups[i], self._groups[j]]), axis=0)
        order = np.lexsort((j, i, -scores, other, one))
        one, other = one[order], other[order]
        fresh = np.flatnonzero(np.concatenate([np.ones(1, bool), (np.diff(one) != 0) | (np.diff(other) != 0)]))
        if len(order):
            rank = np.arange(len(order)) - np.repeat(fresh, np.diff(np.append(fresh, len(order))))
            order = order[rank < self._of_two]
        order = order[np.lexsort((j[order], i[order], -scores[order]))][: self._most]
        self.left_out += len(i) - len(order)
        self._held = [(i[order], j[order], scores[order])]
        self._n_held = len(order)
