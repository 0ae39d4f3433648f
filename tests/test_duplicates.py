"""saero duplicates: any folder without settings, or what the last refresh found."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from office_makers import make_docx, make_scan_pdf
from quick_corpus import refreshed_corpus
from sheet_makers import make_eml
from team import markdown, prose
from test_cli_shapes import MAYBE_TEXT, NUMBER, PLACE, Counts, Maybe, OneOf, misfits
from test_docs import sections

from pipelines.records import Block
from saero.cli import saero

DUPLICATES = {
    "families": [
        {
            "id": str,
            "label": OneOf("exact", "near", "contains", "mixed"),
            "latest": Maybe(PLACE),
            "confidence": NUMBER,
            "clock": MAYBE_TEXT,
            "reason": str,
            "members": [
                {**PLACE, "modified_at": MAYBE_TEXT, "clock": MAYBE_TEXT, "representative": bool, "extras": Counts()}
            ],
            "edges": [
                {
                    "a": PLACE,
                    "b": PLACE,
                    "kind": OneOf("exact", "near", "contains"),
                    "jaccard": NUMBER,
                    "containment_a_in_b": NUMBER,
                    "containment_b_in_a": NUMBER,
                }
            ],
        }
    ],
    "errors": [{**PLACE, "category": str, "reason": str}],
}
ESCAPE = "사본\n\x1b[2J.md"
PLAN = prose("plan", 6)


def blocks(paragraphs: list[str]) -> list[Block]:
    return [Block("paragraph", text) for text in paragraphs]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of every kind of likeness, folders that are left out, and files that can't be read."""
    root = tmp_path_factory.mktemp("build") / "target"
    when = datetime(2026, 5, 1, tzinfo=UTC)
    terms = markdown(prose("terms"))
    mail = make_eml(
        "견적",
        "lee@example.com",
        "kim@example.com",
        when,
        "보냅니다. 확인 바랍니다.",
        attachments=[("약관.md", terms.encode()), ("부록.docx", b"PK\x03\x04 no appendix")],
    )
    files: dict[str, str | bytes] = {
        "기획서.docx": make_docx(blocks(PLAN), modified=when),
        "메모 있음.md": "<!-- 확인 바람 -->\n\n" + markdown(PLAN),
        ESCAPE: markdown(PLAN),
        "고침.docx": make_docx(blocks([*PLAN[:-1], PLAN[-1].replace(" ", " 새 ", 2)]), modified=when.replace(month=6)),
        "발췌.md": markdown(PLAN[:4]),
        "약관.md": terms,
        "메일/1.eml": mail,
        "메일/2.eml": mail,
        "스캔/하나.pdf": make_scan_pdf(1),
        "스캔/둘.pdf": make_scan_pdf(1),
        "스캔/셋.pdf": make_scan_pdf(2),
        "깨진.docx": b"PK\x03\x04 no document",
        "target/기획서.md": markdown(PLAN),
        "개발/dist/기획서.md": markdown(PLAN),
        "my_build_notes/다름.md": markdown(prose("different")),
        unicodedata.normalize("NFD", "백업") + "/기획서.md": markdown(PLAN),
        "보관/2024/기획서.md": markdown(PLAN),
    }  # fmt: skip
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return root


def call(*args: object) -> Result:
    result = CliRunner().invoke(saero, ["duplicates", *map(str, args)])
    assert result.exit_code in (0, 2), result.output
    return result


def said(*args: object) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(call(*args, "--json").stdout)
    assert misfits(report, DUPLICATES) == []
    return report


@pytest.fixture(scope="module")
def report(folder: Path) -> dict[str, Any]:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    found = said(folder, "--exclude-dir", "./백업/", "--exclude-dir", "보관/2024")
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    return found


def example(command: str) -> Any:
    """Return the first JSON that docs/cli.md shows of a command."""
    return json.loads(sections()[command].partition("```json\n")[2].partition("```")[0])


