"""The words of one paragraph: tracked changes accepted, hidden text and field codes left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pipelines.parsers.docx_fields import parse_code
from pipelines.parsers.docx_inline import Float, Inline, Source
from pipelines.parsers.docx_symbols import in_font, symbol
from pipelines.parsers.ooxml_math import math_text
from pipelines.parsers.ooxml_package import with_target
from pipelines.parsers.ooxml_xml import attribute, child, chosen, is_on, link_of
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local

_PROPERTIES = frozenset({"rPr", "pPr", "sdtPr", "sdtEndPr", "ctrlPr", "fldData", "ffData", "numPr"})
# Deleted words, phonetic guides, a note's own mark.
_NO_WORDS = frozenset({"delText", "delInstrText", "rt", "annotationRef", "footnoteRef", "endnoteRef"})
# Deleted and moved-away content: its field marks still open and close fields, its words don't count.
_GONE = frozenset({"del", "moveFrom"})
_PICTURES = frozenset({"pic", "imagedata"})
_BREAKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
# What stands beside the words of a paragraph, by the element that holds it: kind of the float.
_FLOATS = {"txbxContent": "box", "txBody": "box", "textpath": "art", "chart": "chart", "relIds": "diagram"}


@dataclass(slots=True)
class _Field:
    """An open field; `at` is how many words were said before its result."""

    state: str
    at: int = 0
    code: list[str] = field(default_factory=list)
    form: Any = None


# Word nests fields 20 deep; what is deeper in a file keeps its words and nothing is worked out for it.
_MAX_FIELDS = 20


class _Reader:
    """Walks the runs of a paragraph; a field's words count between its separator and its end."""

    def __init__(self, source: Source, style_id: str) -> None:
        self.found = Inline(bold=True)
        self._source = source
        self._words: list[str] = []
        self._fields: list[_Field] = []
        # How many elements around this place are deleted or hidden, how many open fields show no words here.
        self._muted = 0
        self._silent = 0
        self._style_hidden = source.styles.is_hidden(style_id)
        self._style_bold = source.styles.is_bold(style_id)
        self._font = ""
        self._bold = self._style_bold

    def read(self, paragraph: Any) -> Inline:
        if paragraph in self._source.lists.inside:
            self._open(_Field("list"))
        for element in paragraph:
            self._visit(element)
        self.found.text = clean("".join(self._words))
        return self.found

    def _visit(self, element: Any) -> None:
        name = local(element)
        if not name or name in _PROPERTIES or name in _NO_WORDS:
            return
        if name == "r":
            self._run(element)
        elif name == "t":
            self._say(in_font(_spaced(element), self._font))
        elif name in _BREAKS:
            self._say(_BREAKS[name])
        elif name == "sym":
            self._say(symbol(attribute(element, "char"), attribute(element, "font")))
        elif name == "fldChar":
            self._field_mark(element)
        elif name == "instrText":
            if self._fields and self._fields[-1].state == "code":
                self._fields[-1].code.append(element.text or "")
        elif name in ("oMath", "oMathPara"):
            self._say(math_text(element))
        elif name in _FLOATS:
            self._float(_FLOATS[name], element)
        elif name in ("footnoteReference", "endnoteReference"):
            if self._is_heard():
                own_mark = attribute(element, "customMarkFollows") in ("1", "true", "on")
                self.found.notes.append((f"{name[:-9]}s", attribute(element, "id"), own_mark))
        else:
            self._wrapper(element, name)

    def _wrapper(self, element: Any, name: str) -> None:
        inner = chosen(element) if name == "AlternateContent" else element
        self._muted += name in _GONE
        if self._is_heard():
            self.found.rubies += name == "ruby"
            self.found.objects += name == "OLEObject"
            self.found.pictures += name in _PICTURES
        pictures = self.found.pictures
        before = len(self._words)
        if name == "fldSimple":
            self._open(_Field("result", before, [attribute(element, "instr")], child(element, "ffData")))
        for below in inner if inner is not None else ():
            self._visit(below)
        if name == "fldSimple":
            self._end_field()
        elif name == "hyperlink":
            self._say_target(self._target(element), before)
        elif name == "object":
            self.found.pictures = pictures
        self._muted -= name in _GONE

    def _run(self, run: Any) -> None:
        properties = child(run, "rPr")
        hidden = self._is_hidden(properties)
        self.found.hidden += hidden and self._is_heard()
        prompts = not hidden and self._is_prompt(run, properties)
        self.found.prompts += prompts and self._is_heard()
        self._muted += hidden or prompts
        fonts = child(properties, "rFonts")
        self._font = attribute(fonts, "ascii") or attribute(fonts, "hAnsi")
        self._bold = self._is_bold(properties)
        for below in run:
            self._visit(below)
        self._muted -= hidden or prompts

    def _say(self, text: str) -> None:
        if self._is_heard():
            self._words.append(text)
            self.found.bold = self.found.bold and (self._bold or not text.strip())
        elif not self._muted and self._fields[0].state == "list" and text.strip():
            self.found.listed = True

    def _is_heard(self) -> bool:
        return not self._muted and not self._silent

    def _field_mark(self, mark: Any) -> None:
        kind = attribute(mark, "fldCharType")
        if mark in self._source.lists.orphans:
            return
        if kind == "begin":
            state = "list" if mark in self._source.lists.begins else "code"
            self._open(_Field(state, len(self._words), form=child(mark, "ffData")))
        elif kind == "separate" and self._fields:
            if self._fields[-1].state == "code":
                self._fields[-1].state, self._fields[-1].at = "result", len(self._words)
                self._silent -= 1
        elif kind == "end" and self._fields:
            self._end_field()

    def _open(self, one: _Field) -> None:
        self._fields.append(one)
        self._silent += one.state != "result"

    def _end_field(self) -> None:
        ended = self._fields.pop()
        self._silent -= ended.state != "result"
        if ended.state == "list" or not self._is_heard() or len(self._fields) >= _MAX_FIELDS:
            return
        code = parse_code("".join(ended.code))
        result = "".join(self._words[ended.at :]).strip()
        if not result:
            self._say(self._source.sequences.drawn(code, ended.form, separated=ended.state == "result"))
        elif code.name == "HYPERLINK" and code.words:
            self._say_target(code.words[0], ended.at)
        else:
            self._source.sequences.learn(code, result)

    def _target(self, hyperlink: Any) -> str:
        address, place = self._source.links.get(link_of(hyperlink), ""), attribute(hyperlink, "anchor")
        return f"{address}#{place}" if address and place and "#" not in address else address

    def _say_target(self, target: str, before: int) -> None:
        words = "".join(self._words[before:])
        if target.lower().startswith(("http://", "https://")) and self._is_heard():
            self._say(with_target(words, target)[len(words) :])

    def _float(self, kind: str, element: Any) -> None:
        if not self._is_heard():
            return
        if kind == "box":
            self.found.floats.append(Float(kind, element))
        elif kind == "art":
            self.found.floats.append(Float(kind, clean(element.get("string", "")).strip()))
        else:
            self.found.floats.append(Float(kind, link_of(element, "dm" if kind == "diagram" else "id")))

    def _is_hidden(self, properties: Any) -> bool:
        vanish = child(properties, "vanish")
        if vanish is not None:
            return is_on(vanish)
        character = attribute(child(properties, "rStyle"), "val")
        return self._style_hidden or self._source.styles.is_hidden(character)

    def _is_prompt(self, run: Any, properties: Any) -> bool:
        """Tell whether a run is the prompt of a content control that nobody filled (ISO 29500-1, 17.5.2.39).

        Programs that fill a control often leave it marked as empty, so its words have to look like a prompt too.
        """
        if not self._source.styles.is_placeholder(attribute(child(properties, "rStyle"), "val")):
            return False
        control = next((one for one in run.iterancestors() if local(one) == "sdt"), None)
        return is_on(child(control, "sdtPr", "showingPlcHdr"))

    def _is_bold(self, properties: Any) -> bool:
        own = child(properties, "b")
        if own is not None:
            return is_on(own)
        return self._style_bold or self._source.styles.is_bold(attribute(child(properties, "rStyle"), "val"))


def read_inline(paragraph: Any, source: Source, style_id: str = "") -> Inline:
    """Return the words of a `w:p` (or an `a:p` in a drawing) in reading order, boxes and charts apart."""
    return _Reader(source, style_id).read(paragraph)


def _spaced(element: Any) -> str:
    """Return an element's words; line ends inside it are the file's layout, not the writer's."""
    text = element.text or ""
    return " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
