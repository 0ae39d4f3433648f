"""Equal bodies: which document serves them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from pipelines.names import has_copy_mark

_NEVER = datetime.max.replace(tzinfo=UTC)


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
