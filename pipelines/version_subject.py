"""Whether two names say themselves that their documents are two things: another period, another firm, a summary."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher

from pipelines.name_times import take_days, take_periods
from pipelines.name_words import VARIANT
from pipelines.version_rule import Member

# A slip of the pen ("운영메뉴얼") keeps this part of a word; 서울지점 and 부산지점 share half.
_SAME_WORD = 0.75


def apart(one: Member, other: Member) -> bool:
    """Tell whether the names themselves say that these are two things: a series, another period, another subject."""
    a, b = one.name, other.name
    if a.series or b.series or (a.periods and b.periods and a.periods != b.periods):
        return True
    return folders_apart(one.folder, other.folder) or subjects_apart(a.stem, b.stem)


def folders_apart(one: str, other: str) -> bool:
    """Tell whether two folders are of different periods, days or numbers: 2025/규정 and 2026/규정."""
    return one != other and _counted(one) != _counted(other)


def subjects_apart(one: str, other: str) -> bool:
    """Tell whether two stems name two things of one kind (A사, B사), or a thing and what was made of it (요약)."""
    a, b = set(_words(one)), set(_words(other))
    own, theirs = a - b, b - a
    if any(map(says_another, own | theirs)):
        return True
    if not own or not theirs:
        return False
    mine, other_own = ("".join(sorted(words)) for words in (own, theirs))
    if mine.startswith(other_own) or other_own.startswith(mine):
        return False
    ratio = SequenceMatcher(None, mine, other_own, autojunk=False).ratio()
    if ratio >= _SAME_WORD and min(len(mine), len(other_own)) > 2:
        return False
    return bool(a & b) or mine[:2] == other_own[:2] or mine[-2:] == other_own[-2:]


def says_another(word: str) -> bool:
    """Tell whether a word alone makes another document of the same matter: a number, 요약, 영문."""
    return any(letter.isdigit() for letter in word) or VARIANT.fullmatch(word) is not None


def wholly_different(one: str, other: str) -> bool:
    """Tell whether two stems have no word in common."""
    return bool(one) and bool(other) and not set(_words(one)) & set(_words(other))


def _words(stem: str) -> list[str]:
    return re.findall(r"[a-z]+|\d+|[가-힣]+|[^\W\d_a-z가-힣]+", stem)


def _counted(folder: str) -> tuple[object, ...]:
    text, days = take_days(unicodedata.normalize("NFKC", folder))
    text, periods = take_periods(text)
    return days, periods, re.findall(r"\d+", text)
