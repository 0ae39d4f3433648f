from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pipelines.expiry import Dated, Expiry, Rule, expires_at, own_date, rule, unreadable

SEOUL = ZoneInfo("Asia/Seoul")
NOW = datetime(2026, 11, 30, 3, tzinfo=UTC)
WRITTEN = datetime(2026, 8, 20, 1, tzinfo=UTC)
PLAN = Dated("주간/9월 계획.docx", "", WRITTEN, "ooxml:modified", datetime(2026, 11, 1, tzinfo=UTC), {})
WEEKLY = rule("주간/**", after="P14D")
PERIOD = rule("*계획*", until="period_end")


def ends(document: Dated, *rules: Rule) -> str | None:
    """Return the expiry on the clock of Seoul."""
    found = expires_at(document, rules, SEOUL, NOW)
    assert found is None or found.at.tzinfo is UTC
    return found and found.at.astimezone(SEOUL).isoformat()[:16]


def test_nothing_expires_without_a_rule() -> None:
    assert ends(PLAN) is None
    assert ends(replace(PLAN, path="월간/9월 계획.docx"), WEEKLY) is None


def test_a_rule_counts_from_the_documents_own_date() -> None:
    assert expires_at(PLAN, [WEEKLY], SEOUL, NOW) == Expiry(
        datetime(2026, 9, 3, 1, tzinfo=UTC), "ttl 주간/**: dated 2026-08-20 (ooxml:modified)"
    )


@pytest.mark.parametrize("clock", [None, datetime(1980, 1, 1, tzinfo=UTC), NOW + timedelta(days=2)])
def test_without_a_believable_clock_the_file_time_counts(clock: datetime | None) -> None:
    assert ends(replace(PLAN, modified_at=clock), WEEKLY) == "2026-11-15T09:00"


def test_a_document_without_any_believable_date_never_expires_by_rule() -> None:
    undated = replace(PLAN, modified_at=None, mtime=datetime(1970, 1, 1, tzinfo=UTC))
    assert own_date(undated, NOW) is None and ends(undated, WEEKLY, PERIOD) is None


def test_a_period_ends_with_its_last_day_in_the_zone() -> None:
    assert ends(PLAN, PERIOD) == "2026-10-01T00:00"
    assert ends(replace(PLAN, path="가.docx", title="2026년 1분기 사업 계획"), rule("*", until="period_end")) == (
        "2026-04-01T00:00"
    )


def test_the_first_rule_that_finds_a_date_decides() -> None:
    assert ends(PLAN, PERIOD, WEEKLY) == "2026-10-01T00:00"
    assert ends(replace(PLAN, path="주간/계획.docx"), PERIOD, WEEKLY) == "2026-09-03T10:00"


@pytest.mark.parametrize(
    "name",
    [
        "2026_Q1_실적보고",
        "1분기 계획 대비 실적",
        "3월 결산 일정",
        "9월 계획 결과",
        "9월 계획 회의록",
        "감사 일정 9월",
        "9월 계획 통계",
        "공고 일정 9월",
        "계약 일정 9월",
        "Q1 plan report",
        "Q1 planet",
        "9월 휴가 안내",
    ],
)
def test_reports_on_a_period_and_other_names_do_not_end_with_it(name: str) -> None:
    assert ends(replace(PLAN, path=f"{name}.docx"), rule("*", until="period_end")) is None


@pytest.mark.parametrize("name", ["9월 일정", "스프린트 9월", "9월 plan", "9월_Roadmap"])
def test_plan_words_count(name: str) -> None:
    assert ends(replace(PLAN, path=f"{name}.docx"), rule("*", until="period_end")) == "2026-10-01T00:00"


def test_a_name_in_nfd_is_read_alike() -> None:
    assert ends(replace(PLAN, path=unicodedata.normalize("NFD", PLAN.path)), rule("*", until="period_end")) == (
        "2026-10-01T00:00"
    )


@pytest.mark.parametrize(
    ("said", "end"),
    [
        ("2026-12-31", "2027-01-01T00:00"),
        ("2026.12.31", "2027-01-01T00:00"),
        ("2026. 12. 31.", "2027-01-01T00:00"),
        ("2026년 12월 31일", "2027-01-01T00:00"),
        ("20261231", "2027-01-01T00:00"),
        ("2026-12-31T18:00", "2026-12-31T18:00"),
        ("2026-12-31T18:00Z", "2027-01-01T03:00"),
        ("2026-12-31 18:00:00+09:00", "2026-12-31T18:00"),
    ],
)
def test_the_documents_own_word_comes_first(said: str, end: str) -> None:
    document = replace(PLAN, properties={"expires_at": said})
    assert ends(document, WEEKLY) == end
    assert unreadable(document.properties, SEOUL) is None


def test_a_document_may_say_that_it_never_expires() -> None:
    document = replace(PLAN, properties={"expires_at": "9999-12-31"})
    assert ends(document, WEEKLY) is None and unreadable(document.properties, SEOUL) is None


@pytest.mark.parametrize("said", ["곧", "2026-13-01", "2026-02-31", "next year"])
def test_an_unreadable_word_is_reported_and_the_rules_apply(said: str) -> None:
    document = replace(PLAN, properties={"expires_at": said})
    assert unreadable(document.properties, SEOUL) == said
    assert ends(document, WEEKLY) == "2026-09-03T10:00"


def test_a_day_that_is_today_still_holds() -> None:
    today = replace(PLAN, properties={"expires_at": "2026-11-30"})
    yesterday = replace(PLAN, properties={"expires_at": "2026-11-29"})
    late_in_seoul = datetime(2026, 11, 30, 14, 59, tzinfo=UTC)
    found = expires_at(today, [], SEOUL, late_in_seoul), expires_at(yesterday, [], SEOUL, late_in_seoul)
    assert found[0] is not None and found[0].at > late_in_seoul
    assert found[1] is not None and found[1].at <= late_in_seoul


@pytest.mark.parametrize(("after", "until"), [("", ""), ("P1D", "period_end"), ("14", ""), ("", "year_end")])
def test_a_rule_needs_one_readable_end(after: str, until: str) -> None:
    with pytest.raises(ValueError, match="P14D"):
        rule("*", after, until)
