"""A clock that is set back: what was written last counts, whatever the clock said when it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from team import Team, prose

from pipelines.gap import GateVerdict
from resources.backup import KEPT, newest_backup, write_backup
from resources.ledger import decisions, nights, runs

NOW = datetime(2030, 5, 20, 2, tzinfo=UTC)
BACK = NOW - timedelta(days=20)


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    team.write("개발/a.md", prose("a", 2))
    return team


def test_the_copy_that_was_written_last_is_the_newest(tmp_path: Path) -> None:
    for day in range(KEPT):
        write_backup(tmp_path, NOW.date() + timedelta(days=day), ["before"])
    write_backup(tmp_path, BACK.date(), ["after"])
    assert newest_backup(tmp_path) == ["after"]
    assert len(list(tmp_path.iterdir())) == KEPT
    write_backup(tmp_path, NOW.date() + timedelta(days=KEPT), ["right again"])
    assert newest_backup(tmp_path) == ["right again"]


def test_the_decision_that_was_made_last_stands(team: Team) -> None:
    with team.saero().ledger.transaction("test") as con:
        for number, now in enumerate((NOW, BACK, BACK)):
            decisions.add(con, decision_id=f"{number}", kind="mute", subject="gap", value={"n": number}, now=now)
        assert decisions.standing(con, "mute") == {"gap": {"n": 2}}


def test_the_run_that_was_written_down_last_is_the_newest(team: Team) -> None:
    with team.saero().ledger.transaction("test") as con:
        for run_id, now in (("before", NOW), ("after", BACK)):
            runs.begin(con, run_id, nights.SCHEDULE, now)
            runs.end(con, run_id, now, outcome="success", published=False, held="why", counts={})
        newest = nights.last_refresh(con)
        assert newest is not None and newest["run_id"] == "after" and newest["ended_at"] == BACK
        last = runs.last(con)
        assert last is not None and last["run_id"] == "after" and runs.held_last(con) == BACK


def test_a_held_version_waits_for_another_day_not_for_the_same_date_again(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.night()
    monkeypatch.setattr("assets.stages.index.gate", lambda verdicts, explained: GateVerdict((), hold=True))
    team.write("개발/new.md", prose("new"))
    assert team.night().held
    assert team.night(now=datetime.now(UTC) - timedelta(days=20)).published and "개발/new.md" in team.served()


def test_what_expired_before_the_clock_was_set_back_serves_until_it_expires_again(team: Team) -> None:
    team.write("개발/b.md", "---\nexpires_at: 2030-05-10\n---\n" + "\n\n".join(prose("b", 2)))
    team.night(now=NOW)
    assert team.states()["개발/b.md"] == "expired"
    team.night(now=BACK)
    assert team.states()["개발/b.md"] == "live" and "개발/b.md" in team.served()
    team.night(now=NOW)
    assert team.states()["개발/b.md"] == "expired" and "개발/b.md" not in team.served()