def paths(family: dict[str, Any]) -> set[str]:
    return {member["path"] for member in family["members"]}


def family_of(report: dict[str, Any], path: str) -> dict[str, Any]:
    return next(family for family in report["families"] if path in paths(family))


def test_copies_changed_texts_and_extracts_are_one_family_with_every_edge(report: dict[str, Any]) -> None:
    family = family_of(report, "기획서.docx")
    assert paths(family) == {"기획서.docx", "메모 있음.md", ESCAPE, "고침.docx", "발췌.md"}
    assert family["label"] == "mixed"
    kinds = {(edge["kind"], edge["a"]["path"], edge["b"]["path"]) for edge in family["edges"]}
    assert {kind for kind, *_ in kinds} == {"exact", "near", "contains"} and len(kinds) == 5
    assert ("exact", "기획서.docx", "메모 있음.md") in kinds and ("exact", "기획서.docx", ESCAPE) in kinds
    for edge in family["edges"]:
        assert edge["kind"] != "exact" or edge["jaccard"] == 1.0
        assert edge["kind"] != "near" or edge["jaccard"] >= 0.9
        assert edge["kind"] != "contains" or max(edge["containment_a_in_b"], edge["containment_b_in_a"]) >= 0.96


def test_what_stands_beside_equal_texts_is_counted(report: dict[str, Any]) -> None:
    members = {member["path"]: member for member in family_of(report, "기획서.docx")["members"]}
    assert members["메모 있음.md"]["extras"] == {"comment": 1} and members["기획서.docx"]["extras"] == {}
    assert [path for path, member in members.items() if member["representative"]] == ["기획서.docx"]


def test_attachments_are_members_also_those_of_a_copied_mail(report: dict[str, Any]) -> None:
    assert paths(family_of(report, "약관.md")) == {"약관.md", "메일/1.eml!/약관.md", "메일/2.eml!/약관.md"}
    assert paths(family_of(report, "메일/1.eml")) == {"메일/1.eml", "메일/2.eml"}


def test_scans_are_one_only_with_equal_bytes_and_said_not_to_be_read(report: dict[str, Any]) -> None:
    assert paths(family_of(report, "스캔/하나.pdf")) == {"스캔/하나.pdf", "스캔/둘.pdf"}
    said = {error["path"]: error["category"] for error in report["errors"]}
    scans = dict.fromkeys(("스캔/하나.pdf", "스캔/둘.pdf", "스캔/셋.pdf"), "needs_ocr")
    broken = dict.fromkeys(("깨진.docx", "메일/1.eml!/부록.docx", "메일/2.eml!/부록.docx"), "damaged")
    assert said == {**broken, **scans}


def test_folders_are_left_out_by_whole_name_or_path_but_never_the_root(folder: Path, report: dict[str, Any]) -> None:
    assert folder.name == "target"
    everything = paths(family_of(said(folder), "기획서.docx"))
    assert everything - paths(family_of(report, "기획서.docx")) == {"백업/기획서.md", "보관/2024/기획서.md"}


def test_the_documented_example_has_the_shape_of_the_command() -> None:
    assert misfits(example("duplicates"), DUPLICATES) == []


def test_names_that_would_act_on_a_terminal_are_shown_harmless(folder: Path) -> None:
    shown = call(folder).stdout
    assert "\x1b" not in shown and "사본??[2J.md" in shown
    assert "포함: 기획서.docx ⊃ 발췌.md (뒤의 100.00%가 앞에 있음, 유사도 0." in shown
    for words in ("본문 동일", "일부 수정", "포함", "혼합", "대표 문서", "가장 최근", "본문만 같음", "메모", "damaged"):
        assert words in shown, words


