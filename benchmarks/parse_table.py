"""The table of parse_quality.py: a row compares readers on one question and holds ours to its bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parse_readers import OURS, Reader

COLUMN_WIDTH = 13


@dataclass(frozen=True, slots=True)
class Score:
    """A number to compare by, and how it is shown."""

    value: float
    shown: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table. `scores` by reader; one without the format has none. `bar` is held against ours."""

    name: str
    scores: dict[str, Score]
    bar: float | None = None
    bar_shown: str = ""
    lower_is_better: bool = False
    notes: tuple[str, ...] = ()
    details: tuple[str, ...] = ()

    @property
    def reached(self) -> bool:
        """Tell whether ours meets the bar; without a bar it does."""
        ours = self.scores.get(OURS.name)
        if self.bar is None:
            return True
        return ours is not None and (ours.value <= self.bar if self.lower_is_better else ours.value >= self.bar)

    @property
    def better(self) -> list[str]:
        """Return the peers that do better than ours, the best first."""
        ours, sign = self.scores.get(OURS.name), -1 if self.lower_is_better else 1
        found = [name for name, score in self.scores.items() if ours is None or sign * score.value > sign * ours.value]
        return sorted(found, key=lambda name: -sign * self.scores[name].value)


def mean_row(name: str, shares: Mapping[str, list[float]], **facts: Any) -> Row:
    """Return a row of means."""
    scores = {who: _ratio(sum(values) / len(values)) for who, values in shares.items() if values}
    return Row(name, scores, **facts)


def _ratio(value: float) -> Score:
    return Score(value, f"{int(value * 1000 + 1e-9) / 1000:.3f}")


def count_score(found: int, of: int) -> Score:
    """Return found of how many, compared by the share."""
    return Score(found / of if of else 1.0, f"{found}/{of}")


def table(rows: Sequence[Row], readers: Sequence[Reader]) -> str:
    """Draw rows x readers; the best of a row is marked, and a peer that is better than ours is named."""
    width = max(len(row.name) for row in rows)
    versions = "".join(f"{reader.version:>{COLUMN_WIDTH}}" for reader in readers)
    names = "".join(f"{reader.name:>{COLUMN_WIDTH}}" for reader in readers)
    lines = [f"{'':{width}}{names}  bar", f"{'':{width}}{versions}"]
    return "\n".join(line.rstrip() for line in [*lines, *(line_of(row, readers, width) for row in rows)])


def line_of(row: Row, readers: Sequence[Reader], width: int) -> str:
    """Draw a row, its name `width` columns wide; a long cell takes the blanks before it."""
    values = [score.value for score in row.scores.values()]
    best = (min if row.lower_is_better else max)(values, default=None)
    line, end = row.name, width
    for reader in readers:
        end += COLUMN_WIDTH
        score = row.scores.get(reader.name)
        mark = "*" if score is not None and score.value == best else " "
        line += f" {score.shown + mark if score else '- '}".rjust(end - len(line))
    return f"{line}  {row.bar_shown:<9}{verdict(row)}"


def verdict(row: Row) -> str:
    """Say whether ours meets the bar, and who does better."""
    word = ("ok" if row.reached else "MISSED") if row.bar is not None else ""
    better = f"better: {', '.join(row.better)}" if row.better else ""
    return "; ".join(part for part in (word, better) if part)
