"""What a style says: heading level, place in a list, hidden or bold text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pipelines.parsers.ooxml_xml import attribute, child, children, is_on, number

# Localized names of the built-in heading styles; Korean Word saves "heading 1", other producers keep what their
# users see. 개요 is what Hangul calls its outline levels.
_HEADING_NAME = re.compile(
    r"(?:heading|제목|개요|überschrift|titre|título|titolo|kop|rubrik|nagłówek|nadpis|заголовок|başlık|見出し|标题|標題)"
    r"\s*([1-9])",
    re.IGNORECASE,
)
_TITLE_NAMES = ("title", "제목", "표제", "문서 제목", "titel", "表題", "标题", "標題")
# Styles for program text: Word's own, LibreOffice's, pandoc's, and what writers call theirs.
_CODE_NAMES = frozenset(
    (
        *("html preformatted", "html 미리 서식이 지정됨", "preformatted text", "source code", "code", "code block"),
        *("소스 코드", "코드", "코드 블록"),
    )
)
# Word allows nine outline levels (0..8); 9 means body text.
_BODY_LEVEL = 9
MAX_LEVEL = 6
# basedOn may form a ring in a damaged file.
_MAX_CHAIN = 12


@dataclass(frozen=True, slots=True)
class Style:
    """One style as stored, before inheritance. `outline` is Word's 0..9; None is what isn't said."""

    name: str
    based_on: str
    outline: int | None
    num_id: str
    ilvl: int | None
    hidden: bool | None
    bold: bool | None


@dataclass(frozen=True, slots=True)
class ListPlace:
    """What a style and its ancestors say of a list: `num_id` "" for none; `holders` say something, nearest first."""

    num_id: str = ""
    ilvl: int = 0
    holders: tuple[str, ...] = ()


class Styles:
    """The styles of a document by id."""

    def __init__(self, root: Any) -> None:
        self._styles: dict[str, Style] = {}
        self._places: dict[str, ListPlace] = {}
        self._chains: dict[str, list[Style]] = {}
        self.default_paragraph = ""
        for element in children(root, "style") if root is not None else ():
            style_id = attribute(element, "styleId")
            self._styles[style_id] = _style(element)
            is_default = attribute(element, "default") in ("1", "true", "on")
            if is_default and attribute(element, "type") == "paragraph":
                self.default_paragraph = style_id

    def heading_level(self, style_id: str) -> int:
        """Return 1..6 for a heading style, 0 for any other; without a style of this id its id is taken as a name."""
        if style_id not in self._styles:
            return _named_level(style_id)
        for style in self._chain(style_id):
            if style.outline is not None:
                return min(style.outline + 1, MAX_LEVEL) if 0 <= style.outline < _BODY_LEVEL else 0
            level = _named_level(style.name)
            if level:
                return level
        return 0

    def is_code(self, style_id: str) -> bool:
        """Tell whether the style is one for program text."""
        return any(style.name.strip().lower() in _CODE_NAMES for style in self._chain(style_id))

    def is_placeholder(self, style_id: str) -> bool:
        """Tell whether the style is the one that Word gives to what an empty content control asks for."""
        if style_id not in self._styles:
            return style_id == "PlaceholderText"
        return any(style.name.strip().lower() == "placeholder text" for style in self._chain(style_id))

    def list_place(self, style_id: str) -> ListPlace:
        """Return the list that the style joins; number and level may stand in different ancestors."""
        if style_id not in self._places:
            chain = self._chain_ids(style_id)
            holders = tuple(one for one in chain if self._styles[one].num_id or self._styles[one].ilvl is not None)
            num_id = next((self._styles[one].num_id for one in holders if self._styles[one].num_id), "")
            ilvl = next((found for one in holders if (found := self._styles[one].ilvl) is not None), 0)
            self._places[style_id] = ListPlace(num_id, ilvl, holders)
        return self._places[style_id]

    def is_hidden(self, style_id: str) -> bool:
        """Tell whether the style hides its text (vanish)."""
        return next((style.hidden for style in self._chain(style_id) if style.hidden is not None), False)

    def is_bold(self, style_id: str) -> bool:
        """Tell whether the style's text is bold."""
        return next((style.bold for style in self._chain(style_id) if style.bold is not None), False)

    def _chain(self, style_id: str) -> list[Style]:
        if style_id not in self._chains:
            self._chains[style_id] = [self._styles[one] for one in self._chain_ids(style_id)]
        return self._chains[style_id]

    def _chain_ids(self, style_id: str) -> list[str]:
        found: list[str] = []
        while style_id in self._styles and len(found) < _MAX_CHAIN:
            found.append(style_id)
            style_id = self._styles[style_id].based_on
        return found


def _named_level(name: str) -> int:
    name = name.strip().lower()
    match = _HEADING_NAME.fullmatch(name)
    if match:
        return min(int(match.group(1)), MAX_LEVEL)
    return 1 if name in _TITLE_NAMES else 0


def _style(element: Any) -> Style:
    outline = child(element, "pPr", "outlineLvl")
    place = child(element, "pPr", "numPr")
    ilvl = child(place, "ilvl")
    return Style(
        name=attribute(child(element, "name"), "val"),
        based_on=attribute(child(element, "basedOn"), "val"),
        outline=number(outline, "val", _BODY_LEVEL) if outline is not None else None,
        num_id=attribute(child(place, "numId"), "val"),
        ilvl=number(ilvl, "val", 0) if ilvl is not None else None,
        hidden=_toggle(element, "vanish"),
        bold=_toggle(element, "b"),
    )


def _toggle(element: Any, name: str) -> bool | None:
    found = child(element, "rPr", name)
    return None if found is None else is_on(found)
