"""The readable copy of a document: its blocks as Markdown lines, with the place of each line in the body."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pipelines.body import squeeze, words
from pipelines.heading import heading_paths
from pipelines.records import Block, Cell


class Line(NamedTuple):
    """A rendered line and what it adds to the squeezed body ("" for markup, notes and labels)."""

    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Mirror:
    """A rendered document.

    text         the lines, each ended by "\\n"; lines[n - 1] is line n
    block_lines  [first, last] line of each block, from 1; an empty block has the line it stands after
    line_spans   closed-open range of each line in the squeezed body
    headings     the heading path over each block, outermost first; a heading counts as its own
    """

    text: str
    lines: list[str]
    block_lines: list[tuple[int, int]]
    line_spans: list[tuple[int, int]]
    headings: list[tuple[str, ...]]


def render(blocks: Sequence[Block]) -> Mirror:
    """Render `blocks`, one blank line between two; records and items of one run follow line by line."""
    lines: list[Line] = []
    places: list[tuple[int, int]] = []
    for place, rendered in laid(blocks):
        lines.extend([Line("", "")] * (place - len(lines)))
        lines.extend(rendered)
        places.append((place + 1, len(lines)) if rendered else (max(1, len(lines)),) * 2)
    spans = []
    position = 0
    for line in lines:
        spans.append((position, position + len(line.words)))
        position += len(line.words)
    text = "".join(f"{line.text}\n" for line in lines)
    return Mirror(text, [line.text for line in lines], places, spans, heading_paths(blocks))


def laid(blocks: Sequence[Block]) -> Iterator[tuple[int, list[Line]]]:
    """Yield each block's lines and how many lines stand before them, the blank one between blocks counted."""
    place = 0
    before: Block | None = None
    for block in blocks:
        rendered = lines_of(block)
        if not rendered:
            yield place, []
            continue
        one_run = before is not None and before.kind == block.kind and block.kind in ("record", "item")
        place += before is not None and not one_run
        yield place, rendered
        place += len(rendered)
        before = block


def lines_of(block: Block) -> list[Line]:
    """Render one block; the lines' words joined are exactly `body.words(block)`."""
    if block.kind == "table":
        return _table(block)
    if block.kind == "record":
        return _record(block)
    if block.kind == "code":
        return _code(block)
    return _text(block)


def header_of(table: Block) -> int:
    """Return how many rendered lines stand before a table's first body row (its own text, rule and tags counted)."""
    lead = len(_lead(table))
    if is_box(table):
        return lead
    header_rows = min(max(0, table.header_rows), _n_rows(table))
    return lead + (1 + max(1, header_rows) if _is_plain(table) else 1 + header_rows)


def is_box(table: Block) -> bool:
    """Tell whether a table is one cell: a frame around text, as Korean forms draw it. Its blocks are shown as such."""
    return len(table.cells) == 1


def box_blocks(table: Block) -> list[Block]:
    """Return the blocks inside a box, outside the body when the box is."""
    inner = table.cells[0].blocks
    return list(inner) if table.in_body else [replace(block, in_body=False) for block in inner]


def _text(block: Block) -> list[Line]:
    if not squeeze(block.number + block.text):
        return []
    first, rest = _marks(block)
    in_body = bool(words(block))
    lines = []
    for n, text in enumerate(block.text.strip("\n").split("\n")):
        shown = f"{block.number} {text}".strip() if n == 0 and block.kind != "note" else text
        if block.kind == "heading":
            shown = shown.strip()
        lines.append(Line(f"{rest if n else first}{shown}".rstrip(), squeeze(shown) if in_body else ""))
    if block.kind == "heading":
        joined = " ".join(line.text for line in lines if line.text)
        return [Line(joined, "".join(line.words for line in lines))]
    return lines


def _marks(block: Block) -> tuple[str, str]:
    """Return what stands before the first line and before the lines after it."""
    if block.kind == "heading":
        return "#" * min(6, max(1, block.level)) + " ", ""
    if block.kind == "note":
        return f"[^{squeeze(block.number) or '*'}]: ", "    "
    if block.kind == "item":
        indent = "  " * max(0, block.level - 1)
        return (indent if block.number else f"{indent}- "), f"{indent}  "
    return "", ""


