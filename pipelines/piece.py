"""Pieces of a mirror: the smallest parts that a chunk is packed from, and how a long one is divided."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, islice

from pipelines.body import squeeze
from pipelines.mirror import Mirror

# Measured on KorQuAD: chunks that end with a paragraph beat those that end with a sentence; a sentence end
# is the second choice. "다." and "3.5" differ by the white space after it.
SENTENCE_END = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]』」》]*\s+|(?<=[。！？])")

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """The closed-open range `start`..`end` of a mirror's text. `header` is repeated before a table's later rows."""

    start: int
    end: int
    header: str = ""


class Places:
    """The places of a mirror: from its lines to its text, and from its text to the squeezed body."""

    def __init__(self, mirror: Mirror) -> None:
        self.text = mirror.text
        self._mirror = mirror
        self._starts = [0, *accumulate(len(line) + 1 for line in mirror.lines)]
        self._whole = (-1, 0)
        self._last = (-1, 0, 0)

    def piece(self, first: int, last: int, header: str = "") -> Piece:
        """Return the lines `first`..`last`, counted from 0, both included."""
        return Piece(self._starts[first], self._starts[last + 1] - 1, header)

    def shown(self, piece: Piece) -> str:
        """Return the text of a piece, without its header."""
        return self.text[piece.start : piece.end]

    def in_body(self, place: int) -> int:
        """Return the place in the squeezed body of a place in the mirror's text.

        Exact but in a table row or record that is cut inside: there markup and words mix, and it is proportional.
        """
        n = min(bisect_right(self._starts, place) - 1, len(self._mirror.lines) - 1)
        line = self._mirror.lines[n]
        start, end = self._mirror.line_spans[n]
        inside = place - self._starts[n]
        if inside <= 0 or start == end:
            return start
        if inside >= len(line):
            return end
        markup = self._squeezed(n, len(line)) - (end - start)
        if markup <= 0 or re.match(r"#|\s*- ", line):
            return min(end, start + max(0, self._squeezed(n, inside) - markup))
        return start + (end - start) * inside // len(line)

    def _squeezed(self, n: int, inside: int) -> int:
        """Return the squeezed length of line `n` up to `inside`, going on from the place asked before in it."""
        line = self._mirror.lines[n]
        if inside == len(line):
            if self._whole[0] != n:
                self._whole = (n, len(squeeze(line)))
            return self._whole[1]
        before, length = self._last[1:] if self._last[0] == n and self._last[1] <= inside else (0, 0)
        length += len(squeeze(line[before:inside]))
        self._last = (n, inside, length)
        return length


def divide(text: str, piece: Piece, limit_chars: int) -> list[Piece]:
    """Divide a piece at its lines (those inside a cell too), else at its sentences, else about every `limit_chars`,
    at white space where there is some.

    `text` is the mirror's text. Returns [piece] when it is a single character.
    """
    lines = _cut(text, piece, [m.span() for m in re.finditer(r"\n\s*\n|\n|<br>", text[piece.start : piece.end])])
    if len(lines) > 1:
        return lines
    ends = [m.span() for m in SENTENCE_END.finditer(text, piece.start, piece.end)]
    sentences = _cut(text, piece, [(a - piece.start, b - piece.start) for a, b in ends])
    return sentences if len(sentences) > 1 else _hard(text, piece, limit_chars)


def _cut(text: str, piece: Piece, gaps: list[tuple[int, int]]) -> list[Piece]:
    pieces = []
    start = piece.start
    for gap, after in [*gaps, (piece.end - piece.start, 0)]:
        end = piece.start + gap
        if text[start:end].strip():
            pieces.append(Piece(start, end, piece.header))
        start = piece.start + after
    return pieces or [piece]


def _hard(text: str, piece: Piece, limit_chars: int) -> list[Piece]:
    """Cut at the last white space within `limit_chars`, after a word of up to twice that, or inside a longer one."""
    size = max(1, min(limit_chars, (piece.end - piece.start + 1) // 2))
    gaps = []
    start = piece.start
    while piece.end - start > size:
        space = [m.span() for m in _SPACE.finditer(text, start + 1, start + size + 1)][-1:]
        space = space or [
            m.span() for m in islice(_SPACE.finditer(text, start + 1, min(start + 2 * size, piece.end)), 1)
        ]
        gap, after = space[0] if space else (start + size, start + size)
        gaps.append((gap - piece.start, after - piece.start))
        start = after
    return _cut(text, piece, gaps)
