"""Index: the head of the tables follows the ledger, passes its gate, and is published."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from assets.stages.canaries import sync_canaries
from assets.stages.chunk import chunker_version
from assets.stages.rows import DesiredRows, Part, desired_rows, rows_made
from pipelines.errors import TryAgain
from pipelines.gap import gate
from resources.asking import ask_all
from resources.build import Run
from resources.calibrations import calibration_of
from resources.encoder import Encoder
from resources.ledger import calibrations, passages
from resources.ledger import runs as run_store
from resources.published import Published, read_published
from resources.rows import rows_table
from resources.table import BATCH, RowTable

# A reader opens a version for the length of one query; an hour is far beyond.
KEEP_VERSIONS = timedelta(hours=1)

_log = logging.getLogger(__name__)


def publish(run: Run) -> dict[str, Any]:
    """Bring the head of both tables up to the desired rows and publish it, unless the canary gate holds it.

    The comparison with the head is the truth (DESIGN section 4): whatever an interrupted run left is mended here.
    """
    run.stage("index")
    rows = desired_rows(run)
    index = run.saero.index
    before = read_published(run.saero.index_dir)
    changed = _follow(run, rows, "live", index.live)
    changed = _follow(run, rows, "retired", index.retired) or changed
    count = rows.count("live")
    _count(run, rows, count)
    if not changed and before is not None and _is_head(run, before):
        run.published = True
        run.memory["published"] = before
        return {"published": True, "version": before.version, "rows": count}
    index.optimize()
    sync_canaries(run)
    record = _candidate(run)
    run.memory["answers"] = ask_all(run.saero, record, run.now)
    run.held = _held(run, before)
    if run.held is None:
        _switch(run, record, "refresh")
        run.published = True
    else:
        let_leave(run)
    _clean(run)
    return {"published": run.published, "held": run.held or "", "version": record.version, "rows": count}


def _follow(run: Run, rows: DesiredRows, part: Part, table: RowTable) -> bool:
    """Write what differs between a table's head and the desired rows; tell whether anything did.

    What leaves goes with the rows that come, in one commit each of up to a batch of both.
    """
    gone = rows.to_delete(part)
    writing = rows.to_write(part)
    for made in rows_made(run, writing):
        leaving, gone = gone[:BATCH], gone[BATCH:]
        table.apply(rows_table(made, table.dimension), leaving)
        run.progress.advance(0)
    for start in range(0, len(gone), BATCH):
        table.apply(rows_table([], table.dimension), gone[start : start + BATCH])
    return bool(writing or rows.to_delete(part))


def _count(run: Run, rows: DesiredRows, count: int) -> None:
    """Add up what a run changed that publishes more than once."""
    before = run.counts.get("chunks", {"added": 0, "removed": 0})
    added = before["added"] + rows.added("live")
    removed = before["removed"] + len(rows.to_delete("live"))
    run.counts["chunks"] = {"added": added, "removed": removed, "kept": max(0, count - added)}


def _is_head(run: Run, record: Published) -> bool:
    index = run.saero.index
    return (record.table, record.version, record.retired_version) == (
        index.live.name,
        index.live.version,
        index.retired.version,
    )


def _held(run: Run, before: Published | None) -> str | None:
    """Return why the new version must wait, None when it may be shown.

    Only unexplained losses count, and a version is held for one night: on the next day it is published with another
    mail, however often a person refreshes before.
    """
    if before is not None and is_another(run.saero.encoder, before):
        with run.saero.ledger.transaction("gate") as con:
            share = passages.vector_share(con, run.saero.encoder.encoder_id)
        if share < 1 and not run.options.publish:
            new = "encoder" if before.encoder != run.saero.encoder.encoder_id else "chunker"
            return f"the index of the new {new} has {share:.0%} of its vectors; the one before answers until it has all"
    if run.options.publish or before is None or before.run_id == run.id:
        return None
    with run.saero.ledger.transaction("gate") as con:
        held_at = run_store.held_last(con)
    zone = run.saero.settings.zone
    # Another day, not a later one: a clock that was set back must not hold it for weeks.
    if held_at is not None and held_at.astimezone(zone).date() != run.now.astimezone(zone).date():
        return None
    answers = run.memory["answers"]
    verdict = gate(answers.verdicts, explained=answers.explained)
    if not verdict.hold:
        return None
    return "canaries lost their passages: " + ", ".join(loss.canary.canary_id for loss in verdict.losses)


def is_another(encoder: Encoder, record: Published) -> bool:
    """Tell whether an index made now would share no passage or no vector with a published one: it must be whole."""
    return (record.encoder, record.chunker) != (encoder.encoder_id, chunker_version(encoder))


def let_leave(run: Run) -> None:
    """Take out of the published version what must leave although nothing new is shown: deleted, expired, replaced.

    Bodies decide, not passages: where a night cut them anew or withholds them, the published ones go on serving, and so
    do the texts that an earlier parser made of what documents still hold.
    """
    run.saero.index.mend()
    with run.saero.ledger.transaction("leave") as con:
        live, retired = passages.served_bodies(con)
    record = run.saero.index.without_others(live, retired)
    if record is not None:
        _switch(run, replace(record, published_at=datetime.now(UTC), run_id=run.id), "deletions only")


def _clean(run: Run) -> None:
    """Remove old versions. The switch is done: what can't be removed now is tried again by the next run."""
    try:
        run.saero.index.cleanup(KEEP_VERSIONS, run.now)
    except (TryAgain, OSError, RuntimeError, ValueError) as error:  # Lance raises any of the last three
        _log.warning("old versions of the index could not be removed: %s", error)


def _candidate(run: Run) -> Published:
    """Describe the head as it would be published now."""
    index = run.saero.index
    with run.saero.ledger.transaction("calibration") as con:
        constants = calibrations.constants_of(con, index.encoder_id)
    return index.candidate(
        calibration=calibration_of(index.encoder_id, constants).id,
        constants=constants,
        chunker=chunker_version(run.saero.encoder),
        run_id=run.id,
        now=datetime.now(UTC),
    )


def _switch(run: Run, record: Published, reason: str) -> None:
    record = run.saero.index.publish(record)
    run.memory["published"] = record
    rows = run.saero.reader().count()
    with run.saero.ledger.transaction("publish") as con:
        run_store.add_publication(
            con,
            {
                "version": record.version,
                "table_name": record.table,
                "run_id": run.id,
                "published_at": record.published_at,
                "encoder": record.encoder,
                "calibration": record.calibration,
                "chunker": record.chunker,
                "rows": rows,
                "reason": reason,
            },
        )
