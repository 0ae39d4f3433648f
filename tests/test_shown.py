"""What search shows of a passage belongs to that passage, and can't act on a terminal."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from resources.mirror import Mirror
from saero.commands.search import _print_result, _snippet, marked
from saero.output import printable

ROW = {"source": "규정", "path": "한도.md", "text": "# 전결\n\n팀장의 전결 한도는 300만원이다."}
LOCATOR = {"lines": [1, 3]}


def saero(tmp_path: Path, text: str) -> Any:
    mirror = Mirror(tmp_path)
    mirror.write("규정", "한도.md", text)
    return SimpleNamespace(mirror=mirror)


def test_a_snippet_is_a_slice_of_the_cited_lines(tmp_path: Path) -> None:
    shown = _snippet(saero(tmp_path, f"{ROW['text']}\n"), ROW, LOCATOR, [("한도", 0.7)])
    assert shown == ROW["text"]


def test_the_page_is_that_of_what_is_shown(tmp_path: Path) -> None:
    locator = LOCATOR | {"page": 2, "pages": [[1, 2], [3, 3]]}
    assert "300만원" in _snippet(saero(tmp_path, f"{ROW['text']}\n"), ROW, locator, [("한도", 0.7)])
    assert locator == LOCATOR | {"page": 3}


def test_a_text_version_that_is_newer_than_the_index_is_not_shown_under_its_score(tmp_path: Path) -> None:
    shown = _snippet(saero(tmp_path, "# 전결\n\n팀장의 전결 한도는 500만원이다.\n"), ROW, LOCATOR, [("한도", 0.7)])
    assert "300만원" in shown
    assert "500만원" not in shown


def test_lines_that_moved_are_not_shown_for_the_passage(tmp_path: Path) -> None:
    moved = "# 다른 글\n\n새 문단\n\n" + ROW["text"]
    assert _snippet(saero(tmp_path, moved), ROW, LOCATOR, [("한도", 0.7)]) == ROW["text"]


def test_a_table_with_its_header_repeated_is_shown_from_the_cited_rows(tmp_path: Path) -> None:
    table = "| 항목 | 금액 |\n| --- | --- |\n| 가 | 1 |\n| 나 | 2 |\n"
    row = ROW | {"text": "| 항목 | 금액 |\n| --- | --- |\n| 나 | 2 |"}
    assert _snippet(saero(tmp_path, table), row, {"lines": [4, 4]}, [("나", 0.7)]) == "| 나 | 2 |"


def test_the_whole_passage_is_printed_when_asked(capsys: Any) -> None:
    result = {
        "rank": 1,
        "score": 0.9,
        "tier": "trusted",
        "source": "규정",
        "path": "한도.md",
        "locator": {"page": None, "slide": None, "sheet": None, "rows": None, "heading": [], "lines": [1, 1]},
        "snippet": "짧게",
        "text": "길게\n모두",
        "also_in": [],
        "flags": [],
    }
    _print_result(result, "ko", [])
    said = capsys.readouterr().out
    assert "   길게\n   모두\n" in said and "짧게" not in said


def test_a_missing_text_version_leaves_the_passage_itself(tmp_path: Path) -> None:
    assert "300만원" in _snippet(SimpleNamespace(mirror=Mirror(tmp_path)), ROW, LOCATOR, [("한도", 0.7)])  # type: ignore[arg-type]


def test_control_and_direction_marks_do_not_reach_the_terminal(capsys: Any) -> None:
    evil = "esc\x1b[31m\x07new\nline\u202e.md"
    result = {
        "rank": 1,
        "score": 0.9,
        "tier": "trusted",
        "source": "규정",
        "path": evil,
        "locator": {"page": None, "slide": None, "sheet": evil, "rows": [1, 2], "heading": [evil], "lines": [1, 1]},
        "snippet": evil.replace("\n", " "),
        "also_in": [{"source": "규정", "path": evil}],
        "flags": [f"superseded_by:규정/{evil}"],
    }
    _print_result(result, "ko", [("esc", 1.0)])
    said = capsys.readouterr().out
    assert not {"\x1b", "\x07", "\u202e"} & set(said)
    assert said.count("\n") == 6
    assert printable("가\u2028나") == "가?나"


def test_what_was_looked_for_is_marked_and_generic_words_are_not() -> None:
    shown = marked("전결 한도는 무엇인가", [("한도", 0.7), ("무엇", 0.15), ("는", 0.35)])
    assert shown == "전결 \x1b[4m한도\x1b[0m는 무엇인가"
