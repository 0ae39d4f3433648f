"""Small files that would be huge once they are drawn are refused where time and memory are bounded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.errors import TooLarge
from pipelines.extent import hold_extent
from pipelines.mirror import render
from pipelines.records import Block, Cell, Limits

LIMITS = Limits(stream_mb=1, cells=1000)


def words(text: str) -> tuple[Block, ...]:
    return (Block("paragraph", text),)


def nested(depth: int) -> Block:
    block = Block("paragraph", "글")
    for _ in range(depth):
        block = Block("table", cells=(Cell(0, 0, (block,)),))
    return block


def test_a_table_counts_the_places_that_it_leaves_empty() -> None:
    table = Block("table", cells=(Cell(0, 0, words("가")), Cell(60, 60, words("나"))))
    with pytest.raises(TooLarge, match="3721 places"):
        hold_extent([table], LIMITS)
    hold_extent([table], replace(LIMITS, cells=4000))


def test_nested_tables_count_together() -> None:
    inner = Block("table", cells=(Cell(0, 0, words("가")), Cell(30, 20, words("나"))))
    outer = Block("table", cells=(Cell(0, 0, (inner,)), Cell(1, 20, (inner,))))
    with pytest.raises(TooLarge, match="places"):
        hold_extent([outer], LIMITS)


def test_one_text_in_many_cells_counts_in_each() -> None:
    text = "긴 설명 " * 2000
    records = [Block("record", labels=("설명",), values=(text,)) for _ in range(100)]
    with pytest.raises(TooLarge, match="more than 1 MB"):
        hold_extent(records, LIMITS)


def test_tables_of_one_cell_in_one_another_are_drawn_once_each() -> None:
    # With two visits a level this would take 2 ** 60 steps.
    assert render([nested(60)]).text == "글\n"
