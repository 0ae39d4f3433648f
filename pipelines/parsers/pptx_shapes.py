"""The shapes of a slide, with their place on it and what they inherit from its layout and master."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipelines.parsers.ooxml_xml import child, chosen
from pipelines.parsers.pptx_order import Box, reading_order
from pipelines.parsers.xml import local

_NV = {
    "sp": "nvSpPr",
    "graphicFrame": "nvGraphicFramePr",
    "grpSp": "nvGrpSpPr",
    "pic": "nvPicPr",
    "cxnSp": "nvCxnSpPr",
}
# What a placeholder is called on the master, which has one for titles and one for every kind of content.
_MASTER_TYPES = {"ctrTitle": "title", "dt": "dt", "ftr": "ftr", "hdr": "hdr", "sldNum": "sldNum", "title": "title"}
_TXSTYLES = {"title": "titleStyle", "body": "bodyStyle"}


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape that isn't a group, its box in EMU on the slide.

    placeholder  its type, "" for a free shape
    styles       the list styles that rule its paragraphs, nearest first
    """

    element: Any
    box: Box
    placeholder: str
    hidden: bool
    styles: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Backdrop:
    """The placeholders of a layout or master by key, and the master's styles for titles, bodies and the rest."""

    holders: dict[str, Any]
    styles: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Frame:
    """Maps the coordinates inside a group to the slide's."""

    x: float = 0.0
    y: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def place(self, box: Box) -> Box:
        return Box(
            self.x + box.x * self.scale_x,
            self.y + box.y * self.scale_y,
            box.wide * abs(self.scale_x),
            box.high * abs(self.scale_y),
        )


def backdrop(root: Any) -> Backdrop:
    """Return what a layout or master (None when it is missing) hands down."""
    tree = child(root, "cSld", "spTree")
    holders: dict[str, Any] = {}
    for element in _members(tree) if tree is not None else ():
        holder = placeholder_of(element)
        if holder is not None:
            holders.setdefault(f"idx {holder.get('idx', '0')}", element)
            holders.setdefault(f"type {holder.get('type', 'obj')}", element)
    styles = child(root, "txStyles")
    return Backdrop(holders, {local(style): style for style in styles if local(style)} if styles is not None else {})


def ordered_shapes(slide: Any, layout: Backdrop | None = None, master: Backdrop | None = None) -> list[Shape]:
    """Return the shapes of a slide as a reader meets them; a group stays together at its own place."""
    tree = child(slide, "cSld", "spTree")
    empty = Backdrop({}, {})
    return _ordered(tree, _Frame(), layout or empty, master or empty) if tree is not None else []


def placeholder_of(element: Any) -> Any:
    """Return the `p:ph` of a shape, None for a free shape."""
    return child(element, _NV.get(local(element), ""), "nvPr", "ph")


def _ordered(tree: Any, frame: _Frame, layout: Backdrop, master: Backdrop) -> list[Shape]:
    units: list[tuple[Box, bool, list[Shape]]] = []
    for element in _members(tree):
        if local(element) == "grpSp":
            inside = _ordered(element, _inner_frame(element, frame), layout, master)
            box = frame.place(_box(element) or _around([shape.box for shape in inside]))
        else:
            shape = _shape(element, frame, layout, master)
            inside, box = [shape], shape.box
        if not _is_hidden(element):
            units.append((box, any(_says(shape.element) for shape in inside), inside))
        elif any(_says(shape.element) for shape in inside):
            hidden = [Shape(shape.element, shape.box, shape.placeholder, True) for shape in inside]
            units.append((box, False, hidden))
    return [shape for inside in reading_order(units) for shape in inside]


def _shape(element: Any, frame: _Frame, layout: Backdrop, master: Backdrop) -> Shape:
    above, kind = _inherited(element, layout, master)
    box = next((found for found in map(_box, (element, *above)) if found is not None), Box(0.0, 0.0, 0.0, 0.0))
    styles = [child(one, "txBody", "lstStyle") for one in (element, *above)]
    if kind:
        named = _TXSTYLES.get(_MASTER_TYPES.get(kind, "body"), "otherStyle")
        styles.append(master.styles.get(named))
    return Shape(element, frame.place(box), kind, False, tuple(style for style in styles if style is not None))


def _inherited(element: Any, layout: Backdrop, master: Backdrop) -> tuple[list[Any], str]:
    """Return the placeholders that a shape follows, nearest first, and its type (ISO 29500-1, 19.3.1.36).

    Layouts match by index, titles by type; masters by type alone.
    """
    holder = placeholder_of(element)
    if holder is None:
        return [], ""
    kind = holder.get("type", "")
    found = layout.holders.get(f"type {kind}") if kind in ("title", "ctrTitle") else None
    if found is None:
        found = layout.holders.get(f"idx {holder.get('idx', '0')}")
    if found is None:
        found = layout.holders.get(f"type {kind or 'obj'}")
    kind = kind or (placeholder_of(found).get("type", "") if found is not None else "") or "obj"
    top = master.holders.get(f"type {_MASTER_TYPES.get(kind, 'body')}")
    return [one for one in (found, top) if one is not None], kind


def _members(tree: Any) -> Iterator[Any]:
    for element in tree:
        name = local(element)
        if name == "AlternateContent":
            branch = chosen(element)
            if branch is not None:
                yield from _members(branch)
        elif name in _NV:
            yield element


def _says(element: Any) -> bool:
    """Tell whether a shape holds something to read; a card behind texts doesn't."""
    return local(element) == "graphicFrame" or any(local(one) == "t" for one in element.iter())


def _transform(element: Any) -> Any:
    if local(element) == "graphicFrame":
        return child(element, "xfrm")
    return child(element, "grpSpPr" if local(element) == "grpSp" else "spPr", "xfrm")


def _pair(element: Any, first: str, second: str) -> tuple[float, float] | None:
    try:
        return (
            (float(int(element.get(first, ""))), float(int(element.get(second, "")))) if element is not None else None
        )
    except (ValueError, OverflowError):
        return None


def _box(element: Any) -> Box | None:
    transform = _transform(element)
    offset = _pair(child(transform, "off"), "x", "y")
    if offset is None:
        return None
    wide, high = _pair(child(transform, "ext"), "cx", "cy") or (0.0, 0.0)
    return Box(*offset, max(0.0, wide), max(0.0, high))


def _around(boxes: list[Box]) -> Box:
    if not boxes:
        return Box(0.0, 0.0, 0.0, 0.0)
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    return Box(x, y, max(box.x + box.wide for box in boxes) - x, max(box.y + box.high for box in boxes) - y)


def _inner_frame(group: Any, frame: _Frame) -> _Frame:
    transform = _transform(group)
    x, y, wide, high = _box(group) or Box(0.0, 0.0, 0.0, 0.0)
    child_x, child_y = _pair(child(transform, "chOff"), "x", "y") or (x, y)
    child_wide, child_high = _pair(child(transform, "chExt"), "cx", "cy") or (wide, high)
    scale_x = wide / child_wide if child_wide and wide else 1.0
    scale_y = high / child_high if child_high and high else 1.0
    outer = frame.place(Box(x - child_x * scale_x, y - child_y * scale_y, 0.0, 0.0))
    return _Frame(outer.x, outer.y, frame.scale_x * scale_x, frame.scale_y * scale_y)


def _is_hidden(element: Any) -> bool:
    properties = child(element, _NV.get(local(element), ""), "cNvPr")
    return properties is not None and properties.get("hidden") in ("1", "true")
