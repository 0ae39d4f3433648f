"""What a row says of its document, so that --include finds it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from office_makers import make_docx
from team import Team, markdown, prose

from pipelines.records import Block
from pipelines.search import Wanted
from resources.searcher import Include, Searcher

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)


def docx(paragraphs: list[str]) -> bytes:
    return make_docx([Block("paragraph", text) for text in paragraphs])


def found(team: Team, question: str, include: Include, now: datetime) -> set[str]:
    saero = team.saero()
    wanted = Wanted(top_k=50, weak_too=True, mode="text")
    ranking = Searcher(saero.reader(), saero.query_encoder).search(
        [question], now=now, wanted=wanted, include=[include]
    )
    return {result.row["path"] for result in ranking.results}


@pytest.mark.parametrize("trouble", ["damaged", "away"])
def test_a_superseded_document_is_found_on_request_whatever_happens_to_its_file(tmp_path: Path, trouble: str) -> None:
    team = Team(tmp_path)
    old = prose("plan", 8)
    path = team.write("개발/기획서_v1.docx", docx(old))
    team.write("정책/기획서.md", prose("policy"))
    team.night()
    team.write("개발/기획서_v2.docx", docx(old[1:]))
    team.night()
    if trouble == "damaged":
        path.write_bytes(path.read_bytes()[:900])
    else:
        folder = team.file("개발")
        folder.rename(folder.with_name("away"))
    team.night()
    assert team.states()["개발/기획서_v1.docx"] == ("failed" if trouble == "damaged" else "held")
    question = old[0].split()[0]
    assert "기획서_v1.docx" in found(team, question, "superseded", datetime.now(UTC))
    assert "기획서_v1.docx" not in found(team, question, "expired", datetime.now(UTC))


def test_an_expired_document_of_a_folder_that_is_away_is_found_on_request(tmp_path: Path) -> None:
    team = Team(tmp_path)
    notice = prose("notice", 1)
    team.write("정책/공지.md", "---\nexpires_at: 2026-11-05\n---\n\n" + markdown(notice))
    team.write("개발/a.md", prose("a"))
    team.night(now=NOW)
    folder = team.file("정책")
    folder.rename(folder.with_name("away"))
    later = NOW + timedelta(days=9)
    team.night(now=later)
    assert team.states()["정책/공지.md"] == "held"
    assert found(team, notice[0].split()[0], "expired", later) >= {"공지.md"}
    assert "공지.md" not in found(team, notice[0].split()[0], "superseded", later)
