"""Each vector through every door: its bytes, a whole refresh, `saero show`."""

from __future__ import annotations

import functools
import io

import pytest
from click.testing import CliRunner
from team import Team
from vector import Vector
from vectors import VECTORS

from pipelines import parsers
from pipelines.body import title_of
from pipelines.errors import SkipDocument
from pipelines.mirror import render
from pipelines.records import Limits
from saero.cli import saero

SOURCE = "벡터"
every_vector = pytest.mark.parametrize("vector", VECTORS, ids=[vector.name for vector in VECTORS])


@functools.cache
def made(vector: Vector) -> bytes:
    return vector.make()


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """A source that holds all vectors, each in a folder of its own, refreshed once."""
    team = Team(tmp_path_factory.mktemp("vectors"), {SOURCE: 'versions = "list"'})
    for vector in VECTORS:
        team.write(f"{SOURCE}/{place(vector)}", made(vector))
    team.night()
    return team


@pytest.fixture(scope="module")
def rows(team: Team) -> dict[str, dict[str, str | None]]:
    """path -> what the ledger says of it."""
    found = team.ask(
        "select path, d.category, d.reason, title from documents d left join contents using (content_hash)"
    )
    return {row["path"]: row for row in found}


def place(vector: Vector) -> str:
    """Two vectors may have one file name."""
    return f"{VECTORS.index(vector):03}/{vector.file}"


def bare(text: str) -> str:
    return "".join(text.split())


def misses(vector: Vector, text: str) -> list[str]:
    """Return what the text lacks, and what it shouldn't hold."""
    text = bare(text)
    lacks = [f"lacks {words!r}" for words in vector.must_include if bare(words) not in text]
    return lacks + [f"holds {words!r}" for words in vector.must_not_include if bare(words) in text]


@every_vector
def test_through_bytes(vector: Vector) -> None:
    try:
        parsed = parsers.parse(io.BytesIO(made(vector)), vector.file, Limits())
    except SkipDocument as skip:
        assert (skip.category, vector.reason in skip.reason) == (vector.category, True), skip.reason
        return
    assert not vector.category
    assert misses(vector, render(parsed.blocks).text + title_of(parsed)) == []


@every_vector
def test_through_a_refresh(vector: Vector, team: Team, rows: dict[str, dict[str, str | None]]) -> None:
    row = rows[place(vector)]
    text = team.saero().mirror.read(SOURCE, place(vector))
    assert (row["category"] or "", vector.reason in (row["reason"] or "")) == (vector.category, True), row["reason"]
    assert (text is None) == bool(vector.category)
    assert misses(vector, (text or "") + (row["title"] or "")) == []


@every_vector
def test_through_saero_show(vector: Vector, team: Team, rows: dict[str, dict[str, str | None]]) -> None:
    config = str(team.home / "saero.toml")
    shown = CliRunner().invoke(saero, ["--config", config, "show", f"{SOURCE}/{place(vector)}"])
    if vector.category:
        assert shown.exit_code != 0
    else:
        assert (shown.exit_code, misses(vector, shown.output + (rows[place(vector)]["title"] or ""))) == (0, [])


def test_a_vector_says_what_must_be_there_or_why_it_is_refused() -> None:
    """One that asks for nothing can't fail; a category alone doesn't say what a person can do."""
    idle = [one.name for one in VECTORS if bool(one.category) == bool(one.must_include or one.must_not_include)]
    mute = [one.name for one in VECTORS if bool(one.category) != bool(one.reason)]
    assert (idle, mute) == ([], [])


def test_making_a_vector_twice_gives_the_same_bytes() -> None:
    assert [one.name for one in VECTORS if one.make() != made(one)] == []
