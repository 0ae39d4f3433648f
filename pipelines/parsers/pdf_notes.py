"""What reviewers stuck on the pages of a PDF: notes, and remarks on marked text (ISO 32000-1, 12.5.6)."""

from __future__ import annotations

import ctypes
from typing import Any

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
# A reviewer leaves some dozen on a page; a page of more is no document.
_MAX_NOTES = 1_000
_MAX_BYTES = 1 << 16


def notes_of(page: Any) -> tuple[str, ...]:
    """Return "author: words" of each note of a page, those without words left out."""
    found = []
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_NOTES)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        try:
            if raw.FPDFAnnot_GetSubtype(annotation) in _WRITTEN and (words := _text(annotation, b"Contents")):
                author = _text(annotation, b"T")
                found.append(f"{author}: {words}" if author else words)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    return tuple(found)


def embedded_files(document: Any) -> int:
    """Return how many files a PDF carries."""
    return max(0, int(raw.FPDFDoc_GetAttachmentCount(document.raw)))


def _text(annotation: Any, key: bytes) -> str:
    size = min(raw.FPDFAnnot_GetStringValue(annotation, key, None, 0), _MAX_BYTES)
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return buffer.raw[:size].decode("utf-16-le", "ignore").strip("\0").strip()
