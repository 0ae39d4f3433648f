"""What the corpus says of its own freshness: status.json after every kind of end, folders out of reach, findings."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import ledger_left_open
from team import Team, prose

from assets.stages.chunk import cut_bodies
from assets.stages.dedup import settle
from assets.stages.embed import embed_missing
from assets.stages.gap import analyse
from assets.stages.index import publish
from assets.stages.parse import parse_sources
from pipelines.stale import Status
from resources.build import ASKS_ONLY, Run, open_run
from resources.status import read_status

STAGES = ("parse", "dedup", "chunk", "embed", "index", "gap_analysis")


class Failed(Exception):
    """A stage fell."""


class Killed(BaseException):
    """The machine went away."""


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    team.write("개발/API.md", prose("api"))
    team.write("정책/보안.md", prose("security"))
    return team


def part(
    team: Team,
    names: Sequence[str] = ("개발", "정책"),
    *,
    stages: Sequence[str] = STAGES,
    trigger: str = "nightly_refresh",
    fail: str = "",
    look: Callable[[Run], Any] = lambda run: None,
) -> None:
    """Run some stages over some sources; the stage `fail` falls, and the others of that night with it."""
    saero = team.saero()
    work: dict[str, Callable[[Run], Any]] = {
        "parse": lambda run: parse_sources(run, list(names)),
        "dedup": settle,
        "chunk": cut_bodies,
        "embed": embed_missing,
        "index": publish,
        "gap_analysis": analyse,
    }
    with ledger_left_open(), open_run(saero, f"part-{datetime.now(UTC)}", trigger=trigger, wait=timedelta(0)) as run:
        look(run)
        for name in stages:
            if name == fail:
                run.failed_stage = name
                return
            work[name](run)


def status(team: Team) -> Status:
    return read_status(team.saero().status_path)


def reasons(team: Team, at: datetime | None = None) -> list[str]:
    """Return what search says of its own freshness, the stand-in encoder aside."""
    saero = team.saero()
    said = saero.stale_reasons(read_status(saero.status_path), at or datetime.now(UTC))
    return [reason for reason in said if reason != "encoder_changed"]


# How a run ended


@pytest.mark.parametrize("stage", STAGES)
def test_a_night_that_fails_in_any_stage_is_told_and_the_next_good_one_takes_it_back(team: Team, stage: str) -> None:
    team.night()
    good = status(team)
    part(team, fail=stage)
    assert reasons(team) == ["last_run_failed"] and status(team).succeeded_at == good.succeeded_at
    team.night()
    assert reasons(team) == []


def test_a_killed_night_is_told_though_it_wrote_nothing(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    team.night()
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr("resources.build._close", lambda run: None)

        def die(run: Run) -> None:
            assert reasons(team) == []  # a run that is at work is no failure
            raise Killed

        part(team, look=die)
    assert reasons(team) == ["last_run_failed"]
    team.night()
    assert reasons(team) == []


def test_a_first_night_that_dies_leaves_a_status(team: Team) -> None:
    with pytest.raises(Failed):
        part(team, look=_raise)
    assert reasons(team) == ["run_overdue", "last_run_failed"]


def _raise(run: Run) -> None:
    raise Failed


def test_asking_the_canaries_alone_leaves_the_end_of_the_last_night_as_it_was(team: Team) -> None:
    team.night()
    good = status(team)
    part(team, stages=["gap_analysis"], trigger=ASKS_ONLY)
    assert status(team) == good
    part(team, fail="embed")
    part(team, stages=["gap_analysis"], trigger=ASKS_ONLY)
    assert reasons(team) == ["last_run_failed"]


# One source alone


def test_one_source_alone_does_not_make_the_whole_corpus_fresh(team: Team) -> None:
    team.night()
    good = status(team)
    part(team, fail="parse")
    part(team, ["개발"])
    assert status(team).succeeded_at == good.succeeded_at and reasons(team) == ["last_run_failed"]
    assert reasons(team, datetime.now(UTC) + timedelta(hours=27)) == ["run_overdue", "last_run_failed"]


def test_one_source_alone_does_not_hide_changed_settings(team: Team) -> None:
    team.night()
    team.settings({"개발": "", "정책": 'exclude = ["임시/**"]'})
    part(team, ["개발"])
    assert reasons(team) == ["settings_changed"]
    team.night()
    assert reasons(team) == []


def test_another_time_zone_changes_when_documents_expire(team: Team) -> None:
    team.night()
    team.settings({"개발": "", "정책": ""}, '[schedule]\ntimezone = "America/New_York"')
    assert reasons(team) == ["settings_changed"]


# Folders out of reach


def test_a_folder_that_was_never_there_is_told(team: Team) -> None:
    team.settings({"개발": "", "정책": "", "오타": 'path = "docs/없는 폴더"'})
    team.night()
    assert ("source_unreachable", "오타") in team.findings()
    assert status(team).unreachable == ("오타",) and reasons(team) == ["source_unreachable"]
    team.night()
    assert "urgent" in team.mails() or "first" in team.mails()
    team.file("없는 폴더").mkdir()
    team.night()
    assert reasons(team) == [] and not team.findings()


def test_a_folder_that_goes_away_later_is_told_with_its_documents(team: Team) -> None:
    team.night()
    team.file("정책").rename(team.file("어디로"))
    team.night()
    (row,) = team.ask("select detail from findings where kind = 'source_unreachable' and resolved_at is null")
    assert '"documents":1' in row["detail"] and status(team).unreachable == ("정책",)
    assert team.mails()[-1] == "urgent"


def test_a_source_that_left_the_settings_is_out_of_reach_no_longer(team: Team) -> None:
    team.settings({"개발": "", "정책": "", "오타": 'path = "docs/없는 폴더"'})
    team.night()
    team.settings({"개발": "", "정책": ""})
    team.night()
    assert reasons(team) == [] and not team.findings()


# What a run didn't look for, it doesn't resolve


@pytest.fixture
def doubtful(team: Team) -> Team:
    text = prose("budget", 8)
    team.write("개발/예산안_최종.md", text)
    team.write("개발/예산안_진짜최종.md", [*text, prose("more", 1)[0]])
    team.night()
    assert "version_doubt" in {kind for kind, _ in team.findings()}
    return team


def test_asking_the_canaries_alone_resolves_no_doubt(doubtful: Team) -> None:
    before = doubtful.findings()
    part(doubtful, stages=["gap_analysis"], trigger=ASKS_ONLY)
    assert doubtful.findings() == before


def test_a_night_without_dedup_resolves_no_doubt(doubtful: Team) -> None:
    before = doubtful.findings()
    part(doubtful, stages=["parse", "gap_analysis"])
    assert doubtful.findings() == before
    doubtful.file("개발/예산안_최종.md").unlink()
    doubtful.night()
    assert doubtful.findings() == set()


# What documents say of themselves


def test_an_expiry_that_is_no_date_is_told(team: Team) -> None:
    team.write("정책/공지.md", "---\nexpires_at: 2026-13-01\n---\n\n" + "\n\n".join(prose("notice")))
    team.night()
    assert team.findings() == {("expiry_unreadable", "정책/공지.md")}
    team.write("정책/공지.md", "---\nexpires_at: 2099-12-01\n---\n\n" + "\n\n".join(prose("notice")))
    team.night()
    assert team.findings() == set()


def test_what_expires_soon_is_told_with_its_last_day(team: Team) -> None:
    now = datetime(2027, 3, 1, 17, tzinfo=UTC)
    team.write("정책/공지.md", "---\nexpires_at: 2027-03-05\n---\n\n" + "\n\n".join(prose("notice")))
    team.night(now=now)
    (row,) = team.ask("select detail from findings where kind = 'expires_soon'")
    assert json.loads(row["detail"])["expires_at"] == "2027-03-05"


def test_the_pages_of_a_document_that_only_show_a_picture_are_told(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from pipelines import parsers

    read = parsers.parse
    monkeypatch.setattr(
        parsers, "parse", lambda file, name, limits: replace(read(file, name, limits), ocr_pages=(2, 3))
    )
    team.write("개발/스캔이 섞인 문서.md", prose("mixed"))
    team.file("개발/API.md").unlink()
    team.file("정책/보안.md").unlink()
    team.night()
    assert team.findings() == {("needs_ocr", "개발/스캔이 섞인 문서.md")}
    (row,) = team.ask("select detail from findings where kind = 'needs_ocr'")
    assert row["detail"] == '{"pages":2,"numbers":[2,3]}'
