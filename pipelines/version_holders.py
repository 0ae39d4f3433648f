"""Of two bodies that many documents hold: the two documents that stand nearest to each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from pipelines.version_rule import Member

Key = TypeVar("Key")

# So many names of one body in one folder, and so many beyond it, say what all of them say.
_NAMES = 8


def nearest(mine: Sequence[Member], theirs: Sequence[Member]) -> tuple[Member, Member]:
    """Return the two of one folder, else of one source, else of any, by place; looks at each document once."""
    others = _by_place(theirs)
    in_folder = _firsts((_folder(one), one) for one in others)
    in_source = _firsts((one.document.source, one) for one in others)
    found = []
    for one in _by_place(mine):
        if _folder(one) in in_folder:
            found.append((0, one, in_folder[_folder(one)]))
        elif one.document.source in in_source:
            found.append((1, one, in_source[one.document.source]))
        else:
            found.append((2, one, others[0]))
    _, a, b = min(found, key=lambda pair: (pair[0], pair[1].place))
    return a, b


def neighbouring(mine: Sequence[Member], theirs: Sequence[Member]) -> Iterator[tuple[Member, Member]]:
    """Yield pairs of one source, those of one folder first, each by place.

    Of names that are alike one stands for all, and there are at most _NAMES² pairs of a folder and as many beyond.
    """
    a_names, b_names = _by_place(mine), _by_place(theirs)
    b_in_folder: dict[tuple[str, str], list[Member]] = {}
    for one in b_names:
        b_in_folder.setdefault(_folder(one), []).append(one)
    a_in_folder: dict[tuple[str, str], list[Member]] = {}
    for one in a_names:
        if _folder(one) in b_in_folder:
            a_in_folder.setdefault(_folder(one), []).append(one)
    for folder, members in a_in_folder.items():
        yield from ((a, b) for a in _telling(members) for b in _telling(b_in_folder[folder]))
    for source in dict.fromkeys(one.document.source for one in a_names):
        here, there = (_telling(one for one in names if one.document.source == source) for names in (a_names, b_names))
        yield from ((a, b) for a in here for b in there if a.folder != b.folder)


def _telling(members: Iterable[Member]) -> list[Member]:
    """Return the first of each name in each folder, a few."""
    return list(islice(_firsts(((_folder(one), one.name), one) for one in members).values(), _NAMES))


def _by_place(members: Iterable[Member]) -> list[Member]:
    return sorted(members, key=lambda one: (one.place, one.body))


def _folder(one: Member) -> tuple[str, str]:
    return one.document.source, one.folder


def _firsts(named: Iterable[tuple[Key, Member]]) -> dict[Key, Member]:
    first: dict[Key, Member] = {}
    for key, one in named:
        first.setdefault(key, one)
    return first
