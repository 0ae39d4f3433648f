"""Open the ledger for one transaction at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from importlib import resources as package_files
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pipelines.errors import Broken, TryAgain
from resources.files import refused, sync_folder
from resources.locks import beside, hold

if TYPE_CHECKING:
    import duckdb

LEDGER_NAME = "ledger.duckdb"
LOCK_NAME = "ledger.lock"
# A transaction takes milliseconds to a few seconds; whoever waits longer should hear who holds the ledger.
WAIT_SECONDS = 60.0
# What DuckDB says of a disk, a quota or a file size limit that is exhausted, and of a file that isn't ours.
_FULL = (
    "no space left",
    "could not write",
    "could not truncate",
    "could not fsync",
    "out of disk",
    "quota exceeded",
    "file too large",
)
_names = count()
_FORBIDDEN = ("Permission denied", "Read-only file system", "Operation not permitted")


class Ledger:
    """The DuckDB file in `state_dir`; stores in this package take a connection from `transaction()`.

    DuckDB is opened only while ledger.lock is held, readers included: 2.x was seen to lose committed rows between
    processes, and 1.5 refuses a second opener with an error that is no queue. Transactions must not be nested.

    Opening and closing cost some 20 ms of CPU each time, so transactions that follow each other closely belong into one
    `session`, which keeps the lock and the file open. Nothing that waits (mails, parsers, the encoder) does.
    """

    def __init__(self, state_dir: Path, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self._state_dir = state_dir
        self._wait = wait_seconds
        self._con: duckdb.DuckDBPyConnection | None = None
        self._begun = False

    @property
    def path(self) -> Path:
        """The database file."""
        return self._state_dir / LEDGER_NAME

    @property
    def exists(self) -> bool:
        """Whether a run ever made the ledger."""
        return self.path.exists()

    @contextmanager
    def session(self, what: str = "ledger") -> Iterator[None]:
        """Keep the ledger open over the transactions within; raises what `transaction` raises for lock and file."""
        if self._con is not None:
            yield
            return
        with (
            hold(self._state_dir / LOCK_NAME, wait_seconds=self._wait, what=f"the ledger {self.path}", stage=what),
            self.failing(),
        ):
            if not self.path.exists():
                _begin(self.path)
            with _opened(self.path) as con:
                migrate(con)
                self._con = con
                try:
                    yield
                finally:
                    self._con = None

    @contextmanager
    def transaction(self, what: str = "ledger") -> Iterator[duckdb.DuckDBPyConnection]:
        """Open, begin, yield the connection, commit, close; whatever is raised rolls everything back.

        Raises Busy when another process keeps the lock, TryAgain when the disk is full, Broken when the file is
        damaged or newer than this code, or when an error of DuckDB was swallowed inside: its COMMIT would then
        succeed and keep nothing.
        """
        if self._begun:
            raise Broken("a ledger transaction was opened inside another one")
        with self.session(what), self.failing(), self._transaction() as con:
            yield con

    @contextmanager
    def lent(self, con: duckdb.DuckDBPyConnection, what: str = "ledger") -> Iterator[None]:
        """Attach the ledger to another database as `kept`, to be read: no file is written, not even a lock's.

        Raises what `transaction` raises for lock and file. There must be a ledger.
        """
        waiting = beside(self._state_dir / LOCK_NAME, wait_seconds=self._wait, what=f"the ledger {self.path} ({what})")
        with waiting, self.failing():
            con.execute("attach '{}' as kept (read_only)".format(str(self.path).replace("'", "''")))
            try:
                yield
            finally:
                con.execute("detach kept")

    @contextmanager
    def _transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        import duckdb

        con = self._con
        assert con is not None  # within `session`
        con.begin()
        self._begun = True
        try:
            yield con
            con.execute("select 1")  # refused when a statement failed before
        except BaseException:
            # What is raised here would hide the cause; closing rolls back just as well.
            with suppress(duckdb.Error):
                con.rollback()
            raise
        finally:
            self._begun = False
        con.commit()

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Name what DuckDB says within: Broken or TryAgain."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise _named(error, self.path) from error


def _begin(path: Path) -> None:
    """Make an empty ledger beside `path` and put it there whole: DuckDB leaves a torn file on a full disk.

    A log without its file is kept aside: the new one must not take it for its own.
    """
    aside, log = path.with_name(f"{path.name}.new"), path.with_name(f"{path.name}.wal")
    for leftover in (aside, aside.with_name(f"{aside.name}.wal")):
        leftover.unlink(missing_ok=True)
    try:
        with _opened(aside) as con:
            migrate(con)
        if log.exists():
            log.replace(log.with_name(f"{log.name}.left"))
        aside.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise refused(error, path) from error


@contextmanager
def in_memory() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open an empty ledger that no file holds."""
    with closing(_memory()) as con:
        con.execute("set TimeZone = 'UTC'")
        con.execute("set temp_directory = ''")  # else DuckDB would make a folder in the working directory
        migrate(con)
        yield con


