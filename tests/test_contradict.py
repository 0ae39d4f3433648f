"""Which values of two passages contradict, which passages are compared, and what a person's answer holds for."""

from __future__ import annotations

import functools
import json
import re
import sys
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import test_cli_shapes as shapes
from fakes import FakeEncoder
from hypothesis import given
from hypothesis import strategies as st
from team import Team, prose

from pipelines.contradict import Contradiction, answered, contradictions
from pipelines.similar import one_series
from pipelines.values import stated
from resources.ledger import reviews
from saero.cli import main
from saero.commands.contradictions import collect

PAIRS = Path(__file__).parent.parent / "benchmarks" / "dedup" / "contradiction_pairs.toml"
NOW = datetime.now(UTC)
WHERE = {**shapes.PLACE, "lines": shapes.RANGE, "heading": shapes.Maybe([str]), "value": str, "clause": str}
CONTRADICTIONS = {
    "method": {"by": shapes.OneOf("cosine", "words"), "cosine": shapes.MAYBE_NUMBER},
    "passages": int,
    "stating": int,
    "left_out": int,
    "dismissed": int,
    "contradictions": [
        {
            "attribute": str,
            "kind": str,
            "a": WHERE,
            "b": WHERE,
            "cosine": shapes.MAYBE_NUMBER,
            "review": str,
            "answer": shapes.Maybe(shapes.OneOf("accept", "reject")),
        }
    ],
}


read = functools.cache(stated)


def between(a: str, b: str) -> list[Contradiction]:
    return contradictions(read(a), read(b))


def pairs() -> list[dict[str, Any]]:
    """Return every sixth pair; the benchmark reads them all."""
    return list(tomllib.loads(PAIRS.read_text(encoding="utf-8"))["pair"])[::6]


def test_the_pairs_of_the_benchmark_are_told_apart() -> None:
    wrong = [pair["a"] for pair in pairs() if bool(between(pair["a"], pair["b"])) != pair["label"]]
    assert len(wrong) <= 0.05 * len(pairs()), wrong


def test_a_contradiction_is_the_same_from_either_side() -> None:
    for pair in pairs():
        there, back = between(pair["a"], pair["b"]), between(pair["b"], pair["a"])
        assert {one.key("x", "y") for one in there} == {one.key("y", "x") for one in back}, pair["a"]


def test_no_passage_contradicts_itself() -> None:
    texts = [pair[side] for pair in pairs() for side in ("a", "b")]
    assert [text for text in texts if between(text, text)] == []


@given(st.integers(1, 500), st.integers(1, 500))
def test_numbers_contradict_exactly_when_they_differ(one: int, other: int) -> None:
    found = between(f"결제 API 타임아웃은 {one}초이다.", f"결제 API의 타임아웃은 {other * 1000}ms로 설정한다.")
    assert bool(found) == (one != other)


def test_a_contradiction_names_attribute_and_both_values_as_written() -> None:
    (found,) = between("출장 숙박비는 1박에 13만원까지 인정한다.", "숙박비는 1박당 150,000원을 한도로 한다.")
    assert (found.words, found.kind) == (("숙박",), "money")
    assert (found.a.written, found.b.written) == ("1박에 13만원", "1박당 150,000원")


def test_an_equal_value_of_the_attribute_settles_it() -> None:
    told = "결제 타임아웃은 30초이다. 해외 결제 타임아웃은 60초이다."
    assert between("결제 타임아웃은 30초이다.", told) == []


def test_two_rows_of_one_rule_are_no_contradiction() -> None:
    assert between("10명 이상이면 10%를 할인한다.", "20명 이상이면 20%를 할인한다.") == []


def test_who_does_it_and_how_it_is_asked_for_make_no_other_attribute() -> None:
    told = "직원은 일주일에 최대 3일까지 재택근무를 신청할 수 있다."
    assert between("재택근무는 팀장과 협의하여 주 2일까지 할 수 있다.", told)
    assert between("고객 주차는 3시간까지 무료이다.", "직원 주차는 5시간까지 무료이다.") == []


def test_a_sum_a_rest_and_what_happened_contradict_nothing() -> None:
    assert between("본사 직원은 42명이고 공장 직원은 118명이다.", "전체 직원은 160명이다.") == []
    assert between("택배는 30kg까지 보낼 수 있다.", "어제 보낸 택배는 12kg이었다.") == []
    assert between("3월 9일 회의에는 여덟 명이 참석하였다.", "3월 23일 회의에는 열한 명이 참석하였다.") == []


