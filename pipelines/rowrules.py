"""Rules that one row can break: such a row is withheld alone, with a finding, and the night goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# The decoder accepts CP949 with under 2 % of replacements (pipelines/parsers/text.py); a chunk may gather them.
REPLACED_SHARE = 0.02
# A unit vector of float32, or of float16 as the ledger keeps it, differs from 1 by less.
UNIT_TOLERANCE = 1e-2


def bad_rows(rows: Iterable[Mapping[str, Any]], *, max_tokens: int) -> dict[str, str]:
    """Return chunk_id -> reason for each row that must not be searched; the first rule broken is named."""
    found = {}
    for row in rows:
        reason = _reason(row, max_tokens)
        if reason:
            found[str(row["chunk_id"])] = reason
    return found


def _reason(row: Mapping[str, Any], max_tokens: int) -> str | None:
    text = row["text"]
    if not text or not text.strip():
        return "empty"
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "unreadable: lone surrogates"
    replaced = text.count(REPLACEMENT)
    if replaced > REPLACED_SHARE * len(text):
        return f"unreadable: {replaced} of {len(text)} characters were lost in decoding"
    if not 1 <= row["n_tokens"] <= max_tokens:
        return f"too long: {row['n_tokens']} tokens, the encoder reads {max_tokens}"
    return None if row["vector"] is None else _vector_reason(row["vector"])


def _vector_reason(vector: Any) -> str | None:
    numbers = np.asarray(vector, np.float32)
    if not np.isfinite(numbers).all():
        return "vector: not a number"
    length = float(np.linalg.norm(numbers))
    if length == 0:
        return "vector: zero"
    return None if abs(length - 1) <= UNIT_TOLERANCE else f"vector: length {length:.3f} instead of 1"
