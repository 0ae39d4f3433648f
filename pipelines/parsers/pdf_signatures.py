"""Digital signatures of a PDF (ISO 32000-1, 12.8)."""

from __future__ import annotations

from typing import Any

import pypdfium2.raw as raw

# A contract passes some dozen hands; what claims more is no document.
_MAX_SIGNATURES = 1_000


def signatures(document: Any) -> int:
    """Return how many fields for a signature hold one; an empty field is only a place to sign."""
    count = min(raw.FPDF_GetSignatureCount(document.raw), _MAX_SIGNATURES)
    fields = (raw.FPDF_GetSignatureObject(document.raw, index) for index in range(count))
    return sum(bool(field) and raw.FPDFSignatureObj_GetContents(field, None, 0) > 0 for field in fields)
