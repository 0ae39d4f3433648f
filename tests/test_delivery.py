"""From a refresh to a mailbox: a real server on this machine, away for a while, and what `saero alerts` says of it."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from postbox import Postbox, serving
from quick_corpus import quick_corpus, saero
from team import Team, markdown, prose

from resources.ledger.outbox import MAX_ATTEMPTS
from resources.post import send_queued
from saero.cli import saero as command_line

FIRST = datetime(2027, 3, 1, 17, tzinfo=UTC)
BROKEN = b"PK\x03\x04 no document"


def mail_settings(port: int, rest: str = 'recipients = ["lead@example.com"]') -> str:
    return f'\n[mail]\nhost = "127.0.0.1"\nport = {port}\nsender = "saero@example.com"\ndigest = "nightly"\n{rest}\n'


def free_port() -> int:
    with serving(Postbox()) as port:
        return port


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    team.write("개발/API.md", prose("api"))
    team.write("정책/보안.md", prose("security"))
    return team


def connect(team: Team, port: int, rest: str = 'recipients = ["lead@example.com"]') -> None:
    team.settings({"개발": "", "정책": ""}, mail_settings(port, rest))


def alerts(team: Team, *arguments: str) -> str:
    result = CliRunner().invoke(command_line, ["--config", str(team.home / "saero.toml"), "alerts", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_refresh_of_the_command_line_reaches_the_mailbox_once_and_intact(tmp_path: Path) -> None:
    postbox = Postbox()
    folder = quick_corpus(tmp_path)
    with serving(postbox) as port:
        settings = (folder / "saero.toml").read_text(encoding="utf-8") + mail_settings(port)
        (folder / "saero.toml").write_text(settings, encoding="utf-8")
        for _ in range(2):
            done = saero("refresh", "--json", cwd=folder)
            assert done.returncode == 0, done.stderr
    assert sorted(to for to, _ in postbox.received) == ["lead@example.com", "pm@example.com"]
    (mail,) = postbox.mails
    assert str(mail["Subject"]).startswith("[새로] 첫 점검: 문서 8개 (")
    assert mail["From"] == "saero@example.com"
    for kind in ("plain", "html"):
        part = mail.get_body((kind,))
        assert part is not None and "검색에서 빠진 파일" in part.get_content()
    assert not list((folder / ".saero" / "outbox").glob("*.eml"))


def test_a_server_that_was_away_for_three_runs_gets_every_mail_once(team: Team) -> None:
    postbox, port = Postbox(), free_port()
    connect(team, port)
    team.night(now=FIRST)
    team.write("개발/깨짐.docx", BROKEN)
    for night in (1, 2):
        team.night(now=FIRST + timedelta(days=night))
    assert {row["state"] for row in team.ask("select state from mails")} == {"queued"}
    assert f"127.0.0.1:{port} is away" in alerts(team) and "보낼 예정" in alerts(team)
    with serving(postbox, port=port):
        team.night(now=FIRST + timedelta(days=3))
        team.night(now=FIRST + timedelta(days=4))
    subjects = [str(mail["Subject"]) for mail in postbox.mails]
    assert subjects[0] == "[새로] 첫 점검: 문서 2개 (3월 2일)"
    assert set(subjects[1:]) == {"[새로] 확인 1건: 개발 폴더 (3월 3일)"}
    assert set(Counter(postbox.received).values()) == {1}
    assert sorted(Counter(to for to, _ in postbox.received).items()) == [("lead@example.com", 2), ("pm@example.com", 2)]
    assert "is away" not in alerts(team)


def test_only_those_who_did_not_get_a_mail_get_it_again(team: Team) -> None:
    postbox = Postbox()
    with serving(postbox) as port:
        connect(team, port, 'recipients = ["lead@example.com", "full@example.com", "gone@example.com"]')
        team.night(now=FIRST)
        assert "452" in alerts(team) or "full@example.com" in alerts(team)
        team.night(now=FIRST + timedelta(days=1))
    assert Counter(to for to, _ in postbox.received) == {"lead@example.com": 1, "pm@example.com": 1}


def test_a_mail_that_was_given_up_goes_when_a_person_says_so(team: Team) -> None:
    postbox, port = Postbox(), free_port()
    connect(team, port)
    team.night(now=FIRST)
    for _ in range(MAX_ATTEMPTS - 1):
        send_queued(team.saero(), FIRST)
    assert "보내지 못함" in alerts(team)
    with serving(postbox, port=port):
        team.night(now=FIRST + timedelta(days=1))
        assert not postbox.mails
        assert "보냄 1" in alerts(team, "--send")
    assert len(postbox.mails) == 1


def test_what_nobody_was_told_has_no_mail(team: Team) -> None:
    team.night(now=FIRST)
    path = team.write("개발/깨짐.docx", BROKEN)
    team.night(now=FIRST + timedelta(days=1))
    (row,) = json.loads(alerts(team, "--json"))["alerts"]
    assert (row["state"], row["mail"]) == ("open", "queued")
    path.unlink()
    team.night(now=FIRST + timedelta(days=2))
    (row,) = json.loads(alerts(team, "--json"))["alerts"]
    assert (row["state"], row["mail"]) == ("resolved", None)


def test_the_table_speaks_korean_and_the_json_english(team: Team) -> None:
    team.write("개발/깨짐.docx", BROKEN)
    team.night(now=FIRST)
    shown = alerts(team)
    assert all(word in shown for word in ("확인 필요", "검색에서 빠진 파일", "점검 결과 메일", "파일로 저장"))
    (row,) = json.loads(alerts(team, "--json"))["alerts"]
    assert (row["kind"], row["severity"], row["state"], row["mail"]) == ("unsearched", "digest", "open", "file")


def test_a_document_that_was_looked_at_is_due_no_more(team: Team) -> None:
    team.settings({"개발": 'review_after = "P180D"', "정책": ""})
    team.write("개발/규칙.md", "---\ndate: 2025-01-01\n---\n\n" + markdown(prose("rules")))
    team.night()
    assert ("review_due", "개발/규칙.md") in team.findings()
    told = ["--config", str(team.home / "saero.toml"), "documents", "review", "개발/규칙.md"]
    assert CliRunner().invoke(command_line, told).exit_code == 0
    team.night()
    assert ("review_due", "개발/규칙.md") not in team.findings()
