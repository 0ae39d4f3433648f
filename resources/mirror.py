"""parsed/: the readable mirror, output only. `saero show` reads it and search cites its lines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from resources.files import write_whole

# Most file systems take names of 255 bytes; ".md", the hash and the name written aside need room.
MAX_NAME_BYTES = 200


class Mirror:
    """The folder of text versions, one .md a document."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, source: str, path: str) -> Path:
        """Where the text version of a document lies."""
        *folders, name = [*source.split("/"), *path.split("/")]
        return self._folder.joinpath(*(fit(folder, folder=True) for folder in folders), f"{fit(name)}.md")

    def write(self, source: str, path: str, text: str) -> bool:
        """Write a text version; returns False when it already stands there byte for byte."""
        target, data = self.path(source, path), text.encode("utf-8")
        try:
            if target.stat().st_size == len(data) and target.read_bytes() == data:
                return False
        except OSError:
            pass
        write_whole(target, data, durable=False)
        return True

    def read(self, source: str, path: str) -> str | None:
        """Return a text version, None when there is none."""
        try:
            return self.path(source, path).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    @property
    def exists(self) -> bool:
        """Whether there is any text version."""
        return self._folder.is_dir()

    def keep_only(self, places: Iterable[tuple[str, str]]) -> int:
        """Take away every text version but those of `places` (source, path); returns how many."""
        kept = {self.path(source, path) for source, path in places}
        leaving = [path for path in sorted(self._folder.rglob("*.md")) if path.is_file() and path not in kept]
        for target in leaving:
            self._drop(target)
        return len(leaving)

    def remove(self, source: str, path: str) -> None:
        """Take a text version away, and folders that are empty then."""
        self._drop(self.path(source, path))

    def _drop(self, target: Path) -> None:
        target.unlink(missing_ok=True)
        for folder in target.parents:
            if folder == self._folder or self._folder not in folder.parents:
                break
            try:
                folder.rmdir()
            except OSError:
                break


def fit(part: str, *, folder: bool = False) -> str:
    """Return a path part that every file system takes: no dots alone, no slash, at most 200 bytes.

    A part that had to be changed ends in a hash of what it was, so that two documents never share a text version.
    So does a folder called "x.md": the text version of a document "x" has that name.
    """
    raw = part.encode("utf-8", "surrogatepass")
    safe = re.sub(r"[\x00-\x1f\x7f/\\\ud800-\udfff]", "_", part)
    clashing = folder and safe.lower().endswith(".md")
    if safe == part and safe not in ("", ".", "..") and not clashing and len(raw) <= MAX_NAME_BYTES:
        return safe
    tail = hashlib.sha256(raw).hexdigest()[:8]
    cut = safe.encode("utf-8")[: MAX_NAME_BYTES - 9].decode("utf-8", "ignore")
    return f"{cut.strip('.') or '_'}-{tail}"
