"""Scanned pages: read when the settings ask for it and the program is there, said clearly when not."""

from __future__ import annotations

import io
import json
import os
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest
from team import Team

from pipelines.outcome import worth_judging_again
from pipelines.parsers import parse
from pipelines.parsers.pdf_lines import Line
from pipelines.records import Block, Limits, Locator, Ocr
from resources import ocr
from resources.ocr import merged, problem, reading_of, recognised
from resources.status import read_status
from saero.commands.documents import listed

TABLE = (
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    "4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t\n"
    "5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t91.5\t계약\n"
    "5\t1\t1\t1\t1\t2\t0\t0\t9\t9\t12.0\t기간\n"
    "4\t1\t2\t1\t1\t0\t0\t50\t9\t9\t-1\t\n"
    "5\t1\t2\t1\t1\t1\t0\t50\t9\t9\t80.0\t \n"
    "4\t1\t3\t1\t1\t0\t72\t300\t300\t30\t-1\t\n"
    "5\t1\t3\t1\t1\t1\t0\t300\t9\t9\t80.0\t8\n"
    "5\t1\t3\t1\t1\t2\t0\t300\t9\t9\t80.0\t개월\n"
    "계약기간\n\n8개월\n\f"
)

OCR_ON = '\n[ocr]\nenabled = true\nlanguages = "eng"\n'

needs_tesseract = pytest.mark.skipif(
    bool(problem("eng")), reason="tesseract with its English data isn't installed (apt install tesseract-ocr)"
)


def becomes_quiet(team: Team) -> bool:
    """Refresh until nothing is opened: what was written within the clock's grain of a scan is opened once more."""
    for _ in range(8):
        if team.night().opened_files == 0:
            return True
        time.sleep(0.5)
    return False


def line(text: str, y: float) -> Line:
    return Line(text, left=0, right=60, y=y, size=10)


def scan(*pages: str) -> bytes:
    """Return a PDF whose pages are pictures of text; "" makes a page with text of its own."""
    from PIL import Image, ImageDraw, ImageFont
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842), invariant=1)
    for text in pages:
        if text:
            image = Image.new("L", (1654, 2339), 255)
            draw = ImageDraw.Draw(image)
            for n, line in enumerate(text.split("\n")):
                draw.text((150, 200 + 90 * n), line, fill=0, font=ImageFont.load_default(48))
            canvas.drawImage(ImageReader(image), 0, 0, 595, 842)
        else:
            canvas.drawString(72, 700, "This page has a text layer of its own, long enough to be no scan at all.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_lines_have_whole_words_and_their_places() -> None:
    reading = reading_of(TABLE)
    assert [line.text for line in reading.lines] == ["계약기간", "8개월"]
    assert (reading.lines[1].y, reading.lines[1].right, reading.doubtful) == (72.0, 72 * 0.24 + 72.0, 1)


def test_recognised_pages_stand_at_their_place_and_do_not_repeat_a_stamp() -> None:
    stamp = Block("paragraph", "접수 2026", locator=Locator(page=2))
    blocks = (
        Block("paragraph", "하나", locator=Locator(page=1)),
        stamp,
        Block("paragraph", "셋", locator=Locator(page=3)),
    )
    read = {2: [line("접수2026", 0), line("본문", 40)], 4: [line("넷", 0)]}
    assert [(b.text, b.locator.page, b.locator.ocr) for b in merged(blocks, read)] == [
        ("하나", 1, False),
        ("접수 2026", 2, False),
        ("본문", 2, True),
        ("셋", 3, False),
        ("넷", 4, True),
    ]


def test_a_line_that_another_page_has_as_text_is_kept() -> None:
    blocks = (Block("paragraph", "검수 조서", locator=Locator(page=1)),)
    read = {1: [line("검수조서", 0), line("하나", 40)], 2: [line("검수조서", 0), line("둘", 40)]}
    found = [(block.text, block.locator.page) for block in merged(blocks, read)]
    assert found == [("검수 조서", 1), ("하나", 1), ("검수조서", 2), ("둘", 2)]


def test_what_is_missing_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "PROGRAM", "no-such-program")
    assert "isn't installed" in problem("kor") and "apt install" in problem("kor")


@needs_tesseract
def test_missing_languages_are_named() -> None:
    assert "no data for xxx" in problem("eng+xxx")


@needs_tesseract
def test_a_scan_is_read_page_by_page() -> None:
    data = scan("Contract period\neight months", "", "Total amount\n1,250,000 won")
    limits = Limits(ocr=Ocr("eng"))
    calls: list[int] = []
    parsed = parse(io.BytesIO(data), "scan.pdf", limits)
    assert parsed.ocr_pages == (1, 3)
    assert limits.ocr is not None
    read, failed = recognised(io.BytesIO(data), parsed, limits.ocr, lambda: calls.append(1))
    assert (read.ocr_pages, failed, len(calls)) == ((), 0, 2)
    assert [block.locator.page for block in read.blocks] == sorted(block.locator.page or 0 for block in read.blocks)
    shown = " ".join(block.text for block in read.blocks if block.locator.ocr)
    assert "eight months" in shown and "1,250,000" in shown
    assert "2 pages read by optical character recognition" in read.warnings


