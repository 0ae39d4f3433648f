"""PDF: words by pdfium in stream order, ruled tables by pdfplumber where rules are drawn; the locator is the page."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, BinaryIO, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipelines.errors import Corrupt, Empty, Encrypted, NeedsOcr, SkipDocument, TooLarge
from pipelines.parsers.pdf_blocks import blocks_of
from pipelines.parsers.pdf_glyphs import MAX_CHARS, Glyph, is_unmapped, read_glyphs, visible, without_script_gaps
from pipelines.parsers.pdf_hidden import without_hidden
from pipelines.parsers.pdf_lines import PageText, lines_of
from pipelines.parsers.pdf_notes import added_to, embedded_files
from pipelines.parsers.pdf_order import in_order
from pipelines.parsers.pdf_page import SCAN_CHARS, SCAN_SHARE, Drawn, shown_heights, survey
from pipelines.parsers.pdf_running import without_running_lines
from pipelines.parsers.pdf_signatures import signed_fields, signed_places
from pipelines.parsers.pdf_tables import Ruled, ruled_pages, split_tables
from pipelines.parsers.text import clean
from pipelines.records import Limits, Locator, Parsed

# A page tree may claim any number of pages (one sample: 100,000 with a single one); so many missing ones in a row
# are its end.
MAX_MISSING = 20
# pdfplumber takes about 50 microseconds an object or character, so this many a second of the limit cost about half
# of it. The bound is on work, not on time: the same file gives the same text on a busy machine.
TABLE_OBJECTS_PER_SECOND = 10_000
# What reading a character has cost before, in objects: long documents have less time left for tables.
_READ = 0.2
# A place where two rules cross costs as much as three objects, of a grid drawn as one path as much as sixteen
# (100 x 100: 1.7 and 8 seconds).
_CROSSING = 3
_GRID_CROSSING = 16
# A title is a line; a property of more is no title.
_PROPERTY_BYTES = 65_536
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?")


@dataclass(frozen=True, slots=True)
class _Page:
    """What the first pass keeps of a page.

    `guessed` characters without meaning and `hidden` lines were left out; `cut` tells that it has more than is read;
    `signed` counts its fields that hold a signature, `images` its pictures and stamps.
    """

    text: PageText
    drawn: Drawn
    chars: int
    scan: bool
    unmapped: bool
    guessed: int
    hidden: int
    cut: bool
    notes: tuple[str, ...]
    signed: int
    images: int


class _Text(NamedTuple):
    glyphs: list[Glyph]
    unmapped: bool
    guessed: int
    hidden: int
    cut: bool


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a PDF; pages that are pictures of text are listed in ocr_pages, NeedsOcr when no page has words."""
    data = file.read((limits.file_mb << 20) + 1)
    if len(data) > limits.file_mb << 20:
        raise TooLarge(f"the file is over {limits.file_mb} MB")
    document = _opened(data)
    try:
        return _parsed(document, data, limits)
    finally:
        document.close()


def _opened(data: bytes) -> Any:
    if not data:
        raise Empty("the file has no bytes")
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        raise _refusal(error, data) from error


def _refusal(error: Any, data: bytes) -> SkipDocument:
    # pdfium may leave the code of the file before; an encrypted file says so in a dictionary that is never packed.
    code = getattr(error, "err_code", None) if b"/Encrypt" in data else None
    if code == raw.FPDF_ERR_PASSWORD:
        return Encrypted("a password is needed to open the PDF; save a copy without one")
    if code == raw.FPDF_ERR_SECURITY:
        return Encrypted("the PDF is protected by a security handler that only its own viewer knows")
    return Corrupt("the PDF is damaged or cut short; export it again")


