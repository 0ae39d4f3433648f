"""File names taken apart: what a document is about, version, time, state, and whether a copy."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from pipelines.name_times import DAY_GAP, Day, take_days, take_periods
from pipelines.name_versions import Version, take_versions, take_weak
from pipelines.name_words import STATE, Series, of_a_product, rank_of, series_of, spread, states_in

# What copying leaves in a name: Windows and Office in Korean and English, macOS, browsers. "(1)" has up to two digits:
# "(2026)" is a year. Applied until nothing changes ("사본 - 예산안 (2)").
_COPY_MARKS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:사본|복사본)\s*[-–_ ]\s*",
        r"^copy(?:\s*\(\d+\))?\s+of\s+",
        r"(?:\s*[-–_]\s*|\s+)(?:복사본|사본|copy)(?:\s*\(?\d+\)?)?$",
        r"\((?:사본|복사본|copy)\)$",
        r"\s*\(\d{1,2}\)$",
        r"\s*\[\d{1,2}\]$",
    )
)
# Nearly all names have none, and six searches, twice, cost more than one.
_MAY_BE_COPY = re.compile(r"사본|copy|[)\]]$", re.IGNORECASE)
_EXTENSION = re.compile(
    r"\.(?:hwpx?|hml|pdf|docx?|docm|pptx?|pptm|xlsx?|xlsm|xls|eml|txt|md|csv|html?)$", re.IGNORECASE
)
_GAPS = re.compile(r"[\s_\-.·,+()\[\]【】<>「」『』《》〈〉]+")
_DASHES = re.compile(r"[‐‑‒–—―−]")
# "계획_v20240110": what is left of a date that was written like a version.
_LONE_V = re.compile(r"(?:^|(?<=[\s_\-]))(?:v|ver)\.?\s*$", re.IGNORECASE)
# "v2_기획서", "[v2] 기획서", but not "v2 기획서".
_FIELD = re.compile(r"[_\])]")
# Marks that people put on files; two marks may mean two things, so they only lead to a question.
_SIGNS = re.compile(r"[★☆●○■□◆◇▶※!~@#]")
_ADJECTIVE = re.compile(rf"\s*(?:{STATE.pattern})\s(?=\s*[^\s_\-(])", re.IGNORECASE)
# Between letters a separator tells nothing apart ("결제 기획서", "결제기획서"), between digits it does.
_INNER = re.compile(r"(?<!\d) | (?!\d)")


@dataclass(frozen=True, slots=True)
class Name:
    """A file name taken apart.

    stem      what it is about, without the rest below
    head      the part of the stem before the first version token
    versions  its explicit tokens by kind, `weak` numbers at its end that may or may not be versions
    final     the tokens end the name (or begin it, set off) and are one of each kind: they are the document's own
    loose     the tokens as well count something else
    leads     a day stands before the version: it may say which one of several this is
    front     its words of state before the version: 제출_기획서_v2 may be another text than 기획서_v2
    days, periods, state, rank, copied, series, product  as the functions of name_times and name_words call them
    """

    stem: str
    head: str
    versions: Version
    weak: Version
    final: bool
    loose: bool
    leads: bool
    front: tuple[str, ...]
    days: tuple[Day, ...]
    periods: tuple[str, ...]
    state: tuple[str, ...]
    rank: float
    copied: bool
    series: Series
    product: bool

    @property
    def subject(self) -> str:
        """The stem as two names are compared."""
        return _squeezed(self.stem)

    @property
    def key(self) -> str:
        """What names of one chain have in common, whatever follows their version: the head, else the stem."""
        return _squeezed(_SIGNS.sub("", self.head or self.stem).strip())


def has_copy_mark(path: str) -> bool:
    """Tell whether the file name says that it is a copy (사본, 복사본, (1), Copy of)."""
    stem = name_stem(path)
    return without_copy_marks(stem) != stem


def name_stem(path: str) -> str:
    """Return the file name without the extension of a format that saero reads."""
    return _EXTENSION.sub("", path.rsplit("/", 1)[-1]).strip()


def without_copy_marks(stem: str) -> str:
    """Return a file name's stem without its marks of a copy; a name that is nothing but a mark stays."""
    before = "" if _MAY_BE_COPY.search(stem) else stem
    while before != stem:
        before = stem
        for mark in _COPY_MARKS:
            stem = mark.sub("", stem).strip() or stem
    return stem


@lru_cache(maxsize=65536)  # every night takes the same names apart, several times each
def parse_name(path: str) -> Name:
    """Take a file name apart: copy marks, days, periods, version tokens and words of state leave the stem."""
    whole = name_stem(unicodedata.normalize("NFKC", path.rsplit("/", 1)[-1]).replace("/", " "))
    text = _DASHES.sub("-", without_copy_marks(whole))
    timeless, days = take_days(text)
    timeless, periods = take_periods(timeless)
    tokens = take_versions(timeless)
    # "수정 전략" is about the strategy of a revision, "수정_전략" a state like any other.
    first = _ADJECTIVE.match(tokens.head)
    kept, head = ("", tokens.head) if first is None else (first[0], tokens.head[first.end() :])
    front = states_in(head)
    state = front + states_in(tokens.tail)
    head, tail = kept + STATE.sub(" ", head), _folded(STATE.sub(" ", tokens.tail))
    weak: Version = ()
    if not tokens.versions:
        head, weak = take_weak(head)
    if days or periods:
        head = _LONE_V.sub(" ", head)
    head = _folded(head)
    leads = DAY_GAP in tokens.head
    return Name(
        stem=f"{head} {tail}".strip(),
        head=head,
        versions=tokens.versions,
        weak=weak,
        final=tokens.single and (not tail or (not head and _FIELD.match(tokens.tail) is not None)),
        loose=tokens.loose,
        leads=leads,
        front=front,
        days=days,
        periods=periods,
        state=state,
        rank=rank_of(state),
        copied=has_copy_mark(whole),
        series=series_of(spread(whole), bool(days) and (leads or not tokens.versions)),
        product=bool(tokens.versions) and not tokens.others and of_a_product(spread(whole), spread(tokens.head)),
    )


def folder_of(path: str) -> str:
    """Return the folder of a path, "" for the source itself."""
    return path.rpartition("/")[0]


def _folded(text: str) -> str:
    return _GAPS.sub(" ", text).strip().lower()


def _squeezed(stem: str) -> str:
    return _INNER.sub("", stem)
