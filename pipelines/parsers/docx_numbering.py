"""Automatic numbers, rebuilt from numbering.xml (ISO 29500-1 sections 17.9 and 17.18.59)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from pipelines.parsers.docx_styles import Styles
from pipelines.parsers.docx_xml import attribute, child, children, chosen, is_on, number
from pipelines.parsers.xml import local

_PLACEHOLDER = re.compile(r"%([1-9])")
_GANADA = "가나다라마바사아자차카타파하"
_CHOSUNG = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳㉑㉒㉓㉔㉕㉖㉗㉘㉙㉚㉛㉜㉝㉞㉟㊱㊲㊳㊴㊵㊶㊷㊸㊹㊺㊻㊼㊽㊾㊿"
_PARENTHESIZED = "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇"
_FULL_STOP = "⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_NATIVE_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_NATIVE_UNITS = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
# Sets that start over after their last sign, as Word shows them.
_RINGS = {"ganada": _GANADA, "chosung": _CHOSUNG, "ideographTraditional": _STEMS, "ideographZodiac": _BRANCHES}
# Sets that fall back to plain digits after their last sign.
_SIGNS = {
    "decimalEnclosedCircle": _CIRCLED,
    "decimalEnclosedCircleChinese": _CIRCLED,
    "decimalEnclosedParen": _PARENTHESIZED,
    "decimalEnclosedFullstop": _FULL_STOP,
}
_COUNTED = {
    "koreanCounting": ("영일이삼사오육칠팔구", "십백천"),
    "chineseCounting": ("〇一二三四五六七八九", "十百千"),
    "chineseCountingThousand": ("〇一二三四五六七八九", "十百千"),
    "ideographDigital": ("〇一二三四五六七八九", ""),
    "koreanDigital": ("영일이삼사오육칠팔구", ""),
    "koreanDigital2": ("零一二三四五六七八九", ""),
}
# Levels run from 0 to 8.
_MAX_ILVL = 8


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list definition; `restart` None means after any shallower level, 0 never."""

    start: int = 1
    format: str = "decimal"
    text: str = ""
    restart: int | None = None
    legal: bool = False
    style: str = ""


