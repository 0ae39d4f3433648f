"""Parts of an office package (ECMA-376 part 2) and the relationships between them."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from urllib.parse import unquote

from pipelines.errors import Corrupt, Empty, NeedsOcr, SkipDocument
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local, parse_xml


@dataclass(frozen=True, slots=True)
class Relationship:
    """`kind` is the last word of the type's address (transitional and strict files share it), `target` a part name."""

    id: str
    kind: str
    target: str


def relationships(archive: BoundedZip, part: str = "") -> dict[str, Relationship]:
    """Return the internal relationships of `part` ("" for the package) by id; none when it has no list."""
    folder, base = posixpath.split(part)
    name = posixpath.join(folder, "_rels", f"{base}.rels")
    if name not in archive.names:
        return {}
    found = {}
    for element in parse_xml(archive.read(name), name):
        if local(element) != "Relationship" or element.get("TargetMode") == "External":
            continue
        target = posixpath.normpath(posixpath.join("/", folder, unquote(element.get("Target", "")))).lstrip("/")
        kind = element.get("Type", "").rpartition("/")[2]
        found[element.get("Id", "")] = Relationship(element.get("Id", ""), kind, target)
    return found


def web_links(archive: BoundedZip, part: str) -> dict[str, str]:
    """Return the web addresses that hyperlinks of `part` lead to, by relationship id; none when it has no list."""
    folder, base = posixpath.split(part)
    name = posixpath.join(folder, "_rels", f"{base}.rels")
    if name not in archive.names:
        return {}
    found = {}
    for element in parse_xml(archive.read(name), name):
        target = element.get("Target", "")
        if element.get("TargetMode") == "External" and target.lower().startswith(("http://", "https://")):
            found[element.get("Id", "")] = clean(target).strip()
    return found


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
    found = parts(archive, "", "officeDocument")
    if not found:
        raise Corrupt("the container names no main document part")
    return found[0]


def wordless(archive: BoundedZip, what: str) -> SkipDocument:
    """Return the error for a document without words: a scan when it holds pictures, else empty."""
    if any("/media/" in name for name in archive.names):
        return NeedsOcr(f"the {what} hold pictures and no text; recognise the text and save it again")
    return Empty(f"the {what} hold no words")
