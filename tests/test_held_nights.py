"""Nights that publish nothing new: how long they hold, and what leaves the index all the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fakes import FakeEncoder
from team import Team, prose

from assets.stages.chunk import cut_bodies
from assets.stages.dedup import settle
from assets.stages.embed import embed_missing
from assets.stages.parse import parse_sources
from assets.stages.quality import judge
from pipelines.gap import GateVerdict
from resources.build import open_run
from resources.index import Index

TOMORROW = timedelta(days=1)
HELD = GateVerdict((), hold=True)


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    for name in ("기획서_v1", "stays", "deleted"):
        team.write(f"개발/{name}.md", prose(name, 3))
    team.write("개발/기획서_v2.md", [*prose("기획서_v1", 3), *prose("v2", 1)])
    team.night()
    assert {row["path"] for row in team.rows("retired")} == {"기획서_v1.md"}
    return team


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A gate that finds too much lost."""
    monkeypatch.setattr("assets.stages.index.gate", lambda verdicts, explained: HELD)
    return monkeypatch


def test_a_version_is_held_until_the_next_day_however_often_one_refreshes(team: Team, gate: pytest.MonkeyPatch) -> None:
    team.write("개발/new.md", prose("new"))
    for _ in range(3):
        assert team.night().held and "개발/new.md" not in team.served()
    run = team.night(now=datetime.now(UTC) + TOMORROW)
    assert run.published and "개발/new.md" in team.served()


def test_a_version_whose_losses_are_mended_is_published_the_same_day(team: Team, gate: pytest.MonkeyPatch) -> None:
    team.write("개발/new.md", prose("new"))
    assert team.night().held
    gate.setattr("assets.stages.index.gate", lambda verdicts, explained: GateVerdict((), hold=False))
    assert team.night().published and "개발/new.md" in team.served()


def test_deletions_leave_while_the_table_of_a_new_encoder_is_held(team: Team, gate: pytest.MonkeyPatch) -> None:
    team.encoder = FakeEncoder("words@2")
    team.file("개발/deleted.md").unlink()
    team.file("개발/기획서_v1.md").unlink()
    run = team.night()
    assert run.held and set(team.served()) == {"개발/stays.md", "개발/기획서_v2.md"} and team.rows("retired") == []
    assert {row["encoder_id"] for row in team.rows()} == {"words@1"}
    assert team.night(now=datetime.now(UTC) + TOMORROW).published
    assert {row["encoder_id"] for row in team.rows()} == {"words@2"}
    assert set(team.served()) == {"개발/stays.md", "개발/기획서_v2.md"}


def test_a_held_night_that_cut_every_body_anew_takes_nothing_away(team: Team, gate: pytest.MonkeyPatch) -> None:
    before = team.served()
    team.encoder = FakeEncoder("words@small")
    team.encoder.max_tokens = 30
    assert team.night().held and team.served() == before


def test_deletions_leave_on_a_night_that_the_checks_block(team: Team) -> None:
    before = team.served()
    team.file("개발/deleted.md").unlink()
    saero = team.saero()
    with open_run(saero, "blocked", trigger="test", wait=timedelta(0)) as run:
        parse_sources(run, [source.name for source in saero.sources])
        settle(run)
        cut_bodies(run)
        embed_missing(run)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("assets.stages.rows.ROWS_VERSION", "another rule")
            patch.setattr("assets.stages.rows.bad_rows", lambda rows, max_tokens: {r["chunk_id"]: "x" for r in rows})
            patch.setattr("assets.stages.quality.WITHHELD_FEW", 0)
            judge(run)
    assert run.memory["blocked"] == ["few_rows_withheld"] and not run.published
    assert team.served() == {place: texts for place, texts in before.items() if place != "개발/deleted.md"}


def test_the_remains_of_a_killed_removal_stop_no_night(team: Team) -> None:
    (team.home / "state/index/chunks-0123abcd.lance/data").mkdir(parents=True)
    team.write("개발/new.md", prose("new"))
    assert team.night().published and not list(team.home.glob("state/index/chunks-0123abcd*"))


def test_a_clean_up_that_fails_stops_no_night(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Index, older_than: timedelta, now: datetime) -> None:
        raise OSError("another process reads there")

    monkeypatch.setattr(Index, "cleanup", refuse)
    team.write("개발/new.md", prose("new"))
    assert team.night().published and "개발/new.md" in team.served()
