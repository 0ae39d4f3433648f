"""Traits of two values, the weights fitted to them, and what holds them apart for certain."""

from __future__ import annotations

from pipelines.contradict import contradictions, rivals
from pipelines.same import likeness
from pipelines.sameness import LEAST, WEIGHTS
from pipelines.values import stated


def between(a: str, b: str) -> int:
    return len(contradictions(stated(a), stated(b)))


def test_every_trait_has_a_weight_and_either_side_may_come_first() -> None:
    a, b = stated("제주 출장의 숙박비는 하루 15만 원까지 인정한다."), stated("제주 출장 숙박비는 13만 원이다.")
    (there,), (back,) = rivals(a, b), rivals(b, a)
    assert there.traits == back.traits
    assert there.traits.keys() == WEIGHTS.keys()
    assert likeness(there.traits) > LEAST


def test_a_period_that_one_side_leaves_out_makes_no_number_far() -> None:
    (pair,) = rivals(stated("숙박비는 하루 15만 원이다."), stated("숙박비는 13만 원이다."))
    assert pair.traits["apart"] < 0.2


def test_other_words_for_one_thing_are_one_attribute() -> None:
    assert between("신입 사원의 수습 기간은 3개월이다.", "새로 입사한 직원은 6개월의 수습 기간을 거친다.") == 1
    assert between("승강기 정원은 12명이다.", "엘리베이터 정원은 15명입니다.") == 1


def test_numbered_things_and_dated_meetings_are_apart() -> None:
    assert between("1라인의 하루 생산 목표는 900대이다.", "2라인의 하루 생산 목표는 700대이다.") == 0
    assert between("Adhesive A must be stored at 5 °C.", "Adhesive B must be stored at 20 °C.") == 0
    assert between("회의 일시: 2026-11-16 10:00", "회의 일시: 2026-11-23 10:00") == 0
    assert between("1차 사업비는 3억 원이다.", "2차 사업비는 5억 원이다.") == 0


def test_a_part_contradicts_no_sum() -> None:
    assert between("올해 매출은 450억 원이다.", "올해 매출 중 수출은 130억 원이다.") == 0


def test_passages_of_two_matters_share_a_word_and_contradict_nothing() -> None:
    assert between("주차 요금은 하루 5천 원이다.", "세미나실 예약 요금은 2만 원이다.") == 0


def test_a_rule_and_everyday_words_for_it_are_one_attribute() -> None:
    assert between("법인차량 반납 시 연료는 50% 이상 채운다.", "차를 돌려줄 때 기름은 70% 이상 채운다.") == 1
    assert between("로그인에 5회 실패하면 계정이 잠긴다.", "비밀번호를 3회 틀리면 계정이 잠긴다.") == 1
    assert between("예방정비는 500시간마다 한다.", "예방정비는 1,000시간 돌릴 때마다 한다.") == 1


def test_lengths_of_time_are_compared_in_whatever_unit() -> None:
    (pair,) = rivals(stated("접속 로그는 1년 보관한다."), stated("접속 로그는 90일 보관한다."))
    assert pair.traits["one kind"] == 1.0
    assert 1.3 < pair.traits["apart"] < 1.5


def test_opening_and_closing_are_two_times() -> None:
    assert between("출입문은 7시부터 22시까지 연다.", "출입문은 아침 7시에 열리고 밤 11시에 닫힌다.") == 1
    assert between("출입문은 7시부터 23시까지 연다.", "출입문은 아침 7시에 열리고 밤 11시에 닫힌다.") == 0
