"""English questions over Korean passages."""

from __future__ import annotations

import pytest

from pipelines.script import is_foreign

KOREAN = "병가는 한 해에 10일까지 유급으로 쓴다."
MIXED = "담당 서버: pay-app-01; 용도: API 요청 처리; 위치: 안양 전산실"
ENGLISH = "Ten days of sick leave are paid. Ask 한서윤."


@pytest.mark.parametrize(
    ("question", "passage", "foreign"),
    [
        ("How many days of sick leave are paid?", KOREAN, True),
        ("where is the payment server", MIXED, True),
        ("How many days of sick leave are paid?", ENGLISH, False),
        ("how do I apply for 병가", KOREAN, True),
        ("vendor 보안 설문과 ISO 27001 인증서 조건", KOREAN, False),
        ("병가는 며칠인가", ENGLISH, False),
        ("Kubernetes", KOREAN, False),
        ("webhook timeout", KOREAN, False),
        ("ERR-4012 BR-2024-0137 v2.5.2 API_v3", KOREAN, False),
        ("How many days are paid?", "2026 | 10 | 3.5", False),
        ("", KOREAN, False),
        ("How many days are paid?", "", False),
    ],
)
def test_a_sentence_in_latin_letters_is_foreign_to_a_korean_passage(question: str, passage: str, foreign: bool) -> None:
    assert is_foreign(question, passage) is foreign
