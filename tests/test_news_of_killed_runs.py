"""What is found in one night only is told: after a run that was cut off, and when it happens again."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from fakes import ledger_left_open
from team import Team, prose

import assets.stages.gap as gap_stage
from assets.stages.dedup import settle
from assets.stages.parse import parse_sources
from resources.build import open_run


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path, rest='[mail]\nrecipients = ["ops@example.com"]\ndigest = "nightly"\n')
    team.write("개발/기획서_v1.md", prose("plan", 4))
    team.write("개발/기획서_v2.md", [*prose("plan", 4), *prose("new", 1)])
    team.night()
    team.file("개발/기획서_v2.md").unlink()
    return team


def told(team: Team) -> list[str]:
    rows = team.ask("select path from alerts where kind = 'version_returned' and told is not null")
    return [row["path"] for row in rows]


def killed_after_dedup(team: Team) -> None:
    saero = team.saero()
    with (
        pytest.raises(KeyboardInterrupt),
        ledger_left_open(),
        open_run(saero, "cut-off", trigger="test", wait=timedelta(0)) as run,
    ):
        parse_sources(run, [source.name for source in saero.sources])
        settle(run)
        raise KeyboardInterrupt


def test_a_version_that_came_back_is_told_by_the_next_run(team: Team) -> None:
    killed_after_dedup(team)
    assert told(team) == []
    team.night()
    assert told(team) == ["기획서_v1.md"] and team.mails() == ["first", "digest", "digest"]
    team.night()
    team.night()
    assert team.mails() == ["first", "digest", "digest"]
    assert not any(kind == "version_returned" for kind, _ in team.findings())


def test_nothing_is_told_when_the_newer_version_is_back_before(team: Team) -> None:
    killed_after_dedup(team)
    team.write("개발/기획서_v2.md", [*prose("plan", 4), *prose("new", 1)])
    team.night()
    assert told(team) == []


def test_a_run_that_ends_between_finding_and_mail_leaves_the_mail_to_the_next(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(gap_stage, "tell_news", cut_off)
        with pytest.raises(KeyboardInterrupt):
            team.night()
    team.night()
    assert told(team) == ["기획서_v1.md"]


def test_a_version_that_comes_back_a_second_time_is_told_again(team: Team) -> None:
    team.night()
    first = team.ask("select told_at from alerts where kind = 'version_returned'")
    team.write("개발/기획서_v2.md", [*prose("plan", 4), *prose("new", 1)])
    team.night()
    team.file("개발/기획서_v2.md").unlink()
    team.night()
    second = team.ask("select told_at from alerts where kind = 'version_returned'")
    assert second[0]["told_at"] > first[0]["told_at"]
