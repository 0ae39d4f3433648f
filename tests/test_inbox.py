"""The inbox: what searches leave is counted once, whatever happens in between, and no search fails because of it."""

from __future__ import annotations

import errno
import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from team import Team, prose

from assets.stages import inbox as stage
from resources.build import Saero
from resources.inbox import Inbox
from saero.cli import main

QUESTION = "결제 타임아웃 설정값"
TEXTS = "[search_log]\ntext = true\n"


@pytest.fixture(scope="module")
def refreshed(tmp_path_factory: pytest.TempPathFactory) -> Team:
    team = Team(tmp_path_factory.mktemp("inbox"), {"개발": 'review_after = "P180D"', "정책": ""})
    path = team.write("개발/결제.md", ["설정값 안내: 결제 타임아웃은 읽기 30초, 연결 5초이다."])
    old = datetime(2020, 1, 1, tzinfo=UTC).timestamp()
    os.utime(path, (old, old))
    os.utime(team.write("개발/옛것.md", prose("old", 2)), (old - 9e6, old - 9e6))
    team.write("정책/연차.md", prose("leave", 2))
    team.night()
    return team


@pytest.fixture
def team(refreshed: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    team = refreshed.twin(tmp_path)
    monkeypatch.setattr(Saero, "query_encoder", team.encoder, raising=False)
    return team


def saero(team: Team, capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    capsys.readouterr()
    main(["--config", str(team.home / "saero.toml"), *args, "--json"])
    return json.loads(capsys.readouterr().out)


def counted(team: Team) -> dict[str, int]:
    rows = team.ask("select source || '/' || path as place, sum(times)::bigint as times from found group by all")
    return {row["place"]: row["times"] for row in rows}


def inbox(team: Team) -> Inbox:
    return Inbox(team.home / "state")


def test_a_search_leaves_what_it_showed_and_no_word_of_the_question(
    team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = saero(team, capsys, "search", QUESTION)
    assert shown["results"][0]["path"] == "결제.md"
    line = inbox(team).path.read_text(encoding="utf-8")
    assert "결제.md" in line and QUESTION not in line
    assert inbox(team).path.stat().st_mode & 0o777 == 0o600
    team.night()
    assert counted(team)["개발/결제.md"] == 1
    assert team.ask("select * from questions") == []


def test_a_line_is_counted_once_however_often_its_file_is_read(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    saero(team, capsys, "search", QUESTION)
    for _ in range(3):
        team.night()
    assert counted(team)["개발/결제.md"] == 1
    assert not inbox(team).path.exists() and not inbox(team).aside.exists()


@pytest.mark.parametrize("step", ["_read", "set_aside", "expire"])
@pytest.mark.parametrize("after", [True, False])
def test_a_run_that_is_killed_between_loses_and_doubles_nothing(
    team: Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    saero(team, capsys, "search", QUESTION)
    team.night()
    saero(team, capsys, "search", QUESTION)
    place = {"_read": stage, "set_aside": Inbox, "expire": stage.store}[step]
    real = getattr(place, step)

    def killed(*args: Any) -> None:
        if after:
            real(*args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(place, step, killed)
        with pytest.raises(KeyboardInterrupt):
            team.night()
    saero(team, capsys, "search", QUESTION)
    team.night()
    team.night()
    assert counted(team)["개발/결제.md"] == 3


def test_a_line_written_after_the_file_was_read_is_taken_in_by_the_next_run(
    team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    saero(team, capsys, "search", QUESTION)
    late = inbox(team).path.open("ab")  # as a search that opened the file just before the run
    team.night()
    line = json.loads(inbox(team).taken().split()[0]) | {"id": "late"}
    late.write(b"\n" + json.dumps(line).encode() + b"\n")
    late.close()
    team.night()
    assert counted(team)["개발/결제.md"] == 2


def test_two_hundred_lines_at_once_are_all_there(tmp_path: Path) -> None:
    box = Inbox(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: box.append({"id": str(number), "text": "가" * 3000}), range(200)))
    lines = [json.loads(line) for line in box.path.read_bytes().split(b"\n") if line]
    assert {line["id"] for line in lines} == {str(number) for number in range(200)}


def test_a_torn_line_spoils_no_other(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    saero(team, capsys, "search", QUESTION)
    with inbox(team).path.open("ab") as file:
        file.write(b'\n{"id": "x", "kind": "search", "at": "2026-\xea')
    saero(team, capsys, "search", QUESTION)
    with inbox(team).path.open("ab") as file:
        file.write(b'\n[1]\n{"id":"y","kind":"search","at":"no time","found":[]}\n{"id":"z","kind":"feedback"}\n')
    team.night()
    assert counted(team)["개발/결제.md"] == 2


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_search_answers_though_nothing_can_be_written(
    team: Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, "write", refuse)
    assert saero(team, capsys, "search", QUESTION)["results"]


def test_a_search_answers_though_the_inbox_is_a_folder(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    inbox(team).path.mkdir()
    assert saero(team, capsys, "search", QUESTION)["results"]


# Texts


@pytest.mark.parametrize("name", ["path", "aside"])
def test_a_night_is_not_lost_for_an_inbox_that_can_not_be_read(team: Team, name: str) -> None:
    place = getattr(inbox(team), name)
    place.unlink(missing_ok=True)
    place.mkdir()
    assert team.night().published and team.findings() == {
        ("review_due", "개발/결제.md"),
        ("review_due", "개발/옛것.md"),
    }


def test_texts_are_kept_when_asked_for_and_leave_after_90_days(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    team.settings({"개발": "", "정책": ""}, TEXTS)
    saero(team, capsys, "search", QUESTION)
    run = team.night()
    assert [row["question"] for row in team.ask("select question from questions")] == [QUESTION]
    team.night(now=run.now + timedelta(days=89))
    assert team.ask("select * from questions")
    team.night(now=run.now + timedelta(days=91))
    assert team.ask("select * from questions") == []
    assert counted(team)["개발/결제.md"] == 1


def test_texts_leave_when_they_are_not_asked_for_any_more(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    team.settings({"개발": "", "정책": ""}, TEXTS)
    saero(team, capsys, "search", QUESTION)
    team.night()
    team.settings({"개발": "", "정책": ""})
    team.night()
    assert team.ask("select * from questions") == []


def test_no_backup_holds_a_question(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    from resources.backup import newest_backup

    team.settings({"개발": "", "정책": ""}, TEXTS)
    saero(team, capsys, "search", QUESTION)
    team.night()
    kept = "\n".join(newest_backup(team.home / "state" / "backup"))
    assert "결제.md" in kept and QUESTION not in kept


# Old and often found


def test_what_is_old_and_often_found_comes_first(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    assert [one["path"] for one in saero(team, capsys, "documents", "review")["due"]] == ["옛것.md", "결제.md"]
    saero(team, capsys, "search", QUESTION)
    team.night()
    due = saero(team, capsys, "documents", "review")["due"]
    assert (due[0]["path"], due[0]["kinds"]) == ("결제.md", ["review_due"])
    assert due[0]["found"] == 1


def test_counts_follow_a_renamed_document(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    saero(team, capsys, "search", QUESTION)
    team.night()
    team.file("개발/결제.md").rename(team.file("개발/결제 설정.md"))
    team.night()
    assert saero(team, capsys, "documents", "review")["due"][0]["path"] == "결제 설정.md"


# Feedback


def chunk_of(team: Team, name: str) -> str:
    return next(str(row["chunk_id"]) for row in team.rows() if row["path"] == name)


def test_a_passage_called_wrong_is_a_finding_until_it_is_looked_at(
    team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    said = saero(team, capsys, "feedback", chunk_of(team, "결제.md"), "-1", "--query", QUESTION)
    assert (said["source"], said["path"], said["vote"]) == ("개발", "결제.md", -1)
    team.night()
    team.night()
    assert ("feedback", "개발/결제.md") in team.findings()
    assert saero(team, capsys, "documents", "review")["due"][0]["votes"] == 1
    saero(team, capsys, "documents", "review", "개발/결제.md")
    team.night()
    assert ("feedback", "개발/결제.md") not in team.findings()


@pytest.mark.parametrize("cure", ["changed", "praised", "deleted"])
def test_a_finding_of_feedback_ends_with_its_cause(team: Team, capsys: pytest.CaptureFixture[str], cure: str) -> None:
    chunk = chunk_of(team, "결제.md")
    saero(team, capsys, "feedback", chunk, "-1")
    team.night()
    if cure == "changed":
        team.write("개발/결제.md", prose("new", 2))
    elif cure == "deleted":
        team.file("개발/결제.md").unlink()
    else:
        saero(team, capsys, "feedback", chunk, "+1")
    team.night()
    assert "feedback" not in {kind for kind, _ in team.findings()}


def test_feedback_on_no_passage_is_refused(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--config", str(team.home / "saero.toml"), "feedback", "nothing", "-1"])
    assert ended.value.code == 2
    assert "nothing: no passage" in capsys.readouterr().err
    assert not inbox(team).path.exists()


def test_feedback_that_can_not_be_written_says_so(
    team: Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox(team).path.mkdir()
    with pytest.raises(SystemExit) as ended:
        main(["--config", str(team.home / "saero.toml"), "feedback", chunk_of(team, "결제.md"), "+1"])
    assert ended.value.code == 1
    assert "inbox.jsonl" in capsys.readouterr().err
