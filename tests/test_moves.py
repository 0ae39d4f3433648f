"""Documents that move between folders, and folders that were emptied on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest
from team import Team, prose

from resources.build import Options


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


def test_a_folder_that_moved_is_no_mass_deletion_though_each_source_is_read_by_itself(team: Team) -> None:
    for number in range(30):
        team.write(f"정책/{number}.md", prose(str(number), 1))
    team.write("정책/stays.md", prose("stays"))
    team.night()
    for number in range(30):
        team.file(f"정책/{number}.md").rename(team.file(f"개발/{number}.md"))
    team.night(sources=["개발"])
    run = team.night(sources=["정책"])
    assert run.embedded == 0 and "held" not in team.states().values()
    assert set(team.served()) == {"정책/stays.md", *(f"개발/{number}.md" for number in range(30))}


def test_what_left_two_folders_at_once_is_a_mass_deletion_in_both(team: Team) -> None:
    for number in range(30):
        for source in ("개발", "정책"):
            team.write(f"{source}/{number}.md", prose(str(number), 1))
    team.write("개발/stays.md", prose("a"))
    team.write("정책/stays.md", prose("b"))
    team.night()
    for number in range(30):
        for source in ("개발", "정책"):
            team.file(f"{source}/{number}.md").unlink()
    team.night()
    assert list(team.states().values()).count("held") == 60


def test_a_source_emptied_on_purpose_is_reachable_in_the_same_run(team: Team) -> None:
    path = team.write("정책/a.md", prose("a"))
    team.write("개발/b.md", prose("b"))
    team.night()
    path.unlink()
    assert team.night().memory["unreachable"] == ["정책"]
    run = team.night(Options(accept_deletions=("정책",)))
    assert run.memory["unreachable"] == [] and set(team.states()) == {"개발/b.md"}
    reachable = {row["name"]: row["reachable"] for row in team.ask("select name, reachable from sources")}
    assert reachable == {"개발": True, "정책": True}
    assert team.night().memory["unreachable"] == []
