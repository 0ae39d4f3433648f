"""Bring the text versions back in step with the ledger after a run that was interrupted."""

from __future__ import annotations

from assets.stages.stored import blocks_of
from pipelines.mirror import render
from resources.build import Run
from resources.ledger import documents as document_store
from resources.ledger import runs as run_store


def mirror_in_doubt(run: Run) -> bool:
    """Tell, before anything is written, whether text versions may lack or stand where no document has one.

    They follow the ledger's commit, so a run that was killed between the two leaves some behind. After a good run
    there is nothing to look for, unless somebody took the folder away.
    """
    with run.saero.ledger.transaction("mirror") as con:
        last = run_store.last(con)
    return last is not None and (last["outcome"] != "success" or not run.saero.mirror.exists)


def mend_mirror(run: Run) -> None:
    """Drop text versions that no document has and write those that are missing."""
    saero = run.saero
    with saero.ledger.transaction("mirror") as con:
        rows = [row for row in document_store.present(con) if row["served_hash"] is not None]
    saero.mirror.keep_only([(row["source"], row["path"]) for row in rows])
    for row in rows:
        if saero.mirror.path(row["source"], row["path"]).exists():
            continue
        blocks = blocks_of(run, row["served_hash"], row["parser_version"])
        if blocks is not None:
            saero.mirror.write(row["source"], row["path"], render(blocks).text)
