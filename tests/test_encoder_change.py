"""Another encoder: what it reads is measured anew, and an index is never emptied in silence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from fakes import FakeEncoder
from team import Team, prose

from assets.stages.quality import judge
from assets.stages.rows import desired_rows
from resources.build import Options, open_run
from resources.ledger.passages import put_withheld


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


def judged(team: Team, options: Options | None = None) -> dict[str, bool]:
    with open_run(team.saero(), "judged", trigger="test", wait=timedelta(0), options=options) as run:
        return {check.name: check.passed for check in judge(run)}


def test_rows_withheld_in_great_number_block_every_night_until_a_person_publishes(team: Team) -> None:
    assert all(judged(team).values())
    team.encoder.max_tokens = 20  # a limit that the chunks on hand are over
    for _ in range(2):
        checks = judged(team)
        assert [name for name, passed in checks.items() if not passed] == ["few_rows_withheld"]
    assert all(judged(team, Options(publish=True)).values())


def test_rows_withheld_before_the_last_publication_block_nothing(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assets.stages.rows.ROWS_VERSION", "another rule")
    monkeypatch.setattr("assets.stages.rows.bad_rows", lambda rows, max_tokens: {r["chunk_id"]: "x" for r in rows[:12]})
    assert not judged(team)["few_rows_withheld"]
    team.night(Options(publish=True))
    assert judged(team)["few_rows_withheld"]


def test_a_first_publication_can_take_nothing_away(tmp_path: Path) -> None:
    team = Team(tmp_path)
    team.encoder.max_tokens = 1000
    with open_run(team.saero(), "never", trigger="test", wait=timedelta(0)) as run:
        rows = desired_rows(run)
        run.memory["rows"] = replace(rows, withheld={str(n): "too long" for n in range(99)})
        with run.saero.ledger.transaction("test") as con:
            put_withheld(con, run.memory["rows"].withheld, run.now)
        assert {check.name for check in judge(run) if not check.passed} == set()


QUESTIONS = """
[[canaries]]
query = "결제 타임아웃"
expect_text = "읽기 30초"
min_score = 0.1

[[canaries]]
query = "연차 이월 한도"
min_score = 0.1
"""


def test_canaries_keep_their_passages_when_bodies_are_cut_anew(tmp_path: Path) -> None:
    team = Team(tmp_path, rest=QUESTIONS)
    texts = ["결제 타임아웃 설정값은 이 문서에 적는다.", "결제 타임아웃: 읽기 30초, 연결 5초."]
    team.write("개발/결제.md", [*texts, *prose("payment", 3, 10)])
    team.write("정책/연차.md", ["연차 이월 한도는 다음 해로 5일까지이다.", *prose("leave", 3, 10)])
    team.night()
    team.night()
    asked = "select query, state, pinned_chunk, baseline from canaries order by query"
    before = team.ask(asked)
    assert {row["state"] for row in before} == {"ok"}
    mails = team.mails()
    team.encoder = FakeEncoder("words@small")
    team.encoder.max_tokens = 26
    run = team.night()
    after = team.ask(asked)
    assert run.published and run.held is None and team.mails() == mails
    assert {row["state"] for row in after} == {"ok"} and all(row["baseline"] for row in after)
    assert all(old["pinned_chunk"] != new["pinned_chunk"] for old, new in zip(before, after, strict=True))
