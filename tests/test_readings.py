"""Nights on which a reading is repeated though the file stands still: another parser, other limits, lost blocks."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from team import Team, prose

from assets.stages.parse import parse_sources
from pipelines import parsers
from pipelines.errors import Corrupt, Refused, TooLarge
from resources.build import open_run
from saero.commands.doctor import mend


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    monkeypatch.setattr("pipelines.changes.CLOCK_GRAIN_NS", 0)
    return Team(tmp_path)


def upgrade(monkeypatch: pytest.MonkeyPatch, version: str = "raised") -> None:
    for module in ("parse", "reading", "stored"):
        monkeypatch.setattr(f"assets.stages.{module}.PARSER_VERSION", version)


def refuse(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let the parsers find files of these names damaged."""
    parse = parsers.parse

    def picky(file: Any, name: str, limits: Any) -> Any:
        if name in names:
            raise Corrupt("not a format this version reads")
        return parse(file, name, limits)

    monkeypatch.setattr(parsers, "parse", picky)


def versions(team: Team) -> None:
    old = prose("proposal", 8)
    team.write("개발/기획서_v1.md", old)
    team.write("개발/기획서_v2.md", [*old[:-1], *prose("second", 1)])


def bodies(team: Team) -> list[Path]:
    return sorted((team.home / "state" / "bodies").rglob("*.zst"))


# A newer parser


