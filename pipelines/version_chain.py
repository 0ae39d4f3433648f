"""Chains of versions: the documents whose names count one thing, and the replacement of one by another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pipelines.version_rule import Alike, Member, Place, comparable

Compare = Callable[[str, str], Alike]

# Beyond so many drafts and copies between two versions nobody expects the next to be found by itself.
TRIED = 5


@dataclass(frozen=True, slots=True)
class Replacement:
    """`newer_body` replaces `older_body`; `why` says by what, or what speaks against it.

    jaccard, containment  of the two texts: the shared part of all, and the part of the older that the newer holds
    older, newer          (source, path) of the two documents whose names were compared
    """

    older_body: str
    newer_body: str
    why: str
    jaccard: float
    containment: float
    older: Place
    newer: Place

    @property
    def evidence(self) -> dict[str, Any]:
        """The names at the time and the figures, for a person and for the next run."""
        return {
            "older": "/".join(self.older),
            "newer": "/".join(self.newer),
            "why": self.why,
            "jaccard": self.jaccard,  # whole: the next run decides by them
            "containment": self.containment,
        }


def chains(members: Iterable[Member]) -> dict[tuple[str, ...], list[Member]]:
    """Group what can be versions of one thing: source, folder, name before the version and period.

    Of a body under several such names its highest version counts.
    """
    alike: dict[tuple[str, ...], dict[str, Member]] = defaultdict(dict)
    for one in members:
        name = one.name
        group = (one.document.source, one.folder, name.key, *name.periods)
        held = alike[group].get(one.body)
        if held is None or age(one) > age(held):
            alike[group][one.body] = one
    return {group: sorted(bodies.values(), key=age) for group, bodies in sorted(alike.items())}


def age(one: Member) -> tuple[Any, ...]:
    """Return the order in which the names of one chain seem to have been written."""
    name, document = one.name, one.document
    clock = document.modified_at.timestamp() if document.modified_at else 0.0
    return name.versions, name.weak, name.days, name.rank, clock, one.place, one.body


def later_versions(older: Member, group: Sequence[Member]) -> list[Member]:
    """Return the next explicit versions after `older` in its chain, which is in order."""
    if not older.name.versions:
        return []
    later = (one for one in group if comparable(older.name, one.name) and one.name.versions > older.name.versions)
    return list(islice(later, TRIED))


def between(older: Member, newer: Member, why: str, figures: Alike) -> Replacement:
    """Return the replacement of one document by another."""
    return Replacement(older.body, newer.body, why, *figures, older.place, newer.place)
