"""Asks the canaries and says what became of their pinned passages."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipelines.alert import canary_alert_id
from pipelines.errors import Refused
from pipelines.gap import CERTAIN, UNEXPLAINED, Canary, Fate, Hit, Pin, Standing, Verdict, accepted, judge
from pipelines.search import POOL, Result, Wanted
from resources.ledger import canaries as store
from resources.ledger.findings import accept_alert
from resources.ledger.noteworthy import around
from resources.reader import IndexReader
from resources.searcher import Searcher

if TYPE_CHECKING:
    from resources.build import Saero
    from resources.published import Published

Row = dict[str, Any]
SERVING = frozenset({"live", "duplicate", "held", "failed"})


@dataclass(frozen=True, slots=True)
class Answers:
    """What the canaries said of one version of the index."""

    verdicts: tuple[Verdict, ...]
    calibration: str
    encoder: str
    version: int
    explained: frozenset[str] = frozenset()


def ask_all(saero: Saero, record: Published | None, now: datetime) -> Answers:
    """Ask every active canary against `record` (the published version when None). Nothing is written."""
    with saero.ledger.transaction("canaries") as con:
        rows = store.active(con)
        documents = around(
            con,
            [(row["pinned_source"], row["pinned_path"]) for row in rows if row["pinned_chunk"]],
            [row["pinned_content"] for row in rows if row["pinned_content"]],
        )
    reader = IndexReader(saero.index_dir, record)
    searcher = Searcher(reader, saero.query_encoder, saero.settings.zone)
    holders = _holders(reader, rows)
    verdicts = tuple(_ask(searcher, canary_of(row), holders, documents, now) for row in rows)
    misses = frozenset(row["canary_id"] for row in rows if row["state"] in ("displaced", "lost"))
    return Answers(verdicts, searcher.calibration.id, reader.record.encoder, reader.record.version, explained=misses)


def ask_published(saero: Saero, now: datetime) -> Answers:
    """Ask every active canary against the published version."""
    if not saero.ledger.exists:
        raise Refused("nothing is published yet: run `saero refresh` first")
    return ask_all(saero, None, now)


def with_waiting(served: Answers, waiting: Answers, changed: Collection[tuple[str, str]] = ()) -> Answers:
    """Return what canaries say on a night whose version `waiting` is held, while `served` answers.

    The old text of a changed document leaves at once and its new text comes with the held version: a question that it
    answers there has lost nothing, and that the version waits is told by itself. `changed` are the documents (source,
    path) whose text isn't that of the last whole publication: one that went back to its pinned text waits too, though
    nothing else explains why the passage isn't there.
    """
    new = {verdict.canary.canary_id: verdict for verdict in waiting.verdicts}
    verdicts = []
    for verdict in served.verdicts:
        heir = new.get(verdict.canary.canary_id, verdict)
        gone = verdict.state in CERTAIN and heir.state not in CERTAIN
        waits = verdict.pin is not None and (verdict.pin.source, verdict.pin.path) in changed
        verdicts.append(heir if gone and (waits or verdict.cause not in UNEXPLAINED) else verdict)
    return replace(served, verdicts=tuple(verdicts))


def accept_answer(saero: Saero, canary_id: str, now: datetime) -> Row:
    """Pin what answers a canary best now; returns the new columns. Raises Refused when nothing does."""
    answers = ask_published(saero, now)
    verdict = next((verdict for verdict in answers.verdicts if verdict.canary.canary_id == canary_id), None)
    if verdict is None:
        raise Refused(f"{canary_id}: no such canary; `saero canaries` lists them")
    if verdict.best is None:
        raise Refused(f"{canary_id}: nothing answers this question now; there is nothing to accept")
    canary = accepted(verdict.canary, verdict.best, calibration=answers.calibration)
    with saero.ledger.transaction("canaries") as con:
        places = [(canary.pin.source, canary.pin.path)] if canary.pin else []
        columns = pin_columns(canary.pin, around(con, places, ()))
        row = {
            "canary_id": canary_id,
            **columns,
            "baseline": canary.baseline,
            "calibration": canary.calibration,
            "state": canary.state,
            "cause": "accepted",
            "since": now,
        }
        store.change(con, [row])
        accept_alert(con, canary_alert_id(canary_id), now)
    return row


def canary_of(row: Row) -> Canary:
    """Return the record of a ledger row."""
    pin = None
    if row["pinned_chunk"]:
        pin = Pin(
            row["pinned_source"],
            row["pinned_path"],
            row["pinned_body"],
            row["pinned_chunk"],
            row["pinned_content"] or "",
        )
    return Canary(
        row["canary_id"],
        row["query"],
        row["min_score"],
        row["expect_path"] or "",
        row["expect_text"] or "",
        row["owner"] or "",
        bool(row["critical"]),
        bool(row["must_fail"]),
        pin,
        row["baseline"],
        row["calibration"] or "",
        row["state"] or "new",
    )


def pin_columns(pin: Pin | None, documents: dict[tuple[str, str], Row]) -> Row:
    """Return the ledger columns of a pin, with the content that its document has now."""
    if pin is None:
        names = ("pinned_source", "pinned_path", "pinned_body", "pinned_chunk", "pinned_content")
        return dict.fromkeys(names)
    document = documents.get((pin.source, pin.path))
    return {
        "pinned_source": pin.source,
        "pinned_path": pin.path,
        "pinned_body": pin.body_hash,
        "pinned_chunk": pin.chunk_hash,
        "pinned_content": document["served_hash"] if document else None,
    }


def _holders(reader: IndexReader, rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return chunk hash -> live rows, for every pinned chunk."""
    pinned = sorted({row["pinned_chunk"] for row in rows if row["pinned_chunk"]})
    if not pinned:
        return {}
    names = ", ".join(f"'{chunk}'" for chunk in pinned)
    found: dict[str, list[Row]] = {}
    for row in reader.get(f"chunk_hash in ({names})"):
        found.setdefault(row["chunk_hash"], []).append(row)
    return found