def test_what_is_never_done_cannot_be_allowed() -> None:
    assert between("고객 정보는 해외 서버에 저장하지 않는다.", "고객 정보를 해외 서버에 저장할 수 있다.")
    assert between("참가비는 무료입니다.", "참가비는 5만원이다.")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("서울지점의 1분기 판매 목표는 45억원이다.", "부산지점의 1분기 판매 목표는 28억원이다."),
        ("본관 1층 카페는 오전 8시에 연다.", "별관 지하 카페는 오전 9시에 연다."),
        ("총 사업비는 12억원이다.", "1차년도 사업비는 총 사업비 중 7억원이다."),
        ("파일 한 개의 크기는 20MB까지이다.", "첨부하는 파일의 합계는 100MB를 넘을 수 없다."),
        ("제안서 접수 마감은 4월 10일이다.", "제안 설명회는 4월 17일에 진행합니다."),
        ("소송은 2025년 11월 4일에 1심 선고가 있다.", "소송의 항소심 선고는 2026년 8월 19일로 예정되어 있다."),
        ("주문은 매일 15시에 마감한다.", "당일 주문은 오후 3시까지 접수해 드립니다."),
        ("장애 알림은 CPU 사용률이 90%를 넘으면 발송된다.", "장애 알림은 디스크 사용률이 80%를 넘으면 발송된다."),
        ("The 2025 sales kickoff is on January 14.", "The 2026 sales kickoff is on January 20."),
        ("Full-time staff get 20 vacation days.", "Part-time staff get 10 vacation days."),
        ("The meal allowance is capped at USD 75.", "Her meal claim came to USD 48.20."),
    ],
)
def test_places_parts_steps_and_other_things_contradict_nothing(a: str, b: str) -> None:
    assert not between(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("직무교육 이수 기준은 연 40시간이다.", "직무교육은 연 30시간 이상 이수해야 한다."),
        ("완제품 불량률 목표는 0.5% 이하이다.", "완제품 불량률 목표는 300ppm 이하로 관리한다."),
        ("출하 검사에서 경결함은 2건까지 합격, 중결함은 1건이다.", "출하 검사에서 경결함은 3건까지 합격이다."),
        ("유지보수 계약은 2026년 12월 31일까지이다.", "이번 유지보수 계약은 '27년 6월 말까지입니다."),
        ("Invoices are payable net 30 from the invoice date.", "We pay invoices 45 days after the invoice date."),
        ("The search endpoint allows 100 requests per minute.", "The search endpoint allows 60 times a minute."),
        (
            "Vessels are inspected at intervals not exceeding 24 months.",
            "The inspection interval for vessels is 36 months.",
        ),
        ("Guests are not permitted to use the Wi-Fi.", "Visitors may use the Wi-Fi."),
    ],
)
def test_a_value_is_read_in_whatever_form_it_is_given(a: str, b: str) -> None:
    assert between(a, b)


def test_minutes_of_two_meetings_are_one_series_and_two_rules_are_not() -> None:
    assert one_series("주간/주간회의_2026-11-16.md", "주간/주간회의_2026-11-09.hwpx")
    assert one_series("기획서_v1.hwp", "기획서_v3 (최종).hwp")
    assert one_series("2026_Q3_계획.md", "2026_Q4_로드맵.md")
    assert not one_series("출장비_기준.hwp", "출장_안내.md")
    assert not one_series("2026_출장비.md", "2026_휴가.md")


def test_an_answer_holds_until_a_value_changes() -> None:
    def side(path: str, body: str, value: str) -> dict[str, str]:
        return {"source": "s", "path": path, "body": body, "value": value}

    a, b = side("a.md", "aa", "30"), side("b.md", "bb", "60")
    said = [{"answer": "reject", "evidence": {"kind": "duration", "attribute": ["timeout", "결제"], "a": a, "b": b}}]

    def found(a: dict[str, str], b: dict[str, str], kind: str = "duration") -> bool:
        return answered({"kind": kind, "attribute": ["결제", "timeout"], "a": a, "b": b}, said) is not None

    assert found(a, b) and found(b, a)
    assert found(side("renamed.md", "aa", "30"), side("b.md", "edited", "60"))
    assert not found(side("renamed.md", "edited", "30"), b)
    assert not found(side("a.md", "aa", "45"), b)
    assert not found(a, b, "money")


