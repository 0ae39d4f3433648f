"""The review queue: what only a person can decide. Known by bodies, so that a rename asks nothing again."""

from __future__ import annotations

import hashlib
from typing import Literal

ItemKind = Literal["version", "redundancy", "contradiction"]
Answer = Literal["accept", "reject"]

KINDS: tuple[ItemKind, ...] = ("version", "redundancy", "contradiction")


def item_id(kind: ItemKind, *parts: str) -> str:
    """Return the 12 hex digits under which an item is known for ever.

    version        older body, newer body
    redundancy     covered body
    contradiction  what both sides state (pipelines.contradict)
    """
    return hashlib.sha256("\0".join((kind, *parts)).encode("utf-8")).hexdigest()[:12]
