"""Nights on which several documents hold one body: which serves, and how long."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from office_makers import make_docx
from sheet_makers import make_eml
from team import Team, markdown, prose

from pipelines.records import Block


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


def test_a_sound_copy_takes_over_from_a_damaged_original_and_gives_it_back(team: Team) -> None:
    paragraphs = prose("rules")
    whole = make_docx([Block("paragraph", text) for text in paragraphs])
    first = team.write("개발/원본.docx", whole)
    team.night()
    team.write("정책/사본.md", paragraphs)
    team.night()
    texts = team.served()["개발/원본.docx"]
    first.write_bytes(whole[:900])
    assert team.night().embedded == 0
    assert team.served() == {"정책/사본.md": texts} and team.rows()[0]["flags"] == "[]"
    assert team.states() == {"개발/원본.docx": "failed", "정책/사본.md": "live"}
    first.write_bytes(whole)
    assert team.night().embedded == 0 and set(team.served()) == {"개발/원본.docx"}


def test_a_copy_in_a_reachable_folder_serves_while_the_original_is_held(team: Team) -> None:
    team.write("정책/원본.md", prose("rules"))
    team.night()
    team.write("개발/사본.md", prose("rules"))
    team.night()
    assert set(team.served()) == {"정책/원본.md"}
    team.file("정책").rename(team.file("away"))
    assert team.night().embedded == 0
    assert set(team.served()) == {"개발/사본.md"} and team.states()["정책/원본.md"] == "held"


def test_a_copy_made_while_the_original_is_out_of_reach_is_no_move(team: Team) -> None:
    team.write("정책/원본.md", prose("rules"))
    team.night()
    team.write("개발/가 사본.md", prose("rules"))
    team.night()
    team.file("정책").rename(team.file("away"))
    team.night()
    team.write("개발/가.md", prose("rules"))
    run = team.night()
    assert run.memory["renamed"] == 0 and set(team.served()) == {"개발/가 사본.md"}
    team.file("away").rename(team.file("정책"))
    team.night()
    assert set(team.served()) == {"정책/원본.md"}


def test_a_copy_that_never_expires_keeps_the_body_searchable(team: Team) -> None:
    noon = datetime(2027, 1, 31, 12, tzinfo=UTC)
    team.write("개발/공지.md", "---\nexpires_at: 2027-01-31\n---\n\n" + markdown(prose("notice")))
    team.night(now=noon)
    assert team.rows()[0]["expires_at"] == datetime(2027, 1, 31, 15, tzinfo=UTC)
    team.write("정책/공지.md", "---\nexpires_at: 2027-03-31\n---\n\n" + markdown(prose("notice")))
    team.night(now=noon)
    assert set(team.served()) == {"개발/공지.md"}
    assert team.rows()[0]["expires_at"] == datetime(2027, 3, 31, 15, tzinfo=UTC)
    team.write("정책/사본.md", prose("notice"))
    team.night(now=noon)
    assert team.rows()[0]["expires_at"] is None


def test_a_copy_whose_words_are_gone_is_no_copy_any_more(team: Team) -> None:
    def mail(text: str) -> bytes:
        when = datetime(2026, 11, 2, 9, tzinfo=UTC)
        attached = [("약관.txt", "\n\n".join(prose("terms")).encode())]
        return make_eml("견적", "lee@example.com", "kim@example.com", when, text, attachments=attached)

    text = " ".join(prose("letter"))
    team.write("개발/1.eml", mail(text))
    team.night()
    second = team.write("개발/2.eml", mail(text))
    team.night()
    assert team.states()["개발/2.eml"] == "duplicate"
    second.write_bytes(mail(""))
    team.night()
    rows = team.ask("select state, duplicate_of from documents where path = '2.eml'")
    assert rows == [{"state": "live", "duplicate_of": None}]
