"""DrawingML text bodies (ISO 29500-1 section 21.1.2) to paragraphs and list items."""

from __future__ import annotations

import re
from typing import Any

from pipelines.parsers.bullet import without_bullet
from pipelines.parsers.docx_numbering import shown
from pipelines.parsers.docx_xml import child, children, chosen
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local
from pipelines.records import Block, Locator

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
}
_AUTO_NUMBER = re.compile(r"([a-z0-9]+(?:Lc|Uc|Num|Chs|Cht|JpnKor)?)(?:Db|Wd[A-Za-z]*)?(\w*)")
_FRAMES = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Minus": "{}-"}
# Fields that every slide repeats.
_FURNITURE = ("slidenum", "datetime")


def paragraph_text(paragraph: Any) -> str:
    """Return the words of an `a:p`; slide numbers and dates that fill themselves in are left out."""
    words: list[str] = []
    _collect(paragraph, words)
    return clean("".join(words)).strip()


def text_blocks(body: Any, locator: Locator, *, bulleted: bool = False) -> list[Block]:
    """Return the paragraphs of a text body; `bulleted` says that its placeholder draws bullets by itself."""
    found: list[Block] = []
    counts: dict[int, tuple[str, int]] = {}
    for paragraph in children(body, "p") if body is not None else ():
        text = paragraph_text(paragraph)
        if not text:
            continue
        properties = child(paragraph, "pPr")
        level = _level(properties)
        number = _auto_number(child(properties, "buAutoNum"), level, counts)
        plain = without_bullet(text)
        if number or plain is not None or _is_item(properties, bulleted, level):
            found.append(Block("item", plain or text, level=level + 1, number=number, locator=locator))
        else:
            found.append(Block("paragraph", text, locator=locator))
    return found


def _collect(element: Any, words: list[str]) -> None:
    for inner in element:
        name = local(inner)
        if name == "t":
            words.append(inner.text or "")
        elif name == "br":
            words.append("\n")
        elif name == "fld" and inner.get("type", "").startswith(_FURNITURE):
            continue
        elif name == "AlternateContent":
            branch = chosen(inner)
            if branch is not None:
                _collect(branch, words)
        elif name and not name.endswith("Pr"):
            _collect(inner, words)


def _level(properties: Any) -> int:
    try:
        return min(max(int(properties.get("lvl", "0")), 0), 8) if properties is not None else 0
    except ValueError:
        return 0


def _is_item(properties: Any, bulleted: bool, level: int) -> bool:
    if child(properties, "buNone") is not None:
        return False
    drawn = child(properties, "buChar") is not None or child(properties, "buBlip") is not None
    return drawn or bulleted or level > 0


def _auto_number(element: Any, level: int, counts: dict[int, tuple[str, int]]) -> str:
    """Count one paragraph; another kind of number, or a paragraph of a shallower level, starts the list anew."""
    for deeper in [key for key in counts if key > level]:
        del counts[deeper]
    if element is None:
        counts.pop(level, None)
        return ""
    kind = element.get("type", "arabicPeriod")
    start = element.get("startAt", "1")
    before, value = counts.get(level, ("", 0))
    value = value + 1 if before == kind else int(start) if start.isdigit() else 1
    counts[level] = (kind, value)
    match = _AUTO_NUMBER.fullmatch(kind)
    base, frame = match.groups() if match else ("arabic", "Period")
    return _FRAMES.get(frame, "{}").format(shown(value, _FORMATS.get(base, "decimal")))
