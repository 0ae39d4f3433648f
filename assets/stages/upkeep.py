"""Upkeep: what nothing needs any more leaves, and what exists nowhere else is copied."""

from __future__ import annotations

from pipelines.tokens import tokens_version
from resources.backup import write_backup
from resources.build import Run
from resources.ledger import export
from resources.ledger.sweep import sweep


def keep_house(run: Run) -> int:
    """Sweep the ledger and bodies/, and write the day's backup; returns how many contents left."""
    saero = run.saero
    with saero.ledger.transaction("sweep") as con:
        swept = sweep(con, encoder_id=saero.encoder.encoder_id, tokens_version=tokens_version(), now=run.now)
        # Before the commit: a run killed in between reads a content anew, but leaves no words behind.
        for content_hash, parser_version in swept:
            saero.bodies.path(content_hash, parser_version).unlink(missing_ok=True)
        lines = list(export.lines(con))
    write_backup(saero.backup_dir, run.now.astimezone(saero.settings.zone).date(), lines)
    return len(swept)
