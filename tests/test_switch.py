"""Another encoder, chunker or parser: whoever searches meanwhile finds every document, whole."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO

import fakes
import pytest
from fakes import FakeEncoder
from team import Team, prose

from assets.stages import embed, index, meanwhile
from assets.stages.chunk import cut_bodies
from assets.stages.dedup import settle
from assets.stages.embed import embed_missing
from assets.stages.index import publish
from assets.stages.parse import parse_sources
from assets.stages.quality import judge
from pipelines import parsers
from pipelines.records import Limits, Parsed
from pipelines.search import Wanted
from resources.build import Run, open_run
from resources.reader import IndexReader
from resources.searcher import Searcher

DOCUMENTS = 12
SOURCES = {"개발": "", "정책": ""}
OFTEN = '[schedule]\npublish_every = "PT0S"\n'


def squeezed(text: str) -> str:
    return "".join(text.split())


@dataclass
class Watcher:
    """Opens the published index and searches it at every step of a run.

    encoders  the encoder of each index that was seen, in order; `bare` counts rows that were seen without a vector
    """

    team: Team
    expected: dict[str, str]
    asks_with: FakeEncoder = field(default_factory=FakeEncoder)
    looks: int = 0
    bare: int = 0
    encoders: list[str] = field(default_factory=list)
    chunkers: list[str] = field(default_factory=list)

    def look(self, step: object = None) -> None:
        reader = IndexReader(self.team.home / "state" / "index")
        rows = sorted(reader.get(), key=lambda row: (row["path"], row["ordinal"]))
        found: dict[str, str] = {}
        for row in rows:
            place = f"{row['source']}/{row['path']}"
            found[place] = found.get(place, "") + squeezed(row["text"])
        assert found == self.expected
        self.bare += sum(row["vector"] is None for row in rows)
        question = prose("7")[0].partition(" ")[0]
        searcher = Searcher(reader, self.asks_with)
        ranking = searcher.search([question], now=datetime.now(UTC), wanted=Wanted(top_k=3, weak_too=True))
        assert "7.md" in {hit.row["path"] for hit in ranking.results}
        for seen, name in ((self.encoders, reader.record.encoder), (self.chunkers, reader.record.chunker)):
            if seen[-1:] != [name]:
                seen.append(name)
        self.looks += 1


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    """A team that commits, and may publish, after every few passages."""
    for module, size in ((embed, 8), (index, 8)):
        monkeypatch.setattr(module, "BATCH", size)
    made = Team(tmp_path, SOURCES, OFTEN)
    for number in range(DOCUMENTS):
        made.write(f"개발/{number}.md", prose(str(number)))
    made.night()
    return made


def watched(team: Team, *, published: bool = True) -> Watcher:
    """Play one night under the eyes of a reader, who knows what every document says."""
    saero = team.saero()
    expected = {f"개발/{n}.md": squeezed(" ".join(prose(str(n)))) for n in range(DOCUMENTS)}
    watcher = Watcher(team, expected)
    with open_run(saero, "watched", trigger="test", wait=timedelta(0), listener=watcher.look) as run:
        for stage in stages(run, list(SOURCES)):
            stage()
            watcher.look()
    assert run.published is published and watcher.looks > 10
    return watcher


def stages(run: Run, names: list[str]) -> list[Callable[[], object]]:
    return [
        lambda: parse_sources(run, names),
        lambda: settle(run),
        lambda: cut_bodies(run),
        lambda: embed_missing(run),
        lambda: judge(run),
        lambda: publish(run),
    ]


def test_another_encoder_takes_over_at_once_and_at_the_end(team: Team) -> None:
    team.encoder = FakeEncoder("words@2")
    watcher = watched(team)
    assert watcher.encoders == ["words@1", "words@2"] and watcher.bare == 0


def test_an_encoder_that_reads_less_takes_over_with_passages_of_its_own(team: Team) -> None:
    team.encoder = FakeEncoder("words@small")
    team.encoder.max_tokens = 30
    watcher = watched(team)
    assert watcher.encoders == ["words@1", "words@small"] and len(watcher.chunkers) == 2 and watcher.bare == 0


def another_chunker(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pipelines.chunk", "assets.stages.chunk"):
        monkeypatch.setattr(f"{module}.CHUNKER_VERSION", "another")


def test_another_chunker_takes_over_when_its_passages_have_their_vectors(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_chunker(monkeypatch)
    watcher = watched(team)
    assert len(watcher.chunkers) == 2 and watcher.bare == 0


def ends_after(batches: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the night end when so many batches have their vectors."""
    now = datetime.now(UTC)
    moments = iter([now] * (batches + 1))
    monkeypatch.setattr(meanwhile, "_now", lambda: next(moments, now + timedelta(days=2)))


@pytest.mark.parametrize("changed", ["encoder", "chunker"])
def test_what_the_night_is_too_short_for_goes_on_the_next_one(
    team: Team, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    team.settings(SOURCES, OFTEN + 'stop_by = "07:00"\n')
    if changed == "encoder":
        team.encoder = FakeEncoder("words@2")
    else:
        another_chunker(monkeypatch)
    before = len(team.encoder.embedded)
    with monkeypatch.context() as patch:
        ends_after(2, patch)
        first = watched(team, published=False)
    assert len(first.encoders) == len(first.chunkers) == 1 and first.bare == 0
    second = watched(team)
    assert second.bare == 0 and (len(second.encoders), len(second.chunkers)).count(2) == 1
    made = team.encoder.embedded[before:]
    assert len(set(made)) == len(made) == len(team.rows())


def test_a_newer_parser_that_reads_the_same_changes_nothing(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    newer_parser(monkeypatch)
    before = len(team.encoder.embedded)
    watcher = watched(team)
    assert watcher.bare == 0 and len(team.encoder.embedded) == before


def newer_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("parse", "reading", "stored"):
        monkeypatch.setattr(f"assets.stages.{module}.PARSER_VERSION", "another")


def test_texts_of_an_older_parser_answer_while_those_of_a_newer_wait(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer_parser(monkeypatch)

    def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
        """Read one word more in every paragraph."""
        parsed = parsers.parse(io.BytesIO(file.read()), name, limits)
        return replace(parsed, blocks=tuple(replace(block, text=block.text + " 덧붙임") for block in parsed.blocks))

    monkeypatch.setattr(fakes, "parsers", SimpleNamespace(parse=parse))
    team.encoder = FakeEncoder("words@2")
    team.settings(SOURCES, OFTEN + 'stop_by = "07:00"\n')
    with monkeypatch.context() as patch:
        ends_after(1, patch)
        watched(team, published=False)
    team.night()
    assert team.words().count("덧붙임") == 6 * DOCUMENTS
