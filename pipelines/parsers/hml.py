"""HWPML documents (.hml): the XML form of Hangul documents before HWPX (HWPML 2.x)."""

from __future__ import annotations

import re
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, TooLarge
from pipelines.parsers.hml_body import Body
from pipelines.parsers.hwp_flow import Flow, Head, refuse_notice
from pipelines.parsers.hwp_numbers import Level, Numberer
from pipelines.parsers.hwpx_header import number
from pipelines.parsers.text import clean
from pipelines.parsers.xml import parse_xml
from pipelines.records import Block, Limits, Parsed

_KINDS = {"Outline": "outline", "Number": "number", "Bullet": "bullet"}


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a document; raises Corrupt, TooLarge, UnsafeXml or Unsupported. It has no modified time of its own."""
    data = file.read((limits.stream_mb << 20) + 1)
    if len(data) > limits.stream_mb << 20:
        raise TooLarge(f"the document is over {limits.stream_mb} MB")
    root = parse_xml(data, "the HWPML document")
    sections = root.findall("BODY/SECTION")
    if not sections:
        raise Corrupt("the document has no section")
    flow = Flow(limits, _heads(root), Numberer(_numberings(root)))
    body = Body(flow)
    blocks: list[Block] = [block for section in sections for block in body.blocks(section)]
    refuse_notice(blocks)
    summary = root.find("HEAD/DOCSUMMARY")
    return Parsed(
        "hml",
        tuple(blocks),
        title=_words(summary, "TITLE"),
        author=_words(summary, "AUTHOR"),
        asides=dict(flow.asides),
    )


def _words(summary: Any, name: str) -> str | None:
    return None if summary is None else clean(summary.findtext(name) or "").strip() or None


def _heads(root: Any) -> dict[str, Head]:
    return {
        shape.get("Id") or "": Head(
            _KINDS.get(shape.get("HeadingType") or "", "none"),
            number(shape.get("Level")),
            number(shape.get("Heading")),
        )
        for shape in root.iter("PARASHAPE")
    }


def _numberings(root: Any) -> dict[int, list[Level]]:
    out: dict[int, list[Level]] = {}
    for numbering in root.iter("NUMBERING"):
        levels = {number(head.get("Level")): _level(head) for head in numbering.iter("PARAHEAD")}
        out[number(numbering.get("Id"))] = [
            levels.get(level, Level("")) for level in range(1, min(max(levels, default=0), 10) + 1)
        ]
    return out


def _level(head: Any) -> Level:
    """Read a level; HWPML writes "HangulSyllable" for OWPML's HANGUL_SYLLABLE."""
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", head.get("NumFormat") or "Digit").upper()
    return Level(head.text or "", kind, number(head.get("Start"), 1))
