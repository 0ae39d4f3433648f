"""The shapes of a slide in the order in which a reader meets them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipelines.parsers.docx_xml import child, chosen
from pipelines.parsers.xml import local

# Shapes whose tops lie within half an inch (EMU) are one row, read from left to right.
_ROW = 457_200
_NV = {"sp": "nvSpPr", "graphicFrame": "nvGraphicFramePr", "grpSp": "nvGrpSpPr", "pic": "nvPicPr"}


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape that isn't a group; x and y in EMU on the slide. `placeholder` is "" for a free shape."""

    element: Any
    x: float
    y: float
    placeholder: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class _Frame:
    """Maps the coordinates inside a group to the slide's."""

    x: float = 0.0
    y: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def place(self, x: float, y: float) -> tuple[float, float]:
        return self.x + x * self.scale_x, self.y + y * self.scale_y


def ordered_shapes(slide: Any, *above: Any) -> list[Shape]:
    """Return the shapes of a slide by row, then from left to right; a group stays together at its own place.

    `above` are the roots of its layout and master, where placeholders get their place from.
    """
    tree = child(slide, "cSld", "spTree")
    if tree is None:
        return []
    return _ordered(tree, _Frame(), [_placeholder_places(root) for root in above if root is not None])


def placeholder_of(element: Any) -> Any:
    """Return the `p:ph` of a shape, None for a free shape."""
    return child(element, _NV.get(local(element), ""), "nvPr", "ph")


def _ordered(tree: Any, frame: _Frame, places: list[dict[str, tuple[float, float]]]) -> list[Shape]:
    rows: list[tuple[float, float, list[Shape]]] = []
    for element in _members(tree):
        x, y = frame.place(*(_offset(element) or _inherited(element, places)))
        if local(element) == "grpSp":
            inside = _ordered(element, _inner_frame(element, frame), places)
        else:
            inside = [Shape(element, x, y, _placeholder_type(element), _is_hidden(element))]
        rows.append((y // _ROW, x, inside))
    rows.sort(key=lambda row: row[:2])
    return [shape for _, _, shapes in rows for shape in shapes]


def _members(tree: Any) -> Iterator[Any]:
    for element in tree:
        name = local(element)
        if name == "AlternateContent":
            branch = chosen(element)
            if branch is not None:
                yield from _members(branch)
        elif name in _NV:
            yield element


def _transform(element: Any) -> Any:
    if local(element) == "graphicFrame":
        return child(element, "xfrm")
    return child(element, "grpSpPr" if local(element) == "grpSp" else "spPr", "xfrm")


def _pair(element: Any, first: str, second: str) -> tuple[float, float] | None:
    try:
        return (float(element.get(first, "")), float(element.get(second, ""))) if element is not None else None
    except ValueError:
        return None


def _offset(element: Any) -> tuple[float, float] | None:
    return _pair(child(_transform(element), "off"), "x", "y")


def _inner_frame(group: Any, frame: _Frame) -> _Frame:
    transform = _transform(group)
    x, y = _offset(group) or (0.0, 0.0)
    child_x, child_y = _pair(child(transform, "chOff"), "x", "y") or (x, y)
    wide, high = _pair(child(transform, "ext"), "cx", "cy") or (1.0, 1.0)
    child_wide, child_high = _pair(child(transform, "chExt"), "cx", "cy") or (wide, high)
    scale_x, scale_y = wide / child_wide if child_wide else 1.0, high / child_high if child_high else 1.0
    left, top = frame.place(x - child_x * scale_x, y - child_y * scale_y)
    return _Frame(left, top, frame.scale_x * scale_x, frame.scale_y * scale_y)


def _placeholder_type(element: Any) -> str:
    holder = placeholder_of(element)
    return str(holder.get("type", "obj")) if holder is not None else ""


def _is_hidden(element: Any) -> bool:
    properties = child(element, _NV.get(local(element), ""), "cNvPr")
    return properties is not None and properties.get("hidden") in ("1", "true")


def _keys(holder: Any) -> tuple[str, str]:
    return f"idx {holder.get('idx', '0')}", f"type {holder.get('type', 'obj')}"


def _placeholder_places(root: Any) -> dict[str, tuple[float, float]]:
    places: dict[str, tuple[float, float]] = {}
    tree = child(root, "cSld", "spTree")
    for element in _members(tree) if tree is not None else ():
        holder, offset = placeholder_of(element), _offset(element)
        if holder is not None and offset is not None:
            for key in _keys(holder):
                places.setdefault(key, offset)
    return places


def _inherited(element: Any, places: list[dict[str, tuple[float, float]]]) -> tuple[float, float]:
    """Layouts match placeholders by index first, masters by type."""
    holder = placeholder_of(element)
    if holder is None:
        return 0.0, 0.0
    for known in places:
        for key in _keys(holder):
            if key in known:
                return known[key]
    return 0.0, 0.0
