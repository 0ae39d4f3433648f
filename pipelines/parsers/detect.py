"""Which format a file is: by its bytes; the name chooses only among plain text formats."""

from __future__ import annotations

import codecs
import io
import re
from typing import BinaryIO

from pipelines.errors import Corrupt, Drm, Empty, Unsupported
from pipelines.parsers.containers import ole_format, zip_format
from pipelines.parsers.mbox import begins_mbox
from pipelines.parsers.mhtml import is_mhtml
from pipelines.parsers.signatures import PDF_RIGHTS_PRODUCT, drm_product, foreign_format, is_protected_pdf
from pipelines.parsers.text import decode

_HEAD = 65536
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
# Readers of PDF accept the mark anywhere in the first 1,024 bytes (PDF 1.7, implementation note 13).
_PDF_WINDOW = 1024
# More control characters than this in decoded text is no text (a log with colour codes stays below).
_CONTROL_SHARE = 0.05
_EXTENSIONS = {
    "md": "md",
    "markdown": "md",
    "csv": "csv",
    "tsv": "csv",
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "eml": "eml",
}
# A file of these names that holds noise was a document once: damaged, or taken by ransomware.
_PROMISED = {
    "hwp",
    "hwpx",
    "hml",
    "pdf",
    "docx",
    "pptx",
    "xlsx",
    "xls",
    "doc",
    "ppt",
    "eml",
    "txt",
    "md",
    "csv",
    "html",
}
_PLAIN = ("txt", "md", "csv", "html", "eml")
_HTML_START = re.compile(r"<(!doctype\s+html|html)\b", re.IGNORECASE)
# Web systems save a bare table or body as ".xls" or ".doc"; Markdown may begin with such a tag and stays Markdown.
_HTML_FRAGMENT = re.compile(r"<(head|body|table|meta|title|style|center)\b", re.IGNORECASE)
_HEADER_LINE = re.compile(r"([A-Za-z][A-Za-z0-9-]{1,60}):(?=[ \t]|$|\S)")
_MAIL_HEADERS = {"from", "date", "subject", "received", "message-id"}
_MIME_HEADERS = {"mime-version", "content-type", "return-path", "delivered-to", "to", "x-mailer"}


def detect(file: BinaryIO, name: str) -> str:
    """Return the format word; raises Empty, Unsupported, Encrypted, Drm or Corrupt. Leaves `file` at 0."""
    file.seek(0)
    head = file.read(_HEAD)
    try:
        return _detect(file, head, name)
    finally:
        file.seek(0)


def _detect(file: BinaryIO, head: bytes, name: str) -> str:
    if not head:
        raise Empty("the file has 0 bytes")
    if name.startswith("~$"):
        raise Unsupported("a lock file of an open Office document")
    product = drm_product(head)
    if product:
        raise _drm(product)
    if head.startswith(_OLE):
        return ole_format(file)
    if head.startswith(_ZIP):
        return zip_format(file)
    if head.startswith(b"HWP Document File V"):
        raise Unsupported("a document of HWP 3.x; save it as .hwpx")
    foreign = foreign_format(head)
    if foreign:
        raise Unsupported(foreign)
    if begins_mbox(head) and not name.lower().endswith(".eml"):
        return "mbox"
    if head.lstrip().startswith(b"%PDF-"):
        return _pdf(file, head)
    text = _text(head, complete=len(head) < _HEAD)
    if text is None:
        if b"%PDF-" in head[:_PDF_WINDOW]:
            return _pdf(file, head)
        # Mails carry several encodings in one file, and binary parts as they are; their fields are lines of text.
        fields = re.split(rb"\r?\n\r?\n", head.lstrip(b"\r\n"), maxsplit=1)[0].decode("latin-1")
        if "\x00" not in fields and is_mail(fields, named_mail=name.lower().endswith(".eml")):
            return "eml"
        raise _no_text(head, name)
    return text_format(text, name)


def _pdf(file: BinaryIO, head: bytes) -> str:
    """Return pdf; raises Drm for one that only its product opens."""
    file.seek(max(0, file.seek(0, io.SEEK_END) - _HEAD))
    if is_protected_pdf(head, file.read(_HEAD)):
        raise _drm(PDF_RIGHTS_PRODUCT)
    return "pdf"


def _drm(product: str) -> Drm:
    return Drm(f"wrapped by {product}; save an unprotected copy")


