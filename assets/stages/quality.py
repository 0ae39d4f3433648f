"""Quality: Great Expectations over the rows of the next version, before anything is published."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from assets.stages.rows import desired_rows
from resources.build import Run
from resources.ledger import passages
from resources.ledger import runs as run_store
from resources.rows import rows_table

# What is checked, and in which words the UI shows it. All but the last block publication: a text about HTML may
# rightly hold a character reference.
CHECKS = {
    "chunk_ids_unique": "No two rows have one chunk id.",
    "chunk_ids_present": "Every row has a chunk id.",
    "text_present": "Every row has a text.",
    "text_not_empty": "No row is empty.",
    "tokens_within_limit": "No row is over the encoder's limit.",
    "vectors_unit_length": "Vectors are finite and of unit length.",
    "vectors_dimension": "Vectors have the encoder's dimension.",
    "one_encoder": "All vectors are of one encoder.",
    "documents_accounted_for": "Each live text document has a row or a finding.",
    "references_decoded": "No numeric character reference is left in a text.",
}
ADVISORY = frozenset({"references_decoded"})


@dataclass(frozen=True, slots=True)
class Judged:
    """One check of the night."""

    name: str
    passed: bool
    unexpected_count: int
    observed: str


def judge(run: Run) -> list[Judged]:
    """Check the desired rows, and remember what blocks publication for the end of the run."""
    run.stage("check")
    judged = _judged(run)
    blocked = [item.name for item in judged if not item.passed and item.name not in ADVISORY]
    if blocked:
        run.failed_stage = "check"
        run.memory["blocked"] = blocked
    return judged


def _judged(run: Run) -> list[Judged]:
    """Rows that passed before are not judged again: a night without changes stays cheap."""
    saero = run.saero
    rows = desired_rows(run)
    every = rows.live + rows.retired
    digest = hashlib.sha256("\0".join(sorted(row["row_hash"] for row in every)).encode("utf-8")).hexdigest()
    accounted = _accounted_for(run)
    with saero.ledger.transaction("check") as con:
        if run_store.passed_before(con, digest):
            same = [Judged(name, True, 0, "the same rows passed before") for name in CHECKS if name != accounted.name]
            return [*same, accounted]
    from resources.quality import check_rows

    encoder = saero.encoder
    table = rows_table(every, encoder.dimension)
    found = check_rows(table, encoder_id=encoder.encoder_id, dimension=encoder.dimension, max_tokens=encoder.max_tokens)
    judged = [Judged(item.name, item.passed, item.unexpected_count, item.observed) for item in found]
    with saero.ledger.transaction("check") as con:
        run_store.add_checks(
            con,
            [
                {
                    "run_id": run.id,
                    "name": item.name,
                    "passed": item.passed or item.name in ADVISORY,
                    "unexpected": item.unexpected_count,
                    "subject_digest": digest,
                    "checked_at": run.now,
                }
                for item in judged
            ],
        )
    return [*judged, accounted]


def _accounted_for(run: Run) -> Judged:
    """Compare documents that must be findable with the rows that make them so."""
    rows = desired_rows(run)
    placed = {row["body_hash"] for row in rows.live} | set(rows.withheld_bodies)
    with run.saero.ledger.transaction("check") as con:
        lacking = [body for body in passages.bodies_to_serve(con) if body not in placed]
    return Judged("documents_accounted_for", not lacking, len(lacking), f"{len(lacking)} bodies without a row")


def differences(run: Run) -> tuple[int, int]:
    """Return how many rows the published version lacks and has too many, against the ledger."""
    published = run.saero.published_ids()
    with run.saero.ledger.transaction("check") as con:
        wanted = passages.wanted_ids(con)
    ids = published[1] if published else set()
    return len(wanted - ids), len(ids - wanted)
