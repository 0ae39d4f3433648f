"""Bar 4 of refreshing: how a refresh grows with the corpus. Exit code 1 below a bar.

    python benchmarks/incremental/scale.py [--documents 10000 100000] [--paragraphs 1]

Documents of corpus.py, a passage a paragraph: `--paragraphs 5` makes half a million passages of a hundred thousand
documents. Each size is a process of its own, and each lap but the first another one over the folder that the first
left, so that its peak memory is its own; imports and Kiwi count to it.

no-op   grows <= 12x in CPU and <= 1.3x in peak memory for ten times the documents
change  1 % edited at the larger size <= 3x its no-op, in CPU
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "dedup"), str(HERE)]

from corpus import COLD, EDITED, NOTHING  # noqa: E402
from figures import Figure  # noqa: E402

TIMES, MEMORY, CHANGE = 12.0, 1.3, 3.0
Lap = dict[str, Any]


def main() -> None:
    """Measure, print, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--documents", type=int, nargs=2, default=(10_000, 100_000), metavar="N")
    options.add_argument("--paragraphs", type=int, default=1)
    chosen = options.parse_args()
    print(f"{'documents':>10}{'lap':>14}{'CPU s':>9}{'wall s':>9}{'peak MB':>9}{'embedded':>10}{'passages':>10}")
    with tempfile.TemporaryDirectory(prefix="saero-scale-") as scratch:
        small, large = (laps(Path(scratch), count, chosen.paragraphs) for count in chosen.documents)
    found = figures(small, large)
    print("", *(figure.line() for figure in found), sep="\n")
    missed = sum(not figure.met for figure in found)
    print(f"\n{missed} of {len(found)} bars missed")
    sys.exit(1 if missed else 0)


def laps(folder: Path, documents: int, paragraphs: int) -> dict[str, Lap]:
    """Play a cold run, a no-op and a change, each in a process of its own."""
    home = folder / str(documents)
    home.mkdir()
    found = {}
    for name in (COLD, NOTHING, EDITED):
        ended = subprocess.run(
            [sys.executable, str(HERE / "ours_child.py"), str(home), str(documents), str(paragraphs), name],
            env={**os.environ, "PYTHONPATH": str(HERE)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        lap = json.loads(next(line for line in ended.stdout.splitlines() if line.startswith('{"lap"')))
        print(
            f"{documents:10,}{name:>14}{lap['cpu']:9.2f}{lap['wall']:9.2f}{lap['peak']:9.0f}"
            f"{lap['embedded']:10,}{lap['rows']:10,}",
            flush=True,
        )
        found[name] = lap
    return found


def figures(small: dict[str, Lap], large: dict[str, Lap]) -> list[Figure]:
    """Hold the growth to the bars."""
    times = large[NOTHING]["cpu"] / small[NOTHING]["cpu"]
    memory = large[NOTHING]["peak"] / small[NOTHING]["peak"]
    change = large[EDITED]["cpu"] / large[NOTHING]["cpu"]
    return [
        Figure("no-op: CPU, times", f"{times:.2f}", f"<= {TIMES:g}", times <= TIMES),
        Figure("no-op: peak memory, times", f"{memory:.2f}", f"<= {MEMORY:g}", memory <= MEMORY),
        Figure("1 % edited: CPU, times its no-op", f"{change:.2f}", f"<= {CHANGE:g}", change <= CHANGE),
    ]


if __name__ == "__main__":
    main()
