"""The blocks of a Hangul word processor document, built the same way from HWP, HWPX and HWPML."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipelines.errors import TooLarge, Unsupported
from pipelines.parsers.apart import Apart
from pipelines.parsers.hwp_numbers import Numberer
from pipelines.parsers.old_hangul import plain
from pipelines.parsers.text import clean
from pipelines.records import Aside, Block, Cell, Limits

# Outline levels also number whole sentences ("1. ... 한다."); what is longer than this is no heading.
_HEADING_CHARS = 100
# Hangul writes this notice in place of a body that its older versions can't open (kordoc issue 25).
_NOTICE = "이문서는상위버전의배포용문서입니다"
_NOTICE_CHARS = 400
# What is too deep or damaged beside the body isn't worth the body.
_UNREADABLE = (TooLarge, struct.error, UnicodeDecodeError, IndexError)
# The formats keep memos at different places, so what stands beside the body is given kind by kind.
_KINDS = ("header", "footer", "memo", "comment")


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before a paragraph: `kind` is "none", "outline", "number" or "bullet"; `level` counts from 0."""

    kind: str = "none"
    level: int = 0
    numbering: int = 0


NO_HEAD = Head()
# What `begin` returns of a paragraph without number, bullet or level.
PLAIN = (NO_HEAD, "")


class Flow:
    """Turns paragraphs, tables and notes into blocks and keeps what they count: numbers, notes, cells.

    `apart` collects the words of headers, footers, memos and comments, `unread` counts those that can't be read.
    """

    def __init__(self, limits: Limits, heads: Mapping[str, Head], numberer: Numberer) -> None:
        self.apart = Apart()
        self.unread: Counter[str] = Counter()
        self.outline_numbering = 0
        self._limits = limits
        self._heads = heads
        self._numberer = numberer
        self._notes = 0
        self._cells = 0
        self._depth = 0

    def beside(self) -> Flow:
        """Return a flow for what stands beside the body: it numbers and counts for itself, as deep as is left here."""
        inner = Flow(self._limits, self._heads, self._numberer.afresh())
        inner.apart, inner.unread = self.apart, self.unread
        inner.outline_numbering, inner._depth = self.outline_numbering, self._depth
        return inner

    def begin(self, shape: str) -> tuple[Head, str]:
        """Return the head and number of a paragraph; called before what is anchored in it is read."""
        head = self._heads.get(shape, NO_HEAD)
        if head.kind == "outline":
            return head, self._numberer.next("outline", self.outline_numbering, head.level)
        if head.kind == "number":
            return head, self._numberer.next("number", head.numbering, head.level)
        return head, ""

    def paragraph(self, begun: tuple[Head, str], text: str) -> list[Block]:
        """Return the paragraph's block; none when it has no words."""
        head, number = begun
        text = clean(plain(text)).strip()
        if not text:
            return []
        number = clean(plain(number)).strip()
        if head.kind == "none":
            return [Block("paragraph", text, number=number)]
        if head.kind == "outline" and len(text) <= _HEADING_CHARS:
            return [Block("heading", text, level=min(head.level + 1, 6), number=number)]
        if head.kind == "outline" and not number:
            return [Block("paragraph", text)]
        return [Block("item", text, level=head.level + 1, number=number)]

    def note(self, blocks: Sequence[Block]) -> list[Block]:
        """Return a foot- or endnote as one block outside the body."""
        self._notes += 1
        text = "\n".join(plain_lines(blocks))
        return [Block("note", text, number=str(self._notes), in_body=False)] if text else []

    def aside(self, kind: str, read: Callable[[], Sequence[Block]]) -> None:
        """Keep the words of a header, footer, memo or comment, which `read` gives as blocks of a flow beside this."""
        try:
            self.apart.put(kind, "\n".join(plain_lines(read())))
        except _UNREADABLE:
            self.unread[kind] += 1

    @property
    def asides(self) -> dict[str, int]:
        """How much stands apart, by kind; Hangul's memos are what others call comments."""
        counts = Counter(self.apart.counts)
        counts["comment"] += counts.pop("memo", 0)
        return {kind: count for kind, count in counts.items() if count}

    @property
    def kept(self) -> tuple[Aside, ...]:
        """The words apart from the body, kind by kind."""
        ordered = sorted(self.apart.kept, key=lambda one: _KINDS.index(one.kind))
        return tuple(replace(one, kind="comment") if one.kind == "memo" else one for one in ordered)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what of the words apart is lost."""
        return tuple(f"{count} {kind}s that can't be read" for kind, count in self.unread.items())

    def enter(self) -> None:
        """Step into a table; TooLarge when tables nest deeper than the limit."""
        self._depth += 1
        if self._depth > self._limits.depth:
            raise TooLarge(f"tables are nested deeper than {self._limits.depth}")

    def table(self, cells: Sequence[Cell], header_rows: int) -> list[Block]:
        """Step out of a table and return it, its notes after it; a single cell is a frame around its blocks."""
        self._depth -= 1
        # Places without a cell count too: Markdown writes them, and two cells can lie 65,535 rows and columns apart.
        rows = 1 + max((cell.row for cell in cells), default=-1)
        cols = 1 + max((cell.col for cell in cells), default=-1)
        self._cells += max(len(cells), rows * cols)
        if self._cells > self._limits.cells:
            raise TooLarge(f"tables hold more than {self._limits.cells} cells")
        if len(cells) <= 1:
            return [block for cell in cells for block in cell.blocks]
        ordered = sorted(cells, key=lambda cell: (cell.row, cell.col))
        notes = [block for cell in ordered for block in cell.blocks if block.kind == "note"]
        ordered = [_labelled(cell) for cell in ordered]
        if not any(cell.blocks for cell in ordered):
            return notes
        return [Block("table", cells=tuple(ordered), header_rows=header_rows), *notes]


def _labelled(cell: Cell) -> Cell:
    """Return a cell without notes, its headings and items as paragraphs: they label the cell, not the document."""
    if all(block.kind in ("paragraph", "table") for block in cell.blocks):
        return cell
    kept = (block for block in cell.blocks if block.kind != "note")
    return replace(
        cell,
        blocks=tuple(b if b.kind == "table" else replace(b, kind="paragraph", level=0) for b in kept),
    )


def header_rows(flags: Sequence[tuple[int, bool]]) -> int:
    """Return how many leading rows hold header cells; 1 when none is marked. `flags`: (row, is header) of each cell."""
    marked = {row for row, header in flags if header}
    count = 0
    while count in marked:
        count += 1
    return max(1, count)


def plain_lines(blocks: Sequence[Block]) -> list[str]:
    """Return the words of `blocks` line by line, tables cell by cell."""
    lines: list[str] = []
    for block in blocks:
        if block.kind == "table":
            for cell in block.cells:
                lines += plain_lines(cell.blocks)
        elif block.text:
            lines.append(f"{block.number} {block.text}".strip())
    return lines


def refuse_notice(blocks: Sequence[Block]) -> None:
    """Raise Unsupported when the whole body is Hangul's notice about a newer distribution copy."""
    words = "".join("".join(plain_lines(blocks[:8])).split())
    if words.startswith(_NOTICE) and len(words) <= _NOTICE_CHARS and len(blocks) <= 8:
        raise Unsupported("a distribution copy of a newer Hangul; only its notice can be read, ask for the original")
