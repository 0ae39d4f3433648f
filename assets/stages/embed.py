"""Embed: vectors for the passages that have none, saved batch by batch."""

from __future__ import annotations

from typing import Any

from assets.stages.meanwhile import Meanwhile
from assets.stages.rows import forget_rows
from resources.build import Run
from resources.ledger import passages

# Passages between two commits: a few minutes of a slow core, so a kill costs little, and few transactions.
BATCH = 256
# Texts that are looked up at once: to find some among all costs a look at all.
TEXTS = 16 * BATCH


def embed_missing(run: Run) -> dict[str, Any]:
    """Embed every served passage without a vector of this encoder; what is saved is never embedded again.

    What takes long is published on the way, and left to the next run when the night ends before.
    """
    saero, encoder = run.saero, run.saero.encoder
    with saero.ledger.transaction("embed") as con:
        needed = passages.count_vectors_needed(con)
        missing = passages.keys_without_vector(con, encoder.encoder_id)
        is_lost = bool(missing) and not passages.has_vectors(con, encoder.encoder_id)
    if is_lost:
        missing = _without_indexed(run, missing)
    run.reused = needed - len(missing)
    run.stage("embed", len(missing))
    meanwhile = Meanwhile(run, sum(n_tokens for _, n_tokens in missing))
    meanwhile.begin()
    keys = [key for key, _ in missing]
    texts: dict[str, str] = {}
    for start in range(0, len(keys), BATCH):
        if meanwhile.is_over:
            break
        if start % TEXTS == 0:
            with saero.ledger.transaction("embed") as con:
                texts = passages.embedded_texts(con, keys[start : start + TEXTS])
        _embed(run, keys[start : start + BATCH], texts)
        if start + BATCH < len(keys):
            meanwhile.between()
    forget_rows(run)
    return {"embedded": run.embedded, "reused": run.reused, "encoder": encoder.encoder_id}


def _without_indexed(run: Run, missing: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Take over the vectors that the index holds where the ledger was made anew and has none; return what is left."""
    wanted = {key for key, _ in missing}
    for table in (run.saero.index.live, run.saero.index.retired):
        for keys, vectors in table.vectors():
            places = {key: n for n, key in enumerate(keys) if key in wanted}
            if not places:
                continue
            with run.saero.ledger.transaction("embed") as con:
                taken = vectors[list(places.values())]
                passages.add_vectors(con, run.saero.encoder.encoder_id, list(places), taken, run.now)
            wanted -= places.keys()
    return [(key, n_tokens) for key, n_tokens in missing if key in wanted]


def _embed(run: Run, keys: list[str], texts: dict[str, str]) -> None:
    saero, encoder = run.saero, run.saero.encoder
    vectors = encoder.embed_passages([texts[key] for key in keys], on_batch=_Counter(run))
    with saero.ledger.transaction("embed") as con:
        passages.add_vectors(con, encoder.encoder_id, keys, vectors, run.now)
    run.embedded += len(keys)


class _Counter:
    """Turns the encoder's running totals of one batch into steps of the progress bar."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._done = 0

    def __call__(self, done: int, total: int) -> None:
        self._run.progress.advance(done - self._done)
        self._done = done
