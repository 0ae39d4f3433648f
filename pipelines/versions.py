"""Versions: 기획서_v1 -> v2 -> v3. What is replaced by itself, and what a person must decide."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pipelines.names import Name, Version, name_stem, parse_name

# Content that the newer must share, measured on 112 pairs of names: with it and the series words 30 of 30 automatic
# replacements were right. Below the second pair a question to a person is noise.
AUTO_JACCARD, AUTO_CONTAINMENT = 0.60, 0.85
ASK_JACCARD, ASK_CONTAINMENT = 0.40, 0.80

# A document that says so isn't in force yet ...
_NOT_IN_FORCE = re.compile(
    r"초안|검토|\(안\)|(?<=[_\- ])안(?=$|[_\- .(])|개정안|의견\s*수렴|(?<![a-z])(?:draft|wip)(?![a-z])", re.IGNORECASE
)
# ... and one that says so is: nothing replaces it by its name alone.
_IN_FORCE = re.compile(
    r"시행|결재\s*완료|확정|최종|공고|(?<![a-z])(?:final|approved|effective)(?![a-z])", re.IGNORECASE
)
Place = tuple[str, str]
Similarity = Callable[[str, str], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Named:
    """A live document in the eyes of the version rule: readable, and with its own last good text.

    chars        length of the squeezed body
    modified_at  the document's own clock (never the file's), None without one
    says         title and status that the document gives itself, searched for 초안, 시행 and the like
    """

    source: str
    path: str
    body_hash: str
    chars: int
    modified_at: datetime | None = None
    says: str = ""


@dataclass(frozen=True, slots=True)
class Replacement:
    """`newer_body` replaces `older_body`; `evidence` says by which names and figures, or what speaks against it.

    older, newer  (source, path) of the two documents whose names were compared
    """

    older_body: str
    newer_body: str
    evidence: str
    older: Place
    newer: Place


@dataclass(frozen=True, slots=True)
class Decisions:
    """What is replaced by itself, and what goes to the review queue."""

    automatic: tuple[Replacement, ...]
    doubtful: tuple[Replacement, ...]


def replacements(documents: Iterable[Named], similarity: Similarity) -> Decisions:
    """Apply the version rule of DESIGN section 5 to live documents, in any order.

    Only names of one source, folder and stem are compared. `similarity(older_body, newer_body)` returns Jaccard and the
    part of the older that is in the newer, and is asked for those alone.
    """
    alike: dict[tuple[str, str, str], list[Named]] = defaultdict(list)
    says: dict[str, str] = defaultdict(str)
    for document in sorted(documents, key=lambda document: (document.source, document.path)):
        name = parse_name(document.path)
        says[document.body_hash] += f" {name_stem(document.path)} {document.says}"
        if name.stem and not name.series and document.chars:
            folder = document.path.rpartition("/")[0]
            alike[document.source, folder, name.stem].append(document)
    found = [pair for group in alike.values() for pair in _compare(group, says, similarity)]
    # Equal pairs of bodies may stand in several sources, each with its own policy.
    edges = _unique((replacement for sure, replacement in found if sure), by_source=True)
    # A body that folders give opposite places replaces nothing by itself.
    circular = _circular(edges)
    automatic = [edge for edge in edges if edge not in circular]
    decided = {frozenset((edge.older_body, edge.newer_body)) for edge in automatic}
    asked = _unique([*(replacement for sure, replacement in found if not sure), *circular])
    doubtful = [edge for edge in asked if frozenset((edge.older_body, edge.newer_body)) not in decided]
    return Decisions(tuple(automatic), tuple(doubtful))


@dataclass(frozen=True, slots=True)
class _Member:
    document: Named
    name: Name

    def comparable(self, other: _Member) -> bool:
        """Tell whether both carry the same kinds of version tokens, and different numbers."""
        mine, theirs = self.name.versions, other.name.versions
        return bool(mine) and [kind for kind, _ in mine] == [kind for kind, _ in theirs] and mine != theirs


def _compare(
    group: Sequence[Named], says: Mapping[str, str], similarity: Similarity
) -> Iterator[tuple[bool, Replacement]]:
    """Yield (automatic, replacement) within one stem. Of a body under several names its highest version counts."""
    highest: dict[str, _Member] = {}
    for document in group:
        member = _Member(document, parse_name(document.path))
        held = highest.get(document.body_hash)
        if held is None or _age(member) > _age(held):
            highest[document.body_hash] = member
    members = sorted(highest.values(), key=_age)
    for n, older in enumerate(members):
        later = members[n + 1 :]
        yield from _successor(older, [newer for newer in later if older.comparable(newer)], says, similarity)
        if later and not older.comparable(later[0]):
            yield from _question(older, later[0], _why_doubtful(older.name, later[0].name), similarity)


def _age(member: _Member) -> tuple[Version, date, int, float, str]:
    """Return the order in which the names of one stem seem to have been written."""
    name, document = member.name, member.document
    rank = sum(-1 if _NOT_IN_FORCE.search(word) else 1 if _IN_FORCE.search(word) else 0 for word in name.state)
    clock = document.modified_at.timestamp() if document.modified_at else 0.0
    return name.versions, name.day or date.min, rank, clock, document.path


def _successor(
    older: _Member, newer: Sequence[_Member], says: Mapping[str, str], similarity: Similarity
) -> Iterator[tuple[bool, Replacement]]:
    """Yield the first version that may replace `older` by itself, else the first that a person should look at."""
    asked = None
    for candidate in newer:
        jaccard, containment = similarity(older.document.body_hash, candidate.document.body_hash)
        against = _objection(older, candidate, says)
        alike = jaccard >= AUTO_JACCARD or containment >= AUTO_CONTAINMENT
        if alike and not against:
            yield True, _replacement(older, candidate, "explicit versions", jaccard, containment)
            return
        if asked is None and _worth_asking(jaccard, containment):
            asked = _replacement(older, candidate, against or "the texts differ much", jaccard, containment)
    if asked is not None:
        yield False, asked


def _question(older: _Member, newer: _Member, why: str, similarity: Similarity) -> Iterator[tuple[bool, Replacement]]:
    jaccard, containment = similarity(older.document.body_hash, newer.document.body_hash)
    if _worth_asking(jaccard, containment):
        yield False, _replacement(older, newer, why, jaccard, containment)


def _worth_asking(jaccard: float, containment: float) -> bool:
    return jaccard >= ASK_JACCARD or containment >= ASK_CONTAINMENT


def _objection(older: _Member, newer: _Member, says: Mapping[str, str]) -> str:
    """Return what forbids an automatic replacement, or "". Every name that holds the body is heard."""
    a, b = older.document, newer.document
    if found := _NOT_IN_FORCE.search(unicodedata.normalize("NFKC", says[b.body_hash])):
        return f"the newer says {found[0]}"
    if found := _IN_FORCE.search(unicodedata.normalize("NFKC", says[a.body_hash])):
        return f"the older says {found[0]}"
    if b.chars * 2 < a.chars:
        return "the newer is under half as long"
    if a.modified_at and b.modified_at and b.modified_at < a.modified_at:
        return "the newer is older by its own clock"
    if older.name.day and newer.name.day and newer.name.day < older.name.day:
        return "the dates in the names contradict the versions"
    if older.name.copied or newer.name.copied:
        return "a name has a copy mark"
    return ""


def _why_doubtful(older: Name, newer: Name) -> str:
    if older.copied or newer.copied:
        return "a name has a copy mark"
    if older.state or newer.state:
        return f"words of state only: {', '.join(dict.fromkeys(older.state + newer.state))}"
    if older.day != newer.day:
        return "dates only"
    return "no version on both names"


def _replacement(older: _Member, newer: _Member, why: str, jaccard: float, containment: float) -> Replacement:
    names = " -> ".join(member.document.path.rsplit("/", 1)[-1] for member in (older, newer))
    evidence = f"{names}: {why} (Jaccard {jaccard:.2f}, containment {containment:.2f})"
    a, b = older.document, newer.document
    return Replacement(a.body_hash, b.body_hash, evidence, (a.source, a.path), (b.source, b.path))


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
