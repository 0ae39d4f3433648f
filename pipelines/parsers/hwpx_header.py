"""Paragraph heads and numberings from the header part of an HWPX document (OWPML, KS X 6101)."""

from __future__ import annotations

from typing import Any

from pipelines.parsers.hwp_flow import Head
from pipelines.parsers.hwp_numbers import Level

_KINDS = {"OUTLINE": "outline", "NUMBER": "number", "BULLET": "bullet"}


def number(text: str | None, default: int = 0) -> int:
    """Read an integer attribute; `default` when it is missing or no number."""
    try:
        return int(text or "")
    except ValueError:
        return default


def read_header(root: Any) -> tuple[dict[str, Head], dict[int, list[Level]]]:
    """Return heads by paragraph shape id and numberings by id."""
    heads: dict[str, Head] = {}
    for shape in root.iter("{*}paraPr"):
        heading = next(shape.iter("{*}heading"), None)
        if heading is not None:
            kind = _KINDS.get(heading.get("type") or "", "none")
            heads[shape.get("id") or ""] = Head(kind, number(heading.get("level")), number(heading.get("idRef")))
    numberings = {number(item.get("id")): _levels(item) for item in root.iter("{*}numbering")}
    return heads, numberings


def _levels(numbering: Any) -> list[Level]:
    found = {
        number(head.get("level")): Level(
            head.text or "", head.get("numFormat") or "DIGIT", number(head.get("start"), 1)
        )
        for head in numbering.iter("{*}paraHead")
    }
    return [found.get(level, Level("")) for level in range(1, min(max(found, default=0), 10) + 1)]
