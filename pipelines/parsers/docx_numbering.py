"""Automatic numbers, rebuilt from numbering.xml (ISO 29500-1 section 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from pipelines.parsers.docx_formats import shown
from pipelines.parsers.docx_styles import Styles
from pipelines.parsers.ooxml_xml import attribute, child, children, chosen, is_on, number
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local

_PLACEHOLDER = re.compile(r"%([1-9])")
# Levels run from 0 to 8.
_MAX_ILVL = 8
# Word takes no longer pattern; a file that repeats a long one for every paragraph would fill the memory.
_MAX_TEXT = 255
_MAX_DIGITS = 10
# One place for each of the nine levels.
_MAX_PLACES = 9


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

    def next(self, num_pr: Any, style_id: str) -> tuple[int, str] | None:
        """Count one paragraph; return (level from 1, number as shown, "" for a bullet) or None when it is in no list.

        `num_pr` is the paragraph's own numPr, which goes before what its style says.
        """
        inherited = self._styles.list_place(style_id)
        num_id = attribute(child(num_pr, "numId"), "val") or inherited.num_id
        if num_id in ("", "0") or num_id not in self._nums:
            return None
        key, levels, starts = self._resolve(num_id)
        ilvl = number(child(num_pr, "ilvl"), "val", -1)
        if ilvl < 0:
            # A style's level is the one that names the style (17.9.23); its own ilvl counts where none does.
            named = (index for style in inherited.holders for index in levels if levels[index].style == style)
            ilvl = next(named, max(0, inherited.ilvl))
        ilvl = min(ilvl, _MAX_ILVL)
        self._count(num_id, key, levels, starts, ilvl)
        bullet = levels.get(ilvl, Level()).format == "bullet"
        return ilvl + 1, "" if bullet else self._shown(key, levels, ilvl)

    def _resolve(self, num_id: str, hops: int = 3) -> tuple[str, dict[int, Level], dict[int, int]]:
        key, overrides, starts = self._nums[num_id]
        link = self._links.get(key)
        if link and hops and not self._abstract.get(key):
            target = self._styles.list_place(link).num_id
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
            return shown(value, "decimal" if level.legal else inner)

        return clean(_PLACEHOLDER.sub(fill, level.text, _MAX_PLACES)).strip()


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
        format=_format(fmt),
        text=attribute(child(element, "lvlText"), "val")[:_MAX_TEXT],
        restart=number(restart, "val", 0) if restart is not None else None,
        legal=is_on(child(element, "isLgl")),
        style=attribute(child(element, "pStyle"), "val"),
    )


def _format(element: Any) -> str:
    """Return the format's word; of a custom one ("001, 002, 003, ...") the first number."""
    word = attribute(element, "val", "decimal")
    return attribute(element, "format").partition(",")[0][:_MAX_DIGITS].strip() if word == "custom" else word


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
