"""What the vector index finds and costs: by lists looked through, and while rows of other topics arrive.

    python benchmarks/retrieval/ann.py [--rows 100000]

Vectors of KorQuAD's passages and neighbours of them (scale_vectors.py), recall of the 50 nearest against exact
comparison, milliseconds of CPU a question. `probes` decides resources/reader.py, `growth` when resources/table.py makes
the lists anew: they are trained on one half of the passages, then rows of the other half arrive, asked for by questions
of both halves. No bar: scale.py has it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT)]

from resources import lance_log  # noqa: E402, F401, I001  (before lance is imported)
import lance  # noqa: E402
import numpy as np  # noqa: E402
import pyarrow as pa  # noqa: E402
from scale_vectors import Bases, Vectors, bases, neighbours  # noqa: E402

SEED, NEAREST = 20261130, 50
PROBES = (20, 40, 80, 120, 160, 200)
# Rows that arrive, as shares of those the lists were made from.
ARRIVING = (0.25, 0.25, 0.5, 1.0)


class Lists:
    """A Lance table of vectors with lists as resources/table.py makes them."""

    def __init__(self, folder: Path, questions: Vectors) -> None:
        self.path, self.questions = str(folder), questions
        self.vectors = np.empty((0, questions.shape[1]), np.float32)

    def add(self, rows: Vectors) -> None:
        column = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])
        lance.write_dataset(pa.table({"vector": column}), self.path, mode="append")
        self.vectors = np.concatenate([self.vectors, rows])

    def train(self) -> float:
        """Make the lists; returns seconds."""
        began = time.perf_counter()
        lance.dataset(self.path).create_index(
            "vector",
            "IVF_SQ",
            name="vector_idx",
            metric="cosine",
            num_partitions=max(16, len(self.vectors) // 1_500),
            sample_rate=64,
            max_iterations=15,
            replace=True,
        )
        return time.perf_counter() - began

    def update(self, apart: bool) -> None:
        """Take new rows into a segment beside the trained one."""
        optimize = lance.dataset(self.path).optimize
        optimize.optimize_indices(index_names=["vector_idx"], num_indices_to_merge=0 if apart else 1)

    def ask(self, **how: Any) -> tuple[float, float, float]:
        """Return mean and worst recall, and CPU milliseconds a question."""
        dataset = lance.dataset(self.path)
        ids = dataset.to_table(columns=[], with_row_id=True)["_rowid"].to_pylist()
        place = {row_id: number for number, row_id in enumerate(ids)}
        shares, spent = [], []
        for question, exact in zip(self.questions, self._exact(), strict=True):
            nearest = {"column": "vector", "q": question, "k": NEAREST, "metric": "cosine", **how}
            began = time.process_time()
            found = dataset.scanner(columns=["_distance"], with_row_id=True, nearest=nearest).to_table()
            spent.append(time.process_time() - began)
            shares.append(len(exact & {place[one] for one in found["_rowid"].to_pylist()}) / NEAREST)
        return float(np.mean(shares)), min(shares), 1e3 * float(np.mean(spent))

    def _exact(self) -> Iterator[set[int]]:
        for question in self.questions:
            yield set(np.argpartition(-(self.vectors @ question), NEAREST)[:NEAREST].tolist())


def probes(folder: Path, found: Bases, rows: int) -> None:
    """Print recall and cost by lists looked through."""
    lists = Lists(folder, found.questions[:100])
    lists.add(neighbours(found, rows, np.random.default_rng(SEED)))
    print(f"{rows:,} rows in {max(16, rows // 1_500)} lists, made in {lists.train():.0f} s")
    print(f"{'lists looked through':28}{'refine':>8}{'recall':>9}{'worst':>8}{'CPU ms':>9}")
    share = max(20, rows // 2_500)
    for how in [{"nprobes": n, "refine_factor": 2} for n in PROBES] + [
        {"minimum_nprobes": 20, "refine_factor": 2},
        {"minimum_nprobes": share, "refine_factor": 1},
        {"minimum_nprobes": share, "refine_factor": 2},
        {"minimum_nprobes": share, "refine_factor": 4},
    ]:
        name, number = next(iter(how.items()))
        say = f"{number}" if name == "nprobes" else f"{number} or more"
        mean, worst, cost = lists.ask(**how)
        print(f"{say:28}{how['refine_factor']:>8}{mean:>9.4f}{worst:>8.2f}{cost:>9.1f}", flush=True)


def growth(folder: Path, found: Bases, rows: int) -> None:
    """Print recall and cost while rows of other topics arrive, and after the lists are made anew."""
    half, rng = len(found.passages) // 2, np.random.default_rng(SEED)
    first, other = (Bases(part, found.questions, "") for part in (found.passages[:half], found.passages[half:]))
    lists = Lists(folder, found.questions[:200])
    lists.add(neighbours(first, rows, rng))
    lists.train()
    print(f"{'rows since the lists were made':34}{'20 lists':>10}{'CPU ms':>8}{'60 % of them':>14}{'CPU ms':>8}")
    _line(lists, "none")
    for number, share in enumerate(ARRIVING):
        lists.add(neighbours(other, int(rows * share), rng))
        lists.update(apart=number == 0)
        _line(lists, f"{len(lists.vectors) / rows - 1:.0%}")
    lists.train()
    _line(lists, "none, made anew")


def _line(lists: Lists, say: str) -> None:
    share = max(20, len(lists.vectors) // 2_500)
    few = lists.ask(nprobes=20, refine_factor=2)
    many = lists.ask(minimum_nprobes=share, refine_factor=2)
    print(f"{say:34}{few[0]:>10.4f}{few[2]:>8.1f}{many[0]:>14.4f}{many[2]:>8.1f}", flush=True)


def main() -> None:
    """Print both tables."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--rows", type=int, default=100_000)
    chosen = options.parse_args()
    found = bases(SEED)
    print(f"vectors of {found.origin}")
    with tempfile.TemporaryDirectory(prefix="saero-ann-") as scratch:
        probes(Path(scratch) / "probes.lance", found, chosen.rows)
        growth(Path(scratch) / "growth.lance", found, chosen.rows // 2)


if __name__ == "__main__":
    main()
