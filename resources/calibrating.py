"""Fits a calibration to the published index: questions made of its passages, or canaries with a pinned one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pipelines.calibrate import Candidate, Held, Posed, fit, held_out, question_of, words_of
from pipelines.errors import Refused
from pipelines.matching import Match
from pipelines.score import Calibration, calibration_for
from pipelines.search import POOL, Query, merge_pool
from resources.calibrations import constants_of
from resources.ledger import calibrations
from resources.ledger import canaries as canary_store
from resources.ledger.rows import as_json
from resources.published import Published, read_published, write_published
from resources.searcher import Searcher

if TYPE_CHECKING:
    from resources.build import Saero

Row = dict[str, Any]
Origin = Literal["passages", "canaries"]
Tell = Callable[[int, int], None]

# 100 keyword questions fitted another encoder to AUC .940 (research/retrieval.md section 6); more cost seconds each.
QUESTIONS = 240
LEAST_QUESTIONS = 40
# 20 labelled questions fit as well as 80 there (AUC .953, calibration error .042 against .029).
LEAST_CANARIES = 20
# Below, the corpus of a size that is asked of tells nothing of a maximum over many passages.
LEAST_PASSAGES = 60
# Every question is also asked of these shares of the corpus, so that its size is part of what is fitted.
SHARES = (1.0, 0.5, 0.25, 0.125)
# Passages that each question is compared with at random.
_RANDOM = 40
_SEED = 20261130


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration fitted to this corpus, from which questions, and how it does on those held out."""

    calibration: Calibration
    encoder: str
    origin: Origin
    held: Held
    chunks: int


@dataclass(frozen=True, slots=True)
class _Asked:
    query: Query
    right: Row
    pool: list[Row]


def calibrate(saero: Saero, tell: Tell | None = None) -> Fitted:
    """Fit a calibration to the published index. Raises Refused, with what to do, when there is too little to fit to."""
    searcher = Searcher(saero.reader(), saero.query_encoder)
    encoder = searcher.reader.record.encoder
    if not searcher.has_vectors:
        raise Refused(f"the index was made by {encoder}, the settings name another encoder: run `saero refresh` first")
    if calibration_for(encoder).z_slope:
        raise Refused(f"{encoder} comes with its calibration ({calibration_for(encoder).id}): nothing is to be fitted")
    passages = searcher.reader.count("vector is not null")
    if passages < LEAST_PASSAGES:
        raise Refused(
            f"{passages} passages with vectors are too few to calibrate, {LEAST_PASSAGES} are needed: "
            "add documents, run `saero refresh`, then calibrate again; until then scores come from words alone"
        )
    rows = _sample(searcher)
    labelled = _labelled(saero, searcher)
    asked = labelled if len(labelled) >= LEAST_CANARIES else _made(searcher, rows, tell)
    if len(asked) < LEAST_QUESTIONS and asked is not labelled:
        raise Refused(
            f"only {len(asked)} passages hold a sentence to ask for, {LEAST_QUESTIONS} are needed: add documents with "
            f"prose, or {LEAST_CANARIES} canaries with a pinned answer (`saero canaries add`), and calibrate again"
        )
    origin: Origin = "canaries" if asked is labelled else "passages"
    posed = [one for number, each in enumerate(asked) for one in _posed(number, each, passages)]
    far = _random_cosines(asked, rows)
    near = [_cosine(each.query, each.right) for each in asked]
    try:
        held = held_out(encoder, posed, far, near)
        return Fitted(fit(encoder, posed, far, near), encoder, origin, held, passages)
    except ValueError as error:
        raise Refused(f"{encoder} can't be calibrated on this corpus: {error}; scores come from words alone") from error


