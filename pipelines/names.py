"""File names taken apart: what a document is about, which version, of which day, in which state, and whether a copy."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

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
_EXTENSION = re.compile(
    r"\.(?:hwpx?|hml|pdf|docx?|docm|pptx?|pptm|xlsx?|xlsm|xls|eml|txt|md|csv|html?)$", re.IGNORECASE
)
_BEFORE = r"(?:(?<=^)|(?<=[\s_\-.(\[+])|(?<=[가-힣)\]]))"
# "v1최종" is a version, "R2분기" and "개정2조" are not; "2차" never is.
_AFTER = r"(?![0-9a-z])(?!\s?(?:차|월|일|년|분기|주|호|판|조|장|회|단계))(?!\.\d)"
_NUMBERS = r"(\d{1,3}(?:\.\d{1,3}){0,3})"
_TOKENS = {
    "v": re.compile(rf"{_BEFORE}(?:v|ver|version|버전)[\s_.]?{_NUMBERS}{_AFTER}", re.IGNORECASE),
    "rev": re.compile(rf"{_BEFORE}(?:r|rev|revision|개정)[\s_.]?{_NUMBERS}{_AFTER}", re.IGNORECASE),
    "edition": re.compile(r"(?:제\s*)?(?<!\d)(\d{1,2})\s*판(?![가-힣])"),
}
_DATE = re.compile(
    r"(?<!\d)(?:((?:19|20)\d{2})[-_. ]?(0[1-9]|1[0-2])[-_. ]?(0[1-9]|[12]\d|3[01])|"
    r"(\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))(?!\d)"
)
# Words for the state of a text: part of the name, not of what it is about.
_STATE = re.compile(
    r"(?:(?:찐|진짜|레알|최)*최종(?:본|안|판)?|확정(?:본|안)?|초안|수정(?:본|안)?|시행(?:본|안)?|결재완료|공고(?:본|안)?|"
    r"검토(?:본|안|용|중)?|제출용|의견수렴(?:용|본|안)?|개정안|구버전|신버전|백업|임시)(?![가-힣])|\(안\)|"
    r"(?<![a-z])(?:final|draft|wip|revised|old|new|backup|bak|temp)(?![a-z])",
    re.IGNORECASE,
)
# One of many alike that are all true at once: a later one doesn't replace an earlier one.
_SERIES = re.compile(
    r"회의록|의사록|주간|월간|일일|일지(?![가-힣])|인보이스|영수증|계약서|협약서|이력서|신청서|동의서|급여명세|급여대장|"
    r"거래명세|견적|뉴스레터|공지|릴리[스즈]\s*노트|변경\s*이력|점검표|청구서|세금계산서|정산서|정산내역|스프린트|"
    r"(?:계약|정산)(?![가-힣 ])|"
    r"(?<![a-z])(?:invoices?|minutes|weekly|monthly|daily|release[\s_-]*notes?|changelog|contracts?|sprint|newsletter|"
    r"receipts?)(?![a-z])",
    re.IGNORECASE,
)
_GAPS = re.compile(r"[\s_\-.·,+()\[\]【】]+")

Version = tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A file name taken apart. `stem` is what it is about, `versions` its explicit tokens by kind."""

    stem: str
    versions: Version
    day: date | None
    state: tuple[str, ...]
    copied: bool
    series: bool


def has_copy_mark(path: str) -> bool:
    """Tell whether the file name says that it is a copy (사본, 복사본, (1), Copy of)."""
    stem = name_stem(path)
    return without_copy_marks(stem) != stem


def name_stem(path: str) -> str:
    """Return the file name without the extension of a format that saero reads."""
    return _EXTENSION.sub("", path.rsplit("/", 1)[-1]).strip()


def without_copy_marks(stem: str) -> str:
    """Return a file name's stem without its marks of a copy; a name that is nothing but a mark stays."""
    before = ""
    while before != stem:
        before = stem
        for mark in _COPY_MARKS:
            stem = mark.sub("", stem).strip() or stem
    return stem


def parse_name(path: str) -> Name:
    """Take a file name apart: copy marks, date, version tokens and words of state leave the stem."""
    whole = unicodedata.normalize("NFKC", name_stem(path))
    text = without_copy_marks(whole)
    copied = text != whole
    text, day = _take_date(text)
    versions = []
    for kind, pattern in _TOKENS.items():
        for found in pattern.finditer(text):
            versions.append((kind, _numbers(found[1])))
        text = pattern.sub(" ", text)
    state = tuple(word.lower() for word in _STATE.findall(text))
    stem = _folded(_STATE.sub(" ", text)) or _folded(text)
    return Name(stem, tuple(versions), day, state, copied, bool(_SERIES.search(whole)))


def _folded(text: str) -> str:
    return _GAPS.sub(" ", text).strip().lower()


def _take_date(text: str) -> tuple[str, date | None]:
    """Return the text without its first full date, and that date; "260301" is a day of this century."""
    found = _DATE.search(text)
    if not found:
        return text, None
    year, month, day = found[1] or f"20{found[4]}", found[2] or found[5], found[3] or found[6]
    try:
        return f"{text[: found.start()]} {text[found.end() :]}", date(int(year), int(month), int(day))
    except ValueError:  # 31 February
        return text, None


def _numbers(text: str) -> tuple[int, ...]:
    """Return "1.10" as (1, 10), and "1.0" as "1": (1,)."""
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
