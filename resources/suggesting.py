"""Questions that may become canaries: asked without an answer, praised, or headings that nobody asks about yet."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pipelines.errors import Refused
from resources.ledger import canaries, inbox
from resources.ledger.canaries import canary_id

if TYPE_CHECKING:
    from resources.build import Saero

Row = dict[str, Any]
LOW_SCORE = 0.5
# Enough to choose from; a list that nobody reads to its end suggests nothing.
MOST_HEADINGS = 20
# A heading below this says little without the document's title ("개요", "신청 방법").
_SHORT = 12
_DAYS = timedelta(days=90)


def suggestions(saero: Saero) -> list[Row]:
    """Return candidates, best founded first: canary_id, query, why (feedback, question, heading), times, score,
    expect_path. None is a canary already.
    """
    if not saero.ledger.exists:
        return []
    day = (datetime.now(UTC) - _DAYS).astimezone(saero.settings.zone).date()
    with saero.ledger.transaction("suggest") as con:
        asked = canaries.active(con)
        votes = inbox.votes(con)
        low = inbox.low_questions(con, LOW_SCORE)
        times = inbox.times_found(con, day)
    found = [
        *(_candidate(vote["question"], "feedback", path=_place(vote)) for vote in votes if _praises(vote)),
        *(_candidate(row["question"], "question", times=row["times"], score=row["score"]) for row in low),
        *_headings(saero, {(row["pinned_source"], row["pinned_path"]) for row in asked}, times),
    ]
    known = {row["canary_id"] for row in asked}
    fresh: dict[str, Row] = {}
    for one in found:
        if one["canary_id"] not in known:
            fresh.setdefault(one["canary_id"], one)
    return list(fresh.values())


def _praises(vote: Row) -> bool:
    return vote["vote"] > 0 and bool(vote["question"])


def _place(vote: Row) -> str:
    return f"{vote['now_source']}/{vote['now_path']}"


def _candidate(query: str, why: str, *, times: int = 0, score: float | None = None, path: str = "") -> Row:
    query = " ".join(query.split())
    said = {"why": why, "times": times, "score": score, "expect_path": path}
    return {"canary_id": canary_id(query), "query": query, **said}


def _headings(saero: Saero, pinned: set[tuple[str, str]], times: dict[tuple[str, str], int]) -> list[Row]:
    """Return one heading of each document that no canary stands on, the most found documents first."""
    try:
        rows = saero.reader().get(columns=["source", "path", "title", "heading", "ordinal"])
    except Refused:
        return []
    places: dict[str, set[tuple[str, str]]] = {}
    first: dict[tuple[str, str], list[tuple[int, str, str]]] = {}
    for row in rows:
        if row["heading"]:
            place, leaf = (row["source"], row["path"]), row["heading"][-1]
            places.setdefault(leaf, set()).add(place)
            first.setdefault(place, []).append((row["ordinal"], leaf, row["title"] or ""))
    found = []
    for place in sorted(first.keys() - pinned, key=lambda place: (-times.get(place, 0), place)):
        own = [(leaf, title) for _, leaf, title in sorted(first[place]) if len(places[leaf]) == 1]
        if own:
            leaf, title = own[0]
            query = leaf if len(leaf) >= _SHORT or not title or title == leaf else f"{title} {leaf}"
            found.append(_candidate(query, "heading", times=times.get(place, 0), path="/".join(place)))
    return found[:MOST_HEADINGS]
