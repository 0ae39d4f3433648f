"""Dagster's own records of runs: names of documents are taken out of them (tables of canaries, messages of errors)."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from pipelines.errors import TryAgain
from resources.files import write_whole

# What stands in the place of a name.
FORGOTTEN = "(forgotten)"
# A running UI or daemon writes for moments; whoever holds a file longer is named by its error.
_WAIT_SECONDS = 30.0


def without_names(folder: Path, needles: Iterable[str]) -> int:
    """Replace names in every database and log below Dagster's folder; returns how many values and files named one.

    Databases are written anew, so that no free page keeps a name. Raises TryAgain while another process holds one.
    """
    names = _Names(needles)
    count = 0
    for path in sorted(folder.rglob("*.db")):
        try:
            count += _mend(path, names)
        except sqlite3.Error as error:
            raise TryAgain(f"{path}: {error}; end `saero ui` and run `saero forget` again, which goes on") from error
    for path in sorted(log for ending in ("*.err", "*.out") for log in folder.rglob(ending)):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        if names.first(text):
            write_whole(path, names.replaced(text).encode("utf-8", "surrogateescape"))
            count += 1
    return count


class _Names:
    """Names as they are, and as JSON writes them, alone and inside another JSON text."""

    def __init__(self, needles: Iterable[str]) -> None:
        spellings: set[str] = set()
        for needle in needles:
            once, plain = (json.dumps(needle, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False))
            spellings |= {needle, once, plain, *(json.dumps(one)[1:-1] for one in (once, plain))}
        self.spellings = sorted(spellings, key=lambda one: (-len(one), one))
        ends = r"(?![A-Za-z0-9_-]|[./]\w)"
        inner = r"""(?:!/(?:[^|"'\\\n]|\\+u[0-9a-f]{4})*)?"""  # what came in a mail, to the end of its cell
        self._pattern = re.compile("|".join(re.escape(one) + inner + ends for one in self.spellings) or "(?!)")

    def first(self, text: str) -> bool:
        """Tell whether a text holds a name."""
        return self._pattern.search(text) is not None

    def replaced(self, text: str) -> str:
        """Return a text without names."""
        return self._pattern.sub(FORGOTTEN, text)


def _mend(path: Path, names: _Names) -> int:
    with closing(sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)) as con:
        con.execute("pragma secure_delete = on")
        con.execute("begin immediate")
        count = 0
        for table, column in list(_texts(con)):
            any_of = " or ".join([f'instr("{column}", ?)'] * len(names.spellings))
            rows = con.execute(f'select rowid, "{column}" from "{table}" where {any_of}', names.spellings).fetchall()
            for rowid, text in rows:
                if isinstance(text, str) and names.first(text):
                    con.execute(f'update "{table}" set "{column}" = ? where rowid = ?', (names.replaced(text), rowid))
                    count += 1
        con.execute("commit")
        (free,) = con.execute("pragma freelist_count").fetchone()
        if count or free or names.first(path.read_bytes().decode("utf-8", "surrogateescape")):
            con.execute("vacuum")
        (busy, *_) = con.execute("pragma wal_checkpoint(truncate)").fetchone()
        if busy:
            raise sqlite3.OperationalError("another process reads it")
        return count


def _texts(con: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield (table, column) of every column of words."""
    tables = con.execute("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").fetchall()
    for (table,) in tables:
        for _, column, kind, *_rest in con.execute(f'pragma table_info("{table}")').fetchall():
            if kind.upper().startswith(("TEXT", "VARCHAR")):
                yield table, column
