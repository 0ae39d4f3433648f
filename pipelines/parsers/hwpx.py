"""HWPX documents: a zip of OWPML parts (KS X 6101)."""

from __future__ import annotations

from typing import BinaryIO

from pipelines.parsers.archive import open_zip
from pipelines.parsers.hangul_words import settled
from pipelines.parsers.hwp_flow import Flow, refuse_notice
from pipelines.parsers.hwp_numbers import Numberer
from pipelines.parsers.hwpx_body import Body
from pipelines.parsers.hwpx_chart import Charts
from pipelines.parsers.hwpx_header import listed_changes, read_header
from pipelines.parsers.hwpx_inline import marked_changes
from pipelines.parsers.hwpx_package import Package, moment
from pipelines.records import Block, Limits, Parsed


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a document.

    Raises Encrypted, Corrupt, TooLarge, UnsafeXml, Unsupported (a newer distribution copy), Empty (words only in
    headers and the like) or NeedsOcr (pictures and no words).
    """
    package = Package(open_zip(file, limits))
    header = package.header()
    heads, numberings = read_header(header) if header is not None else ({}, {})
    flow = Flow(limits, heads, Numberer(numberings))
    charts = Charts(package)
    body = Body(flow, charts, limits.depth)
    blocks: list[Block] = []
    changes: set[str] = set()
    for part in package.sections():
        root = package.root(part)
        blocks += body.section(root)
        changes |= marked_changes(root, "insertBegin", "deleteBegin")
    refuse_notice(blocks)
    for part in package.master_pages():
        page = package.beside(part)
        if page is not None:
            body.aside("header", page)
    flow.apart.count("image", body.pictures)
    # Hangul lists all of them, also those of headers; other programs write the marks alone.
    flow.apart.count("tracked_change", max(len(changes), listed_changes(header) if header is not None else 0))
    flow.apart.count("signature", package.signatures())
    title, values = package.metadata()
    modified = moment(values.get("ModifiedDate"))
    return Parsed(
        "hwpx",
        settled(blocks, flow.apart.counts, pictures=body.pictures),
        title=title,
        author=values.get("creator"),
        modified_at=modified,
        created_at=moment(values.get("CreatedDate")),
        clock="hwpx:ModifiedDate" if modified else None,
        asides=flow.asides,
        apart=flow.kept,
        properties={"expires_at": values["expires_at"]} if values.get("expires_at") else {},
        warnings=(*package.warnings, *body.warnings, *flow.warnings, *charts.warnings),
    )
