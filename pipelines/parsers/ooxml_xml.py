"""Office XML by local names, so that transitional and strict files (ISO 29500) read the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipelines.parsers.xml import local

# A 32-bit number with its sign and leading zeros.
_INT_CHARS = 20
# What the Requires of a Choice may name: the extensions of Office itself.
_KNOWN_SPACES = (
    "http://schemas.microsoft.com/office/",
    "urn:schemas-microsoft-com:",
    "http://schemas.openxmlformats.org/",
    "http://purl.oclc.org/",
)


def children(element: Any, name: str) -> Iterator[Any]:
    """Yield the direct children called `name`."""
    return (child for child in element if local(child) == name)


def child(element: Any, *path: str) -> Any:
    """Return the first element at this path of local names, None when a step is missing."""
    for name in path:
        if element is None:
            return None
        for below in element:
            if local(below) == name:
                element = below
                break
        else:
            return None
    return element


def attribute(element: Any, name: str, default: str = "") -> str:
    """Return the attribute `name` in the element's own namespace, or without one."""
    if element is None:
        return default
    space = element.tag[1:].partition("}")[0]
    value: str | None = element.get(f"{{{space}}}{name}", element.get(name))
    return default if value is None else value


def link_of(element: Any, name: str = "id") -> str:
    """Return the relationship id in the attribute `name` of the relationships namespace, "" without one."""
    return next((str(value) for key, value in element.attrib.items() if key.endswith(f"}}{name}")), "")


def number(element: Any, name: str, default: int) -> int:
    """Return an attribute as an integer of 32 bits, `default` when it is missing or no such number."""
    text = attribute(element, name).strip()
    try:
        value = int(text) if len(text) <= _INT_CHARS else default
    except ValueError:
        return default
    return value if abs(value) < 1 << 31 else default


def is_on(element: Any) -> bool:
    """Tell whether a toggle property (ISO 29500-1 section 17.17.4) is present and not switched off."""
    return element is not None and attribute(element, "val", "true") not in ("0", "false", "off")


def chosen(element: Any) -> Any:
    """Return the branch of an AlternateContent that is read (ISO 29500-3 section 7.6), None when it has none.

    That is the first Choice whose namespaces office programs know, else the Fallback, else the first Choice.
    """
    choices = list(children(element, "Choice"))
    known = next((choice for choice in choices if _is_known(choice)), None)
    if known is not None:
        return known
    fallback = child(element, "Fallback")
    return fallback if fallback is not None or not choices else choices[0]


def _is_known(choice: Any) -> bool:
    spaces = (choice.nsmap.get(prefix, "") for prefix in choice.get("Requires", "").split())
    return all(space.startswith(_KNOWN_SPACES) for space in spaces)
