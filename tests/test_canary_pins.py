"""Pins follow what they pin, and a question that comes back is the one that was."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from team import Team, prose

from resources.asking import accept_answer

QUESTIONS = """
[[canaries]]
query = "결제 타임아웃 설정값"
min_score = 0.3
[[canaries]]
query = "연차 이월 한도"
min_score = 0.3
"""


@pytest.fixture(scope="module")
def pinned(tmp_path_factory: pytest.TempPathFactory) -> Team:
    team = Team(tmp_path_factory.mktemp("pinned"), rest=QUESTIONS)
    team.write("개발/결제.md", ["설정값 안내: 결제 타임아웃은 읽기 30초, 연결 5초이다."])
    team.write("정책/연차.md", ["한도 안내: 연차 이월은 다음 해로 5일까지 된다."])
    for number in range(3):
        team.write(f"개발/{number}.md", prose(str(number), 2))
    team.night()
    team.night()
    return team


@pytest.fixture
def team(pinned: Team, tmp_path: Path) -> Team:
    return pinned.twin(tmp_path)


def canaries(team: Team) -> dict[str, dict[str, Any]]:
    rows = team.ask("select * from canaries where removed_at is null")
    assert len({row["query"] for row in rows}) == len(rows)
    return {row["query"].split()[0]: row for row in rows}


def pin(team: Team, word: str) -> tuple[str, str, str]:
    row = canaries(team)[word]
    return row["state"], row["pinned_source"], row["pinned_path"]


def displace(team: Team) -> None:
    for number in range(8):
        team.write(f"개발/밀어냄{number}.md", [f"결제 타임아웃 설정값, 연차 이월 한도, 목록 {number}"])


# Renames


def test_a_pin_follows_a_rename_and_is_ok_the_next_night(team: Team) -> None:
    team.file("개발/결제.md").rename(team.file("정책/결제 설정.md"))
    team.night()
    assert pin(team, "결제") == ("moved", "정책", "결제 설정.md")
    team.night()
    assert pin(team, "결제") == ("ok", "정책", "결제 설정.md")


def test_a_pin_follows_to_the_copy_that_is_left(team: Team) -> None:
    team.write("정책/결제 사본.md", team.file("개발/결제.md").read_bytes())
    team.night()
    assert pin(team, "결제") == ("ok", "개발", "결제.md")
    team.file("개발/결제.md").unlink()
    team.night()
    assert pin(team, "결제") == ("moved", "정책", "결제 사본.md")


def test_a_pin_does_not_follow_while_its_place_holds_something_else(team: Team) -> None:
    team.file("개발/결제.md").rename(team.file("개발/결제 옛것.md"))
    team.write("개발/결제.md", prose("rewritten", 2))
    team.night()
    assert pin(team, "결제") == ("moved", "개발", "결제.md")


def test_a_deleted_passage_is_lost_wherever_it_had_been(team: Team) -> None:
    team.file("정책/연차.md").rename(team.file("정책/연차 규정.md"))
    team.write("정책/다른.md", prose("other", 2))
    team.night()
    team.file("정책/연차 규정.md").unlink()
    team.night()
    assert pin(team, "연차") == ("lost", "정책", "연차 규정.md")


@pytest.mark.parametrize("before", [True, False], ids=["the night before", "the same night"])
def test_the_gate_counts_a_passage_that_was_renamed(team: Team, before: bool) -> None:
    team.file("개발/결제.md").rename(team.file("개발/결제 설정.md"))
    team.file("정책/연차.md").rename(team.file("정책/연차 규정.md"))
    if before:
        team.night()
    displace(team)
    run = team.night()
    assert run.held and not run.published


# Questions in words of their own, which score low


def asked(min_score: float, expected: str = '\nexpect_text = "30초"') -> str:
    return f'[[canaries]]\nquery = "응답을 얼마나 기다리나"\nmin_score = {min_score}{expected}\n'


@pytest.fixture
def low(team: Team) -> Team:
    team.settings({"개발": "", "정책": ""}, asked(0.99))
    team.night()
    return team


def test_what_is_expected_is_pinned_below_what_is_asked_and_its_change_is_told(low: Team) -> None:
    found = canaries(low)["응답을"]
    assert (found["state"], found["pinned_path"], found["baseline"]) == ("gap", "결제.md", None)
    assert "0.99 is asked" in found["cause"]
    low.night()
    assert pin(low, "응답을") == ("gap", "개발", "결제.md")
    low.write("개발/결제.md", ["설정값 안내: 결제 타임아웃은 읽기 60초, 연결 5초이다."])
    low.night()
    assert pin(low, "응답을")[0] == "value_changed"


def test_an_answer_that_nobody_described_is_not_pinned_below_what_is_asked(team: Team) -> None:
    team.settings({"개발": "", "정책": ""}, asked(0.99, ""))
    team.night()
    found = canaries(team)["응답을"]
    assert (found["state"], found["pinned_path"]) == ("gap", None)


def test_an_accepted_answer_is_no_gap_until_more_is_asked(low: Team) -> None:
    key = canaries(low)["응답을"]["canary_id"]
    accept_answer(low.saero(), key, datetime.now(UTC))
    for _ in range(2):
        low.night()
        assert pin(low, "응답을")[0] == "ok"
    low.settings({"개발": "", "정책": ""}, asked(1.0))
    low.night()
    assert pin(low, "응답을")[0] == "gap"


# Questions that come back


def test_a_question_that_comes_back_is_one_row_with_its_pin_and_history(team: Team) -> None:
    before = canaries(team)["결제"]
    team.settings({"개발": "", "정책": ""}, QUESTIONS.split("[[canaries]]", 2)[0])
    team.night()
    assert canaries(team) == {}
    team.settings({"개발": "", "정책": ""}, QUESTIONS)
    team.night()
    after = canaries(team)["결제"]
    kept = ("canary_id", "pinned_path", "pinned_chunk", "baseline", "calibration", "state")
    assert [after[name] for name in kept] == [before[name] for name in kept]
    assert len(team.ask("select * from canaries")) == 2
    assert len(team.ask(f"select * from canary_history where canary_id = '{after['canary_id']}'")) == 3


def test_a_question_that_can_not_be_read_is_a_gap_and_stops_nothing(team: Team) -> None:
    with team.saero().ledger.transaction("test") as con:
        con.execute("update canaries set query = 'after:어제 결제', origin = 'cli' where query like '결제%'")
    run = team.night()
    assert run.published and not run.held
    assert canaries(team)["after:어제"]["state"] == "gap"


def test_a_question_that_comes_back_with_another_expectation_is_pinned_anew(team: Team) -> None:
    team.settings({"개발": "", "정책": ""}, "")
    team.night()
    team.write("개발/다른 결제.md", ["결제 타임아웃 설정값 목록은 담당자에게 묻는다."])
    team.settings(
        {"개발": "", "정책": ""},
        '[[canaries]]\nquery = "결제 타임아웃 설정값"\nmin_score = 0.3\nexpect_path = "개발/다른 결제.md"\n',
    )
    team.night()
    assert pin(team, "결제") == ("new", "개발", "다른 결제.md")
