"""run.json tells another shell what a living run is doing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from resources import progress as module
from resources.progress import Progress, Step, read_step


def test_a_stage_is_in_the_file_while_it_runs_and_gone_after_the_run(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    progress = Progress(path, "run-1")
    progress.stage("parse", total=10)
    progress.stage("embed", total=200)
    step = read_step(path)
    assert step is not None
    assert (step.run_id, step.pid, step.stage, step.done, step.total) == ("run-1", os.getpid(), "embed", 0, 200)
    assert step.since <= step.stage_since
    progress.end()
    assert read_step(path) is None
    assert set(progress.seconds) == {"parse", "embed"}


def test_advances_reach_the_listener_at_once_and_the_file_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Step] = []
    progress = Progress(tmp_path / "run.json", "run-1", heard.append)
    progress.stage("parse", total=3)
    progress.advance()
    progress.advance(2, total=4)
    assert [(step.done, step.total) for step in heard] == [(0, 3), (1, 3), (3, 4)]
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["done"] == 0
    monkeypatch.setattr(module, "_EVERY_SECONDS", 0)
    progress.advance()
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["done"] == 4


def test_time_of_a_stage_that_comes_twice_adds_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, *(float(second) for second in range(100))])
    monkeypatch.setattr("resources.progress.time.monotonic", lambda: next(clock))
    progress = Progress(tmp_path / "run.json", "run-1")
    for name in ("embed", "index", "embed"):
        progress.stage(name)
    progress.end()
    assert progress.seconds["embed"] > progress.seconds["index"] > 0


def test_a_run_of_a_dead_process_reads_as_none(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    program = (
        "import os, sys\nfrom pathlib import Path\nfrom resources.progress import Progress\n"
        "Progress(Path(sys.argv[1]), 'run-1').stage('parse')\nos._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], cwd=Path(__file__).parent.parent, check=False)
    assert path.exists()
    assert read_step(path) is None


def test_a_run_of_another_user_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Progress(tmp_path / "run.json", "run-1").stage("parse")

    def forbidden(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr("resources.progress.os.kill", forbidden)
    step = read_step(tmp_path / "run.json")
    assert step is not None
    assert step.stage == "parse"


@pytest.mark.parametrize(
    "said",
    [
        "", "{", "[]", "{}", '{"pid": 1}',
        '{"run_id":"","pid":0,"stage":"","done":0,"total":0,"since":"","stage_since":""}',
        '{"run_id":"","pid":-1,"stage":"","done":0,"total":0,"since":"","stage_since":""}',
        '{"run_id":"","pid":1e99,"stage":"","done":0,"total":0,"since":"","stage_since":""}',
        '{"run_id":"","pid":99999999999999999999,"stage":"","done":0,"total":0,"since":"","stage_since":""}',
        '{"run_id":"","pid":"x","stage":"","done":0,"total":0,"since":"","stage_since":""}',
    ],
)  # fmt: skip
def test_a_damaged_file_reads_as_none(tmp_path: Path, said: str) -> None:
    (tmp_path / "run.json").write_text(said, encoding="utf-8")
    assert read_step(tmp_path / "run.json") is None
