"""Which of two documents seems to be the older: the direction in which a person is asked."""

from __future__ import annotations

from pipelines.name_versions import Version
from pipelines.name_words import rank_of, states_in
from pipelines.names import Name
from pipelines.version_rule import Member, earlier, kinds_of

# A text that is longer by a tenth was written on, all else being equal.
_LONGER = 1.1


def in_order(one: Member, other: Member) -> tuple[Member, Member]:
    """Return (older, newer) as far as names, own clocks, lengths and at last the files' times say.

    Nothing is replaced by this order alone: it is the direction in which a person is asked.
    """
    a, b = sorted((one, other), key=lambda each: (each.place, each.body))
    return (a, b) if _sign(a, b) <= 0 else (b, a)


def _sign(a: Member, b: Member) -> float:
    """Return below 0 when `a` is the older: the first of these that tells them apart."""
    x, y = a.name, b.name
    numbers = _compared(x.versions, y.versions) or _compared(x.weak, y.weak) or _compared_days(x, y)
    if numbers:
        return numbers
    rank = x.rank + _folder_rank(a) - y.rank - _folder_rank(b)
    if rank:
        return rank
    if earlier(a.document, b.document) or earlier(b.document, a.document):
        return -1 if earlier(a.document, b.document) else 1
    if bool(x.versions) != bool(y.versions):
        return -1 if y.versions else 1
    if x.copied != y.copied:
        return -1 if y.copied else 1
    long, short = max(a.document.chars, b.document.chars), min(a.document.chars, b.document.chars)
    if long > _LONGER * short:
        return a.document.chars - b.document.chars
    if a.document.written_at and b.document.written_at:
        return (a.document.written_at - b.document.written_at).total_seconds()
    return 0


def _compared(one: Version, other: Version) -> int:
    if one == other or not one or kinds_of(one) != kinds_of(other):
        return 0
    return -1 if one < other else 1


def _compared_days(one: Name, other: Name) -> int:
    if one.days == other.days or not one.days or not other.days:
        return 0
    first, second = one.days[-1], other.days[-1]
    return 0 if bool(first[0]) != bool(second[0]) or first == second else (-1 if first < second else 1)


def _folder_rank(one: Member) -> float:
    return rank_of(states_in(one.folder))