def _parsed(document: Any, data: bytes, limits: Limits) -> Parsed:
    warnings: Counter[str] = Counter()
    pages = _read_pages(document, limits, warnings)
    if not pages:
        raise Corrupt("no page of the PDF can be loaded")
    texts = _with_tables(document, data, pages, limits, warnings)
    texts, apart = without_running_lines(texts)
    apart.count("image", sum(page.images for page in pages))
    apart.count("signature", max(signed_fields(document), sum(page.signed for page in pages)))
    apart.count("hidden", sum(page.hidden for page in pages))
    for page in pages:
        for note in page.notes:
            apart.put("comment", note, Locator(page=page.text.number))
    warnings["embedded files that aren't read"] = embedded_files(document)
    blocks = tuple(blocks_of(texts))
    ocr_pages = tuple(page.text.number for page in pages if page.scan or page.unmapped)
    warnings["pages whose fonts can't be read as text"] = sum(page.unmapped for page in pages)
    warnings["characters left out whose font can't be read as text"] = sum(page.guessed for page in pages)
    warnings[f"pages read up to character {MAX_CHARS}"] = sum(page.cut for page in pages)
    warnings["lines left out that no reader sees (white, covered, invisible or tiny)"] = sum(
        page.hidden for page in pages
    )
    if not blocks:
        ocr_pages = tuple(page.text.number for page in pages if page.drawn.objects)
        if limits.ocr is None or not ocr_pages:
            raise _wordless(pages)
    expires_at = clean(_said(document, "expires_at")).strip()
    modified, created = parse_date(_said(document, "ModDate")), parse_date(_said(document, "CreationDate"))
    return Parsed(
        format="pdf",
        blocks=blocks,
        title=clean(_said(document, "Title")).strip() or None,
        author=clean(_said(document, "Author")).strip() or None,
        modified_at=modified,
        created_at=created,
        clock="pdf:ModDate" if modified else None,
        pages=len(pages),
        ocr_pages=ocr_pages,
        asides={kind: count for kind, count in apart.counts.items() if count},
        apart=apart.kept,
        properties={"expires_at": expires_at} if expires_at else {},
        warnings=tuple(f"{count} {what}" for what, count in warnings.items() if count),
    )


def _said(document: Any, key: str) -> str:
    """Return what the document's own properties say of `key`, damaged characters left out, "" for nothing."""
    name = key.encode("ascii")
    size = raw.FPDF_GetMetaText(document.raw, name, None, 0)
    if not 2 < size <= _PROPERTY_BYTES:
        return ""
    buffer = ctypes.create_string_buffer(size)
    raw.FPDF_GetMetaText(document.raw, name, buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "ignore")


def parse_date(text: str) -> datetime | None:
    """Return a PDF date (ISO 32000-1 section 7.9.4) as aware UTC; a date without a zone is taken as UTC."""
    match = _DATE.match(text.strip())
    if not match:
        return None
    year, month, day, hour, minute, second, sign, zone_hour, zone_minute = match.groups()
    try:
        offset = timedelta(hours=int(zone_hour or 0), minutes=int(zone_minute or 0))
        zone = timezone(-offset if sign == "-" else offset)
        moment = datetime(
            int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=zone
        )
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _wordless(pages: list[_Page]) -> SkipDocument:
    if any(page.drawn.objects for page in pages):
        return NeedsOcr(
            f"none of {len(pages)} pages has text of its own; turn [ocr] on, or recognise the text and save it again"
        )
    return Empty("the pages are blank")


def _read_pages(document: Any, limits: Limits, warnings: Counter[str]) -> list[_Page]:
    claimed = len(document)
    if claimed > limits.pages and _loads(document, limits.pages):
        raise TooLarge(f"the PDF has {claimed} pages, over the limit of {limits.pages}")
    pages: list[_Page] = []
    missing = 0
    for index in range(min(claimed, limits.pages)):
        try:
            pages.append(_read_page(document, index))
            missing = 0
        except pdfium.PdfiumError:
            missing += 1
            warnings["pages that can't be loaded"] += 1
            if missing >= MAX_MISSING:
                break
    return pages


def _loads(document: Any, index: int) -> bool:
    try:
        document[index].close()
        return True
    except pdfium.PdfiumError:
        return False


