"""Parts of a workbook read in one pass without keeping them: memory doesn't grow with their elements."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from lxml import etree

from pipelines.errors import Corrupt, UnsafeXml
from pipelines.parsers.archive import BoundedZip

# The declaration must stand before the root element.
_PROLOGUE = 65_536


def elements(archive: BoundedZip, part: str, tags: tuple[str, ...]) -> Iterator[Any]:
    """Yield elements of a part as they end, and free them; raises Corrupt or UnsafeXml."""
    data = archive.read(part)
    head = data[:_PROLOGUE]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "ignore").encode("utf-8")
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise UnsafeXml(f"{part} declares a DTD or entities, which office programs never write")
    stream = etree.iterparse(io.BytesIO(data), tag=tags, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        for _, element in stream:
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise Corrupt(f"{part} is not well-formed XML (line {error.lineno})") from error


def number(text: str | None) -> int:
    """Return an attribute as a number, 0 when it is missing or none of at most 9 digits."""
    return int(text) if text and text.isdecimal() and len(text) < 10 else 0


def is_on(text: str | None) -> bool:
    """Tell whether an attribute is switched on."""
    return text in ("1", "true")


def relation_id(element: Any, name: str = "id") -> str:
    """Return the relationship that an element names, "" without one."""
    ending = f"relationships}}{name}"
    return next((str(value) for key, value in element.attrib.items() if key.endswith(ending)), "")
