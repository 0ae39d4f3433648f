"""The words of headers, footers, comments and memos: out of the body and of search, there when a person asks."""

from __future__ import annotations

from collections import Counter

from pipelines.parsers.text import clean
from pipelines.records import Aside, Locator

# A reviewer's whole discussion fits; a file that says more beside its body than in it doesn't fill the memory.
_MAX_CHARS = 1_000_000
_REPEATING = ("header", "footer")
_NOWHERE = Locator()


class Apart:
    """Collects what a document says beside its body: `counts` by kind, and the words.

    A header or footer that repeats is kept once; a comment is another one at every place.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._found: dict[Aside, Aside] = {}
        self._chars = 0

    def count(self, kind: str, number: int = 1) -> None:
        """Count what nobody asks the words of: hidden text, images, signatures."""
        if number:
            self.counts[kind] += number

    def put(self, kind: str, text: str, locator: Locator = _NOWHERE) -> None:
        """Count an aside that has words, and keep these."""
        text = clean(text).strip()
        if not text:
            return
        self.counts[kind] += 1
        key = Aside(kind, text) if kind in _REPEATING else Aside(kind, text, locator)
        if key not in self._found and self._chars + len(text) <= _MAX_CHARS:
            self._chars += len(text)
            self._found[key] = Aside(kind, text, locator)

    def take(self, other: Apart) -> None:
        """Take over what a part of the document, read on its own, kept apart."""
        for aside in other.kept:
            self.put(aside.kind, aside.text, aside.locator)
        for kind, number in other.counts.items():
            self.counts[kind] += number - sum(aside.kind == kind for aside in other.kept)

    @property
    def kept(self) -> tuple[Aside, ...]:
        """The words, in the order in which they were met."""
        return tuple(self._found.values())
