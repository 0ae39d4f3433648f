"""Form objects of HWP 5 (buttons, boxes, lists, entry fields) as a reader of the printed form sees them.

The specification leaves the record out. Files show: type twice, length twice, then "key:type:value" pairs, where a
"wstring" says how many characters follow and a "set" only brackets the pairs after it.
"""

from __future__ import annotations

import re

from pipelines.parsers.hwp_text import counted_string

_PROPERTIES = 12
_PAIR = re.compile(r"\s*(\w{1,100}):(\w{1,20}):")
_LENGTH = re.compile(r"(\d{1,9}):")
# What is ticked is part of the answer: consent or none. Types are stored back to front.
_TICKS = {b"tbc+": ("☐", "☑"), b"tbr+": ("○", "◉")}


def form_words(data: bytes) -> str:
    """Return the words of a form object; what a password field holds is shown to nobody and left out."""
    values = _values(counted_string(data, _PROPERTIES)[0])
    if values.get("PasswordChar", "").strip():
        return ""
    off, on = _TICKS.get(data[:4], ("", ""))
    words = values.get("Caption") or values.get("Text") or ""
    return f"{on if values.get('Value') == '1' else off} {words}".strip()


def _values(properties: str) -> dict[str, str]:
    found: dict[str, str] = {}
    place = 0
    while pair := _PAIR.match(properties, place):
        place = pair.end()
        length = _LENGTH.match(properties, place) if pair[2] in ("wstring", "set") else None
        if length is None:
            end = properties.find(" ", place)
            end = len(properties) if end < 0 else end
            found[pair[1]] = properties[place:end]
            place = end
        elif pair[2] == "set":
            place = length.end()
        else:
            place = length.end() + int(length[1])
            found[pair[1]] = properties[length.end() : place]
    return found