def keep(saero: Saero, fitted: Fitted, now: datetime) -> bool:
    """Store a calibration and let every search from now on score by it; tells whether the index is still the same's."""
    constants = constants_of(fitted.calibration)
    row = {
        "encoder_id": fitted.encoder,
        "id": fitted.calibration.id,
        "constants": as_json(constants),
        "figures": as_json({**asdict(fitted.held), "origin": fitted.origin, "chunks": fitted.chunks}),
        "made_at": now,
    }
    with saero.ledger.transaction("calibrate") as con:
        calibrations.keep(con, row)
    record = read_published(saero.index_dir)
    if record is None or record.encoder != fitted.encoder:
        return False
    write_published(saero.index_dir, _scored_by(record, fitted.calibration.id, constants))
    return True


def _scored_by(record: Published, name: str, constants: dict[str, Any]) -> Published:
    return replace(record, calibration=name, constants=constants)


def _sample(searcher: Searcher) -> list[Row]:
    """Return passages with vectors, in an order by chance that is the same each time."""
    found = searcher.reader.get("vector is not null", columns=["chunk_id"])
    ids = sorted(row["chunk_id"] for row in found)
    random.Random(_SEED).shuffle(ids)
    return searcher.reader.rows(ids[: 2 * QUESTIONS])


def _made(searcher: Searcher, rows: Sequence[Row], tell: Tell | None) -> list[_Asked]:
    """Ask questions made of the passages."""
    dice = random.Random(_SEED)
    elsewhere = words_of([row["text"] for row in rows])
    made = [(row, one) for row in rows if (one := question_of(row["text"], elsewhere, dice))][:QUESTIONS]
    asked = []
    for done, (row, one) in enumerate(made, start=1):
        meant = searcher.query(one.meant)
        asked.append(_asked(searcher, Query.of(one.said, meant.vector), row))
        if tell is not None:
            tell(done, len(made))
    return asked


def _labelled(saero: Saero, searcher: Searcher) -> list[_Asked]:
    """Ask the canaries whose pinned passage is in the index."""
    with saero.ledger.transaction("calibrate") as con:
        rows = canary_store.active(con)
    pinned = {row["pinned_chunk"]: row["query"] for row in rows if row["pinned_chunk"] and not row["must_fail"]}
    if len(pinned) < LEAST_CANARIES:
        return []
    names = ", ".join(f"'{chunk}'" for chunk in pinned)
    found = {row["chunk_hash"]: row for row in searcher.reader.get(f"vector is not null and chunk_hash in ({names})")}
    return [_asked(searcher, searcher.query(pinned[chunk]), row) for chunk, row in sorted(found.items())]


def _asked(searcher: Searcher, query: Query, right: Row) -> _Asked:
    drawn = merge_pool(query, *searcher.reader.draw(query.vector, query.words, POOL))
    others = [row for row in drawn if row["chunk_hash"] != right["chunk_hash"] and row["cosine"] is not None]
    (own,) = merge_pool(query, [right], [])
    return _Asked(query, own, others)


def _posed(number: int, asked: _Asked, passages: int) -> list[Posed]:
    """Return the question as it is asked of each share of the corpus, with the right passage and without it."""
    matched = asked.query.matcher()
    right = _candidate(matched, asked.right)
    posed = []
    for share in SHARES:
        chunks = round(passages * share)
        if chunks < LEAST_PASSAGES // 2:
            break
        others = tuple(_candidate(matched, row) for row in asked.pool if _place(row) < share)
        posed.append(Posed(number, (right, *others), chunks, answered=True))
        posed.append(Posed(number, others, chunks, answered=False))
    return posed


def _candidate(matched: Callable[[Row], Match], row: Row) -> Candidate:
    return Candidate(row["body_hash"], row["cosine"], matched(row).coverage)


def _place(row: Row) -> float:
    """Return where a passage stands in [0, 1), by chance but always the same."""
    return int(row["chunk_id"][:8], 16) / 2**32


def _random_cosines(asked: Sequence[_Asked], rows: Sequence[Row]) -> list[float]:
    dice = random.Random(_SEED)
    drawn = [(each, row) for each in asked for row in dice.sample(list(rows), min(_RANDOM, len(rows)))]
    return [_cosine(each.query, row) for each, row in drawn if row is not each.right]


def _cosine(query: Query, row: Row) -> float:
    return 0.0 if query.vector is None else float(np.dot(query.vector, row["vector"]))
