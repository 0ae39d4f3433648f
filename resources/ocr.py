"""Pages that are pictures of text, read by the program tesseract when it is there and the settings ask for it.

Pages travel through pipes: no picture of a document is ever written to a temporary folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, BinaryIO, NamedTuple

from pipelines.parsers.pdf_blocks import blocks_of
from pipelines.parsers.pdf_lines import Line, PageText
from pipelines.parsers.text import clean
from pipelines.records import Block, Ocr, Parsed

PROGRAM = "tesseract"
# Resolution that tesseract's models were trained for (its own documentation, "Improving the quality of the output").
DPI = 300
_POINTS = 72
# A page of A3 at 300 dpi has 17 million pixels; a larger one is drawn smaller, not refused.
_MAX_PIXELS = 25_000_000
# Below this confidence (per cent) a word is named doubtful in the warnings; it stays in the text.
_DOUBTFUL = 50.0
# Levels of tesseract's TSV table.
_LINE_LEVEL, _WORD_LEVEL = 4, 5
_LIST_SECONDS = 30
# A page of 10,000 words takes 600 KB of table and text.
_MAX_OUTPUT = 8 << 20


class Row(NamedTuple):
    """A line or word of tesseract's TSV table: places in pixels from the top left, confidence in per cent."""

    level: int
    left: int
    top: int
    width: int
    height: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What was recognised on one page: its lines in reading order, and how many of its words are doubtful."""

    lines: tuple[Line, ...]
    doubtful: int


def problem(languages: str) -> str:
    """Say what is missing to recognise text, and how to get it; "" when all is there."""
    if shutil.which(PROGRAM) is None:
        return f"the program {PROGRAM} isn't installed (Debian and Ubuntu: apt install tesseract-ocr tesseract-ocr-kor)"
    try:
        listed = subprocess.run(
            [PROGRAM, "--list-langs"], capture_output=True, text=True, timeout=_LIST_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"the program {PROGRAM} doesn't start ({type(error).__name__})"
    there = set(listed.stdout.split())
    missing = [name for name in languages.split("+") if name not in there]
    if missing:
        packages = " ".join(f"tesseract-ocr-{name.replace('_', '-').lower()}" for name in missing)
        return f"{PROGRAM} has no data for {', '.join(missing)} (Debian and Ubuntu: apt install {packages})"
    return ""


def recognised(document: BinaryIO, parsed: Parsed, ocr: Ocr, on_page: Callable[[], None]) -> tuple[Parsed, int]:
    """Return a PDF with the words of its scanned pages added at their places, `ocr` set in their locators.

    What a page holds already isn't repeated. Pages beyond ocr.pages and those without a word stay in ocr_pages; so do
    pages at which the program failed or took longer than ocr.page_seconds, whose number is the second value: another
    night may read them. `on_page` is called before each page.
    """
    found: dict[int, Reading] = {}
    failed = 0
    for number, image in _pictures(document, parsed.ocr_pages[: ocr.pages], on_page):
        reading = read_page(image, ocr)
        failed += reading is None
        if reading is not None and reading.lines:
            found[number] = reading
    doubtful = sum(reading.doubtful for reading in found.values())
    said = (
        (len(found), "pages read by optical character recognition"),
        (doubtful, "recognised words are doubtful"),
        (failed, "pages that could not be recognised this time"),
    )
    read = replace(
        parsed,
        blocks=merged(parsed.blocks, {number: reading.lines for number, reading in found.items()}),
        ocr_pages=tuple(number for number in parsed.ocr_pages if number not in found),
        warnings=(*parsed.warnings, *(f"{count} {what}" for count, what in said if count)),
    )
    return read, failed


def read_page(image: bytes, ocr: Ocr) -> Reading | None:
    """Ask tesseract for the words of a picture (PNM); None when it fails, takes too long or talks nonsense."""
    command = [PROGRAM, "stdin", "stdout", "-l", ocr.languages, "--dpi", str(DPI), "--psm", "3", "tsv", "txt"]
    try:
        output = _answer(command, image, ocr.page_seconds)
        return reading_of(output.decode("utf-8", "replace"))
    except (OSError, subprocess.SubprocessError, ValueError, KeyError):
        return None


def _answer(command: Sequence[str], image: bytes, seconds: float) -> bytes:
    """Return what a program prints about a picture, within a time and a size; raises SubprocessError or OSError."""
    # One thread a page: the pool already keeps every core busy. A session of its own, so that children end with it.
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        start_new_session=True,
    )
    assert process.stdin is not None and process.stdout is not None
    timer = threading.Timer(seconds, _end, [process])
    timer.start()
    try:
        with process.stdin:
            process.stdin.write(image)
        output = process.stdout.read(_MAX_OUTPUT + 1)
        if len(output) > _MAX_OUTPUT:
            raise subprocess.SubprocessError(f"{PROGRAM} prints more than a page can hold")
        if process.wait() != 0:
            raise subprocess.SubprocessError(f"{PROGRAM} ended with {process.returncode}")
        return output
    finally:
        timer.cancel()
        _end(process)
        process.stdout.close()
        process.wait()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a program with whatever it started; one that is over already has no group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def reading_of(output: str) -> Reading:
    """Return the lines of tesseract's two outputs, the TSV table and then the text.

    The table knows where a line stands but splits Korean words into syllables; the text has them whole.
    """
    rows, texts = _split(output)
    places = [row for row in rows if row.level == _LINE_LEVEL]
    words = [row.confidence for row in rows if row.level == _WORD_LEVEL]
    if len(places) != len(texts):
        places = [Row(_LINE_LEVEL, 0, n * 2 * DPI, 0, DPI // 6, -1.0) for n in range(len(texts))]
    size = median(row.height for row in places) if places else 0
    lines = [_line(text, row, size) for text, row in zip(texts, places, strict=True)]
    return Reading(tuple(lines), sum(confidence < _DOUBTFUL for confidence in words))


def _split(output: str) -> tuple[list[Row], list[str]]:
    """Return the table's rows that hold words, and the lines of the text."""
    head, _, body = output.partition("\n")
    columns = head.split("\t")
    rows: list[Row] = []
    texts: list[str] = []
    for line in body.split("\n"):
        cells = dict(zip(columns, line.split("\t"), strict=False))
        if not texts and len(cells) == len(columns):
            level, left, top, width, height = (int(cells[name]) for name in Row._fields[:-1])
            row = Row(level, left, top, width, height, float(cells["conf"]))
            if row.level != _WORD_LEVEL or cells["text"].strip():
                rows.append(row)
        elif text := clean(line).strip():
            texts.append(text)
    return _with_words(rows), texts


