"""How alike two bodies are for the version rule: remembered, or measured on their words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from assets.stages.stored import blocks_of
from pipelines.body import compared_text
from pipelines.compared import Content
from pipelines.grams import Hashes, folded, grams
from pipelines.near import shared
from resources.build import Run
from resources.ledger.likeness import Figures, Pair

# 5-grams of so many bodies are kept while a night's pairs are compared: chains lie side by side.
_KEPT = 32


class Likeness:
    """Answers (older body, newer body) -> Jaccard, and the part of the older that the newer holds.

    `asked` are the pairs that were asked about, for the next night.
    """

    def __init__(
        self,
        run: Run,
        contents: Mapping[str, Content],
        remembered: Mapping[Pair, Figures],
        decided: Mapping[Pair, tuple[float, float]],
        standing: frozenset[Pair],
    ) -> None:
        """Measure what isn't remembered.

        decided   figures on which (older, newer) were decided or asked about
        standing  replacements that hold: what can't be compared any more, because its words are lost and its file is
                  away, stays as it was decided
        """
        self.asked: dict[Pair, Figures] = {}
        self._remembered = remembered
        self._decided = decided
        self._standing = standing

        @lru_cache(maxsize=_KEPT)
        def grams_of(body: str) -> Hashes | None:
            content = contents[body]
            blocks = blocks_of(run, content.content_hash, content.parser_version)
            return None if blocks is None else grams(folded(compared_text(blocks)))

        self._grams_of = grams_of

    def __call__(self, older: str, newer: str) -> tuple[float, float]:
        pair = (older, newer) if older < newer else (newer, older)
        figures = self.asked.get(pair) or self._remembered.get(pair)
        if figures is None and (older, newer) in self._decided:
            return self._decided[older, newer]
        figures = figures or self._measured(pair)
        if figures is None:
            return (1.0, 1.0) if (older, newer) in self._standing else (0.0, 0.0)
        self.asked[pair] = figures
        jaccard, a_in_b, b_in_a = figures
        return jaccard, a_in_b if pair[0] == older else b_in_a

    def _measured(self, pair: Pair) -> Figures | None:
        """Return the figures of two bodies, None when the words of one are lost."""
        a, b = map(self._grams_of, pair)
        if a is None or b is None:
            return None
        both = shared(a, b)
        return (both / (len(a) + len(b) - both), both / len(a), both / len(b)) if both else (0.0, 0.0, 0.0)