def test_text_that_a_newer_parser_cannot_read_stays_served_as_the_older_one_read_it(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.write("개발/a.md", prose("a"))
    team.write("개발/b.md", prose("b"))
    team.night()
    before = team.served()
    upgrade(monkeypatch)
    refuse(monkeypatch, "a.md")
    run = team.night()
    assert run.embedded == 0 and run.held is None and team.served() == before
    assert team.states()["개발/a.md"] == "failed" and ("stale_parse", "개발/a.md") in team.findings()
    shutil.rmtree(team.home / "state" / "parsed")
    assert team.night().embedded == 0
    assert team.mirrored() == {"개발/a.md", "개발/b.md"} and team.served() == before
    assert team.night().opened_files == 0


def test_a_source_that_a_newer_parser_has_not_seen_yet_stays_as_it_is(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.write("개발/a.md", prose("a"))
    shutil.copy2(team.file("개발/a.md"), team.file("정책/a.md"))
    team.write("정책/b.md", prose("b"))
    team.night()
    upgrade(monkeypatch)
    assert team.night(sources=["개발"]).embedded == 0
    parsers_served = "select source, path, served_parser from documents order by all"
    assert [row["served_parser"] for row in team.ask(parsers_served)] == [
        "raised",
        parsers.PARSER_VERSION,
        parsers.PARSER_VERSION,
    ]
    lost = """
        select count(*) as n from documents d join chunks k using (body_hash) where not exists (
            from places p where p.chunk_id = k.chunk_id
            and p.content_hash = d.served_hash and p.parser_version = d.served_parser)
    """
    assert team.ask(lost) == [{"n": 0}]
    assert all(row["locator"] != "{}" for row in team.rows())
    shutil.rmtree(team.home / "state" / "parsed")
    run = team.night()
    assert run.opened_files == 2 and run.embedded == 0, "the copy too is read by the newer parser in its turn"
    assert {row["served_parser"] for row in team.ask(parsers_served)} == {"raised"}
    assert team.ask(lost) == [{"n": 0}] and len(team.mirrored()) == 3
    assert team.ask("select distinct parser_version from places") == [{"parser_version": "raised"}]
    assert team.night().opened_files == 0


# Other limits


def test_what_was_too_large_is_read_when_the_limits_are_raised(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    parse = parsers.parse

    def bounded(file: Any, name: str, limits: Any) -> Any:
        if limits.stream_mb < 80:
            raise TooLarge("a stream has 80 MB")
        return parse(file, name, limits)

    monkeypatch.setattr(parsers, "parse", bounded)
    team.write("개발/a.md", prose("a"))
    assert [failure["category"] for failure in team.night().failures] == ["too_large"]
    assert team.night().opened_files == 0
    sources = {"개발": "", "정책": ""}
    team.settings(sources, "[limits]\nstream_mb = 70\n")
    assert team.night().opened_files == 1 and team.night().opened_files == 0
    team.settings(sources, "[limits]\nstream_mb = 90\n")
    run = team.night()
    assert not run.failures and set(team.served()) == {"개발/a.md"}
    assert team.ask("select category, limits from contents") == [{"category": None, "limits": None}]
    team.settings(sources, "[limits]\nstream_mb = 70\n")
    assert team.night().opened_files == 0, "what was read stays read"


def test_a_file_above_the_limit_is_not_opened_until_it_is_raised(team: Team) -> None:
    sources = {"개발": "", "정책": ""}
    team.settings(sources, "[limits]\nfile_mb = 1\n")
    team.write("개발/a.md", "\n\n".join([*prose("a", 2), "<!--" + "x" * (1 << 20) + "-->"]))
    assert [failure["category"] for failure in team.night().failures] == ["too_large"]
    assert team.night().opened_files == 0
    team.settings(sources, "[limits]\nfile_mb = 2\n")
    assert team.night().opened_files == 1 and set(team.served()) == {"개발/a.md"}


# Lost blocks


@pytest.mark.parametrize("damage", ["wiped", "emptied"])
def test_lost_blocks_are_read_from_their_files_in_the_same_night(team: Team, damage: str) -> None:
    versions(team)
    team.write("정책/보안.md", prose("security"))
    first = team.night()
    before = team.served()
    if damage == "wiped":
        shutil.rmtree(team.home / "state" / "bodies")
    else:
        for path in bodies(team):
            path.write_bytes(b"")
    shutil.rmtree(team.home / "state" / "parsed")
    run = team.night()
    assert run.embedded == 0 and run.held is None and not run.failures and first.embedded > 0
    assert team.served() == before and len(bodies(team)) == 3 == len(team.mirrored())
    assert all(path.stat().st_size for path in bodies(team))
    assert team.states()["개발/기획서_v1.md"] == "superseded"
    assert team.night().opened_files == 0


def test_a_copy_of_a_document_whose_blocks_are_damaged_is_read_itself(team: Team) -> None:
    team.write("개발/a.md", prose("a"))
    team.night()
    bodies(team)[0].write_bytes(b"damaged")
    shutil.copy2(team.file("개발/a.md"), team.file("정책/a.md"))
    run = team.night()
    assert not run.failures and run.embedded == 0 and team.mirrored() == {"개발/a.md", "정책/a.md"}
    assert bodies(team)[0].stat().st_size > len(b"damaged")


def test_blocks_that_no_file_gives_any_more_change_no_decision(team: Team) -> None:
    versions(team)
    team.write("정책/보안.md", prose("security"))
    team.night()
    before = team.served()
    shutil.rmtree(team.home / "state" / "bodies")
    team.file("개발").rename(team.file("away"))
    run = team.night()
    assert run.embedded == 0 and run.held is None and team.served() == before
    assert {row["path"] for row in team.rows("retired")} == {"기획서_v1.md"}
    team.file("away").rename(team.file("개발"))
    assert team.night().embedded == 0 and len(bodies(team)) == 3


def test_text_whose_blocks_are_lost_stays_served_when_its_file_cannot_be_read_again(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.write("개발/a.md", prose("a"))
    team.night()
    before = team.served()
    shutil.rmtree(team.home / "state" / "bodies")
    with monkeypatch.context() as patch:
        refuse(patch, "a.md")
        assert team.night().embedded == 0 and team.served() == before
        assert team.states() == {"개발/a.md": "failed"}
    assert team.night().embedded == 0 and team.states() == {"개발/a.md": "live"} and len(bodies(team)) == 1


def test_doctor_writes_the_text_versions_that_it_can_and_leaves_the_rest_to_the_next_night(team: Team) -> None:
    team.write("개발/a.md", prose("a"))
    team.write("개발/b.md", prose("b"))
    team.night()
    bodies(team)[0].unlink()
    shutil.rmtree(team.home / "state" / "parsed")
    mend(team.saero())
    assert len(team.mirrored()) == 1
    run = team.night()
    assert run.opened_files == 1 and run.embedded == 0 and team.mirrored() == {"개발/a.md", "개발/b.md"}


# Sources that nobody knows


def test_a_source_that_left_the_settings_is_refused_by_name(team: Team) -> None:
    saero = team.saero()
    with (
        pytest.raises(Refused, match="no source 옛폴더; the sources are 개발, 정책"),
        open_run(saero, "stale", trigger="test", wait=timedelta(0)) as run,
    ):
        parse_sources(run, ["개발", "옛폴더"])
