"""Who says what in the comments of slides and sheets."""

from __future__ import annotations

from typing import Any

from pipelines.parsers.text import clean
from pipelines.parsers.xml import local

_PERSONS = ("cmAuthor", "author", "person")


def names(root: Any) -> dict[str, str]:
    """Return id -> name of those who comment, from a part that lists them (None when it is missing)."""
    found = {}
    for one in root.iter() if root is not None else ():
        if local(one) in _PERSONS:
            name = one.get("name") or one.get("displayName") or ""
            found[one.get("id", "")] = " ".join(clean(name).split())
    return found


def said(author: str, text: str) -> str:
    """Return "author: text", "" for a comment without words; Excel writes the author into its notes by itself."""
    text = clean(text).strip()
    return f"{author}: {text}" if author and text and not text.startswith(f"{author}:") else text
