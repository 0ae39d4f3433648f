"""What people put on the pages of a PDF: notes, remarks on marked text, and stamps (ISO 32000-1, 12.5.6)."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import pypdfium2.raw as raw

# Kinds of annotations whose contents a person wrote; links, form fields and drawings have none.
_WRITTEN = (
    raw.FPDF_ANNOT_TEXT,
    raw.FPDF_ANNOT_FREETEXT,
    raw.FPDF_ANNOT_HIGHLIGHT,
    raw.FPDF_ANNOT_UNDERLINE,
    raw.FPDF_ANNOT_SQUIGGLY,
    raw.FPDF_ANNOT_STRIKEOUT,
)
_UNSEEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
# A reviewer leaves some dozen on a page; a page of more is no document.
_MAX_NOTES = 1_000
_MAX_BYTES = 1 << 16


class Added(NamedTuple):
    """What was put on a page: "author: words" of each note that has words, and how many stamps a reader sees."""

    notes: tuple[str, ...]
    stamps: int


def added_to(page: Any) -> Added:
    """Return the notes and stamps of a page."""
    found: list[str] = []
    stamps = 0
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_NOTES)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            stamps += kind == raw.FPDF_ANNOT_STAMP and not raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN
            if kind in _WRITTEN and (words := _text(annotation, b"Contents")):
                author = _text(annotation, b"T")
                found.append(f"{author}: {words}" if author else words)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    return Added(tuple(found), stamps)


def embedded_files(document: Any) -> int:
    """Return how many files a PDF carries."""
    return max(0, int(raw.FPDFDoc_GetAttachmentCount(document.raw)))


def _text(annotation: Any, key: bytes) -> str:
    size = min(raw.FPDFAnnot_GetStringValue(annotation, key, None, 0), _MAX_BYTES)
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return buffer.raw[:size].decode("utf-16-le", "ignore").strip("\0").strip()
