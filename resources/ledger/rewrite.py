"""Write the ledger's file anew: DuckDB keeps the bytes of deleted rows in blocks that it means to use again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pipelines.errors import Broken
from resources.files import refused, sync_folder
from resources.ledger.connection import LOCK_NAME, WAIT_SECONDS, Ledger
from resources.locks import hold


def rewrite(ledger: Ledger) -> None:
    """Copy what holds into a new file and put it in the place of the old one, in one rename.

    Killed before it, the old file stands, and what was begun is removed by the next call; the order of rows is kept.
    Raises Busy, Broken and TryAgain as a transaction does; a full disk leaves the old file.
    """
    aside, log = _beside(ledger.path, ".anew"), _beside(ledger.path, ".wal")
    what = f"the ledger {ledger.path}"
    with hold(ledger.path.parent / LOCK_NAME, wait_seconds=WAIT_SECONDS, what=what, stage="forget"), ledger.failing():
        remove_leftovers(ledger.path)
        try:
            _copy(ledger.path, aside)
            if log.exists():
                raise Broken(f"{log}: another program than saero wrote into the ledger; close it and try again")
            with aside.open("rb") as file:
                os.fsync(file.fileno())
            shutil.copymode(ledger.path, aside)
            aside.replace(ledger.path)
            sync_folder(ledger.path.parent)
        except OSError as error:
            raise refused(error, ledger.path) from error
        finally:
            remove_leftovers(ledger.path)


def _copy(old: Path, new: Path) -> None:
    import duckdb

    with duckdb.connect(":memory:", config={"memory_limit": "1GB"}) as con:
        con.execute(f"set temp_directory = {_quoted(_beside(old, '.tmp'))}")
        con.execute(f"attach {_quoted(old)} as old")
        con.execute("checkpoint old")  # what a killed process left in the log too
        con.execute(f"attach {_quoted(new)} as anew")
        con.execute("copy from database old to anew")
        con.execute("checkpoint anew")
        con.execute("detach anew")
        con.execute("detach old")


def remove_leftovers(path: Path) -> None:
    """Take away what killed processes left beside the ledger: a rewriting, a beginning, a query that used the disk, and
    the log of a file that is gone, which nobody can read any more.
    """
    for ending in (".anew", ".anew.wal", ".new", ".new.wal", ".wal.left"):
        _beside(path, ending).unlink(missing_ok=True)
    shutil.rmtree(_beside(path, ".tmp"), ignore_errors=True)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
