"""Texts of a workbook: shared and inline strings (ECMA-376 part 1, 18.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.xlsx_parts import elements
from pipelines.parsers.xml import local

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def shared_strings(archive: BoundedZip, part: str) -> Iterator[str]:
    """Yield the strings that cells refer to by index; raises Corrupt or UnsafeXml where the part is damaged."""
    return (rich_text(element) for element in elements(archive, part, ("{*}si",)))


def rich_text(element: Any) -> str:
    """Join the runs of a string; phonetic readings (rPh) aren't part of it."""
    if len(element) == 1 and element[0].tag == f"{element.tag[:-2]}t":
        return unescape(element[0].text or "")
    texts = []
    for child in element:
        name = local(child)
        if name == "t":
            texts.append(child.text or "")
        elif name == "r":
            texts.extend(run.text or "" for run in child if local(run) == "t")
    return unescape("".join(texts))


def unescape(text: str) -> str:
    """Decode _xHHHH_ once (ECMA-376 part 1, 22.9.2.19): "_x005F_x0041_" is the text "_x0041_"."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text
