"""Asks which documents of the corpus add nothing of their own, and puts what it finds before a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
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
from pipelines.findings import AHEAD
from pipelines.redundancy import Facts, Judged, judge, own_numbers
from pipelines.review import item_id
from pipelines.score import calibration_for
from pipelines.served import Served
from resources.ledger import documents as document_store
from resources.ledger import reviews
from resources.ledger import served as served_store

if TYPE_CHECKING:
    from pipelines.score import Calibration
    from resources.build import Saero

Row = dict[str, Any]
Method = Literal["cosine", "rank", "words"]
# Numbers kept as evidence: enough to see what would be lost.
NUMBERS = 10
# Duplicates whose words are read at once, with those of what covers them.
_READ = 16
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Redundancy:
    """What was found.

    judged     every body whose covers are known
    documents  body -> the document that serves it
    own        duplicate -> the numbers that no document covering it has
    """

    served: Served
    encoder: str
    method: Method
    calibration: Calibration
    asked: frozenset[str]
    judged: tuple[Judged, ...]
    documents: dict[str, Row]
    own: dict[str, tuple[str, ...]]
    answers: dict[str, str]

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
        said = {row["a_body"]: row["answer"] for row in reviews.answers(con, "redundancy").values()}
    here = set(served.bodies)
    documents = {row["body_hash"]: row for row in rows if row["duplicate_of"] is None and row["body_hash"] in here}
    asked = frozenset(body for body, row in documents.items() if wanted(row))
    calibration = calibration_for(encoder)
    method, propose = _proposals(saero, served, calibration)
    covers, known = find_covers(served, asked, propose, _texts(saero, served), on_rows)
    facts = {body: Facts(_moment(documents[body], now), said.get(body)) for body in known}
    judged = tuple(judge(served, covers, facts))
    own = _own_numbers(served, judged, _texts(saero, served))
    found = Redundancy(served, encoder, method, calibration, asked, judged, documents, own, said)
    _sync(saero, found, now)
    return found


def _proposals(saero: Saero, served: Served, calibration: Calibration) -> tuple[Method, Propose]:
    words = by_words(served, _texts(saero, served))
    if not served.embedded.any():
        return "words", words
    if calibration.cosine_duplicate is None:
        return "rank", together(by_rank(served), words)
    return "cosine", together(by_cosine(served, calibration.cosine_duplicate), words)


def _texts(saero: Saero, served: Served) -> Callable[[Sequence[int]], list[str]]:
    def texts_of(rows: Sequence[int]) -> list[str]:
        hashes = [served.hashes[row] for row in rows]
        with saero.ledger.transaction("redundancy") as con:
            found = served_store.texts(con, hashes)
        return [found[name] for name in hashes]

    return texts_of


def _own_numbers(
    served: Served, judged: Sequence[Judged], texts_of: Callable[[Sequence[int]], list[str]]
) -> dict[str, tuple[str, ...]]:
    """Compare the numbers of each duplicate with those of all documents that cover it."""
    place = {body: row for row, body in enumerate(served.bodies)}

    def rows(body: str) -> list[int]:
        passages = served.passages_of(place[body])
        return [int(row) for row in served.hash_of[passages.start : passages.stop]]

    found = {}
    named = [one for one in judged if one.verdict == "duplicate"]
    for start in range(0, len(named), _READ):
        part = {one.body: [body for body, _ in one.by] for one in named[start : start + _READ]}
        wanted = sorted({row for body, others in part.items() for one in (body, *others) for row in rows(one)})
        text = dict(zip(wanted, texts_of(wanted), strict=True))
        for body, others in part.items():
            beside = [text[row] for other in others for row in rows(other)]
            found[body] = own_numbers([text[row] for row in rows(body)], beside)
    return found


def _moment(row: Row, now: datetime) -> datetime:
    """Return a document's own time, else its file's; one that runs ahead counts as the oldest."""
    moment: datetime = row["modified_at"] or datetime.fromtimestamp(row["mtime_ns"] / 1e9, UTC)
    return _LONG_AGO if moment > now + AHEAD else moment


def _sync(saero: Saero, found: Redundancy, now: datetime) -> None:
    """Make the open items those of the duplicates; what wasn't asked stays, unless what covers it is named now."""
    items = {one.body: _item(one, found) for one in found.judged if one.verdict == "duplicate"}
    judged = {one.body for one in found.judged}
    with saero.ledger.transaction("redundancy") as con:
        others = [
            {key: row[key] for key in reviews.COLUMNS}
            for row in reviews.opened(con, "redundancy")
            if row["a_body"] in found.documents and row["a_body"] not in judged and row["b_body"] not in items
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
