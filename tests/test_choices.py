"""Who does something and by what, states that exclude each other, and what a limit is counted against."""

from __future__ import annotations

import pytest

from pipelines.contradict import contradictions
from pipelines.values import stated


def contradict(a: str, b: str) -> bool:
    return bool(contradictions(stated(a), stated(b)))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("감사 자료는 총무팀이 보관한다.", "감사 자료의 보관 부서는 기획팀이다."),
        ("납품 대금은 현금으로 지급한다.", "납품 대금은 계좌이체로 지급합니다."),
        ("임대차 분쟁의 관할은 부산지방법원으로 한다.", "임대차 분쟁은 대전지방법원을 관할로 한다."),
        ("대출 금리는 고정으로 한다.", "대출 금리는 변동으로 한다."),
        ("구독은 자동으로 갱신된다.", "구독은 자동으로 갱신되지 않는다."),
        ("The proxy accepts TLS 1.1.", "The proxy rejects TLS 1.1."),
        ("수습기간 중 급여는 80%를 지급한다.", "수습 중 급여는 100%를 지급한다."),
    ],
)
def test_two_of_several_that_exclude_each_other_contradict(a: str, b: str) -> None:
    assert contradict(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("감사 자료는 총무팀이 보관한다.", "감사 자료는 기획팀이 검토한다."),
        ("대구 지점은 10시에 문을 연다.", "대전 지점은 11시에 문을 연다."),
        ("1학기 등록 기간은 2월 3일까지이다.", "2학기 등록 기간은 8월 4일까지이다."),
        ("1회 출금 한도는 100만원이다.", "1일 출금 한도는 500만원이다."),
    ],
)
def test_what_is_told_of_two_things_does_not_contradict(a: str, b: str) -> None:
    assert not contradict(a, b)


def test_spelled_out_units_and_halves_are_read() -> None:
    found = {(value.kind, value.value) for text in _TEXTS for value in stated(text)}
    assert {("temperature", "5"), ("duration:second", "1800"), ("version", "1.1")} <= found


_TEXTS = ("Samples are kept at 5 degrees Celsius.", "Sessions end after half an hour.", "The proxy rejects TLS 1.1.")
