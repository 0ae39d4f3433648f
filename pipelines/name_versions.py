"""Version tokens in names: v2, ver 1.10, 버전3, rev2, 제2판, 2차 수정; and numbers that may be versions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.name_times import DAY_GAP, PERIOD_GAP

Numbers = tuple[int, ...]
# ((kind, numbers), ...) in the order of _TOKENS.
Version = tuple[tuple[str, Numbers], ...]

# Part2v2, but not 1v1.
_BEFORE = r"(?:(?<=^)|(?<=[\s_\-.,(\[+])|(?<=[가-힣)\]])|(?<=[a-z]\d))"
_NUMBERS = r"(\d{1,3}(?:\.\d{1,3}){0,3})"
# "v1최종" and "v2본" are versions; "R2분기", "개정2조" and "v2 3회" are not.
_STATE_FOLLOWS = (
    r"(?=[^가-힣]|$|(?:찐|진짜|최종|확정|초안|수정|보완|시행|결재|공고|검토|제출|의견|개정|구버|신버|백업|임시|완|"
    r"[본판안](?![가-힣])))"
)
_UNIT = (
    r"(?!\s?(?:차|월|일|년|분기|주|주차|호|판|조|항|장|회|단계|개|명|건|팀|부|층|편|권|기|점|번|인|배|년차|회차|차시)"
    r"(?![가-힣]))"
)
_AFTER = rf"(?![0-9a-z])(?!\.\d){_UNIT}{_STATE_FOLLOWS}"
_EDITS = r"(?:수정|개정|보완|변경|증보)"
_TOKENS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile("|".join(patterns), re.IGNORECASE))
    for kind, patterns in (
        (
            "edit",
            (
                rf"(?:제\s*)?(?<!\d)(\d{{1,2}})\s*차\s*{_EDITS}(?:본|판|안)?(?![가-힣])",
                rf"{_EDITS}\s*(?:제\s*)?(\d{{1,2}})\s*차(?![가-힣])",
            ),
        ),
        (
            "edition",
            (
                r"(?:(?:개정|증보|전면개정)\s*)?(?:제\s*)?(?<![\da-z])(\d{1,2})\s*판(?![가-힣])",
                r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)[\s_\-]*ed(?:ition|n)?\.?(?![a-z])",
                r"(?<![a-z])ed(?:ition|n)?[\s_.\-]*(\d{1,2})(?![\da-z])",
                r"()(?<![가-힣])초판(?![가-힣])",
            ),
        ),
        (
            "v",
            (
                rf"{_BEFORE}(?:v|ver|version|버전|버젼)[\s_.\-]{{0,2}}{_NUMBERS}{_AFTER}",
                rf"(?<=[a-z]{{3}})(?:v|ver){_NUMBERS}{_AFTER}",  # Proposalv2, but not ipv6
                r"(?:제\s*)?(?<![\d.a-z])(\d{1,3}(?:\.\d{1,3}){0,3})\s?(?:버전|버젼)(?![가-힣])",
            ),
        ),
        (
            "rev",
            (
                rf"{_BEFORE}(?:rev|revision|개정(?:본|판)?)[\s_.\-#]{{0,2}}{_NUMBERS}{_AFTER}",
                rf"{_BEFORE}r\.?{_NUMBERS}{_AFTER}",
            ),
        ),
    )
)
_BETWEEN = re.compile(r"[\s_\-.,()\[\]]+")
# What may be a version, a part or a number of something: never more than a reason to ask.
_WEAK: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("letter", rf"{_BEFORE}(?:rev|revision)[\s_.\-]{{0,2}}([a-z])(\d{{0,2}})$"),
        ("draft", r"(?:제\s*)?(?<!\d)(\d{1,2})\s*차\s*(?:안|원고|본)$"),
        ("order", r"(?:제\s*)?(?<!\d)(\d{1,2})\s*차$"),
        ("decimal", r"(?<![\d.a-z])(\d{1,2}\.\d{1,3}(?:\.\d{1,3})?)$"),
        ("number", r"(?<![\d.a-z])(?:(?<=[가-힣_\s\-])|(?<=^))(\d{1,2})$"),
    )
)


# R and a number, and the number of a change.
_LOOSE = re.compile(r"r\d|.*변경", re.IGNORECASE)
_MAY_BE_VERSION = re.compile(r"\d|초판")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Version tokens of a name and what stands around them.

    head, tail  text before the first and after the last token; without one, all of it is the head
    single      each kind stands there once
    others      earlier tokens stay in the head: they count something else
    loose       a token as well counts something else: R22 is a refrigerant, 과업변경 2차 the second change
    """

    head: str
    tail: str
    versions: Version
    single: bool
    others: bool
    loose: bool = False


def take_versions(text: str) -> Tokens:
    """Find the explicit version tokens of a name whose days and periods are taken out.

    Of tokens in several places the last counts: in "앱 v2 매뉴얼_v4" v2 is what the document is about.
    """
    found: list[tuple[int, int, str, Numbers]] = []
    if not _MAY_BE_VERSION.search(text):
        return Tokens(text, "", (), False, False)
    for kind, pattern in _TOKENS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(start < other_end and other < end for other, other_end, *_ in found):
                found.append((start, end, kind, _numbers(next((part for part in match.groups() if part), "1"))))
    if not found:
        return Tokens(text, "", (), False, False)
    found.sort()
    run = len(found) - 1
    while run and not _BETWEEN.sub("", text[found[run - 1][1] : found[run][0]]):
        run -= 1
    others, found = run > 0, found[run:]
    kinds = {kind for _, _, kind, _ in found}
    loose = any(_LOOSE.match(text, start, end) for start, end, _, _ in found)
    versions = tuple((kind, numbers) for _, _, kind, numbers in found)
    return Tokens(text[: found[0][0]], text[found[-1][1] :], versions, len(kinds) == len(found), others, loose)


def take_weak(text: str) -> tuple[str, Version]:
    """Return the text without a number at its end that may be a version, and that number."""
    bare = text.rstrip(f" _-.,()[]{DAY_GAP}{PERIOD_GAP}")
    for kind, pattern in _WEAK:
        match = pattern.search(bare)
        if match and kind == "letter":
            return bare[: match.start()], ((kind, (ord(match[1].lower()) - ord("a"), int(match[2] or 0))),)
        if match:
            return bare[: match.start()], ((kind, _numbers(match[1])),)
    return text, ()


def _numbers(text: str) -> Numbers:
    """Return "1.10" as (1, 10), and "1.0" as "1": (1,)."""
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
