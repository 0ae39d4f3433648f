"""Bar 2: kill refreshes and fill the disk under them, then compare with what the events say. Exit code 1 below a bar.

    python benchmarks/crash/run.py [--rounds 500] [--full 50] [--seed 1] [--jobs 1] [--folder DIR]

A team of three sources lives through the nights of a story (events.py): documents come, change, move, are copied,
deleted and restored, get versions, expire, break, a folder is out of reach, the encoder changes. Each night's refresh
is killed, at a named point around a write (points.py) or at a random moment, or finds its disk full: a small disk of
its own, a limit on the size of files, or ENOSPC at our own writes. One refresh follows, and what it leaves is compared
with oracle.py: documents and their texts, versions, copies, findings, canaries and their history, mails, decisions,
text versions, vectors, status.json, the backup. A night that came to its end before it was struck is played on.

Every run is a child of a process that has imported everything and opened nothing; the encoder is that of the tests.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]
sys.path.append(str(PROJECT / "benchmarks" / "dedup"))  # figures

import duckdb  # noqa: E402, F401  (all that a run needs is imported before the first child)
import great_expectations  # noqa: E402, F401
import kiwipiepy  # noqa: E402, F401
import lance  # noqa: E402, F401
import lancedb  # noqa: E402
import lancedb.index  # noqa: E402, F401
from chain import decide, moment, night, quiet, seen, settings  # noqa: E402
from events import SOURCES, Event, Story, play  # noqa: E402
from figures import Figure  # noqa: E402
from oracle import Expected, Oracle  # noqa: E402
from points import WRITES, Points, disk_full  # noqa: E402

from pipelines.errors import SaeroError  # noqa: E402
from pipelines.tokens import tokens  # noqa: E402

NIGHTS = 100  # of one team; what nothing needs leaves the ledger after 90
TIMEOUT = 120  # seconds; a run that takes longer hangs
STRUCK = ("point", "moment", "small disk", "file size", "our writes")


@dataclass
class Score:
    """What was played and found, to be written down and added up."""

    struck: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    ended: int = 0
    seconds: float = 0.0

    def add(self, other: Score) -> None:
        for name in ("struck", "points", "errors", "events"):
            getattr(self, name).update(getattr(other, name))
        self.differences += other.differences
        self.unclear += other.unclear
        self.ended += other.ended
        self.seconds = max(self.seconds, other.seconds)


class Team:
    """One team's folders, its story, and what was seen of it so far."""

    def __init__(self, home: Path, seed: int, score: Score) -> None:
        self.home = home
        self.seed = seed
        self.score = score
        self._dice = random.Random(f"kills {seed}")
        self._nights = Story(seed).nights()
        self._oracle = Oracle()
        self._night = -1
        self._kept: set[str] = set()
        self._passed: Counter[str] = Counter()
        self._lasts = 1.0
        home.mkdir(parents=True, exist_ok=True)
        for name in SOURCES:
            (home / "docs" / name).mkdir(parents=True)
        (home / "saero.toml").write_text(settings(), encoding="utf-8")

    def round(self, strike: str) -> bool:
        """Play one night: events, a run that is struck, a run that isn't. False when the first came to its end."""
        events = next(self._nights)
        self._night += 1
        for event in events:
            play(event, self.home / "docs")
        expected = self._oracle.night(events)
        self.score.events.update(event.kind for event in events)
        said = self._struck(strike, expected.encoder)
        hit = said is not None
        self.score.ended += not hit
        if said is not None:
            self.score.struck[strike] += 1
            self.score.points[said] += 1
        self._clean(expected, events, f"{strike}: {said or 'came to its end'}")
        return hit

    def _struck(self, strike: str, encoder: str) -> str | None:
        """Play the night's first run and strike it; returns where, None when it came to its end."""
        if strike == "point":
            return self._killed_at_a_point(encoder)
        if strike == "moment":
            return self._killed_at_a_moment(encoder)
        return self._out_of_space(strike, encoder)

    def _killed_at_a_point(self, encoder: str) -> str | None:
        names = sorted(self._passed) or ["after commit parse"]
        aim = self._dice.choice(names)
        count = self._dice.randint(1, max(1, self._passed[aim]))
        status, _ = self._run(encoder, hour=2, points=Points((aim, count)))
        return aim if _was_killed(status) else None

    def _killed_at_a_moment(self, encoder: str) -> str | None:
        after = self._dice.uniform(0, self._lasts * 1.1)
        status, _ = self._run(encoder, hour=2, kill_after=after)
        return "at a random moment" if _was_killed(status) else None

    def _out_of_space(self, strike: str, encoder: str) -> str | None:
        before: Callable[[], None] | None = None
        points = None
        if strike == "our writes":
            aim = WRITES[0]
            points = Points((aim, self._dice.randint(1, max(1, self._passed[aim]))), disk_full)
        elif strike == "file size":
            largest = max((p.stat().st_size for p in (self.home / "state").rglob("*") if p.is_file()), default=1 << 20)
            limit = int(largest ** self._dice.uniform(0.4, 1.0)) if self._dice.random() < 0.5 else largest
            before = _file_size(limit)
        else:
            free = int(2 ** self._dice.uniform(12, 20))
            _resize(self.home / "state", _used(self.home / "state") + free)
        status, said = self._run(encoder, hour=2, points=points, before=before)
        if strike == "small disk":
            _resize(self.home / "state", 1 << 30)
        if status == 0:
            return None
        error = said.get("error", f"ended with {status}")
        self.score.errors[said.get("kind", "none")] += 1
        if not said.get("clear"):
            self.score.unclear.append(f"seed {self.seed}, night {self._night}, {strike}: {error}")
        return f"{strike}: {said.get('stage') or 'start'}"

    def _clean(self, expected: Expected, events: list[Event], after: str) -> None:
        """Play the night's second run and compare."""
        begun = time.monotonic()
        status, said = self._run(expected.encoder, hour=3, look=True)
        self._lasts = 0.7 * self._lasts + 0.3 * (time.monotonic() - begun)
        where = f"seed {self.seed}, night {self._night}, {after}"
        if status != 0:
            self.score.differences.append(f"{where}: the next run failed: {said.get('error', status)}")
            return
        self._passed = Counter(said["passed"])
        found = said["seen"]
        kept = set(found.pop("kept"))
        wrong = [*found.pop("faults"), *_differences(asdict(expected), found)]
        if lost := self._kept - kept:
            wrong.append(f"{len(lost)} decisions, mails or answers of canaries are lost")
        self._kept = kept
        if wrong:
            kinds = ", ".join(event.kind for event in events)
            self.score.differences.append(f"{where} ({kinds}): " + "; ".join(wrong))

    def _run(
        self,
        encoder: str,
        *,
        hour: int,
        points: Points | None = None,
        kill_after: float | None = None,
        before: Callable[[], None] | None = None,
        look: bool = False,
    ) -> tuple[int, dict[str, Any]]:
        """Play a run in a child; returns its wait status and what it said."""
        report = self.home / "report.json"
        report.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            self._play(report, encoder, hour, points or Points(), before, look)
        status = _wait(child, kill_after)
        with suppress(OSError, ValueError):
            return status, json.loads(report.read_text(encoding="utf-8"))
        return status, {}

    def _play(
        self,
        report: Path,
        encoder: str,
        hour: int,
        points: Points,
        before: Callable[[], None] | None,
        look: bool,
    ) -> None:
        """Be the child: play the run, write down what came of it, and end without a word more."""
        code, said = 1, {}
        try:
            now, since = moment(self._night, hour), moment(self._night, 2)
            points.install()
            if before:
                before()
            saero, run = night(self.home, f"{self.seed}-{self._night}-{hour}", now, encoder, open_ledger=look)
            said["passed"] = dict(points.passed)
            if look:
                decide(saero, self._night, now)
                said["seen"] = seen(saero, run, since)
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


