"""What a reading means for a document: pure rules over ledger rows (dicts with the columns of `documents`)."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

Row = dict[str, Any]

# The bytes decide these: the same file and parser end the same way, so the file isn't opened again until one changes.
SETTLED = frozenset({"empty", "unsupported", "encrypted", "damaged", "too_large", "unsafe_xml", "needs_ocr", "drm"})
STALE = "stale_parse"
# Whoever was read stands on disk: neither a waiting deletion nor a past one counts any more.
_PRESENT: Row = {"hold_reason": None, "hold_nights": None, "hold_counted": None, "gone_at": None}


def read_well(row: Row, content_hash: str, body_hash: str) -> Row:
    """Return the row of a document whose content gave text."""
    return {
        **row,
        **_PRESENT,
        "content_hash": content_hash,
        "served_hash": content_hash,
        "body_hash": body_hash,
        "state": "live" if row["state"] in ("failed", "needs_ocr", "held", "gone") else row["state"],
        "flags": [flag for flag in row["flags"] if flag != STALE],
        "category": None,
        "reason": None,
        "failing_since": None,
        "failed_runs": 0,
    }


def read_badly(row: Row, content_hash: str, category: str, reason: str, now: datetime) -> Row:
    """Return the row of a document that gave no text tonight.

    Its last good version stays served and flagged; without one it is failed, or waits for OCR.
    """
    served = row["served_hash"] is not None
    state = "needs_ocr" if category == "needs_ocr" and not served else "failed"
    flags = [flag for flag in row["flags"] if flag != STALE] + ([STALE] if served else [])
    return {
        **row,
        **_PRESENT,
        "content_hash": content_hash or row["content_hash"],
        "state": state,
        "flags": flags,
        "category": category,
        "reason": reason,
        "failing_since": row["failing_since"] or now,
        "failed_runs": (row["failed_runs"] or 0) + 1,
    }


def must_retry(row: Row) -> bool:
    """Whether the last reading failed in a way that another night may mend though the file stands still."""
    return row["category"] is not None and row["category"] not in SETTLED


def attachment_paths(mail: str, names: list[str]) -> list[str]:
    """Return the document paths of a mail's attachments; a name that comes twice gets a number."""
    taken: set[str] = set()
    return [f"{mail}!/{unique_name(name.replace('/', '_') or 'attachment', taken)}" for name in names]


def unique_name(name: str, taken: set[str]) -> str:
    """Tell attachments of one name apart: 견적서.xlsx, 견적서#2.xlsx (a number in brackets would mark a copy)."""
    path = PurePosixPath(name)
    result, number = name, 1
    while result in taken:
        number += 1
        result = f"{path.stem}#{number}{path.suffix}"
    taken.add(result)
    return result
