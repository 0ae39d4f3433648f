"""HWPX documents: a zip of OWPML parts (KS X 6101)."""

from __future__ import annotations

import posixpath
import re
from datetime import UTC, datetime
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, Encrypted
from pipelines.parsers.archive import BoundedZip, open_zip
from pipelines.parsers.hwp_flow import Flow, refuse_notice
from pipelines.parsers.hwp_numbers import Numberer
from pipelines.parsers.hwpx_body import Body, has_text
from pipelines.parsers.hwpx_header import read_header
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Block, Limits, Parsed

_SECTION = re.compile(r"section(\d+)\.xml$", re.IGNORECASE)
_MASTER_PAGE = re.compile(r"masterpage\d+\.xml$", re.IGNORECASE)


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a document; raises Encrypted, Corrupt, TooLarge, UnsafeXml or Unsupported (a newer distribution copy)."""
    archive = open_zip(file, limits)
    _refuse_encrypted(archive)
    package = _package(archive)
    header = next((part for part in archive.names if part.lower().endswith("header.xml")), None)
    heads, numberings = read_header(parse_xml(archive.read(header), header)) if header else ({}, {})
    flow = Flow(limits, heads, Numberer(numberings))
    body = Body(flow)
    blocks: list[Block] = []
    for part in _sections(archive, package):
        blocks += body.blocks(parse_xml(archive.read(part), part))
    refuse_notice(blocks)
    for part in archive.names:
        if _MASTER_PAGE.search(part):
            flow.aside("header", has_text(parse_xml(archive.read(part), part)))
    title, values = _metadata(package)
    modified = _time(values.get("ModifiedDate"))
    return Parsed(
        "hwpx",
        tuple(blocks),
        title=title,
        author=values.get("creator"),
        modified_at=modified,
        created_at=_time(values.get("CreatedDate")),
        clock="hwpx:ModifiedDate" if modified else None,
        asides=dict(flow.asides),
    )


def _refuse_encrypted(archive: BoundedZip) -> None:
    manifest = "META-INF/manifest.xml"
    if manifest in archive.names:
        root = parse_xml(archive.read(manifest), manifest)
        if next(root.iter("{*}encryption-data"), None) is not None:
            raise Encrypted("the document is locked by a password or as a distribution copy; save an open copy")


def _package(archive: BoundedZip) -> tuple[str, Any] | None:
    """Return (part name, root) of the package description; None when there is none."""
    part = next((part for part in archive.names if part.lower().endswith("content.hpf")), None)
    return (part, parse_xml(archive.read(part), part)) if part else None


def _sections(archive: BoundedZip, package: tuple[str, Any] | None) -> list[str]:
    """Return the section parts in the order of the spine, or of their numbers; Corrupt when there is none."""
    names = set(archive.names)
    ordered: list[str] = []
    if package:
        part, root = package
        targets = {item.get("id"): item.get("href") or "" for item in root.iter("{*}item")}
        for reference in root.iter("{*}itemref"):
            target = targets.get(reference.get("idref"), "")
            relative = posixpath.join(posixpath.dirname(part), target)
            found = target if target in names else relative
            if found in names and _SECTION.search(found) and found not in ordered:
                ordered.append(found)
    if not ordered:
        numbered = [(int(match[1]), part) for part in names if (match := _SECTION.search(part))]
        ordered = [part for _, part in sorted(numbered)]
    if not ordered:
        raise Corrupt("the document has no section part")
    return ordered


def _metadata(package: tuple[str, Any] | None) -> tuple[str | None, dict[str, str]]:
    """Return the title and the named values of the package's metadata."""
    if package is None:
        return None, {}
    title: str | None = None
    values: dict[str, str] = {}
    for metadata in package[1].iterfind("{*}metadata"):
        for item in metadata:
            text = clean(item.text or "").strip()
            if text and local(item) == "title":
                title = text
            elif text and local(item) == "meta":
                values[item.get("name") or ""] = text
    return title, values


def _time(text: str | None) -> datetime | None:
    """Read an ISO 8601 moment; one without an offset is UTC, as Hangul writes it."""
    try:
        moment = datetime.fromisoformat(text or "")
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
