"""The parts of an HWPX package: which sections in which order, which header, what it says of itself (OCF, OPF)."""

from __future__ import annotations

import posixpath
import re
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from pipelines.errors import Corrupt, Encrypted
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.hwpx_xml import parse_part
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local

_SECTION = re.compile(r"section(\d{1,9})\.xml$", re.IGNORECASE)
_MASTER_PAGE = re.compile(r"masterpage\d+\.xml$", re.IGNORECASE)
# Any part so named beside the manifest holds signatures (OpenDocument 1.2 part 3, 3.5).
_SIGNATURES = re.compile(r"META-INF/[^/]*signatures[^/]*", re.IGNORECASE)
_MANIFEST = "META-INF/manifest.xml"


class Package:
    """An opened package; reading a part raises Corrupt, TooLarge or UnsafeXml."""

    def __init__(self, archive: BoundedZip) -> None:
        """Open it; raises Encrypted when its parts are encrypted."""
        self._archive = archive
        self._names = archive.names
        self._known = set(self._names)
        self._damaged = 0
        self._refuse_encrypted()
        part = next((name for name in self._names if name.lower().endswith("content.hpf")), None)
        self._folder = posixpath.dirname(part) if part else ""
        self._description = self.beside(part) if part else None

    def __contains__(self, part: str) -> bool:
        return part in self._known

    @cached_property
    def items(self) -> dict[str, str]:
        """Addresses of the parts by the ids that the body refers to them with."""
        listed = self._description.iter("{*}item") if self._description is not None else ()
        return {item.get("id") or "": item.get("href") or "" for item in listed}

    def data(self, part: str) -> bytes:
        """Return the bytes of a part."""
        return self._archive.read(part)

    def root(self, part: str) -> Any:
        """Return the root element of a part."""
        return parse_part(self.data(part), part)

    def beside(self, part: str) -> Any | None:
        """Return the root of a part that the body can be read without; None when it is damaged."""
        try:
            return self.root(part)
        except Corrupt:
            self._damaged += 1
            return None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say how many parts beside the body are lost."""
        return (f"{self._damaged} parts beside the body that can't be read",) if self._damaged else ()

    def header(self) -> Any | None:
        """Return the root of the part with styles and numberings."""
        part = next((name for name in self._names if name.lower().endswith("header.xml")), None)
        return self.root(part) if part else None

    def sections(self) -> list[str]:
        """Return the section parts, each once, in the order of the spine or of their numbers; Corrupt without any."""
        ordered = list(dict.fromkeys(self._spine()))
        if not ordered:
            numbered = [(int(match[1]), part) for part in self._known if (match := _SECTION.search(part))]
            ordered = [part for _, part in sorted(numbered)]
        if not ordered:
            raise Corrupt("the document has no section part")
        return ordered

    def master_pages(self) -> list[str]:
        """Return the parts that hold what every page repeats."""
        return [part for part in self._names if _MASTER_PAGE.search(part)]

    def signatures(self) -> int:
        """Return how many digital signatures the package holds; a part of them that is damaged counts as one."""
        roots = (self.beside(part) for part in self._names if _SIGNATURES.fullmatch(part))
        return sum(1 if root is None else sum(1 for _ in root.iter("{*}Signature")) for root in roots)

    def metadata(self) -> tuple[str | None, dict[str, str]]:
        """Return the title and the named values of the description."""
        title: str | None = None
        values: dict[str, str] = {}
        if self._description is not None:
            for item in self._description.iterfind("{*}metadata/*"):
                text = clean(item.text or "").strip()
                if text and local(item) == "title":
                    title = text
                elif text and local(item) == "meta":
                    values[item.get("name") or ""] = text
        return title, values

    def _spine(self) -> list[str]:
        """Return the sections that the spine lists, as often as it does; Corrupt when one is missing."""
        found: list[str] = []
        for reference in self._description.iter("{*}itemref") if self._description is not None else ():
            target = self.items.get(reference.get("idref") or "", "")
            if _SECTION.search(target):
                found.append(self._part(target))
        return found

    def _part(self, target: str) -> str:
        """Return the part at an address, which is a name in the package or one beside its description."""
        for part in (target, posixpath.join(self._folder, target)):
            if part in self._known:
                return part
        raise Corrupt("a section that the document lists is missing")

    def _refuse_encrypted(self) -> None:
        """Raise Encrypted when the manifest declares encryption (OpenDocument 1.2 part 3, 4.8).

        A copy for distribution declares the same as a password does; nothing readable tells the two apart.
        """
        manifest = self.beside(_MANIFEST) if _MANIFEST in self._known else None
        if manifest is not None and next(manifest.iter("{*}encryption-data"), None) is not None:
            raise Encrypted(
                "the parts of the document are encrypted, by a password or as a copy for distribution (배포용); "
                "open it in Hangul and save a copy without protection"
            )


def moment(text: str | None) -> datetime | None:
    """Read an ISO 8601 moment; one without an offset is UTC, as Hangul writes it."""
    try:
        found = datetime.fromisoformat(text or "")
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
