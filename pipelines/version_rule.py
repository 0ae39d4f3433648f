"""Two documents that may be versions of one, and what forbids to replace the older by itself."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from pipelines.name_versions import Numbers, Version
from pipelines.name_words import IN_FORCE, NOT_IN_FORCE, PAST, spread
from pipelines.names import Name, folder_of, name_stem, parse_name
from pipelines.version_claims import NO_CLAIMS, Claims, claims_objection, days_ahead

# Content that the newer must share, measured on 112 pairs of names: with it and the series words 30 of 30 automatic
# replacements were right. Below the second pair a question to a person is noise.
AUTO_JACCARD, AUTO_CONTAINMENT = 0.60, 0.85
ASK_JACCARD, ASK_CONTAINMENT = 0.40, 0.80
# Two explicit versions of one name that share less than this were rewritten beyond recognition.
VERSION_JACCARD, VERSION_CONTAINMENT = 0.15, 0.40
# Drafts are counted in steps of one or two and hardly beyond this: V110 and V220 are volts, v8 and v17 of a language,
# v22.04 a month.
_HIGHEST, _STEP = 30, 9
_YEARS, _MONTHS = range(19, 31), range(1, 13)
_PROTOCOLS = ((4,), (6,))  # IPv4 and IPv6
Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Named:
    """A live document in the eyes of the version rule: readable, and with its own last good text.

    chars        length of the squeezed body
    modified_at  the document's own clock (never the file's), None without one
    says         title and status that the document gives itself, searched for 초안, 시행 and the like
    sound        its file was there and could be read tonight
    written_at   time of its file: it orders a question when nothing else does, and decides nothing
    claims       what it says of itself beside its name
    ended        its last day is past
    """

    source: str
    path: str
    body_hash: str
    chars: int
    modified_at: datetime | None = None
    says: str = ""
    sound: bool = True
    written_at: datetime | None = None
    claims: Claims = NO_CLAIMS
    ended: bool = False


class Alike(NamedTuple):
    """How much of two texts is the same, by their 5-grams: Jaccard, and the part of the first that the second holds."""

    jaccard: float
    containment: float

    @property
    def enough(self) -> bool:
        """Whether the one can be a version of the other."""
        return self.jaccard >= AUTO_JACCARD or self.containment >= AUTO_CONTAINMENT

    @property
    def recognisable(self) -> bool:
        """Whether a person should look at the two where their names count versions."""
        return self.jaccard >= VERSION_JACCARD or self.containment >= VERSION_CONTAINMENT

    @property
    def worth_asking(self) -> bool:
        """Whether a person should look at the two."""
        return self.jaccard >= ASK_JACCARD or self.containment >= ASK_CONTAINMENT


@dataclass(frozen=True, slots=True)
class Member:
    """A document with its name taken apart."""

    document: Named
    name: Name

    @property
    def body(self) -> str:
        return self.document.body_hash

    @property
    def folder(self) -> str:
        return folder_of(self.document.path)

    @property
    def place(self) -> Place:
        return self.document.source, self.document.path


def member(document: Named) -> Member:
    """Take the name of a document apart."""
    return Member(document, parse_name(document.path))


class Heard:
    """What all names that hold a body, their folders, titles and states say of it."""

    def __init__(self, members: Iterable[Member]) -> None:
        said: dict[str, list[str]] = defaultdict(list)
        self._claims: dict[tuple[str, str, tuple[str, ...]], Version] = {}
        self._serving: set[str] = set()
        self._plain: dict[str, set[Place]] = defaultdict(set)
        for one in members:
            document, name = one.document, one.name
            said[one.body].append(f"{one.folder} {name_stem(document.path)} {document.says}".replace("/", " "))
            if not document.ended:
                self._serving.add(one.body)
            if not name.versions and not name.copied:
                self._plain[one.body].add((document.source, one.folder))
            claim = (one.body, name.subject, kinds_of(name.versions))
            self._claims[claim] = max(self._claims.get(claim, ()), name.versions)
        self._said = {body: spread(unicodedata.normalize("NFKC", " | ".join(texts))) for body, texts in said.items()}

    def says(self, body: str, words: re.Pattern[str]) -> str:
        """Return the first of the words that is said of a body, "" for none."""
        found = words.search(self._said[body])
        return found[0].strip() if found else ""

    def ended(self, body: str) -> bool:
        """Tell whether nothing serves a body any more."""
        return body not in self._serving

    def official(self, older: Member) -> bool:
        """Tell whether another folder holds the body of `older` under a name without version: it has no drafts."""
        return bool(self._plain[older.body] - {(older.document.source, older.folder)})

    def highest(self, older: Member) -> Version:
        """Return the highest version of the same subject under which the body of `older` is known anywhere."""
        return self._claims[older.body, older.name.subject, kinds_of(older.name.versions)]


def comparable(one: Name, other: Name) -> bool:
    """Tell whether both carry the same kinds of version tokens, and different numbers."""
    return bool(one.versions) and one.versions != other.versions and kinds_of(one.versions) == kinds_of(other.versions)


def same_name(one: Member, other: Member) -> bool:
    """Tell whether the names differ at most in format: 제안서.hwp and its 제안서.pdf are no versions."""
    return _without_rest(one.name) == _without_rest(other.name)


def objection(older: Member, newer: Member, heard: Heard, today: date | None = None) -> str:
    """Return what forbids an automatic replacement by explicit versions, or "". Every name of a body is heard.

    Without `today` no day is ahead.
    """
    a, b = older.document, newer.document
    return (
        _name_objection(older.name, newer.name)
        or _numbers_objection(older.name.versions[-1], newer.name.versions[-1])
        or _said_objection(older.body, newer.body, heard)
        or claims_objection(a.claims, b.claims, today)
        or ("" if b.sound else "the newer can't be read now")
        or ("the newer is under half as long" if b.chars * 2 < a.chars else "")
        or ("the newer is older by its own clock" if earlier(b, a) else "")
        or _days_objection(older.name, newer.name)
        or _ahead_objection(older, newer, today)
        or ("the newer has expired" if heard.ended(newer.body) and not heard.ended(older.body) else "")
        or ("another folder holds the older without a version" if heard.official(older) else "")
        or ("the older has a later version elsewhere" if heard.highest(older) >= newer.name.versions else "")
    )


def _name_objection(older: Name, newer: Name) -> str:
    if older.series or newer.series:
        return "one of a series"
    if older.product or newer.product:
        return "the version may be that of a product"
    if older.loose or newer.loose:
        return "the number may not be a version"
    if not (older.final and newer.final):
        return "the version doesn't end the name"
    if older.versions[:-1] != newer.versions[:-1]:
        return "more than one number differs"  # 서버실 R1_v1, 서버실 R2_v2
    if not older.subject or older.subject != newer.subject or older.front != newer.front:
        return "the names differ beside the version"
    return "a name has a copy mark" if older.copied or newer.copied else ""


def _numbers_objection(older: tuple[str, Numbers], newer: tuple[str, Numbers]) -> str:
    """Return what speaks against it that the last numbers of two names count versions."""
    a, b = older[1], newer[1]
    step = next((y - x for x, y in zip(a, b, strict=False) if x != y), 0)
    month = any(len(one) > 1 and one[0] in _YEARS and one[1] in _MONTHS for one in (a, b))
    if month or step >= _STEP or max(a[0], b[0]) > _HIGHEST or (a, b) == _PROTOCOLS:
        return "the number may not be a version"
    return ""


def _ahead_objection(older: Member, newer: Member, today: date | None) -> str:
    """A day ahead in the name or title of the newer alone is the day from which it is in force."""
    known = set(older.name.days)
    if any(day[0] and today and date(*day) > today for day in newer.name.days if day not in known):
        return "the newer names a day ahead"
    a, b = older.document.claims.title, newer.document.claims.title
    return "the newer names a day ahead" if a != b and days_ahead(b, today) else ""


def _said_objection(older: str, newer: str, heard: Heard) -> str:
    if found := heard.says(newer, NOT_IN_FORCE) or heard.says(newer, PAST):
        return f"the newer says {found}"
    if found := heard.says(older, IN_FORCE):
        return f"the older says {found}"
    return ""


def _days_objection(older: Name, newer: Name) -> str:
    if older.rank > -2 >= newer.rank:
        return "the newer is a backup"
    if not older.days or not newer.days:
        return ""
    if older.days != newer.days and (older.leads or newer.leads):
        return "the days may tell two of a series apart"
    if bool(older.days[-1][0]) != bool(newer.days[-1][0]) or newer.days[-1] < older.days[-1]:
        return "the dates in the names contradict the versions"
    return ""


def earlier(a: Named, b: Named) -> bool:
    """Tell whether the own clocks of both say that `a` was written first."""
    return bool(a.modified_at and b.modified_at and a.modified_at < b.modified_at)


def kinds_of(version: Version) -> tuple[str, ...]:
    """Return the kinds of version tokens: ("v", "rev")."""
    return tuple(kind for kind, _ in version)


def _without_rest(name: Name) -> tuple[object, ...]:
    return name.subject, name.versions, name.weak, name.days, name.periods, name.state, name.copied
