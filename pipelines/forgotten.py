"""What was forgotten and must not return, known by hashes alone: places, and contents wherever they lie."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipelines.inbox import Taken
from pipelines.scan import Listing
from pipelines.search import SUPERSEDED_BY

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


def taken_without(taken: Taken, bans: Bans) -> Taken:
    """Count nothing of what was forgotten while a search that had found it was still writing its line."""
    if bans:
        taken.found = [row for row in taken.found if not bans.place(row["source"], row["path"])]
        taken.feedback = [row for row in taken.feedback if not bans.place(row["source"], row["path"])]
    return taken


def lines_without(lines: Iterable[bytes], bans: Bans) -> list[bytes]:
    """Return the lines of an inbox that don't tell of what was forgotten; torn ones tell nothing and may name it."""
    return [line for line in lines if not line or _may_stay(line, bans)]


def _may_stay(line: bytes, bans: Bans) -> bool:
    try:
        said = json.loads(line)
        found = [item[:2] for item in said.get("found", ())]
        places = [*found, *([[said["source"], said["path"]]] if "path" in said else [])]
        return not any(bans.place(source, path) for source, path in places)
    except (ValueError, TypeError, AttributeError, KeyError):
        return False


def index_row_kept(row: Mapping[str, Any], bans: Bans, present: Container[str]) -> dict[str, Any] | None:
    """Return source, path, also_in and flags of an index row as they may stay; None when the row must leave.

    present  "source/path" of every document that isn't gone: only what is there may be named as a successor
    """
    also = [(other["source"], other["path"]) for other in json.loads(row["also_in"])]
    if any(bans.place(source, path) for source, path in [(row["source"], row["path"]), *also]):
        return None
    flags = json.loads(row["flags"])
    kept = [flag for flag in flags if not flag.startswith(SUPERSEDED_BY) or flag.removeprefix(SUPERSEDED_BY) in present]
    return {**row, "flags": row["flags"] if kept == flags else json.dumps(kept, ensure_ascii=False)}


def carriers(path: str) -> list[str]:
    """Return a path and those of the mails around it: "a.eml!/b.txt" and "a.eml"."""
    parts = path.split("!/")
    return ["!/".join(parts[:count]) for count in range(len(parts), 0, -1)]
