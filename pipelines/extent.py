"""How much a document takes once it is drawn: a file of some KB can ask for gigabytes."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.body import squeezed
from pipelines.errors import TooLarge
from pipelines.mirror import render
from pipelines.records import Block, Limits


def hold_extent(blocks: Sequence[Block], limits: Limits) -> None:
    """Raise TooLarge for tables of more than limits.cells places, or more text than limits.stream_mb.

    Places without a cell count, since Markdown draws them; a text that stands in many cells counts in each. What passes
    here is drawn by later stages without a limit, so this belongs where time and memory are bounded.
    """
    places = _places(blocks)
    if places > limits.cells:
        raise TooLarge(f"its tables have {places} places, the limit is {limits.cells}")
    if max(_size(squeezed(blocks)), _size(render(blocks).text)) > limits.stream_mb << 20:
        raise TooLarge(f"its text fills more than {limits.stream_mb} MB")


def _places(blocks: Sequence[Block]) -> int:
    total = 0
    for block in blocks:
        if block.cells:
            rows = 1 + max(cell.row for cell in block.cells)
            total += rows * (1 + max(cell.col for cell in block.cells))
            total += sum(_places(cell.blocks) for cell in block.cells)
    return total


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
