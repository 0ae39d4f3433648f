"""Tracked changes of a Word file (ISO 29500-1, 17.13.5)."""

from __future__ import annotations

from typing import Any

_CHANGES = ("{*}ins", "{*}del", "{*}moveFrom", "{*}moveTo", "{*}cellIns", "{*}cellDel")


def tracked_changes(story: Any) -> int:
    """Return how many insertions, deletions and moves are marked in a story.

    A mark on a row, a cell or the end of a paragraph counts like one on words; one in the copy of a text box that Word
    writes for older programs doesn't count.
    """
    return sum(next(one.iterancestors("{*}Fallback"), None) is None for one in story.iter(*_CHANGES))
