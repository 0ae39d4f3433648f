"""Answers that changed hands on the night itself: their new text waits in a held version, or in a newer one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from team import Team, prose

from pipelines.gap import Canary, CanaryState, GateVerdict, Pin, Verdict
from resources.asking import Answers, with_waiting

HELD = GateVerdict((), hold=True)


def answers(state: CanaryState, cause: str = "changed") -> Answers:
    return Answers((Verdict(Canary("c1", "질문"), state, cause),), "cal-1", "e1", 1)


@pytest.mark.parametrize(
    ("served", "waiting", "told"),
    [
        ("value_changed", "moved", "moved"),
        ("lost", "ok", "ok"),
        ("value_changed", "drop", "drop"),
        ("value_changed", "value_changed", "value_changed"),
        ("lost", "lost", "lost"),
        ("ok", "displaced", "ok"),
        ("ok", "lost", "ok"),
    ],
)
def test_what_the_held_version_answers_is_not_lost(served: CanaryState, waiting: CanaryState, told: str) -> None:
    (verdict,) = with_waiting(answers(served), answers(waiting)).verdicts
    assert verdict.state == told


def test_a_passage_that_the_served_version_misses_for_no_reason_stays_lost() -> None:
    missing = answers("lost", "not in the index")
    (verdict,) = with_waiting(missing, answers("ok"), {("개발", "b.md")}).verdicts
    assert verdict.state == "lost"


def test_a_passage_that_came_back_waits_with_the_version() -> None:
    pinned = replace(answers("lost", "not in the index").verdicts[0], pin=Pin("개발", "a.md", "body", "chunk"))
    missing = replace(answers("lost"), verdicts=(pinned,))
    (verdict,) = with_waiting(missing, answers("ok"), {("개발", "a.md")}).verdicts
    assert verdict.state == "ok"


def asked(place: str, text: str, value: str) -> str:
    return f'\n[[canaries]]\nquery = "{text}"\nmin_score = 0.3\nexpect_path = "{place}"\nexpect_text = "{value}"\n'


def canary(team: Team) -> str:
    (row,) = team.ask("select state from canaries where removed_at is null")
    return str(row["state"])


def test_an_edit_beside_the_value_is_no_alarm_on_a_held_night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    team, text = Team(tmp_path), prose("api", 1)
    question, value = " ".join(text[0].split()[:6]), text[0].split()[2]
    team.settings({"개발": "", "정책": ""}, asked("개발/API.md", question, value))
    team.write("개발/API.md", text)
    team.write("정책/보안.md", prose("security"))
    team.night()
    team.night()
    assert canary(team) == "ok"
    monkeypatch.setattr("assets.stages.index.gate", lambda verdicts, explained: HELD)
    team.write("개발/API.md", [text[0] + " 담당자가 바뀌었다."])
    run = team.night()
    assert run.held and canary(team) == "moved"
    assert not team.ask("select 1 from alerts where kind = 'canary_value_changed'")
    team.write("개발/API.md", [text[0].replace(value, "다른값")])
    assert team.night().held and canary(team) == "value_changed"


def test_an_edit_that_is_taken_back_is_no_alarm_on_a_held_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team, text = Team(tmp_path), prose("api", 1)
    team.settings({"개발": "", "정책": ""}, asked("개발/API.md", " ".join(text[0].split()[:6]), text[0].split()[2]))
    team.write("개발/API.md", text)
    team.write("정책/보안.md", prose("security"))
    team.night()
    team.write("개발/API.md", [text[0] + " 담당자가 바뀌었다."])
    team.night()
    assert canary(team) == "moved"
    monkeypatch.setattr("assets.stages.index.gate", lambda verdicts, explained: HELD)
    team.write("개발/API.md", text)
    assert team.night().held and canary(team) in ("ok", "moved")
    assert team.night().held and canary(team) in ("ok", "moved")
    assert not team.ask("select 1 from alerts where kind = 'canary_lost'")


def test_a_file_that_is_renamed_and_replaced_in_one_night_is_followed(tmp_path: Path) -> None:
    team, text = Team(tmp_path), prose("plan", 4)
    question, value = " ".join(text[0].split()[:6]), text[0].split()[2]
    team.settings({"개발": "", "정책": ""}, asked("개발/기획서.md", question, value))
    path = team.write("개발/기획서.md", text)
    team.write("정책/보안.md", prose("security"))
    team.night()
    path.unlink()
    team.write("개발/기획서_v1.md", text)
    team.write("개발/기획서_v2.md", [*text, prose("more", 1)[0]])
    team.night()
    assert team.states()["개발/기획서_v1.md"] == "superseded"
    assert canary(team) == "moved"
    team.file("개발/기획서_v2.md").unlink()
    team.night()
    assert canary(team) in ("ok", "moved")
