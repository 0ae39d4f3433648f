"""A night that finds everything as the last one left it decides nothing anew, and one that doesn't, does."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from team import Team, prose

from assets.stages import near
from pipelines.today import Today
from resources.build import Run

SEOUL = ZoneInfo("Asia/Seoul")


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    team.write("개발/API.md", prose("api"))
    team.write("정책/보안.md", prose("security"))
    return team


def decided(team: Team, run: Run) -> bool:
    """Tell whether a night looked at all documents."""
    (row,) = team.ask("select decided_at from settled") or [{"decided_at": None}]
    return bool(row["decided_at"] == run.now)


def test_a_night_without_changes_decides_nothing(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    team.night()
    monkeypatch.setattr(near, "follow", lambda *_: pytest.fail("all documents were looked at"))
    before = team.states()
    run = team.night()
    assert (team.states(), run.counts["documents"]["unchanged"]) == (before, 2)


def test_questions_stay_open_over_quiet_nights(team: Team) -> None:
    text = prose("plan")
    team.write("정책/여행 규정_초안.md", text)
    team.write("정책/여행 규정_최종.md", [*text[:-1], "끝."])
    team.night()
    asked = {kind for kind, _ in team.findings()}
    team.night()
    assert "version_doubt" in asked
    assert {kind for kind, _ in team.findings()} == asked


def test_a_document_expires_though_nothing_changed(team: Team) -> None:
    now = datetime.now(SEOUL).replace(hour=2, minute=0) + timedelta(days=1)  # after the files were written
    last = (now + timedelta(days=1)).date()
    team.write("정책/행사.md", f"---\nexpires_at: {last}\n---\n\n{prose('event')[0]}\n")
    quiet = [decided(team, team.night(now=now + timedelta(days=n))) for n in range(4)]
    assert quiet == [True, False, True, False], "it ends with the second of these days in Seoul"
    assert team.states()["정책/행사.md"] == "expired"


def test_a_version_in_force_from_a_day_on_replaces_on_that_day(team: Team) -> None:
    text = prose("rules")
    team.write("정책/여비 규정_v1.md", text)
    team.write("정책/여비 규정_v2_20261203.md", [*text[:-1], "끝."])
    states = []
    for day in (1, 2, 3):
        team.night(now=datetime(2026, 12, day, 2, tzinfo=SEOUL))
        states.append(team.states()["정책/여비 규정_v1.md"])
    assert states == ["live", "live", "superseded"]


def test_a_clock_set_back_is_no_clock_to_go_by(team: Team) -> None:
    now = datetime(2026, 11, 30, 17, tzinfo=UTC)
    assert decided(team, team.night(now=now))
    assert decided(team, team.night(now=now - timedelta(days=1)))


def test_another_rule_decides_anew(team: Team) -> None:
    text = prose("rules")
    team.write("정책/여비 규정_v1.md", text)
    team.write("정책/여비 규정_v2.md", [*text[:-1], "끝."])
    team.night()
    assert team.states()["정책/여비 규정_v1.md"] == "superseded"
    team.settings({"개발": "", "정책": 'versions = "list"'})
    team.night()
    assert team.states()["정책/여비 규정_v1.md"] == "live"


def test_that_a_version_came_back_is_told_for_one_night(team: Team) -> None:
    text = prose("rules")
    team.write("정책/여비 규정_v1.md", text)
    newer = team.write("정책/여비 규정_v2.md", [*text[:-1], "끝."])
    team.night()
    newer.unlink()
    team.night()
    assert ("version_returned", "정책/여비 규정_v1.md") in team.findings()
    team.night()
    assert ("version_returned", "정책/여비 규정_v1.md") not in team.findings()


days = st.dates(date(2026, 11, 1), date(2026, 12, 31))


@given(days, st.lists(days), st.sampled_from(["__lt__", "__le__", "__gt__", "__ge__"]))
def test_until_it_turns_a_day_answers_as_it_did(day: date, others: list[date], asked: str) -> None:
    today = Today(day.year, day.month, day.day)
    answers = [getattr(other, asked)(day) for other in others]
    assert [
        {"__lt__": o < today, "__le__": o <= today, "__gt__": o > today, "__ge__": o >= today}[asked] for o in others
    ] == answers
    later = day
    while today.until is not None and later < today.until:
        assert [getattr(other, asked)(later) for other in others] == answers
        later += timedelta(days=1)
    if today.until is None:
        assert [getattr(other, asked)(date(2027, 1, 2)) for other in others] == answers
