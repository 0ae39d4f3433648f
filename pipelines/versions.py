"""Versions: 기획서_v1 -> v2 -> v3. What is replaced by itself, what a person said, and what a person must decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pipelines.near import Edge
from pipelines.version_chain import Compare, Replacement, between, chains, later_versions
from pipelines.version_doubts import doubts
from pipelines.version_holders import nearest
from pipelines.version_rule import Alike, Heard, Member, Named, Place, member, objection

__all__ = ["Decisions", "Named", "Pair", "Replacement", "Similarity", "replacements"]

Pair = tuple[str, str]  # older body, newer body
Similarity = Callable[[str, str], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Decisions:
    """What is replaced by itself, what goes to the review queue, and what persons accepted and still stands."""

    automatic: tuple[Replacement, ...]
    doubtful: tuple[Replacement, ...]
    accepted: tuple[Replacement, ...] = ()


def replacements(
    documents: Iterable[Named],
    similarity: Similarity,
    *,
    edges: Iterable[Edge] = (),
    accepted: Sequence[Pair] = (),
    rejected: Collection[Pair] = (),
    kept: Collection[str] = (),
    away: Collection[str] = (),
    today: date | None = None,
) -> Decisions:
    """Apply the version rule of DESIGN section 5 to live documents, in any order.

    similarity  (older body, newer body) -> Jaccard and the part of the older that is in the newer; asked only for
                bodies whose names may be versions of one thing
    edges       near and contained bodies, so that a person is asked about them under other names too; those of bodies
                with very many fellows, which are forms, may be left out
    accepted    what persons accepted, the newest answer first; it stands as long as both bodies are there
    rejected    what persons turned down, in either direction: never asked, never replaced
    kept        older bodies that nothing replaces unasked, like those of rejected pairs
    away        bodies that a person took out of search: they stand in their chains, and nobody is asked about them
    today       a newer version from a later day on is only asked about; None takes no day for later
    """
    members = sorted(map(member, documents), key=lambda one: (one.place, one.body))
    members = [one for one in members if one.document.chars]
    known = {frozenset((edge.a, edge.b)): edge for edge in edges}
    apart = {frozenset(pair) for pair in rejected}

    def alike(older: str, newer: str) -> Alike:
        edge = known.get(frozenset((older, newer)))
        if edge is None:
            return Alike(*similarity(older, newer))
        return Alike(edge.jaccard, edge.a_in_b if edge.a == older else edge.b_in_a)

    heard = Heard(members)
    stands = _accepted(accepted, members, alike)
    said = {one.older_body for one in stands} | {older for older, _ in rejected} | set(kept)
    found = [pair for group in chains(members).values() for pair in _automatic(group, heard, alike, today)]
    found = [one for one in found if one.older_body not in said and _pair(one) not in apart]
    edges_found = _unique(found, by_source=True)
    # A body that folders or persons give opposite places replaces nothing by itself.
    circular = _circular([*stands, *edges_found]) - set(stands)
    automatic = [one for one in edges_found if one not in circular]
    replaced = {one.older_body for one in (*stands, *automatic)}
    settled = replaced.union(away)
    asked = [
        one
        for one in (*circular, *doubts(members, heard, alike, known, today))
        if not _pair(one) & settled and _pair(one) not in apart
    ]
    return Decisions(tuple(automatic), tuple(_best(asked)), tuple(stands))


def _automatic(group: Sequence[Member], heard: Heard, alike: Compare, today: date | None) -> Iterator[Replacement]:
    """Yield for each document the first later version that may replace it; drafts and copies between are passed over.

    A version between them whose text is another ends the search: the numbers don't count one thing.
    """
    for older in group:
        if older.name.series or not older.name.final:
            continue
        for newer in later_versions(older, group):
            if objection(older, newer, heard, today):
                continue
            figures = alike(older.body, newer.body)
            if figures.enough:
                yield between(older, newer, "explicit versions", figures)
            break


def _accepted(accepted: Iterable[Pair], members: Iterable[Member], alike: Compare) -> list[Replacement]:
    """Return what persons accepted and both sides of which are there, at most one for each older body, no circles."""
    holders: dict[str, list[Member]] = defaultdict(list)
    for one in members:
        holders[one.body].append(one)
    stands: dict[str, Replacement] = {}
    for older, newer in accepted:
        if older in stands or older not in holders or newer not in holders:
            continue
        later = {body: [one.newer_body] for body, one in stands.items()}
        if older in _reached(newer, later):
            continue
        a, b = nearest(holders[older], holders[newer])
        stands[older] = between(a, b, "a person accepted it", alike(older, newer))
    return [stands[older] for older in sorted(stands)]


def _pair(one: Replacement) -> frozenset[str]:
    return frozenset((one.older_body, one.newer_body))


def _best(asked: Iterable[Replacement]) -> list[Replacement]:
    """Return one question for each older body, the one most worth a person's time; none twice the other way round."""
    best: dict[str, Replacement] = {}
    for one in sorted(asked, key=_worth):
        best.setdefault(one.older_body, one)
    seen: set[frozenset[str]] = set()
    kept = []
    for one in sorted(best.values(), key=_worth):
        if _pair(one) not in seen:
            kept.append(one)
        seen.add(_pair(one))
    return sorted(kept, key=lambda one: (one.older_body, one.newer_body))


def _worth(one: Replacement) -> tuple[bool, float, float, Place, Place]:
    apart = one.older[0] != one.newer[0] or one.older[1].rpartition("/")[0] != one.newer[1].rpartition("/")[0]
    return apart, -one.jaccard, -one.containment, one.older, one.newer


def _circular(edges: Sequence[Replacement]) -> set[Replacement]:
    """Return the replacements that lead back to where they start."""
    later = defaultdict(list)
    for edge in edges:
        later[edge.older_body].append(edge.newer_body)
    return {edge for edge in edges if edge.older_body in _reached(edge.newer_body, later)}


def _reached(start: str, later: Mapping[str, Sequence[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        body = waiting.pop()
        if body not in seen:
            seen.add(body)
            waiting.extend(later.get(body, ()))
    return seen


def _unique(found: Iterable[Replacement], *, by_source: bool = False) -> list[Replacement]:
    """Return the first replacement of each pair of bodies (in each source), ordered."""
    first: dict[tuple[str, str, str], Replacement] = {}
    for replacement in found:
        source = replacement.older[0] if by_source else ""
        first.setdefault((replacement.older_body, replacement.newer_body, source), replacement)
    return [first[pair] for pair in sorted(first)]
