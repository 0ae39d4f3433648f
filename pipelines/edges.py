"""Verified edges between alike bodies as columns, for there may be very many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from pipelines.grams import Numbers
from pipelines.near import Edge, Flags

Shares = NDArray[np.float64]

# Edges that are turned into records at once.
_RECORDS = 1 << 12


@dataclass(frozen=True, slots=True, eq=False)
class Edges(Sequence[Edge]):
    """Edges in ascending order, 41 bytes each: thousands of copies of one form are all near each other.

    bodies  body hashes, sorted
    a, b    (n,) places among them, a < b
    near    (n,) whether the two are near, else one contains the other
    jaccard, a_in_b, b_in_a  (n,)
    """

    bodies: Sequence[str]
    a: Numbers
    b: Numbers
    near: Flags
    jaccard: Shares
    a_in_b: Shares
    b_in_a: Shares

    @classmethod
    def of(cls, edges: Iterable[Edge]) -> Edges:
        """Take records, each counted once."""
        if isinstance(edges, Edges):
            return edges
        listed = sorted(set(edges))
        bodies = sorted({body for edge in listed for body in (edge.a, edge.b)})
        place = {body: number for number, body in enumerate(bodies)}
        return cls(
            bodies,
            np.array([place[edge.a] for edge in listed], np.int64),
            np.array([place[edge.b] for edge in listed], np.int64),
            np.array([edge.kind == "near" for edge in listed], bool),
            np.array([edge.jaccard for edge in listed], float),
            np.array([edge.a_in_b for edge in listed], float),
            np.array([edge.b_in_a for edge in listed], float),
        )

    def taken(self, which: Numbers | Flags | slice) -> Edges:
        """Return some of the edges; a slice shares the columns."""
        columns = (self.a, self.b, self.near, self.jaccard, self.a_in_b, self.b_in_a)
        return Edges(self.bodies, *(column[which] for column in columns))  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.a)

    @overload
    def __getitem__(self, place: int) -> Edge: ...
    @overload
    def __getitem__(self, place: slice) -> Edges: ...
    def __getitem__(self, place: int | slice) -> Edge | Edges:
        if isinstance(place, slice):
            return self.taken(place)
        return next(iter(self.taken(slice(place, place + 1 or None))))

    def __iter__(self) -> Iterator[Edge]:
        for start in range(0, len(self), _RECORDS):
            some = self.taken(slice(start, start + _RECORDS))
            columns = (some.a, some.b, some.near, some.jaccard, some.a_in_b, some.b_in_a)
            for a, b, near, jaccard, a_in_b, b_in_a in zip(*(column.tolist() for column in columns), strict=True):
                yield Edge(self.bodies[a], self.bodies[b], "near" if near else "contains", jaccard, a_in_b, b_in_a)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Edges) or len(self) != len(other):
            return NotImplemented if not isinstance(other, Edges) else False
        return all(one == another for one, another in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]


def components(n: int, blocks: Iterable[tuple[Numbers, Numbers]]) -> Numbers:
    """Return for each of n things the least one that edges join it to; edges come as columns, block by block."""
    least = np.arange(n)
    for a, b in blocks:
        while True:
            one, other = least[a], least[b]
            apart = one != other
            if not apart.any():
                break
            a, b, one, other = a[apart], b[apart], one[apart], other[apart]
            np.minimum.at(least, np.maximum(one, other), np.minimum(one, other))
            while not np.array_equal(least, further := least[least]):
                least = further
    return least