@needs_tesseract
def test_pages_above_the_bound_stay_listed() -> None:
    data = scan("One page", "Another page")
    limits = Limits(ocr=Ocr("eng", pages=1))
    assert limits.ocr is not None
    parsed = parse(io.BytesIO(data), "scan.pdf", limits)
    assert recognised(io.BytesIO(data), parsed, limits.ocr, lambda: None)[0].ocr_pages == (2,)


# Programs in tesseract's place: what a broken package, a full machine or a wrong file may do.
IMPOSTORS = {
    "hangs": "sleep 60 & sleep 60",
    "fails": "cat >/dev/null; exit 1",
    "talks nonsense": "cat >/dev/null; printf 'level\\tleft\\n4\\tx\\n'",
    "says nothing": "cat >/dev/null",
    "never ends": "cat >/dev/null; exec yes",
}


def put_in_place(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    impostor = folder / "bin" / "tesseract"
    impostor.parent.mkdir(exist_ok=True)
    languages = '[ "$1" = --list-langs ] && { echo eng; exit 0; }'
    impostor.write_text(f"#!/bin/sh\n{languages}\n{program}\n", encoding="utf-8")
    impostor.chmod(0o755)
    monkeypatch.setenv("PATH", f"{impostor.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.skipif(not shutil.which("sh"), reason="needs a shell")
@pytest.mark.parametrize("what", IMPOSTORS)
def test_a_page_at_which_the_program_fails_is_left_for_another_night(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in_place(IMPOSTORS[what], tmp_path, monkeypatch)
    assert ocr.read_page(b"P5 1 1 255\n\xff", Ocr("eng", page_seconds=1)) is None


@needs_tesseract
def test_a_failing_program_takes_no_text_away_and_is_asked_again_the_next_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = Team(tmp_path, {"문서": ""}, OCR_ON)
    team.write("문서/mixed.pdf", scan("", "Delivery until"))
    team.write("문서/scan.pdf", scan("Total amount"))
    with monkeypatch.context() as broken:
        put_in_place(IMPOSTORS["talks nonsense"], tmp_path, broken)
        team.night()
        assert team.states() == {"문서/mixed.pdf": "live", "문서/scan.pdf": "needs_ocr"}
        assert "text layer" in team.words()
    team.night()
    assert team.states() == {"문서/mixed.pdf": "live", "문서/scan.pdf": "live"}
    assert "Delivery until" in team.words() and "Total amount" in team.words()
    assert becomes_quiet(team)


def test_only_what_pages_are_left_of_is_judged_again_once_ocr_is_on() -> None:
    off, on = Limits(), Limits(ocr=Ocr("eng"))
    scanned = {"category": "needs_ocr", "ocr_pages": None, "limits": "no ocr"}
    whole = {"category": None, "ocr_pages": "[]", "limits": None}
    part = {"category": None, "ocr_pages": "[2]", "limits": "ocr=eng pages=100 page_seconds=60"}
    assert [worth_judging_again(row, off) for row in (scanned, whole, part)] == [False, False, False]
    assert [worth_judging_again(row, on) for row in (scanned, whole, part)] == [True, False, False]
    more = replace(on, ocr=Ocr("eng", pages=200))
    assert [worth_judging_again(row, more) for row in (scanned, whole, part)] == [True, False, True]


@needs_tesseract
def test_turning_ocr_on_reads_the_scans_in_the_next_night_and_only_once(tmp_path: Path) -> None:
    sources = {"문서": ""}
    team = Team(tmp_path, sources)
    team.write("문서/scan.pdf", scan("Delivery until", "December 2026"))
    team.write("문서/plain.md", ["납품은 12월까지입니다."])
    assert becomes_quiet(team)
    assert team.states() == {"문서/plain.md": "live", "문서/scan.pdf": "needs_ocr"}
    team.settings(sources, OCR_ON)
    assert team.night().opened_files == 1
    assert team.states()["문서/scan.pdf"] == "live"
    assert "Delivery until" in team.words()
    assert {row["path"]: json.loads(row["locator"])["ocr"] for row in team.rows()} == {
        "plain.md": False,
        "scan.pdf": True,
    }
    assert team.night().opened_files == 0
    team.settings(sources)
    assert (team.night().opened_files, team.states()["문서/scan.pdf"]) == (0, "live")


def test_a_night_without_the_program_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "PROGRAM", "no-such-program")
    team = Team(tmp_path, {"문서": ""}, OCR_ON)
    team.write("문서/scan.pdf", scan("Delivery until"))
    team.night()
    assert team.states() == {"문서/scan.pdf": "needs_ocr"}
    assert "isn't installed" in team.saero().ocr_problem


def test_a_document_with_a_scanned_page_is_named_as_not_wholly_searched(tmp_path: Path) -> None:
    team = Team(tmp_path, {"문서": ""})
    team.write("문서/mixed.pdf", scan("", "Delivery until"))
    team.night()
    status = read_status(team.saero().status_path)
    assert status.unsearched == ({"source": "문서", "path": "mixed.pdf", "category": "needs_ocr"},)
    (row,) = listed(team.saero())
    assert (row["state"], row["unread_pages"]) == ("live", [2])
