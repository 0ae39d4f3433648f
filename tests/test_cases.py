"""Some of the shared case files, hostile ones too, through every stage; benchmarks/cases_refresh.py runs them all."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "benchmarks")]

from cases_refresh import (  # noqa: E402
    CountingEncoder,
    Verdict,
    bare,
    build_corpus,
    files_on_disk,
    hold_outcomes,
    left_from_scratch,
    outcome,
    refresh,
    sidecar_misses,
    table,
)
from same_output import differing  # noqa: E402

FOLDERS = ("formats/bad", "formats/bugs", "formats/eml", "hwp/bad")


class EstimatingEncoder(CountingEncoder):
    """Needs no model: tokens are estimated."""

    dimension = 32
    max_tokens = 512

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 2 + 3 for text in texts]


@pytest.mark.cases
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_case_ends_in_text_or_a_category_and_the_next_night_is_quiet(cases_dir: Path, tmp_path: Path) -> None:
    folders = {name.replace("/", " "): cases_dir / name for name in FOLDERS}
    encoder = EstimatingEncoder("bundled", tmp_path)
    saero = build_corpus(tmp_path, folders, encoder)
    first = refresh(saero, "first")
    verdict = Verdict()
    hold_outcomes(
        verdict, first, files_on_disk(folders) - {f"{row['source']}/{row['path']}" for row in first.documents}
    )
    assert (verdict.misses, sidecar_misses(saero, folders, first.documents)) == ([], [])
    assert [check.name for check in first.checks if not check.passed] == []
    assert (first.differences, first.embedded > 0) == ((0, 0), True)
    second = refresh(build_corpus(tmp_path, folders, encoder), "second")
    chunks = second.report["chunks"]
    assert (second.report["opened"], second.embedded, chunks["added"], chunks["removed"]) == (0, 0, 0, 0)


@pytest.mark.cases
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_two_refreshes_from_nothing_leave_the_same_files_and_rows(cases_dir: Path, tmp_path: Path) -> None:
    """Workers end in another order each time; benchmarks/cases_refresh.py compares them all."""
    folders, encoder = {"eml": cases_dir / "formats/eml"}, EstimatingEncoder("bundled", tmp_path)
    left, other = (left_from_scratch(folders, encoder) for _ in range(2))
    assert {name.split("/")[0].split(" ")[0] for name in left} >= {"parsed", "bodies", "document", "content", "passage"}
    assert differing(left, other) == []


def document(path: str, **facts: Any) -> dict[str, Any]:
    return {"source": "메일", "path": path, "mail": None, "category": None, "format": None, "has_text": None, **facts}


def test_the_table_counts_formats_against_outcomes() -> None:
    rows = [
        document("가.docx", format="docx", has_text=True),
        document("나.DOCX", category="encrypted"),
        document("다.eml", format="eml", has_text=False),
        document("다.eml!/라.docx", format="docx", has_text=True, mail="다.eml"),
    ]
    assert [line.split() for line in table(rows).splitlines()] == [
        ["format", "text", "carrier", "encrypted", "all"],
        ["docx", "2", "-", "-", "2"],
        ["eml", "-", "1", "-", "1"],
        [".docx", "-", "-", "1", "1"],
        ["all", "2", "1", "1", "4"],
    ]


def test_a_document_without_words_category_or_attachments_is_noticed() -> None:
    assert outcome(document("빈.eml", format="eml", has_text=False), []) == "nothing"


def test_words_are_compared_without_marks_and_spaces() -> None:
    assert bare("## 제 1 장 | **총칙**") == "제1장총칙"
