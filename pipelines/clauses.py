"""Clauses of a statement, and which of their words belong to which value."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.attribute import Token, Word, is_content
from pipelines.quantities import Found


@dataclass(frozen=True, slots=True)
class Clause:
    start: int
    end: int

    def holds(self, place: int) -> bool:
        """Tell whether a place is in it."""
        return self.start <= place < self.end


_CONNECTIVES_WORDS = """
고 며 으며 이며 지만 으나 나 이나 는데 ㄴ데 ᆫ데 은데 되 거나 면서 므로 으므로
"""
_CONNECTIVES = frozenset(_CONNECTIVES_WORDS.split())
_COMMA = re.compile(
    r",(?!\d{3})|\s/\s|\s(?:그리고|반면|but|while|whereas)\s|\sand\s(?=.*\d|(?:no|must|can|may|will|is|are|has|have|should|shall|cannot)\b)"
)


def clauses(shown: str, tokens: Sequence[Token], covered: Sequence[tuple[int, int]]) -> list[Clause]:
    """Divide a statement where something else begins; parts without a value join what they introduce."""
    cuts: dict[int, bool] = {m.end(): False for m in _COMMA.finditer(shown)}
    for token, after in zip(tokens, [*tokens[1:], ("", "SF", 0, 0)], strict=True):
        if token[1] == "EC" and token[0] in _CONNECTIVES and not after[1].startswith("VX"):
            end = token[3] + (1 if after[1] == "SP" else 0)
            cuts[end] = True
    cuts = {cut: kind for cut, kind in cuts.items() if not any(a < cut < b for a, b in covered)}
    clauses: list[Clause] = []
    start = 0
    for end in [*sorted(cuts), len(shown)]:
        predicate = cuts.get(end, True)
        valued = any(start <= a < end for a, _ in covered)
        if valued or predicate:
            clauses.append(Clause(start, end))
            start = end
    return clauses


def around(own: Sequence[Word], values: Sequence[Found], value: Found) -> tuple[list[Word], list[Word]]:
    """Return the words before and after one of the values of a clause.

    Before it are those since the value before; without any it has those of that value: "3회, 30초 간격으로". After it
    are those at the end of the clause.
    """
    places = sorted({(one.start, one.end) for one in values})
    begins = [word[1] for word in own]
    tail = list(own[bisect_left(begins, places[-1][1]) :])
    shares = {one.start for one in values if one.kind == "percent"}
    n = places.index((value.start, value.end))
    while n >= 0:
        first = places[n - 1][1] if n else 0
        led = n > 0 and places[n - 1][0] in shares
        since = own[bisect_left(begins, first) : bisect_left(begins, places[n][0])]
        between = [word for word in since if not (led and word[1] - first == 1)]
        if n < len(places) - 1 and places[n][0] in shares:
            # 3.5% 이자로 3천만 원까지: what follows a number at once is of it
            at = bisect_left(begins, places[n][1] + 1)
            between += [word for word in own[at : at + 1] if word[1] - places[n][1] == 1]
        if any(is_content(word) for word, _, _ in between):
            return between, tail
        n -= 1
    return [], list(own)


# 0.3%의 지체상금을 물린다, 5,500원의 식권: what the value is of stands after it.
_OF = re.compile(r"(?:\s?(?:이상|이하|미만|초과|이내|한도|상당))?의\s")


def with_owner(shown: str, value: Found, before: list[Word], after: list[Word]) -> tuple[list[Word], list[Word]]:
    """Count the noun that a value is said to be of among the words before it: 0.3%의 지체상금."""
    m = _OF.match(shown, value.end)
    if not m or value.kind == "count:명":  # 두 명의 승인: who approves
        return before, after
    owner = [word for word in after if m.end() <= word[1] < m.end() + 2]
    joined = [word for word in after if owner and word not in owner and 0 <= word[1] - owner[-1][2] <= 1][:1]
    owner += [word for word in joined if shown[owner[-1][2] : word[1]].strip() == "" and shown[word[1]] >= "가"]
    return [*before, *owner], [word for word in after if word not in owner]


# 물품이 들어오면 10일 안에 검수를 마친다: when it holds, and after the value what it is of.
_WHEN = re.compile(r"\S{0,3}면,?\s(?:늦어도|최대|최소)?\s*")
_OBJECT = re.compile(r"[을를이가]\s")


def without_condition(shown: str, value: Found, before: list[Word], after: list[Word]) -> tuple[list[Word], list[Word]]:
    """Count among the predicate the condition that leads to a value, where a noun after it says what it is of."""
    if not before or not _WHEN.fullmatch(shown, before[-1][2], value.start):
        return before, after
    named = any(_OBJECT.match(shown, word[2]) for word in after)
    return (after, before) if named else (before, after)


_SINCE = re.compile(
    r"\S{0,3}\s?(?:완료|확정|처리)?\s?(?:후|뒤|이후|(?:으?로|날)?부터|경과\s?후)\s?(?:최대|최소|늦어도)?\s*"
)


def without_start(shown: str, value: Found, before: list[Word], after: list[Word]) -> tuple[list[Word], list[Word]]:
    """Count among the predicate the event that a duration starts from: "납품 후 30일", "발주일로부터 4주"."""
    if not value.kind.startswith("duration") or len(before) + len(after) < 2:
        return before, after
    since = [word for word in before if _SINCE.fullmatch(shown, word[2], value.start)]
    return [word for word in before if word not in since], since + after
