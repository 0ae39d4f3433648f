"""What came in a mail, in a forwarded mail too, shares the fate of the file on disk and is tried again with it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sheet_makers import make_eml
from team import Team, prose

from pipelines import parsers
from pipelines.errors import Corrupt, SkipDocument, Timeout, Unreadable

WHEN = datetime(2026, 11, 2, 9, tzinfo=UTC)
OUTER, INNER, TERMS = "개발/전달.eml", "개발/전달.eml!/주문.eml", "개발/전달.eml!/주문.eml!/약관.txt"
CHAIN = {OUTER, INNER, TERMS}


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    monkeypatch.setattr("pipelines.changes.CLOCK_GRAIN_NS", 0)
    team = Team(tmp_path)
    team.write("개발/API.md", prose("api"))
    return team


def mail(seed: str, *attachments: tuple[str, bytes]) -> bytes:
    text = " ".join(prose(seed))
    return make_eml(seed, "lee@example.com", "kim@example.com", WHEN, text, attachments=attachments)


def forwarded(seed: str = "forward") -> bytes:
    return mail(seed, ("주문.eml", mail("order", ("약관.txt", terms()))))


def terms() -> bytes:
    return "\n\n".join(prose("terms")).encode("utf-8")


def failing(monkeypatch: pytest.MonkeyPatch, name: str, error: SkipDocument) -> pytest.MonkeyPatch:
    """Let the parsers fail on files of this name until the patch is undone."""
    parse = parsers.parse

    def fail(file: Any, called: str, limits: Any) -> Any:
        if called == name:
            raise error
        return parse(file, called, limits)

    patch = pytest.MonkeyPatch()
    patch.setattr(parsers, "parse", fail)
    return patch


def test_a_deleted_mail_takes_along_what_its_attachments_carried(team: Team) -> None:
    path = team.write(OUTER, forwarded())
    team.night()
    assert set(team.served()) > CHAIN
    path.unlink()
    team.night()
    assert set(team.served()) == {"개발/API.md"} == set(team.states()) == team.mirrored()


def test_an_attachment_that_left_its_mail_takes_along_what_it_carried(team: Team) -> None:
    path = team.write(OUTER, forwarded())
    team.night()
    path.write_bytes(mail("forward"))
    team.night()
    assert set(team.served()) == {"개발/API.md", OUTER} == set(team.states()) == team.mirrored()


def test_everything_in_a_mail_of_an_unreachable_folder_is_held_and_comes_back(team: Team) -> None:
    team.settings({"개발": "", "메일": ""})
    team.write("메일/전달.eml", forwarded())
    team.night()
    folder = team.file("메일")
    folder.rename(folder.with_name("away"))
    team.night()
    states = {place: state for place, state in team.states().items() if place.startswith("메일/")}
    assert len(states) == 3 and set(states.values()) == {"held"}
    folder.with_name("away").rename(folder)
    assert team.night().embedded == 0 and set(team.states().values()) == {"live"}


def test_what_came_in_a_mail_that_returns_damaged_is_no_longer_held(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.settings({"개발": "", "메일": ""})
    path = team.write("메일/전달.eml", forwarded())
    team.night()
    path.parent.rename(team.file("away"))
    team.night()
    team.file("away").rename(path.parent)
    path.write_bytes(forwarded("other"))
    patch = failing(monkeypatch, "전달.eml", Corrupt("no mail"))
    run = team.night()
    patch.undo()
    assert run.memory["unreachable"] == [] and "held" not in team.states().values()
    assert ("source_unreachable", "메일") not in team.findings()
    assert team.states()["메일/전달.eml!/주문.eml!/약관.txt"] == "live"


@pytest.mark.parametrize("error", [Timeout("too slow"), Unreadable("input/output error")])
@pytest.mark.parametrize("place", [INNER, TERMS])
def test_an_attachment_that_could_not_be_read_is_tried_again(
    team: Team, monkeypatch: pytest.MonkeyPatch, place: str, error: SkipDocument
) -> None:
    team.write(OUTER, forwarded())
    patch = failing(monkeypatch, place.rpartition("/")[2], error)
    assert [failure["category"] for failure in team.night().failures] == [error.category]
    assert team.night().opened_files == 1, "it is tried every night"
    patch.undo()
    run = team.night()
    assert run.opened_files == 1 and not run.failures and set(team.served()) > CHAIN
    assert team.night().opened_files == 0


def test_an_attachment_that_will_never_be_read_opens_no_mail(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    team.write(OUTER, forwarded())
    patch = failing(monkeypatch, "약관.txt", Corrupt("no text"))
    assert len(team.night().failures) == 1
    run = team.night()
    patch.undo()
    assert run.opened_files == 0 and len(run.failures) == 1


def test_a_newer_parser_reads_what_a_mail_carries_but_waits_for_a_mail_that_it_cannot_read(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.write(OUTER, forwarded())
    before = team.night().embedded
    for module in ("parse", "reading", "stored"):
        monkeypatch.setattr(f"assets.stages.{module}.PARSER_VERSION", "raised")
    patch = failing(monkeypatch, "주문.eml", Corrupt("no mail"))
    run = team.night()
    assert [failure["path"] for failure in run.failures] == ["전달.eml!/주문.eml"] and run.embedded == 0
    assert set(team.served()) > CHAIN and len(team.rows()) == before
    assert team.night().opened_files == 0
    patch.undo()