def test_an_answer_outlives_other_words_for_the_attribute_and_an_exact_one_goes_before() -> None:
    a, b = ({"source": "s", "path": path, "body": path, "value": path} for path in ("a", "b"))

    def said(answer: str, *attribute: str) -> dict[str, Any]:
        return {"answer": answer, "evidence": {"kind": "duration", "attribute": [*attribute], "a": a, "b": b}}

    def given(*attribute: str) -> str | None:
        found = answered({"kind": "duration", "attribute": [*attribute], "a": a, "b": b}, answers)
        return found["answer"] if found else None

    answers = [said("reject", "결제", "timeout"), said("accept", "결제", "대기")]
    assert (given("결제", "timeout"), given("대기"), given("timeout", "한도")) == ("reject", "accept", "reject")
    assert given("접속") is None


RULES = [
    "출장 숙박비는 1박에 13만 원까지 인정한다.",
    "교통비는 실비로 정산한다.",
    "결재는 팀장이 한다.",
]
GUIDE = [
    "출장 숙박비는 1박에 15만 원까지 인정합니다.",
    "교통비는 영수증대로 실비 정산합니다.",
    "궁금한 것은 총무팀에 물어보세요.",
]


def office(home: Path, rest: str = "", **encoder: str) -> Team:
    """Two rules that differ in one amount, a copy of the first, and notes of something else."""
    team = Team(home, rest=rest)
    team.encoder = FakeEncoder(**encoder)
    team.write("정책/출장비 기준.md", RULES)
    team.write("정책/출장비 기준 - 사본.md", RULES)
    team.write("개발/처음 오신 분께.md", GUIDE)
    team.write("개발/메모.md", prose("메모", 2))
    return team


@pytest.fixture(scope="module")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> Team:
    team = office(tmp_path_factory.mktemp("read"))
    team.night()
    return team


@pytest.fixture
def team(read_once: Team, tmp_path: Path) -> Team:
    return read_once.twin(tmp_path)


def say(team: Team, answer: Any) -> None:
    with team.saero().ledger.transaction("test") as con:
        (item,) = reviews.opened(con, "contradiction")
        reviews.answer(con, item, answer, NOW)


def test_documents_that_differ_in_a_value_are_named_with_both(team: Team) -> None:
    report = collect(team.saero())
    (row,) = report["contradictions"]
    assert (row["a"]["path"], row["a"]["value"]) == ("처음 오신 분께.md", "1박에 15만 원")
    assert (row["b"]["path"], row["b"]["value"]) == ("출장비 기준.md", "1박에 13만 원")
    assert (row["attribute"], row["kind"], row["answer"]) == ("출장 숙박", "money", None)
    assert row["b"]["clause"] == RULES[0] and "교통비" not in json.dumps(report, ensure_ascii=False)


def test_what_is_found_waits_for_review_and_goes_with_its_cause(team: Team) -> None:
    (row,) = collect(team.saero())["contradictions"]
    with team.saero().ledger.transaction("test") as con:
        (item,) = reviews.opened(con, "contradiction")
    assert item["item_id"] == row["review"] and "교통비" not in json.dumps(item["evidence"], ensure_ascii=False)
    team.write("개발/처음 오신 분께.md", [GUIDE[0].replace("15만", "13만"), *GUIDE[1:]])
    team.night()
    assert collect(team.saero())["contradictions"] == []
    with team.saero().ledger.transaction("test") as con:
        assert reviews.opened(con, "contradiction") == []


def test_a_dismissed_one_stays_so_through_edits_and_renames_until_a_value_changes(team: Team) -> None:
    (before,) = collect(team.saero())["contradictions"]
    say(team, "reject")
    team.write("개발/처음 오신 분께.md", [*GUIDE, "마지막으로 고친 사람은 총무팀입니다."])
    team.file("정책/출장비 기준.md").rename(team.file("정책/출장비 규정.md"))
    team.night()
    report = collect(team.saero())
    assert (report["contradictions"], report["dismissed"]) == ([], 1)
    (row,) = collect(team.saero(), every=True)["contradictions"]
    assert (row["answer"], row["review"]) == ("reject", before["review"])
    team.write("개발/처음 오신 분께.md", [GUIDE[0].replace("15만", "20만"), *GUIDE[1:]])
    team.night()
    (row,) = collect(team.saero())["contradictions"]
    assert row["answer"] is None and row["review"] != before["review"]


