"""Paragraph heads and numberings from the header part of an HWPX document (OWPML, KS X 6101)."""

from __future__ import annotations

import re
from typing import Any

from pipelines.parsers.hwp_flow import Head
from pipelines.parsers.hwp_numbers import Level, numeral

_KINDS = {"OUTLINE": "outline", "NUMBER": "number", "BULLET": "bullet"}
_CHANGES = ("INSERT", "DELETE")
# Levels of a numbering; Hangul has ten.
_MAX_LEVEL = 10
_MAX_PLACE = 0xFFFF


def number(text: str | None, default: int = 0) -> int:
    """Read an integer attribute; `default` when it is missing, no number or beyond 32 bits."""
    try:
        value = int((text or "")[:12])
    except ValueError:
        return default
    return value if -(1 << 31) <= value < 1 << 32 else default


def place(text: str | None, default: int) -> int:
    """Read the row, column or span of a cell; `default` beyond the 16 bits that Hangul has for it."""
    value = number(text, -1)
    return value if 0 <= value <= _MAX_PLACE else default


def read_header(root: Any) -> tuple[dict[str, Head], dict[int, list[Level]]]:
    """Return heads by paragraph shape id and numberings by id."""
    heads: dict[str, Head] = {}
    for shape in root.iter("{*}paraPr"):
        heading = next(shape.iter("{*}heading"), None)
        if heading is not None:
            kind = _KINDS.get(heading.get("type") or "", "none")
            heads[shape.get("id") or ""] = Head(kind, level_of(heading.get("level")), number(heading.get("idRef")))
    numberings = {number(item.get("id")): _levels(item) for item in root.iter("{*}numbering")}
    return heads, numberings


def listed_changes(root: Any) -> int:
    """Return how many words were inserted and deleted while changes were tracked; changed shapes don't count."""
    listed = root.iterfind("{*}refList/{*}trackChanges/{*}trackChange")
    return sum((change.get("type") or "").upper() in _CHANGES for change in listed)


def _levels(numbering: Any) -> list[Level]:
    return in_order(
        {
            number(head.get("level")): Level(
                head.text or "", head.get("numFormat") or "DIGIT", number(head.get("start"), 1)
            )
            for head in numbering.iter("{*}paraHead")
        }
    )


def in_order(levels: dict[int, Level]) -> list[Level]:
    """Return the levels 1, 2, ... of a numbering; one that isn't defined shows nothing."""
    return [levels.get(level, Level("")) for level in range(1, min(max(levels, default=0), _MAX_LEVEL) + 1)]


def level_of(text: str | None) -> int:
    """Read the level of a paragraph head, from 0."""
    return min(max(number(text), 0), _MAX_LEVEL - 1)


def shown_number(element: Any) -> str:
    """Return what a caption's automatic number shows."""
    form = element.find("{*}autoNumFormat")
    value = number(element.get("num"), 1)
    if form is None:
        return str(value)
    return numbered(value, form.get("type") or "DIGIT", form.get("prefixChar") or "", form.get("suffixChar") or "")


def numbered(value: int, kind: str, before: str, after: str) -> str:
    """Return a number in its format between its marks ("①", "[가]")."""
    return f"{before}{numeral(value, kind)}{after}"


def owpml_word(word: str) -> str:
    """Return OWPML's word for HWPML's ("HangulSyllable" for HANGUL_SYLLABLE)."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).upper()
