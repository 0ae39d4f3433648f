"""Another encoder: what it reads is measured anew, and an index is never emptied in silence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes import FakeEncoder
from team import Team, prose


class Letters(FakeEncoder):
    """Another tokenizer: two tokens a word."""

    def __init__(self, most: int) -> None:
        super().__init__("letters@1")
        self.tokenizer_id, self.max_tokens = "letters", most

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [2 * len(text.split()) + 2 for text in texts]


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    for number in range(6):
        team.write(f"개발/{number}.md", prose(str(number)))
    team.night()
    return team


def sizes(team: Team) -> list[int]:
    return [row["n_tokens"] for row in team.rows()]


def test_an_encoder_that_reads_less_cuts_every_passage_anew(team: Team) -> None:
    letters = sorted("".join(team.words().split()))
    before = team.saero().reader().record.chunker
    assert max(sizes(team)) > 30
    team.encoder = FakeEncoder("words@small")
    team.encoder.max_tokens = 30
    run = team.night()
    assert run.published and not run.memory["rows"].withheld and max(sizes(team)) <= 30
    assert sorted("".join(team.words().split())) == letters
    assert team.saero().reader().record.chunker != before
    team.encoder = FakeEncoder()
    team.night()
    assert max(sizes(team)) > 30 and team.night().embedded == 0


def test_another_tokenizer_counts_equal_texts_anew(team: Team) -> None:
    before = {row["chunk_hash"]: row["n_tokens"] for row in team.rows()}
    team.encoder = Letters(140)
    team.night()
    after = {row["chunk_hash"]: row["n_tokens"] for row in team.rows()}
    same = before.keys() & after.keys()
    assert same and all(after[key] == 2 * before[key] - 2 for key in same)


def test_an_encoder_of_the_same_tokenizer_and_limits_cuts_nothing(team: Team) -> None:
    before = team.ask("select body_hash, made_at from bodies order by 1")
    team.encoder = FakeEncoder("words@2")
    team.night()
    assert team.ask("select body_hash, made_at from bodies order by 1") == before
