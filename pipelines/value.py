"""One value that a passage states, and what it is a value of."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pipelines.scope import Scope


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a passage.

    kind, value  what is compared: "money:KRW", "10000000"; `bound` and `per` as in quantities.Found
    words        the attribute: content words of its labels and of its clause up to the value, in order, folded
    borrowed     the words are those of the clause before, as its own has none
    predicate    those after the value: what is done with it, seldom what it is of
    context      words that may be meant too: of headings, of what was said before
    scope        (class, name) pairs that set it apart, sorted
    written      as the passage writes it; start..end is its place there, `clause` at most CLAUSE_CHARS around it
    group        values of one clause share it; a `condition` says when the others of its group hold
    """

    kind: str
    value: str
    bound: str
    per: str
    words: tuple[str, ...]
    predicate: tuple[str, ...]
    context: tuple[str, ...]
    scope: Scope
    written: str
    clause: str
    start: int
    end: int
    group: int
    condition: bool = False
    borrowed: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what `from_json` takes."""
        return asdict(self)


def from_json(stored: dict[str, Any]) -> Value:
    """Return a value as it was stored."""
    lists = {name: tuple(stored[name]) for name in ("words", "predicate", "context")}
    return Value(**{**stored, **lists, "scope": tuple((name, said) for name, said in stored["scope"])})
