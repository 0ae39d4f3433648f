"""5-grams as plain sets: what the hashed ones must agree with."""

from __future__ import annotations

from collections.abc import Set


def shingles5(text: str) -> frozenset[str]:
    """Return the 5-grams of the lower-cased, white-space-folded text; a shorter text is its only one."""
    folded = " ".join(text.lower().split())
    if len(folded) <= 5:
        return frozenset([folded] if folded else [])
    return frozenset(folded[n : n + 5] for n in range(len(folded) - 4))


def jaccard(a: Set[str], b: Set[str]) -> float:
    """Return the shared part of all; two empty texts share nothing."""
    return len(a & b) / max(1, len(a | b))


def containment(a: Set[str], b: Set[str]) -> float:
    """Return the part of `a` that is in `b`."""
    return len(a & b) / max(1, len(a))
