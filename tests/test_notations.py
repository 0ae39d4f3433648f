"""Amounts, days and times in the ways that documents write them."""

from __future__ import annotations

import pytest

from pipelines.notations import notations

SAME = [
    ("13만원 숙박비", "130,000원 숙박비"),
    ("13만 원 숙박비", "130,000 원 숙박비"),
    ("130,000원 한도", "13만원 한도"),
    ("130000원", "130,000원"),
    ("삼십만원 이하", "300,000원 이하"),
    ("1억 2천만원 계약", "120,000,000원 계약"),
    ("1억 2천만원 계약", "1억 2,000만원 계약"),
    ("1.5억원", "1억 5천만원"),
    ("12,500원", "1만 2,500원"),
    ("3천 명 이상", "3,000 명 이상"),
    ("10,000건 처리", "1만건 처리"),
    ("45,000 won a day", "45000 won a day"),
    ("5,000만원까지", "5천만원까지"),
    ("2026-12-31 마감", "2026년 12월 31일 마감"),
    ("2026-12-31 마감", "2026. 12. 31. 마감"),
    ("2026. 12. 31.까지", "2026-12-31까지"),
    ("2026/07/01부터", "2026.07.01부터"),
    ("2026년 7월 회의", "2026-07 회의"),
    ("2026.07 실적", "2026년 7월 실적"),
    ("오후 2시 회의", "14:00 회의"),
    ("14:00 회의", "오후 2시 회의"),
    ("오후 2시 반", "14:30"),
    ("오전 12시", "00:00"),
    ("2026-12-31 14:00", "2026년 12월 31일 오후 2시"),
]
NONE = [
    "2026년 예산", "근무 8시간", "휴가 3일", "ERR-4012 오류", "이만 줄이면", "1588-1234 전화", "192.168.10.12",
    "3 만나다", "제3조 2항", "만 60세", "3.5.1 버전", "API_v3", "PM-2026-12", "990원", "14:30:05", "", "24시",
    "2026 계획", "홍천 가는 길",
]  # fmt: skip


@pytest.mark.parametrize(("asked", "other"), SAME)
def test_what_means_the_same_is_written_as_documents_do(asked: str, other: str) -> None:
    made = notations(asked)
    assert other in made and asked not in made and len(made) == len(set(made)) <= 5


@pytest.mark.parametrize("asked", NONE)
def test_codes_years_and_small_numbers_stay_as_they_are(asked: str) -> None:
    assert notations(asked) == []


def test_all_of_a_question_changes_at_once() -> None:
    made = notations("2025년 3월 2일부터 5,000만원")
    assert made[0] == "2025-03-02부터 50,000,000원" and len(made) == 4
