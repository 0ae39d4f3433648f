"""What persons say of versions is remembered by the texts, through renames, copies and edits elsewhere."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import ledger_left_open
from team import Team, prose

from assets.stages import likeness
from assets.stages.dedup import settle
from assets.stages.parse import parse_sources
from pipelines.alert import alert_of
from pipelines.alert_mail import digest
from pipelines.errors import Refused
from pipelines.findings import document_findings
from pipelines.search import Wanted
from resources.build import Run, open_run
from resources.ledger import reviews
from resources.ledger.documents import new_row
from resources.searcher import Searcher
from saero.commands.review import collect, decide
from saero.commands.versions import collect as chains

NOW = datetime(2026, 11, 30, tzinfo=UTC)
TEXT = prose("제안", 8)
DRAFTED = [*TEXT, *prose("초안", 1)]
DRAFT, FINAL = "개발/제안서_초안.md", "개발/제안서_최종.md"


@pytest.fixture
def team(tmp_path: Path) -> Team:
    team = Team(tmp_path)
    team.write(DRAFT, DRAFTED)
    team.write(FINAL, [*TEXT, "끝에 더한 문단이다."])
    return team


def evening(team: Team) -> Run:
    """Read and settle, and leave chunks, index and mail alone: the states of documents are known then."""
    saero = team.saero()
    with ledger_left_open(), open_run(saero, "evening", trigger="test", wait=timedelta(0)) as run:
        parse_sources(run, [source.name for source in saero.sources])
        settle(run)
    return run


def live(team: Team) -> set[str]:
    return {place for place, state in team.states().items() if state == "live"}


def returned(run: Run) -> list[str]:
    return [f"{finding.source}/{finding.path}" for finding in run.memory["returned"]]


def plans(team: Team, *versions: int) -> None:
    for version in versions:
        team.write(f"개발/기획서_v{version}.md", [*prose("기획", 8), *prose(f"기획 {version}", version - 1)])


def say(team: Team, verb: Any, *ids: str) -> list[dict[str, Any]]:
    return decide(team.saero(), verb, list(ids), datetime.now(UTC))


def asked(team: Team) -> list[str]:
    return [row["id"] for row in collect(team.saero())]


def replaced(team: Team) -> list[tuple[str, str]]:
    """Return (id, who decided) of every replacement that holds."""
    return [(step["id"], step["by"]) for chain in chains(team.saero())["chains"] for step in chain["replaced"]]


def move(team: Team, place: str, to: str) -> None:
    team.file(to).parent.mkdir(parents=True, exist_ok=True)
    team.file(place).rename(team.file(to))


def found(team: Team, question: str) -> set[str]:
    saero = team.saero()
    ranking = Searcher(saero.reader(), saero.query_encoder).search(
        [question],
        now=datetime.now(UTC),
        wanted=Wanted(top_k=50, weak_too=True, mode="text"),
        include=["superseded"],
    )
    return {result.row["path"] for result in ranking.results}


def test_what_is_accepted_leaves_in_the_next_run_and_stays_out_whatever_the_names(team: Team) -> None:
    team.night()
    (key,) = asked(team)
    assert set(team.served()) == {DRAFT, FINAL} and ("version_doubt", DRAFT) in team.findings()
    say(team, "accept", key)
    assert team.night().embedded == 0
    assert set(team.served()) == {FINAL} and asked(team) == [] and replaced(team) == [(key, "person")]
    assert "제안서_초안.md" in found(team, DRAFTED[-1].split()[0])
    move(team, DRAFT, "정책/옛 제안.md")
    move(team, FINAL, "개발/보관/2026 제안.md")
    team.write("정책/또 하나.md", DRAFTED)
    team.write("개발/다른 글.md", prose("other"))
    team.night()
    assert set(team.served()) == {"개발/보관/2026 제안.md", "개발/다른 글.md"}
    assert team.states()["정책/또 하나.md"] == "superseded" and asked(team) == []
    assert replaced(team) == [(key, "person")]


def test_what_is_turned_down_is_not_asked_again_and_undo_asks_anew(team: Team) -> None:
    evening(team)
    (key,) = asked(team)
    say(team, "reject", key)
    assert asked(team) == []
    move(team, FINAL, "개발/제안서_진짜최종.md")
    evening(team)
    assert asked(team) == [] and len(live(team)) == 2
    say(team, "undo", key)
    evening(team)
    assert asked(team) == [key]


def test_an_automatic_replacement_is_taken_back_by_its_id_for_good(team: Team) -> None:
    plans(team, 1, 2)
    evening(team)
    (key,) = (key for key, _ in replaced(team))
    assert "다시 검색" in say(team, "undo", key)[0]["next"]
    run = evening(team)
    assert {"개발/기획서_v1.md", "개발/기획서_v2.md"} <= live(team) and replaced(team) == []
    assert returned(run) == []
    (row,) = team.ask("select ended_at, undone_at from replacements")
    assert row["undone_at"] == row["ended_at"] is not None
    move(team, "개발/기획서_v2.md", "개발/기획서_v3.md")
    evening(team)
    assert {"개발/기획서_v1.md", "개발/기획서_v3.md"} <= live(team) and key not in asked(team)
    assert "이미 되돌렸습니다" in say(team, "undo", key)[0]["next"]
    evening(team)
    assert replaced(team) == []
    say(team, "accept", key)
    evening(team)
    assert replaced(team) == [(key, "person")]


def test_undoing_twice_never_rejects_what_was_accepted(team: Team) -> None:
    evening(team)
    (key,) = asked(team)
    say(team, "accept", key)
    evening(team)
    say(team, "undo", key)
    (step,) = chains(team.saero())["chains"][0]["replaced"]
    assert step["taken_back"]
    with pytest.raises(Refused, match="nothing to take back"):
        say(team, "undo", key)
    evening(team)
    assert asked(team) == [key] and live(team) == {DRAFT, FINAL}


def test_what_a_person_kept_is_asked_about_after_an_edit_and_never_replaced_unasked(tmp_path: Path) -> None:
    team = Team(tmp_path)
    plans(team, 1, 2)
    evening(team)
    say(team, "reject", *(key for key, _ in replaced(team)))
    evening(team)
    for edited in ("개발/기획서_v1.md", "개발/기획서_v2.md"):
        team.write(edited, team.file(edited).read_text(encoding="utf-8") + "\n한 줄을 더했다.\n")
        evening(team)
        assert live(team) == {"개발/기획서_v1.md", "개발/기획서_v2.md"} and len(asked(team)) == 1


def test_the_digest_names_a_replacement_with_its_figures_and_its_undo() -> None:
    row = new_row(source="개발", path="기획서_v1.md", body_hash="a", state="superseded", superseded_by="개발/v2.md")
    found = document_findings(
        [{**row, "ocr_pages": None, "properties": None}],
        now=NOW,
        review_after={},
        renewed={},
        zone=UTC,
        unreachable={},
        replaced={"a": {"id": "0123456789ab", "why": "explicit versions", "jaccard": 0.78}},
    )
    alerts = [alert_of(finding, owner="", since=NOW) for finding in found]
    mail = digest(alerts, language="ko", evidence="names", owner="pm@example.com", now=NOW, host_label="h")
    body = mail.get_body(("plain",))
    assert body is not None
    said = "개발/기획서_v1.md → 개발/v2.md (겹침 0.78)\n    saero review undo 0123456789ab"
    assert said in body.get_content()


def test_when_the_accepted_newer_vanishes_the_one_before_returns_and_a_finding_says_so(team: Team) -> None:
    evening(team)
    say(team, "accept", *asked(team))
    evening(team)
    away = team.file(FINAL).rename(team.home / "away.md")
    assert returned(evening(team)) == [DRAFT] and live(team) == {DRAFT}
    away.rename(team.file("개발/제안서_진짜최종.md"))
    evening(team)
    assert live(team) == {"개발/제안서_진짜최종.md"} and asked(team) == []


def test_when_the_last_of_three_vanishes_only_the_second_returns(tmp_path: Path) -> None:
    team = Team(tmp_path)
    plans(team, 1, 2, 3)
    evening(team)
    assert live(team) == {"개발/기획서_v3.md"}
    (chain,) = chains(team.saero())["chains"]
    assert [step["older"]["path"] for step in chain["replaced"]] == ["기획서_v1.md", "기획서_v2.md"]
    team.file("개발/기획서_v3.md").unlink()
    assert returned(evening(team)) == ["개발/기획서_v2.md"] and live(team) == {"개발/기획서_v2.md"}


def test_a_slip_mended_in_the_newer_asks_nothing_again_but_another_text_does(team: Team) -> None:
    evening(team)
    (key,) = asked(team)
    say(team, "accept", key)
    evening(team)
    for ending in ("끝에 더한 문단을 고쳤다.", "한 번 더 고쳤다."):
        team.write(FINAL, [*TEXT, ending])
        evening(team)
        assert live(team) == {FINAL} and asked(team) == []
    twin = team.twin(team.home.with_name("twin"))
    say(team, "undo", key)
    evening(team)
    assert live(team) == {DRAFT, FINAL} and len(asked(team)) == 1
    twin.write(FINAL, prose("전혀 다른 글", 8))
    evening(twin)
    assert live(twin) == {DRAFT, FINAL}


def test_answers_follow_renames_so_that_an_edit_after_one_asks_nothing_again(team: Team) -> None:
    plans(team, 1, 2)
    evening(team)
    (asked_of,), ((by_rule, _),) = asked(team), replaced(team)
    say(team, "accept", asked_of)
    say(team, "reject", by_rule)
    evening(team)
    renamed, kept = "개발/올해 제안.md", "개발/새 이름_v1.md"
    move(team, FINAL, renamed)
    move(team, "개발/기획서_v1.md", kept)
    evening(team)
    move(team, "개발/기획서_v2.md", "개발/새 이름_v2.md")
    team.write(renamed, [*TEXT, "끝에 더한 문단을 고쳤다."])
    team.write(kept, team.file(kept).read_text(encoding="utf-8") + "\n한 줄을 더했다.\n")
    evening(team)
    assert live(team) == {renamed, kept, "개발/새 이름_v2.md"}
    assert asked_of not in asked(team) and [by for _, by in replaced(team)] == ["person"]


def test_an_automatic_replacement_that_is_accepted_is_by_a_person_until_that_is_undone(tmp_path: Path) -> None:
    team = Team(tmp_path)
    plans(team, 1, 2)
    evening(team)
    ((key, _),) = replaced(team)
    say(team, "accept", key)
    evening(team)
    assert replaced(team) == [(key, "person")]
    say(team, "undo", key)
    assert returned(evening(team)) == [] and replaced(team) == [(key, "rule")]


def test_the_newest_version_that_is_accepted_as_redundant_does_not_bring_the_stale_one_back(tmp_path: Path) -> None:
    team = Team(tmp_path)
    plans(team, 1, 2)
    team.write("정책/모음.md", [*prose("모음", 30), team.file("개발/기획서_v2.md").read_text(encoding="utf-8")])
    evening(team)
    body = {row["path"]: row["body_hash"] for row in team.ask("select path, body_hash from documents")}
    cover = {"source": "정책", "path": "모음.md", "body": body["모음.md"]}
    item = reviews.new_item(
        "0123456789ab",
        "redundancy",
        a_body=body["기획서_v2.md"],
        b_body=cover["body"],
        evidence={"share": 1.0, "covered_by": [cover]},
    )
    with team.saero().ledger.transaction("test") as con:
        reviews.answer(con, item, "accept", NOW)
    run = evening(team)
    states = {"개발/기획서_v1.md": "superseded", "개발/기획서_v2.md": "rejected", "정책/모음.md": "live"}
    assert team.states() == states and returned(run) == [] and asked(team) == []
    plans(team, 3)
    evening(team)
    assert team.states() == {**states, "개발/기획서_v3.md": "live"}


def test_what_was_compared_once_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    team = Team(tmp_path)
    for folder in ("가", "나"):
        team.write(f"개발/{folder}/보고서.md", prose(folder))
    evening(team)
    (row,) = team.ask("select jaccard from likeness")
    monkeypatch.delattr(likeness, "blocks_of")
    evening(team)
    assert row["jaccard"] < 0.6 and len(team.ask("select * from likeness")) == 1
    team.file("개발/나/보고서.md").unlink()
    evening(team)
    assert team.ask("select * from likeness") == []


@pytest.mark.parametrize(("policy", "flags"), [("list", []), ("demote", ["demoted"])])
def test_an_accepted_pair_follows_the_policy_of_its_source_but_is_never_only_listed(
    team: Team, policy: str, flags: list[str]
) -> None:
    team.settings({"개발": f'versions = "{policy}"', "정책": ""})
    evening(team)
    say(team, "accept", *asked(team))
    evening(team)
    assert live(team) == {FINAL}
    assert json.loads(team.ask("select flags from documents where path = '제안서_초안.md'")[0]["flags"]) == flags


def test_what_a_listing_source_only_lists_is_in_the_queue_and_can_be_accepted(tmp_path: Path) -> None:
    team = Team(tmp_path, {"개발": 'versions = "list"', "정책": ""})
    plans(team, 1, 2)
    evening(team)
    assert len(live(team)) == 2
    say(team, "accept", *asked(team))
    evening(team)
    assert live(team) == {"개발/기획서_v2.md"}


def test_a_version_that_can_not_be_read_keeps_what_it_replaced_and_takes_no_new(tmp_path: Path) -> None:
    team = Team(tmp_path)
    plans(team, 1, 2)
    evening(team)
    team.file("개발/기획서_v2.md").write_bytes(b"")
    evening(team)
    assert team.states() == {"개발/기획서_v1.md": "superseded", "개발/기획서_v2.md": "failed"}
