"""bodies/: what the parsers read, by content hash, compressed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from pipelines.blocks_json import dump, load
from pipelines.errors import Broken
from pipelines.records import Parsed
from resources.files import write_whole

_LEVEL = 6  # zstd; text of office files shrinks to about a sixth at some 100 MB/s


class Bodies:
    """Content-addressed store; a file is written once and never changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, content_hash: str, parser_version: str) -> Path:
        """Where the blocks of a content lie."""
        return self._folder / content_hash[:2] / f"{content_hash}.{parser_version}.json.zst"

    def has(self, content_hash: str, parser_version: str) -> bool:
        """Whether the content was stored by this parser version."""
        return self.path(content_hash, parser_version).exists()

    def stored(self, parser_version: str) -> set[str]:
        """Return the content hashes that this parser version stored, from one listing of the folder."""
        folders = [entry.path for entry in _entries(self._folder) if entry.is_dir()]
        names = (entry.name.partition(".") for folder in folders for entry in _entries(folder))
        return {content_hash for content_hash, _, rest in names if rest == f"{parser_version}.json.zst"}

    def keep_only(self, contents: Iterable[tuple[str, str]]) -> int:
        """Take away the blocks of all but these contents (hash, parser version); returns how many files."""
        kept = {self.path(*content) for content in contents}
        leaving = [path for path in self._folder.glob("*/*") if path not in kept]
        for path in leaving:
            path.unlink(missing_ok=True)
        return len(leaving)

    def put(self, content_hash: str, parser_version: str, parsed: Parsed) -> None:
        """Store what was parsed, attachments left out: they are documents of their own."""
        import zstandard

        data = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(dump(parsed))
        write_whole(self.path(content_hash, parser_version), data, durable=False)

    def get(self, content_hash: str, parser_version: str) -> Parsed:
        """Return what was parsed; raises Broken when the file is gone or damaged."""
        import zstandard

        path = self.path(content_hash, parser_version)
        try:
            return load(zstandard.ZstdDecompressor().decompress(path.read_bytes()))
        except (OSError, zstandard.ZstdError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Broken(f"{path}: missing or damaged; `saero refresh` reads its document again") from error


def _entries(folder: str | Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
