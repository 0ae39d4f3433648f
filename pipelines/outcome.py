"""What a reading means for a document: pure rules over ledger rows (dicts with the columns of `documents`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from pipelines.records import Limits

Row = dict[str, Any]
Kept = Mapping[str, Any]  # a row as the ledger holds it: nobody writes to it

TOO_LARGE = "too_large"
# The bytes decide these: the same file and parser end the same way, so the file isn't opened again until one changes.
# Of what is too large the limits decide too.
SETTLED = frozenset({"empty", "unsupported", "encrypted", "damaged", TOO_LARGE, "unsafe_xml", "needs_ocr", "drm"})
# Neither the bytes nor the settings alone decide these, but what took the whole limit on three nights is tried weekly
# from then on: the nights belong to the other documents.
_COSTLY = frozenset({"timeout", TOO_LARGE})
_PATIENT_RUNS = 3
_RETRY = timedelta(days=7)
STALE = "stale_parse"
# A mail in a mail in a mail is a forward of a forward, and all may lie in an mbox; deeper nesting is a bomb or a loop.
ATTACHMENT_DEPTH = 4
# Whoever was read stands on disk: neither a waiting deletion nor a past one counts any more.
_PRESENT: Row = {"hold_reason": None, "hold_nights": None, "hold_counted": None, "gone_at": None}


def read_well(row: Kept, content_hash: str, body_hash: str, parser_version: str) -> Row:
    """Return the row of a document whose content gave text."""
    return {
        **row,
        **_PRESENT,
        "content_hash": content_hash,
        "served_hash": content_hash,
        "served_parser": parser_version,
        "body_hash": body_hash,
        "state": "live" if row["state"] in ("failed", "needs_ocr", "held", "gone") else row["state"],
        "flags": [flag for flag in row["flags"] if flag != STALE],
        "category": None,
        "reason": None,
        "failing_since": None,
        "failed_runs": 0,
    }


def read_badly(row: Kept, content_hash: str, category: str, reason: str, now: datetime) -> Row:
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


def forgotten(row: Kept, content_hash: str, reason: str) -> Row:
    """Return the row of a document whose content was forgotten: nothing of it is served, and nothing is wrong."""
    served = dict.fromkeys(("served_hash", "served_parser", "body_hash", "category", "failing_since"))
    return {
        **row,
        **_PRESENT,
        **served,
        "content_hash": content_hash,
        "state": "rejected",
        "flags": [],
        "reason": reason,
        "failed_runs": 0,
    }


def limits_text(limits: Limits) -> str:
    """Name the limits that can make a document too large."""
    return f"stream_mb={limits.stream_mb} file_mb={limits.file_mb} memory_mb={limits.memory_mb}"


def ocr_text(limits: Limits) -> str:
    """Name what decides which scanned pages are read."""
    if limits.ocr is None:
        return "no ocr"
    return f"ocr={limits.ocr.languages} pages={limits.ocr.pages} page_seconds={limits.ocr.page_seconds:g}"


def judged_under(category: str | None, ocr_pages: bool, limits: Limits) -> str | None:
    """Name the settings that a judgement hangs on: None when the bytes alone decide.

    ocr_pages  pages are left that nothing has read
    """
    if category == TOO_LARGE:
        return limits_text(limits)
    return ocr_text(limits) if ocr_pages or category == "needs_ocr" else None


def worth_judging_again(judged: Kept, limits: Limits) -> bool:
    """Tell whether other settings may read more of a content (a row of `contents`) than was read.

    Pages that were recognised stay recognised when ocr is turned off.
    """
    now = judged_under(judged["category"], judged["ocr_pages"] not in (None, "", "[]"), limits)
    return now not in (None, "no ocr", judged["limits"])


def settled(row: Kept, judged: Kept | None, parser_version: str, limits: Limits) -> bool:
    """Whether another reading would tell nothing new while the file stands still.

    judged  what this parser version made of the document's content under these limits; None when nobody asked it yet,
            or when it may end otherwise another night
    """
    if row["category"] == TOO_LARGE and (row["size"] or 0) > limits.file_mb << 20:
        return True  # it isn't even hashed
    if judged is None or judged["category"] != row["category"]:
        return False
    served = (row["served_hash"], row["served_parser"])
    return row["category"] is not None or served == (row["content_hash"], parser_version)


def waits(row: Kept, now: datetime) -> bool:
    """Whether a document that costs a whole limit, and gave nothing for some nights, is left alone tonight."""
    tried = datetime.fromtimestamp((row["read_at_ns"] or 0) / 1e9, UTC)
    return row["category"] in _COSTLY and (row["failed_runs"] or 0) >= _PATIENT_RUNS and now - tried < _RETRY


def file_of(row: Kept, rows: Mapping[str, Kept]) -> str:
    """Return the path of the file that a document stands in: its own, or that of the outermost mail it came with.

    `rows` are those of its source, by path.
    """
    while row["mail"] in rows:
        row = rows[row["mail"]]
    return str(row["mail"] or row["path"])


def attachment_paths(mail: str, names: list[str]) -> list[str]:
    """Return the document paths of a mail's attachments; a name that comes twice gets a number."""
    taken: set[str] = set()
    return [f"{mail}!/{unique_name(name.replace('/', '_') or 'attachment', taken)}" for name in names]


def unique_name(name: str, taken: set[str]) -> str:
    """Tell attachments of one name apart: 견적서.xlsx, 견적서#2.xlsx (a number in brackets would mark a copy)."""
    path = PurePosixPath(name)
    stem, suffix = path.stem, path.suffix
    result, number = name, 1
    while result in taken:
        number += 1
        result = f"{stem}#{number}{suffix}"
    taken.add(result)
    return result
