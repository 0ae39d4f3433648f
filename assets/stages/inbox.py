"""Take in what searches and persons left in the inbox since the last run."""

from __future__ import annotations

import logging

from pipelines.forgotten import taken_without
from pipelines.inbox import COUNTS_KEPT, TEXTS_KEPT, read_lines
from resources.build import Run
from resources.ledger import forget as forget_store
from resources.ledger import inbox as store

_log = logging.getLogger(__name__)


def take_in(run: Run) -> int:
    """Count what the inbox holds, each line once, and let go of what is too old; returns how many lines were new.

    Lines that came into the file of the run before after it was read are taken first. Killed anywhere, the next run
    finds the file again, and what the ledger has of it is known by the ids. Files that can't be read wait, so that no
    finding and no mail of the night is lost for them.
    """
    inbox, saero, count = run.saero.inbox, run.saero, 0
    try:
        count += _read(run, inbox.taken())
        count += _read(run, inbox.set_aside())
    except OSError as error:
        _log.warning("what searches left can't be taken in: %s", error)
    day = run.now.astimezone(saero.settings.zone).date()
    # Who stops keeping texts wants none of them kept.
    texts_before = run.now - TEXTS_KEPT if saero.settings.search_log.text else run.now
    with saero.ledger.transaction("inbox") as con:
        store.forget_lines(con, run.now)
        store.expire(con, texts_before, run.now - TEXTS_KEPT, day - COUNTS_KEPT)
    return count


def _read(run: Run, content: bytes) -> int:
    if not content:
        return 0
    settings = run.saero.settings
    with run.saero.ledger.transaction("inbox") as con:
        taken = read_lines(content, store.known(con), settings.zone, with_text=settings.search_log.text)
        store.add(con, taken_without(taken, forget_store.bans(con)), run.now)
    return len(taken.lines)
