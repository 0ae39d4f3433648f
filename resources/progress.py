"""run.json: the stage a run is in, how far, and since when. `saero status` reads it from another shell."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from resources.files import write_whole

_EVERY_SECONDS = 0.5  # between two writes of the file inside one stage


@dataclass(frozen=True, slots=True)
class Step:
    """What a run is doing. `total` is 0 while it isn't known."""

    run_id: str
    pid: int
    stage: str
    done: int
    total: int
    since: str  # start of the run, ISO 8601 UTC
    stage_since: str


class Progress:
    """Tells the file, and a listener when there is one (the progress bar of the CLI)."""

    def __init__(self, path: Path, run_id: str, listener: Callable[[Step], None] | None = None) -> None:
        now = _now()
        self._path = path
        self._listener = listener
        self._step = Step(run_id, os.getpid(), "start", 0, 0, now, now)
        self._written = 0.0
        self.seconds: dict[str, float] = {}
        self._stage_started = time.monotonic()

    @property
    def step(self) -> Step:
        """What the run is doing now."""
        return self._step

    def stage(self, name: str, total: int = 0) -> None:
        """Begin a stage."""
        self._close_stage()
        self._step = replace(self._step, stage=name, done=0, total=total, stage_since=_now())
        self._tell(force=True)

    def advance(self, count: int = 1, *, total: int | None = None) -> None:
        """Say that `count` more of the stage's things are done."""
        self._step = replace(
            self._step, done=self._step.done + count, total=self._step.total if total is None else total
        )
        self._tell(force=False)

    def begin(self) -> None:
        """Write run.json before the first stage."""
        self._write()

    def finish(self) -> None:
        """Close the last stage; run.json stays until `end`, so that nobody takes the run for a killed one."""
        self._close_stage()
        self._step = replace(self._step, stage="start", done=0, total=0)

    def end(self) -> None:
        """The run is over: take run.json away."""
        self._close_stage()
        self._path.unlink(missing_ok=True)

    def _close_stage(self) -> None:
        spent = time.monotonic() - self._stage_started
        if self._step.stage != "start":
            self.seconds[self._step.stage] = round(self.seconds.get(self._step.stage, 0.0) + spent, 2)
        self._stage_started = time.monotonic()

    def _tell(self, *, force: bool) -> None:
        if self._listener:
            self._listener(self._step)
        if force or time.monotonic() - self._written >= _EVERY_SECONDS:
            self._write()

    def _write(self) -> None:
        write_whole(self._path, json.dumps(asdict(self._step)).encode("utf-8"), durable=False)
        self._written = time.monotonic()


def read_step(path: Path) -> Step | None:
    """Return what a run in progress says, None when no run of a living process is on."""
    try:
        step = Step(**json.loads(path.read_text(encoding="utf-8")))
        if step.pid <= 0:
            return None
        os.kill(step.pid, 0)
    except PermissionError:
        return step
    except (OSError, ValueError, TypeError, OverflowError):
        return None
    return step


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
