"""HWPX documents: a zip of OWPML parts (KS X 6101)."""

from __future__ import annotations

from typing import BinaryIO

from pipelines.errors import Corrupt
from pipelines.parsers.archive import open_zip
from pipelines.parsers.hwp_flow import Flow, refuse_notice
from pipelines.parsers.hwp_numbers import Numberer
from pipelines.parsers.hwpx_body import Body, has_text
from pipelines.parsers.hwpx_header import read_header
from pipelines.parsers.hwpx_package import Package, moment
from pipelines.parsers.hwpx_words import settled
from pipelines.parsers.pptx_chart import chart_blocks
from pipelines.records import Block, Limits, Locator, Parsed


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a document.

    Raises Encrypted, Corrupt, TooLarge, UnsafeXml, Unsupported (a newer distribution copy), Empty (words only in
    headers and the like) or NeedsOcr (pictures and no words).
    """
    package = Package(open_zip(file, limits))
    header = package.header()
    heads, numberings = read_header(header) if header is not None else ({}, {})
    flow = Flow(limits, heads, Numberer(numberings))
    charts = _Charts(package)
    body = Body(flow, charts.blocks, limits.depth)
    blocks: list[Block] = []
    for part in package.sections():
        blocks += body.section(package.root(part))
    refuse_notice(blocks)
    for part in package.master_pages():
        flow.aside("header", has_text(package.root(part)))
    title, values = package.metadata()
    modified = moment(values.get("ModifiedDate"))
    return Parsed(
        "hwpx",
        settled(blocks, flow.asides, pictures=body.pictures),
        title=title,
        author=values.get("creator"),
        modified_at=modified,
        created_at=moment(values.get("CreatedDate")),
        clock="hwpx:ModifiedDate" if modified else None,
        asides=dict(flow.asides),
        warnings=(*body.warnings, *charts.warnings),
    )


class _Charts:
    """The chart parts of a package, each read once however often it is drawn."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._read: set[str] = set()
        self._damaged = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        return (f"{self._damaged} charts that can't be read",) if self._damaged else ()

    def blocks(self, part: str) -> list[Block]:
        """Return a chart's title and data; none for a part that is missing or was read before."""
        if part not in self._package or part in self._read:
            return []
        self._read.add(part)
        try:
            return chart_blocks(self._package.root(part), Locator())
        except Corrupt:
            self._damaged += 1
            return []
