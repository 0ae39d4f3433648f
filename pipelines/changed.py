"""Which words differ between two texts that are alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

# Words a side that are compared: what difflib takes grows with their product.
WORDS = 20_000
# Places told at most, and characters of each side: enough to see what was changed, never the text itself.
PLACES, CHARS = 20, 120


def changes(a: str, b: str) -> list[tuple[str, str]]:
    """Return the first places at which the words differ as (words of a, words of b), "" where one has none.

    Of texts of more than WORDS words there are none.
    """
    old, new = a.split(), b.split()
    if max(len(old), len(new)) > WORDS:
        return []
    begin = _common(old, new)
    end = _common(old[begin:][::-1], new[begin:][::-1])
    old, new = old[begin : len(old) - end], new[begin : len(new) - end]
    return [(_cut(old[i:j]), _cut(new[k:m])) for i, j, k, m in _places(old, new)][:PLACES]


def _places(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    for tag, i, j, k, m in SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            yield i, j, k, m


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Return how many words both begin with."""
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _cut(words: Sequence[str]) -> str:
    text = " ".join(words)
    return text if len(text) <= CHARS else text[: CHARS - 1] + "…"
