"""Which source's policy decides over versions, and where it is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from team import Team, prose

LISTED = {"개발": "", "정책": 'versions = "list"'}
TEXT = prose("기획", 8)


def write(team: Team, source: str, *versions: int) -> None:
    for version in versions:
        paragraphs = TEXT if version == 1 else [*TEXT, "둘째 판에서 더한 문단이다."]
        team.write(f"{source}/기획서_v{version}.md", paragraphs)


def doubts(team: Team) -> set[str]:
    return {place for kind, place in team.findings() if kind == "version_doubt"}


@pytest.mark.parametrize("copied", [1, 2])
def test_a_copy_in_a_listing_source_does_not_stop_the_replacement(tmp_path: Path, copied: int) -> None:
    team = Team(tmp_path, LISTED)
    write(team, "개발", 1, 2)
    write(team, "정책", copied)
    team.night()
    assert set(team.served()) == {"개발/기획서_v2.md"} and doubts(team) == set()


@pytest.mark.parametrize("copied", [1, 2])
def test_a_copy_in_a_replacing_source_does_not_replace_what_is_only_listed(tmp_path: Path, copied: int) -> None:
    team = Team(tmp_path, {"가": 'versions = "list"', "나": ""})
    write(team, "가", 1, 2)
    write(team, "나", copied)
    team.night()
    assert len(team.served()) == 2 and doubts(team) == {"가/기획서_v1.md"}


@pytest.mark.parametrize("policy", ["list", "demote"])
def test_where_two_sources_hold_both_versions_the_one_that_replaces_decides(tmp_path: Path, policy: str) -> None:
    team = Team(tmp_path, {"개발": f'versions = "{policy}"', "정책": ""})
    write(team, "개발", 1, 2)
    write(team, "정책", 1, 2)
    team.night()
    assert {row["path"] for row in team.rows()} == {"기획서_v2.md"} and doubts(team) == set()
    row = team.ask("select older_source, older_path, newer_path, policy from replacements")
    assert row == [
        {"older_source": "정책", "older_path": "기획서_v1.md", "newer_path": "기획서_v2.md", "policy": "replace"}
    ]


def test_the_version_that_returns_is_named_by_its_source_in_a_root(tmp_path: Path) -> None:
    team = Team(tmp_path)
    write(team, "영업/1팀", 1, 2)
    team.settings({}, '[roots."공유"]\npath = "docs/영업"\n')
    team.night()
    assert set(team.served()) == {"공유/1팀/기획서_v2.md"}
    team.file("영업/1팀/기획서_v2.md").unlink()
    team.night()
    row = team.ask("select source, path, detail from findings where kind = 'version_returned'")
    assert row == [{"source": "공유/1팀", "path": "기획서_v1.md", "detail": '{"newer":"공유/1팀/기획서_v2.md"}'}]


def test_while_a_source_is_missing_from_the_settings_its_policy_stays(tmp_path: Path) -> None:
    team = Team(tmp_path, {"개발": 'versions = "demote"', "정책": ""})
    write(team, "개발", 1, 2)
    team.night()
    team.settings({"정책": ""})
    team.night()
    (row,) = team.ask("select state, retired, flags from documents where path = '기획서_v1.md'")
    assert not row["retired"] and "demoted" in row["flags"]
    assert team.ask("select policy from replacements where ended_at is null") == [{"policy": "demote"}]


def test_a_change_of_policy_is_followed_and_is_no_return_of_a_version(tmp_path: Path) -> None:
    team = Team(tmp_path)
    write(team, "개발", 1, 2)
    team.night()
    for policy, standing in (("demote", ["demote"]), ("list", [])):
        team.settings({"개발": f'versions = "{policy}"', "정책": ""})
        team.night()
        rows = team.ask("select policy from replacements where ended_at is null")
        assert [row["policy"] for row in rows] == standing
        assert "version_returned" not in {kind for kind, _ in team.findings()}
    assert len(team.ask("select * from replacements")) == 1
