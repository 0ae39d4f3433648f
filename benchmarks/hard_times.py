"""Play bar 7: what goes wrong around a refresh, the message, the exit code, and whether anything was lost.

    python benchmarks/hard_times.py

Real processes, signals, locks and disks over a small corpus of its own; the model is the stand-in of the tests. After
each situation the cause is taken away and a refresh must converge: "nothing lost" says that every document is served,
that index and ledger agree, and that no vector that had been saved was made again.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]

from quick_corpus import COMMAND, FILES, quick_corpus, saero  # noqa: E402

from resources.ledger import Ledger  # noqa: E402
from resources.locks import hold  # noqa: E402


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the disturbed command ended; `wanted` is the exit code of DESIGN section 8."""

    code: int
    wanted: int
    message: str


Play = Callable[[Path], Outcome]


def wrong_settings(folder: Path) -> Outcome:
    path = folder / "saero.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f'{text}\n[encoder]\nmodle = "bundled"\n', encoding="utf-8")
    ended = _ended(saero("refresh", cwd=folder), 2)
    path.write_text(text, encoding="utf-8")
    return ended


def unknown_source(folder: Path) -> Outcome:
    return _ended(saero("refresh", "--source", "없음", cwd=folder), 2)


def missing_folder(folder: Path) -> Outcome:
    (folder / "규정").rename(folder / "away")
    ended = saero("refresh", cwd=folder)
    said = saero("status", cwd=folder).stdout
    found = "휴가.md" in saero("search", "휴가 신청", cwd=folder).stdout
    (folder / "away").rename(folder / "규정")
    line = next((line for line in said.splitlines() if line.startswith("규정")), "")
    return Outcome(ended.returncode if found else -1, 0, " ".join(line.split()))


def locked_ledger(folder: Path) -> Outcome:
    with hold(folder / ".saero/ledger.lock", wait_seconds=5, what="", stage="benchmark"):
        return _ended(saero("documents", cwd=folder), 1)


def second_refresh(folder: Path) -> Outcome:
    (folder / "규정/추가.md").write_text("# 추가\n\n여섯 번째 지점의 안내문.\n", encoding="utf-8")
    run = _refreshing(folder, "embed", QUICK_EMBED="15")
    second = saero("refresh", cwd=folder)
    run.communicate(timeout=120)
    (folder / "규정/추가.md").unlink()
    return _ended(second, 1) if run.returncode == 0 else Outcome(-1, 1, "the first refresh failed")


def stopped(number: signal.Signals, stage: str) -> Play:
    def play(folder: Path) -> Outcome:
        shutil.rmtree(folder / ".saero")
        run = _refreshing(folder, stage, QUICK_PARSE="0.5", QUICK_EMBED="0.5")
        run.send_signal(number)
        _, err = run.communicate(timeout=60)
        wanted = -signal.SIGKILL if number == signal.SIGKILL else 1
        return Outcome(run.returncode, wanted, _last(err))

    return play


def full_disk(size: str) -> Play:
    def play(folder: Path) -> Outcome:
        state = folder / ".saero"
        shutil.rmtree(state)
        state.mkdir(mode=0o700)
        if _mount(state, f"size={size},mode=700"):
            return Outcome(-1, -1, "skipped: this machine may not mount a small disk")
        ended = _ended(saero("refresh", cwd=folder), 1)
        _mount(state, "remount,size=300m")
        return ended

    return play


def no_permission(folder: Path) -> Outcome:
    tool = shutil.which("setpriv")
    if os.geteuid() == 0 and tool is None:
        return Outcome(-1, -1, "skipped: root ignores permissions, and there is no setpriv")
    (folder / ".saero").chmod(0o555)
    user = [str(tool), "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    result = subprocess.run([*user, *COMMAND, "refresh"], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    (folder / ".saero").chmod(0o700)
    return _ended(result, 2)


SITUATIONS: dict[str, Play] = {
    "wrong settings": wrong_settings,
    "unknown --source": unknown_source,
    "a source folder is missing": missing_folder,
    "the ledger is locked": locked_ledger,
    "a second refresh": second_refresh,
    "no permission": no_permission,
    "SIGTERM while parsing": stopped(signal.SIGTERM, "parse"),
    "Ctrl-C while embedding": stopped(signal.SIGINT, "embed"),
    "kill -9 while embedding": stopped(signal.SIGKILL, "embed"),
    "full disk, 64 KB": full_disk("64k"),
    "full disk, 3 MB": full_disk("3m"),
    "full disk, 6 MB": full_disk("6m"),
}


def main() -> None:
    """Play every situation, print the table, end with 1 when one went wrong."""
    good = True
    print("| situation | exit | message | nothing lost |\n|---|---|---|---|")
    for name, play in SITUATIONS.items():
        with tempfile.TemporaryDirectory(prefix="hard-times-") as place:
            Path(place).chmod(0o755)
            folder = quick_corpus(Path(place) / "team")
            saero("refresh", cwd=folder)
            outcome = play(folder)
            kept = _converges(folder)
            if (folder / ".saero").is_mount():
                subprocess.run(["umount", "--lazy", str(folder / ".saero")], check=True)
        good = good and kept and outcome.code == outcome.wanted
        message = outcome.message.replace(place, "…").replace("|", "/")
        print(f"| {name} | {outcome.code} | {message} | {'yes' if kept else 'NO'} |", flush=True)
    sys.exit(not good)


def _converges(folder: Path) -> bool:
    saved = _vectors(folder)
    result = saero("refresh", "--json", cwd=folder)
    status = json.loads(saero("status", "--json", cwd=folder).stdout)
    served = {row["path"] for row in json.loads(saero("documents", "--json", cwd=folder).stdout)["documents"]}
    return (
        result.returncode == 0
        and json.loads(result.stdout)["embedded"] <= _vectors(folder) - saved
        and status["run"] is None
        and status["index"]["missing"] == status["index"]["extra"] == 0 < status["index"]["chunks"]
        and served >= {name.partition("/")[2] for name in FILES}
    )


def _vectors(folder: Path) -> int:
    ledger = Ledger(folder / ".saero")
    if not ledger.exists:
        return 0
    with ledger.transaction("count") as con:
        row = con.execute("select count(*) from vectors").fetchone()
    return int(row[0]) if row else 0


def _refreshing(folder: Path, stage: str, **slow: str) -> subprocess.Popen[str]:
    """Start a slow refresh and return when it is in the middle of `stage`."""
    run = subprocess.Popen(
        [*COMMAND, "refresh"],
        cwd=folder,
        env={**os.environ, **slow},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    while run.poll() is None:
        with suppress(OSError, ValueError):
            step = json.loads((folder / ".saero/run.json").read_text(encoding="utf-8"))
            if step["stage"] == stage and step["total"]:
                break
        time.sleep(0.05)
    return run


def _mount(place: Path, options: str) -> int:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    return subprocess.run(command, capture_output=True).returncode if shutil.which("mount") else 1


def _ended(result: subprocess.CompletedProcess[str], wanted: int) -> Outcome:
    return Outcome(result.returncode, wanted, _last(result.stderr))


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


if __name__ == "__main__":
    main()
