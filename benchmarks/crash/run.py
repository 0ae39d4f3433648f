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
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]
sys.path.append(str(PROJECT / "benchmarks" / "dedup"))  # figures

from rounds import full_disks, kills, warm  # noqa: E402
from score import Score, figures  # noqa: E402


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
                (folder / f"{number}.json").write_text(json.dumps(vars(score)), encoding="utf-8")
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
