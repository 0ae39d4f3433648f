"""Lines of the inbox: what a search found, and what a person said of a passage."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from typing import Any

from pipelines.records import Finding

Row = dict[str, Any]
# Texts of questions are kept as long (DESIGN section 7, Privacy); counts by document for a year.
TEXTS_KEPT = timedelta(days=90)
COUNTS_KEPT = timedelta(days=365)


@dataclass(slots=True)
class Taken:
    """What the lines of an inbox say, as rows of the ledger."""

    lines: list[str] = field(default_factory=list)
    found: list[Row] = field(default_factory=list)
    questions: list[Row] = field(default_factory=list)
    feedback: list[Row] = field(default_factory=list)


def search_line(
    rows: Iterable[Mapping[str, Any]], now: datetime, *, questions: Sequence[str], score: float, answerable: bool
) -> Row:
    """Return what a search leaves: each document it showed, once; `questions` is empty unless texts are kept."""
    places = {(row["source"], row["path"]): row["body_hash"] for row in rows}
    said: Row = {"questions": list(questions), "score": round(score, 4), "answerable": answerable}
    return {**_line("search", now), "found": [[*place, body] for place, body in places.items()], **said}


def feedback_line(row: Mapping[str, Any], vote: int, question: str | None, now: datetime) -> Row:
    """Return what a person said of a passage, a row of the index."""
    passage = {name: row[name] for name in ("chunk_id", "chunk_hash", "source", "path", "body_hash")}
    return {**_line("feedback", now), **passage, "vote": vote, "question": question}


def _line(kind: str, now: datetime) -> Row:
    return {"id": uuid.uuid4().hex, "kind": kind, "at": now.isoformat()}


def read_lines(content: bytes, known: Iterable[str], zone: tzinfo, *, with_text: bool) -> Taken:
    """Return what lines say that aren't `known`; a torn line, half written when the disk was full, says nothing."""
    taken, seen = Taken(), set(known)
    counts: dict[tuple[Any, ...], int] = {}
    for raw in content.split(b"\n"):
        line = _parsed(raw)
        if line is None or line["id"] in seen:
            continue
        seen.add(line["id"])
        try:
            _take(taken, counts, line, zone, with_text)
        except (KeyError, TypeError, ValueError):
            continue
        taken.lines.append(line["id"])
    names = ("day", "source", "path", "body_hash")
    taken.found = [{**dict(zip(names, key, strict=True)), "times": times} for key, times in counts.items()]
    return taken


def _parsed(raw: bytes) -> Row | None:
    try:
        line = json.loads(raw)
    except ValueError:  # undecodable bytes too
        return None
    return line if isinstance(line, dict) and isinstance(line.get("id"), str) else None


def _take(taken: Taken, counts: dict[tuple[Any, ...], int], line: Row, zone: tzinfo, with_text: bool) -> None:
    """Add one line; raises KeyError, TypeError or ValueError before anything of it is added."""
    at = datetime.fromisoformat(line["at"])
    if line["kind"] == "feedback":
        columns = ("chunk_id", "vote", "question", "source", "path", "body_hash", "chunk_hash")
        taken.feedback.append({"line_id": line["id"], "given_at": at, **{name: line[name] for name in columns}})
        return
    day = at.astimezone(zone).date()
    keys = [(day, source, path, body) for source, path, body in line["found"]]
    said = {"asked_at": at, "score": line["score"], "answerable": line["answerable"]}
    questions = [{"line_id": line["id"], "question": text, **said} for text in line["questions"]]
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    taken.questions += questions if with_text else []


def feedback_findings(votes: Iterable[Mapping[str, Any]], reviewed: Mapping[str, datetime]) -> list[Finding]:
    """Return a finding for each document with a passage that more persons call wrong than right.

    votes     with "now_source" and "now_path", where the passage's body stands now
    reviewed  body hash -> when a person last looked at it: votes given before don't count
    """
    sums: dict[tuple[str, str], dict[str, list[int]]] = {}
    for vote in votes:
        looked = reviewed.get(vote["body_hash"])
        if looked is None or vote["given_at"] > looked:
            place = sums.setdefault((vote["now_source"], vote["now_path"]), {})
            place.setdefault(vote["chunk_hash"], []).append(vote["vote"])
    found = []
    for (source, path), passages in sorted(sums.items()):
        wrong = [given for given in passages.values() if sum(given) < 0]
        if wrong:
            down = sum(vote < 0 for given in wrong for vote in given)
            found.append(Finding("feedback", source, path, {"passages": len(wrong), "votes": down}))
    return found
