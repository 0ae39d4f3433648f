"""XML as Hangul and its neighbours write it: what a strict reader refuses is mended before it is parsed."""

from __future__ import annotations

import re
from typing import Any

from pipelines.parsers.xml import parse_xml

# XML 1.0, 2.2: no character reference and no literal may stand for these.
_CONTROLS = bytes(code for code in range(32) if code not in (9, 10, 13))
_REFERENCE = re.compile(rb"&#(?:[xX]0*([0-9a-fA-F]{1,8})|0*([0-9]{1,9}));")
_MAX_POINT = 0x10FFFF


def parse_part(data: bytes, what: str) -> Any:
    """Return the root element of a part; raises UnsafeXml or Corrupt.

    Control characters are dropped, and characters written as two references to surrogates put together: Hangul
    lets both into its files, and one of them must not cost the whole document.
    """
    if b"\0" not in data[:4]:
        data = data.translate(None, _CONTROLS)
        if b"&#" in data:
            data = _mend_references(data)
    return parse_xml(data, what)


def _mend_references(data: bytes) -> bytes:
    parts: list[bytes] = []
    place, high = 0, 0
    for match in _REFERENCE.finditer(data):
        code = int(match[1], 16) if match[1] else int(match[2])
        if _is_character(code):
            high = 0
            continue
        parts.append(data[place : match.start()])
        if 0xDC00 <= code <= 0xDFFF and high and match.start() == place:
            parts.append(b"&#%d;" % (0x10000 + ((high - 0xD800) << 10) + code - 0xDC00))
        high = code if 0xD800 <= code <= 0xDBFF else 0
        place = match.end()
    parts.append(data[place:])
    return b"".join(parts)


def _is_character(code: int) -> bool:
    if code < 32:
        return code in (9, 10, 13)
    return code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= _MAX_POINT
