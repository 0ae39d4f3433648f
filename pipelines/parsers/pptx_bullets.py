"""Which mark or number stands before a paragraph of a slide (ISO 29500-1, 21.1.2.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pipelines.parsers.docx_formats import shown
from pipelines.parsers.ooxml_xml import child
from pipelines.parsers.xml import local

_MARKS = ("buNone", "buChar", "buBlip", "buAutoNum")
# buAutoNum types are a number format and a frame around it, e.g. alphaLcParenBoth -> (a).
_FORMATS = {
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
    "circleNum": "decimalEnclosedCircle",
    "ea1Chs": "chineseCounting",
    "ea1Cht": "chineseCounting",
    "ea1JpnKor": "chineseCounting",
    "ea1JpnChs": "chineseCounting",
}
_AUTO_NUMBER = re.compile(r"([a-z0-9]+(?:Lc|Uc|Num|Chs|Cht|JpnKor|JpnChs)?)(?:Db|Wd[A-Z][a-z]+)?(\w*)")
_FRAMES = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Minus": "{}-"}
# ST_TextBulletStartAtNum ends here.
_MAX_START = 32_767


class Bullets:
    """Rules the paragraphs of one text body, in order; counts what numbers itself."""

    def __init__(self, styles: Sequence[Any] = ()) -> None:
        self._styles = styles
        self._counts: dict[int, tuple[str, int]] = {}

    def next(self, properties: Any, level: int) -> tuple[str, bool]:
        """Return a paragraph's number ("" for none) and whether it is an entry of a list."""
        mark = self._mark(properties, level)
        name = local(mark) if mark is not None else ""
        number = self._count(mark if name == "buAutoNum" else None, level)
        return number, name in ("buChar", "buBlip", "buAutoNum") or (level > 0 and name != "buNone")

    def _mark(self, properties: Any, level: int) -> Any:
        rules = [properties, *(child(style, f"lvl{level + 1}pPr") for style in self._styles)]
        for rule in rules:
            for name in _MARKS:
                mark = child(rule, name)
                if mark is not None:
                    return mark
        return None

    def _count(self, mark: Any, level: int) -> str:
        """Count one paragraph; another kind of number, or a paragraph of a shallower level, starts the list anew."""
        for deeper in [key for key in self._counts if key > level]:
            del self._counts[deeper]
        if mark is None:
            self._counts.pop(level, None)
            return ""
        kind, start = mark.get("type", "arabicPeriod"), mark.get("startAt", "1")
        before, value = self._counts.get(level, ("", 0))
        first = min(int(start), _MAX_START) if start.isdecimal() and len(start) < 7 else 1
        value = value + 1 if before == f"{kind} {start}" else first
        self._counts[level] = (f"{kind} {start}", value)
        return auto_number(kind, value)


def auto_number(kind: str, value: int) -> str:
    """Return a number as one of PowerPoint's schemes shows it (ST_TextAutonumberScheme)."""
    match = _AUTO_NUMBER.fullmatch(kind)
    base, frame = match.groups() if match else ("arabic", "Period")
    return _FRAMES.get(frame, "{}").format(shown(value, _FORMATS.get(base, "decimal")))
