"""Judge pipelines/same.py on authors that it wasn't fitted on: leave one file of labelled pairs out.

    python benchmarks/dedup/contradiction_folds.py [--wrong] [--ridge 5]

Each file in turn is judged with weights fitted on the others. Precision and recall for each and for the files that were
written last (LATEST), with the smallest likeness at which the latter's precision reaches AIM: the operating point that
contradiction_fit.py writes down. Recall counts what no value was read of as missed. Bar: issue 4's, on the latest.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.dedup.contradiction_labelled import HERE, RIDGE, Labelled, fit, labelled, unrelated
from benchmarks.dedup.contradictions import share
from benchmarks.dedup.figures import Figure

# Fitted on nowhere: its figure is that of a new author.
_NOT_FITTED = ("contradiction_pairs_unseen_7",)
FILES = sorted(file for file in HERE.glob("contradiction_pairs*.toml") if file.stem not in _NOT_FITTED)
# Of the others the word lists and rules were made.
LATEST = tuple(
    f"contradiction_pairs_{name}" for name in ("unseen_3", "more_a", "more_b", "unseen_4", "unseen_5", "unseen_6")
)
# Of unrelated passages that clash, 157 of 1,913 are called contradictions (results/contradictions_folds.txt).
AIM = 0.94
BAR = 0.9

Scored = tuple[Labelled, float]


def left_out(known: Sequence[Labelled], others: Sequence[Labelled], ridge: float = RIDGE) -> list[Scored]:
    """Return every pair with its likeness by weights that were fitted without its file.

    `others` are pairs of unrelated passages; they are fitted on too.
    """
    scored = []
    for file in dict.fromkeys(one.file for one in known):
        fitted = fit([one for one in (*known, *others) if one.file != file], ridge)
        scored += [(one, fitted.score(one)[0]) for one in (*known, *others) if one.file == file]
    return scored


def operating_point(scored: Iterable[Scored], aim: float = AIM) -> float:
    """Return the smallest likeness from which on the latest files have a precision of `aim`."""
    latest = sorted(((like, one.label) for one, like in scored if one.file in LATEST), reverse=True)
    likes = np.array([like for like, _ in latest])
    precision = np.cumsum([label for _, label in latest]) / np.arange(1, len(latest) + 1)
    return float(likes[np.flatnonzero((precision >= aim) & np.isfinite(likes))[-1]])


def figures(name: str, scored: Sequence[Scored], least: float, bar: float = 0.0) -> list[Figure]:
    """Return precision and recall of what is likelier than `least`."""
    said = [one.label for one, like in scored if like >= least]
    true = sum(one.label for one, _ in scored)
    return [share(f"{name}: precision", sum(said), len(said), bar), share("recall", sum(said), true, bar)]


def main() -> None:
    """Print the figures, and end with 1 below the bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--wrong", action="store_true", help="show the pairs that are judged wrongly, likeliest first")
    options.add_argument("--ridge", type=float, default=RIDGE, help=f"weight of the ridge (default: {RIDGE})")
    chosen = options.parse_args()
    every = left_out(labelled(FILES), unrelated(FILES), chosen.ridge)
    scored = [pair for pair in every if pair[0].share == 1]
    others = [like for one, like in every if one.share < 1]
    least = operating_point(scored)
    for one, like in sorted(scored, key=lambda pair: -pair[1]) if chosen.wrong else ():
        if (like >= least) != one.label:
            print(f"  {'missed' if one.label else 'false'} {like:.2f}: {one.a} | {one.b}")
    print(f"operating point: {least:.3f}")
    print(
        f"unrelated passages called contradictions: {sum(like >= least for like in others)} of {len(others)} that clash"
    )
    for file in dict.fromkeys(one.file for one, _ in scored):
        for figure in figures(file, [pair for pair in scored if pair[0].file == file], least):
            print(figure.line())
    latest = figures("latest files", [pair for pair in scored if pair[0].file in LATEST], least, BAR)
    for figure in latest:
        print(figure.line())
    raise SystemExit(0 if all(figure.met for figure in latest) else 1)


if __name__ == "__main__":
    main()
