"""saero doctor --fix mends only while nothing else writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from team import Team, prose

from pipelines.errors import Busy
from resources.locks import hold
from saero.commands.doctor import command, mend


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    team.write("개발/a.md", prose("a", 2))
    team.night()
    return team


def leftover(team: Team) -> Path:
    path = team.home / "state" / "parsed" / ".a.md.aside"
    path.write_text("half", encoding="utf-8")
    return path


def test_leftovers_of_interrupted_writes_are_taken_away(team: Team) -> None:
    left = leftover(team)
    text = team.home / "state" / "parsed" / "개발" / "a.md.md"
    text.unlink()
    mend(team.saero())
    assert not left.exists() and text.exists()


def test_what_a_running_refresh_writes_is_left_alone(team: Team) -> None:
    left = leftover(team)
    with hold(team.home / "state" / "refresh.lock", wait_seconds=0, what="", stage="parse"):
        with pytest.raises(Busy, match=r"another refresh is at work: held by process \d+ .*parse"):
            mend(team.saero())
        result = CliRunner().invoke(command, ["--fix"], obj=str(team.home / "saero.toml"))
    assert left.exists() and isinstance(result.exception, Busy)


def test_a_doubled_key_is_mended_from_the_files_and_the_backup(team: Team) -> None:
    with team.saero().ledger.transaction("test") as con:
        con.execute("insert into documents select * from documents limit 1")
    result = CliRunner().invoke(command, [], obj=str(team.home / "saero.toml"))
    assert result.exit_code == 1 and "documents 1" in result.output and "backup" in result.output
    (team.home / "state" / "ledger.duckdb").rename(team.home / "aside.duckdb")
    team.night()
    result = CliRunner().invoke(command, [], obj=str(team.home / "saero.toml"))
    assert "documents 1" not in result.output
