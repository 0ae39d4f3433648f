"""Passages and questions of office Korean whose morphemes are known, so that half a million need no analysis.

The words are the nouns and names of Kiwi's own model, which lists them from the most to the least frequent, drawn by a
Zipf-Mandelbrot law; codes and numbers are as many as there are passages, so the vocabulary grows with the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.tokens import tokens

# Exponent and shift of the law, as commonly fitted to prose (Mandelbrot 1953).
_EXPONENT, _SHIFT = 1.05, 2.7
# Words of a passage: 120 make about 560 characters, as many as a paragraph of KorQuAD has.
_WORDS, _FEWEST, _MOST = 120, 30, 200
_CODES, _NUMBERS = 0.02, 0.04
# Particles after a consonant and after a vowel; "" is a word before another noun.
_PARTICLES = (("은", "이", "을", "의", "에", "과", ""), ("는", "가", "를", "의", "에", "와", ""))
_CLOSINGS = ("하였다.", "합니다.", "했다.", "한다.")
_PREFIXES = ("PM", "ERR", "REQ", "HR", "QA", "SRV", "DOC", "INV")
# A question's words: frequent ones, and ones that say what it is about.
_FREQUENT, _RARE = (0, 300), (2_000, 40_000)


@dataclass(frozen=True, slots=True)
class Passage:
    """A text and its full-text column."""

    text: str
    tokens: str


class Writer:
    """Writes passages and questions, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.words = _nouns()
        weights = 1 / (np.arange(len(self.words)) + _SHIFT) ** _EXPONENT
        self._steps = np.cumsum(weights / weights.sum())
        self._open = [_ends_open(word) for word in self.words]
        self._ranks = {word: rank for rank, word in enumerate(self.words)}

    def passage(self) -> Passage:
        """Write one passage: sentences of about nine words."""
        size = int(np.clip(self.rng.lognormal(np.log(_WORDS), 0.4), _FEWEST, _MOST))
        drawn = self._draw(size)
        kinds, endings = self.rng.random(size), self.rng.integers(0, 7, size)
        text: list[str] = []
        found: list[str] = []
        raw: dict[str, None] = {}
        for place, (noun, kind, ending) in enumerate(zip(drawn, kinds, endings, strict=True), start=1):
            if kind < _CODES:
                prefix, number = _PREFIXES[ending], str(int(kind / _CODES * 100_000))
                text.append(f"{prefix}-{number}")
                found += [prefix.lower(), number]
                raw[f"={prefix.lower()}-{number}"] = None
            elif kind < _CODES + _NUMBERS:
                number = str(int((kind - _CODES) / _NUMBERS * 5_000))
                text.append(f"{number}건")
                found += [number, "건"]
                raw |= {f"={number}건": None, f"={number}": None}
            else:
                word = self.words[noun]
                last = place == size or place % 9 == 0
                text.append(word + (_CLOSINGS[ending % 4] if last else _PARTICLES[self._open[noun]][ending]))
                found.append(word)
        return Passage(" ".join(text), " ".join([*found, *raw]))

    def question(self, passage: Passage) -> str:
        """Ask about a passage: some of its rarer words, frequent ones beside them; every tenth asks for a code."""
        held = dict.fromkeys(passage.tokens.split())
        codes = [token[1:].upper() for token in held if token.startswith("=") and "-" in token]
        if codes and self.rng.random() < 0.1:
            return f"{codes[0]} 담당자"
        rare = [word for word in held if _RARE[0] <= self._ranks.get(word, -1) < _RARE[1]]
        chosen = [str(word) for word in self.rng.permutation(rare)[:3]]
        common = [self.words[n] for n in self.rng.integers(*_FREQUENT, 3)]
        endings = self.rng.integers(0, 6, 6)
        said = [
            word + _PARTICLES[_ends_open(word)][int(end)]
            for word, end in zip([*chosen, *common], endings, strict=False)
        ]
        return " ".join([*said, "언제부터 얼마입니까?"])

    def names(self, count: int) -> list[str]:
        """Return distinct rare words, to name documents by."""
        return [self.words[n] for n in self.rng.choice(len(self.words), count, replace=False)]

    def _draw(self, size: int) -> list[int]:
        found: list[int] = np.searchsorted(self._steps, self.rng.random(size)).tolist()
        return found


def agreement(passages: Sequence[Passage]) -> float:
    """Return the share of Kiwi's tokens that the known ones have too, counted with repetitions."""
    shared = total = 0
    for passage in passages:
        made, known = tokens(passage.text).split(), passage.tokens.split()
        total += len(made)
        shared += sum(min(made.count(token), known.count(token)) for token in set(made))
    return shared / total


def _ends_open(word: str) -> bool:
    """Tell whether a Hangul word ends in a vowel (Unicode: syllables without a final are 28 apart)."""
    return (ord(word[-1]) - 0xAC00) % 28 == 0


def _nouns() -> list[str]:
    """Return the nouns and names of two syllables or more in the model of Kiwi, the most frequent first."""
    from kiwipiepy import Kiwi

    kiwi = Kiwi(num_workers=1, load_default_dict=False, load_typo_dict=False, load_multi_dict=False)
    found: dict[str, None] = {}
    number = 0
    while True:
        try:
            one = kiwi.morpheme(number)
        except ValueError:  # the end of the list
            return list(found)
        if one.tag in ("NNG", "NNP") and len(one.form) > 1 and all("가" <= letter <= "힣" for letter in one.form):
            found[one.form] = None
        number += 1
