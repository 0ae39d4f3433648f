"""parsed/: the readable mirror, output only. `saero show` reads it and search cites its lines."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath

from resources.files import write_whole

# Most file systems take names of 255 bytes; ".md", the hash and the name written aside need room.
MAX_NAME_BYTES = 200


class Mirror:
    """The folder of text versions, one .md a document."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, source: str, path: str) -> Path:
        """Where the text version of a document lies."""
        parts = [*source.split("/"), *PurePosixPath(path).parts]
        *folders, name = [fit(part) for part in parts]
        return self._folder.joinpath(*folders, f"{name}.md")

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
            return self.path(source, path).read_text(encoding="utf-8")
        except OSError:
            return None

    def remove(self, source: str, path: str) -> None:
        """Take a text version away, and folders that are empty then."""
        target = self.path(source, path)
        target.unlink(missing_ok=True)
        for folder in target.parents:
            if folder == self._folder or self._folder not in folder.parents:
                break
            try:
                folder.rmdir()
            except OSError:
                break


def fit(part: str) -> str:
    """Return a path part that every file system takes: no dots alone, no slash, at most 200 bytes with a hash."""
    safe = re.sub(r"[\x00-\x1f\x7f/\\]", "_", part)
    if safe in ("", ".", ".."):
        safe = f"_{safe}"
    raw = safe.encode("utf-8", "surrogateescape")
    if len(raw) <= MAX_NAME_BYTES:
        return raw.decode("utf-8", "replace").replace("\ufffd", "_")
    tail = hashlib.sha256(raw).hexdigest()[:8]
    return f"{raw[: MAX_NAME_BYTES - 9].decode('utf-8', 'ignore')}-{tail}"
