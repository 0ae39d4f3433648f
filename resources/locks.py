"""Two file locks: refresh.lock for a whole run, ledger.lock for one transaction.

Both are flock files that the operating system frees when their process ends, however it ends, so there is no stale
lock to recover; what the file says about its holder is only read while the lock is held.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from pipelines.errors import Broken, Busy
from resources.files import refused

_FIRST_PAUSE = 0.01  # seconds; a ledger transaction takes about .04 s
_LONGEST_PAUSE = 0.5


@contextmanager
def hold(path: Path, *, wait_seconds: float, what: str, stage: str = "") -> Iterator[LockFile]:
    """Hold the lock at `path`; raises Busy naming holder, stage and since when, after `wait_seconds`."""
    lock = LockFile(path)
    lock.acquire(wait_seconds, what)
    try:
        lock.describe(stage)
        yield lock
    finally:
        lock.release()


class LockFile:
    """An exclusive flock with a description of its holder inside."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd: int | None = None

    def acquire(self, wait_seconds: float, what: str) -> None:
        """Take the lock or raise Busy."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise refused(error, self._path) from error
        _wait(fd, fcntl.LOCK_EX, self._path, wait_seconds, what)
        self._fd = fd

    def describe(self, stage: str, run_id: str = "") -> None:
        """Write who holds the lock; the next one to be refused reads it."""
        if self._fd is None:
            return
        said = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "run_id": run_id,
            "stage": stage,
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        # On a full disk the lock holds all the same; only its description is missing.
        with suppress(OSError):
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, json.dumps(said).encode("utf-8"), 0)

    def release(self) -> None:
        """Let the lock go; the file stays, so that no one locks a name that was removed."""
        if self._fd is not None:
            fd, self._fd = self._fd, None
            with suppress(OSError):
                os.ftruncate(fd, 0)
            os.close(fd)


@contextmanager
def beside(path: Path, *, wait_seconds: float, what: str) -> Iterator[None]:
    """Keep whoever would hold the lock at `path` waiting, and leave the file as it is; raises Busy as `hold` does.

    Without a file there is nobody to wait for.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield
        return
    except OSError as error:
        raise refused(error, path) from error
    _wait(fd, fcntl.LOCK_SH, path, wait_seconds, what)
    try:
        yield
    finally:
        os.close(fd)


def _wait(fd: int, kind: int, path: Path, wait_seconds: float, what: str) -> None:
    """Lock `fd`, or close it and raise Busy or Broken; the pause between tries grows to half a second."""
    deadline, pause = time.monotonic() + wait_seconds, _FIRST_PAUSE
    while True:
        try:
            fcntl.flock(fd, kind | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                os.close(fd)
                raise Broken(f"{path}: can't be locked: {error.strerror}") from error
        if time.monotonic() >= deadline:
            os.close(fd)
            raise Busy(f"{what}: {_holder(path)}")
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _holder(path: Path) -> str:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return f"held by process {said['pid']} on {said['host']} ({said['stage'] or 'working'}) since {said['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "held by another process"
