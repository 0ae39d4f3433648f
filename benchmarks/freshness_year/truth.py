"""What must be so after each night: kept by those who play the events, never read from the product."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from office import Fact

QUIET = frozenset({"ok", "moved"})


@dataclass
class Truth:
    """The folders as they are, and the state that each canary must have.

    files    "source/path" -> text on disk, as far as its folder can be reached
    states   fact number -> the state of its canary; quiet without one
    away     folders out of reach
    held     whether this night's version must wait
    expires  "source/path" -> the last day on which it holds
    old      places whose newer version serves instead
    ended    "folder/name" of the answers whose newer version was taken away before this night
    diluted  fact number -> its answer has been diluted, so that its score decides
    """

    facts: list[Fact]
    files: dict[str, str] = field(default_factory=dict)
    states: dict[int, str] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)
    held: bool = False
    expires: dict[str, date] = field(default_factory=dict)
    old: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    diluted: set[int] = field(default_factory=set)

    def state(self, fact: Fact, today: date) -> str:
        """Return what the canary must say on the night after `today`, "" for ok or moved."""
        if fact.place in self.expires and today > self.expires[fact.place]:
            return "lost"
        said = self.states.get(fact.number, "")
        return "" if self.held and said == "displaced" else said

    def may_serve(self, place: str, today: date) -> bool:
        """Tell whether passages of a place may be found at all."""
        if place in self.old or place not in self.files:
            return False
        return place not in self.expires or today <= self.expires[place]
