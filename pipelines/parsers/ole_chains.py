"""The chains of sectors in an OLE container: one that bites its own tail never ends for a reader that follows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipelines.errors import Corrupt


def check_chains(ole: Any) -> None:
    """Raise Corrupt when a chain that an opened olefile.OleFileIO names comes back to a sector of its own."""
    ole.loadminifat()
    entries = [entry for entry in ole.direntries if entry is not None]
    large = [ole.first_dir_sector, ole.first_mini_fat_sector, *(entry.isectStart for entry in entries)]
    _follow(ole.fat, large)
    _follow(ole.minifat, [entry.isectStart for entry in entries if entry.size < ole.minisectorcutoff])


def _follow(table: Sequence[int], starts: Sequence[int]) -> None:
    """Walk from every start; a sector is walked once, so that many chains into one tail stay linear."""
    walked: set[int] = set()
    for start in starts:
        own: set[int] = set()
        while start < len(table) and start not in walked:
            if start in own:
                raise Corrupt("the OLE container is damaged: its sectors form a ring")
            own.add(start)
            start = table[start]
        walked |= own
