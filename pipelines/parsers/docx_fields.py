"""Fields of a Word file (ISO 29500-1 section 17.16): stored results, results that Word draws anew, generated lists."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

from pipelines.parsers.docx_eq import eq_text
from pipelines.parsers.docx_symbols import symbol
from pipelines.parsers.ooxml_xml import attribute, child, children, is_on, number
from pipelines.parsers.xml import local

_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
# Lists that Word makes out of headings, captions and marks; their lines repeat the body.
_LISTS = ("TOC", "INDEX", "TOA")
# Fields that show nothing where they stand.
_SILENT = frozenset(
    (*_LISTS, "XE", "TC", "TA", "RD", "SET", "ASK", "PRIVATE", "ADVANCE", "HYPERLINK", "FORMTEXT", "NEXT", "NEXTIF",
     "SKIPIF", "INCLUDEPICTURE", "EMBED", "SHAPE", "CONTROL", "")
)  # fmt: skip


class Code(NamedTuple):
    """A field's instruction: its name in capitals, its words without quotes, all that follows the name."""

    name: str
    words: list[str]
    rest: str


def parse_code(text: str) -> Code:
    """Read an instruction such as `HYPERLINK "http://..." \\o "tip"`."""
    name, _, rest = text.strip().partition(" ")
    if "\\" in name:
        name, mark, tail = name.partition("\\")
        rest = f"{mark}{tail} {rest}"
    return Code(name.upper(), [(match[1] or match[2] or "") for match in _WORD.finditer(rest)], rest.strip())


class Sequences:
    """Numbers of captions (SEQ fields) that a file doesn't store; one for a document."""

    def __init__(self) -> None:
        self._last: Counter[str] = Counter()
        self.missing = 0

    def learn(self, code: Code, result: str) -> None:
        """Follow a number that the file stores."""
        if code.name == "SEQ" and code.words:
            last = self._last[code.words[0]]
            self._last[code.words[0]] = int(result) if result.isdecimal() and len(result) < 8 else last + 1

    def drawn(self, code: Code, form: Any, *, separated: bool) -> str:
        """Return what Word draws for a field that stores no words as its result.

        `form` is the ffData of a form field or None; `separated` tells that a result is stored, an empty one.
        """
        if code.name == "SEQ" and code.words:
            return self._next(code)
        if code.name == "FORMCHECKBOX":
            return _check_mark(form)
        if code.name == "FORMDROPDOWN":
            return _choice(form)
        if code.name == "EQ":
            return eq_text(code.rest)
        if code.name == "SYMBOL" and code.words:
            return _symbol(code)
        if code.name == "MACROBUTTON":
            return code.rest.partition(" ")[2].strip()
        self.missing += not separated and code.name not in _SILENT
        return ""

    def _next(self, code: Code) -> str:
        name, switches = code.words[0], [word.lower() for word in code.words[1:]]
        restart = _after(switches, "\\r")
        if restart.isdecimal() and len(restart) < 8:
            self._last[name] = int(restart)
        elif "\\c" not in switches:
            self._last[name] += 1
        return "" if "\\h" in switches else str(self._last[name])


class Lists(NamedTuple):
    """Generated lists of a story: the `fldChar` elements that begin them, the paragraphs that begin inside one.

    `orphans` begin a field that never ends.
    """

    begins: frozenset[Any] = frozenset()
    inside: frozenset[Any] = frozenset()
    orphans: frozenset[Any] = frozenset()


def generated_lists(story: Any) -> Lists:
    """Find the tables of contents and indexes whose end is there; one without an end is read as text."""
    begins: set[Any] = set()
    spans: list[tuple[int, int]] = []
    waiting: list[tuple[Any, int, list[str]]] = []
    paragraphs: list[Any] = []
    for element in story.iter():
        name = local(element)
        if name == "p":
            paragraphs.append(element)
        elif name == "instrText" and waiting:
            waiting[-1][2].append(element.text or "")
        elif name == "fldChar":
            kind = attribute(element, "fldCharType")
            if kind == "begin":
                waiting.append((element, len(paragraphs), []))
            elif kind == "end" and waiting:
                begin, first, words = waiting.pop()
                if parse_code("".join(words)).name in _LISTS:
                    begins.add(begin)
                    while spans and spans[-1][0] >= first:
                        spans.pop()
                    spans.append((first, len(paragraphs)))
    inside = (paragraph for first, last in spans for paragraph in paragraphs[first:last])
    return Lists(frozenset(begins), frozenset(inside), frozenset(begin for begin, _, _ in waiting))


def _after(switches: list[str], switch: str) -> str:
    at = switches.index(switch) + 1 if switch in switches else len(switches)
    return switches[at] if at < len(switches) else ""


def _check_mark(form: Any) -> str:
    box = child(form, "checkBox")
    checked = child(box, "checked")
    return "☒" if is_on(checked if checked is not None else child(box, "default")) else "☐"


def _choice(form: Any) -> str:
    choices = child(form, "ddList")
    entries = [attribute(entry, "val") for entry in children(choices, "listEntry")] if choices is not None else []
    picked = child(choices, "result")
    index = number(picked if picked is not None else child(choices, "default"), "val", 0)
    return entries[index] if 0 <= index < len(entries) else ""


def _symbol(code: Code) -> str:
    text, font = code.words[0], _after([word.lower() for word in code.words], "\\f")
    try:
        point = int(text, 16 if text.lower().startswith("0x") else 10)
    except ValueError:
        return ""
    return symbol(f"{0xF000 | point if font and point < 0x100 else point:x}", font)
