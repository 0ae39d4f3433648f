"""Pairs that are asked about for what they say: like texts in different folders, and under other names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from pipelines.name_words import STATE
from pipelines.near import Edge
from pipelines.version_chain import TRIED, Compare, Replacement, age, between
from pipelines.version_holders import neighbouring
from pipelines.version_order import in_order
from pipelines.version_rule import AUTO_JACCARD, Alike, Member, same_name
from pipelines.version_subject import apart, folders_apart, wholly_different

Known = Mapping[frozenset[str], Edge]

# Four bare dates under one name are a series of their own (출장보고_20260105 ...): only like contents are asked about.
DATES = 3
# A body like more than three others is a filled form, and each of them is true.
_FELLOWS = 3
# A name that more folders hold is what every project has (README, 견적서 양식).
_FOLDERS = 4


def across_folders(members: Sequence[Member], alike: Compare, known: Known) -> Iterator[Replacement]:
    """Yield like documents of one name in different folders of one source; by names alone never more than asked."""
    groups: dict[tuple[str, ...], list[Member]] = defaultdict(list)
    for one in members:
        if not one.name.series and one.name.key:
            groups[one.document.source, one.name.key, *one.name.periods].append(one)
    fellows = _fellows(known)
    for _, group in sorted(groups.items()):
        if not 1 < len({one.folder for one in group}) <= _FOLDERS:
            continue
        of_name = {(one.folder, one.body): one for one in group}.values()
        pairs = dict.fromkeys((*_last_of_each(of_name), *_with_fellows(of_name, fellows)))
        for a, b in pairs:
            if a.folder == b.folder or a.body == b.body or folders_apart(a.folder, b.folder) or _export(a, b):
                continue
            older, newer = in_order(a, b)
            figures = alike(older.body, newer.body)
            if figures.jaccard >= AUTO_JACCARD or frozenset((a.body, b.body)) in known:
                yield between(older, newer, "different folders", figures)


def _last_of_each(group: Iterable[Member]) -> Iterator[tuple[Member, Member]]:
    """Yield the pairs of the last few of each folder: what stands before them is replaced or asked about there.

    Daily reports in two folders are no versions of each other: of bare dates only like contents count.
    """
    folders: dict[str, list[Member]] = defaultdict(list)
    for one in group:
        folders[one.folder].append(one)
    if len({one.name.days for one in group if one.name.days and not one.name.versions}) <= DATES:
        yield from combinations([one for names in folders.values() for one in sorted(names, key=age)[-TRIED:]], 2)


def _with_fellows(group: Iterable[Member], fellows: Mapping[str, set[str]]) -> Iterator[tuple[Member, Member]]:
    """Yield the pairs whose bodies are known to be alike."""
    holders = _holders(group)
    for body, ones in holders.items():
        for other in sorted(fellows.get(body, set()) & holders.keys()):
            if body < other:
                yield from ((a, b) for a in ones for b in holders[other])


def _fellows(known: Known) -> dict[str, set[str]]:
    """Return body -> the bodies that are near it or contained."""
    found: dict[str, set[str]] = defaultdict(set)
    for pair in known:
        for body in pair:
            found[body] |= pair - {body}
    return found


def _holders(members: Iterable[Member]) -> dict[str, list[Member]]:
    holders: dict[str, list[Member]] = defaultdict(list)
    for one in members:
        holders[one.body].append(one)
    return holders


def by_content(members: Sequence[Member], known: Known) -> Iterator[Replacement]:
    """Yield near and contained bodies of one source under close or other names."""
    holders = _holders(members)
    edges = [edge for edge in known.values() if edge.a in holders and edge.b in holders]
    fellows = Counter(body for edge in edges for body in (edge.a, edge.b))
    for edge in edges:
        if max(fellows[edge.a], fellows[edge.b]) > _FELLOWS:
            continue
        pairs = neighbouring(holders[edge.a], holders[edge.b])
        if found := next((pair for pair in pairs if _may_be_one(*pair)), None):
            older, newer = in_order(*found)
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


def reason(one: Member, other: Member) -> str:
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
        return reason(one, other) if one.folder == other.folder else "different folders"
    if STATE.search(one.name.stem) or not one.name.stem or not other.name.stem:
        return reason(one, other)
    return "the older is contained in the newer" if edge.kind == "contains" else "other names, almost the same text"
