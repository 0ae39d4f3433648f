"""Bar: a team's year. Exit code 1 below a bar.

    python benchmarks/freshness_year/run.py [--nights 300] [--seed 1] [--unrelated 2000] [--folder DIR] [--show 40]

56 documents that answer a question each, in four folders, with a canary for each; the bundled encoder's vectors, kept
in .saero/bench (the first run encodes for some minutes). Answers are deleted, overwritten with a wrong number, replaced
by a newer version, expire and are renewed, are pushed down by pages that repeat the question, erode in steps of .05 of
their score, are moved, copied, edited; folders are unmounted; 2,000 unrelated documents arrive at once; the encoder
changes twice (the same space, turned: vectors of the two don't compare); twice a version must be held while answers in
it are deleted and overwritten. After every night the canaries, the mails and all that a search can find are compared
with what the events say.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import tempfile
import time
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

PROJECT = Path(__file__).resolve().parents[2]
# This folder and benchmarks come before tests, which has a module `vectors` of its own.
sys.path += [str(PROJECT), str(PROJECT / "benchmarks" / "dedup"), str(PROJECT / "benchmarks" / "retrieval")]
sys.path.append(str(PROJECT / "tests"))

from figures import Figure  # noqa: E402
from ladder import ladders  # noqa: E402
from nights import RecordedEncoder, night, progress, settings  # noqa: E402
from office import facts  # noqa: E402
from score import Score  # noqa: E402
from story import Story  # noqa: E402
from truth import Truth  # noqa: E402
from vectors import CachedEncoder  # noqa: E402

FIRST_DAY = date(2026, 1, 5)
MINUTES = 15
ZONE = ZoneInfo("Asia/Seoul")


def play_year(home: Path, nights: int, seed: int, unrelated: int) -> tuple[Score, Story, float]:
    """Play a team's nights in a folder of their own; returns the score, the story and the seconds."""
    known = facts()
    truth, score = Truth(known), Score(known)
    story = Story(home / "docs", truth, seed, nights, FIRST_DAY, unrelated)
    recorded = CachedEncoder()
    encoders = {name: RecordedEncoder(recorded, name) for name in ("", "b")}
    (home / "docs").mkdir(parents=True)
    (home / "saero.toml").write_text(settings(known), encoding="utf-8")
    first = datetime.combine(FIRST_DAY, datetime.min.time(), ZONE)
    story.ladders = ladders(home / "ladders", story.eroding, first, encoders[""])
    begun = time.monotonic()
    for number in range(nights):
        now = first + timedelta(days=number, hours=2)
        if number == 0:
            story.begin(now)
        story.play(number, now)
        seen = night(home, f"night-{number}", now, encoders[story.encoder], known)
        score.night(number, now.date(), truth, seen)
        for line in score.faults():
            if line.startswith(f"night {number}:"):
                progress("WRONG " + line)
        if number % 20 == 19:
            progress(f"night {number + 1} of {nights}, {time.monotonic() - begun:.0f} s")
    return score, story, time.monotonic() - begun


def figures(score: Score, nights: int, minutes: float) -> list[Figure]:
    """Return what the year is held to."""
    shown = [Figure("nights played", f"{nights}"), Figure("canaries", f"{len(score.facts)}", ">= 50", True)]
    for state, bar in (("lost", 1.0), ("value_changed", 1.0), ("displaced", 0.9), ("drop", 0.9)):
        recall = score.recall(state)
        name = f"recall of {state}, in {score.wanted[state]} canary nights"
        shown.append(Figure(name, f"{recall:.3f}", f">= {bar:.1f}", recall >= bar and score.wanted[state] > 0))
    counts = (
        ("lost or value_changed though it wasn't", score.false),
        ("losses not told in an urgent mail that night", score.untold),
        ("told twice", score.twice),
        ("told as resolved while its cause stood", score.too_early),
        ("nights held, or not held, wrongly", score.holds),
        ("stale passages that a search could find", score.stale),
    )
    shown += [Figure(name, f"{len(lines)}", "0", not lines) for name, lines in counts]
    worst = score.worst_month()
    shown.append(Figure("false urgent mails, worst 30 nights", f"{worst}", "<= 1", worst <= 1))
    step = sum(score.steps) / len(score.steps) if score.steps else 0.0
    noticed = score.noticed == score.eroded and score.eroded > 0
    name = f"slow erosions noticed (steps of {step:.3f} on average)"
    shown.append(Figure(name, f"{score.noticed} of {score.eroded}", "all", noticed))
    shown.append(Figure("minutes", f"{minutes:.1f}", f"< {MINUTES}", minutes < MINUTES))
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nights", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unrelated", type=int, default=2000, help="documents that arrive at once")
    parser.add_argument("--folder", type=Path, help="where the team lives; a folder of its own when not given")
    parser.add_argument("--show", type=int, default=40, help="how many lines of faults are printed")
    said = parser.parse_args()
    logging.disable(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp(prefix="saero-freshness-", dir=said.folder))
    try:
        score, story, seconds = play_year(folder / "team", said.nights, said.seed, said.unrelated)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    shown = figures(score, said.nights, seconds / 60)
    print(f"seed {said.seed}")
    print(*(figure.line() for figure in shown), sep="\n")
    print("\nevents: " + ", ".join(f"{kind} {count}" for kind, count in story.counts.most_common()))
    print("mails: " + ", ".join(f"{kind} {count}" for kind, count in score.mails.most_common()))
    for line in score.faults()[: said.show]:
        print("WRONG " + line)
    return int(any(figure.bar and not figure.met for figure in shown))


if __name__ == "__main__":
    sys.exit(main())
