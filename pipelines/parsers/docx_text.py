"""The words of one paragraph: tracked changes accepted, hidden text and field codes left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pipelines.parsers.docx_styles import Styles
from pipelines.parsers.docx_xml import attribute, child, chosen, is_on
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local

_PROPERTIES = frozenset({"rPr", "pPr", "sdtPr", "sdtEndPr", "ctrlPr", "fldData", "ffData"})
# Deleted and moved-away text, field codes, phonetic guides, a note's own mark.
_NO_WORDS = frozenset(
    {"del", "moveFrom", "delText", "instrText", "delInstrText", "rt", "annotationRef", "footnoteRef", "endnoteRef"}
)
_BREAKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
# Symbol-font characters that carry meaning in forms and lists; other private-use signs are ornaments.
_SYMBOLS = {
    0xF0FE: "☒", 0xF052: "☑", 0xF0A8: "☐", 0xF06F: "☐", 0xF0FC: "✓", 0xF0FB: "✗", 0xF0E0: "→", 0xF0B7: "•", 0xF06C: "●",
}  # fmt: skip


@dataclass(slots=True)
class Inline:
    """What a paragraph holds: its words, the text boxes, and the notes it refers to as (part kind, id)."""

    text: str = ""
    boxes: list[Any] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    diagrams: list[str] = field(default_factory=list)
    hidden: int = 0


class _Reader:
    """Walks the runs of a paragraph; a field's words count between its separator and its end."""

    def __init__(self, styles: Styles) -> None:
        self.found = Inline()
        self._styles = styles
        self._words: list[str] = []
        self._fields: list[str] = []

    def read(self, paragraph: Any) -> Inline:
        for element in paragraph:
            self._visit(element)
        self.found.text = clean("".join(self._words)).strip()
        return self.found

    def _visit(self, element: Any) -> None:
        name = local(element)
        if not name or name in _PROPERTIES or name in _NO_WORDS:
            return
        if name == "r" and self._is_hidden(element):
            self.found.hidden += 1
        elif name == "t":
            self._say(element.text or "")
        elif name in _BREAKS:
            self._say(_BREAKS[name])
        elif name == "sym":
            self._say(_symbol(attribute(element, "char")))
        elif name == "fldChar":
            self._field(attribute(element, "fldCharType"))
        elif name in ("footnoteReference", "endnoteReference"):
            self.found.notes.append((f"{name[:-9]}s", attribute(element, "id")))
        elif name == "txbxContent":
            self.found.boxes.append(element)
        elif name == "relIds":
            self.found.diagrams += [value for key, value in element.attrib.items() if key.endswith("}dm")]
        else:
            inner = chosen(element) if name == "AlternateContent" else element
            for below in inner if inner is not None else ():
                self._visit(below)

    def _say(self, text: str) -> None:
        if "code" not in self._fields:
            self._words.append(text)

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append("code")
        elif kind == "separate" and self._fields:
            self._fields[-1] = "result"
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _is_hidden(self, run: Any) -> bool:
        vanish = child(run, "rPr", "vanish")
        if vanish is not None:
            return is_on(vanish)
        return self._styles.is_hidden(attribute(child(run, "rPr", "rStyle"), "val"))


def read_inline(paragraph: Any, styles: Styles) -> Inline:
    """Return the words of a `w:p` in reading order, its text boxes apart."""
    return _Reader(styles).read(paragraph)


def _symbol(code: str) -> str:
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    if 0xE000 <= point <= 0xF8FF:
        return _SYMBOLS.get(point, "")
    return chr(point) if point < 0x110000 else ""
