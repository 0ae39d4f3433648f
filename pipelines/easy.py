"""A set of canaries that can't fail is no watch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

# What the exact string scores (DESIGN section 6); one or two such questions are no set.
_FULL, _FEW = 0.97, 3


def too_easy(canaries: Iterable[Mapping[str, Any]], answers: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether every canary that must be answered scores 1: questions copied from the documents warn of nothing."""
    scores = {answer["canary_id"]: answer["score"] for answer in answers}
    asked = [scores.get(row["canary_id"]) for row in canaries if not row["must_fail"]]
    return len(asked) >= _FEW and all(score is not None and score >= _FULL for score in asked)
