"""backup/: a copy a day of what exists nowhere but in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

from resources.files import write_whole

KEPT = 14
_ENDING = ".jsonl.zst"


def write_backup(folder: Path, day: date, lines: Iterable[str]) -> Path:
    """Write the day's copy, in place of an earlier one of that day, and keep the newest 14.

    A copy of a later day was written before the clock was set back. What is written last must be found first: it is
    written in place of that one.
    """
    import zstandard

    name = f"{day.isoformat()}{_ENDING}"
    target = folder / max([name, *(copy.name for copy in _copies(folder)[:1])])
    data = "".join(line + "\n" for line in lines).encode("utf-8")
    write_whole(target, zstandard.ZstdCompressor(write_checksum=True).compress(data))
    for old in _copies(folder)[KEPT:]:
        old.unlink(missing_ok=True)
    return target


def newest_backup(folder: Path) -> list[str]:
    """Return the lines of the newest copy that can be read, none when there is none."""
    import zstandard

    for copy in _copies(folder):
        try:
            return zstandard.ZstdDecompressor().decompress(copy.read_bytes()).decode("utf-8").splitlines()
        except (OSError, zstandard.ZstdError, UnicodeDecodeError):
            continue
    return []


def mend_backups(folder: Path, kept: Callable[[list[str]], list[str]]) -> int:
    """Write the copies anew whose lines `kept` changes; returns how many.

    One that can't be read leaves: nobody could take anything back from it, nor say what stands in it.
    """
    import zstandard

    count = 0
    for copy in _copies(folder):
        try:
            lines = zstandard.ZstdDecompressor().decompress(copy.read_bytes()).decode("utf-8").splitlines()
            after = kept(lines)
        except (zstandard.ZstdError, ValueError):
            copy.unlink(missing_ok=True)
            count += 1
            continue
        if after != lines:
            data = "".join(line + "\n" for line in after).encode("utf-8")
            write_whole(copy, zstandard.ZstdCompressor(write_checksum=True).compress(data))
            count += 1
    return count


def _copies(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"[0-9]*{_ENDING}"), reverse=True)
