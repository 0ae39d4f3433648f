"""Where the cells of a table stand, also of one whose addresses are missing or all the same."""

from __future__ import annotations


class Places:
    """Gives each cell a place of its own; `row` and `col` are where the next one stands if it doesn't say."""

    def __init__(self) -> None:
        self.row = self.col = 0
        self._taken: set[tuple[int, int]] = set()

    def start_row(self, row: int) -> None:
        """Go to the first column of a row as the file counts them."""
        self.row, self.col = row, 0

    def take(self, row: int, col: int, col_span: int) -> tuple[int, int]:
        """Return the place of a cell: its address, or beside the cell before when another one has that."""
        if (row, col) in self._taken:
            row, col = self.row, self.col
        self._taken.add((row, col))
        self.col = col + col_span
        return row, col
