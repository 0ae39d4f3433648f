"""The pairs of passages labelled by hand, read into traits, and the fit on them (contradiction_fit.py)."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pipelines.contradict import Rivals, clash, open_pairs, rivals
from pipelines.same import likeness
from pipelines.values import stated

HERE = Path(__file__).parent
# Smaller weights are as good on authors left out (2 to 30 tried), and more of them survive another author's habits.
RIDGE = 12.0
# The choice of the pair of values that a contradiction is about settles after three.
_ROUNDS = 6


# Several passages joined are also paired with others of their file at this many distances: of two matters, whatever is
# called a contradiction is false. Values that share more words than this may be of one matter by chance.
_JOINED = 3
_DISTANCES = 40
_OTHER_MATTER = 0.5
# Such a pair counts less than one that a person wrote to be judged. Of 1,202 that clash, judged by weights fitted
# without their file, 136 are called contradictions at a share of .1, 86 at .3, 64 at .6, at the same recall.
_OTHERS_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Labelled:
    """A pair of passages; `clashes` says of each of its rivals whether the two values can't both hold.

    `share` is what it counts in the fit: below 1 for those that nobody labelled.
    """

    file: str
    a: str
    b: str
    label: bool
    pairs: list[Rivals]
    clashes: list[bool]
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Fitted:
    weights: dict[str, float]
    bias: float

    def score(self, one: Labelled) -> tuple[float, int]:
        """Return the likeness of the likeliest clash and its place; -inf and -1 where nothing clashes."""
        likes = [likeness(pair.traits, self.weights, self.bias) for pair in one.pairs]
        still = [(like, n) for n, like in open_pairs(one.pairs, likes) if one.clashes[n]]
        return max(still, default=(-np.inf, -1))


def labelled(files: Sequence[Path]) -> list[Labelled]:
    """Read the pairs of all files."""
    return [
        _compared(file.stem, pair["a"], pair["b"], pair["label"])
        for file in files
        for pair in tomllib.loads(file.read_text(encoding="utf-8"))["pair"]
    ]


def unrelated(files: Sequence[Path]) -> list[Labelled]:
    """Pair passages of each file that were written for different pairs, several joined; those that clash somewhere."""
    found = []
    for file in files:
        pairs = tomllib.loads(file.read_text(encoding="utf-8"))["pair"]
        a, b = ([_joined(pairs, side, n) for n in range(0, len(pairs), _JOINED)] for side in ("a", "b"))
        for distance in range(2, len(a) - 1, max(1, len(a) // _DISTANCES)):
            for n, text in enumerate(a):
                one = _compared(file.stem, text, b[(n + distance) % len(b)], False, _OTHERS_SHARE)
                if any(one.clashes):
                    found.append(one)
    return found


def _joined(pairs: Sequence[dict[str, str]], side: str, start: int) -> str:
    return "\n".join(pair[side] for pair in pairs[start : start + _JOINED])


_read = cache(stated)


def _compared(file: str, a: str, b: str, label: bool, share: float = 1.0) -> Labelled:
    mine, yours = _read(a), _read(b)
    pairs = rivals(mine, yours)
    others = share < 1
    clashes = [
        clash(pair.a, pair.b, mine, yours) and not (others and pair.traits["covered"] > _OTHER_MATTER) for pair in pairs
    ]
    return Labelled(file, a, b, label, pairs, clashes, share)


def fit(known: Sequence[Labelled], ridge: float = RIDGE) -> Fitted:
    """Fit the weights by logistic regression.

    A label is said of two passages, not of two values: of passages that contradict each other the likeliest clash
    counts, of others all, together as much as one (they are alike). Which is the likeliest, the weights of the round
    before say.
    """
    known = [one for one in known if any(one.clashes)]
    fitted: Fitted | None = None
    for _ in range(_ROUNDS):
        chosen = [(one, n, share * one.share) for one in known for n, share in _chosen(one, fitted)]
        names = list(chosen[0][0].pairs[0].traits)
        rows = np.array([[one.pairs[n].traits[name] for name in names] for one, n, _ in chosen])
        labels = np.array([float(one.label) for one, _, _ in chosen])
        beta = _regressed(rows, labels, np.array([share for _, _, share in chosen]), ridge)
        fitted = Fitted(dict(zip(names, beta[1:].tolist(), strict=True)), float(beta[0]))
    assert fitted is not None
    return fitted


def _chosen(one: Labelled, fitted: Fitted | None) -> list[tuple[int, float]]:
    places = [n for n, clashes in enumerate(one.clashes) if clashes]
    if not one.label or fitted is None:
        return [(n, len(places) ** -0.5 if fitted else 1 / len(places)) for n in places]
    _, best = fitted.score(one)
    if best < 0:
        best = max(places, key=lambda n: likeness(one.pairs[n].traits, fitted.weights, fitted.bias))
    return [(best, 1.0)]


Floats = npt.NDArray[np.float64]


def _regressed(rows: Floats, labels: Floats, shares: Floats, ridge: float) -> Floats:
    """Return bias and weights by iteratively reweighted least squares, the ridge on columns of unit variance."""
    mean, spread = rows.mean(0), rows.std(0) + 1e-9
    design = np.hstack([np.ones((len(rows), 1)), (rows - mean) / spread])
    penalty = np.full(design.shape[1], ridge)
    penalty[0] = 0.0
    beta = np.zeros(design.shape[1])
    for _ in range(50):
        said = 1 / (1 + np.exp(-design @ beta))
        slope = design.T @ (shares * (labels - said)) - penalty * beta
        curve = (design.T * (shares * said * (1 - said))) @ design + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        beta += step
        if np.abs(step).max() < 1e-8:
            break
    weights = beta[1:] / spread
    return np.concatenate([[beta[0] - mean @ weights], weights])