def text_format(text: str, name: str) -> str:
    """Return the format of plain text from its first lines and, last, the extension of `name`."""
    extension = name.rpartition(".")[2].lower() if "." in name else ""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("<"):
        root = _root(start)
        if _HTML_START.match(root):
            return "html"
        if re.search(r"<HWPML\b", start[:4096]):
            return "hml"
        if start.startswith("<?xml"):
            _refuse_xml(start, extension)
        if extension not in ("md", "markdown", "txt") and _HTML_FRAGMENT.match(root):
            return "html"
    if start[:15].upper() == "BEGIN:VCALENDAR":
        return "ics"
    if start.startswith("// <!-- <mdb:mork"):
        raise Unsupported("the index of a mail program; its mails are in the file of the same name beside it")
    word = _EXTENSIONS.get(extension, "txt")
    if word not in ("md", "eml") and is_mhtml(text.lstrip("\ufeff\r\n"), extension):
        return "mhtml"
    if word in ("txt", "eml") and is_mail(text.lstrip("\ufeff\r\n"), named_mail=word == "eml"):
        return "eml"
    return "txt" if word == "eml" else word


def _root(start: str) -> str:
    """Return what follows the XML declaration and the comments at the beginning of a page."""
    at = 0
    while True:
        while start[at : at + 1].isspace():
            at += 1
        end = "-->" if start.startswith("<!--", at) else "?>" if start.startswith("<?xml", at) else ""
        found = start.find(end, at) if end else -1
        if found < 0:
            return start[at : at + 200]
        at = found + len(end)


def is_mail(text: str, *, named_mail: bool) -> bool:
    """Tell whether `text` begins with an RFC 822 header block; a file named .eml needs one known header only."""
    found: list[str] = []
    for number, line in enumerate(text.splitlines()[:200]):
        if not line.strip():
            break
        if line[0] in " \t" or (number == 0 and line.startswith(("From ", ">From "))):
            continue
        match = _HEADER_LINE.match(line)
        if match is None:
            if not named_mail:
                return False
            break
        found.append(match[1].lower())
    known = _MAIL_HEADERS.intersection(found)
    if named_mail:
        return bool(known or _MIME_HEADERS.intersection(found))
    # A note may open with "Subject:" and "Date:" lines; real mails carry three headers and more.
    return len(found) >= 3 and len(known) >= 2 and bool(_MIME_HEADERS.intersection(found))


def _refuse_xml(start: str, extension: str) -> None:
    head = start[:4096]
    if "Excel.Sheet" in head or "office:spreadsheet" in head:
        raise Unsupported("an Excel 2003 XML sheet; save it as .xlsx")
    if "Word.Document" in head or "wordml" in head or "xmlPackage" in head:
        raise Unsupported("a Word XML document; save it as .docx")
    if re.search(r"<svg\b", head):
        raise Unsupported("an SVG drawing")
    if extension not in ("txt", "md", "markdown", "csv", "html", "htm"):
        raise Unsupported("an XML file that is no document")


def _text(head: bytes, *, complete: bool) -> str | None:
    """Decode the beginning of a file; None when it isn't text."""
    # The cut may go through a character of up to 4 bytes.
    for cut in (0,) if complete else (0, 1, 2, 3):
        try:
            text, encoding = decode(head[: len(head) - cut])
        except Corrupt:
            continue
        if encoding.endswith("-replace") and not complete and cut < 3:
            continue
        sample = text[:8192]
        control = sum(1 for c in sample if (c < " " and c not in "\t\n\r\f\x1b") or c == "\x7f")
        return text if control <= len(sample) * _CONTROL_SHARE else None
    return None


def _no_text(head: bytes, name: str) -> Corrupt | Unsupported:
    if not head.strip(b"\x00"):
        return Corrupt("the file holds only NUL bytes; copy it again from its source")
    if head.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Corrupt("the text doesn't follow the encoding that its first bytes announce; save it as UTF-8")
    extension = name.rpartition(".")[2].lower()
    if extension in _PLAIN:
        return Corrupt(
            f"the bytes are no .{extension} document: damaged, encrypted by another program, or text in an encoding "
            "other than UTF-8, UTF-16 and the Korean ones (save it as UTF-8)"
        )
    if extension in _PROMISED:
        return Corrupt(f"the bytes are no .{extension} document: damaged, or encrypted by another program")
    return Unsupported("binary data of an unknown format")
