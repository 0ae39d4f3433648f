"""How the words of a question stand in one passage: which, how near each other, in which order, and how spelled."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Terms = Sequence[tuple[str, float]]

# Morphemes between which words of one thought stand, about a Korean sentence without particles and endings. On 1,100
# KorQuAD questions rank-1 recall .966 with 15, .961 with 30, .962 with 60.
NEAR_TOKENS = 15
# How much each share says beside the others, fitted with the encoder's z on 1,100 KorQuAD questions (964 paragraphs)
# and 210 of our own over office documents, their answer present or taken out; on 820 others rank-1 recall with z is
# .958, against .936 for whole tokens and BM25, and AUC of the best passage .935, against .916.
_SPELLED, _PAIRS, _NEAR, _ORDER = 0.29, 0.26, 0.25, 0.20
# A word of two is often written with another one between: "민주 (화) 운동".
_NEXT = 2

_WORD = re.compile(r"[0-9a-z가-힣]+")
_HANGUL = re.compile(r"[가-힣]")


@dataclass(frozen=True, slots=True)
class Match:
    """Shares of a question, all in [0, 1], by the weight of its terms except `pairs`.

    whole     terms that stand as tokens
    near      the most of them that stand within NEAR_TOKENS, wherever those of the passage's headings stand
    order     neighbours in the question that are neighbours in the passage; `whole` when it has no two terms
    spelled   `whole`, where a term that doesn't stand counts by its pairs of letters: "데뷔작" and "데뷔"
    pairs     pairs of neighbouring letters of the question that stand anywhere in the passage

    In a passage without Hangul the question's Korean letters and their order say nothing: there `pairs` are of the
    other letters and `order` is `whole`.
    """

    whole: float
    near: float
    order: float
    spelled: float
    pairs: float

    @property
    def coverage(self) -> float:
        """Return how far the passage covers the question's words: what a score takes."""
        return _SPELLED * self.spelled + _PAIRS * self.pairs + _NEAR * self.near + _ORDER * self.order


NOTHING = Match(0.0, 0.0, 0.0, 0.0, 0.0)


class Asked:
    """A question's words, made ready to be looked for in many passages."""

    def __init__(self, text: str, terms: Terms) -> None:
        self._terms = terms
        self._total = sum(weight for _, weight in terms)
        self._number = {term: number for number, (term, _) in enumerate(terms)}
        self._weights = [weight for _, weight in terms]
        plain = [number for number, (term, _) in enumerate(terms) if not term.startswith("=")]
        self._neighbours = list(pairwise(plain))
        self._between = sum(min(self._weights[a], self._weights[b]) for a, b in self._neighbours)
        self._letters = {
            number: _pairs(term) for number, (term, _) in enumerate(terms) if len(term) > 1 and term[0] != "="
        }
        self._pairs = sorted({pair for word in _WORD.findall(text.lower()) for pair in _pairs(word)})
        self._other_pairs = [pair for pair in self._pairs if not _HANGUL.search(pair)]

    def match(self, tokens: str, headings: str, text: str) -> Match:
        """Match a passage: its own tokens (tokens.own_tokens), the words above it, and the words that a reader sees."""
        if not self._total:
            return NOTHING
        places = self._places(tokens)
        covered = sum(self._weights[number] for number in places)
        above = headings.lower()
        read = f"{above} {text.lower()}"
        spelled = covered + sum(
            self._weights[number] * _share(pairs, read)
            for number, pairs in self._letters.items()
            if number not in places
        )
        whole, korean = covered / self._total, _HANGUL.search(text) is not None
        return Match(
            whole=whole,
            near=self._near(places, above) / self._total,
            order=self._ordered(places) / self._between if self._between and korean else whole,
            spelled=spelled / self._total,
            pairs=_share(self._pairs if korean else self._other_pairs, read),
        )

    def _places(self, tokens: str) -> dict[int, list[int]]:
        """Return term number -> where it stands; identifiers follow the morphemes and have no place among them."""
        places: dict[int, list[int]] = {}
        number_of = self._number
        for place, token in [(n, one) for n, one in enumerate(tokens.split(" ")) if one in number_of]:
            places.setdefault(number_of[token], []).append(place)
        return places

    def _near(self, places: Mapping[int, Sequence[int]], above: str) -> float:
        """Return the most weight within NEAR_TOKENS; what stands above holds for the whole passage."""
        granted, found = 0.0, []
        for number, where in places.items():
            term, weight = self._terms[number]
            if term.startswith("=") or term in above:
                granted += weight
            else:
                found += [(place, number) for place in where]
        found.sort()
        best = held = 0.0
        first = 0
        inside: dict[int, int] = {}
        for place, number in found:
            if not inside.get(number):
                held += self._weights[number]
            inside[number] = inside.get(number, 0) + 1
            while found[first][0] <= place - NEAR_TOKENS:
                left = found[first][1]
                inside[left] -= 1
                if not inside[left]:
                    held -= self._weights[left]
                first += 1
            best = max(best, held)
        return granted + best

    def _ordered(self, places: Mapping[int, Sequence[int]]) -> float:
        return sum(
            min(self._weights[one], self._weights[other])
            for one, other in self._neighbours
            if one in places and other in places and _follows(places[one], set(places[other]))
        )


def _follows(one: Sequence[int], other: set[int]) -> bool:
    return any(place + step in other for place in one for step in range(1, _NEXT + 1))


def _pairs(word: str) -> list[str]:
    return [word[start : start + 2] for start in range(len(word) - 1)]


def _share(pairs: Sequence[str], text: str) -> float:
    return len([pair for pair in pairs if pair in text]) / len(pairs) if pairs else 0.0
