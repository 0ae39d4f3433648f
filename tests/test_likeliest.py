"""Which of very many pairs of passages are compared: the likest, whatever the order they come in."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipelines.apart import Apart, answered_pairs
from pipelines.likeliest import Likeliest
from pipelines.stating import Stating, stating, word_pairs
from pipelines.value import Value


def value(amount: int, *words: str, kind: str = "money:KRW") -> Value:
    return Value(kind, str(amount), "", "", words, (), (), (), "", "", 0, 0, 0)


def passages(*values: Value) -> Stating:
    return stating((row, [one]) for row, one in enumerate(values))


def likeliest(said: Stating, groups: list[int], **bounds: int) -> Likeliest:
    n = len(said.rows)
    return Likeliest(said, np.array(groups, np.int64), np.ones(n, bool), np.full(n, -1, np.int64), **bounds)


def block(pairs: list[tuple[int, int, float]]) -> Any:
    i, j, scores = zip(*pairs, strict=True)
    return np.array(i, np.int64), np.array(j, np.int64), np.array(scores, np.float32)


PAIRS = [(i, j, (7 * i + 3 * j) % 11 / 11) for i in range(12) for j in range(i + 1, 12)]


@given(st.permutations(PAIRS), st.integers(1, 20))
def test_the_best_pairs_are_kept_in_whatever_order_they_come(pairs: list[tuple[int, int, float]], size: int) -> None:
    groups = [row // 2 for row in range(12)]

    def kept(pairs: list[tuple[int, int, float]]) -> tuple[list[tuple[int, int, float]], int]:
        found = likeliest(passages(*(value(row, "숙박") for row in range(12))), groups, of_two=2, most=15)
        found.take(block(pairs[start : start + size]) for start in range(0, len(pairs), size))
        return found.best(), found.left_out

    best, left_out = kept(pairs)
    assert (best, left_out) == kept(PAIRS)
    assert len(best) == 15 and left_out == len(PAIRS) - 6 - 15
    assert max(Counter(frozenset((groups[i], groups[j])) for i, j, _ in best).values()) <= 2
    assert [score for *_, score in best] == sorted((score for *_, score in best), reverse=True)


def test_what_states_the_same_or_shares_no_word_or_kind_is_not_compared() -> None:
    said = passages(
        value(13, "숙박"), value(13, "숙박"), value(15, "식비"), value(15, "숙박", kind="percent"), value(9, "숙박비용")
    )
    found = likeliest(said, [0, 1, 2, 3, 4])
    found.add(block([(0, row, 0.9) for row in range(1, 5)]))
    assert [pair[:2] for pair in found.best()] == [(0, 4)] and found.left_out == 0


def test_passages_meet_under_rare_words_and_the_more_the_better() -> None:
    common = [value(row, "모두") for row in range(50)]
    said = passages(value(1, "숙박", "출장"), value(2, "숙박", "출장"), value(3, "숙박"), *common)
    asked = np.zeros(len(said.rows), bool)
    asked[0] = True
    found = [
        pair for columns in word_pairs(said, asked, ~asked) for pair in zip(*(c.tolist() for c in columns), strict=True)
    ]
    assert found == [(0, 1, 2.0), (0, 2, 1.0)]


def test_two_documents_that_a_person_told_apart_are_compared_though_alike_in_name_and_words() -> None:
    documents = {
        body: {"source": "s", "path": f"계약서_{body}.md", "superseded_by": None} for body in ("초안", "최종", "v3")
    }
    family = dict.fromkeys(documents, "초안")
    asked = {"a_body": "초안", "b_body": "최종"}
    for answer, compared in (("reject", True), ("accept", False)):
        versions, distinct = answered_pairs([asked], {"id": {**asked, "answer": answer}})
        apart = Apart(documents, family, versions, distinct)
        assert apart.differ("초안", "최종") is compared
        assert not apart.differ("초안", "v3")
