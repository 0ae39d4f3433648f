"""Blocks out of the words and places that a Word file gives."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from pipelines.records import Block


def text_block(text: str, level: int, listed: tuple[int, str] | None) -> Block:
    """Return a heading when `level` says so, an item when `listed` is (level in the list, number), else a paragraph."""
    label = listed[1] if listed else ""
    if level:
        return Block("heading", text, level=level, number=label)
    if listed:
        return Block("item", text, level=listed[0], number=label)
    return Block("paragraph", text)


def in_cell(block: Block) -> Block:
    """A heading inside a cell labels the cell, not the document's outline; program text has no lines of its own."""
    return replace(block, kind="paragraph", level=0) if block.kind in ("heading", "code") else block


def joined_code(blocks: list[Block]) -> list[Block]:
    """Join the lines of one program, which Word keeps as paragraphs of their own."""
    found: list[Block] = []
    for is_code, group in groupby(blocks, lambda block: block.kind == "code"):
        run = list(group)
        found += [Block("code", "\n".join(block.text for block in run))] if is_code else run
    return found
