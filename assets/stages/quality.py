"""Quality: Great Expectations over the rows of the next version, before anything is published."""

from __future__ import annotations

import pyarrow.compute as pc

from assets.stages.index import let_leave
from assets.stages.rows import desired_rows
from resources.build import Run
from resources.ledger import passages
from resources.ledger import runs as run_store
from resources.quality import CheckResult, check_rows

# What is checked, and in which words the UI shows it.
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
    "few_rows_withheld": "No more than 5 % of the rows were withheld since the last publication.",
    "references_decoded": "No numeric character reference is left in a text.",
}
# Judged in every run: they depend on more than the rows.
OF_RUN = ("documents_accounted_for", "few_rows_withheld")
# So many at once mean another encoder or parser, not bad documents. It is the share at which a wave of unreadable files
# is held (DESIGN section 5); ten rows are the passages of one or two long documents.
WITHHELD_SHARE, WITHHELD_FEW = 0.05, 10


def judge(run: Run) -> list[CheckResult]:
    """Check the desired rows. What blocks publication is remembered; deletions leave all the same."""
    run.stage("check")
    judged = _judged(run)
    with run.saero.ledger.session("check"):
        judged += [_accounted_for(run), _few_withheld(run)]
    blocked = [item.name for item in judged if item.blocking and not item.passed]
    if blocked:
        run.failed_stage = "check"
        run.memory["blocked"] = blocked
        let_leave(run)
    return judged


def _judged(run: Run) -> list[CheckResult]:
    """Judge the rows to be written; those that stand in the head passed when they were written."""
    encoder, rows = run.saero.encoder, desired_rows(run)
    if not rows.facts.num_rows and not rows.doubled:
        return [
            CheckResult(name, True, 0, "no row differs from those that passed") for name in CHECKS if name not in OF_RUN
        ]
    judged = check_rows(
        rows.facts, encoder_id=encoder.encoder_id, dimension=encoder.dimension, max_tokens=encoder.max_tokens
    )
    judged = [_unique(item, rows.doubled) for item in judged]
    with run.saero.ledger.transaction("check") as con:
        run_store.add_checks(
            con,
            [
                {
                    "run_id": run.id,
                    "name": item.name,
                    "passed": item.passed or not item.blocking,
                    "unexpected": item.unexpected_count,
                    "checked_at": run.now,
                }
                for item in judged
            ],
        )
    return judged


def _unique(item: CheckResult, doubled: int) -> CheckResult:
    """A chunk id may stand twice between a row to be written and one of the head."""
    if item.name != "chunk_ids_unique" or not doubled:
        return item
    return CheckResult(item.name, False, max(doubled, item.unexpected_count), f"{doubled} chunk ids stand twice")


def _accounted_for(run: Run) -> CheckResult:
    """Compare documents that must be findable with the rows that make them so."""
    rows = desired_rows(run)
    placed = rows.compared.filter(pc.not_equal(rows.compared["change"], "gone")).select(["chunk_id"])
    with run.saero.ledger.transaction("check") as con:
        lacking = passages.bodies_without(con, placed)
    return CheckResult("documents_accounted_for", not lacking, lacking, f"{lacking} bodies without a row")


def _few_withheld(run: Run) -> CheckResult:
    """Compare with the last publication: what is withheld leaves the index in silence, up to an empty one.

    It blocks every night until the cause is gone or a person publishes with `refresh --publish`.
    """
    rows = desired_rows(run)
    with run.saero.ledger.transaction("check") as con:
        fresh = passages.withheld_since_publication(con)
    passed = run.options.publish or fresh <= max(WITHHELD_FEW, WITHHELD_SHARE * rows.total)
    observed = f"{fresh} of {rows.total} rows withheld since the last publication"
    return CheckResult("few_rows_withheld", passed, fresh, observed)


def differences(run: Run) -> tuple[int, int]:
    """Return how many rows the published version lacks and has too many, against the ledger."""
    with run.saero.ledger.transaction("check") as con:
        return passages.compare_ids(con, run.saero.published_ids())
