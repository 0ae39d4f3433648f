"""Whether two values are of one attribute, by the words around them."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.sameness import BIAS, WEIGHTS
from pipelines.traits import ACTORS
from pipelines.value import Value


def likeness(traits: Mapping[str, float], weights: Mapping[str, float] = WEIGHTS, bias: float = BIAS) -> float:
    """Return how likely the traits of two values are those of one attribute, as a logit."""
    return bias + sum(weights[name] * figure for name, figure in traits.items() if figure)


def roles_differ(a: Value, b: Value) -> bool:
    """Tell whether two values are for two kinds of people, named beside them or in the sentence before."""
    mine, yours = ({*one.words, *one.predicate, *one.context} & ACTORS for one in (a, b))
    return bool(mine and yours) and not mine & yours
