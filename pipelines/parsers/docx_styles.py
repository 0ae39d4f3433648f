"""What a paragraph style says: heading level, list membership, hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pipelines.parsers.docx_xml import attribute, child, children, is_on, number

# Localized built-in names; Korean Word saves "heading 1", other producers keep "제목 1" or "개요 1".
_HEADING_NAME = re.compile(r"(?:heading|제목|개요)\s*([1-9])", re.IGNORECASE)
_TITLE_NAMES = ("title", "제목", "표제")
# Word allows nine outline levels (0..8); 9 means body text.
_BODY_LEVEL = 9
MAX_LEVEL = 6
# basedOn may form a ring in a damaged file.
_MAX_CHAIN = 12


@dataclass(frozen=True, slots=True)
class Style:
    """One style as stored, before inheritance. `outline` is Word's 0..9, None when not said."""

    name: str
    based_on: str
    outline: int | None
    num_pr: Any
    hidden: bool


class Styles:
    """The styles of a document by id."""

    def __init__(self, root: Any) -> None:
        self._styles: dict[str, Style] = {}
        self.default_paragraph = ""
        for element in children(root, "style") if root is not None else ():
            style_id = attribute(element, "styleId")
            outline = child(element, "pPr", "outlineLvl")
            self._styles[style_id] = Style(
                name=attribute(child(element, "name"), "val"),
                based_on=attribute(child(element, "basedOn"), "val"),
                outline=number(outline, "val", _BODY_LEVEL) if outline is not None else None,
                num_pr=child(element, "pPr", "numPr"),
                hidden=is_on(child(element, "rPr", "vanish")),
            )
            is_default = attribute(element, "default") in ("1", "true", "on")
            if is_default and attribute(element, "type") == "paragraph":
                self.default_paragraph = style_id

    def heading_level(self, style_id: str) -> int:
        """Return 1..6 for a heading style, 0 for any other."""
        for style in self._chain(style_id):
            if style.outline is not None:
                return min(style.outline + 1, MAX_LEVEL) if style.outline < _BODY_LEVEL else 0
            name = style.name.strip().lower()
            match = _HEADING_NAME.fullmatch(name)
            if match:
                return min(int(match.group(1)), MAX_LEVEL)
            if name in _TITLE_NAMES:
                return 1
        return 0

    def num_pr(self, style_id: str) -> tuple[Any, str]:
        """Return the numPr element that the style inherits and the id of the style that holds it."""
        seen = style_id
        for style in self._chain(style_id):
            if style.num_pr is not None:
                return style.num_pr, seen
            seen = style.based_on
        return None, ""

    def is_hidden(self, style_id: str) -> bool:
        """Tell whether the style hides its text (vanish)."""
        return any(style.hidden for style in self._chain(style_id))

    def _chain(self, style_id: str) -> list[Style]:
        found: list[Style] = []
        while style_id in self._styles and len(found) < _MAX_CHAIN:
            found.append(self._styles[style_id])
            style_id = found[-1].based_on
        return found
