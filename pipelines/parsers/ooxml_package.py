"""Parts of an office package (ECMA-376 part 2) and the relationships between them."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from pipelines.errors import Corrupt, Empty, NeedsOcr, SkipDocument
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local, parse_xml

# Where every office program puts the main part; for packages whose own list of relationships is lost.
_MAIN_PARTS = ("word/document.xml", "ppt/presentation.xml", "xl/workbook.xml")


@dataclass(frozen=True, slots=True)
class Relationship:
    """`kind` is the last word of the type's address (transitional and strict files share it), `target` a part name."""

    id: str
    kind: str
    target: str


def relationships(archive: BoundedZip, part: str = "") -> dict[str, Relationship]:
    """Return the internal relationships of `part` ("" for the package) by id; none when it has no list."""
    found = {}
    for element in _entries(archive, part):
        if element.get("TargetMode") == "External":
            continue
        kind = element.get("Type", "").rpartition("/")[2]
        target = archive.stored(_resolved(posixpath.dirname(part), element.get("Target", "")))
        found[element.get("Id", "")] = Relationship(element.get("Id", ""), kind, target)
    return found


def web_links(archive: BoundedZip, part: str) -> dict[str, str]:
    """Return the web addresses that hyperlinks of `part` lead to, by relationship id; none when it has no list."""
    found = {}
    for element in _entries(archive, part):
        target = element.get("Target", "")
        if element.get("TargetMode") == "External" and target.lower().startswith(("http://", "https://")):
            found[element.get("Id", "")] = clean(target).strip()
    return found


def _entries(archive: BoundedZip, part: str) -> list[Any]:
    folder, base = posixpath.split(part)
    name = archive.stored(posixpath.join(folder, "_rels", f"{base}.rels"))
    if name not in archive.names:
        return []
    return [element for element in parse_xml(archive.read(name), name) if local(element) == "Relationship"]


def _resolved(folder: str, target: str) -> str:
    """Return the part that a target names, relative to `folder` or absolute, with slashes of either kind."""
    path = unquote(target.partition("#")[0]).replace("\\", "/")
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


def with_target(words: str, target: str) -> str:
    """Return a link's words with its address behind them, unless they say it themselves."""
    same = _bare(words) == _bare(target)
    return f"{words} ({target})" if target and words.strip() and not same else words


def _bare(address: str) -> str:
    return address.strip().lower().removeprefix("http://").removeprefix("https://").rstrip("/")


def parts(archive: BoundedZip, source: str, kind: str) -> list[str]:
    """Return the parts of `kind` that `source` refers to and that exist (dangling targets are common)."""
    present = set(archive.names)
    return [
        link.target for link in relationships(archive, source).values() if link.kind == kind and link.target in present
    ]


def main_part(archive: BoundedZip) -> str:
    """Return the name of the main document part; raises Corrupt when the package names none."""
    found = parts(archive, "", "officeDocument") or [name for name in _MAIN_PARTS if name in archive.names]
    if not found:
        raise Corrupt("the container names no main document part")
    return found[0]


def wordless(archive: BoundedZip, what: str) -> SkipDocument:
    """Return the error for a document without words: a scan when it holds pictures, else empty."""
    if any("/media/" in name for name in archive.names):
        return NeedsOcr(f"the {what} hold pictures and no text; recognise the text and save it again")
    return Empty(f"the {what} hold no words")
