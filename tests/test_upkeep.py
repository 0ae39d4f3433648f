"""What nothing needs any more leaves after 90 days, and what exists nowhere else survives the ledger."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from team import Team, prose

from pipelines.tokens import TOKENS_VERSION
from resources.backup import KEPT, newest_backup, write_backup
from resources.ledger import decisions, reviews
from resources.ledger.rows import insert
from resources.ledger.sweep import sweep

START = datetime(2026, 12, 1, 2, tzinfo=UTC)
DAYS_89, DAYS_91 = timedelta(days=89), timedelta(days=91)
CACHES = ("contents", "bodies", "chunks", "texts", "morphemes", "vectors", "places", "names")


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    for name in ("a", "b", "c"):
        team.write(f"개발/{name}.md", prose(name, 3))
    team.night(now=START)
    return team


def kept(team: Team) -> dict[str, int]:
    counts = {table: team.ask(f"select count(*) as n from {table}")[0]["n"] for table in CACHES}
    return {**counts, "files": len(list((team.home / "state" / "bodies").rglob("*.zst")))}


def words(team: Team, text: str) -> bool:
    return bool(team.ask(f"select 1 from texts where contains(text, '{text[:40]}')"))


# Sweeping


def test_a_deleted_document_leaves_every_cache_after_90_days(team: Team) -> None:
    before = kept(team)
    team.file("개발/a.md").unlink()
    team.night(now=START + timedelta(days=1))
    assert team.ask("select state, gone_at from documents where path = 'a.md'") == [
        {"state": "gone", "gone_at": START + timedelta(days=1)}
    ]
    team.night(now=START + DAYS_89)
    assert words(team, prose("a", 3)[0]) and kept(team) == {**before, "names": 2}
    team.night(now=START + DAYS_91)
    after = kept(team)
    assert not words(team, prose("a", 3)[0]) and words(team, prose("b", 3)[0])
    assert after["contents"] == after["bodies"] == after["files"] == 2 and all(after[t] < before[t] for t in CACHES)
    assert not team.ask("select * from documents where path = 'a.md'")


def test_an_edited_documents_former_text_leaves_too(team: Team) -> None:
    team.write("개발/a.md", prose("rewritten", 3))
    team.night(now=START + timedelta(days=1))
    assert words(team, prose("a", 3)[0])
    team.night(now=START + timedelta(days=92))
    assert not words(team, prose("a", 3)[0]) and words(team, prose("rewritten", 3)[0])
    assert kept(team)["files"] == kept(team)["contents"] == 3


def test_what_comes_back_in_time_costs_nothing_and_starts_anew(team: Team) -> None:
    aside = shutil.move(team.file("개발/a.md"), team.home / "aside.md")
    team.night(now=START + timedelta(days=1))
    shutil.move(aside, team.file("개발/a.md"))
    run = team.night(now=START + DAYS_89)
    assert run.embedded == 0 and not team.ask("select * from idle")
    team.file("개발/a.md").unlink()
    team.night(now=START + timedelta(days=100))
    team.night(now=START + timedelta(days=100) + DAYS_89)
    assert words(team, prose("a", 3)[0])


def test_what_was_asked_of_a_vanished_document_leaves_and_the_answer_stays(team: Team) -> None:
    bodies = {row["path"]: row["body_hash"] for row in team.ask("select path, body_hash from documents")}
    with team.saero().ledger.transaction("test") as con:
        for one, other in (("a.md", "b.md"), ("b.md", "c.md")):
            a, b = bodies[one], bodies[other]
            item = reviews.new_item(one, "contradiction", a_body=a, b_body=b, evidence={})
            insert(con, "review_items", [{**item, "opened_at": START, "closed_at": START}])
            insert(con, "replacements", [{"older_body": a, "newer_body": b, "ended_at": START}])
            reviews.answer(con, item, "reject", START)
    team.file("개발/a.md").unlink()
    for after, left in ((timedelta(days=1), 2), (DAYS_89, 2), (DAYS_91, 1)):
        with team.saero().ledger.transaction("test") as con:
            con.execute("update documents set state = 'gone', gone_at = ? where path = 'a.md'", [START])
            sweep(con, encoder_id=team.encoder.encoder_id, tokens_version=TOKENS_VERSION, now=START + after)
        for table in ("review_items", "replacements"):
            assert len(team.ask(f"select * from {table}")) == left
    with team.saero().ledger.transaction("test") as con:
        assert set(reviews.answers(con)) == {"a.md", "b.md"}


def test_what_a_copy_holds_stays(team: Team) -> None:
    shutil.copy2(team.file("개발/a.md"), team.file("정책/사본.md"))
    team.night(now=START + timedelta(days=1))
    team.file("개발/a.md").unlink()
    team.night(now=START + timedelta(days=2))
    run = team.night(now=START + timedelta(days=200))
    assert run.embedded == 0 and prose("a", 3)[0] in team.words() and kept(team)["files"] == 3


def test_vectors_of_an_encoder_that_is_used_no_longer_leave(team: Team) -> None:
    from fakes import FakeEncoder

    count = kept(team)["vectors"]
    team.encoder = FakeEncoder("words@2")
    team.night(now=START + timedelta(days=1))
    assert kept(team)["vectors"] == 2 * count
    team.night(now=START + timedelta(days=92))
    assert team.ask("select distinct encoder_id from vectors") == [{"encoder_id": "words@2"}]


def test_a_quiet_night_notes_nothing(team: Team) -> None:
    team.night(now=START + timedelta(days=1))
    assert not team.ask("select * from idle")


# The copy of what exists nowhere else


def test_decisions_pins_and_mails_survive_a_lost_ledger(tmp_path: Path) -> None:
    team = Team(tmp_path, rest='[[canaries]]\nquery = "결제 타임아웃 설정값"\nmin_score = 0.3\n')
    team.write("개발/결제.md", ["설정값 안내: 결제 타임아웃은 읽기 30초, 연결 5초이다."])
    team.night()
    with team.saero().ledger.transaction("test") as con:
        value = {"until": "2099-01-01T00:00:00+00:00"}
        decisions.add(con, decision_id="d1", kind="renew", subject="body", value=value, now=START)
    team.night()
    tables = ("decisions", "canaries", "mails", "canary_history")
    before = {table: team.ask(f"select * from {table} order by all") for table in tables}
    (team.home / "state" / "ledger.duckdb").unlink()
    run = team.night()
    after = {table: team.ask(f"select * from {table} order by all") for table in tables}
    assert all(after[table] == before[table] for table in ("decisions", "mails"))
    assert [row for row in after["canary_history"] if row["run_id"] != run.id] == before["canary_history"]
    assert after["canaries"][0]["pinned_chunk"] and after["canaries"][0]["state"] == "ok"


def test_vectors_of_a_lost_ledger_are_taken_from_the_index(tmp_path: Path) -> None:
    team = Team(tmp_path)
    for n in range(3):
        team.write(f"개발/문서{n}.md", prose(f"document {n}"))
    before = team.night()
    (team.home / "state" / "ledger.duckdb").unlink()
    team.write("개발/새 문서.md", prose("new"))
    run = team.night()
    assert (run.reused, run.embedded) == (before.embedded, before.embedded // 3)
    assert run.counts["chunks"]["removed"] == 0 and len(team.rows()) == run.reused + run.embedded


def test_what_a_person_decided_before_the_first_run_stands(team: Team) -> None:
    from resources.ledger import canaries as store

    (team.home / "state" / "ledger.duckdb").unlink()
    with team.saero().ledger.transaction("test") as con:
        store.add(con, [{"canary_id": "x", "query": "x", "origin": "cli", "since": START}])
    team.night()
    assert len(team.ask("select * from canaries")) == 1


def test_fourteen_copies_are_kept_and_a_damaged_one_is_passed_over(tmp_path: Path) -> None:
    for day in range(20):
        newest = write_backup(tmp_path / "backup", START.date() + timedelta(days=day), [f'{{"day": {day}}}'])
    assert len(list((tmp_path / "backup").iterdir())) == KEPT
    assert newest_backup(tmp_path / "backup") == ['{"day": 19}']
    newest.write_bytes(newest.read_bytes()[:10])
    assert newest_backup(tmp_path / "backup") == ['{"day": 18}']
    assert newest_backup(tmp_path / "nothing") == []
