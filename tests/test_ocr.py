"""Scanned pages: read when the settings ask for it and the program is there, said clearly when not."""

from __future__ import annotations

import io
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from team import Team

from pipelines.outcome import worth_judging_again
from pipelines.parsers import parse
from pipelines.parsers.pdf_lines import Line
from pipelines.records import Block, Limits, Locator, Ocr
from resources import ocr
from resources.ocr import Reading, merged, problem, reading_of, recognised

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

needs_tesseract = pytest.mark.skipif(
    bool(problem("eng")), reason="tesseract with its English data isn't installed (apt install tesseract-ocr)"
)


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
    read = recognised(io.BytesIO(data), parsed, limits.ocr, lambda: calls.append(1))
    assert (read.ocr_pages, len(calls)) == ((), 2)
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
    assert recognised(io.BytesIO(data), parsed, limits.ocr, lambda: None).ocr_pages == (2,)


@pytest.mark.skipif(not shutil.which("sh"), reason="needs a shell")
def test_a_page_that_takes_too_long_stays_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "tesseract"
    slow.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert ocr.read_page(b"P5 1 1 255\n\xff", Ocr("eng", page_seconds=0.2)) == Reading((), 0)


def test_only_what_pages_are_left_of_is_judged_again_once_ocr_is_on() -> None:
    off, on = Limits(), Limits(ocr=Ocr("eng"))
    scanned = {"category": "needs_ocr", "ocr_pages": None, "limits": "no ocr"}
    whole = {"category": None, "ocr_pages": "[]", "limits": None}
    part = {"category": None, "ocr_pages": "[2]", "limits": "ocr=eng pages=100 page_seconds=60"}
    assert [worth_judging_again(row, off) for row in (scanned, whole, part)] == [False, False, False]
    assert [worth_judging_again(row, on) for row in (scanned, whole, part)] == [True, False, False]
    more = replace(on, ocr=Ocr("eng", pages=200))
    assert [worth_judging_again(row, more) for row in (scanned, whole, part)] == [True, False, True]


OCR_ON = '\n[ocr]\nenabled = true\nlanguages = "eng"\n'


@needs_tesseract
def test_turning_ocr_on_reads_the_scans_in_the_next_night_and_only_once(tmp_path: Path) -> None:
    sources = {"문서": ""}
    team = Team(tmp_path, sources)
    team.write("문서/scan.pdf", scan("Delivery until", "December 2026"))
    team.write("문서/plain.md", ["납품은 12월까지입니다."])
    team.night()
    team.night()  # what was written within the clock's grain of the first scan is opened once more
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
