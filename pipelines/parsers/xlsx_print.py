"""What a sheet prints at the top and bottom of its pages (ECMA-376 part 1, 18.3.1.46)."""

from __future__ import annotations

import re
from typing import Any

from pipelines.parsers.apart import Apart
from pipelines.parsers.xlsx_parts import is_on
from pipelines.parsers.xlsx_strings import unescape
from pipelines.parsers.xml import local
from pipelines.records import Locator

# The child of <headerFooter>: the kind of aside, and the attribute that switches it on.
_PARTS = {
    "oddHeader": ("header", ""),
    "oddFooter": ("footer", ""),
    "evenHeader": ("header", "differentOddEven"),
    "evenFooter": ("footer", "differentOddEven"),
    "firstHeader": ("header", "differentFirst"),
    "firstFooter": ("footer", "differentFirst"),
}
# A font, a colour (of the theme with its shade), a page number with what is added to it, a size, any other letter.
_CODE = re.compile(r'&(?:"[^"]*"|[kK](?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|[pP](?:[+-]\d{1,3})?|\d{1,3}|.)', re.DOTALL)
_SECTIONS = frozenset(("&L", "&C", "&R", "&l", "&c", "&r"))
# What stands around page numbers and dates when these are gone.
_LEFT_OVER = " -–—/|·:,"


def keep_printed(element: Any, apart: Apart, locator: Locator) -> None:
    """Keep the words of a `headerFooter`; one that prints only page numbers, dates or names of files is counted."""
    found: dict[str, dict[str, None]] = {}
    for part in element:
        kind, switch = _PARTS.get(local(part), ("", ""))
        if kind and part.text and (not switch or is_on(element.get(switch))):
            found.setdefault(kind, {})[without_codes(unescape(part.text))] = None
    for kind, texts in found.items():
        words = "\n".join(filter(None, texts))
        if words:
            apart.put(kind, words, locator)
        else:
            apart.count(kind)


def without_codes(text: str) -> str:
    """Return the words of a header or footer, its three sections on one line."""
    words = " ".join(_CODE.sub(_literal, text).split()).strip(_LEFT_OVER)
    return words if any(map(str.isalnum, words)) else ""


def _literal(match: re.Match[str]) -> str:
    if match[0] in _SECTIONS:
        return " "
    return "&" if match[0] == "&&" else ""
