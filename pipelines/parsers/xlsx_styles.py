"""What the styles of a workbook say about a cell: its number format, and whether it stands out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.ooxml_xml import chosen
from pipelines.parsers.sheet_format import BUILTIN_FORMATS
from pipelines.parsers.xlsx_parts import number
from pipelines.parsers.xml import local, parse_xml


@dataclass(frozen=True, slots=True)
class Styles:
    """By style index: the format code, and bold or filled."""

    formats: list[str] = field(default_factory=list)
    emphasis: list[bool] = field(default_factory=list)

    def code(self, index: int) -> str:
        """Return the format of a style; General when it isn't there."""
        return self.formats[index] if index < len(self.formats) else "General"


def read_styles(archive: BoundedZip, part: str) -> Styles:
    """Read the styles part; raises Corrupt or UnsafeXml."""
    codes = dict(BUILTIN_FORMATS)
    bold: list[bool] = []
    filled: list[bool] = []
    styles = Styles()
    for group in _members(parse_xml(archive.read(part), part)):
        name = local(group)
        if name == "numFmts":
            codes.update((number(one.get("numFmtId")), one.get("formatCode", "")) for one in _members(group))
        elif name == "fonts":
            bold = [_is_bold(font) for font in _members(group) if local(font) == "font"]
        elif name == "fills":
            filled = [_is_filled(fill) for fill in _members(group) if local(fill) == "fill"]
        elif name == "cellXfs":
            for style in _members(group):
                styles.formats.append(codes.get(number(style.get("numFmtId")), "General"))
                font, fill = number(style.get("fontId")), number(style.get("fillId"))
                styles.emphasis.append(bold[font : font + 1] == [True] or filled[fill : fill + 1] == [True])
    return styles


def _members(element: Any) -> list[Any]:
    """Return the children, those of the branch that is read for an AlternateContent."""
    found: list[Any] = []
    for one in element:
        branch = chosen(one) if local(one) == "AlternateContent" else None
        found += list(branch) if branch is not None else [one] if local(one) not in ("", "AlternateContent") else []
    return found


def _is_bold(font: Any) -> bool:
    return any(local(part) == "b" and part.get("val", "1") not in ("0", "false") for part in font)


def _is_filled(fill: Any) -> bool:
    return any(local(part) == "patternFill" and part.get("patternType") == "solid" for part in fill)
