"""What expired is not found, whether or not a refresh has run since, and comes back when a person renews it."""

from __future__ import annotations

import itertools
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner
from team import Team, markdown, prose

from pipelines.search import Mode, Wanted
from resources.searcher import Include, Searcher
from saero.cli import saero as command_line

NOW = datetime(2026, 11, 3, 17, tzinfo=UTC)
TTL = 'ttl = [{ match = "주간/**", after = "P14D" }, { match = "*계획*", until = "period_end" }]'
# The moments at which each document ends, on the clock of Seoul: 2026-11-05, two weeks after 11-01 09:00, and 12-01.
ENDS = {
    "공지.md": datetime(2026, 11, 5, 15, tzinfo=UTC),
    "주간/당번.md": datetime(2026, 11, 15, tzinfo=UTC),
    "11월 계획.md": datetime(2026, 11, 30, 15, tzinfo=UTC),
}
REPORT = "11월 계획 대비 실적.md"


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    team.settings({"개발": "", "정책": TTL})
    team.write("정책/공지.md", "---\nexpires_at: 2026-11-05\ndate: 2026-11-01\n---\n\n" + markdown(prose("notice")))
    team.write("정책/주간/당번.md", prose("weekly"))
    team.write("정책/11월 계획.md", prose("plan"))
    team.write(f"정책/{REPORT}", prose("report"))
    for path in team.file("정책").rglob("*.md"):
        os.utime(path, (datetime(2026, 11, 1, tzinfo=UTC).timestamp(),) * 2)
    team.night(now=NOW)
    return team


def found(team: Team, now: datetime, include: tuple[Include, ...] = ()) -> set[str]:
    """Return every path that any question finds in any mode, weak or not, from its source or all."""
    saero = team.saero()
    searcher = Searcher(saero.reader(), saero.query_encoder)
    questions = [prose(seed)[2] for seed in ("notice", "weekly", "plan", "report")]
    places: set[str] = set()
    for question, mode, sources in itertools.product(questions, get_args(Mode), ((), ("정책",))):
        wanted = Wanted(top_k=50, mode=mode, weak_too=True)
        ranking = searcher.search([question], now=now, wanted=wanted, sources=sources, include=include)
        places |= {result.row["path"] for result in ranking.results}
    return places


def test_everything_is_found_until_its_last_moment(team: Team) -> None:
    assert found(team, NOW) == {*ENDS, REPORT}
    for path, end in ENDS.items():
        assert path in found(team, end - timedelta(seconds=1))


def test_nothing_is_found_from_its_last_moment_on_without_a_refresh(team: Team) -> None:
    for end in ENDS.values():
        ended = {path for path, moment in ENDS.items() if moment <= end}
        assert found(team, end) == {*ENDS, REPORT} - ended
    assert found(team, NOW + timedelta(days=3650)) == {REPORT}


def test_nor_after_the_refresh_unless_it_is_asked_for(team: Team) -> None:
    after = max(ENDS.values())
    team.night(now=after)
    assert {path for path, state in team.states().items() if state == "expired"} == {f"정책/{path}" for path in ENDS}
    assert found(team, after) == {REPORT}
    assert found(team, after, ("expired",)) == {*ENDS, REPORT}


def test_a_held_version_serves_nothing_that_expired(team: Team) -> None:
    folder = team.file("정책")
    folder.rename(folder.with_name("away"))
    after = max(ENDS.values())
    assert found(team, after) == {REPORT}
    team.night(now=after)
    assert found(team, after) == {REPORT}


def test_what_was_renewed_is_found_until_the_new_day(team: Team) -> None:
    after = max(ENDS.values()) + timedelta(days=1)
    config = ["--config", str(team.home / "saero.toml")]
    renew = [*config, "documents", "renew", "정책/11월 계획.md", "--until", "2099-01-31"]
    result = CliRunner().invoke(command_line, renew)
    assert result.exit_code == 0, result.output
    team.night(now=after)
    assert found(team, after) == {"11월 계획.md", REPORT}
    assert found(team, datetime(2099, 1, 31, 14, 59, tzinfo=UTC)) == {"11월 계획.md", REPORT}
    assert found(team, datetime(2099, 1, 31, 15, tzinfo=UTC)) == {REPORT}
