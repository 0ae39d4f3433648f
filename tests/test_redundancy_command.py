"""saero redundancy: on call, over what a search can find now, and what a person then decides."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import test_cli_shapes as shapes
from fakes import FakeEncoder, ledger_left_open
from quick_corpus import refreshed_corpus
from quick_saero import QuickEncoder
from team import Team, prose

from assets.stages.dedup import settle
from assets.stages.parse import parse_sources
from pipelines.errors import Refused, TryAgain
from pipelines.review import item_id
from resources.build import open_run
from resources.ledger import reviews
from resources.ledger.connection import LEDGER_NAME
from saero.cli import main
from saero.commands.documents import listed
from saero.commands.redundancy import collect
from saero.commands.review import collect as review_items
from saero.commands.review import decide

WHERE = {**shapes.PLACE, "lines": shapes.RANGE, "heading": shapes.Maybe([str])}
REDUNDANCY = {
    "method": {
        "by": shapes.OneOf("cosine", "rank", "words"),
        "cosine": shapes.MAYBE_NUMBER,
        "containment": shapes.NUMBER,
        "encoder": str,
        "calibration": str,
    },
    "passages": int,
    "without_vector": int,
    "asked": int,
    "documents": [
        {
            **shapes.PLACE,
            "verdict": shapes.OneOf("duplicate", "partial"),
            "share": shapes.NUMBER,
            "covered": int,
            "passages": int,
            "by": [{**shapes.PLACE, "passages": int}],
            "examples": [{"passage": WHERE, "by": WHERE, "cosine": shapes.MAYBE_NUMBER, "containment": shapes.NUMBER}],
            "own_numbers": [str],
            "review": shapes.MAYBE_TEXT,
            "unasked": shapes.Maybe(shapes.OneOf("own_passages", "own_numbers", "version")),
            "answer": shapes.Maybe(shapes.OneOf("accept", "reject")),
        }
    ],
}
NOW = datetime.now(UTC)
GUIDES, EXCERPT = ("개발/안내.md", "정책/안내 사본.md"), "정책/발췌.md"


@pytest.fixture(scope="module")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """A guide, an excerpt of it with a few words changed, a note of its own, a copy of the guide."""
    team = Team(tmp_path_factory.mktemp("read"))
    team.encoder = FakeEncoder("multilingual-e5-small@words")
    guide = prose("안내", 8)
    team.write("개발/안내.md", guide)
    team.write("정책/발췌.md", [paragraph.replace(paragraph.split()[4], "바뀐말") for paragraph in guide[:4]])
    team.write("정책/메모.md", prose("메모", 3))
    team.write("정책/안내 사본.md", guide)
    team.night()
    return team


@pytest.fixture
def team(read_once: Team, tmp_path: Path) -> Team:
    twin = read_once.twin(tmp_path)
    twin.encoder = FakeEncoder(read_once.encoder.encoder_id)
    return twin


def found(team: Team, **asked: Any) -> dict[str, str]:
    """Return "source/path" -> verdict."""
    return {f"{row['source']}/{row['path']}": row["verdict"] for row in report(team, **asked)["documents"]}


def report(team: Team, **asked: Any) -> dict[str, Any]:
    whole = collect(team.saero(), **asked)
    assert shapes.misfits(whole, REDUNDANCY) == []
    return whole


def queue(team: Team) -> list[dict[str, Any]]:
    with team.saero().ledger.transaction("test") as con:
        return reviews.opened(con, "redundancy")


def answer(team: Team, said: Any) -> None:
    with team.saero().ledger.transaction("test") as con:
        (item,) = reviews.opened(con, "redundancy")
        reviews.answer(con, item, said, NOW)


def test_an_excerpt_is_named_with_what_covers_it_and_waits_for_a_person(team: Team) -> None:
    whole = report(team)
    (row,) = whole["documents"]
    assert (row["source"], row["path"], row["verdict"], row["share"]) == ("정책", "발췌.md", "duplicate", 1.0)
    assert row["by"] == [{"source": "개발", "path": "안내.md", "passages": row["passages"]}]
    assert all(0.5 < example["containment"] < 1 for example in row["examples"])
    assert row["examples"][0]["passage"]["lines"][0] >= 1
    (item,) = queue(team)
    assert item["item_id"] == row["review"] == item_id("redundancy", item["a_body"])
    assert team.states()["정책/발췌.md"] == "live"


def test_what_has_numbers_of_its_own_is_listed_with_them_and_not_asked_about(team: Team) -> None:
    text = team.file("정책/발췌.md").read_text(encoding="utf-8")
    team.write("정책/발췌.md", text.replace("바뀐말", "기한3,200일", 1).replace("바뀐말", "기한60.5초", 1))
    team.night()
    (row,) = report(team)["documents"]
    assert (row["verdict"], row["own_numbers"]) == ("duplicate", ["3,200", "60.5"])
    assert (row["review"], row["unasked"]) == (None, "own_numbers") and queue(team) == []


def test_a_pair_that_is_a_matter_of_versions_is_not_asked_about_again(team: Team) -> None:
    report(team)
    (item,) = queue(team)
    older, newer = item["a_body"], item["b_body"]
    asked = reviews.new_item(item_id("version", older, newer), "version", a_body=older, b_body=newer, evidence={})
    with team.saero().ledger.transaction("test") as con:
        reviews.answer(con, asked, "reject", NOW)
    assert evening(team) == [] and queue(team) == []
    (row,) = report(team)["documents"]
    assert (row["review"], row["unasked"]) == (None, "version") and queue(team) == []


def test_asking_twice_changes_nothing(team: Team) -> None:
    first = report(team)
    before = queue(team)
    assert (report(team), queue(team)) == (first, before)


def test_what_was_rejected_stays_and_is_not_asked_again(team: Team) -> None:
    report(team)
    answer(team, "reject")
    (row,) = report(team)["documents"]
    assert row["answer"] == "reject" and team.states()["정책/발췌.md"] == "live"


def test_what_was_accepted_leaves_with_the_next_run_and_returns_when_that_is_undone(team: Team) -> None:
    report(team)
    answer(team, "accept")
    (row,) = report(team)["documents"]
    assert row["answer"] == "accept" and team.states()["정책/발췌.md"] == "live"
    team.night()
    assert team.states()["정책/발췌.md"] == "rejected" and "정책/발췌.md" not in team.served()
    assert found(team) == {} and queue(team) == []
    with team.saero().ledger.transaction("test") as con:
        reviews.undo(con, row["review"], NOW)
    team.night()
    assert found(team) == {"정책/발췌.md": "duplicate"} and len(team.encoder.embedded) == 0


def evening(team: Team) -> list[str]:
    """Read and settle, and leave chunks, index and mail alone; returns what came back."""
    saero = team.saero()
    with ledger_left_open(), open_run(saero, "evening", trigger="test", wait=timedelta(0)) as run:
        parse_sources(run, [source.name for source in saero.sources])
        settle(run)
    return [f"{finding.source}/{finding.path}" for finding in run.memory["returned"]]


def accepted(team: Team) -> str:
    """Ask, accept that the excerpt is redundant, and let it leave; returns the id of the item."""
    report(team)
    (item,) = queue(team)
    decide(team.saero(), "accept", [item["item_id"]], NOW)
    assert evening(team) == [] and team.states()[EXCERPT] == "rejected" and queue(team) == []
    return str(item["item_id"])


def states_said(team: Team, every: bool = True) -> dict[str, str]:
    return {row["id"]: row["state"] for row in review_items(team.saero(), every)}


def covers(team: Team, text: list[str]) -> None:
    for place in GUIDES:
        team.write(place, text)


def test_a_document_returns_with_a_finding_when_what_covers_it_is_gone(team: Team) -> None:
    key = accepted(team)
    assert states_said(team) == {key: "accepted"}
    (left,) = [row for row in listed(team.saero()) if row["state"] == "rejected"]
    assert "개발/안내.md" in left["reason"] and f"saero review undo {key}" in left["reason"]
    covers(team, prose("다른 글"))
    team.night()
    assert EXCERPT in team.served() and ("redundancy_returned", EXCERPT) in team.findings()
    assert states_said(team) == {key: "lapsed"} and states_said(team, every=False) == {}
    with pytest.raises(Refused, match="isn't found by a search now"):
        decide(team.saero(), "accept", [key], NOW)
    covers(team, prose("안내", 8))
    assert evening(team) == [] and team.states()[EXCERPT] == "rejected" and states_said(team) == {key: "accepted"}


def test_what_covers_it_may_not_be_a_past_version_or_expired(team: Team) -> None:
    accepted(team)
    for place in GUIDES:
        os.utime(team.file(place), (1_600_000_000, 1_600_000_000))
    ttl = 'ttl = [{match = "안내*", after = "P14D"}]\n'
    team.settings({"개발": ttl, "정책": ttl})
    assert evening(team) == [EXCERPT] and team.states()["개발/안내.md"] == "expired"
    team.settings({"개발": "", "정책": ""})
    for place in GUIDES:
        team.file(place).rename(team.file(place).with_name("안내_v1.md"))
        team.write(str(Path(place).with_name("안내_v2.md")), [*prose("안내", 8), "끝에 더한 문단이다."])
    assert evening(team) == [EXCERPT] and team.states()["개발/안내_v1.md"] == "superseded"


def test_what_an_edited_cover_still_holds_is_asked_anew(team: Team) -> None:
    key = accepted(team)
    covers(team, [*prose("안내", 8), "끝에 더한 문단이다."])
    team.night()
    assert team.states()[EXCERPT] == "live" and states_said(team) == {key: "lapsed"}
    (row,) = report(team)["documents"]
    assert (row["review"], row["answer"]) == (key, None) and states_said(team, every=False) == {key: "open"}
    decide(team.saero(), "accept", [key], NOW)
    assert evening(team) == []
    assert team.states()[EXCERPT] == "rejected" and states_said(team) == {key: "accepted"}


def test_an_item_is_over_with_what_covers_it_and_is_not_accepted_then(team: Team) -> None:
    report(team)
    (item,) = queue(team)
    covers(team, prose("다른 글"))
    assert evening(team) == [] and queue(team) == []
    with pytest.raises(Refused, match="its cause is over"):
        decide(team.saero(), "accept", [item["item_id"]], NOW)
    assert review_items(team.saero(), every=True) == []


def test_an_answer_survives_the_ledger_and_still_holds(team: Team) -> None:
    key = accepted(team)
    ledger = team.home / "state" / LEDGER_NAME
    ledger.unlink()
    assert evening(team) == [] and team.states()[EXCERPT] == "rejected" and states_said(team) == {key: "accepted"}
    decide(team.saero(), "undo", [key], NOW)
    ledger.unlink()
    evening(team)
    assert team.states()[EXCERPT] == "live" and states_said(team) == {}


def test_an_item_stays_only_while_all_that_covers_it_stays(team: Team) -> None:
    report(team)
    (item,) = queue(team)
    memo = team.ask("select body_hash as body from documents where path = '메모.md'")[0]["body"]
    place = {"source": "정책", "path": "메모.md", "body": memo}
    older = {**item, "evidence": {**item["evidence"], "covered_by": [*item["evidence"]["covered_by"], place]}}
    keep = {key: older[key] for key in reviews.COLUMNS}
    for other, left in ((memo, 1), ("gone", 0)):
        place["body"] = other
        with team.saero().ledger.transaction("test") as con:
            reviews.sync(con, "redundancy", [keep], NOW)
        report(team, source="개발", since=datetime(2099, 1, 1, tzinfo=UTC).date())
        assert len(queue(team)) == left


def test_a_text_that_a_refresh_took_away_meanwhile_asks_to_try_again(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("resources.ledger.served.texts", lambda con, hashes: {})
    with pytest.raises(TryAgain, match="ask again"):
        report(team)


def test_only_new_documents_are_asked_since_a_day(team: Team) -> None:
    assert found(team, since=datetime(2020, 1, 1, tzinfo=UTC).date()) == {"정책/발췌.md": "duplicate"}
    before = queue(team)
    assert report(team, since=datetime(2099, 1, 1, tzinfo=UTC).date())["asked"] == 0
    assert queue(team) == before


def test_only_documents_of_one_source_are_asked(team: Team) -> None:
    assert report(team, source="정책")["asked"] == 2
    assert report(team, source="개발")["asked"] == 1 and len(queue(team)) == 1


def test_an_item_closes_when_its_document_is_gone(team: Team) -> None:
    report(team)
    team.file("정책/발췌.md").unlink()
    team.night()
    assert found(team) == {} and queue(team) == []


def test_an_encoder_without_a_bar_and_a_corpus_without_vectors_say_so(team: Team) -> None:
    team.encoder = FakeEncoder()
    whole = report(team)
    assert (whole["method"]["by"], whole["method"]["containment"]) == ("words", 0.8)
    assert whole["without_vector"] == whole["passages"] > 0 and found(team) == {"정책/발췌.md": "duplicate"}
    team.night()
    whole = report(team)
    assert (whole["method"]["by"], whole["method"]["cosine"], whole["without_vector"]) == ("rank", None, 0)
    assert found(team) == {"정책/발췌.md": "duplicate"}


@pytest.fixture
def call(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    corpus = refreshed_corpus(tmp_path_factory)
    monkeypatch.setattr("resources.encoder.QueryEncoder", QuickEncoder)

    def ask(*args: str) -> str:
        main(["--config", str(corpus / "saero.toml"), "redundancy", *args])
        return capsys.readouterr().out

    return ask


def test_the_command_says_how_it_compared(call: Callable[..., str]) -> None:
    assert "유사도" in call() and "겹침" in call()
    assert shapes.misfits(json.loads(call("--json")), REDUNDANCY) == []
    assert call("--csv").lstrip("\ufeff").startswith("source,path,verdict,share")


def test_past_versions_and_copies_are_not_asked_and_cover_nothing(call: Callable[..., str]) -> None:
    whole = json.loads(call("--json"))
    assert whole["documents"] == [] and whole["asked"] == 4


def test_a_wrong_source_is_named(call: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        call("--source", "없음")
    assert end.value.code == 2 and "제안서, 규정" in capsys.readouterr().err


def test_before_the_first_refresh_there_is_nothing_to_ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "saero.toml").write_text('[sources.docs]\npath = "docs"\n', encoding="utf-8")
    main(["--config", str(tmp_path / "saero.toml"), "redundancy", "--json"])
    assert shapes.misfits(json.loads(capsys.readouterr().out), REDUNDANCY) == []
    main(["--config", str(tmp_path / "saero.toml"), "redundancy"])
    assert "refresh" in capsys.readouterr().out and not (tmp_path / ".saero").exists()


def test_the_page_shows_the_shape() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    example = re.search(r"^## redundancy\n.*?```json\n(.*?)```", page, flags=re.DOTALL | re.MULTILINE)
    assert example is not None and shapes.misfits(json.loads(example[1]), REDUNDANCY) == []