def _with_words(rows: list[Row]) -> list[Row]:
    """Drop the lines that hold no word: a rule or a stain."""
    return [
        row
        for row, after in zip(rows, [*rows[1:], None], strict=True)
        if row.level != _LINE_LEVEL or (after is not None and after.level == _WORD_LEVEL)
    ]


def _line(text: str, row: Row, size: float) -> Line:
    scale = _POINTS / DPI
    return Line(text, left=row.left * scale, right=(row.left + row.width) * scale, y=row.top * scale, size=size * scale)


def merged(blocks: tuple[Block, ...], read: Mapping[int, Sequence[Line]]) -> tuple[Block, ...]:
    """Put what was recognised on each page after what the text layer of the same page says, which isn't repeated."""
    own = {(block.locator.page, "".join(block.text.split())) for block in blocks}
    result = list(blocks)
    for number, lines in sorted(read.items()):
        fresh = tuple(line for line in lines if (number, "".join(line.text.split())) not in own)
        place = next((n for n, block in enumerate(result) if (block.locator.page or 0) > number), len(result))
        result[place:place] = blocks_of([PageText(number, fresh, ocr=True)])
    return tuple(result)


def _pictures(document: BinaryIO, numbers: Iterable[int], on_page: Callable[[], None]) -> Iterable[tuple[int, bytes]]:
    """Yield (page number, grey picture as PNM) of pages of a PDF that was read before."""
    import pypdfium2 as pdfium

    document.seek(0)
    opened = pdfium.PdfDocument(document.read())
    try:
        for number in numbers:
            on_page()
            try:
                yield number, _picture(opened, number - 1)
            except pdfium.PdfiumError:
                continue
    finally:
        opened.close()


def _picture(document: Any, index: int) -> bytes:
    page = document[index]
    try:
        width, height = page.get_size()
        scale = min(DPI / _POINTS, (_MAX_PIXELS / max(1.0, width * height)) ** 0.5)
        bitmap = page.render(scale=scale, grayscale=True)
        try:
            pixels = bitmap.to_numpy()
            picture: bytes = pixels.tobytes()
            return b"P5 %d %d 255\n" % (pixels.shape[1], pixels.shape[0]) + picture
        finally:
            bitmap.close()
    finally:
        page.close()
