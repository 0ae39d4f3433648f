"""Equations of office files (ISO 29500-1 section 22.1) as one readable line."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from pipelines.parsers.ooxml_xml import attribute, child, children, is_on
from pipelines.parsers.xml import local

_GONE = frozenset({"del", "moveFrom", "delText", "instrText"})
# A longer operand isn't searched for parentheses of its own: nested ones would be read once a level.
_MAX_CHECKED = 1000
_OVER = "\u0302"
_BAR_OVER, _BAR_UNDER = "\u0305", "\u0332"


def math_text(element: Any) -> str:
    """Return an `m:oMath`, `m:oMathPara` or a part of one: "a/(b + c)", "x^2", "√(x)", "∑_(i=1)^n"."""
    name = local(element)
    if not name or name in _GONE or name.endswith("Pr"):
        return ""
    if name == "t":
        return element.text or ""
    if name in ("br", "cr"):
        return "\n"
    shape = _SHAPES.get(name)
    return shape(element) if shape is not None else "".join(map(math_text, element))


def _part(element: Any, name: str) -> str:
    found = child(element, name)
    return math_text(found).strip() if found is not None else ""


def _group(text: str) -> str:
    """Return `text` as one operand: in parentheses unless it is one word, one number or in parentheses already."""
    bare = text.replace(".", "").replace(",", "").replace("_", "")
    letters = all(char.isalnum() or unicodedata.combining(char) for char in bare)
    plain = letters or len(text) == 1 or (len(text) <= _MAX_CHECKED and _is_wrapped(text))
    return text if plain else f"({text})"


def _is_wrapped(text: str) -> bool:
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return index == len(text) - 1
    return False


def _fraction(element: Any) -> str:
    above, below = _part(element, "num"), _part(element, "den")
    if attribute(child(element, "fPr", "type"), "val") == "noBar":
        return f"({above}; {below})"
    return f"{_group(above)}/{_group(below)}"


def _scripts(element: Any) -> str:
    sub, sup = _part(element, "sub"), _part(element, "sup")
    scripts = (f"_{_group(sub)}" if sub else "") + (f"^{_group(sup)}" if sup else "")
    base = _part(element, "e")
    return f"{scripts}{base}" if local(element) == "sPre" else f"{_group(base) if base else ''}{scripts}"


def _radical(element: Any) -> str:
    degree = "" if is_on(child(element, "radPr", "degHide")) else _part(element, "deg")
    return f"{_group(degree) if degree else ''}√({_part(element, 'e')})"


def _nary(element: Any) -> str:
    sub, sup = _part(element, "sub"), _part(element, "sup")
    scripts = (f"_{_group(sub)}" if sub else "") + (f"^{_group(sup)}" if sup else "")
    sign = attribute(child(element, "naryPr", "chr"), "val", "∫")
    return f"{sign}{scripts} {_part(element, 'e')}"


def _delimiters(element: Any) -> str:
    properties = child(element, "dPr")

    def mark(name: str, default: str) -> str:
        found = child(properties, name)
        return attribute(found, "val") if found is not None else default

    inner = mark("sepChr", "|").join(math_text(one).strip() for one in children(element, "e"))
    return f"{mark('begChr', '(')}{inner}{mark('endChr', ')')}"


def _matrix(element: Any) -> str:
    rows = (", ".join(math_text(one).strip() for one in children(row, "e")) for row in children(element, "mr"))
    return "; ".join(rows)


def _array(element: Any) -> str:
    return "; ".join(math_text(one).strip() for one in children(element, "e"))


def _function(element: Any) -> str:
    return f"{_part(element, 'fName')} {_part(element, 'e')}"


def _limit(element: Any) -> str:
    mark = "_" if local(element) == "limLow" else "^"
    return f"{_part(element, 'e')}{mark}{_group(_part(element, 'lim'))}"


def _accent(element: Any) -> str:
    return _marked(_part(element, "e"), attribute(child(element, "accPr", "chr"), "val", _OVER))


def _bar(element: Any) -> str:
    top = attribute(child(element, "barPr", "pos"), "val") == "top"
    return _marked(_part(element, "e"), _BAR_OVER if top else _BAR_UNDER)


def _marked(base: str, mark: str) -> str:
    return f"{base if len(base) == 1 else _group(base)}{mark}" if base else ""


def _phantom(element: Any) -> str:
    shown = child(element, "phantPr", "show")
    return _part(element, "e") if shown is None or is_on(shown) else ""


def _paragraph(element: Any) -> str:
    return "\n".join(text for one in element if (text := math_text(one).strip()))


_SHAPES: dict[str, Callable[[Any], str]] = {
    "f": _fraction,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts,
    "rad": _radical,
    "nary": _nary,
    "d": _delimiters,
    "m": _matrix,
    "eqArr": _array,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "acc": _accent,
    "bar": _bar,
    "phant": _phantom,
    "oMathPara": _paragraph,
}
