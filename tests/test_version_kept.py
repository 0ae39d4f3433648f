"""What a person kept is never replaced unasked, wherever it is moved and however it is edited."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from fakes import ledger_left_open
from team import Team, prose

from assets.stages.dedup import settle
from assets.stages.parse import parse_sources
from resources.build import open_run
from saero.commands.review import collect, decide
from saero.commands.versions import collect as chains


def evening(team: Team) -> None:
    """Read and settle; the states of documents are known then."""
    saero = team.saero()
    with ledger_left_open(), open_run(saero, "evening", trigger="test", wait=timedelta(0)) as run:
        parse_sources(run, [source.name for source in saero.sources])
        settle(run)


def reject(team: Team) -> None:
    saero = team.saero()
    found = [step["id"] for chain in chains(saero)["chains"] for step in chain["replaced"]]
    decide(saero, "reject", found, datetime.now(UTC))


def add(team: Team, place: str, line: str) -> None:
    team.write(place, f"{team.file(place).read_text(encoding='utf-8')}\n{line}\n")


def move(team: Team, folder: str, to: str) -> None:
    for version in (1, 2):
        new = team.file(f"{to}/기획서_v{version}.md")
        new.parent.mkdir(parents=True, exist_ok=True)
        team.file(f"{folder}/기획서_v{version}.md").rename(new)


def test_what_a_person_kept_is_known_through_moves_before_and_after_edits(tmp_path: Path) -> None:
    team = Team(tmp_path)
    for version in (1, 2):
        team.write(f"개발/기획서_v{version}.md", [*prose("기획", 8), *prose(f"기획 {version}", version - 1)])
    evening(team)
    reject(team)
    move(team, "개발", "개발/보관")
    team.write("개발/기획서_v1.md", prose("다른 글", 8))  # something else under the old name
    evening(team)
    team.file("개발/기획서_v1.md").unlink()
    for here, there in (("개발/보관", "개발/보관/2026"), ("개발/보관/2026", "개발/끝")):
        add(team, f"{here}/기획서_v1.md", "한 줄을 더했다.")
        evening(team)
        move(team, here, there)
        evening(team)
        states = team.states()
        assert {states[f"{there}/기획서_v{version}.md"] for version in (1, 2)} == {"live"}
        assert len(collect(team.saero())) == 1