def _was_killed(status: int) -> bool:
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


def _differences(expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Name what differs, places and kinds only."""
    wrong = []
    for name, wanted in expected.items():
        got = found[name]
        if wanted == got:
            continue
        if isinstance(wanted, dict):
            keys = sorted(key for key in {*wanted, *got} if wanted.get(key) != got.get(key))
            shown = [f"{key} {_short(wanted.get(key))} -> {_short(got.get(key))}" for key in keys[:4]]
            wrong.append(f"{name}: {len(keys)} differ: {', '.join(shown)}")
        elif isinstance(wanted, list):
            lacking = [one for one in wanted if one not in got]
            extra = [one for one in got if one not in wanted]
            wrong.append(f"{name}: lacks {lacking[:4]}, has {extra[:4]} too many")
        else:
            wrong.append(f"{name}: {wanted} -> {got}")
    return wrong


def _short(value: object) -> str:
    return str(value)[:40]


def _file_size(limit: int) -> Callable[[], None]:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    return limited


def _used(folder: Path) -> int:
    """Return the bytes that a disk of memory needs for a folder: whole pages."""
    return sum(4096 + -(-path.lstat().st_size // 4096) * 4096 for path in folder.rglob("*")) + 4096


def mount_small(folder: Path) -> bool:
    """Mount a small disk of memory; False where this machine doesn't let us."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={1 << 30},mode=700", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True).returncode == 0


def _resize(folder: Path, size: int) -> None:
    command = ["mount", "-t", "tmpfs", "-o", f"remount,size={size}", "tmpfs", str(folder)]
    subprocess.run(command, check=True, capture_output=True)


def unmount(folder: Path) -> None:
    """Take a small disk away."""
    subprocess.run(["umount", "--lazy", str(folder)], check=False, capture_output=True)


def kills(folder: Path, rounds: int, seed: int) -> Score:
    """Play `rounds` nights that are killed, half at named points, half at random moments."""
    score, begun = Score(), time.monotonic()
    team, nights, dice = None, 0, random.Random(seed)
    while score.struck.total() < rounds:
        if team is None or nights == NIGHTS:
            shutil.rmtree(folder, ignore_errors=True)
            team, nights = Team(folder, seed, score), 0
            seed += 1000
        team.round(dice.choice(("point", "moment")))
        nights += 1
    shutil.rmtree(folder, ignore_errors=True)
    score.seconds = time.monotonic() - begun
    return score


def full_disks(folder: Path, rounds: int, seed: int) -> Score:
    """Play `rounds` nights that find no room to write."""
    score, begun = Score(), time.monotonic()
    mounted = mount_small(folder / "state")
    ways = STRUCK[2:] if mounted else STRUCK[3:]
    try:
        team, turn = Team(folder, seed, score), 0
        while score.struck.total() < rounds:
            turn += team.round(ways[turn % len(ways)])
    finally:
        if mounted:
            unmount(folder / "state")
        shutil.rmtree(folder, ignore_errors=True)
    score.seconds = time.monotonic() - begun
    return score


def figures(killed: Score, full: Score, *, rounds: int, fulls: int) -> list[Figure]:
    """Return what was measured, with its bars."""
    points = sum(count for name, count in killed.points.items() if name != "at a random moment")
    kinds = len([name for name in killed.points if name != "at a random moment"])
    found = []
    if rounds:
        total = killed.struck.total()
        found += [
            Figure("runs killed", f"{total}", f">= {rounds}", total >= rounds),
            Figure("  at named points", f"{points} at {kinds} points"),
            Figure("  at random moments", f"{killed.struck['moment']}"),
            Figure("  that came to their end before", f"{killed.ended}"),
            Figure("differences after the next run", f"{len(killed.differences)}", "0", not killed.differences),
        ]
    if fulls:
        total = full.struck.total()
        found += [Figure("runs without room on the disk", f"{total}", f">= {fulls}", total >= fulls)]
        found += [Figure(f"  {way}", f"{full.struck[way]}") for way in STRUCK[2:]]
        found += [
            Figure("  that failed without a clear error", f"{len(full.unclear)}", "0", not full.unclear),
            Figure("differences after the next run", f"{len(full.differences)}", "0", not full.differences),
        ]
    return found


def warm() -> None:
    """Load Kiwi, so that no child has to; nothing of a team is opened."""
    tokens("결제 승인")
    quiet()


def _side_by_side(
    play_one: Callable[[Path, int, int], Score], folder: Path, rounds: int, seed: int, jobs: int
) -> Score:
    """Share rounds among processes."""
    if not rounds:
        return Score()
    shares = [rounds // jobs + (number < rounds % jobs) for number in range(jobs)]
    children = []
    for number, share in enumerate(shares):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                score = play_one(folder / f"{number}", share, seed + number)
                (folder / f"{number}.json").write_text(json.dumps(asdict(score)), encoding="utf-8")
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(code)
        children.append(child)
    added = Score()
    for number, child in enumerate(children):
        if os.waitpid(child, 0)[1]:
            raise SystemExit("a process of the benchmark failed")
        said = json.loads((folder / f"{number}.json").read_text(encoding="utf-8"))
        counters = {name: Counter(said.pop(name)) for name in ("struck", "points", "errors", "events")}
        added.add(Score(**counters, **said))
    return added


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=500, help="runs to be killed")
    parser.add_argument("--full", type=int, default=50, help="runs that find the disk full")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="teams at once")
    parser.add_argument("--folder", type=Path, help="where the teams live; a folder of its own when not given")
    said = parser.parse_args()
    warm()
    folder = Path(tempfile.mkdtemp(prefix="saero-crash-", dir=said.folder))
    try:
        killed = _side_by_side(kills, folder, said.rounds, said.seed, said.jobs)
        full = _side_by_side(full_disks, folder, said.full, said.seed + 500, min(said.jobs, 2))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    shown = figures(killed, full, rounds=said.rounds, fulls=said.full)
    print(f"seed {said.seed}, {said.jobs} at once, {killed.seconds:.0f} s of kills, {full.seconds:.0f} s of full disks")
    print(*(figure.line() for figure in shown), sep="\n")
    for name, score in (("kills by point", killed), ("full disks by stage", full)):
        print(f"\n{name}: " + ", ".join(f"{point} {count}" for point, count in score.points.most_common()))
    print("\nevents: " + ", ".join(f"{kind} {count}" for kind, count in (killed.events + full.events).most_common()))
    print("errors of full disks: " + ", ".join(f"{kind} {count}" for kind, count in full.errors.most_common()))
    for line in (*killed.differences, *full.differences, *full.unclear):
        print("DIFFERS " + line)
    return int(any(figure.bar and not figure.met for figure in shown))


if __name__ == "__main__":
    sys.exit(main())
