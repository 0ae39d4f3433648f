"""Families: documents joined by equal, near or contained bodies, and which of them is the latest candidate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

import numpy as np

from pipelines.dedup import Copy, representatives
from pipelines.edges import Edges, components
from pipelines.findings import AHEAD
from pipelines.grams import Numbers, opens_run
from pipelines.near import Edge, Flags

Label = Literal["exact", "near", "contains", "mixed"]

FILE_CLOCK = "mtime"
UNIQUE, MIXED, UNSURE = 0.9, 0.6, 0.5
_UNKNOWN = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Member:
    """A document in the eyes of its family.

    modified_at   its own clock, named by `clock` ("hwp:summary13"), else the file's ("mtime"), None without either
    extras        what it has beside the words of its body: "comment", "image", ... -> how many
    first_seen, source_order  as in dedup.Copy, where they are known
    """

    source: str
    path: str
    body_hash: str
    modified_at: datetime | None = None
    clock: str | None = None
    extras: dict[str, int] = field(default_factory=dict)
    first_seen: datetime = _UNKNOWN
    source_order: int = 0


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest candidate, the clock that decided ("mixed" for embedded and file clocks), and how sure that is."""

    member: Member | None
    clock: str | None
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Family:
    """Two or more documents, sorted by source and path, and all verified edges between their bodies.

    latest  the one to believe first, None on a tie between different bodies
    """

    id: str
    label: Label
    members: tuple[Member, ...]
    edges: Edges
    latest: Member | None
    clock: str | None
    confidence: float
    reason: str


def families(members: Iterable[Member], edges: Iterable[Edge], now: datetime) -> list[Family]:
    """Join documents of one body and of bodies with an edge; sorted by id, whatever the order of what comes."""
    of_body: dict[str, list[Member]] = defaultdict(list)
    for member in members:
        of_body[member.body_hash].append(member)
    listed = Edges.of(edges)
    bodies = sorted(of_body.keys() | set(listed.bodies))
    place = {body: number for number, body in enumerate(bodies)}
    number = np.array([place[body] for body in listed.bodies], np.int64)
    here = np.array([body in of_body for body in listed.bodies], bool)
    known = listed.taken(here[listed.a] & here[listed.b]) if len(listed) else listed
    least = components(len(bodies), [(number[known.a], number[known.b])] if len(known) else [])
    groups: dict[int, list[str]] = defaultdict(list)
    for body, first in zip(bodies, least.tolist(), strict=True):
        if body in of_body:
            groups[first].append(body)
    inner = _by_family(known, least[number[known.a]] if len(known) else known.a)
    return [
        _family(bodies[first], [one for body in group for one in of_body[body]], inner.get(first, Edges.of(())), now)
        for first, group in groups.items()
        if len(group) > 1 or len(of_body[group[0]]) > 1
    ]


def _by_family(edges: Edges, first: Numbers) -> dict[int, Edges]:
    """Return the edges of each family, of which `first` has the least body's place, in their order."""
    if not len(edges):
        return {}
    order = np.argsort(first, kind="stable")
    starts = np.flatnonzero(opens_run(first[order])).tolist()
    whole = edges.taken(order)
    ends = [*starts[1:], len(order)]
    return {int(first[order[start]]): whole.taken(slice(start, end)) for start, end in zip(starts, ends, strict=True)}


def label_counts(documents: Numbers, least: Numbers, near: Flags, contains: Flags) -> dict[Label, int]:
    """Return how many families of each label there are, as `families` would give them.

    documents       (n,) how many hold each body
    least           (n,) the body that stands for its component
    near, contains  (n,) whether the body has such an edge
    """
    held, bodies = np.bincount(least, documents), np.bincount(least)
    is_near, is_contained = np.bincount(least, near) > 0, np.bincount(least, contains) > 0
    several = bodies > 1
    mixed = several & ((held > bodies) | (is_near & is_contained))
    found: dict[Label, Flags] = {
        "exact": (bodies == 1) & (held > 1),
        "near": several & ~mixed & is_near,
        "contains": several & ~mixed & is_contained,
        "mixed": mixed,
    }
    return {label: int(np.count_nonzero(which)) for label, which in found.items()}


def latest_of(members: Iterable[Member], now: datetime) -> Latest:
    """Return the latest candidate by time alone: names, lengths and directions never score."""
    members = list(members)
    timed = [member for member in members if member.modified_at is not None and member.modified_at <= now + AHEAD]
    newest = max((member.modified_at for member in timed if member.modified_at is not None), default=None)
    first = [member for member in timed if member.modified_at == newest] or members
    clock = _clock(timed, first[0])
    if len({member.body_hash for member in first}) > 1:
        return Latest(None, clock, UNSURE, "tie between different bodies" if timed else "no usable time")
    if len(first) > 1 or not timed:
        return Latest(_representative(first), clock, UNSURE, "tie between copies" if timed else "no usable time")
    if clock == "mixed":
        return Latest(first[0], clock, MIXED, "latest, embedded and file clocks mixed")
    if len(timed) < len(members):
        return Latest(first[0], clock, MIXED, f"latest by {clock}, a document without a usable time aside")
    return Latest(first[0], clock, UNIQUE, f"latest by {clock}")


def _family(first: str, members: list[Member], edges: Edges, now: datetime) -> Family:
    members.sort(key=lambda member: (member.source, member.path))
    latest = latest_of(members, now)
    return Family(
        first[:12],
        _label(members, edges),
        tuple(members),
        edges,
        latest.member,
        latest.clock,
        latest.confidence,
        latest.reason,
    )


def _label(members: list[Member], edges: Edges) -> Label:
    bodies = {member.body_hash for member in members}
    if len(bodies) == 1:
        return "exact"
    if len(bodies) < len(members) or (edges.near.any() and not edges.near.all()):
        return "mixed"
    return "near" if edges.near.any() else "contains"


def _clock(timed: list[Member], first: Member) -> str | None:
    """Return the clock of the first, or "mixed" when the files' clock stands beside embedded ones."""
    kinds = {member.clock == FILE_CLOCK for member in timed}
    if len(kinds) > 1:
        return "mixed"
    return first.clock if timed else None


def _representative(members: list[Member]) -> Member:
    """Return the member that dedup would let serve their one body."""
    copies = {(member.source, member.path): member for member in members}
    group = representatives(
        Copy(
            member.source,
            member.path,
            member.body_hash,
            member.first_seen,
            member.source_order,
            None if member.clock == FILE_CLOCK else member.modified_at,
        )
        for member in members
    )[0]
    return copies[group.representative.source, group.representative.path]
