"""Zip containers whose members are never inflated beyond their limits."""

from __future__ import annotations

import zipfile
import zlib
from typing import BinaryIO

from pipelines.errors import Corrupt, Encrypted, TooLarge
from pipelines.records import Limits

# Office files of thousands of pages hold some hundred parts; more is a bomb of directory entries.
MAX_MEMBERS = 20_000
_MB = 1 << 20
# What zipfile raises for bytes that it can't unpack, besides RuntimeError for a password.
DAMAGED_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


class BoundedZip:
    """A zip that counts what it inflates, over all reads together."""

    def __init__(self, archive: zipfile.ZipFile, limits: Limits) -> None:
        self._zip = archive
        self._infos = {_part_name(info.filename): info for info in archive.infolist()}
        self._folded = {name.casefold(): name for name in reversed(self._infos)}
        self._limits = limits
        self._inflated = 0

    @property
    def names(self) -> list[str]:
        """Member names in the order of the directory."""
        return list(self._infos)

    def stored(self, name: str) -> str:
        """Return the member's own spelling of `name`: part names don't tell case (ECMA-376 part 2, 6.2.2.3)."""
        return name if name in self._infos else self._folded.get(name.casefold(), name)

    def read(self, name: str) -> bytes:
        """Return a member's bytes; Corrupt when it is missing, damaged or encrypted, TooLarge above a limit."""
        info = self._infos.get(name)
        if info is None:
            raise Corrupt(f"the part {name} is missing")
        if info.flag_bits & 1:
            raise Encrypted("the archive is protected by a password")
        limit = self._limits.stream_mb * _MB
        if info.file_size > limit:
            raise TooLarge(f"the part {name} is over {self._limits.stream_mb} MB unpacked")
        try:
            with self._zip.open(info) as member:
                data = member.read(limit + 1)
        except DAMAGED_ZIP as error:
            raise Corrupt(f"the part {name} can't be unpacked ({type(error).__name__})") from error
        self._inflated += len(data)
        if len(data) > limit or self._inflated > self._limits.file_mb * _MB:
            raise TooLarge(f"the part {name} passes the limit for unpacked size")
        return data


def _part_name(name: str) -> str:
    """Return a member's name as office programs mean it: some zip writers put backslashes or a leading slash."""
    return name.replace("\\", "/").lstrip("/")


def open_zip(file: BinaryIO, limits: Limits) -> BoundedZip:
    """Open a zip container; raises Corrupt, Encrypted or TooLarge before anything is inflated."""
    try:
        archive = zipfile.ZipFile(file)
    except DAMAGED_ZIP as error:
        raise Corrupt("the zip container is damaged or cut short") from error
    check_members(archive, limits)
    return BoundedZip(archive, limits)


def check_members(archive: zipfile.ZipFile, limits: Limits) -> None:
    """Raise TooLarge or Encrypted from the declared sizes and flags alone."""
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise TooLarge(f"the container lists {len(infos)} parts")
    total = 0
    for info in infos:
        total += info.file_size
        # Pictures and films are never inflated by us; only the parts that a parser reads are held to the limit.
        readable = info.filename.lower().endswith((".xml", ".rels", ".hpf", ".txt"))
        if readable and info.file_size > limits.stream_mb * _MB:
            raise TooLarge(f"the part {info.filename} is over {limits.stream_mb} MB unpacked")
        if readable and info.flag_bits & 1:
            raise Encrypted("the archive is protected by a password")
    if total > limits.file_mb * _MB:
        raise TooLarge(f"the container is over {limits.file_mb} MB unpacked")