def _ask(
    searcher: Searcher,
    canary: Canary,
    holders: dict[str, list[Row]],
    documents: dict[tuple[str, str], Row],
    now: datetime,
) -> Verdict:
    try:
        ranking = searcher.search([canary.query], now=now, wanted=Wanted(top_k=POOL, weak_too=True))
    except Refused:  # filters that mean nothing: such a question finds nothing, and never had a passage
        return judge(replace(canary, pin=None), Standing(), [], calibration=searcher.calibration.id)
    hits = [_hit(result) for result in ranking.results]
    standing, asked = Standing(), canary
    if canary.pin is not None:
        pin = follow(canary.pin, documents)
        asked = replace(canary, pin=pin)
        alive = [row for row in holders.get(pin.chunk_hash, []) if _is_alive(row, now)]
        score = searcher.pair_score(searcher.query(canary.query), alive[0]) if alive else None
        standing = _standing(pin, alive, score, documents)
        standing = replace(standing, by_words=bool(alive) and alive[0]["vector"] is None)
    verdict = judge(asked, standing, hits, calibration=searcher.calibration.id)
    if asked != canary and verdict.state == "ok" and verdict.pin is not None:
        return replace(verdict, state="moved", cause=f"now at {verdict.pin.source}/{verdict.pin.path}")
    return verdict


def follow(pin: Pin, documents: Mapping[tuple[str, str], Row]) -> Pin:
    """Return the pin at the place its content has now, when its own place is gone: a rename, a move, a copy left."""
    if (pin.source, pin.path) in documents or not pin.content_hash:
        return pin
    # A file that got a newer version on the day it was renamed is replaced, not deleted.
    places = [
        (row["state"] not in SERVING, row["duplicate_of"] is not None, place)
        for place, row in documents.items()
        if row["served_hash"] == pin.content_hash and row["state"] in (*SERVING, "superseded")
    ]
    if not places:
        return pin
    source, path = min(places)[2]
    return replace(pin, source=source, path=path)


def _is_alive(row: Row, now: datetime) -> bool:
    return row["expires_at"] is None or row["expires_at"] > now


def _hit(result: Result) -> Hit:
    row = result.row
    return Hit(
        row["source"],
        row["path"],
        row["body_hash"],
        row["chunk_hash"],
        result.score,
        row["text"],
        result.cosine is None,
    )


def _standing(pin: Pin, alive: Sequence[Row], score: float | None, documents: dict[tuple[str, str], Row]) -> Standing:
    document = documents.get((pin.source, pin.path))
    unchanged = document is not None and document["state"] in SERVING and document["served_hash"] == pin.content_hash
    if alive:
        return Standing(places=_places(alive), score=score, text=alive[0]["text"], unchanged=unchanged)
    fate, successors = _fate(pin, document, documents)
    return Standing(fate=fate, successors=successors, unchanged=unchanged)


def _places(alive: Iterable[Row]) -> tuple[tuple[str, str], ...]:
    places: dict[tuple[str, str], None] = {}
    for row in alive:
        places[row["source"], row["path"]] = None
        places.update({(other["source"], other["path"]): None for other in json.loads(row["also_in"])})
    return tuple(places)


def _fate(
    pin: Pin, document: Row | None, documents: Iterable[tuple[str, str]]
) -> tuple[Fate, tuple[tuple[str, str], ...]]:
    """Say why a pinned passage isn't live, and what stands in its place."""
    if document is None:
        return "deleted", ()
    if document["superseded_by"]:
        # Sources of a root have a slash in their names, so the place is found, not split.
        return "replaced", tuple(place for place in documents if "/".join(place) == document["superseded_by"])
    if document["state"] == "expired":
        return "expired", ()
    if document["state"] == "rejected":
        return "rejected", ()
    if document["body_hash"] != pin.body_hash:
        return "changed", ((pin.source, pin.path),)
    return "", ()
