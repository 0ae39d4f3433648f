"""Sections of a document: what stands under one heading path, in runs that belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pipelines.heading import is_heading
from pipelines.mirror import Mirror, box_blocks, header_of, is_box, laid, lines_of
from pipelines.piece import Piece, Places
from pipelines.records import Block

# Pieces that stay together when they fit: a paragraph and its notes, a table's header and its first row.
Run = list[Piece]


@dataclass(slots=True)
class Section:
    """`path` is the headings above, outermost first; `runs` the content in reading order, one part of the mirror."""

    path: tuple[Block, ...]
    runs: list[Run] = field(default_factory=list)


def sections(blocks: Sequence[Block], mirror: Mirror, places: Places) -> list[Section]:
    """Cut a document at its headings.

    A heading without content below it gets no section: its line opens the next section, or closes the last one,
    so that its words stay in a text. Headings outside the body (sheet names) are left out then.
    """
    walk = _Walk(blocks, mirror, places)
    for place, block in enumerate(blocks):
        if is_heading(block):
            walk.head(place)
        elif lines_of(block):
            walk.take(place)
    walk.close()
    return walk.found


class _Walk:
    def __init__(self, blocks: Sequence[Block], mirror: Mirror, places: Places) -> None:
        self.found: list[Section] = []
        self._blocks = blocks
        self._mirror = mirror
        self._places = places
        self._path: list[int] = []
        self._empty: set[int] = set()
        self._open = False

    def head(self, place: int) -> None:
        """Enter a heading; those it ends and that had no content stay in `_empty`."""
        level = self._blocks[place].level
        while self._path and self._blocks[self._path[-1]].level >= level:
            self._path.pop()
        self._path.append(place)
        self._empty.add(place)
        self._open = False

    def take(self, place: int) -> None:
        """Add a block to the section it stands in."""
        block = self._blocks[place]
        if not self._open:
            self.found.append(Section(tuple(self._blocks[n] for n in self._path)))
            self.found[-1].runs.extend(self._lost(place))
            self._open = True
        self._empty.clear()
        first = self._mirror.block_lines[place][0] - 1
        runs = self.found[-1].runs
        new = list(_runs(block, first, self._places))
        if block.kind == "note" and runs:
            runs[-1] += [piece for run in new for piece in run]
        else:
            runs.extend(new)

    def close(self) -> None:
        """End the document: headings at its end follow the last section, or are all there is."""
        lines = [self._line(n) for n in self._tail()]
        if lines and self.found:
            self.found[-1].runs[-1] += lines
        elif lines:
            self.found.append(Section((), [[line] for line in lines]))

    def _lost(self, place: int) -> list[Run]:
        """Return the lines from the first heading whose words would be lost down to the block at `place`."""
        lost = sorted(n for n in self._empty if n not in self._path and self._blocks[n].in_body)
        if not lost:
            return []
        return [[self._line(n)] for n in range(lost[0], place) if lines_of(self._blocks[n])]

    def _tail(self) -> list[int]:
        empty = sorted(n for n in self._empty if self._blocks[n].in_body)
        return [n for n in range(empty[0], empty[-1] + 1) if lines_of(self._blocks[n])] if empty else []

    def _line(self, place: int) -> Piece:
        first, last = self._mirror.block_lines[place]
        return self._places.piece(first - 1, last - 1)


def _runs(block: Block, first: int, places: Places) -> Iterator[Run]:
    """Yield the runs of one block whose first line is `first`, from 0: a table by rows, a box by what is in it."""
    lines = lines_of(block)
    if block.kind != "table" or not block.cells:
        yield [places.piece(first, first + len(lines) - 1)]
        return
    header = header_of(block)
    if is_box(block):
        yield from _box_runs(block, header, first, places)
    elif header >= len(lines) - 1:
        yield [places.piece(first, first + len(lines) - 1)]
    else:
        yield from _row_runs(block, header, len(lines), first, places)


def _box_runs(block: Block, lead: int, first: int, places: Places) -> Iterator[Run]:
    if lead:
        yield [places.piece(first, first + lead - 1)]
    inner_blocks = box_blocks(block)
    for inner, (place, rendered) in zip(inner_blocks, laid(inner_blocks), strict=True):
        if rendered:
            yield from _runs(inner, first + lead + place, places)


def _row_runs(block: Block, header: int, n_lines: int, first: int, places: Places) -> Iterator[Run]:
    """Yield the header with the first row, then row by row; what closes the table goes with its last row."""
    lead = len(lines_of(replace(block, cells=())))
    repeated = places.shown(places.piece(first + lead, first + header - 1)) if block.header_rows > 0 else ""
    closing = 1 if lines_of(block)[-1].text == "</table>" else 0
    last_row = n_lines - closing - 1
    rows = [
        places.piece(first + row, first + (n_lines - 1 if row == last_row else row), repeated)
        for row in range(header, last_row + 1)
    ]
    yield [places.piece(first, first + header - 1), *rows[:1]]
    yield from ([row] for row in rows[1:])