class Numbering:
    """Counts the numbered paragraphs of one document, which have to be asked in reading order."""

    def __init__(self, root: Any, styles: Styles) -> None:
        self._abstract: dict[str, dict[int, Level]] = {}
        self._links: dict[str, str] = {}
        self._nums: dict[str, tuple[str, dict[int, Level], dict[int, int]]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._restarted: set[tuple[str, int]] = set()
        self._styles = styles
        for element in root if root is not None else ():
            if local(element) == "abstractNum":
                key = attribute(element, "abstractNumId")
                self._abstract[key] = dict(_levels(element))
                self._links[key] = attribute(child(element, "numStyleLink"), "val")
            elif local(element) == "num":
                self._nums[attribute(element, "numId")] = _num(element)

    def next(self, num_pr: Any, style_id: str, style_num_pr: Any) -> tuple[int, str] | None:
        """Count one paragraph; return (level from 1, number as shown, "" for a bullet) or None when it is in no list.

        `num_pr` is the paragraph's own numPr, `style_num_pr` the inherited one and `style_id` where that stands.
        """
        num_id = attribute(child(num_pr, "numId"), "val") or attribute(child(style_num_pr, "numId"), "val")
        if num_id in ("", "0") or num_id not in self._nums:
            return None
        key, levels, starts = self._resolve(num_id)
        ilvl = number(child(num_pr, "ilvl"), "val", -1)
        if ilvl < 0:
            ilvl = number(child(style_num_pr, "ilvl"), "val", -1)
        if ilvl < 0:
            ilvl = next((index for index, level in levels.items() if level.style and level.style == style_id), 0)
        ilvl = min(ilvl, _MAX_ILVL)
        level = levels.get(ilvl, Level())
        if level.format == "bullet":
            return ilvl + 1, ""
        self._count(num_id, key, levels, starts, ilvl)
        return ilvl + 1, self._shown(key, levels, ilvl)

    def _resolve(self, num_id: str, hops: int = 3) -> tuple[str, dict[int, Level], dict[int, int]]:
        key, overrides, starts = self._nums[num_id]
        link = self._links.get(key)
        if link and hops and not self._abstract.get(key):
            num_pr, _ = self._styles.num_pr(link)
            target = attribute(child(num_pr, "numId"), "val")
            if target in self._nums and target != num_id:
                key, inherited, _ = self._resolve(target, hops - 1)
                return key, {**inherited, **overrides}, starts
        return key, {**self._abstract.get(key, {}), **overrides}, starts

    def _count(self, num_id: str, key: str, levels: dict[int, Level], starts: dict[int, int], ilvl: int) -> None:
        counts = self._counts.setdefault(key, {})
        if ilvl in starts and (num_id, ilvl) not in self._restarted:
            self._restarted.add((num_id, ilvl))
            counts[ilvl] = starts[ilvl]
        else:
            counts[ilvl] = counts.get(ilvl, levels.get(ilvl, Level()).start - 1) + 1
        for shallower in range(ilvl):
            counts.setdefault(shallower, levels.get(shallower, Level()).start)
        for deeper in [index for index in counts if index > ilvl]:
            restart = levels.get(deeper, Level()).restart
            if restart is None or ilvl < restart:
                del counts[deeper]

    def _shown(self, key: str, levels: dict[int, Level], ilvl: int) -> str:
        level = levels.get(ilvl, Level(text=f"%{ilvl + 1}."))

        def fill(match: re.Match[str]) -> str:
            index = int(match.group(1)) - 1
            value = self._counts[key].get(index, levels.get(index, Level()).start)
            inner = levels.get(index, Level()).format
            return shown(value, "decimal" if level.legal and index != ilvl else inner)

        return _PLACEHOLDER.sub(fill, level.text).strip()


def shown(value: int, fmt: str) -> str:
    """Return `value` in a number format of ISO 29500-1 section 17.18.59; formats that we don't know as digits."""
    if fmt == "none":
        return ""
    if value < 1:
        return str(value)
    if fmt in _RINGS:
        return _RINGS[fmt][(value - 1) % len(_RINGS[fmt])]
    if fmt in _SIGNS:
        return _SIGNS[fmt][value - 1] if value <= len(_SIGNS[fmt]) else str(value)
    if fmt in _COUNTED:
        return _counted(value, *_COUNTED[fmt])
    if fmt in ("lowerLetter", "upperLetter"):
        letters = chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1)
        return letters.upper() if fmt == "upperLetter" else letters
    if fmt in ("lowerRoman", "upperRoman"):
        return _roman(value).upper() if fmt == "upperRoman" else _roman(value)
    if fmt == "koreanLegal" and value < 100:
        return _NATIVE_TENS[value // 10] + _NATIVE_UNITS[value % 10]
    if fmt == "decimalZero":
        return f"{value:02d}"
    if fmt in ("decimalFullWidth", "decimalFullWidth2"):
        return "".join(chr(ord("０") + int(digit)) for digit in str(value))
    if fmt == "numberInDash":
        return f"- {value} -"
    return str(value)


def _roman(value: int) -> str:
    out = ""
    for size, sign in _ROMAN:
        out += sign * (value // size)
        value %= size
    return out


def _counted(value: int, digits: str, units: str) -> str:
    """Return Sino-Korean or Chinese counting (십이, 十二), or digit by digit when there are no `units`."""
    text = str(value)
    if not units or len(text) > len(units) + 1:
        return "".join(digits[int(digit)] for digit in text)
    out = ""
    for place, digit in zip(range(len(text) - 1, -1, -1), text, strict=True):
        if digit == "0":
            continue
        out += ("" if digit == "1" and place else digits[int(digit)]) + (units[place - 1] if place else "")
    return out


def _levels(element: Any) -> list[tuple[int, Level]]:
    return [(number(level, "ilvl", 0), _level(level)) for level in children(element, "lvl")]


def _level(element: Any) -> Level:
    fmt = child(element, "numFmt")
    alternate = child(element, "AlternateContent")
    if fmt is None and alternate is not None:
        fmt = child(chosen(alternate), "numFmt")
    restart = child(element, "lvlRestart")
    return Level(
        start=number(child(element, "start"), "val", 1),
        format=attribute(fmt, "val", "decimal"),
        text=attribute(child(element, "lvlText"), "val"),
        restart=number(restart, "val", 0) if restart is not None else None,
        legal=is_on(child(element, "isLgl")),
        style=attribute(child(element, "pStyle"), "val"),
    )


def _num(element: Any) -> tuple[str, dict[int, Level], dict[int, int]]:
    overrides: dict[int, Level] = {}
    starts: dict[int, int] = {}
    for override in children(element, "lvlOverride"):
        ilvl = number(override, "ilvl", 0)
        level, start = child(override, "lvl"), child(override, "startOverride")
        if level is not None:
            overrides[ilvl] = _level(level)
        if start is not None:
            starts[ilvl] = number(start, "val", 1)
            if ilvl in overrides:
                overrides[ilvl] = replace(overrides[ilvl], start=starts[ilvl])
    return attribute(child(element, "abstractNumId"), "val"), overrides, starts
