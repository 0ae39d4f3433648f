"""What a file's name may do: it helps to find a passage and changes no score."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from team import Team, prose

from pipelines.score import TEXT
from pipelines.search import Query, Wanted, score_pair
from pipelines.tokens import own_tokens, query_terms, with_names
from resources.searcher import Searcher

QUESTION = "연차 이월 한도"


def searcher(team: Team) -> Searcher:
    saero = team.saero()
    return Searcher(saero.reader(), saero.query_encoder)


def pair_scores(team: Team) -> set[float]:
    asked = searcher(team)
    return {asked.pair_score(asked.query(QUESTION), row) for row in team.rows()}


def test_a_copy_named_after_the_question_moves_no_score(tmp_path: Path) -> None:
    team = Team(tmp_path)
    original = team.write("정책/a.md", prose("a", 2))
    team.night()
    before = pair_scores(team)
    shutil.copy2(original, team.file(f"정책/{QUESTION}.md"))
    run = team.night()
    assert run.embedded == 0 and pair_scores(team) == before
    original.rename(team.file(f"정책/{QUESTION} (1).md"))
    team.night()
    assert pair_scores(team) == before


def test_a_document_is_found_by_its_name(tmp_path: Path) -> None:
    team = Team(tmp_path)
    team.write(f"정책/{QUESTION}.md", prose("a", 2))
    for name in ("b", "c"):
        team.write(f"정책/{name}.md", prose(name, 2))
    team.night()
    now = team.saero().reader().record.published_at
    found = searcher(team).search([QUESTION], now=now, wanted=Wanted(weak_too=True, mode="text"))
    assert {result.row["path"] for result in found.results[:2]} == {f"{QUESTION}.md"}
    assert all(result.score < 0.3 for result in found.results)


def test_no_token_of_a_text_is_taken_for_the_mark() -> None:
    own = "결제 =api_v3 =a=|b"
    assert own_tokens(with_names(own, "한도 이월")) == own == own_tokens(with_names(own, ""))
    assert own_tokens(with_names("", "한도")) == ""
    assert not any(term == "=|" for term, _ in query_terms("=| a=|b =|가 ||"))


def test_a_code_in_the_name_counts_less_than_one_in_the_passage() -> None:
    def score(tokens: str) -> float:
        row: dict[str, Any] = {
            "chunk_id": "1",
            "title": "",
            "heading": [],
            "text": "점검 항목",
            "tokens": tokens,
            "vector": None,
        }
        query = Query("ERR-4012 점검", query_terms("ERR-4012 점검"))
        return score_pair(query, row, TEXT)

    # A passage under another code is about another thing; one whose document is named after the code is not.
    assert score("점검 항목") < score(with_names("점검 항목", "=err-4012")) < score("점검 항목 =err-4012")
