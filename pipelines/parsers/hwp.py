"""HWP 5 documents (.hwp of Hangul 2002 and later)."""

from __future__ import annotations

import struct
from typing import BinaryIO

from pipelines.errors import Corrupt
from pipelines.parsers.hangul_words import settled
from pipelines.parsers.hwp_body import Body
from pipelines.parsers.hwp_chart import Charts
from pipelines.parsers.hwp_container import Container
from pipelines.parsers.hwp_flow import Flow, refuse_notice
from pipelines.parsers.hwp_numbers import Numberer
from pipelines.parsers.hwp_records import read_records
from pipelines.parsers.hwp_shapes import listed_changes, read_shapes, section_count, tracked_deletions
from pipelines.parsers.hwp_summary import Summary, read_summary
from pipelines.records import Block, Limits, Parsed


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a document.

    Raises Encrypted, Drm, Corrupt, TooLarge, Unsupported (a newer distribution copy), Empty (words only in headers
    and the like) or NeedsOcr (pictures and no words).
    """
    container = Container(file, limits)
    blocks, flow, pictures, warnings = _read(container, limits)
    refuse_notice(blocks)
    flow.apart.count("image", pictures)
    flow.apart.count("signature", container.signed)
    summary, unread = _summary(container)
    return Parsed(
        "hwp",
        settled(blocks, flow.apart.counts, pictures=pictures),
        title=summary.title,
        author=summary.author,
        modified_at=summary.modified_at,
        created_at=summary.created_at,
        clock="hwp:summary13" if summary.modified_at else None,
        pages=summary.pages,
        asides=flow.asides,
        apart=flow.kept,
        warnings=warnings + unread,
    )


def _read(container: Container, limits: Limits) -> tuple[list[Block], Flow, int, tuple[str, ...]]:
    """Return the blocks of all sections, the flow with what stands beside them, the pictures' number, and warnings."""
    try:
        doc_info = read_records(container.doc_info(), "DocInfo")
        heads, numberings = read_shapes(doc_info)
        flow = Flow(limits, heads, Numberer(numberings))
        charts = Charts(container, doc_info)
        body = Body(flow, charts, tracked_deletions(doc_info), limits.depth)
        sections = [body.blocks(read_records(data, name)) for name, data in container.sections()]
        missing = section_count(doc_info) - len(sections)
        body.finish()
        flow.apart.count("tracked_change", listed_changes(doc_info))
    except (struct.error, UnicodeDecodeError, IndexError) as error:
        raise Corrupt(f"a record of the document is damaged ({type(error).__name__})") from error
    if missing > 0:
        raise Corrupt(f"{missing} of the document's sections are missing; the file is cut short")
    blocks = [block for section in sections for block in section]
    return blocks, flow, body.pictures, (*body.warnings, *flow.warnings, *charts.warnings)


def _summary(container: Container) -> tuple[Summary, tuple[str, ...]]:
    """Return the summary; one that is damaged costs a warning, not the body."""
    try:
        return read_summary(container.summary()), ()
    except Corrupt:
        return Summary(), ("the summary with title and times can't be read",)
