"""Which elements a page hides: by attributes, inline styles, and the simple rules of its own style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_HIDDEN_STYLE = re.compile(r"mso-hide\s*:\s*all|font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:;|$|!)")
_DECLARATION = re.compile(r"(?:^|;)\s*(display|visibility)\s*:\s*([a-z-]+)\s*(!important)?")
_HIDING = ("none", "hidden", "collapse")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
# One element by its tag, id and classes; combinators and states (:hover) say nothing of a page at rest.
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w-]+)*)")
# Style sheets beyond this are a theme's; rules that hide content of the page itself stand in short ones.
_MAX_SHEET_CHARS = 1 << 20
# Rules of one class that are asked for each element; a page's own has a few.
_MAX_RULES = 64


class Rule(NamedTuple):
    """What a rule says of one property of the elements that its selector names."""

    tag: str
    names: frozenset[str]  # ".class" and "#id", all of which an element must have
    weight: tuple[bool, int, int, int]  # important, ids, classes, tags (CSS cascade, 6.4)
    what: str
    hides: bool


# property -> (weight of the strongest word on it, whether that hides)
Decided = dict[str, tuple[tuple[bool, int, int, int], bool]]


class HiddenRules:
    """The rules of one page."""

    def __init__(self, root: Any) -> None:
        self._rules: dict[str, list[Rule]] = {}
        self._known: dict[tuple[str, str, str], Decided] = {}
        sheet = "\n".join(element.text or "" for element in root.iter("style"))[:_MAX_SHEET_CHARS]
        if any(value in sheet.lower() for value in _HIDING):
            for rule in rules_of(sheet):
                rules = self._rules.setdefault(min(rule.names, default=rule.tag), [])
                if len(rules) < _MAX_RULES:
                    rules.append(rule)

    def hides(self, element: Any, tag: str) -> bool:
        """Tell whether a reader doesn't see the element."""
        if element.get("hidden") is not None or element.get("aria-hidden") == "true":
            return True
        if tag == "dialog" and element.get("open") is None:
            return True
        style = (element.get("style") or "").lower()
        if _HIDDEN_STYLE.search(style):
            return True
        decided = self._by_sheet(element, tag) if self._rules else {}
        for what, value, important in _DECLARATION.findall(style):
            decided = _with(decided, what, (bool(important), 1 << 30, 0, 0), value in _HIDING)
        return any(hides for _, hides in decided.values())

    def _by_sheet(self, element: Any, tag: str) -> Decided:
        key = (tag, (element.get("class") or "").lower(), (element.get("id") or "").lower())
        if key not in self._known:
            decided: Decided = {}
            names = {f".{name}" for name in key[1].split()} | {f"#{key[2]}"}
            for rule in (rule for name in sorted({*names, tag}) for rule in self._rules.get(name, ())):
                if rule.names <= names and rule.tag in ("", tag):
                    decided = _with(decided, rule.what, rule.weight, rule.hides)
            self._known[key] = decided
        return self._known[key]


def _with(decided: Decided, what: str, weight: tuple[bool, int, int, int], hides: bool) -> Decided:
    """Return `decided` with one more word on `what`, unless it is weaker."""
    if what in decided and decided[what][0] > weight:
        return decided
    return {**decided, what: (weight, hides)}


def rules_of(sheet: str) -> Iterator[Rule]:
    """Yield what a style sheet says of display and visibility; blocks of @media and the like are left out."""
    for selectors, body in _blocks(_COMMENT.sub(" ", sheet.lower())):
        declared = _DECLARATION.findall(body)
        for selector in selectors.split(",") if declared else ():
            match = _SELECTOR.fullmatch(selector.strip())
            if match is None or not match[0]:
                continue
            tag, names = match[1] or "", re.findall(r"[.#][\w-]+", match[2])
            ids = sum(name[0] == "#" for name in names)
            for what, value, important in declared:
                weight = (bool(important), ids, len(names) - ids, bool(tag))
                yield Rule(tag, frozenset(names), weight, what, value in _HIDING)


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield (selectors, declarations) of the outermost rules."""
    depth, start, selectors = 0, 0, ""
    for match in re.finditer(r"[{};]", sheet):
        if match[0] == "{":
            if depth == 0:
                selectors, start = sheet[start : match.start()].strip(), match.end()
            depth += 1
        elif match[0] == "}":
            depth = max(0, depth - 1)
            if depth == 0:
                if not selectors.startswith("@"):
                    yield selectors, sheet[start : match.start()]
                start = match.end()
        elif depth == 0:
            start = match.end()