def _read_page(document: Any, index: int) -> _Page:
    page = document[index]
    added = added_to(page)
    stamps = added.stamps
    has_form = document.get_formtype() != raw.FORMTYPE_NONE
    signed = signed_places(page) if has_form else 0
    if has_form and raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY):
        # What is filled in stands in annotations; in memory it is made part of the page, as stamps are.
        stamps = 0
        page.close()
        page = document[index]
    try:
        drawn = survey(page)
        read = _read_text(page, drawn)
        top, bottom = shown_heights(page)
    finally:
        page.close()
    glyphs = read.glyphs
    chars = visible(glyphs)
    unmapped = read.unmapped
    scan = not unmapped and chars < SCAN_CHARS and drawn.image_share > SCAN_SHARE
    recognised = drawn.unseen_text and drawn.image_share > SCAN_SHARE
    text = PageText(index + 1, tuple(in_order(lines_of(glyphs))), recognised, drawn.wide, top, bottom)
    return _Page(
        text,
        drawn,
        chars,
        scan,
        unmapped,
        read.guessed,
        read.hidden,
        read.cut,
        added.notes,
        signed,
        drawn.images + stamps,
    )


def _read_text(page: Any, drawn: Drawn) -> _Text:
    """Return the characters of a page that a reader sees and that have a meaning."""
    glyphs, cut = read_glyphs(page, drawn)
    unmapped = is_unmapped(glyphs)
    known = [glyph for glyph in glyphs if not glyph.guessed]
    guessed = len(glyphs) - len(known)
    if unmapped and (guessed > visible(known) or is_unmapped(known)):
        # What is left says nothing: a number here and a sign there.
        known = []
    shown, hidden = without_hidden(known, page)
    return _Text(without_script_gaps(shown), unmapped, guessed, hidden, cut)


def _with_tables(
    document: Any, data: bytes, pages: list[_Page], limits: Limits, warnings: Counter[str]
) -> list[PageText]:
    """Return the pages with their ruled tables, and with the words that pdfium loses, where pdfplumber is worth it."""
    wanted = _table_pages(pages, limits, warnings)
    found = {page.text.number: page.text for page in pages}
    drawn = {page.text.number: page.drawn for page in pages}
    for ruled in _ruled(data, wanted, warnings):
        glyphs = list(ruled.glyphs) or _glyphs_again(document, ruled.number, drawn[ruled.number])
        if not is_unmapped(glyphs):
            parts = in_order(split_tables(glyphs, ruled.tables))
            found[ruled.number] = replace(found[ruled.number], parts=tuple(parts))
    return list(found.values())


def _table_pages(pages: list[_Page], limits: Limits, warnings: Counter[str]) -> dict[int, bool]:
    budget = int(limits.seconds * TABLE_OBJECTS_PER_SECOND - _READ * sum(page.chars for page in pages))
    wanted: dict[int, bool] = {}
    for page in pages:
        if page.unmapped or page.scan or not page.chars or not (page.drawn.may_hold_tables or page.drawn.loses_words):
            continue
        budget -= _table_cost(page)
        if budget < 0:
            warnings["pages whose tables are kept as lines (too much is drawn)"] += 1
        else:
            wanted[page.text.number] = page.drawn.loses_words
    return wanted


def _table_cost(page: _Page) -> int:
    drawn = page.drawn
    crossing = _GRID_CROSSING if drawn.segments else _CROSSING
    return drawn.objects + drawn.segments + page.chars + crossing * drawn.crossings


def _ruled(data: bytes, wanted: dict[int, bool], warnings: Counter[str]) -> Iterator[Ruled]:
    if not wanted:
        return
    try:
        for page in ruled_pages(data, wanted):
            if page.failed:
                warnings["pages whose tables can't be read"] += 1
            elif page.tables or page.glyphs:
                yield page
    except Exception:
        # pdfplumber gives up on files that pdfium repairs; the lines are kept then.
        warnings["files whose tables can't be read"] += 1


def _glyphs_again(document: Any, number: int, drawn: Drawn) -> list[Glyph]:
    page = document[number - 1]
    try:
        return _read_text(page, drawn).glyphs
    finally:
        page.close()
