"""Parts of a workbook read in one pass without keeping them: memory doesn't grow with their elements."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from lxml import etree

from pipelines.errors import Corrupt
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.xml import refuse_dtd, refuse_prologue


def elements(archive: BoundedZip, part: str, tags: tuple[str, ...]) -> Iterator[Any]:
    """Yield elements of a part as they end, and free them; raises Corrupt or UnsafeXml."""
    data = archive.read(part)
    refuse_prologue(data, part)
    stream = etree.iterparse(io.BytesIO(data), tag=tags, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        for count, (_, element) in enumerate(stream):
            if not count:
                refuse_dtd(element, part)
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
