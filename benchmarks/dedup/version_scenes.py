"""Scenes of office life in a folder: chains of versions, and everything that only looks like one.

Each scene yields documents with their truth: `thread` (what it is a state of), `order` (the true order of its states),
`lane` (states whose numbers can be compared; "" when no number says so), `standing` (draft, approved or "").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from version_desk import Desk, Made
from version_names import (
    CONTRACTS,
    DAYS,
    EXPLICIT,
    EXTENSIONS,
    FORMS,
    IN_FORCE,
    NOT_IN_FORCE,
    PARTIES,
    PEOPLE,
    PROJECTS,
    RELEASE_NOTES,
    RELEASES,
    SERIES,
    STATES,
    TEAMS,
    VARIANTS,
)

Scene = Callable[[Desk], Iterator[Made]]


def _numbered(
    desk: Desk, pattern: str, title: str, numbers: Sequence[int], texts: Sequence[str], lane: str = "", thread: str = ""
) -> list[Made]:
    """Return the states of one thing, named by `pattern`."""
    thread = thread or desk.thread()
    day, extension = desk.pick(DAYS), desk.pick(EXTENSIONS)
    fixed = {"person": desk.pick(PEOPLE), "team": desk.pick(TEAMS), "t": title, "p": title}
    made = []
    for order, (number, text, moment) in enumerate(zip(numbers, texts, desk.moments(len(numbers)), strict=True)):
        name = pattern.format(n=number, day=moment.strftime(day), **fixed)
        extension = desk.pick(EXTENSIONS) if desk.chance(0.2) else extension
        made.append(Made(f"{name}.{extension}", text, moment, desk.clock(moment), thread, order, lane))
    return made


def _marked(made: Made, mark: str) -> Made:
    stem, _, extension = made.name.rpartition(".")
    return replace(made, name=f"{stem}{mark}.{extension}")


def _chain(desk: Desk, count: int, title: str = "") -> list[Made]:
    kind = desk.kind()
    counting, pattern = desk.pick(EXPLICIT)
    first = desk.number(1, 9) if desk.chance(0.3) else 1
    numbers = [first + n for n in range(count)]
    return _numbered(desk, pattern, title or desk.title(kind), numbers, desk.states(kind, count), counting)


def chain(desk: Desk) -> Iterator[Made]:
    """v1 .. v5."""
    yield from _chain(desk, desk.number(2, 5))


def chain_with_gaps(desk: Desk) -> Iterator[Made]:
    """v1, v3, v4: somebody tidied up."""
    made = _chain(desk, 5)
    kept = sorted(desk.rng.choice(5, 3, replace=False).tolist())
    yield from (made[place] for place in kept)


def first_drafts(desk: Desk) -> Iterator[Made]:
    """v1_초안, v2, v3_최종."""
    made = _chain(desk, desk.number(2, 4))
    yield replace(_marked(made[0], desk.pick(NOT_IN_FORCE)), standing="draft")
    yield from made[1:-1]
    yield replace(_marked(made[-1], desk.pick(IN_FORCE)), standing="approved")


def mixed_ways(desk: Desk) -> Iterator[Made]:
    """기획서_v1, 기획서 V2.0, 기획서_ver3: each author has a way."""
    kind = desk.kind()
    title, ways = desk.title(kind), ("{t}_v{n}", "{t} V{n}.0", "{t}_ver{n}", "{t}(v{n})", "{t}-Ver.{n}")
    numbers = range(1, desk.number(3, 6))
    made = _numbered(desk, "{t} {n}", title, numbers, desk.states(kind, len(numbers)), "v")
    for number, document in zip(numbers, made, strict=True):
        yield replace(document, name=f"{desk.pick(ways).format(t=title, n=number)}.{desk.pick(EXTENSIONS)}")


def tenth(desk: Desk) -> Iterator[Made]:
    """v0.9, v0.10, v1.0."""
    kind = desk.kind()
    title = desk.title(kind)
    made = _numbered(desk, "{t}_v{n}", title, range(3), desk.states(kind, 3), "v")
    for document, version in zip(made, desk.pick((("0.9", "0.10", "1.0"), ("1.9", "1.10", "1.11"))), strict=True):
        yield replace(document, name=f"{title}_v{version}.docx")


def draft_over_approved(desk: Desk) -> Iterator[Made]:
    """v2 was approved, v3 is a draft of what may come."""
    made = _chain(desk, 3)
    yield made[0]
    yield replace(_marked(made[1], desk.pick(IN_FORCE)), standing="approved")
    yield replace(_marked(made[2], desk.pick(NOT_IN_FORCE)), standing="draft")


def newer_draft(desk: Desk) -> Iterator[Made]:
    """v1, and v2 that isn't in force yet; sometimes v3 that is."""
    made = _chain(desk, desk.number(2, 3))
    yield made[0]
    yield replace(_marked(made[1], desk.pick(NOT_IN_FORCE)), standing="draft")
    yield from made[2:]


