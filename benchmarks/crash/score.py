"""What was played and found, and what it comes to against the bars."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field

from figures import Figure

STRUCK = ("point", "moment", "small disk", "file size", "our writes")


@dataclass
class Score:
    """What was played and found, to be written down and added up."""

    struck: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    ended: int = 0
    seconds: float = 0.0

    def differs(self, said: str) -> None:
        """Note a difference, and say it at once: a long benchmark needn't be waited for."""
        self.differences.append(said)
        print("DIFFERS " + said, file=sys.stderr, flush=True)

    def is_unclear(self, said: str) -> None:
        """Note an error that doesn't name the full disk."""
        self.unclear.append(said)
        print("UNCLEAR " + said, file=sys.stderr, flush=True)

    def add(self, other: Score) -> None:
        for name in ("struck", "points", "errors", "events"):
            getattr(self, name).update(getattr(other, name))
        self.differences += other.differences
        self.unclear += other.unclear
        self.ended += other.ended
        self.seconds = max(self.seconds, other.seconds)


def figures(killed: Score, full: Score, *, rounds: int, fulls: int) -> list[Figure]:
    """Return what was measured, with its bars."""
    points = sum(count for name, count in killed.points.items() if name != "at a random moment")
    kinds = len([name for name in killed.points if name != "at a random moment"])
    found = []
    if rounds:
        total = killed.struck.total()
        found += [
            Figure("runs killed", f"{total}", f">= {rounds}", total >= rounds),
            Figure("  at named points", f"{points} at {kinds} points"),
            Figure("  at random moments", f"{killed.struck['moment']}"),
            Figure("  that came to their end before", f"{killed.ended}"),
            Figure("differences after the next run", f"{len(killed.differences)}", "0", not killed.differences),
        ]
    if fulls:
        total = full.struck.total()
        found += [Figure("runs without room on the disk", f"{total}", f">= {fulls}", total >= fulls)]
        found += [Figure(f"  {way}", f"{full.struck[way]}") for way in STRUCK[2:]]
        found += [
            Figure("  that failed without a clear error", f"{len(full.unclear)}", "0", not full.unclear),
            Figure("differences after the next run", f"{len(full.differences)}", "0", not full.differences),
        ]
    return found
