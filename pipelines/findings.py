"""Findings that follow from the documents themselves: what no query finds, what is served though its file is bad."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from pipelines.duration import Duration
from pipelines.expiry import unreadable
from pipelines.outcome import STALE
from pipelines.records import Finding

Row = dict[str, Any]
# A document locked by an office program is quiet for two nights: it is open on somebody's desk.
QUIET_RUNS = 2
QUIET = frozenset({"unreadable", "changed_while_reading"})
SOON = timedelta(days=14)
# A copy is findable by its twin; of a long scan the first page numbers are enough to find it.
FINDABLE = frozenset({"live", "duplicate", "failed"})
PAGES_NAMED = 20

KINDS = (
    "unsearched",
    "needs_ocr",
    "stale_parse",
    "source_unreachable",
    "deletions_held",
    "source_unconfigured",
    "expires_soon",
    "expiry_unreadable",
    "review_due",
    "feedback",
    "future_clock",
    "row_withheld",
    "superseded",
    "version_doubt",
    "version_returned",
    "redundancy_returned",
    "contradiction",
    "contradictions_unread",
)
_FIRST_CLOCK = datetime(1, 1, 2, tzinfo=UTC)
# The 28th to the 31st, a day for the zone, and that which was searched for.
_MONTH_ENDS = 6
# A clock this far ahead decides nothing (DESIGN section 5).
AHEAD = timedelta(days=1)


def document_findings(
    documents: Iterable[Row],
    *,
    now: datetime,
    review_after: Mapping[str, Duration],
    renewed: Mapping[str, datetime],
    zone: tzinfo,
    unreachable: Mapping[str, str],
    replaced: Mapping[str, Mapping[str, object]],
) -> list[Finding]:
    """Return what the present documents give cause for, at most one finding of a kind for each document.

    review_after  source -> how long a document may stand unchanged
    renewed       body hash -> when a person last looked at it
    unreachable   source -> why its folder wasn't found in order, also where no document was ever read from it
    replaced      older body -> the evidence of its replacement, with the id under which a person takes it back
    """
    found: list[Finding] = []
    held: dict[tuple[str, str], list[int]] = {(source, "root"): [] for source in unreachable}
    for row in documents:
        key = {"source": row["source"], "path": row["path"]}
        if row["state"] == "held":
            held.setdefault((row["source"], row["hold_reason"] or "root"), []).append(row["hold_nights"] or 0)
            continue
        found += [Finding(kind, **key, detail=detail) for kind, detail in _of_reading(row)]
        found += [Finding(kind, **key, detail=detail) for kind, detail in _of_content(row, zone)]
        if row["state"] == "live":
            found += [
                Finding(kind, **key, detail=detail) for kind, detail in _of_age(row, now, review_after, renewed, zone)
            ]
        if row["state"] == "superseded":
            found.append(
                Finding("superseded", **key, detail={"by": row["superseded_by"], **replaced.get(row["body_hash"], {})})
            )
    for (source, reason), nights in sorted(held.items()):
        found.append(_of_hold(source, reason, nights, unreachable.get(source, "")))
    return found


def latest_due(limit: Duration, zone: tzinfo, now: datetime) -> datetime:
    """Return a moment after which the clock of no document lies that `limit` makes due now.

    It is searched for, in days, for a month is as long as its first day says: what is written on the 29th or the 31st
    of January is due on the same day in February, so a few days are added.
    """
    low, high = 0, (now - _FIRST_CLOCK).days + 1
    while low < high:
        middle = (low + high + 1) // 2
        if limit.after(_FIRST_CLOCK + timedelta(days=middle), zone) < now:
            low = middle
        else:
            high = middle - 1
    return _FIRST_CLOCK + timedelta(days=low + _MONTH_ENDS)


def _of_reading(row: Row) -> list[tuple[str, dict[str, object]]]:
    if row["category"] is None:
        return []
    detail = {"category": row["category"], "reason": row["reason"]}
    if STALE in row["flags"]:
        return [("stale_parse", detail)]
    if row["category"] == "needs_ocr":
        return [("needs_ocr", detail)]
    if row["category"] in QUIET and (row["failed_runs"] or 0) <= QUIET_RUNS:
        return []
    return [("unsearched", detail)]


def _of_content(row: Row, zone: tzinfo) -> list[tuple[str, dict[str, object]]]:
    """Tell what the text that a query finds leaves out, and a date that was meant but can't be read."""
    found: list[tuple[str, dict[str, object]]] = []
    if pages := pages_unread(row):
        found.append(("needs_ocr", {"pages": len(pages), "numbers": pages[:PAGES_NAMED]}))
    if row["state"] in FINDABLE and unreadable(json.loads(row["properties"] or "{}"), zone) is not None:
        found.append(("expiry_unreadable", {}))
    return found


def _of_age(
    row: Row, now: datetime, review_after: Mapping[str, Duration], renewed: Mapping[str, datetime], zone: tzinfo
) -> list[tuple[str, dict[str, object]]]:
    found: list[tuple[str, dict[str, object]]] = []
    if row["expires_at"] is not None and row["expires_at"] - now <= SOON:
        # The last day on which it holds, as people say it: the moment itself is the midnight after.
        last = (row["expires_at"] - timedelta(microseconds=1)).astimezone(zone).date()
        found.append(("expires_soon", {"expires_at": last.isoformat(), "why": row["expiry_evidence"]}))
    clock = row["modified_at"] or row["mtime"]
    if clock > now + AHEAD:
        found.append(("future_clock", {"modified_at": clock.isoformat()}))
    limit = review_after.get(row["source"])
    looked = max(clock, renewed.get(row["body_hash"], clock))
    if limit is not None and clock <= now and limit.after(looked, zone) < now:
        found.append(("review_due", {"modified_at": clock.isoformat(), "days": (now - looked).days}))
    return found


def _of_hold(source: str, reason: str, nights: list[int], folder: str) -> Finding:
    count = len(nights)
    if reason == "unconfigured":
        return Finding("source_unconfigured", source, detail={"documents": count})
    if reason == "root":
        return Finding("source_unreachable", source, detail={"documents": count, "folder": folder})
    return Finding("deletions_held", source, detail={"documents": count, "reason": reason, "nights": max(nights)})


def unsearched(documents: Iterable[Row]) -> list[dict[str, str]]:
    """Return the documents that no query can find, or not wholly: source, path, category.

    A document whose text is served has pages that are pictures of text: its category is needs_ocr.
    """
    found = []
    for row in documents:
        unread = row["category"] is not None and row["served_hash"] is None and row["state"] != "held"
        if unread or pages_unread(row):
            category = row["category"] if unread else "needs_ocr"
            found.append({"source": row["source"], "path": row["path"], "category": category})
    return found


def pages_unread(row: Row) -> list[int]:
    """Return the pages of a live document that are pictures of text and that nothing has read."""
    live = row["state"] == "live" and row["category"] is None
    return json.loads(row["ocr_pages"] or "[]") if live else []
