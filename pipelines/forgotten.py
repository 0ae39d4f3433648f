"""What was forgotten and must not return, known by hashes alone: places, and contents wherever they lie."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipelines.scan import Listing

# Why a file is not read that holds a forgotten content at another place.
REASON = "its content was forgotten; `saero forget --allow SOURCE/PATH` lets it be read again"


@dataclass(frozen=True, slots=True)
class Bans:
    """The standing decisions of `saero forget`: hashes of places (`place_hash`) and SHA-256 of contents."""

    places: frozenset[str] = frozenset()
    contents: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.places or self.contents)

    def place(self, source: str, path: str) -> bool:
        """Tell whether a place was forgotten, or the mail that an attachment came in."""
        return bool(self.places) and any(place_hash(source, part) in self.places for part in carriers(path))


def bans_of(standing: Mapping[str, Mapping[str, Any]]) -> Bans:
    """Return what decisions of the kind `forget` say (hash of a place -> value)."""
    contents = (content for value in standing.values() for content in value["contents"])
    return Bans(frozenset(standing), frozenset(contents))


def place_hash(source: str, path: str) -> str:
    """Return SHA-256 of "source/path" in NFC: all that is kept of a forgotten name."""
    return hashlib.sha256(unicodedata.normalize("NFC", f"{source}/{path}").encode("utf-8", "replace")).hexdigest()


def without(listing: Listing, names: Iterable[str], bans: Bans) -> Listing:
    """Return a listing without forgotten files; `names` are those that its source has or had."""
    if not bans.places:
        return listing
    known = list(names)

    def stays(path: str) -> bool:
        return not any(bans.place(name, path) for name in known)

    entries = tuple(entry for entry in listing.entries if stays(entry.path))
    return replace(
        listing,
        entries=entries,
        clashes=tuple(clash for clash in listing.clashes if stays(clash.path)),
        misnamed=tuple(path for path in listing.misnamed if stays(path)),
        unlisted=tuple(item for item in listing.unlisted if stays(item.path)),
        skipped={**listing.skipped, "forgotten": len(listing.entries) - len(entries)},
    )


def carriers(path: str) -> list[str]:
    """Return a path and those of the mails around it: "a.eml!/b.txt" and "a.eml"."""
    parts = path.split("!/")
    return ["!/".join(parts[:count]) for count in range(len(parts), 0, -1)]
