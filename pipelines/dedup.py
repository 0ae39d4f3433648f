"""Equal bodies: which document serves them. And how alike two bodies are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass
from datetime import UTC, datetime

from pipelines.names import has_copy_mark

_NEVER = datetime.max.replace(tzinfo=UTC)
GRAM_CHARS = 5


@dataclass(frozen=True, slots=True)
class Copy:
    """A live document in the eyes of dedup.

    first_seen    moment of the run that first saw it
    source_order  place of its source in the settings
    modified_at   the document's own clock (never the file's), None without one
    sound         its file was there and could be read tonight
    """

    source: str
    path: str
    body_hash: str
    first_seen: datetime
    source_order: int
    modified_at: datetime | None = None
    sound: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """The documents of one body, the one that serves first; `reason` says what decided between the first two."""

    body_hash: str
    members: tuple[Copy, ...]
    reason: str

    @property
    def representative(self) -> Copy:
        return self.members[0]


def representatives(documents: Iterable[Copy]) -> list[Group]:
    """Group live documents by body, ordered by body hash; the order in which they come doesn't matter."""
    groups = defaultdict(list)
    for document in documents:
        groups[document.body_hash].append(document)
    return [_group(body_hash, members) for body_hash, members in sorted(groups.items())]


def shingles5(text: str) -> frozenset[str]:
    """Return the 5-grams of the lower-cased, white-space-folded text; a shorter text is its only one."""
    folded = " ".join(text.lower().split())
    if len(folded) <= GRAM_CHARS:
        return frozenset([folded] if folded else [])
    return frozenset(folded[n : n + GRAM_CHARS] for n in range(len(folded) - GRAM_CHARS + 1))


def jaccard(a: Set[str], b: Set[str]) -> float:
    """Return the shared part of all; 0 when either is empty (two empty texts are not alike)."""
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0


def containment(a: Set[str], b: Set[str]) -> float:
    """Return the part of `a` that is in `b`; 0 when `a` is empty."""
    return len(a & b) / len(a) if a else 0.0


def _group(body_hash: str, members: list[Copy]) -> Group:
    ranked = sorted(members, key=_rank)
    if len(ranked) == 1:
        return Group(body_hash, tuple(ranked), "only one")
    pairs = zip(_RULES, _rank(ranked[0]), _rank(ranked[1]), strict=True)
    reason = next((rule for rule, first, second in pairs if first != second), "listed twice")
    return Group(body_hash, tuple(ranked), reason)


_RULES = ("can be read", "seen first", "no copy mark", "older embedded time", "source order", "path", "path")


def _rank(document: Copy) -> tuple[bool, datetime, bool, datetime, int, str, str]:
    """Return the order of DESIGN section 3: a copy made later never takes over, unless the first can't be read."""
    return (
        not document.sound,
        document.first_seen,
        has_copy_mark(document.path),
        document.modified_at or _NEVER,
        document.source_order,
        document.path,
        document.source,
    )
