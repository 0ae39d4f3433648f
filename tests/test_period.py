from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.period import period_end

WRITTEN = date(2026, 8, 20)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("2026_Q1 계획", "2026-03-31"),
        ("Q4 roadmap 2026", "2026-12-31"),
        ("2Q26 plan", "2026-06-30"),
        ("2026년 3월 계획", "2026-03-31"),
        ("26년 2월 일정", "2026-02-28"),
        ("2024년 2월 계획", "2024-02-29"),
        ("2026-09_일정", "2026-09-30"),
        ("202609 일정", "2026-09-30"),
        ("2026년 1분기 계획", "2026-03-31"),
        ("3/4분기 계획", "2026-09-30"),
        ("2026 상반기 계획", "2026-06-30"),
        ("하반기 계획", "2026-12-31"),
        ("H2 roadmap", "2026-12-31"),
        ("9월 2주차 계획", "2026-09-13"),
        ("9월 첫째 주 일정", "2026-09-06"),
        ("2026년 5월 5주차", "2026-05-31"),
        ("2026년 10월 1주차", "2026-10-04"),
        ("2027년 1월 1주차", "2027-01-10"),
        ("3월~5월 일정", "2026-05-31"),
        ("2026년 사업계획", "2026-12-31"),
        ("2025~2027년 중장기 계획", "2027-12-31"),
    ],
)
def test_the_last_day_of_a_period(text: str, end: str) -> None:
    assert period_end(text, WRITTEN) == date.fromisoformat(end)


@pytest.mark.parametrize(
    "text",
    [
        "사업계획",
        "2026-09-01 일정",
        "20260901 계획",
        "계획 v2",
        "스프린트 12",
        "13월 계획",
        "API 2026 roadmap",
        "3개월 계획",
    ],
)
def test_no_period_no_end(text: str) -> None:
    assert period_end(text, WRITTEN) is None


def test_a_plan_for_january_is_written_in_december() -> None:
    assert period_end("1월 계획", date(2026, 12, 20)) == date(2027, 1, 31)
    assert period_end("9월 계획", date(2026, 10, 5)) == date(2026, 9, 30)
    assert period_end("2026년 1월 계획", date(2026, 12, 20)) == date(2026, 1, 31)


@given(st.integers(2000, 2099), st.integers(1, 12), st.integers(1, 3))
def test_weeks_of_a_month_follow_each_other_and_hold_their_thursday(year: int, month: int, week: int) -> None:
    ends = [period_end(f"{year}년 {month}월 {n}주차", WRITTEN) for n in (week, week + 1)]
    assert ends[0] is not None and ends[1] is not None
    assert ends[0].weekday() == 6 and ends[1] - ends[0] == timedelta(days=7)
    assert (ends[0] - timedelta(days=3)).month == month
