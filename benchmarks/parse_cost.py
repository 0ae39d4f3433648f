"""The rows of parse_quality.py about cost: CPU seconds of the calls alone, memory of the whole process."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from parse_desk import Desk
from parse_encodings import prose
from parse_readers import OURS, YARDSTICKS, Reading
from parse_table import Row, Score

COSTED = {"hwp": "HWP/HWPX", "pdf": "PDF", "docx": "DOCX", "pptx": "PPTX", "xlsx": "XLSX"}
HWP_SECONDS_PER_MB = 0.25
# The bare libraries under our own parsers, read in the same run: how much the rest may add.
TIMES = {"pdf": ("pypdfium2's bare text", 25.0), "xlsx": ("openpyxl's read-only pass", 1.3)}
PAGES, PAGES_MB = 300, 100
MB = 1024 * 1024


def cost_rows(desk: Desk) -> list[Row]:
    """CPU and memory per form; how fast a file is refused doesn't count, nor how fast a peer is that gave up on it."""
    seconds = [_times_row(desk, form) if form in TIMES else _seconds_row(desk, form) for form in COSTED]
    return [*seconds, *(_memory_row(desk, form) for form in COSTED), _pages_row(desk)]


def seconds_per_mb(readings: Mapping[Path, Reading]) -> float:
    """Return CPU seconds per MB of the files that were read."""
    read = [path for path, one in readings.items() if one.has_text]
    return sum(readings[path].cpu_seconds for path in read) / max(sum(path.stat().st_size for path in read) / MB, 1e-9)


def times(readings: Mapping[Path, Reading], yardstick: Mapping[Path, Reading]) -> float:
    """Return how many times the yardstick's CPU a reader took, over the files that both read."""
    both = [path for path, one in readings.items() if one.has_text and yardstick[path].has_text]
    return _seconds(readings, both) / max(_seconds(yardstick, both), 1e-9)


def _seconds(readings: Mapping[Path, Reading], paths: Iterable[Path]) -> float:
    return sum(readings[path].cpu_seconds for path in paths)


def _read_some(desk: Desk, form: str) -> dict[str, dict[Path, Reading]]:
    """Return the readings of whoever read any file of a form."""
    return {who: read for who, read in desk.readings(form).items() if any(one.has_text for one in read.values())}


def _seconds_row(desk: Desk, form: str) -> Row:
    scores = {
        who: Score(taken, f"{taken:.2f}")
        for who, read in _read_some(desk, form).items()
        for taken in [seconds_per_mb(read)]
    }
    name = f"{COSTED[form]}: CPU s per MB"
    if form != "hwp":
        return Row(name, scores, lower_is_better=True)
    return Row(name, scores, HWP_SECONDS_PER_MB, f"<= {HWP_SECONDS_PER_MB}", lower_is_better=True)


def _times_row(desk: Desk, form: str) -> Row:
    """Compare with the bare library; without the yardstick's files there would be nothing to compare with."""
    (library, bar), yardstick = TIMES[form], desk.read(YARDSTICKS[form], form)
    scores = {
        who: Score(taken, f"{taken:.2f}")
        for who, read in _read_some(desk, form).items()
        for taken in [times(read, yardstick.readings)]
    }
    return Row(
        f"{COSTED[form]}: CPU, times {library}",
        scores,
        bar,
        f"<= {bar:g} x",
        lower_is_better=True,
        details=tuple(_dearest(desk, form, yardstick.readings)),
    )


def _dearest(desk: Desk, form: str, yardstick: Mapping[Path, Reading]) -> list[str]:
    """Name the files that cost ours most, with what they cost the yardstick."""
    ours = desk.passes[OURS.name, form].readings
    dearest = sorted(ours, key=lambda path: -ours[path].cpu_seconds)[:5]
    return [
        f"{desk.named(path)}: {ours[path].cpu_seconds:.2f} s CPU, bare {yardstick[path].cpu_seconds:.3f}"
        for path in dearest
    ]


def _memory_row(desk: Desk, form: str) -> Row:
    scores = {}
    for who in _read_some(desk, form):
        done = desk.passes[who, form]
        scores[who] = Score(done.peak_mb, f"{done.peak_mb} ({done.idle_mb})")
    return Row(f"{COSTED[form]}: peak MB (after the imports)", scores, lower_is_better=True)


def _pages_row(desk: Desk) -> Row:
    path = write_pages(desk.scratch / "pages.pdf", PAGES)
    scores, details = {}, []
    for reader in desk.readers("pdf"):
        done = desk.read_once(reader, "pdf", [path])
        if problem := done.readings[path].error:
            details.append(f"{PAGES} pages, {reader.name}: {problem}")
            continue
        scores[reader.name] = Score(done.peak_mb, f"{done.peak_mb} ({done.idle_mb})")
        details.append(f"{PAGES} pages, {reader.name}: {done.readings[path].cpu_seconds:.1f} s CPU")
    name = f"a made PDF of {PAGES} pages: peak MB (after the imports)"
    return Row(name, scores, PAGES_MB - 1, f"< {PAGES_MB}", lower_is_better=True, details=tuple(details))


def write_pages(path: Path, n_pages: int) -> Path:
    """Write a PDF of seeded Korean prose, with a ruled table on every third page."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("HYSMyeongJo-Medium"))
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    for number in range(n_pages):
        dice = random.Random(number)
        canvas.setFont("HYSMyeongJo-Medium", 10)
        for line in range(30):
            canvas.drawString(60, 780 - 16 * line, prose(dice, 45))
        if number % 3 == 0:
            _draw_table(canvas, dice)
        canvas.showPage()
    canvas.save()
    return path


def _draw_table(canvas: Any, dice: random.Random) -> None:
    across, down = [60 + 110 * n for n in range(5)], [280 - 20 * n for n in range(9)]
    canvas.grid(across, down)
    for top in down[:-1]:
        for left in across[:-1]:
            canvas.drawString(left + 4, top - 14, prose(dice, 9))
