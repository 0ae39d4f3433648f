"""Charts of HWP 5: OLE objects whose own container holds the chart as the part of an Office file.

Layouts: format specification 5.0 revision 1.3, 4.2.3 (binary data) and table 118 (OLE object), whose attributes take
four bytes in files.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence

import olefile

from pipelines.errors import Corrupt, SkipDocument
from pipelines.parsers.hwp_container import Container
from pipelines.parsers.hwp_old_chart import old_chart_blocks
from pipelines.parsers.hwp_records import Record, descend
from pipelines.parsers.ooxml_chart import chart_blocks
from pipelines.parsers.xml import parse_xml
from pipelines.records import Block, Locator

_BIN_DATA = 18
# How an item is kept: 0 a link, 1 a picture, 2 an OLE object. Only the last two have a stream.
_OBJECT = 2
_CHART = "OOXMLChartContents"
_OLD_CHART, _OLD_MARK, _OLD_HEAD = "Contents", b"VtChart", 256
# Each look-up in a container passes all its streams; a book of statistics has some hundred charts.
_MAX_OBJECTS = 1000
# The length of the container stands before it.
_BEFORE_CONTAINER = 4


class Charts:
    """The charts of one document, each read once however often it is drawn."""

    def __init__(self, container: Container, doc_info: Sequence[Record]) -> None:
        self._container = container
        self._items = [record.data for record in descend(doc_info) if record.tag == _BIN_DATA]
        self._read: set[int] = set()
        self._unread = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        return (f"{self._unread} charts that can't be read",) if self._unread else ()

    def blocks(self, ole: bytes) -> list[Block]:
        """Return the title and data of the chart in an OLE object; none when it is another object or was read."""
        if len(ole) < 14:
            return []
        (number,) = struct.unpack_from("<H", ole, 12)
        if number in self._read or not 0 < number <= len(self._items):
            return []
        self._read.add(number)
        if len(self._read) > _MAX_OBJECTS:
            self._unread += 1
            return []
        kind, stored = struct.unpack("<HH", self._items[number - 1][:4].ljust(4, b"\0"))
        if kind & 15 != _OBJECT:
            return []
        try:
            return read_chart(self._container.bin_data(stored, kind >> 4 & 3))
        except SkipDocument:
            self._unread += 1
            return []


def read_chart(data: bytes) -> list[Block]:
    """Return the chart in an OLE object's own container; none when the object is something else."""
    start = data.find(olefile.MAGIC, 0, _BEFORE_CONTAINER + len(olefile.MAGIC))
    if start < 0:
        return []
    try:
        with olefile.OleFileIO(io.BytesIO(data[start:])) as container:
            chart, old_chart = (
                bytes(container.openstream(name).read()) if container.exists(name) else b""
                for name in (_CHART, _OLD_CHART)
            )
    except Exception as error:
        raise Corrupt("the container of an OLE object is damaged") from error
    if chart:
        return chart_blocks(parse_xml(chart, "a chart"), Locator())
    return old_chart_blocks(old_chart) if _OLD_MARK in old_chart[:_OLD_HEAD] else []
