"""How the words of a question stand in a passage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.matching import NEAR_TOKENS, NOTHING, Asked

TERMS = [("결제", 0.7), ("대기", 0.7), ("시간", 0.7)]
ASKED = Asked("결제 대기 시간", TERMS)
words = st.lists(st.sampled_from(["결제", "대기", "시간", "환불", "정산"]), max_size=60)


def apart(*tokens: str) -> str:
    return f" {'x ' * NEAR_TOKENS}".join(tokens)


def test_a_passage_with_all_of_it_in_order_covers_everything() -> None:
    match = ASKED.match("결제 대기 시간", "", "결제 대기 시간")
    assert (match.whole, match.near, match.order, match.spelled, match.pairs) == pytest.approx((1, 1, 1, 1, 1))
    assert match.coverage == pytest.approx(1)


def test_words_far_from_each_other_are_less_near() -> None:
    far = ASKED.match(apart("결제", "대기", "시간"), "", "결제")
    assert far.whole == pytest.approx(1) and far.near == pytest.approx(1 / 3) and far.order == 0


def test_what_stands_in_the_heading_is_near_to_everything() -> None:
    match = ASKED.match(apart("결제", "대기 시간"), "결제 API", "대기 시간")
    assert match.near == pytest.approx(1)


def test_a_word_between_two_does_not_part_them() -> None:
    assert ASKED.match("결제 승인 대기 시간", "", "결제").order == pytest.approx(1)
    assert ASKED.match("시간 대기 결제", "", "결제").order == 0


def test_a_word_that_is_spelled_otherwise_counts_by_its_letters() -> None:
    asked = Asked("데뷔작은?", [("데뷔작", 0.7)])
    match = asked.match("데뷔 영화", "", "데뷔 영화")
    assert match.whole == 0 and match.spelled == pytest.approx(0.5) and match.pairs == pytest.approx(1 / 3)


def test_korean_letters_are_not_missed_in_an_english_passage() -> None:
    asked = Asked("webhook 재전송", [("webhook", 1.0), ("재", 0.35), ("전송", 0.7)])
    assert asked.match("webhook retry", "", "Webhook retry").pairs == pytest.approx(1)
    assert asked.match("webhook 재시도", "", "webhook 재시도").pairs < 1


def test_an_identifier_has_no_place_among_the_words() -> None:
    asked = Asked("PM-32 담당자", [("담당자", 0.7), ("=pm-32", 2.0)])
    assert asked.match(apart("담당자", "=pm-32"), "", "").near == pytest.approx(1)


def test_a_question_without_words_matches_nothing() -> None:
    assert Asked("?", []).match("결제", "", "결제") == NOTHING
    assert Asked("가", [("가", 0.7)]).match("나", "", "나").coverage == 0


@given(words, words)
def test_shares_stay_shares_and_more_words_never_take_away(some: list[str], more: list[str]) -> None:
    less, full = (ASKED.match(" ".join(one), "", " ".join(one)) for one in (some, some + more))
    for name in ("whole", "near", "order", "spelled", "pairs"):
        assert 0 <= getattr(less, name) <= getattr(full, name) + 1e-9 <= 1 + 2e-9
