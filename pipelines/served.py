"""The passages that a search can find, as columns: what is asked of a whole corpus at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Served:
    """n passages by body and their order in it. Passages of equal heading path and text share one row of `hashes`.

    body_of   (n,) row in `bodies`, ascending
    hash_of   (n,) row in `hashes`
    vectors   (len(hashes), d) float16, unit rows, 0 throughout without a vector; d is 0 when none has one
    embedded  (len(hashes),) which have a vector
    """

    chunk_ids: tuple[str, ...]
    bodies: tuple[str, ...]
    hashes: tuple[str, ...]
    body_of: Numbers
    hash_of: Numbers
    vectors: npt.NDArray[np.float16]
    embedded: npt.NDArray[np.bool_]

    def passages_of(self, body: int) -> range:
        """Return the passages of a row of `bodies`."""
        start, end = np.searchsorted(self.body_of, [body, body + 1])
        return range(int(start), int(end))


def served(passages: list[tuple[str, str, str]], vectors: npt.NDArray[np.float16] | None = None) -> Served:
    """Make the columns of (chunk_id, body_hash, chunk_hash), by body and in order.

    `vectors` has a row for each distinct chunk_hash, sorted; a row of zeros stands for none.
    """
    chunk_ids, of_body, of_hash = zip(*passages, strict=True) if passages else ((), (), ())
    bodies, body_of = _numbered(of_body)
    hashes, hash_of = _numbered(of_hash)
    if vectors is None:
        vectors = np.zeros((len(hashes), 0), np.float16)
    return Served(chunk_ids, bodies, hashes, body_of, hash_of, vectors, np.asarray(vectors.any(axis=1), np.bool_))


def _numbered(names: Sequence[str]) -> tuple[tuple[str, ...], Numbers]:
    """Return the distinct names, sorted, and the place of each name among them."""
    distinct = sorted(set(names))
    place = {name: row for row, name in enumerate(distinct)}
    return tuple(distinct), np.array([place[name] for name in names], np.int64)
