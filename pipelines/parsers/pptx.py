"""Presentations (ISO 29500 PresentationML), read from the package's own XML; the locator is the slide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, TooLarge
from pipelines.parsers.archive import BoundedZip, open_zip
from pipelines.parsers.ooxml_package import DAMAGED_LISTS, damaged_lists, main_part, relationships, signatures, wordless
from pipelines.parsers.ooxml_properties import read_core
from pipelines.parsers.ooxml_xml import child, children, link_of
from pipelines.parsers.pptx_slide import SlideReader
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local, parse_xml
from pipelines.records import Block, Limits, Locator, Parsed

# Names that PowerPoint gives by itself, in Korean and English.
_UNNAMED_SECTIONS = ("기본 구역", "제목 없는 구역", "default section", "untitled section")
# EMU; a 7.5 inch slide is PowerPoint's own default.
_SLIDE_HEIGHT = 6_858_000.0


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a presentation: per slide its title, then shapes by rows from left to right, then the speaker's notes."""
    archive = open_zip(file, limits)
    main = main_part(archive)
    root = parse_xml(archive.read(main), main)
    if local(root) != "presentation":
        raise Corrupt("the main part is not a presentation")
    missing: Counter[str] = Counter()
    slides = _slides(archive, main, root, missing)
    if len(slides) > limits.pages:
        raise TooLarge(f"the presentation has {len(slides)} slides")
    reader = SlideReader(archive, main, _height(root))
    sections = _sections(root)
    blocks: list[Block] = []
    for number, (slide_id, part) in enumerate(slides, 1):
        if slide_id in sections:
            blocks.append(Block("heading", sections[slide_id], level=1, locator=Locator(slide=number), in_body=False))
        blocks += reader.blocks(part, number)
    reader.apart.count("signature", signatures(archive))
    missing[DAMAGED_LISTS] += len(damaged_lists(archive))
    if not any(block.in_body for block in blocks):
        raise wordless(archive, "slides")
    core = read_core(archive)
    return Parsed(
        format="pptx",
        blocks=tuple(blocks),
        title=core.title,
        author=core.author,
        modified_at=core.modified_at,
        created_at=core.created_at,
        clock="ooxml:modified" if core.modified_at else None,
        pages=len(slides),
        asides=dict(reader.apart.counts),
        apart=reader.apart.kept,
        warnings=tuple(f"{count} {what}" for what, count in (missing + reader.warnings).items() if count),
        properties=core.properties,
    )


def _slides(archive: BoundedZip, main: str, root: Any, missing: Counter[str]) -> list[tuple[str, str]]:
    """Return (slide id, part) in showing order, which is the list's and not that of the part names."""
    links = relationships(archive, main, whole=True)
    present = set(archive.names)
    entries = child(root, "sldIdLst")
    found: dict[str, str] = {}
    for entry in children(entries, "sldId") if entries is not None else ():
        link = links.get(link_of(entry))
        if link is None or link.target not in present:
            missing["slides that the file lists but doesn't hold"] += 1
        elif link.target in found:
            missing["slides that the file lists twice"] += 1
        else:
            found[link.target] = entry.get("id", "")
    return [(slide_id, part) for part, slide_id in found.items()]


def _height(root: Any) -> float:
    size = child(root, "sldSz")
    value = size.get("cy", "") if size is not None else ""
    return float(value) if value.isdecimal() and len(value) < 10 else _SLIDE_HEIGHT


def _sections(root: Any) -> dict[str, str]:
    """Return slide id -> name of the section that begins with it (MS-PPTX 2.3.1: p14:sectionLst)."""
    found: dict[str, str] = {}
    for section in _all(root, "section"):
        name = " ".join(clean(section.get("name", "")).split())
        first = next(_all(section, "sldId"), None)
        if first is not None and name and name.lower() not in _UNNAMED_SECTIONS:
            found.setdefault(first.get("id", ""), name)
    return found


def _all(element: Any, name: str) -> Iterator[Any]:
    return (one for one in element.iter() if local(one) == name)
