"""Pages that are pictures of text, read by the program tesseract when it is there and the settings ask for it.

Pages travel through pipes: no picture of a document is ever written to a temporary folder.
"""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple

from pipelines.parsers.text import clean
from pipelines.records import Block, Locator, Ocr, Parsed

PROGRAM = "tesseract"
# Resolution that tesseract's models were trained for (its own documentation, "Improving the quality of the output").
DPI = 300
_POINTS = 72
# A page of A3 at 300 dpi has 17 million pixels; a larger one is drawn smaller, not refused.
_MAX_PIXELS = 25_000_000
# Below this confidence (per cent) a word is named doubtful in the warnings; it stays in the text.
_DOUBTFUL = 50.0
# Word rows of tesseract's table (its TSV output: level 5 is a word).
_WORD_LEVEL = "5"
_LIST_SECONDS = 30


class Word(NamedTuple):
    """A recognised word; `line` and `paragraph` tell where it stands, `confidence` is in per cent."""

    text: str
    paragraph: tuple[str, str]
    line: str
    confidence: float


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


def recognised(document: BinaryIO, parsed: Parsed, ocr: Ocr, on_page: Callable[[], None]) -> Parsed:
    """Return a PDF with the words of its scanned pages added at their places, `ocr` set in their locators.

    What a page holds already isn't repeated. Pages beyond ocr.pages, and those that take longer than ocr.page_seconds
    or give no word, stay in ocr_pages. `on_page` is called before each page.
    """
    found: dict[int, list[Word]] = {}
    for number, image in _pictures(document, parsed.ocr_pages[: ocr.pages], on_page):
        words = read_words(image, ocr)
        if words:
            found[number] = words
    if not found:
        return parsed
    doubtful = sum(word.confidence < _DOUBTFUL for words in found.values() for word in words)
    said = f"{len(found)} pages read by optical character recognition"
    return replace(
        parsed,
        blocks=merged(parsed.blocks, {number: paragraphs(words) for number, words in found.items()}),
        ocr_pages=tuple(number for number in parsed.ocr_pages if number not in found),
        warnings=(*parsed.warnings, said, *([f"{doubtful} recognised words are doubtful"] if doubtful else [])),
    )


def read_words(image: bytes, ocr: Ocr) -> list[Word]:
    """Ask tesseract for the words of a picture (PNM); none when it fails or takes too long."""
    command = [PROGRAM, "stdin", "stdout", "-l", ocr.languages, "--dpi", str(DPI), "--psm", "3", "tsv"]
    try:
        # One thread a page: the pool already keeps every core busy.
        done = subprocess.run(
            command,
            input=image,
            capture_output=True,
            timeout=ocr.page_seconds,
            check=True,
            env={"OMP_THREAD_LIMIT": "1", "LC_ALL": "C.UTF-8", "PATH": _path()},
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return words_of(done.stdout.decode("utf-8", "replace"))


def words_of(table: str) -> list[Word]:
    """Return the words of tesseract's TSV table in its reading order."""
    rows = csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE)
    found = []
    for row in rows:
        text = clean(row.get("text") or "").strip()
        if row["level"] == _WORD_LEVEL and text:
            found.append(Word(text, (row["block_num"], row["par_num"]), row["line_num"], float(row["conf"])))
    return found


def paragraphs(words: Iterable[Word]) -> list[str]:
    """Join words into paragraphs, lines of one paragraph by a space."""
    found: dict[tuple[str, str], list[str]] = {}
    for word in words:
        found.setdefault(word.paragraph, []).append(word.text)
    return [" ".join(texts) for texts in found.values()]


def merged(blocks: tuple[Block, ...], read: Mapping[int, list[str]]) -> tuple[Block, ...]:
    """Put the recognised paragraphs of each page after what its text layer says, which isn't repeated."""
    own: Counter[str] = Counter("".join(block.text.split()) for block in blocks if block.locator.page in read)
    result = list(blocks)
    for number, texts in sorted(read.items()):
        fresh = [text for text in texts if not own["".join(text.split())]]
        place = next((n for n, block in enumerate(result) if (block.locator.page or 0) > number), len(result))
        result[place:place] = [Block("paragraph", text, locator=Locator(page=number, ocr=True)) for text in fresh]
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


def _path() -> str:
    """Return the folder of the program, for an environment that holds nothing else."""
    found = shutil.which(PROGRAM)
    return found.rpartition("/")[0] if found else ""