def shorter_newer(desk: Desk) -> Iterator[Made]:
    """v2 is a summary of v1, or broke off."""
    first, second = _chain(desk, 2)
    yield first
    yield replace(second, text=second.text[: round(len(second.text) * float(desk.rng.uniform(0.15, 0.45)))])


def contradicting(desk: Desk) -> Iterator[Made]:
    """The clocks or the days in the names say the opposite of the versions."""
    kind = desk.kind()
    days = desk.chance(0.5)
    pattern = desk.pick(("{t}_v{n}_{day}", "{day}_{t}_v{n}")) if days else "{t}_v{n}"
    title, texts = desk.title(kind), desk.states(kind, 2)
    first, second = _numbered(desk, pattern, title, (2, 1), texts[::-1], "v")
    thread = first.thread
    yield replace(second, order=0, clock=None if days else second.moment, thread=thread)
    yield replace(first, order=1, clock=None if days else first.moment, thread=thread)


def states(desk: Desk) -> Iterator[Made]:
    """초안, 수정, 최종, 진짜최종, (1), 사본: no number to go by."""
    kind = desk.kind()
    title, names = desk.title(kind), desk.pick(STATES)
    made = _numbered(desk, "{t}{n}", title, range(len(names)), desk.states(kind, len(names)))
    yield from (
        replace(document, name=f"{name.format(t=title)}.docx") for name, document in zip(names, made, strict=True)
    )


def dates_only(desk: Desk) -> Iterator[Made]:
    """계획서_20260302, 계획서_20260316."""
    kind = desk.kind()
    yield from _numbered(desk, "{t}_{day}", desk.title(kind), range(3), desk.states(kind, 3))


def renamed(desk: Desk) -> Iterator[Made]:
    """After v2 somebody gave it another name: other people's initials, a longer title, a folder of finals."""
    made = _chain(desk, 3)
    yield from made[:2]
    way = desk.pick(
        ("최종/{s}.{e}", "{s}_{p}.{e}", "제출_{s}.{e}", "{s}_보완(영업).{e}", "★{s}.{e}", "{p}_{s}.{e}", "{s}_취합.{e}")
    )
    stem, _, extension = made[2].name.rpartition(".")
    yield replace(made[2], name=way.format(s=stem, e=extension, p=desk.pick(PEOPLE)), lane="")


def copies(desk: Desk) -> Iterator[Made]:
    """A chain, and copies and backups of its states: the same words."""
    made = _chain(desk, 3)
    yield from made
    way = desk.pick(
        (
            "사본 - {s}.{e}",
            "{s} (1).{e}",
            "{s}_백업.{e}",
            "백업/{s}.{e}",
            "{s} - 복사본.{e}",
            "Copy of {s}.{e}",
            "{s}_bak.{e}",
        )
    )
    kept = made[desk.number(0, 2)]
    stem, _, extension = kept.name.rpartition(".")
    yield replace(kept, name=way.format(s=stem, e=extension), clock=None)


def variants(desk: Desk) -> Iterator[Made]:
    """Two years, places, readers: alike, both true, often each with versions of its own."""
    kind = desk.kind()
    title, base = desk.title(kind), desk.text(kind)
    counting, pattern = desk.pick([way for way in EXPLICIT if "2026" not in way[1]])
    versioned, start = desk.chance(0.85), desk.number(1, 3)
    for place, variant in enumerate(desk.pick(VARIANTS)):
        texts = [base if place == 0 else desk.sibling(base)]
        numbers = [start + place]
        if versioned and desk.chance(0.5):
            texts.append(desk.stepped(texts[0]))
            numbers.append(numbers[0] + 1)
        way = pattern if versioned else "{t}"
        yield from _numbered(desk, way, variant.format(t=title), numbers, texts, f"{counting}{place}")


def releases(desk: Desk) -> Iterator[Made]:
    """결제 API v2 명세서, 결제 API v3 명세서: the number is the product's; some have versions of their own."""
    kind = desk.kind()
    name, base, title = desk.pick(RELEASES), desk.text(kind), desk.title(kind)
    own = desk.chance(0.5)
    for release in (2, 3):
        texts = [base if release == 2 else desk.sibling(base)]
        if own:
            texts.append(desk.stepped(texts[0]))
        about = name.format(n=release, k=title)
        # A v3 of the description of release 2 beside a v1 of that of release 3.
        start = 3 if release == 2 else 1
        numbers = range(start, start + len(texts))
        yield from _numbered(desk, "{t}_v{n}" if own else "{t}", about, numbers, texts, f"v{release}")


