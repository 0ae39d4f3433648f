"""What the version rule did, counted: over generated folders by scene, over hand-written pairs by label."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

LABELS = ("auto", "review", "none")


def upper_bound(wrong: int, decisions: int) -> float:
    """Return the one-sided 95 % upper bound of the share of wrong ones (Clopper-Pearson; about 3/n when none is)."""
    low, high = wrong / max(1, decisions), 1.0
    for _ in range(60):
        share = (low + high) / 2
        at_most = sum(
            math.comb(decisions, k) * share**k * (1 - share) ** (decisions - k) for k in range(wrong + 1) if share < 1
        )
        low, high = (share, high) if at_most > 0.05 else (low, share)
    return high


@dataclass(slots=True)
class Tally:
    """Counts over documents of one scene, or over all."""

    documents: int = 0
    automatic: int = 0
    wrong: int = 0
    versions: int = 0
    found_by_itself: int = 0
    asked: int = 0
    items: int = 0
    noise: int = 0

    def add(self, other: Tally) -> None:
        """Add the counts of `other`."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def found(self) -> float:
        """Return the share of true versions found, automatically or by a question."""
        return (self.found_by_itself + self.asked) / max(1, self.versions)

    def row(self, name: str) -> str:
        """Return the counts as a line of the table."""
        items, noise = (100 * count / max(1, self.documents) for count in (self.items, self.noise))
        return (
            f"{name:22} {self.documents:6} {self.automatic:6} {self.wrong:6} {self.versions:8} {self.found_by_itself:7}"
            f" {self.asked:6} {self.found:7.3f} {self.items:6} {items:8.1f} {noise:8.1f}"
        )


HEAD = (
    f"{'scene':22} {'docs':>6} {'AUTO':>6} {'wrong':>6} {'versions':>8} {'by AUTO':>7} {'asked':>6} {'found':>7}"
    f" {'items':>6} {'per 100':>8} {'noise':>8}"
)


@dataclass(slots=True)
class Folders:
    """What the rule did in the generated folders."""

    scenes: dict[str, Tally] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def of(self, scene: str) -> Tally:
        """Return the counts of a scene."""
        return self.scenes.setdefault(scene, Tally())

    def all(self) -> Tally:
        """Return the counts of all scenes together."""
        total = Tally()
        for tally in self.scenes.values():
            total.add(tally)
        return total


@dataclass(slots=True)
class Pairs:
    """What the rule said to a file of hand-written pairs: (label, decision) counted."""

    name: str
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    backwards: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def automatic(self) -> int:
        """Return how many were replaced by themselves."""
        return sum(count for (_, decision), count in self.counts.items() if decision == "auto")

    @property
    def wrong(self) -> int:
        """Return how many of these a person would not have replaced, or not in that direction."""
        return self.automatic - self.counts["auto", "auto"] + self.backwards

    @property
    def found(self) -> float:
        """Return the share of true versions that were replaced or asked about."""
        true = {pair: count for pair, count in self.counts.items() if pair[0] != "none"}
        return sum(count for (_, decision), count in true.items() if decision != "none") / max(1, sum(true.values()))

    def lines(self) -> Iterator[str]:
        """Yield the table of labels and decisions."""
        yield f"{self.name}: {sum(self.counts.values())} pairs"
        yield f"  {'label':10}" + "".join(f"{decision:>9}" for decision in LABELS) + "   <- decision"
        for wanted in LABELS:
            yield f"  {wanted:10}" + "".join(f"{self.counts[wanted, decision]:9}" for decision in LABELS)
        bound = upper_bound(self.wrong, self.automatic)
        yield f"  AUTO {self.automatic}, wrong {self.wrong} (95 % bound {bound:.1%}), found {self.found:.3f}"
