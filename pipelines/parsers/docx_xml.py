"""WordprocessingML by local names, so that transitional and strict files (ISO 29500) read the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipelines.parsers.xml import local


def children(element: Any, name: str) -> Iterator[Any]:
    """Yield the direct children called `name`."""
    return (child for child in element if local(child) == name)


def child(element: Any, *path: str) -> Any:
    """Return the first element at this path of local names, None when a step is missing."""
    for name in path:
        if element is None:
            return None
        element = next(children(element, name), None)
    return element


def attribute(element: Any, name: str, default: str = "") -> str:
    """Return the attribute `name` in the element's own namespace, or without one."""
    if element is None:
        return default
    space = element.tag[1:].partition("}")[0]
    value: str | None = element.get(f"{{{space}}}{name}", element.get(name))
    return default if value is None else value


def number(element: Any, name: str, default: int) -> int:
    """Return an attribute as an integer, `default` when it is missing or no number."""
    try:
        return int(attribute(element, name))
    except ValueError:
        return default


def is_on(element: Any) -> bool:
    """Tell whether a toggle property (ISO 29500-1 section 17.17.4) is present and not switched off."""
    return element is not None and attribute(element, "val", "true") not in ("0", "false", "off")


def chosen(element: Any) -> Any:
    """Return the branch of an AlternateContent that is read: the first Choice, else the Fallback."""
    branch = child(element, "Choice")
    return branch if branch is not None else child(element, "Fallback")
