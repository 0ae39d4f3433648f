"""Digital signatures of a PDF (ISO 32000-1, 12.8): fields that hold one; an empty field is only a place to sign."""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as raw

# A contract passes some dozen hands; what claims more is no document.
_MAX_SIGNATURES = 1_000
# "Sig" in UTF-16 with its end, as pdfium gives a name.
_FIELD_TYPE = "Sig\0".encode("utf-16-le")


def signed_fields(document: Any) -> int:
    """Return how many of the form's own fields hold a signature; pdfium passes over those inside other fields."""
    count = min(raw.FPDF_GetSignatureCount(document.raw), _MAX_SIGNATURES)
    fields = (raw.FPDF_GetSignatureObject(document.raw, index) for index in range(count))
    return sum(bool(field) and raw.FPDFSignatureObj_GetContents(field, None, 0) > 0 for field in fields)


def signed_places(page: Any) -> int:
    """Return how many fields on a page hold a signature, inside others or not."""
    found = 0
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_SIGNATURES)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if annotation:
            found += _is_signed(annotation)
            raw.FPDFPage_CloseAnnot(annotation)
    return found


def _is_signed(annotation: Any) -> bool:
    if raw.FPDFAnnot_GetSubtype(annotation) != raw.FPDF_ANNOT_WIDGET or not raw.FPDFAnnot_HasKey(annotation, b"V"):
        return False
    kind = ctypes.create_string_buffer(len(_FIELD_TYPE))
    place = ctypes.cast(kind, ctypes.POINTER(raw.FPDF_WCHAR))
    size = raw.FPDFAnnot_GetStringValue(annotation, b"FT", place, len(_FIELD_TYPE))
    return bool(size == len(_FIELD_TYPE) and kind.raw == _FIELD_TYPE)
