"""HWPML documents (.hml): the XML form of Hangul documents before HWPX (HWPML 2.x)."""

from __future__ import annotations

import re
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, TooLarge
from pipelines.parsers.hangul_words import settled
from pipelines.parsers.hml_body import Body
from pipelines.parsers.hml_summary import read_summary
from pipelines.parsers.hwp_flow import Flow, Head, refuse_notice
from pipelines.parsers.hwp_numbers import Level, Numberer
from pipelines.parsers.hwpx_header import in_order, level_of, number, owpml_word
from pipelines.parsers.hwpx_inline import marked_changes
from pipelines.parsers.hwpx_xml import parse_part
from pipelines.parsers.text import decode
from pipelines.parsers.xml import local
from pipelines.records import Block, Limits, Parsed

_KINDS = {"Outline": "outline", "Number": "number", "Bullet": "bullet"}
_DECLARATION = re.compile(r"\s*<\?xml\b[^>]{0,200}\?>")


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a document; it has no modified time of its own, only the day on which it was begun.

    Raises Corrupt, TooLarge, UnsafeXml, Unsupported (a newer distribution copy), Empty or NeedsOcr.
    """
    data = file.read((limits.stream_mb << 20) + 1)
    if len(data) > limits.stream_mb << 20:
        raise TooLarge(f"the document is over {limits.stream_mb} MB")
    root = parse_part(_without_objects(_utf8(data)), "the HWPML document")
    sections = root.findall("{*}BODY/{*}SECTION")
    if local(root) != "HWPML" or not sections:
        raise Corrupt("the document has no section")
    flow = Flow(limits, _heads(root), Numberer(_numberings(root)))
    body = Body(flow, limits.depth)
    blocks: list[Block] = [block for section in sections for block in body.section(section)]
    body.finish()
    refuse_notice(blocks)
    flow.apart.count("image", body.pictures)
    changes = {change for section in sections for change in marked_changes(section, "INSERTBEGIN", "DELETEBEGIN")}
    flow.apart.count("tracked_change", len(changes))
    summary = read_summary(root)
    return Parsed(
        "hml",
        settled(blocks, flow.apart.counts, pictures=body.pictures),
        title=summary.title,
        author=summary.author,
        created_at=summary.written_at,
        asides=flow.asides,
        apart=flow.kept,
        warnings=(*body.warnings, *flow.warnings),
    )


def _utf8(data: bytes) -> bytes:
    """Return the document in UTF-8 without its declaration, which may name another encoding than the bytes have."""
    text, _ = decode(data)
    return _DECLARATION.sub("", text.removeprefix("\ufeff"), count=1).encode("utf-8", "replace")


def _without_objects(data: bytes) -> bytes:
    """Cut out the pictures and objects after the body: one text of tens of megabytes, which XML readers refuse."""
    start = data.find(b"<BINDATASTORAGE", max(0, data.rfind(b"</BODY>")))
    end = data.find(b"</BINDATASTORAGE>", start) if start >= 0 else -1
    return data[:start] + data[end + len(b"</BINDATASTORAGE>") :] if end >= 0 else data


def _heads(root: Any) -> dict[str, Head]:
    return {
        shape.get("Id") or "": Head(
            _KINDS.get(shape.get("HeadingType") or "", "none"),
            level_of(shape.get("Level")),
            number(shape.get("Heading")),
        )
        for shape in root.iter("{*}PARASHAPE")
    }


def _numberings(root: Any) -> dict[int, list[Level]]:
    return {
        number(numbering.get("Id")): in_order(
            {number(head.get("Level")): _level(head) for head in numbering.iter("{*}PARAHEAD")}
        )
        for numbering in root.iter("{*}NUMBERING")
    }


def _level(head: Any) -> Level:
    return Level(head.text or "", owpml_word(head.get("NumFormat") or "Digit"), number(head.get("Start"), 1))