def test_a_lower_threshold_finds_what_was_changed_more(tmp_path: Path) -> None:
    words = " ".join(prose("plan", 2)).split()
    (tmp_path / "1.txt").write_text(" ".join(words), encoding="utf-8")
    changed = [f"바뀜{place}" if place % 15 == 0 else word for place, word in enumerate(words)]
    (tmp_path / "2.txt").write_text(" ".join(changed), encoding="utf-8")
    assert said(tmp_path)["families"] == []
    (edge,) = said(tmp_path, "--threshold", "0.7")["families"][0]["edges"]
    assert edge["kind"] == "near" and 0.7 <= edge["jaccard"] < 0.9


def test_many_copies_are_counted_not_listed(tmp_path: Path) -> None:
    for number in range(30):
        text = markdown(PLAN) + ("\n<!-- 확인 -->\n" if number < 8 else "")
        (tmp_path / f"{number:02}.md").write_text(text, encoding="utf-8")
    shown = call(tmp_path).stdout
    assert (
        "… 문서 10개 더 (--json)" in shown
        and "메모: 00.md 1, 01.md 1, 02.md 1, 03.md 1, 04.md 1, 외 3개; 없음: 08.md" in shown
    )
    assert len(shown.splitlines()) < 35


def test_rows_for_a_spreadsheet(folder: Path) -> None:
    result = call(folder, "--csv", "--exclude-dir", "백업", "--exclude-dir", "보관")
    rows = list(csv.DictReader(io.StringIO(result.stdout_bytes.decode("utf-8-sig"))))
    assert {row["path"] for row in rows if row["label"] == "mixed"} >= {"기획서.docx", "발췌.md"}
    assert [row["comment"] for row in rows if row["path"] == "메모 있음.md"] == ["1"]


@pytest.mark.parametrize(
    "args",
    [
        ["no such folder"],
        [""],
        [".", "--threshold", "1.5"],
        [".", "--threshold", "0"],
        [".", "--threshold", "nan"],
        [".", "--threshold", "much"],
        ["--threshold", "0.95"],
        ["--exclude-dir", "a"],
    ],
)
def test_a_wrong_call_ends_with_two(args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(saero, ["duplicates", *args])
    assert result.exit_code == 2 or type(result.exception).__name__ == "Refused"
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_for_other_commands_and_a_folder_needs_no_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("글", encoding="utf-8")
    result = call("a.md")
    assert result.exit_code == 2 and "is a file" in result.output and "saero fingerprint" in result.output
    assert "saero duplicates DIR" in str(CliRunner().invoke(saero, ["duplicates"]).exception)
    assert "(기준 0.90)" in call(tmp_path).stdout and "(기준 0.50)" in call(tmp_path, "--threshold", "0.5").stdout


def test_before_the_first_refresh_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "saero.toml").write_text('[sources.docs]\npath = "docs"\n', encoding="utf-8")
    shown = CliRunner().invoke(saero, ["--config", str(tmp_path / "saero.toml"), "duplicates"])
    assert (shown.exit_code, shown.stdout) == (0, "아직 갱신한 적이 없습니다: saero refresh\n")


def test_an_empty_folder_has_no_families(tmp_path: Path) -> None:
    assert said(tmp_path) == {"families": [], "errors": []} and list(tmp_path.iterdir()) == []


def test_without_a_folder_the_families_of_the_last_refresh_are_shown(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = refreshed_corpus(tmp_path_factory) / "saero.toml"
    result = CliRunner().invoke(saero, ["--config", str(settings), "duplicates", "--json"])
    report = json.loads(result.stdout)
    assert misfits(report, DUPLICATES) == []
    leave = family_of(report, "휴가.md")
    assert (leave["label"], paths(leave)) == ("exact", {"휴가.md", "휴가 사본.md"})
    assert {(m["path"], m["representative"], m["extras"].get("comment")) for m in leave["members"]} == {
        ("휴가.md", True, 1),
        ("휴가 사본.md", False, None),
    }
    assert report["errors"][0]["path"] == "깨진.docx"