def siblings(desk: Desk) -> Iterator[Made]:
    """Things of one template: releases told of, series, contracts by party, forms by person; most without versions."""
    what = desk.number(0, 4)
    project = desk.pick(PROJECTS)
    people = desk.rng.permutation(len(PEOPLE))[:4].tolist()
    parties = desk.rng.permutation(len(PARTIES))[:4].tolist()
    if what == 0:
        names = [desk.pick(RELEASE_NOTES)] * 4
    elif what in (1, 2):
        names = [desk.pick(SERIES)] * 4
    elif what == 3:
        thing, way = (
            desk.pick(CONTRACTS),
            desk.pick(("{k}_{w}", "{w} {k}", "{k}({w})", "{w}_{k}_v{{n}}", "{k}_v{{n}}_{w}")),
        )
        names = [way.format(k=f"{project}_{thing}", w=PARTIES[party]) for party in parties]
    else:
        thing, way = desk.pick(FORMS), desk.pick(("{k}_{w}", "{w}_{k}", "{k}({w})", "{k}_v{{n}}_{w}"))
        names = [way.format(k=f"{project}_{thing}", w=PEOPLE[person]) for person in people]
    base = desk.text(f"series {what}")
    texts = [base, *(desk.sibling(base) for _ in names[1:])]
    whole = _numbered(desk, "{n}", project, range(1, len(names) + 1), texts)
    day = desk.pick(DAYS)
    for number, (name, document) in enumerate(zip(names, whole, strict=True), 1):
        if "{day}" in name:  # v1 or v2 of that day
            number = desk.number(1, 2)
        shown = name.format(n=number, p=project, day=document.moment.strftime(day))
        extension = document.name.rpartition(".")[2]
        yield replace(document, name=f"{shown}.{extension}", thread=desk.thread(), order=0)


def versioned_series(desk: Desk) -> Iterator[Made]:
    """v1 and v2 of one contract, of one meeting's minutes: states of one thing, but never replaced by themselves."""
    kind = desk.pick((*CONTRACTS, "회의록", "주간보고", "정산서", "공지사항"))
    yield from _numbered(desk, "{t}_v{n}", desk.title(kind), (1, 2), desk.states(kind, 2))


def two_projects(desk: Desk) -> Iterator[Made]:
    """Two projects on one template, in one folder, each with versions: v1 of the one beside v2 of the other."""
    kind = desk.kind()
    counting, pattern = desk.pick(EXPLICIT)
    base = desk.text(kind)
    for place in range(2):
        texts = [base if place == 0 else desk.sibling(base)]
        texts += [desk.stepped(texts[0])] if desk.chance(0.6) else []
        numbers = range(1 + place, 1 + place + len(texts))
        yield from _numbered(desk, pattern, desk.title(kind), numbers, texts, f"{counting}{place}")


def state_words(desk: Desk) -> Iterator[Made]:
    """시행 계획 and 계획, 백업 지침 and 지침: a word of state that belongs to the subject."""
    kind = desk.kind()
    word = desk.pick(("시행", "백업", "최종", "임시", "검토", "수정", "개정", "공고", "신규", "old", "중간"))
    title, base = desk.title(kind), desk.text(kind)
    for number, name in enumerate((f"{word} {title}", title), 1):
        text = base if number == 1 else desk.sibling(base)
        yield from _numbered(desk, "{t}_v{n}", name, (number,), [text], f"v{number}")


def nothing_in_common(desk: Desk) -> Iterator[Made]:
    """발표자료_v1, 발표자료_v2: one name, two things."""
    kind = desk.kind()
    title = desk.title(kind)
    for number in (1, 2):
        yield from _numbered(desk, "{t}_v{n}", title, (number,), [desk.text(kind)], "v")


def folders_of_years(desk: Desk) -> Iterator[Made]:
    """2025/예산안_v1 and 2026/예산안_v2; 한빛가구/제안서_v1 and 다온사무/제안서_v2: the folder says of what."""
    kind = desk.kind()
    title, base = desk.title(kind), desk.text(kind)
    sides = desk.pick(
        (("2025", "2026"), ("2025년", "2026년"), PARTIES[:2], ("1분기", "2분기"), ("개발", "운영"), PROJECTS[:2])
    )
    for number, side in enumerate(sides, 1):
        text = base if number == 1 else desk.sibling(base)
        yield from _numbered(desk, f"{side}/{{t}}_v{{n}}", title, (number,), [text], side)


def put_away(desk: Desk) -> Iterator[Made]:
    """The older versions lie in a folder of their own."""
    made = _chain(desk, 3)
    folder = desk.pick(("이전", "old", "구버전", "백업", "archive", "지난 버전"))
    yield from (replace(document, name=f"{folder}/{document.name}", lane=f"{folder}") for document in made[:2])
    yield made[2]


# How often each scene is found in a folder, of 100.
SCENES: tuple[tuple[Scene, int], ...] = (
    (chain, 22),
    (chain_with_gaps, 5),
    (folders_of_years, 2),
    (put_away, 2),
    (first_drafts, 6),
    (mixed_ways, 5),
    (tenth, 3),
    (draft_over_approved, 4),
    (newer_draft, 4),
    (shorter_newer, 3),
    (contradicting, 3),
    (states, 7),
    (dates_only, 3),
    (renamed, 4),
    (copies, 4),
    (variants, 7),
    (releases, 3),
    (siblings, 8),
    (versioned_series, 2),
    (two_projects, 3),
    (state_words, 1),
    (nothing_in_common, 1),
)
