"""Which pictures of a page show something."""

from __future__ import annotations

from typing import Any

# Pages that load pictures late name them in an attribute of their own until then.
_SOURCES = ("src", "srcset", "data-src")
# A side of a point or none is a tracker's pixel or a spacer.
_NO_SIDES = ("0", "1")


def is_image(element: Any) -> bool:
    """Tell an <img> with content from pixels that report a reader, spacers, and places that nothing fills."""
    sides = ((element.get(side) or "").strip().removesuffix("px") for side in ("width", "height"))
    named = any((element.get(source) or "").strip() for source in _SOURCES)
    return named and not any(side in _NO_SIDES for side in sides)
