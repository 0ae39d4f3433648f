"""Fail points: where a run may be cut off or find the disk full. They stand in the benchmark, not in the product."""

from __future__ import annotations

import errno
import functools
import importlib
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# Modules that write whole files, by the name under which their writes are counted.
_WRITERS = ("mirror", "bodies", "status", "backup", "progress", "published", "mailer", "sources")
_TABLE = ("apply", "optimize", "tag", "cleanup", "restore", "remove")


class Points:
    """Counts the points that a run passes; at the one that is aimed at, `strike` is called instead of going on."""

    def __init__(self, aim: tuple[str, int] | None = None, strike: Callable[[], None] | None = None) -> None:
        self.passed: Counter[str] = Counter()
        self._aim = aim
        self._strike = strike or die

    def at(self, name: str) -> None:
        """Pass a point."""
        self.passed[name] += 1
        if (name, self.passed[name]) == self._aim:
            self._strike()

    def install(self) -> None:
        """Put points around commits, tables, whole files, removals and vectors of this process for good."""
        from fakes import FakeEncoder

        from resources.ledger import Ledger
        from resources.table import RowTable

        Ledger.transaction = self._committing(Ledger.transaction)  # type: ignore[method-assign]
        for name in _TABLE:
            self._around(RowTable, name, f"table {name}")
        self._around(importlib.import_module("resources.index"), "write_published", "switch")
        for module in _WRITERS:
            self._around(importlib.import_module(f"resources.{module}"), "write_whole", f"write {module}")
        self._around(Path, "replace", "rename aside")
        self._around(Path, "unlink", "remove file")
        self._around(FakeEncoder, "embed_passages", "vectors")

    def _around(self, owner: Any, name: str, said: str) -> None:
        plain = getattr(owner, name)

        @functools.wraps(plain)
        def watched(*args: Any, **named: Any) -> Any:
            self.at(f"before {said}")
            result = plain(*args, **named)
            self.at(f"after {said}")
            return result

        setattr(owner, name, watched)

    def _committing(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        @contextmanager
        def transaction(ledger: Any, what: str = "ledger") -> Iterator[Any]:
            with plain(ledger, what) as con:
                yield con
                self.at(f"before commit {what}")
            self.at(f"after commit {what}")

        return transaction


def die() -> None:
    """End this process at once, as a power cut does."""
    os.kill(os.getpid(), signal.SIGKILL)


def disk_full() -> None:
    """Fail as the system does when nothing more can be written."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# Where our own code writes: an error there is what the system would say.
WRITES = ("before rename aside",)