def _code(block: Block) -> list[Line]:
    if not squeeze(block.number + block.text):
        return []
    fence = "```"
    while fence in block.text:
        fence += "`"
    in_body = bool(words(block))
    body = "\n".join(part for part in (block.number, block.text.strip("\n")) if part)
    inner = [Line(text.rstrip(), squeeze(text) if in_body else "") for text in body.split("\n")]
    return [Line(fence, ""), *inner, Line(fence, "")]


def _record(block: Block) -> list[Line]:
    labels = [_one_line(label) for label in block.labels]
    values = [_one_line(value) for value in block.values]
    if labels:
        pairs = zip(labels, values, strict=True)
        shown = "; ".join(f"{label}: {value}" if label else value for label, value in pairs if value)
    else:
        shown = " | ".join(value for value in values if value)
    lead = _one_line(f"{block.number} {block.text}")
    text = ": ".join(part for part in (lead, shown) if part)
    return [Line(text, words(block))] if text else []


def _table(block: Block) -> list[Line]:
    lead = _lead(block)
    if not any(_shows(inner) for cell in block.cells for inner in cell.blocks):
        return lead
    if is_box(block):
        return lead + _box(block)
    return lead + (_plain(block) if _is_plain(block) else _merged(block))


def _shows(block: Block) -> bool:
    """Tell whether a block would be shown; looks at each word once, however deep tables nest."""
    if squeeze(block.number + block.text) or any(squeeze(value) for value in block.values):
        return True
    return any(_shows(inner) for cell in block.cells for inner in cell.blocks)


def _lead(table: Block) -> list[Line]:
    return _text(Block("paragraph", table.text, number=table.number, in_body=table.in_body))


def _box(block: Block) -> list[Line]:
    lines: list[Line] = []
    for place, rendered in laid(box_blocks(block)):
        lines.extend([Line("", "")] * (place - len(lines)))
        lines.extend(rendered)
    return lines


def _plain(block: Block) -> list[Line]:
    width = 1 + max(cell.col for cell in block.cells)
    lines = []
    for row in _rows(block):
        shown = [""] * width
        for cell in row:
            shown[cell.col] = _cell(cell, plain=True)
        lines.append(Line(f"| {' | '.join(shown)} |", _row_words(block, row)))
    rule = Line("|" + " --- |" * width, "")
    if block.header_rows < 1:
        return [Line("|" + "  |" * width, ""), rule, *lines]
    return [lines[0], rule, *lines[1:]]


def _merged(block: Block) -> list[Line]:
    lines = []
    for n, row in enumerate(_rows(block)):
        cells = "".join(_html_cell(cell, "th" if n < block.header_rows else "td") for cell in row)
        lines.append(Line(f"<tr>{cells}</tr>", _row_words(block, row)))
    return [Line("<table>", ""), *lines, Line("</table>", "")]


def _html_cell(cell: Cell, tag: str) -> str:
    rows = f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
    cols = f' colspan="{cell.col_span}"' if cell.col_span > 1 else ""
    return f"<{tag}{rows}{cols}>{_cell(cell, plain=False)}</{tag}>"


def _cell(cell: Cell, *, plain: bool) -> str:
    """Return a cell's blocks on one line, "<br>" between lines."""
    parts = []
    for block in cell.blocks:
        if block.kind == "table" and not plain and not is_box(block):
            parts.append("".join(line.text for line in _merged(block)))
            continue
        for line in lines_of(block):
            text = line.text.strip()
            if text:
                parts.append(text.replace("|", r"\|") if plain else html.escape(text, quote=False))
    return "<br>".join(parts)


def _is_plain(block: Block) -> bool:
    """Tell whether Markdown can show the table: nothing merged or nested, one cell a place."""
    if len({(cell.row, cell.col) for cell in block.cells}) < len(block.cells):
        return False
    return not any(
        cell.row_span > 1 or cell.col_span > 1 or any(inner.kind == "table" for inner in cell.blocks)
        for cell in block.cells
    )


def _rows(block: Block) -> list[list[Cell]]:
    """Return the cells of every row, left to right; a row of merged-away cells is empty."""
    rows: list[list[Cell]] = [[] for _ in range(_n_rows(block))]
    for cell in sorted(block.cells, key=lambda cell: (cell.row, cell.col)):
        rows[cell.row].append(cell)
    return rows


def _n_rows(block: Block) -> int:
    return 1 + max((cell.row for cell in block.cells), default=-1)


def _row_words(block: Block, row: list[Cell]) -> str:
    return "".join(words(inner) for cell in row for inner in cell.blocks) if block.in_body else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
