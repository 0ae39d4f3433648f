"""`refresh --plan` says what the next run does, and leaves the state as it was."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeEncoder
from team import Team, markdown, prose

from assets.stages.plan import COUNTED, plan_refresh
from pipelines.errors import Broken
from resources.build import Options, Run, open_run
from saero.planned import show_plan

DOCUMENTS = 24


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """A team of two nights."""
    team = Team(tmp_path_factory.mktemp("plan"))
    for number in range(DOCUMENTS):
        team.write(f"개발/{number}.md", prose(str(number)))
    team.write("정책/휴가.md", prose("leave"))
    team.night()
    team.night()
    return team


@pytest.fixture
def team(lived_in: Team, tmp_path: Path) -> Team:
    twin = lived_in.twin(tmp_path)
    twin.night()  # the copies have other inodes and times
    return twin


def state(team: Team) -> dict[str, tuple[int, int, bytes]]:
    """Return every file of the state: size, time, bytes."""
    folder = team.home / "state"
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.stat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (status.st_mtime_ns, status.st_ctime_ns, content)
    return found


def planned(team: Team, options: Options | None = None) -> dict[str, Any]:
    """Plan, and hold the plan to its promise that nothing is written."""
    before = state(team)
    saero = team.saero()
    plan = plan_refresh(saero, [one.name for one in saero.sources], options or Options(), datetime.now(UTC))
    assert state(team) == before
    return plan


def counts(run: Run) -> dict[str, int]:
    return {name: run.counts["documents"].get(name, 0) for name in COUNTED}


def test_what_is_planned_is_what_the_run_reports(team: Team) -> None:
    team.write("개발/새것.md", prose("new", paragraphs=9))
    team.write("개발/0.md", prose("0", paragraphs=7))
    shutil.copy(team.file("개발/1.md"), team.file("정책/사본.md"))
    team.file("개발/2.md").rename(team.file("정책/옮김.md"))
    team.file("개발/3.md").unlink()
    team.write("개발/빈.md", "")
    plan = planned(team)
    run = team.night()
    assert plan["documents"] == counts(run)
    assert {"new": 3, "changed": 1, "renamed": 1, "gone": 1}.items() <= plan["documents"].items()
    assert plan["gone"] == [{"source": "개발", "path": "3.md"}] and plan["opened"] == run.opened_files
    assert plan["parse"] == {"new": 2, "again": 0} and plan["chunk"]["bodies"] == 2
    assert plan["embed"]["known"] == 0 and abs(plan["embed"]["estimated"] - run.embedded) <= 6
    assert plan["removed"]["passages"] == run.counts["chunks"]["removed"] and plan["seconds"] is not None


def test_a_standing_corpus_plans_nothing(team: Team) -> None:
    plan = planned(team)
    run = team.night()
    assert plan["documents"] == counts(run) and plan["documents"]["unchanged"] == DOCUMENTS + 1
    assert plan["versions_changed"] == [] and plan["parse"] == {"new": 0, "again": 0}
    assert (plan["sketch"], plan["chunk"]) == (0, {"bodies": 0, "passages": 0})
    assert plan["embed"] == {"known": 0, "estimated": 0} and run.embedded == 0
    assert plan["removed"] == {"documents": 0, "passages": 0, "expiring": 0}


def test_a_first_run_is_planned(tmp_path: Path) -> None:
    team = Team(tmp_path)
    team.write("개발/가.md", prose("a"))
    team.write("개발/나.md", prose("b"))
    team.file("정책").rmdir()
    saero = team.saero()
    plan = plan_refresh(saero, ["개발", "정책"], Options(), datetime.now(UTC))
    assert not (tmp_path / "state").exists()
    assert plan["documents"]["new"] == 2 and plan["parse"]["new"] == 2
    assert plan["chunk"] == {"bodies": 2, "passages": None} and plan["seconds"] is None
    assert plan["unreachable"] == [{"source": "정책", "reason": "missing"}]
    assert plan["documents"] == counts(team.night())


def test_another_encoder_embeds_all_that_the_plan_says(team: Team) -> None:
    team.encoder = FakeEncoder("words@2")
    plan = planned(team)
    run = team.night()
    assert plan["versions_changed"] == ["encoder"] and plan["chunk"]["bodies"] == 0
    assert plan["embed"] == {"known": run.embedded, "estimated": 0} and run.embedded > 50


def test_an_encoder_that_reads_less_cuts_all_bodies(team: Team) -> None:
    team.encoder = FakeEncoder("words@small")
    team.encoder.max_tokens = 30
    plan = planned(team)
    assert plan["versions_changed"] == ["chunker", "encoder"]
    assert plan["chunk"]["bodies"] == DOCUMENTS + 1 and plan["embed"]["known"] == 0
    assert plan["embed"]["estimated"] == plan["chunk"]["passages"] == len(team.rows())


def test_a_newer_parser_reads_all_again(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("parse", "reading", "stored", "plan"):
        monkeypatch.setattr(f"assets.stages.{module}.PARSER_VERSION", "another")
    plan = planned(team)
    run = team.night()
    assert plan["versions_changed"] == ["parser"] and plan["documents"] == counts(run)
    assert plan["parse"] == {"new": 0, "again": DOCUMENTS + 1} and plan["opened"] == run.opened_files
    assert plan["embed"] == {"known": run.embedded, "estimated": 0} and plan["sketch"] == DOCUMENTS + 1


def test_what_is_held_and_out_of_reach_is_named(team: Team) -> None:
    team.file("정책").rename(team.home / "away")
    for number in range(21):
        team.file(f"개발/{number}.md").unlink()
    plan = planned(team)
    assert plan["documents"]["held"] == 22 and plan["documents"]["gone"] == 0
    assert {(one["source"], one["reason"]) for one in plan["held"]} == {("개발", "mass_deletion"), ("정책", "root")}
    assert plan["unreachable"] == [{"source": "정책", "reason": "missing"}]
    accepted = planned(team, Options(accept_deletions=("개발",)))
    assert (accepted["documents"]["gone"], accepted["documents"]["held"]) == (21, 1)
    assert plan["documents"] == counts(team.night())
    assert planned(team)["documents"] == counts(team.night())


def test_a_source_of_another_name_moves_with_its_documents(team: Team) -> None:
    team.settings({"기술": 'path = "docs/개발"\nwas = ["개발"]', "정책": ""})
    plan = planned(team)
    assert plan["documents"] == counts(team.night()) and plan["documents"]["unchanged"] == DOCUMENTS + 1


def test_a_source_that_left_the_settings_is_held_or_forgotten(team: Team) -> None:
    team.settings({"개발": ""})
    assert [one["reason"] for one in planned(team)["held"]] == ["unconfigured"]
    plan = planned(team, Options(forget=("정책",)))
    assert plan["held"] == [] and plan["removed"]["passages"] > 0


def test_mails_and_what_they_carry(team: Team) -> None:
    mail = (
        "From: a@example.com\r\nSubject: order\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/mixed; boundary=x\r\n\r\n"
        "--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nThe order is enclosed.\r\n"
        "--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Disposition: attachment; filename=list.txt\r\n\r\n"
        "Twelve boxes of paper.\r\n--x--\r\n"
    )
    team.write("개발/주문.eml", mail)
    team.night()
    shutil.copy(team.file("개발/주문.eml"), team.file("정책/주문.eml"))
    plan = planned(team)
    assert plan["documents"]["new"] == 2 and plan["parse"] == {"new": 0, "again": 0}
    assert plan["documents"] == counts(team.night())
    team.file("개발/주문.eml").write_text(mail.replace("order is", "new order is"), encoding="utf-8")
    assert planned(team)["documents"] == counts(team.night())


def test_a_damaged_ledger_is_named(team: Team) -> None:
    path = team.home / "state" / "ledger.duckdb"
    path.write_bytes(b"no database" * 1000)
    before = state(team)
    with pytest.raises(Broken, match=r"ledger\.duckdb: damaged; move it"):
        plan_refresh(team.saero(), ["개발"], Options(), datetime.now(UTC))
    assert state(team) == before


def test_a_run_at_work_is_told(team: Team) -> None:
    assert planned(team)["run"] is None
    with open_run(team.saero(), "busy", trigger="test", wait=timedelta(0)) as run:
        run.stage("parse", 7)
        plan = plan_refresh(team.saero(), ["개발"], Options(), datetime.now(UTC))
    assert plan["run"]["stage"] == "parse" and plan["run"]["total"] == 7


def test_the_plan_is_told_in_both_languages(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    team.write("개발/새것.md", markdown(prose("new")))
    team.file("개발/3.md").unlink()
    show_plan(team.saero(), None, Options(), as_json=False)
    korean = capsys.readouterr().out
    assert "새 문서 1" in korean and "없어짐: 개발/3.md" in korean and "아무것도 쓰지 않았습니다." in korean
    team.settings({"개발": "", "정책": ""})
    settings = team.home / "saero.toml"
    settings.write_text('language = "en"\n' + settings.read_text(encoding="utf-8"), encoding="utf-8")
    show_plan(team.saero(), "개발", Options(), as_json=False)
    english = capsys.readouterr().out
    assert "1 new" in english and "gone: 개발/3.md" in english and "Nothing was written." in english


def test_the_page_shows_the_shape_of_a_plan(team: Team) -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    example = json.loads(re.search(r"With `--plan`:\n\n```json\n(.*?)```", page, flags=re.DOTALL)[1])  # type: ignore[index]
    plan = planned(team)
    assert list(example) == list(plan)
    for name, value in plan.items():
        if isinstance(value, dict):
            assert list(value) == list(example[name]), name
