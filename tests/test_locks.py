"""One process holds a lock; the others hear who it is, and get it when that one ends, however it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines.errors import Broken, Busy, SkipDocument, TryAgain
from resources.locks import LockFile, hold

PROJECT = Path(__file__).resolve().parent.parent
HOLDER = """
import sys
from pathlib import Path
from resources.locks import hold
with hold(Path(sys.argv[1]), wait_seconds=0, what="test", stage="embed"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_elsewhere(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until its input is closed."""
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert other.stdin is not None
    assert other.stdout is not None
    try:
        assert other.stdout.readline() == "held\n"
        yield other
    finally:
        if other.poll() is None:
            other.stdin.close()
            other.wait(timeout=10)
        else:
            other.stdin.close()
        other.stdout.close()


def test_a_second_process_hears_who_holds_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "refresh.lock"
    with (
        held_elsewhere(path) as other,
        pytest.raises(Busy) as refused,
        hold(path, wait_seconds=0, what="another refresh is at work"),
    ):
        pass
    said = str(refused.value)
    assert said.startswith(f"another refresh is at work: held by process {other.pid} on {socket.gethostname()} (embed)")
    assert " since 20" in said


def test_who_waits_gets_the_lock_when_it_is_let_go(tmp_path: Path) -> None:
    path = tmp_path / "refresh.lock"
    with held_elsewhere(path) as other:
        assert other.stdin is not None
        threading.Timer(0.3, other.stdin.close).start()
        with hold(path, wait_seconds=10, what="test"):
            assert other.wait(timeout=10) == 0


def test_a_killed_holder_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "refresh.lock"
    with held_elsewhere(path) as other:
        other.send_signal(signal.SIGKILL)
        other.wait(timeout=10)
        assert "embed" in path.read_text(encoding="utf-8"), "its description stays behind"
        with hold(path, wait_seconds=0, what="test", stage="parse"):
            assert str(os.getpid()) in path.read_text(encoding="utf-8")


def test_waiting_ends_at_its_time(tmp_path: Path) -> None:
    path = tmp_path / "refresh.lock"
    with held_elsewhere(path):
        before = time.monotonic()
        with pytest.raises(Busy):
            LockFile(path).acquire(0.2, "test")
        assert 0.2 <= time.monotonic() - before < 5


def test_the_lock_is_free_and_says_nothing_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "refresh.lock"
    with pytest.raises(ZeroDivisionError), hold(path, wait_seconds=0, what="test"):
        raise ZeroDivisionError
    assert path.read_bytes() == b""
    with hold(path, wait_seconds=0, what="test"):
        pass


@pytest.mark.parametrize("said", [b"", b"{", b"[]", b"{}", b'"text"', b"\xff\xfe"])
def test_a_holder_whose_description_is_damaged_still_holds(tmp_path: Path, said: bytes) -> None:
    path = tmp_path / "refresh.lock"
    with hold(path, wait_seconds=0, what="test"):
        path.write_bytes(said)
        with pytest.raises(Busy, match="held by another process"):
            LockFile(path).acquire(0, "test")


def test_a_lock_that_cannot_be_opened_stops_the_run_naming_it(tmp_path: Path) -> None:
    (tmp_path / "refresh.lock").mkdir()
    with pytest.raises(Broken, match=r"refresh\.lock: can't be written"):
        LockFile(tmp_path / "refresh.lock").acquire(0, "test")


def test_a_state_folder_that_cannot_be_made_stops_the_run_naming_it(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"")
    with pytest.raises(Broken) as refused:
        LockFile(tmp_path / "state" / "refresh.lock").acquire(0, "test")
    assert str(tmp_path / "state" / "refresh.lock") in str(refused.value)
    assert not isinstance(refused.value, SkipDocument), "no document is at fault"


def test_a_folder_without_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("resources.locks.os.open", forbidden)
    with pytest.raises(Broken, match=r"refresh\.lock: can't be written: Permission denied"):
        LockFile(tmp_path / "refresh.lock").acquire(0, "test")


def test_a_full_disk_does_not_cost_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    path = tmp_path / "refresh.lock"
    monkeypatch.setattr("resources.locks.os.pwrite", full)
    with hold(path, wait_seconds=0, what="test"), pytest.raises(Busy):
        LockFile(path).acquire(0, "test")
    monkeypatch.setattr("resources.locks.os.open", full)
    with pytest.raises(TryAgain, match="the disk is full"):
        LockFile(tmp_path / "new.lock").acquire(0, "test")
