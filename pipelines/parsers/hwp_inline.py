"""Controls of HWP 5 that stand inside the text: equations, numbers of captions, composed letters, form objects, links.

Layouts: format specification 5.0 revision 1.3, 4.3.10.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from pipelines.parsers.hwp_form import form_words
from pipelines.parsers.hwp_numbers import FORMATS, numeral
from pipelines.parsers.hwp_records import Record
from pipelines.parsers.hwp_text import counted_string
from pipelines.parsers.hwpx_inline import web_address

_EQUATION, _TEXT_ART, _FORM = 88, 90, 91
# Automatic numbers of pages and notes (codes 0 to 2, 6) aren't words; those of pictures, tables and equations are.
_SHOWN_NUMBERS = (3, 4, 5)
# The four corners stand before the words of text art; id and flags before a field's command.
_TEXT_ART_WORDS, _COMMAND = 32, 9


def inline_words(name: str, control: Record) -> list[str]:
    """Return the words of a control inside the text; none when it has none of its own."""
    data = control.data
    if name == "eqed":
        return [f" {counted_string(one.data, 4)[0].strip()} " for one in control.children if one.tag == _EQUATION]
    if name == "atno" and len(data) >= 10:
        return _automatic_number(data)
    if name == "tdut":
        main, place = counted_string(data, 4)
        return [f"{main}({counted_string(data, place)[0]})"]
    if name == "tcps":
        return [counted_string(data, 4)[0]]
    if name == "form":
        return [f" {form_words(one.data)} " for one in control.children if one.tag == _FORM]
    return []


def _automatic_number(data: bytes) -> list[str]:
    """Return a caption's number in its format, with the marks around it ("(1)")."""
    kind, number = struct.unpack_from("<IH", data, 4)
    if kind & 15 not in _SHOWN_NUMBERS:
        return []
    code = kind >> 4 & 0xFF
    marks = struct.unpack_from("<HH", data, 12) if len(data) >= 16 else (0, 0)
    before, after = (chr(mark) if mark else "" for mark in marks)
    return [f"{before}{numeral(number, FORMATS[code] if code < len(FORMATS) else 'DIGIT')}{after}"]


def text_art(records: Sequence[Record]) -> list[str]:
    """Return the words drawn as a picture (글맵시) by the shape whose records these are."""
    return [counted_string(one.data, _TEXT_ART_WORDS)[0] for one in records if one.tag == _TEXT_ART]


def link_target(control: Record) -> str:
    """Return the web address of a hyperlink field; "" for every other field and for places in the document."""
    return web_address(counted_string(control.data, _COMMAND)[0]) if control.data[:4] == b"klh%" else ""