def test_an_accepted_one_is_listed_as_confirmed(team: Team) -> None:
    collect(team.saero())
    say(team, "accept")
    (row,) = collect(team.saero())["contradictions"]
    assert row["answer"] == "accept"


def test_values_are_extracted_once(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    collect(team.saero())

    def never(*_: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr("resources.contradictions.stated", never)
    assert len(collect(team.saero())["contradictions"]) == 1


def test_a_known_encoder_proposes_by_its_cosines(tmp_path: Path) -> None:
    team = office(tmp_path, name="multilingual-e5-small@words")
    team.night()
    report = collect(team.saero())
    assert report["method"]["by"] == "cosine" and report["method"]["cosine"] > 0.8
    assert all(row["cosine"] >= report["method"]["cosine"] for row in report["contradictions"])


CANARY = '\n[[canaries]]\nquery = "출장 숙박비는 1박에 얼마까지 인정"\nexpect_path = "정책/출장비 기준.md"\n'


def test_each_night_looks_at_what_canaries_stand_on_only_when_asked(tmp_path: Path) -> None:
    team = office(tmp_path, CANARY)
    team.night()
    assert "contradiction" not in {kind for kind, _ in team.findings()}
    team.settings({"개발": "", "정책": ""}, f"[contradictions]\nnightly = true\n{CANARY}")
    team.night()
    assert {place for kind, place in team.findings() if kind == "contradiction"} == {
        "개발/처음 오신 분께.md",
        "정책/출장비 기준.md",
    }
    (item,) = team.ask("select item_id from review_items where kind = 'contradiction' and closed_at is null")
    told = [json.loads(row["detail"]) for row in team.ask("select detail from findings where kind = 'contradiction'")]
    assert {row["id"] for row in told} == {item["item_id"]}
    assert {row["beside"] for row in told} == {"개발/처음 오신 분께.md", "정책/출장비 기준.md"}
    say(team, "reject")
    team.night()
    assert "contradiction" not in {kind for kind, _ in team.findings()}


def test_the_night_goes_on_when_comparing_values_breaks_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    team = office(tmp_path, f"[contradictions]\nnightly = true\n{CANARY}")

    def breaks(*_: object) -> None:
        raise ValueError(RULES[0])

    with monkeypatch.context() as patched:
        patched.setattr("resources.contradictions.stated", breaks)
        team.night()
    assert ("contradictions_unread", "") in team.findings() and RULES[0] not in caplog.text
    assert "first" in team.mails()
    (detail,) = team.ask("select detail from findings where kind = 'contradictions_unread'")
    assert json.loads(detail["detail"]) == {"error": "ValueError"}
    team.night()
    assert {kind for kind, _ in team.findings()} & {"contradiction", "contradictions_unread"} == {"contradiction"}


@pytest.fixture
def ask(team: Team, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., str]:
    monkeypatch.setattr("resources.build.Saero.query_encoder", team.encoder)

    def run(*args: str) -> str:
        main(["--config", str(team.home / "saero.toml"), "contradictions", *args])
        sys.stdout.flush()
        return capfdbinary.readouterr().out.decode("utf-8-sig")

    return run


def test_the_command_prints_places_values_and_ids(ask: Callable[..., str]) -> None:
    found = json.loads(ask("--json"))
    assert shapes.misfits(found, CONTRADICTIONS) == []
    (row,) = found["contradictions"]
    table = ask()
    assert row["review"] in table and "13만 원" in table and "정책/출장비 기준.md" in table
    assert ask("--csv").splitlines()[0].startswith("attribute,kind,a_source")
    assert json.loads(ask("--json", "--source", "개발"))["contradictions"] == [row]


def test_a_source_that_is_none_is_refused(ask: Callable[..., str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        ask("--source", "없음")
    assert stopped.value.code == 2


def test_before_the_first_refresh_there_is_nothing_to_compare(tmp_path: Path) -> None:
    report = collect(office(tmp_path).saero())
    assert (report["passages"], report["contradictions"]) == (0, [])


def test_the_documented_example_has_the_shape() -> None:
    page = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    example = re.search(r"^## contradictions\n.*?```json\n(.*?)```", page, flags=re.DOTALL | re.MULTILINE)
    assert example and shapes.misfits(json.loads(example[1]), CONTRADICTIONS) == []
