"""Which bodies hold a passage: many documents repeat one, and nothing is compared within a family or a series."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from pipelines.apart import Apart
from pipelines.served import Numbers, Served

# Of a passage that many documents repeat so many are looked at, of different families first.
_LOOKED_AT = 8


class Holders:
    """Which passages of documents hold a row of Served.hashes."""

    def __init__(self, served: Served, apart: Apart) -> None:
        self._served, self._apart = served, apart
        self._kept: dict[int, list[int]] = {}
        self._order: Numbers = np.argsort(served.hash_of, kind="stable")
        self._starts: Numbers = np.searchsorted(served.hash_of[self._order], np.arange(len(served.hashes) + 1))

    def of_both(self, i: int, j: int) -> tuple[int, int] | None:
        """Return a passage of each whose documents may contradict each other."""
        return next((pair for pair in product(self._of(i), self._of(j)) if self._differ(*pair)), None)

    def _of(self, row: int) -> list[int]:
        if row not in self._kept:
            chunks: list[int] = self._order[self._starts[row] : self._starts[row + 1]].tolist()
            self._kept[row] = chunks if len(chunks) <= _LOOKED_AT else self._families_first(chunks)[:_LOOKED_AT]
        return self._kept[row]

    def _families_first(self, chunks: Sequence[int]) -> list[int]:
        first = {*{self._apart.group(self._body(chunk)): chunk for chunk in reversed(chunks)}.values()}
        return sorted(chunks, key=lambda chunk: (chunk not in first, chunk))

    def _differ(self, a: int, b: int) -> bool:
        return self._apart.differ(self._body(a), self._body(b))

    def _body(self, chunk: int) -> str:
        return self._served.bodies[int(self._served.body_of[chunk])]


def groups(served: Served, names: Sequence[str]) -> tuple[Numbers, npt.NDArray[np.bool_]]:
    """Return for each of `served.hashes` the number of the group that holds it, and whether only one does.

    `names` has the group of each of `served.bodies`; groups count in the order of their names. What several groups hold
    has a number of its own.
    """
    place = {name: number for number, name in enumerate(sorted(set(names)))}
    number = np.array([place[name] for name in names], np.int64)
    size = max(1, len(place))
    of, group = np.divmod(np.unique(served.hash_of * size + number[served.body_of]), size)
    alone = np.bincount(of, minlength=len(served.hashes)) == 1
    found = np.arange(len(served.hashes)) + size
    found[of[alone[of]]] = group[alone[of]]
    return found, alone


def series(served: Served, names: Sequence[str]) -> Numbers:
    """Return for each of `served.hashes` the number of the series that alone holds it, else -1; "" is none."""
    found, alone = groups(served, names)
    return np.where(alone & (found >= int("" in names)), found, -1)
