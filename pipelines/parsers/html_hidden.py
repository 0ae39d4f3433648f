"""Which elements a page hides: by attributes, inline styles, and the simple rules of its own style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

_DECLARATION = re.compile(r"(?:^|;)\s*(display|visibility)\s*:\s*([a-z-]+)\s*(!important)?")
_HIDING = ("none", "hidden", "collapse")
# How mails hide the line that lists of mails show, and pages hide words for screen readers.
_FLAT = re.compile(r"(?:^|;)\s*(?:max-)?(?:height|width)\s*:\s*0(?:px|pt|em|%)?\s*(?:;|$|!)")
_CUT = re.compile(r"(?:^|;)\s*overflow\s*:\s*hidden")
_FAR = re.compile(r"(?:^|;)\s*(?:left|top|text-indent)\s*:\s*-\d{4,}(?:\.\d+)?(?:px|em|pt)")
_NO_SIZE = re.compile(r"(?:^|;)\s*font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:;|$|!)")
_SIZE = re.compile(r"(?:^|;)\s*font(?:-size)?\s*:[^;]*[1-9]")
# Layout sets the size to 0 around columns that set their own; hidden lines hold a few elements.
_MAX_SIZED = 200
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
# One element by its tag, id and classes; states (:hover) say nothing of a page at rest.
_COMPOUND = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w-]+)*)")
_COMBINATOR = re.compile(r"\s*>\s*|\s+")
_ON_SCREEN = re.compile(r"(?:only\s+)?(?:screen|all)")
# Style sheets beyond this are a theme's; rules that hide content of the page itself stand in short ones.
_MAX_SHEET_CHARS = 1 << 20
# Rules of one class that are asked for each element; a page's own has a few.
_MAX_RULES = 64
# Compounds of a selector, and levels above an element that they are looked for at.
_MAX_COMPOUNDS, _MAX_ABOVE = 8, 256


class Compound(NamedTuple):
    """What one element must be: its tag ("" for any) and all of these ".class" and "#id"."""

    tag: str
    names: frozenset[str]

    def fits(self, tag: str, names: frozenset[str]) -> bool:
        """Tell whether an element of that tag and those names is meant."""
        return self.tag in ("", tag) and self.names <= names


class Rule(NamedTuple):
    """What a rule says of one property of the elements that its selector names."""

    last: Compound
    above: tuple[tuple[bool, Compound], ...]  # from the nearest outwards; True: it must be the parent (">")
    needs: frozenset[str]  # every tag, ".class" and "#id" in `above`
    weight: tuple[bool, int, int, int]  # important, ids, classes, tags (CSS cascade, 6.4)
    what: str
    hides: bool


# property -> (weight of the strongest word on it, whether that hides)
Decided = dict[str, tuple[tuple[bool, int, int, int], bool]]
Above = list[tuple[str, frozenset[str]]]


class HiddenRules:
    """The rules of one page."""

    def __init__(self, root: Any) -> None:
        self._rules: dict[str, list[Rule]] = {}
        self._known: dict[tuple[str, frozenset[str]], Decided] = {}
        self._parent: Any = None
        self._path: Above = []
        self._levels: dict[Any, int] = {}  # element -> its level in the path, from 1
        sheets = (element.text or "" for element in root.iter("style") if _on_screen(element.get("media") or "all"))
        sheet = "\n".join(sheets)[:_MAX_SHEET_CHARS]
        if any(value in sheet.lower() for value in _HIDING):
            for rule in rules_of(sheet):
                rules = self._rules.setdefault(min(rule.last.names, default=rule.last.tag), [])
                if len(rules) < _MAX_RULES:
                    rules.append(rule)
        self._deep = any(rule.above for rules in self._rules.values() for rule in rules)

    def hides(self, element: Any, tag: str) -> bool:
        """Tell whether a reader doesn't see the element."""
        if element.get("hidden") is not None or element.get("aria-hidden") == "true":
            return True
        if tag == "dialog" and element.get("open") is None:
            return True
        style = (element.get("style") or "").lower()
        if style and (_is_squeezed(style) or (_NO_SIZE.search(style) and not _sized_inside(element))):
            return True
        decided = self._by_sheet(element, tag) if self._rules else {}
        for what, value, important in _DECLARATION.findall(style):
            decided = _with(decided, what, (bool(important), 1 << 30, 0, 0), value in _HIDING)
        return any(hides for _, hides in decided.values())

    def _by_sheet(self, element: Any, tag: str) -> Decided:
        parent = element.getparent() if self._deep else None
        if parent is not self._parent:  # what is known holds for the children of one parent when rules look above
            self._known, self._parent = {}, parent
        key = (tag, _names(element))
        if key not in self._known:
            self._known[key] = self._decide(element, *key)
        return self._known[key]

    def _decide(self, element: Any, tag: str, names: frozenset[str]) -> Decided:
        decided: Decided = {}
        above = self._above(element) if self._deep else []
        around = {word for other, inside in above for word in (other, *inside)}
        for rule in (rule for name in sorted({*names, tag}) for rule in self._rules.get(name, ())):
            # Most rules ask for what is nowhere above: told at once, without a look at every level.
            if rule.last.fits(tag, names) and rule.needs <= around and _stands_in(rule.above, above):
                decided = _with(decided, rule.what, rule.weight, rule.hides)
        return decided

    def _above(self, element: Any) -> Above:
        """Return what is above an element, nearest first; of the last one's path, what both share stays."""
        fresh, shared = [], 0
        for other in element.iterancestors():
            shared = self._levels.get(other, 0)
            if shared:
                break
            fresh.append(other)
        for other in [*self._levels][shared:]:
            del self._levels[other]
        del self._path[shared:]
        for other in reversed(fresh):
            self._path.append((str(other.tag), _names(other)))
            self._levels[other] = len(self._path)
        return self._path[: -_MAX_ABOVE - 1 : -1]


