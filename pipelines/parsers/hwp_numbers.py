"""Automatic paragraph numbers ("1.", "가)", "제1장") of HWP, HWPX and HWPML, rebuilt from their definitions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Number formats in the order of their codes (한글문서파일형식 5.0 revision 1.3, table 41; the last two stand only in
# the table of notes); the words are OWPML's.
FORMATS = (
    "DIGIT",
    "CIRCLED_DIGIT",
    "ROMAN_CAPITAL",
    "ROMAN_SMALL",
    "LATIN_CAPITAL",
    "LATIN_SMALL",
    "CIRCLED_LATIN_CAPITAL",
    "CIRCLED_LATIN_SMALL",
    "HANGUL_SYLLABLE",
    "CIRCLED_HANGUL_SYLLABLE",
    "HANGUL_JAMO",
    "CIRCLED_HANGUL_JAMO",
    "HANGUL_PHONETIC",
    "IDEOGRAPH",
    "CIRCLED_IDEOGRAPH",
    "DECAGON_CIRCLE",
    "DECAGON_CIRCLE_HANJA",
)
_STEMS = {"DECAGON_CIRCLE": "갑을병정무기경신임계", "DECAGON_CIRCLE_HANJA": "甲乙丙丁戊己庚辛壬癸"}
# No number is longer: a pattern and a first number come from the file and are repeated with every paragraph.
_MAX_CHARS = 100
# After z come aa, bb, ...; beyond this many letters a number is written in digits.
_MAX_TURNS = 10
_CONSONANTS = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
# 가 나 다 ... 하, then 거 너 ..., 고 노 ...: places of the initials and vowels in the syllable block.
_INITIALS = (0, 2, 3, 5, 6, 7, 9, 11, 12, 14, 15, 16, 17, 18)
_VOWELS = (0, 4, 8, 13, 18, 20)
# first character and count of the circled forms that Unicode has
_CIRCLED = {
    "CIRCLED_LATIN_CAPITAL": (0x24B6, 26),
    "CIRCLED_LATIN_SMALL": (0x24D0, 26),
    "CIRCLED_HANGUL_SYLLABLE": (0x326E, 14),
    "CIRCLED_HANGUL_JAMO": (0x3260, 14),
    "CIRCLED_IDEOGRAPH": (0x3280, 10),
}
_CIRCLED_DIGITS = ((1, 20, 0x2460), (21, 35, 0x3251), (36, 50, 0x32B1))
_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
          (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a numbering: `pattern` holds ^1..^9 for the numbers of levels, ^n or ^N for the whole path."""

    pattern: str
    kind: str = "DIGIT"
    start: int = 1


class Numberer:
    """Counts the numbered paragraphs of one document, numbering by numbering."""

    def __init__(self, numberings: Mapping[int, Sequence[Level]]) -> None:
        self._numberings = numberings
        self._counts: dict[tuple[str, int], list[int]] = {}

    def afresh(self) -> Numberer:
        """Return a numberer of the same definitions that has counted nothing yet."""
        return Numberer(self._numberings)

    def next(self, series: str, numbering: int, level: int) -> str:
        """Return the number of the next paragraph at `level` (from 0); "" when nothing is shown.

        `series` keeps the outline and ordinary numbered lists apart, which may share one definition.
        """
        levels = self._numberings.get(numbering)
        if levels is None or level >= len(levels):
            return ""
        counts = self._counts.setdefault((series, numbering), [])
        while len(counts) <= level:
            # A level skipped above counts as its first number; the last one appended is the paragraph itself.
            counts.append(levels[len(counts)].start - (1 if len(counts) == level else 0))
        counts[level] += 1
        del counts[level + 1 :]
        return _fill(levels, level, counts)


def _fill(levels: Sequence[Level], level: int, counts: Sequence[int]) -> str:
    pattern = levels[level].pattern[:_MAX_CHARS]
    path = ".".join(str(count) for count in counts)

    def part(match: re.Match[str]) -> str:
        mark = match[1]
        if mark in "nN":
            return path + ("." if mark == "N" else "")
        place = int(mark) - 1
        return numeral(counts[place], levels[place].kind) if place < len(counts) else ""

    return re.sub(r"\^([1-9nN])", part, pattern)[:_MAX_CHARS]


def numeral(value: int, kind: str) -> str:
    """Write `value` in a number format; a value the format has no sign for is written in digits."""
    if value < 1:
        return str(value)
    if kind in _CIRCLED:
        first, count = _CIRCLED[kind]
        return chr(first + value - 1) if value <= count else str(value)
    if kind == "CIRCLED_DIGIT":
        return next(
            (chr(first + value - low) for low, high, first in _CIRCLED_DIGITS if low <= value <= high), str(value)
        )
    if kind in ("ROMAN_CAPITAL", "ROMAN_SMALL"):
        return _roman(value) if kind == "ROMAN_CAPITAL" else _roman(value).lower()
    if kind in ("LATIN_CAPITAL", "LATIN_SMALL") and value <= 26 * _MAX_TURNS:
        letter = chr(ord("A") + (value - 1) % 26) * ((value - 1) // 26 + 1)
        return letter if kind == "LATIN_CAPITAL" else letter.lower()
    if kind == "HANGUL_SYLLABLE":
        return _syllable(value)
    if kind in _STEMS:
        return _STEMS[kind][value - 1] if value <= len(_STEMS[kind]) else str(value)
    if kind == "HANGUL_JAMO" and value <= len(_CONSONANTS):
        return _CONSONANTS[value - 1]
    if kind == "HANGUL_PHONETIC":
        return _sino(value, "일이삼사오육칠팔구", "십")
    if kind == "IDEOGRAPH":
        return _sino(value, "一二三四五六七八九", "十")
    return str(value)


def _roman(value: int) -> str:
    if value > 3999:
        return str(value)
    out = ""
    for amount, sign in _ROMAN:
        out += sign * (value // amount)
        value %= amount
    return out


def _syllable(value: int) -> str:
    turn, place = divmod(value - 1, len(_INITIALS))
    if turn >= len(_VOWELS):
        return str(value)
    return chr(0xAC00 + (_INITIALS[place] * 21 + _VOWELS[turn]) * 28)


def _sino(value: int, digits: str, ten: str) -> str:
    if value > 99:
        return str(value)
    tens, ones = divmod(value, 10)
    return (digits[tens - 1] if tens > 1 else "") + (ten if tens else "") + (digits[ones - 1] if ones else "")
