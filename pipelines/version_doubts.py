"""Pairs that a person should look at: which of two like documents is the one to believe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from pipelines.version_chain import TRIED, Compare, Replacement, age, between, chains, later_versions
from pipelines.version_content import DATES, Known, across_folders, by_content, reason
from pipelines.version_order import in_order
from pipelines.version_rule import Heard, Member, comparable, objection, same_name
from pipelines.version_subject import says_another

# Numbers at the end that only may count versions, and those that hardly count anything else.
_COUNTERS = frozenset({"number", "order"})


def doubts(
    members: Sequence[Member], heard: Heard, alike: Compare, known: Known, today: date | None = None
) -> Iterator[Replacement]:
    """Yield every pair that is worth a person's time, several for one document too."""
    found = chains(members)
    for group in found.values():
        yield from _in_chain(group, heard, alike, known, today)
    yield from _with_a_word_more(found, alike)
    yield from across_folders(members, alike, known)
    yield from by_content(members, known)


def _in_chain(
    group: Sequence[Member], heard: Heard, alike: Compare, known: Known, today: date | None
) -> Iterator[Replacement]:
    dates = len({one.name.days for one in group if one.name.days and not one.name.versions})
    for place, older in enumerate(group):
        for newer in later_versions(older, group):
            if not _explained(older, newer):
                figures = alike(older.body, newer.body)
                series = older.name.series or newer.name.series
                if figures.enough if series else figures.recognisable:
                    why = objection(older, newer, heard, today) or "the texts differ much"
                    yield between(older, newer, why, figures)
        later = group[place + 1 :]
        for newer in _neighbours(older, later):
            if older.name.series or newer.name.series or same_name(older, newer):
                continue
            close = frozenset((older.body, newer.body)) in known
            if close or not (dates > DATES or _counters(older, newer)):
                yield from _question(older, newer, reason(older, newer), alike)


def _neighbours(older: Member, later: Sequence[Member]) -> list[Member]:
    """Return the next and the last of a chain that can't be compared by explicit versions."""
    return [one for one in dict.fromkeys((*later[:1], *later[-1:])) if not comparable(older.name, one.name)]


def _explained(older: Member, newer: Member) -> bool:
    """Tell whether being one of a series explains two versions: release notes are told apart by v1 and v2.

    Two versions of the minutes of one day, and of one contract, are worth a question all the same.
    """
    a, b = older.name, newer.name
    if not a.series and not b.series:
        return False
    return a.subject != b.subject or a.days != b.days or ("releases" in (a.series, b.series) and not a.days)


def _with_a_word_more(groups: Mapping[tuple[str, ...], Sequence[Member]], alike: Compare) -> Iterator[Replacement]:
    """Yield successive versions of which one has a word more before it: 기획서_v1, 홍길동_기획서_v2."""
    fewer: dict[tuple[object, ...], list[Member]] = defaultdict(list)
    versioned = [one for group in groups.values() for one in group if one.name.versions and not one.name.series]
    for one in versioned:
        fewer[_words_key(one, one.name.head.split())].append(one)
    for one in versioned:
        words = one.name.head.split()
        for start, end in _left_out(len(words)):
            if any(map(says_another, words[start:end])):
                continue
            for other in _around(one, fewer.get(_words_key(one, words[:start] + words[end:]), ())):
                older, newer = in_order(one, other)
                figures = alike(older.body, newer.body)
                if figures.enough:
                    yield between(older, newer, "the names differ beside the version", figures)


def _around(one: Member, others: Iterable[Member]) -> list[Member]:
    """Return the next few versions before and after that of `one`."""
    fit = [other for other in others if comparable(one.name, other.name) and one.name.periods == other.name.periods]
    lower = sorted((other for other in fit if other.name.versions < one.name.versions), key=age, reverse=True)
    higher = sorted((other for other in fit if other.name.versions > one.name.versions), key=age)
    return [*lower[:TRIED], *higher[:TRIED]]


def _left_out(count: int) -> Iterator[tuple[int, int]]:
    """Yield the places of one or two neighbours among `count` words, some being left (김가온, kim.gaon)."""
    for size in (1, 2):
        for start in range(count - size + 1 if count > size else 0):
            yield start, start + size


def _words_key(one: Member, words: Sequence[str]) -> tuple[object, ...]:
    return one.document.source, one.folder, *words


def _counters(older: Member, newer: Member) -> bool:
    """Tell whether the two differ in a number at the end that may as well count parts."""
    kinds = {kind for one in (older, newer) for kind, _ in one.name.weak}
    return (
        older.name.weak != newer.name.weak and bool(kinds & _COUNTERS) and not (older.name.state and newer.name.state)
    )


def _question(a: Member, b: Member, why: str, alike: Compare) -> Iterable[Replacement]:
    older, newer = in_order(a, b)
    figures = alike(older.body, newer.body)
    return [between(older, newer, why, figures)] if figures.worth_asking else []
