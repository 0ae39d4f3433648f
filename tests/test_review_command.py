"""saero review and saero versions as a person types them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from test_cli_shapes import MAYBE_TEXT, NUMBER, PLACE, OneOf, misfits

from pipelines.review import item_id
from pipelines.version_rule import Alike, Named
from pipelines.versions import Decisions, replacements
from resources.backup import newest_backup
from resources.build import build
from resources.ledger import Ledger, reviews
from resources.ledger import documents as document_store
from resources.ledger import replacements as replacement_store
from resources.ledger import runs as run_store
from saero.cli import main
from saero.commands.refresh import _print_next as print_next
from saero.version_words import why_words

NOW = datetime(2026, 11, 30, tzinfo=UTC)
ITEMS = {
    "items": [
        {
            "id": str,
            "kind": OneOf("version", "redundancy", "contradiction"),
            "state": OneOf("open", "accepted", "rejected", "lapsed"),
            "a": [PLACE],
            "b": [PLACE],
            "evidence": dict,
            "since": MAYBE_TEXT,
            "answered_at": MAYBE_TEXT,
        }
    ]
}
FIGURES = {
    "id": str,
    "older": PLACE,
    "newer": PLACE,
    "why": str,
    "jaccard": NUMBER,
    "containment": NUMBER,
    "since": str,
}
VERSIONS = {
    "chains": [
        {
            "serves": PLACE,
            "also_in": [PLACE],
            "replaced": [
                {
                    **FIGURES,
                    "also_in": [PLACE],
                    "policy": OneOf("replace", "demote"),
                    "by": OneOf("rule", "person"),
                    "taken_back": bool,
                }
            ],
        }
    ],
    "doubtful": [FIGURES],
}
DOUBT, COVERED, VALUES = item_id("version", "c", "d"), item_id("redundancy", "e"), item_id("contradiction", "x")
DONE = item_id("version", "a", "b")
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A ledger with one replacement and one open item of each kind; no refresh is needed."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "saero.toml").write_text('state = "state"\n[sources."제안서"]\npath = "docs"\n', encoding="utf-8")
    paths = {
        "a": "기획서_v1.hwp",
        "b": "기획서_v2.hwp",
        "c": "=초안.hwp",
        "d": "최종.hwp",
        "e": "요약.hwp",
        "f": "전체.hwp",
    }
    figures = {"jaccard": 0.75, "containment": 0.9}
    (tmp_path / "state").mkdir()
    with Ledger(tmp_path / "state").transaction("test") as con:
        document_store.add(
            con,
            [
                document_store.new_row(source="제안서", path=path, body_hash=body, served_hash=body)
                for body, path in paths.items()
            ],
        )
        replacement = {"policy": "replace", "run_id": "1", "decided_at": NOW, "ended_at": None, "undone_at": None}
        sides = {"older_source": "제안서", "older_path": paths["a"], "newer_source": "제안서", "newer_path": paths["b"]}
        evidence = {"why": "explicit versions", **figures}
        replacement_store.sync(
            con, [{"older_body": "a", "newer_body": "b", **sides, **replacement, "evidence": evidence}], NOW
        )
        doubt = {
            "why": "words of state only: 초안, 최종",
            "older": "제안서/초안.hwp",
            "newer": "제안서/최종.hwp",
            **figures,
        }
        values = {"attribute": ["타임아웃"], "a": {"written": "30초"}, "b": {"written": "60초"}, "cosine": 0.9}
        for item in (
            reviews.new_item(DOUBT, "version", a_body="c", b_body="d", evidence=doubt),
            reviews.new_item(COVERED, "redundancy", a_body="e", b_body="f", evidence={"share": 0.95}),
            reviews.new_item(VALUES, "contradiction", a_body="a", b_body="f", evidence=values),
        ):
            reviews.sync(con, item["kind"], [item], NOW)
    return tmp_path


@pytest.fixture
def say(home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Iterator[Say]:
    def call(*args: str) -> tuple[int, str, str]:
        code = 0
        try:
            main(["--config", str(home / "saero.toml"), *args])
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = capfdbinary.readouterr()
        return code, out.decode("utf-8-sig"), err.decode("utf-8")

    yield call


def test_the_lists_have_the_shapes_of_the_page(say: Say) -> None:
    items = json.loads(say("review", "--json")[1])
    assert misfits(items, ITEMS) == [] and {item["id"] for item in items["items"]} == {DOUBT, COVERED, VALUES}
    report = json.loads(say("versions", "--json")[1])
    assert misfits(report, VERSIONS) == []
    assert [step["id"] for chain in report["chains"] for step in chain["replaced"]] == [DONE]
    assert [row["id"] for row in report["doubtful"]] == [DOUBT]
    assert json.loads(say("versions", "--source", "제안서", "--json")[1]) == report


def test_the_tables_name_places_reasons_figures_and_what_to_type(say: Say) -> None:
    _, out, _ = say("versions")
    for word in ("대표 문서: 제안서/기획서_v2.hwp", "이름의 버전이 더 높음", "0.75/0.90", f"saero review undo {DONE}"):
        assert word in out
    _, out, _ = say("review")
    for word in ("상태를 나타내는 말뿐임: 초안, 최종", "타임아웃", "30초 / 60초", "0.95", "제안서/요약.hwp", DOUBT):
        assert word in out


@pytest.mark.parametrize(("command", "rows"), [("versions", 2), ("review", 3)])
def test_a_spreadsheet_gets_one_row_an_item(say: Say, command: str, rows: int) -> None:
    read = list(csv.DictReader(io.StringIO(say(command, "--csv")[1])))
    assert len(read) == rows and {DOUBT} < {row["id"] for row in read}


def test_answers_say_what_the_next_refresh_does_and_are_kept(say: Say) -> None:
    code, out, _ = say("review", "accept", DOUBT, COVERED)
    assert code == 0 and "최종.hwp(으)로 대체" in out and "요약.hwp이(가) 검색에서 제외" in out
    report = json.loads(say("review", "reject", VALUES, DONE, "--json")[1])
    assert [row["answer"] for row in report["answered"]] == ["reject", "reject"]
    assert "다시 검색" in report["answered"][1]["next"]
    assert json.loads(say("review", "--json")[1]) == {"items": []}
    every = json.loads(say("review", "--all", "--json")[1])
    assert misfits(every, ITEMS) == []
    states = {item["id"]: item["state"] for item in every["items"]}
    assert states == {DOUBT: "accepted", COVERED: "accepted", VALUES: "rejected", DONE: "rejected"}
    assert say("review", "undo", DOUBT)[0] == 0
    assert [item["id"] for item in json.loads(say("review", "--json")[1])["items"]] == [DOUBT]


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["accept", "nonsense"], "saero review --all"),
        (["accept", DOUBT, "nonsense"], "nonsense: no such item; nothing was answered"),
        (["undo", DOUBT], "nothing to take back"),
        (["reject"], "ID"),
    ],
)
def test_a_wrong_answer_ends_with_2_and_changes_nothing(say: Say, args: list[str], named: str) -> None:
    code, out, err = say("review", *args)
    assert (code, out) == (2, "") and named in err
    assert len(json.loads(say("review", "--json")[1])["items"]) == 3


def test_status_counts_what_waits(say: Say) -> None:
    assert json.loads(say("status", "--json")[1])["review"] == 3 and "검토할 것: 3 (saero review)" in say("status")[1]
    say("review", "reject", DOUBT)
    assert json.loads(say("status", "--json")[1])["review"] == 2


def test_a_refresh_leads_to_the_review_while_something_waits(
    say: Say, home: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    saero = build(str(home / "saero.toml"))
    print_next(saero, None)
    assert b"saero review" in capfdbinary.readouterr().out
    say("review", "reject", DOUBT, COVERED, VALUES)
    print_next(saero, None)
    assert b"review" not in capfdbinary.readouterr().out


def test_a_replacement_is_taken_back_once(say: Say) -> None:
    assert "다시 검색" in say("review", "undo", DONE)[1] and "다음 갱신에서 되돌림" in say("versions")[1]
    before = say("review", "--all", "--json")
    code, out, _ = say("review", "undo", DONE)
    assert code == 0 and "이미 되돌렸습니다" in out and say("review", "--all", "--json") == before
    assert say("review", "accept", DONE)[0] == 0 and f"saero review undo {DONE}" in say("versions")[1]
    assert say("review", "undo", DONE)[0] == 0
    assert say("review", "undo", DONE)[0] == 2 and f"saero review undo {DONE}" in say("versions")[1]


def test_what_is_over_or_covered_no_more_is_not_accepted(say: Say, home: Path) -> None:
    with Ledger(home / "state").transaction("test") as con:
        reviews.sync(con, "contradiction", [], NOW)
        con.execute("update documents set state = 'gone' where body_hash = 'f'")
    for key, named in ((VALUES, "its cause is over"), (COVERED, "isn't found by a search now")):
        code, out, err = say("review", "accept", DOUBT, key)
        assert (code, out) == (2, "") and named in err and key in err and DOUBT not in err
    assert {item["id"] for item in json.loads(say("review", "--json")[1])["items"]} == {DOUBT, COVERED}
    assert say("review", "reject", COVERED)[0] == 0


def test_a_rejected_version_whose_item_is_closed_may_still_be_accepted(say: Say, home: Path) -> None:
    say("review", "reject", DOUBT)
    with Ledger(home / "state").transaction("test") as con:
        reviews.sync(con, "version", [], NOW)
    assert say("review", "accept", DOUBT)[0] == 0


def test_an_acceptance_that_holds_no_more_says_so(say: Say, home: Path) -> None:
    say("review", "accept", COVERED)
    with Ledger(home / "state").transaction("test") as con:
        con.execute("update documents set state = 'gone' where body_hash = 'f'")
        reviews.sync(con, "redundancy", [], NOW)
    (item,) = [row for row in json.loads(say("review", "--all", "--json")[1])["items"] if row["id"] == COVERED]
    assert item["state"] == "lapsed" and "효력 없음" in say("review", "--all")[1]


def test_an_answer_is_in_the_backup_at_once_unless_the_ledger_is_new(say: Say, home: Path) -> None:
    say("review", "accept", DOUBT)
    assert newest_backup(home / "state" / "backup") == []
    with Ledger(home / "state").transaction("test") as con:
        run_store.begin(con, "1", "test", NOW)
    say("review", "reject", DOUBT)
    rows = [json.loads(line) for line in newest_backup(home / "state" / "backup")]
    said = [row["row"]["value"] for row in rows if row["table"] == "decisions" and row["row"]["undone_at"] is None]
    assert [json.loads(value)["answer"] for value in said] == ["reject"]


def test_a_wrong_source_is_named(say: Say) -> None:
    code, _, err = say("versions", "--source", "없음")
    assert code == 2 and "제안서" in err


def test_before_the_first_refresh_there_is_nothing_to_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "saero.toml").write_text('[sources.docs]\npath = "docs"\n', encoding="utf-8")
    empty: dict[str, dict[str, list[str]]] = {"review": {"items": []}, "versions": {"chains": [], "doubtful": []}}
    for command in empty:
        main(["--config", str(tmp_path / "saero.toml"), command, "--json"])
        assert json.loads(capsys.readouterr().out) == empty[command]
    assert not (tmp_path / ".saero").exists()


# Every reason that the rule gives has Korean words.

REASONS = [
    ("기획서_v1.md", "기획서_v2.md", Alike(0.9, 0.9)),
    ("기획서_v1.md", "기획서_v2.md", Alike(0.3, 0.3)),
    ("기획서_v1.md", "기획서_v2_초안.md", Alike(0.9, 0.9)),
    ("기획서_v1_최종.md", "기획서_v2.md", Alike(0.9, 0.9)),
    ("기획서_v1.md", "기획서_v2_old.md", Alike(0.9, 0.9)),
    ("기획서_v1.md", "기획서_v2 (1).md", Alike(0.9, 0.9)),
    ("기획서_v1.md", "기획서_v2_가온.md", Alike(0.9, 0.9)),
    ("기획서_v1.md", "가온_기획서_v2.md", Alike(0.9, 0.9)),
    ("API_v1.md", "API_v2.md", Alike(0.9, 0.9)),
    ("계약서_v1.md", "계약서_v2.md", Alike(0.9, 0.9)),
    ("기획서_v1_20260302.md", "기획서_v2_20260102.md", Alike(0.9, 0.9)),
    ("20260102_기획서_v1.md", "20260302_기획서_v2.md", Alike(0.9, 0.9)),
    ("가/기획서_v1.md", "나/기획서_v2.md", Alike(0.9, 0.9)),
    ("기획서.md", "기획서_최종.md", Alike(0.9, 0.9)),
    ("기획서_20260102.md", "기획서_20260302.md", Alike(0.9, 0.9)),
    ("기획서.md", "기획서_v2.md", Alike(0.9, 0.9)),
    ("기획서_1.0.md", "기획서_1.1.md", Alike(0.9, 0.9)),
]


@pytest.mark.parametrize(("older", "newer", "figures"), REASONS)
def test_every_reason_is_said_in_korean(older: str, newer: str, figures: Alike) -> None:
    documents = [Named("s", older, "a", 100), Named("s", newer, "b", 100)]
    decided: Decisions = replacements(documents, lambda *_: figures)
    (one,) = (*decided.automatic, *decided.doubtful)
    assert why_words(one.why, "en") == one.why != why_words(one.why, "ko")
