"""Measures of a list of ranks, each with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

# Two-sided 95 % of the normal distribution.
Z = 1.96


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f} {self.high:.3f}]"


def share(hits: Sequence[bool]) -> Estimate:
    """Return the share of hits with Wilson's interval, which stays within [0, 1]."""
    count = len(hits)
    if not count:
        return Estimate(math.nan, math.nan, math.nan)
    part, spread = sum(hits) / count, Z * Z / count
    middle = (part + spread / 2) / (1 + spread)
    half = Z * math.sqrt(part * (1 - part) / count + spread / count / 4) / (1 + spread)
    return Estimate(part, middle - half, middle + half)


def mean(values: Sequence[float]) -> Estimate:
    """Return the mean with the normal interval of its standard error."""
    numbers = np.asarray(values, float)
    half = Z * float(numbers.std(ddof=1)) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.nan
    return Estimate(float(numbers.mean()), float(numbers.mean()) - half, float(numbers.mean()) + half)


def reciprocal(rank: int | None) -> float:
    """Return what a question adds to MRR: 0 when its document isn't found."""
    return 1 / rank if rank else 0.0


def auc(right: npt.NDArray[np.float64], wrong: npt.NDArray[np.float64]) -> float:
    """Return how often a right one scores above a wrong one; a tie counts half."""
    both = np.sort(wrong)
    below, above = np.searchsorted(both, right, "left"), np.searchsorted(both, right, "right")
    return float((below + above).sum() / (2 * len(right) * len(wrong)))


def calibration_error(said: npt.NDArray[np.float64], true: npt.NDArray[np.bool_], bins: int = 10) -> float:
    """Return the expected calibration error over bins of equal width."""
    which = np.minimum((said * bins).astype(int), bins - 1)
    parts = [which == one for one in range(bins)]
    return float(sum(abs(said[one].mean() - true[one].mean()) * one.mean() for one in parts if one.any()))
