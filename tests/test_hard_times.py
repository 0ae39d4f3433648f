"""Bar 7: whatever goes wrong around a run ends with a clear message and loses nothing. Real processes and disks."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from quick_corpus import COMMAND, refreshed_corpus, saero

from resources.locks import hold

pytestmark = pytest.mark.dagster
DOCUMENTS = 30


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Thirty documents of one passage each, and settings; nothing refreshed."""
    folder = tmp_path / "many"
    (folder / "docs").mkdir(parents=True)
    for number in range(DOCUMENTS):
        text = f"# 문서 {number}\n\n{number}번째 지점의 정산일은 매달 {number % 28 + 1}일이다.\n"
        (folder / f"docs/{number:02}.md").write_text(text, encoding="utf-8")
    (folder / "saero.toml").write_text('[sources.docs]\npath = "docs"\n[limits]\nworkers = 2\n', encoding="utf-8")
    return folder


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    return Path(shutil.copytree(refreshed_corpus(tmp_path_factory), tmp_path / "own"))


@contextmanager
def refreshing(folder: Path, stage: str, *, done: int = 2, **slow: str) -> Iterator[subprocess.Popen[str]]:
    """Run a slow refresh in the background; it is in the middle of `stage` when this returns."""
    run = subprocess.Popen(
        [*COMMAND, "refresh"],
        cwd=folder,
        env={**os.environ, **slow},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        deadline = time.monotonic() + 120
        while not _is_at(folder / ".saero/run.json", stage, done):
            assert run.poll() is None and time.monotonic() < deadline, run.communicate()
            time.sleep(0.05)
        yield run
    finally:
        run.kill()
        run.communicate()


def _is_at(path: Path, stage: str, done: int) -> bool:
    with suppress(OSError, ValueError):
        step = json.loads(path.read_text(encoding="utf-8"))
        return bool(step["stage"] == stage and step["done"] >= done)
    return False


def _children(pid: int) -> set[int]:
    """Return the processes that `pid` started, by /proc or ps."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    return {child for child, parent in pairs if parent == pid}


def _alive(pids: set[int]) -> set[int]:
    states = subprocess.run(["ps", "-A", "-o", "pid=,stat="], capture_output=True, text=True, check=True).stdout
    living = {int(line.split()[0]) for line in states.splitlines() if not line.split()[1].startswith("Z")}
    return pids & living


def _converges(folder: Path) -> dict[str, Any]:
    """Refresh without disturbance; everything is served and the index agrees with the ledger."""
    result = saero("refresh", "--json", cwd=folder)
    assert result.returncode == 0, result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    assert report["published"] and not report["failures"]
    status = json.loads(saero("status", "--json", cwd=folder).stdout)
    assert status["index"]["chunks"] == DOCUMENTS and status["run"] is None
    assert status["index"]["missing"] == status["index"]["extra"] == 0
    return report


SLOW_PARSE = {"QUICK_PARSE": "0.3"}
SLOW_EMBED = {"QUICK_EMBED": "0.3"}
SLOWER_EMBED = {"QUICK_EMBED": "3"}  # three commands fit into six passages


@pytest.mark.parametrize(("stage", "slow"), [("parse", SLOW_PARSE), ("embed", SLOW_EMBED)])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_refresh_ends_with_1_and_leaves_no_half(
    many: Path, stage: str, slow: dict[str, str], number: signal.Signals
) -> None:
    with refreshing(many, stage, **slow) as run:
        workers = _children(run.pid)
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
        assert run.returncode == 1 and out == ""
        assert "stopped" in err and "Traceback" not in err
    assert not _alive(workers)
    assert json.loads(saero("status", "--json", cwd=many).stdout)["run"] is None
    assert saero("search", "정산", cwd=many).returncode == 2  # nothing was published, and that is said


def test_a_killed_refresh_shows_no_stale_run_and_the_next_one_converges(many: Path) -> None:
    with refreshing(many, "parse", **SLOW_PARSE) as run:
        workers = _children(run.pid)
        run.kill()
        run.communicate()
    status = json.loads(saero("status", "--json", cwd=many).stdout)
    assert status["run"] is None
    assert not _alive(workers)
    assert _converges(many)["embedded"] == DOCUMENTS


def test_a_second_refresh_says_who_is_at_work_and_search_goes_on(own: Path) -> None:
    for number in range(6):
        (own / f"규정/추가{number}.md").write_text(f"# 추가 {number}\n\n{number}번 지점 안내.\n", encoding="utf-8")
    with refreshing(own, "embed", done=1, **SLOWER_EMBED) as run:
        started = time.monotonic()
        second = saero("refresh", cwd=own)
        assert second.returncode == 1 and second.stdout == ""
        assert f"process {run.pid}" in second.stderr and "(embed)" in second.stderr and " since " in second.stderr
        assert time.monotonic() - started < 30 and "Traceback" not in second.stderr
        found = saero("search", "휴가 신청", "--json", cwd=own)
        assert found.returncode == 0 and json.loads(found.stdout)["results"]
        status = json.loads(saero("status", "--json", cwd=own).stdout)
        assert status["run"] and status["run"]["stage"] == "embed" and status["run"]["total"] == 6
        assert saero("rollback", cwd=own).returncode == 1
        _, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
    assert "추가5.md" in saero("search", "5번 지점 안내", cwd=own).stdout


def test_a_locked_ledger_names_its_holder(own: Path) -> None:
    shorten = "import resources.ledger.connection as c; c.Ledger.__init__.__kwdefaults__['wait_seconds'] = 1.0"
    call = f"{shorten}; import quick_saero; quick_saero.main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with hold(own / ".saero/ledger.lock", wait_seconds=1, what="", stage="a long look"):
        for command in ("documents", "refresh", "status"):
            result = subprocess.run(
                [sys.executable, "-c", call, command],
                cwd=own,
                env=environment,
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert result.returncode == 1, result.stdout
            assert f"process {os.getpid()}" in result.stderr and "a long look" in result.stderr
            assert "Traceback" not in result.stderr
        assert saero("search", "휴가", cwd=own).returncode == 0


def test_a_missing_folder_keeps_its_passages_and_is_told(own: Path) -> None:
    (own / "규정").rename(own / "away")
    result = saero("refresh", "--json", cwd=own)
    report = json.loads(result.stdout)
    assert result.returncode == 0 and report["documents"]["gone"] == 0 and report["documents"]["held"] == 5
    status = json.loads(saero("status", "--json", cwd=own).stdout)
    away = next(source for source in status["sources"] if source["name"] == "규정")
    assert (away["reachable"], away["stale_reasons"]) == (False, ["source_unreachable"])
    assert "휴가.md" in saero("search", "휴가 신청", cwd=own).stdout
    (own / "away").rename(own / "규정")
    assert saero("refresh", cwd=own).returncode == 0
    assert saero("doctor", cwd=own).returncode == 0


def test_dagsters_own_variable_is_left_alone(own: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert saero("refresh", cwd=own, DAGSTER_HOME=str(other)).returncode == 0
    assert not list(other.iterdir())


def test_a_pipe_that_closes_does_not_end_the_run(many: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        subprocess.run([*COMMAND, "refresh"], cwd=many, stdout=closed, stderr=closed, timeout=120)
    assert json.loads(saero("status", "--json", cwd=many).stdout)["index"]["chunks"] == DOCUMENTS


# No permission, and a full disk: what root may do depends on the machine


def _nobody() -> list[str]:
    """Return the words before a command that take root's rights away."""
    if os.geteuid() != 0:
        return []
    tool = shutil.which("setpriv")
    if tool is None:
        pytest.skip("root ignores permissions, and there is no setpriv here")
    return [tool, "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.fixture
def readable(own: Path) -> Path:
    """The corpus where another user may read it."""
    for folder in (own, *own.parents):
        if folder.stat().st_uid == os.geteuid() and folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055)
    return own


def test_a_state_that_may_not_be_written_is_a_wrong_setting(readable: Path) -> None:
    (readable / ".saero").chmod(0o555)
    before = _contents(readable / ".saero")
    result = subprocess.run(
        [*_nobody(), *COMMAND, "refresh"], cwd=readable, capture_output=True, text=True, encoding="utf-8", timeout=120
    )
    assert result.returncode == 2 and "no permission" in result.stderr and "Traceback" not in result.stderr
    assert _contents(readable / ".saero") == before


def test_a_settings_file_that_may_not_be_read_is_named(readable: Path) -> None:
    (readable / "saero.toml").chmod(0)
    for command in ("refresh", "status"):
        result = subprocess.run(
            [*_nobody(), *COMMAND, command], cwd=readable, capture_output=True, text=True, encoding="utf-8", timeout=120
        )
        assert result.returncode == 2 and "saero.toml" in result.stderr and "Traceback" not in result.stderr


def _contents(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def small_disk(many: Path) -> Iterator[Callable[[str], None]]:
    """Make the state folder a disk of a given size; called again, it grows or shrinks."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("needs Linux and root to mount a small disk")
    state = many / ".saero"
    state.mkdir(mode=0o700)

    def size(size: str) -> None:
        options = f"remount,size={size}" if state.is_mount() else f"size={size},mode=700"
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(state)], capture_output=True)
        if done.returncode:
            pytest.skip("this machine may not mount a small disk")

    yield size
    if state.is_mount():
        subprocess.run(["umount", "--lazy", str(state)], check=True)


@pytest.mark.parametrize("size", ["64k", "3m", "6m"], ids=["at the start", "while parsing", "while indexing"])
def test_a_full_disk_is_said_and_the_next_refresh_goes_on(
    many: Path, small_disk: Callable[[str], None], size: str
) -> None:
    small_disk(size)
    result = saero("refresh", cwd=many)
    assert result.returncode == 1, "the disk is large enough for the whole run now: make it smaller"
    assert "Traceback" not in result.stderr
    assert "free some space" in result.stderr.splitlines()[-1]
    assert "sqlite3" not in result.stderr  # what Dagster prints of its own records is no news to a user
    kept = _saved_vectors(many)
    small_disk("200m")
    report = _converges(many)
    assert report["embedded"] == DOCUMENTS - kept and not list((many / ".saero").rglob(".*.aside"))


def _saved_vectors(folder: Path) -> int:
    """Count the vectors in the ledger; they must not be embedded again."""
    count = (
        "import sys; from pathlib import Path; from resources.ledger import Ledger\n"
        "ledger = Ledger(Path('.saero'))\n"
        "if not ledger.exists: print(0); sys.exit()\n"
        "with ledger.transaction('count') as con: print(con.execute('select count(*) from vectors').fetchone()[0])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    result = subprocess.run([sys.executable, "-c", count], cwd=folder, env=environment, capture_output=True, text=True)
    return int(result.stdout) if result.returncode == 0 else 0
