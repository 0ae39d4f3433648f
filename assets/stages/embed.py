"""Embed: vectors for the passages that have none, saved batch by batch."""

from __future__ import annotations

from typing import Any

from resources.build import Run
from resources.ledger import passages

# Passages between two commits: a few minutes of a slow core, so a kill costs little, and few transactions.
BATCH = 256


def embed_missing(run: Run) -> dict[str, Any]:
    """Embed every served passage without a vector of this encoder; what is saved is never embedded again."""
    saero, encoder = run.saero, run.saero.encoder
    with saero.ledger.transaction("embed") as con:
        needed = passages.count_vectors_needed(con)
        missing = passages.texts_without_vector(con, encoder.encoder_id)
    run.reused = needed - len(missing)
    run.stage("embed", len(missing))
    for start in range(0, len(missing), BATCH):
        part = missing[start : start + BATCH]
        counter = _Counter(run)
        vectors = encoder.embed_passages([embedded for _, embedded, _ in part], on_batch=counter)
        with saero.ledger.transaction("embed") as con:
            passages.add_vectors(con, encoder.encoder_id, [key for key, _, _ in part], vectors, run.now)
        run.embedded += len(part)
    return {"embedded": run.embedded, "reused": run.reused, "encoder": encoder.encoder_id}


class _Counter:
    """Turns the encoder's running totals of one batch into steps of the progress bar."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._done = 0

    def __call__(self, done: int, total: int) -> None:
        self._run.progress.advance(done - self._done)
        self._done = done