def _names(element: Any) -> frozenset[str]:
    names = {f".{name}" for name in (element.get("class") or "").lower().split()}
    return frozenset(names | {f"#{(element.get('id') or '').lower()}"})


def _stands_in(wanted: tuple[tuple[bool, Compound], ...], above: Above) -> bool:
    """Tell whether the elements above one, nearest first, are what a selector wants there."""
    places = [-1]
    for is_parent, compound in wanted:
        tried = [place + 1 for place in places] if is_parent else range(places[0] + 1, len(above))
        places = [place for place in tried if place < len(above) and compound.fits(*above[place])]
        if not places:
            return False
    return True


def _is_squeezed(style: str) -> bool:
    return bool((_FLAT.search(style) and _CUT.search(style)) or _FAR.search(style))


def _sized_inside(element: Any) -> bool:
    """Tell whether something inside an element without a letter size has one; a large element counts as such."""
    inside = list(islice(element.iterdescendants(), _MAX_SIZED + 1))
    return len(inside) > _MAX_SIZED or any(_SIZE.search((part.get("style") or "").lower()) for part in inside)


def _on_screen(media: str) -> bool:
    """Tell whether rules for these media hold on a large screen whatever its width."""
    return any(_ON_SCREEN.fullmatch(medium.strip()) for medium in media.lower().split(","))


def _with(decided: Decided, what: str, weight: tuple[bool, int, int, int], hides: bool) -> Decided:
    """Return `decided` with one more word on `what`, unless it is weaker."""
    if what in decided and decided[what][0] > weight:
        return decided
    return {**decided, what: (weight, hides)}


def rules_of(sheet: str) -> Iterator[Rule]:
    """Yield what a style sheet says of display and visibility on a screen."""
    for selectors, body in _blocks(_COMMENT.sub(" ", sheet.lower())):
        if not selectors.startswith("@"):
            yield from _rules(selectors, body)
        elif selectors.startswith("@media") and _on_screen(selectors.removeprefix("@media")):
            for inner, declarations in _blocks(body):
                yield from _rules(inner, declarations) if not inner.startswith("@") else ()


def _rules(selectors: str, body: str) -> Iterator[Rule]:
    declared = _DECLARATION.findall(body)
    for selector in selectors.split(",") if declared else ():
        compounds = _compounds(selector.strip())
        if not compounds:
            continue
        (_, last), *above = compounds
        names = [name for _, compound in compounds for name in compound.names]
        ids = sum(name[0] == "#" for name in names)
        needs = frozenset(word for _, (tag, around) in above for word in (tag, *around) if word)
        tags = sum(bool(compound.tag) for _, compound in compounds)
        weight = (ids, len(names) - ids, tags)
        for what, value, important in declared:
            yield Rule(last, tuple(above), needs, (bool(important), *weight), what, value in _HIDING)


def _compounds(selector: str) -> list[tuple[bool, Compound]]:
    """Return a selector's compounds, last first, each with whether the one before must be its child; [] if unknown."""
    pieces = _COMBINATOR.split(selector, maxsplit=_MAX_COMPOUNDS)
    joints = [False, *(">" in joint for joint in reversed(_COMBINATOR.findall(selector)))]
    matches = [_COMPOUND.fullmatch(piece) for piece in reversed(pieces)]
    if len(joints) != len(matches):
        return []
    found = []
    for joint, match in zip(joints, matches, strict=True):
        if match is None or not match[0]:
            return []
        found.append((joint, Compound(match[1] or "", frozenset(re.findall(r"[.#][\w-]+", match[2])))))
    return found


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield (selectors or @rule, what stands in its braces) of the outermost rules."""
    depth, start, selectors = 0, 0, ""
    for match in re.finditer(r"[{};]", sheet):
        if match[0] == "{":
            if depth == 0:
                selectors, start = sheet[start : match.start()].strip(), match.end()
            depth += 1
        elif match[0] == "}":
            depth = max(0, depth - 1)
            if depth == 0:
                yield selectors, sheet[start : match.start()]
                start, selectors = match.end(), ""
        elif depth == 0:
            start = match.end()
