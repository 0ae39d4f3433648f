"""After a rollback an older version is served, and whoever asks is told so."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from team import Team, prose

from resources.build import Saero
from resources.status import read_status
from saero.cli import saero as cli


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    for name in ("a", "b"):
        team.write(f"개발/{name}.md", prose(name))
        team.night()
    return team


def roll_back(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = team.saero()
    monkeypatch.setattr("resources.build.build", lambda config: ready)
    done = CliRunner().invoke(cli, ["rollback"], catch_exceptions=False)
    assert done.exit_code == 0, done.output


def reasons(team: Team, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    saero: Saero = team.saero()
    monkeypatch.setattr("resources.model.encoder_identity", lambda model, models: team.encoder.encoder_id)
    return saero.stale_reasons(read_status(saero.status_path), datetime.now(UTC))


def test_a_rolled_back_index_is_stale_until_the_next_night(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reasons(team, monkeypatch) == []
    roll_back(team, monkeypatch)
    assert set(team.served()) == {"개발/a.md"} and reasons(team, monkeypatch) == ["publish_held"]
    held = read_status(team.home / "state" / "status.json").held
    assert held is not None and held.startswith("rolled back to version")
    assert team.night().published and reasons(team, monkeypatch) == []


def test_a_second_rollback_serves_the_newest_again(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    roll_back(team, monkeypatch)
    roll_back(team, monkeypatch)
    assert set(team.served()) == {"개발/a.md", "개발/b.md"} and reasons(team, monkeypatch) == []


def test_rollback_to_another_encoder_names_that_encoder(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    team.encoder.encoder_id = "words@2"
    team.night()
    roll_back(team, monkeypatch)
    assert reasons(team, monkeypatch) == ["publish_held", "encoder_changed"]
