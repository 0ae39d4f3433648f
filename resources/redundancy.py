"""Asks which documents of the corpus add nothing of their own, and puts what it finds before a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pipelines.covers import (
    CONTAINED,
    CONTAINED_BY_WORDS,
    OnRows,
    Propose,
    by_cosine,
    by_rank,
    by_words,
    find_covers,
    together,
)
from pipelines.errors import TryAgain
from pipelines.own_numbers import of_duplicates
from pipelines.redundancy import Facts, Judged, judge, moment
from pipelines.review import Answer, item_id
from pipelines.score import calibration_for
from pipelines.served import Served
from resources.ledger import documents as document_store
from resources.ledger import reviews
from resources.ledger import served as served_store
from resources.ledger.version_pairs import asked_as_version, version_pairs

if TYPE_CHECKING:
    import duckdb

    from pipelines.score import Calibration
    from resources.build import Saero

Row = dict[str, Any]
Method = Literal["cosine", "rank", "words"]
# Why a document isn't put up for review.
Unasked = Literal["own_passages", "own_numbers", "version"]
# Numbers kept as evidence: enough to see what would be lost.
NUMBERS = 10


@dataclass(frozen=True, slots=True)
class Redundancy:
    """What was found.

    judged     every body whose covers are known
    documents  body -> the document that serves it
    own        duplicate -> the numbers that no document covering it has
    versions   pairs of bodies that are a matter of versions
    """

    served: Served
    encoder: str
    method: Method
    calibration: Calibration
    asked: frozenset[str]
    judged: tuple[Judged, ...]
    documents: dict[str, Row]
    own: dict[str, tuple[str, ...]]
    answers: dict[str, Answer]
    versions: set[frozenset[str]]

    def unasked(self, judged: Judged) -> Unasked | None:
        """Say why no person is asked: accepting would drop what only it says, or they are asked about its version."""
        if judged.verdict != "duplicate":
            return "own_passages"
        if judged.body in self.answers:
            return None
        if self.own[judged.body]:
            return "own_numbers"
        covers = frozenset(body for body, _ in judged.by)
        return "version" if asked_as_version(judged.body, covers, self.versions) else None

    @property
    def contained(self) -> float:
        """Return the share of a passage's words that must stand in the other one."""
        return CONTAINED if self.method == "cosine" else CONTAINED_BY_WORDS


def ask(
    saero: Saero, now: datetime, wanted: Callable[[Row], bool] = lambda row: True, on_rows: OnRows | None = None
) -> Redundancy:
    """Ask the documents that are `wanted` (rows of documents.present) against all, and bring the review queue up.

    `on_rows` hears (done, total) while passages are compared.
    """
    encoder = saero.query_encoder.encoder_id
    with saero.ledger.transaction("redundancy") as con:
        served = served_store.current(con, encoder)
        rows = document_store.present(con)
        here = set(served.bodies)
        said = _answers(con, here)
        versions = version_pairs(con)
    documents = {row["body_hash"]: row for row in rows if row["duplicate_of"] is None and row["body_hash"] in here}
    asked = frozenset(body for body, row in documents.items() if wanted(row))
    calibration = calibration_for(encoder)
    method, propose = _proposals(saero, served, calibration)
    covers, known = find_covers(served, asked, propose, _texts(saero, served), on_rows)
    facts = {body: Facts(_moment(documents[body], now), said.get(body)) for body in known}
    judged = tuple(judge(served, covers, facts))
    own = of_duplicates(served, judged, _texts(saero, served))
    found = Redundancy(served, encoder, method, calibration, asked, judged, documents, own, said, versions)
    _sync(saero, found, now)
    return found


def _proposals(saero: Saero, served: Served, calibration: Calibration) -> tuple[Method, Propose]:
    words = by_words(served, _texts(saero, served))
    if not served.embedded.any():
        return "words", words
    if calibration.cosine_duplicate is None:
        return "rank", together(by_rank(served), words)
    return "cosine", together(by_cosine(served, calibration.cosine_duplicate), words)


def _answers(con: duckdb.DuckDBPyConnection, here: set[str]) -> dict[str, Answer]:
    """Return covered body -> what a person said of it; an acceptance whose cover is gone counts no more."""
    answers = reviews.answers(con, "redundancy")
    over = reviews.lapsed(con, here)
    return {row["a_body"]: row["answer"] for key, row in answers.items() if key not in over}


def _texts(saero: Saero, served: Served) -> Callable[[Sequence[int]], list[str]]:
    def texts_of(rows: Sequence[int]) -> list[str]:
        hashes = [served.hashes[row] for row in rows]
        with saero.ledger.transaction("redundancy") as con:
            found = served_store.texts(con, hashes)
        if len(found) < len(set(hashes)):
            raise TryAgain("a refresh changed the ledger while passages were compared: ask again")
        return [found[name] for name in hashes]

    return texts_of


def _moment(row: Row, now: datetime) -> datetime:
    return moment(row["modified_at"], row["mtime_ns"], now)


def _sync(saero: Saero, found: Redundancy, now: datetime) -> None:
    """Make the open items those of the duplicates; what wasn't asked stays while all that covers it stays."""
    items = {one.body: _item(one, found) for one in found.judged if found.unasked(one) is None}
    judged = {one.body for one in found.judged}
    with saero.ledger.transaction("redundancy") as con:
        others = [
            {key: row[key] for key in reviews.COLUMNS}
            for row in reviews.opened(con, "redundancy")
            if row["a_body"] in found.documents
            and row["a_body"] not in judged
            and reviews.covers(row) <= found.documents.keys() - items.keys()
        ]
        reviews.sync(con, "redundancy", [*items.values(), *others], now)


def _place(row: Row, body: str) -> dict[str, str]:
    return {"source": row["source"], "path": row["path"], "body": body}


def _item(judged: Judged, found: Redundancy) -> Row:
    least = judged.pairs[0]
    evidence = {
        "share": round(judged.share, 4),
        "covered": len(judged.pairs),
        "passages": judged.passages,
        "covered_by": [_place(found.documents[body], body) for body, _ in judged.by],
        "containment": round(least.containment, 4),
        "cosine": None if least.cosine is None else round(least.cosine, 4),
        "own_numbers": list(found.own[judged.body][:NUMBERS]),
    }
    key = item_id("redundancy", judged.body)
    return reviews.new_item(key, "redundancy", a_body=judged.body, b_body=judged.by[0][0], evidence=evidence)
