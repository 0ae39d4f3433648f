"""The absolute score."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.score import (
    E5_SMALL,
    EXACT,
    TEXT,
    calibration_for,
    coverage,
    tier_of,
)

unit = st.floats(0, 1)


@given(unit, unit, unit, unit, st.booleans(), unit)
def test_more_likeness_never_lowers_the_score(
    cosine: float, more: float, covered: float, further: float, foreign: bool, codes: float
) -> None:
    score = E5_SMALL.pair_score(cosine, covered, foreign=foreign, codes=codes)
    assert 0 <= score <= 1
    assert E5_SMALL.pair_score(max(cosine, more), max(covered, further), foreign=foreign, codes=codes) >= score


def test_a_random_pair_is_weak_and_a_full_match_trusted() -> None:
    assert E5_SMALL.pair_score(0.77, 0.1) < 0.01
    assert E5_SMALL.pair_score(0.89, 0.9) > 0.95
    assert TEXT.pair_score(None, 0.1) < 0.01 < 0.9 < TEXT.pair_score(None, 0.9)


def test_the_exact_string_is_always_trusted() -> None:
    assert E5_SMALL.pair_score(0.5, 0.0, exact=True) == TEXT.pair_score(None, 0.0, exact=True) == EXACT


def test_without_a_cosine_the_words_speak() -> None:
    assert E5_SMALL.pair_score(None, 0.8) == TEXT.pair_score(None, 0.8)


def test_the_cosine_alone_speaks_for_a_passage_in_another_script() -> None:
    assert E5_SMALL.pair_score(0.83, 0.0) < 0.3 < 0.6 < E5_SMALL.pair_score(0.83, 0.0, foreign=True)
    assert E5_SMALL.pair_score(0.74, 0.0, foreign=True) < 0.3
    assert TEXT.pair_score(None, 0.5, foreign=True) == TEXT.pair_score(None, 0.5)


def test_the_words_may_speak_for_a_passage_with_the_code() -> None:
    assert E5_SMALL.pair_score(0.78, 0.8, codes=1.0) == TEXT.pair_score(None, 0.8) > E5_SMALL.pair_score(0.78, 0.8)
    assert E5_SMALL.pair_score(0.92, 0.8, codes=1.0) == E5_SMALL.pair_score(0.92, 0.8)


def test_a_passage_with_none_of_the_codes_is_about_something_else() -> None:
    assert E5_SMALL.pair_score(0.89, 0.8, codes=0.0) < 0.3 < 0.6 < E5_SMALL.pair_score(0.9, 0.8, codes=0.5)
    assert TEXT.pair_score(None, 0.8, codes=0.0) < 0.3 < 0.6 < TEXT.pair_score(None, 0.8, codes=1.0)
    assert E5_SMALL.pair_score(0.9, 0.8, codes=0.5) == E5_SMALL.pair_score(0.9, 0.8)


@given(unit, unit, st.booleans())
def test_the_logit_orders_as_the_score_does(one: float, other: float, foreign: bool) -> None:
    low, high = sorted((one, other))
    assert E5_SMALL.pair_logit(0.85, low, foreign=foreign) <= E5_SMALL.pair_logit(0.85, high, foreign=foreign)
    assert E5_SMALL.pair_score(0.85, low) == pytest.approx(1 / (1 + math.exp(-E5_SMALL.pair_logit(0.85, low))))


def test_text_scores_ignore_a_cosine() -> None:
    assert TEXT.pair_score(0.99, 0.4) == TEXT.pair_score(None, 0.4)


def test_coverage_weighs_names_more_than_question_words() -> None:
    terms = [("결제", 0.7), ("api", 1.0), ("무엇", 0.15)]
    assert coverage(terms, "결제 api 설정") == pytest.approx(1.7 / 1.85)
    assert coverage(terms, "무엇 설정") == pytest.approx(0.15 / 1.85)
    assert coverage(terms, "결제들 apis") == coverage([], "결제") == 0


def test_the_same_best_passage_answers_less_in_a_larger_corpus_or_beside_an_equal() -> None:
    alone = E5_SMALL.answerable(0.9, 0.1, 100)
    assert E5_SMALL.answerable(0.9, 0.1, 100_000) < alone
    assert E5_SMALL.answerable(0.9, 0.88, 100) < alone
    assert E5_SMALL.answerable(0.98, 0.1, 100) > alone > 0.5 > E5_SMALL.answerable(0.2, 0.1, 100)


def test_an_answer_in_another_script_is_told_by_its_own_constants() -> None:
    assert E5_SMALL.answerable(0.7, 0.5, 400, foreign=True) != E5_SMALL.answerable(0.7, 0.5, 400)
    assert E5_SMALL.answerable(0.1, 0.08, 150, foreign=True) < 0.5
    assert TEXT.answerable(0.75, 0.5, 150, foreign=True) == TEXT.answerable(0.75, 0.5, 150)


def test_tiers() -> None:
    assert [tier_of(score) for score in (0.6, 0.59, 0.3, 0.29)] == ["trusted", "conditional", "conditional", "weak"]


def test_an_unknown_encoder_is_scored_by_words_alone() -> None:
    assert calibration_for("multilingual-e5-small@1571fc98/fp32/512") is E5_SMALL
    assert calibration_for("bge@1/fp32/512") is TEXT


def test_above_the_sizes_that_were_fitted_more_is_asked_of_an_answer() -> None:
    low, high = E5_SMALL.sizes
    within = [E5_SMALL.answerable(0.8, 0.4, chunks) for chunks in (low, high // 2, high)]
    above = [E5_SMALL.answerable(0.8, 0.4, chunks) for chunks in (high, 10 * high, 100 * high)]
    assert within == sorted(within, reverse=True) and above == sorted(above, reverse=True)
    assert above[0] - above[1] > 2 * (within[0] - within[2])
