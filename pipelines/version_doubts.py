"""Pairs that a person should look at: which of two like documents is the one to believe."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from pipelines.name_words import STATE
from pipelines.near import Edge
from pipelines.version_chain import Compare, Replacement, between, chains, later_versions
from pipelines.version_order import in_order
from pipelines.version_rule import AUTO_JACCARD, Alike, Heard, Member, comparable, objection, same_name
from pipelines.version_subject import apart, folders_apart, says_another, wholly_different

Known = Mapping[frozenset[str], Edge]

# Four bare dates under one name are a series of their own (출장보고_20260105 ...): only like contents are asked about.
_DATES = 3
# A body like more than three others is a filled form, and each of them is true.
_FELLOWS = 3
# A name that more folders hold is what every project has (README, 견적서 양식).
_FOLDERS = 4
# Numbers at the end that only may count versions, and those that hardly count anything else.
_COUNTERS = frozenset({"number", "order"})


def doubts(members: Sequence[Member], heard: Heard, alike: Compare, known: Known) -> Iterator[Replacement]:
    """Yield every pair that is worth a person's time, several for one document too."""
    found = chains(members)
    for group in found.values():
        yield from _in_chain(group, heard, alike, known)
    yield from _with_a_word_more(found, alike)
    yield from _across_folders(members, alike, known)
    yield from _by_content(members, known)


def _in_chain(group: Sequence[Member], heard: Heard, alike: Compare, known: Known) -> Iterator[Replacement]:
    dates = len({one.name.days for one in group if one.name.days and not one.name.versions})
    for place, older in enumerate(group):
        for newer in later_versions(older, group):
            if not _explained(older, newer):
                figures = alike(older.body, newer.body)
                series = older.name.series or newer.name.series
                if figures.enough if series else figures.recognisable:
                    why = objection(older, newer, heard) or "the texts differ much"
                    yield between(older, newer, why, figures)
        later = group[place + 1 :]
        for newer in _neighbours(older, later):
            if older.name.series or newer.name.series or same_name(older, newer):
                continue
            close = frozenset((older.body, newer.body)) in known
            if close or not (dates > _DATES or _counters(older, newer)):
                yield from _question(older, newer, _why(older, newer), alike)


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
            for other in fewer.get(_words_key(one, words[:start] + words[end:]), ()):
                if comparable(one.name, other.name) and one.name.periods == other.name.periods:
                    older, newer = in_order(one, other)
                    figures = alike(older.body, newer.body)
                    if figures.enough:
                        yield between(older, newer, "the names differ beside the version", figures)


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


def _across_folders(members: Sequence[Member], alike: Compare, known: Known) -> Iterator[Replacement]:
    """Yield like documents of one name in different folders of one source; by names alone never more than asked."""
    groups: dict[tuple[str, ...], list[Member]] = defaultdict(list)
    for one in members:
        if not one.name.series and one.name.key:
            groups[one.document.source, one.name.key, *one.name.periods].append(one)
    for _, group in sorted(groups.items()):
        if not 1 < len({one.folder for one in group}) <= _FOLDERS:
            continue
        highest = {(one.folder, one.body): one for one in group}
        for a, b in combinations(highest.values(), 2):
            if a.folder == b.folder or a.body == b.body or folders_apart(a.folder, b.folder) or _export(a, b):
                continue
            older, newer = in_order(a, b)
            figures = alike(older.body, newer.body)
            if figures.jaccard >= AUTO_JACCARD or frozenset((a.body, b.body)) in known:
                yield between(older, newer, "different folders", figures)


def _by_content(members: Sequence[Member], known: Known) -> Iterator[Replacement]:
    """Yield near and contained bodies of one source under close or other names."""
    holders: dict[str, list[Member]] = defaultdict(list)
    for one in members:
        holders[one.body].append(one)
    edges = [edge for edge in known.values() if edge.a in holders and edge.b in holders]
    fellows = Counter(body for edge in edges for body in (edge.a, edge.b))
    for edge in edges:
        if max(fellows[edge.a], fellows[edge.b]) > _FELLOWS:
            continue
        pairs = [(a, b) for a in holders[edge.a] for b in holders[edge.b] if _may_be_one(a, b)]
        if pairs:
            older, newer = in_order(*min(pairs, key=lambda pair: (pair[0].folder != pair[1].folder, pair[0].place)))
            contained = edge.a_in_b if edge.a == older.body else edge.b_in_a
            yield between(older, newer, _why_like(older, newer, edge), Alike(edge.jaccard, contained))


def _may_be_one(a: Member, b: Member) -> bool:
    if a.document.source != b.document.source or apart(a, b) or _export(a, b):
        return False
    return a.folder == b.folder or not wholly_different(a.name.stem, b.name.stem)


def _export(a: Member, b: Member) -> bool:
    """Tell whether two documents differ in their format only: 제안서.hwp and its 제안서.pdf."""
    formats = [one.document.path.rpartition(".")[2].lower() for one in (a, b)]
    return same_name(a, b) and (a.folder == b.folder or formats[0] != formats[1])


def _question(a: Member, b: Member, why: str, alike: Compare) -> Iterable[Replacement]:
    older, newer = in_order(a, b)
    figures = alike(older.body, newer.body)
    return [between(older, newer, why, figures)] if figures.worth_asking else []


def _why(one: Member, other: Member) -> str:
    older, newer = one.name, other.name
    if older.copied or newer.copied:
        return "a name has a copy mark"
    if older.state or newer.state:
        return f"words of state only: {', '.join(dict.fromkeys(older.state + newer.state))}"
    if older.days != newer.days:
        return "dates only"
    return "a number that may not be a version" if older.weak or newer.weak else "no version on both names"


def _why_like(one: Member, other: Member, edge: Edge) -> str:
    if one.name.copied or other.name.copied or one.name.subject == other.name.subject:
        return _why(one, other) if one.folder == other.folder else "different folders"
    if STATE.search(one.name.stem) or not one.name.stem or not other.name.stem:
        return _why(one, other)
    return "the older is contained in the newer" if edge.kind == "contains" else "other names, almost the same text"
