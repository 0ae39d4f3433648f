"""Bars 1 to 4 of dedup in one table; exit code 1 below a bar.

    python benchmarks/dedup/run.py [--venvs FOLDER] [--only 1 2 3 4]

1  recall.py   against brute force over all pairs
2  cost.py     CPU of the text work and of growth, beside datasketch and rensa
3  order.py    the same end whatever came first, also after deletions
4  oracles.py  pairs of known likeness and pinned behaviours, as real files
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import cost
import oracles
import order
import recall
from figures import Figure


def figures(bar: str, scratch: Path, venvs: Path) -> tuple[list[Figure], list[str]]:
    """Measure one bar; returns its figures and what is printed below them."""
    if bar == "1":
        return [figure for size in recall.CORPORA for figure in recall.figures(size)], []
    if bar == "2":
        found, tables = cost.text_figures(venvs)
        return [*found, *cost.growth_figures(scratch / "growth"), *cost.forms_for_all(scratch / "forms")], tables
    if bar == "3":
        return [*order.order_figures(scratch), *order.listed_figures(scratch)], []
    return oracles.figures(scratch), []


def main() -> None:
    """Measure, print, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--venvs", type=Path, help="keep the environment of the peer there")
    options.add_argument("--only", nargs="*", choices="1234", default=list("1234"), metavar="BAR")
    chosen = options.parse_args()
    found: list[Figure] = []
    started = time.process_time()
    with tempfile.TemporaryDirectory(prefix="saero-dedup-") as scratch:
        folder = Path(scratch)
        for bar in chosen.only:
            measured, tables = figures(bar, folder, (chosen.venvs or folder / "venvs").resolve())
            found += measured
            print(*(figure.line() for figure in measured), *tables, sep="\n", flush=True)
    missed = [figure for figure in found if not figure.met]
    print(f"\n{len(missed)} of {sum(bool(figure.bar) for figure in found)} bars missed")
    print(f"{time.process_time() - started:.0f} CPU s", file=sys.stderr)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
