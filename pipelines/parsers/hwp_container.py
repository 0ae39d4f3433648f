"""The OLE container of an HWP 5 file. The only module that imports pyhwp (AGPL-3.0-or-later).

pyhwp reads the file header and decodes distribution copies (배포용 문서); its own inflate has no limit and hides
damage, so streams are unpacked by hwp_records.inflate.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cached_property
from typing import BinaryIO

import olefile
from hwp5.distdoc import decode as decode_distribution
from hwp5.errors import InvalidHwp5FileError
from hwp5.filestructure import Hwp5FileBase
from hwp5.storage.ole import OleStorage

from pipelines.errors import Corrupt, Drm, Encrypted, SkipDocument, TooLarge
from pipelines.parsers.hwp_records import inflate
from pipelines.records import Limits

# How many streams of the largest size the sections may be together, and the embedded objects that are read.
_STREAMS = 4
_SECTION = re.compile(r"Section(\d{1,9})", re.IGNORECASE)
# Each look-up in the container passes all its streams. A merged letter to a town has some thousand sections.
_MAX_SECTIONS = 5000
_EMBEDDED = re.compile(r"BinData/BIN([0-9A-F]{4})\.[^/]*", re.IGNORECASE)


class Container:
    """An opened HWP 5 file whose streams are bounded; `signed` tells that it carries a digital signature."""

    def __init__(self, file: BinaryIO, limits: Limits) -> None:
        """Open `file`; raises Encrypted, Drm or Corrupt."""
        self._limit = limits.stream_mb << 20
        self._spent = {"text": 0, "objects": 0}
        self._size = file.seek(0, io.SEEK_END)
        file.seek(0)
        try:
            self._ole = olefile.OleFileIO(file)
            flags = Hwp5FileBase(OleStorage(self._ole)).header.flags
        except InvalidHwp5FileError as error:
            raise Corrupt("the file header of the HWP document is damaged") from error
        except Exception as error:
            raise Corrupt("the HWP container is damaged or cut short") from error
        if flags.password:
            raise Encrypted("the document is protected by a password; save a copy without one")
        if flags.drm or flags.cert_drm:
            raise Drm("the document is under DRM protection; save an unprotected copy")
        if flags.cert_encrypted:
            raise Encrypted("the document is encrypted with a certificate; save a copy without it")
        self.signed = bool(flags.cert_signed)
        self._compressed = bool(flags.compressed)
        self._body = "ViewText" if flags.distributable else "BodyText"

    def doc_info(self) -> bytes:
        """Return the shapes and numberings, unpacked."""
        return self._unpacked("DocInfo", self.raw("DocInfo"), packed=self._compressed)

    def sections(self) -> Iterator[tuple[str, bytes]]:
        """Yield (name, unpacked records) of the sections in order, one at a time; Corrupt when there is none."""
        found = []
        for path in self._ole.listdir(streams=True, storages=False):
            match = _SECTION.fullmatch(path[-1])
            if len(path) == 2 and path[0].lower() == self._body.lower() and match:
                found.append((int(match[1]), "/".join(path)))
        if not found:
            raise Corrupt(f"the document has no section in {self._body}")
        if len(found) > _MAX_SECTIONS:
            raise TooLarge(f"the document has more than {_MAX_SECTIONS} sections")
        for _, name in sorted(found):
            yield name, self._section(name)

    @cached_property
    def _embedded(self) -> dict[int, str]:
        paths = ("/".join(path) for path in self._ole.listdir(streams=True, storages=False))
        return {int(match[1], 16): path for path in paths if (match := _EMBEDDED.fullmatch(path))}

    def summary(self) -> bytes:
        """Return the summary property set; b"" when there is none."""
        name = "\x05HwpSummaryInformation"
        return self.raw(name) if self._ole.exists(name) else b""

    def bin_data(self, number: int, packing: int) -> bytes:
        """Return the embedded file BIN<number>, unpacked; `packing` is 0 as the document, 1 packed, 2 as it is."""
        path = self._embedded.get(number)
        if path is None:
            raise Corrupt(f"the embedded file {number} is missing")
        data = self.raw(path)
        return self._unpacked(path, data, packed=self._compressed if packing == 0 else packing == 1, of="objects")

    def raw(self, path: str) -> bytes:
        """Return a stream as stored."""
        if not self._ole.exists(path):
            raise Corrupt(f"the stream {path} is missing")
        try:
            declared = self._ole.get_size(path)
            if declared > self._size:
                raise Corrupt(f"the stream {path} is cut short")
            with self._ole.openstream(path) as stream:
                data = bytes(stream.read())
        except SkipDocument:
            raise
        except Exception as error:
            raise Corrupt(f"the stream {path} can't be read") from error
        if len(data) < declared:
            raise Corrupt(f"the stream {path} is cut short")
        return data

    def _section(self, name: str) -> bytes:
        data = self.raw(name)
        if self._body == "ViewText":
            try:
                data = decode_distribution(io.BytesIO(data)).read()
            except Exception as error:
                raise Corrupt(f"the distribution copy can't be decoded ({name})") from error
        return self._unpacked(name, data, packed=self._compressed)

    def _unpacked(self, name: str, data: bytes, *, packed: bool, of: str = "text") -> bytes:
        """Return a stream unpacked, at the cost of the text or of the embedded objects."""
        if self._spent[of] > _STREAMS * self._limit:
            raise TooLarge(f"the document unpacks to more than {_STREAMS * self._limit >> 20} MB")
        self._spent[of] += len(data)
        if packed:
            # One that is refused has cost as much as the largest that isn't.
            self._spent[of] += self._limit
            data = inflate(data, self._limit, name)
            self._spent[of] += len(data) - self._limit
        if len(data) > self._limit:
            raise TooLarge(f"the stream {name} is over {self._limit >> 20} MB")
        return data
