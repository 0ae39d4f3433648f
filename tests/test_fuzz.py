"""The fuzz command: damage that can be made again, and bars that see what they should."""

from __future__ import annotations

import io
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from random import Random

import olefile
import pytest

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT / "benchmarks")]

import fuzz  # noqa: E402
from fuzz_fixtures import Fixture, files, turns  # noqa: E402
from golden_documents import DOCUMENTS  # noqa: E402
from mutations import mutated  # noqa: E402
from soundness import faults  # noqa: E402

from pipelines.records import Block, Cell, Limits, Locator, Parsed  # noqa: E402
from resources.parsing import ParseResult, Task  # noqa: E402

NAMES = sorted(DOCUMENTS)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_damage(name: str) -> None:
    data = DOCUMENTS[name]()
    first, second = ([mutated(data, name, Random(seed)) for seed in range(12)] for _ in range(2))
    assert first == second
    assert sum(changed != data for changed, _ in first) >= 9


def test_damage_inside_a_zip_leaves_a_zip_whose_checksums_are_right() -> None:
    data = DOCUMENTS["재택근무.hwpx"]()
    whole = 0
    for seed in range(30):
        changed, _ = mutated(data, "가.hwpx", Random(seed))
        try:
            with zipfile.ZipFile(io.BytesIO(changed)) as archive:
                whole += archive.testzip() is None
        except zipfile.BadZipFile:
            continue
    assert whole >= 20


def test_damage_inside_an_hwp_leaves_a_container_that_opens() -> None:
    data = DOCUMENTS["재택근무.hwp"]()
    whole = 0
    for seed in range(30):
        changed, _ = mutated(data, "가.hwp", Random(seed))
        if changed[:8] == data[:8]:
            with olefile.OleFileIO(io.BytesIO(changed)) as ole:
                whole += ole.exists("BodyText/Section0")
    assert whole >= 15


def test_every_kind_of_file_has_its_turn() -> None:
    found = [Fixture(f"{n}.txt", f"{n}.txt", b"") for n in range(3)] + [Fixture("a.pdf", "a.pdf", b"")]
    keys = [
        (one.key, number) for (one, number), _ in zip(turns({one.key: one for one in found}), range(8), strict=False)
    ]
    assert keys == [
        ("0.txt", 0), ("a.pdf", 0), ("1.txt", 0), ("a.pdf", 1), ("2.txt", 0), ("a.pdf", 2), ("0.txt", 1), ("a.pdf", 3),
    ]  # fmt: skip


def test_sound_documents_have_no_faults() -> None:
    table = Block("table", cells=(Cell(0, 0, (Block("paragraph", "가"),)), Cell(1, 1, (Block("paragraph", "나"),))))
    parsed = Parsed("txt", (Block("heading", "제목", level=1), table, Block("record", values=("1", "2"))))
    assert faults(parsed, Limits()) == []


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        (Block("paragraph", "가\x07"), "control character"),
        (Block("paragraph", "\ud800"), "lone surrogate"),
        (Block("paragraph", "\u1100\u1161"), "not in NFC"),
        (Block("heading", "가", level=9), "levels 1 to 6"),
        (Block("item", "가"), "without a level"),
        (Block("record", labels=("가",), values=("1", "2")), "different lengths"),
        (Block("table", cells=(Cell(0, -1, ()), Cell(0, 0, ()))), "out of the grid"),
        (Block("table", cells=(Cell(65535, 0, ()), Cell(0, 65535, ()))), "more places"),
        (Block("paragraph", "가", locator=Locator(page=0)), "below 1"),
        (Block("record", values=("1",), locator=Locator(rows=(3, 2))), "rows out of range"),
    ],
)
def test_broken_promises_are_seen(block: Block, fault: str) -> None:
    assert any(fault in one for one in faults(Parsed("txt", (block,)), Limits()))


def test_damaged_files_go_through_the_pool_and_are_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that keeps every bar, one whose fault is kept and named, one that is read again."""
    damaged = [
        fuzz.Damaged("a#0", "가.txt", "가나다".encode()),
        fuzz.Damaged("b#1", "나.html", b"<p>" + "라".encode()),
        fuzz.Damaged("c#2", "다.pdf", b"%PDF-1.4 nothing"),
    ]
    monkeypatch.setattr(fuzz, "SAMPLE", 1)
    outcome = fuzz.read(damaged, tmp_path, workers=1, keep=tmp_path / "kept")
    assert fuzz.read_again(outcome, workers=1, until=float("inf")) == 3
    assert fuzz.report(outcome, 3, 1.0, seed=1) == 0
    said = capsys.readouterr().out
    assert "3 mutated files" in said and "damaged 1" in said
    assert not (tmp_path / "kept").exists()
    outcome.sample[0] = replace(outcome.sample[0], said="other")
    fuzz.read_again(outcome, workers=1, until=float("inf"))
    assert fuzz.report(outcome, 3, 1.0, seed=1) == 1
    assert "read twice, two results" in capsys.readouterr().out


def test_an_exception_that_no_parser_meant_is_a_fault() -> None:
    note = {"where": "KeyError docx_body.py:12", "peak_mb": 10}
    result = ParseResult(Task("fuzz", "0/가.docx", ""), "failed", category="damaged")
    assert list(fuzz.broken(result, "the docx parser stopped at KeyError", note)) == [
        "the docx parser stopped at KeyError (KeyError docx_body.py:12)"
    ]
    assert list(fuzz.broken(result, "the zip container is damaged or cut short", note)) == []
    late = replace(result, category="timeout", reason="reading it took longer than 30 s")
    assert list(fuzz.broken(late, late.reason, note)) == [late.reason]


def test_files_that_say_what_is_expected_of_others_are_no_fixtures(tmp_path: Path) -> None:
    for name in ("가.txt", "가.expected.txt", "MANIFEST.tsv", "빈.txt"):
        (tmp_path / name).write_text("" if name == "빈.txt" else "글", encoding="utf-8")
    assert [one.key for one in files("cases", tmp_path)] == ["cases/가.txt"]