@contextmanager
def _opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a file, as the only one or beside others; after an error nothing of DuckDB is used again."""
    import duckdb

    engine = _Engine.of(path)
    con = engine.cursor()
    name = f"ledger_{next(_names)}"
    try:
        con.execute("attach '{}' as {}".format(str(path).replace("'", "''"), name))
        con.execute(f"use {name}")
        yield con
    except BaseException:
        con.close()
        engine.close()
        raise
    try:
        con.execute("use memory")
        con.execute(f"detach {name}")
        con.close()
        engine.rest()
    except duckdb.Error:  # what was committed stays in the log, which the next to open the file takes in
        con.close()
        engine.close()


class _Engine:
    """DuckDB without a file, kept while a process works: to start it costs twice what attaching a file to it does.

    It belongs to one process (a child that was forked has none of its threads) and one folder (what doesn't fit into
    memory lies beside the ledger).
    """

    _kept: _Engine | None = None
    # What a forked child found; to close it would wait for threads that it doesn't have.
    _left: ClassVar[list[_Engine]] = []

    def __init__(self, folder: Path) -> None:
        self._key = (os.getpid(), folder)
        self._is_open = False
        self._root = _memory()
        self._root.execute("set temp_directory = '{}'".format(str(folder / f"{LEDGER_NAME}.tmp").replace("'", "''")))

    @classmethod
    def of(cls, path: Path) -> _Engine:
        """Return the one that is kept, or another."""
        folder, kept = path.parent, cls._kept
        if kept is None or kept._key != (os.getpid(), folder):
            if kept is not None and kept._key[0] != os.getpid():
                cls._left.append(kept)
            elif kept is not None and not kept._is_open:
                kept.close()
            cls._kept = kept = cls(folder)
        return kept

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a connection of its own; `rest` says that it was closed."""
        self._is_open = True
        con = self._root.cursor()
        con.execute("set TimeZone = 'UTC'")
        return con

    def rest(self) -> None:
        """Wait for the next file."""
        self._is_open = False

    def close(self) -> None:
        """Let go of every file; the next to open one starts anew."""
        if _Engine._kept is self:
            _Engine._kept = None
        self._root.close()


def _memory() -> duckdb.DuckDBPyConnection:
    import duckdb

    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        # What doesn't fit lies beside the ledger for a while; pages that were read are not kept beyond this.
        "memory_limit": "512MB",
    }
    return duckdb.connect(":memory:", config=config)


@cache
def migrations() -> list[tuple[int, str]]:
    """Return (number, SQL) of every migration, in order."""
    folder = package_files.files("resources.ledger") / "migrations"
    found = []
    for entry in folder.iterdir():
        match = re.fullmatch(r"(\d{3})_\w+\.sql", entry.name)
        if match:
            found.append((int(match[1]), entry.read_text(encoding="utf-8")))
    return sorted(found)


def migrate(con: duckdb.DuckDBPyConnection) -> None:
    """Bring the schema up to date; raises Broken when the file was written by a newer saero."""
    import duckdb

    con.execute("create table if not exists schema_migrations (number integer, applied_at timestamptz)")
    row = con.execute("select coalesce(max(number), 0) from schema_migrations").fetchone()
    done = int(row[0]) if row else 0
    known = migrations()
    newest = known[-1][0]
    if done > newest:
        raise Broken(
            f"the ledger has schema {done}, this saero knows {newest}: it was written by a newer saero; update saero"
        )
    for number, sql in known:
        if number <= done:
            continue
        con.begin()
        try:
            con.execute(sql)
            con.execute("insert into schema_migrations values (?, now())", [number])
        except BaseException:
            with suppress(duckdb.Error):
                con.rollback()
            raise
        con.commit()
        # A WAL with DDL in it is the part of DuckDB with the most replay reports.
        con.execute("checkpoint")


def _named(error: Exception, path: Path) -> Exception:
    import duckdb

    said = str(error)
    if any(word in said.lower() for word in _FULL):
        return TryAgain(
            f"{path}: the disk is full; free some space and try again, nothing of this step was kept ({_first(said)})"
        )
    if any(word in said for word in _FORBIDDEN):
        return Broken(f"{path}: no permission; the state folder must belong to who runs saero ({_first(said)})")
    if "Could not set lock" in said:
        return TryAgain(f"{path}: opened by another program than saero; close it and try again ({_first(said)})")
    if isinstance(error, duckdb.IOException | duckdb.SerializationException | duckdb.FatalException):
        return Broken(
            f"{path}: damaged; move it (and its .wal) aside and run `saero refresh`, which reads every document "
            f"anew and takes decisions, canaries and mails from backup/ ({_first(said)})"
        )
    return Broken(f"{path}: {_first(said)}")


def _first(said: str) -> str:
    return said.strip().splitlines()[0][:300]
