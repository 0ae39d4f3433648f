"""Parts of an office package (ECMA-376 part 2) and the relationships between them."""

from __future__ import annotations

import contextlib
import io
import posixpath
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from lxml import etree

from pipelines.errors import Corrupt, Empty, NeedsOcr, SkipDocument
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local, parse_xml

# Where every office program puts the main part; for packages whose own list of relationships is lost.
_MAIN_PARTS = ("word/document.xml", "ppt/presentation.xml", "xl/workbook.xml")

# ECMA-376 part 2, 10 leaves the names of signature parts open: these are Office's and those of .NET's packages.
_SIGNATURE = re.compile(r"_xmlsignatures/sig[^/]*\.xml|.*\.psdsxs", re.IGNORECASE)

# What a warning calls a part's list of what belongs to it, when it ends early.
DAMAGED_LISTS = "damaged lists of what belongs to a part"


@dataclass(frozen=True, slots=True)
class Relationship:
    """`kind` is the last word of the type's address (transitional and strict files share it), `target` a part name."""

    id: str
    kind: str
    target: str


def relationships(archive: BoundedZip, part: str = "", *, whole: bool = False) -> dict[str, Relationship]:
    """Return the internal relationships of `part` ("" for the package) by id; none when it has no list.

    Of a damaged list those before the damage are returned; with `whole` it raises Corrupt.
    """
    found, is_whole = _links(archive, part)
    if whole and not is_whole:
        raise Corrupt(f"the list of what belongs to {part} is damaged")
    return found


def _links(archive: BoundedZip, part: str) -> tuple[dict[str, Relationship], bool]:
    """Return the internal relationships of `part` and whether its list could be read to the end."""
    found = {}
    entries, is_whole = _entries(archive, part)
    for element in entries:
        if element.get("TargetMode") == "External":
            continue
        kind = element.get("Type", "").rpartition("/")[2]
        target = archive.stored(_resolved(posixpath.dirname(part), element.get("Target", "")))
        found[element.get("Id", "")] = Relationship(element.get("Id", ""), kind, target)
    return found, is_whole


def web_links(archive: BoundedZip, part: str) -> dict[str, str]:
    """Return the web addresses that hyperlinks of `part` lead to, by relationship id; none when it has no list."""
    found = {}
    for element in _entries(archive, part)[0]:
        target = element.get("Target", "")
        if element.get("TargetMode") == "External" and target.lower().startswith(("http://", "https://")):
            found[element.get("Id", "")] = clean(target).strip()
    return found


def damaged_lists(archive: BoundedZip) -> list[str]:
    """Return the names of those lists of relationships that couldn't be read to their end."""
    return [name for name in archive.names if name.endswith(".rels") and not _listed(archive, name)[1]]


def _entries(archive: BoundedZip, part: str) -> tuple[list[Any], bool]:
    folder, base = posixpath.split(part)
    name = archive.stored(posixpath.join(folder, "_rels", f"{base}.rels"))
    return _listed(archive, name) if name in archive.names else ([], True)


def _listed(archive: BoundedZip, name: str) -> tuple[list[Any], bool]:
    """Return the entries of a list of relationships and whether it could be read to its end."""
    data = b""
    try:
        data = archive.read(name)
        return [element for element in parse_xml(data, name) if local(element) == "Relationship"], True
    except Corrupt:
        return _before_damage(data), False


def _before_damage(data: bytes) -> list[Any]:
    """Return the whole entries at the start of a list that parse_xml found damaged, and free of a DTD."""
    stream = etree.iterparse(
        io.BytesIO(data), tag="{*}Relationship", resolve_entities=False, no_network=True, load_dtd=False
    )
    found: list[Any] = []
    with contextlib.suppress(etree.XMLSyntaxError):
        found.extend(element for _, element in stream)
    return found


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
    """Return the parts of `kind` that `source` refers to and that exist (dangling targets are common).

    When the list of `source` is damaged, parts beside it that are named after the kind, as header2.xml, count too.
    """
    present = set(archive.names)
    links, is_whole = _links(archive, source)
    found = [link.target for link in links.values() if link.kind == kind and link.target in present]
    if source and not is_whole:
        found += _named_after(archive, posixpath.dirname(source), kind)
    return list(dict.fromkeys(found))


def _named_after(archive: BoundedZip, folder: str, kind: str) -> list[str]:
    named = re.compile(rf"{re.escape(posixpath.join(folder, kind))}(\d{{0,5}})\.xml", re.IGNORECASE)
    matches = (named.fullmatch(name) for name in archive.names)
    return [match[0] for match in sorted(filter(None, matches), key=lambda match: int(match[1] or 0))]


def main_part(archive: BoundedZip) -> str:
    """Return the name of the main document part; raises Corrupt when the package names none."""
    found = parts(archive, "", "officeDocument") or [name for name in _MAIN_PARTS if name in archive.names]
    if not found:
        raise Corrupt("the container names no main document part")
    return found[0]


def signatures(archive: BoundedZip) -> int:
    """Return how many digital signatures a package holds; a line to sign on that a page shows is none."""
    return sum(_SIGNATURE.fullmatch(name) is not None for name in archive.names)


def wordless(archive: BoundedZip, what: str) -> SkipDocument:
    """Return the error for a document without words: a scan when it holds pictures, else empty."""
    if any("/media/" in name for name in archive.names):
        return NeedsOcr(f"the {what} hold pictures and no text; recognise the text and save it again")
    return Empty(f"the {what} hold no words")
