"""The charts of an HWPX package: parts of Office files, or what older programs kept in an OLE object."""

from __future__ import annotations

from collections.abc import Callable

from pipelines.errors import Corrupt, TooLarge
from pipelines.parsers.hwp_chart import read_chart
from pipelines.parsers.hwpx_package import Package
from pipelines.parsers.ooxml_chart import chart_blocks
from pipelines.records import Block, Locator


class Charts:
    """Reads each chart once, however often it is drawn."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._read: set[str] = set()
        self._damaged = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say how many charts are lost."""
        return (f"{self._damaged} charts that can't be read",) if self._damaged else ()

    def part(self, name: str) -> list[Block]:
        """Return the title and data of a chart part; none when it is missing or was read before."""
        return self._once(name, lambda: chart_blocks(self._package.root(name), Locator()))

    def object(self, item: str) -> list[Block]:
        """Return the chart in the OLE object with this id in the package; none when it is another object."""
        name = self._package.items.get(item, "")
        return self._once(name, lambda: read_chart(self._package.data(name)))

    def _once(self, name: str, read: Callable[[], list[Block]]) -> list[Block]:
        if name not in self._package or name in self._read:
            return []
        self._read.add(name)
        try:
            return read()
        except (Corrupt, TooLarge):
            self._damaged += 1
            return []
