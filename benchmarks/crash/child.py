"""One run in a child of this process, which has imported everything and opened nothing."""

from __future__ import annotations

import json
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chain import decide, moment, night, seen
from points import Points

from pipelines.errors import SaeroError

TIMEOUT = 120  # seconds; a run that takes longer hangs


@dataclass(frozen=True, slots=True)
class Played:
    """One run: whose home, which night of which story, at which hour, with which encoder.

    look  nothing is in its way: the database stays open, what was left is told, and a person decides something
    kept  the mails, decisions and answers of canaries that stood before the night
    """

    home: Path
    seed: int
    night: int
    hour: int
    encoder: str
    look: bool = False
    kept: frozenset[str] = frozenset()

    def run(
        self,
        *,
        points: Points | None = None,
        kill_after: float | None = None,
        before: Callable[[], None] | None = None,
    ) -> tuple[int, dict[str, Any]]:
        """Play it in a child; returns its wait status and what it said."""
        report = self.home / "report.json"
        report.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            self._play(report, points or Points(), before)
        status = _wait(child, kill_after)
        with suppress(OSError, ValueError):
            return status, json.loads(report.read_text(encoding="utf-8"))
        return status, {}

    def _play(self, report: Path, points: Points, before: Callable[[], None] | None) -> None:
        """Be the child: play the run, write down what came of it, and end without a word more."""
        code, said = 1, dict[str, Any]()
        try:
            now = moment(self.night, self.hour)
            points.install()
            if before:
                before()
            run_id = f"{self.seed}-{self.night}-{self.hour}"
            saero, run = night(self.home, run_id, now, self.encoder, open_ledger=self.look)
            said["passed"] = dict(points.passed)
            if self.look:
                said["seen"] = seen(saero, run, self.kept)
                said["seen"]["kept"].append(decide(saero, self.night, now))
            code = 0
        except BaseException as error:
            said = _said_of(error)
        finally:
            with suppress(BaseException):
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            with suppress(BaseException):
                report.write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
            os._exit(code)


def _said_of(error: BaseException) -> dict[str, Any]:
    """Say what a run failed with, and whether it was told clearly: one of our errors, naming the disk."""
    frames = [Path(frame.filename).stem for frame in traceback.extract_tb(error.__traceback__)]
    stages = ("parse", "dedup", "chunk", "embed", "quality", "index", "gap")
    words = str(error)
    return {
        "error": f"{type(error).__name__}: {words[:300]}",
        "kind": type(error).__name__,
        "stage": next((name for name in frames if name in stages), ""),
        "clear": isinstance(error, SaeroError) and "disk is full" in words,
        "trace": traceback.format_exc()[-1500:],
    }


def was_killed(status: int) -> bool:
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _wait(child: int, kill_after: float | None) -> int:
    """Wait for a child, kill it when its time comes; one that hangs is ended and raises."""
    begun = time.monotonic()
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        spent = time.monotonic() - begun
        if kill_after is not None and spent >= kill_after:
            os.kill(child, signal.SIGKILL)
            kill_after = None
        if spent > TIMEOUT:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise SystemExit(f"a run hangs: more than {TIMEOUT} s")
        time.sleep(0.004)
