"""Bar 5: a year of a team's nights, each compared with what the events say. Exit code 1 below a bar.

    python benchmarks/crash/year.py [--nights 300] [--seed 1] [--folder DIR]

The story of run.py without kills: documents come, change, move, are copied, deleted and restored, get versions,
expire, break and are mended, a folder is out of reach and comes back, the encoder changes, and here the clock is set
back by up to 20 days and right again. After each night all that run.py looks at must be as oracle.py says, a pure
function of the events; and no passage may be encoded again that was encoded less than 90 days before.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]
sys.path.append(str(PROJECT / "benchmarks" / "dedup"))  # figures

from chain import decide, moment, night, quiet, seen, settings  # noqa: E402
from compared import differing  # noqa: E402
from events import Story  # noqa: E402
from fakes import FakeEncoder  # noqa: E402
from figures import Figure  # noqa: E402
from oracle import Oracle  # noqa: E402
from world import SOURCES, play  # noqa: E402

MINUTES = 10
# What nothing needs leaves the ledger after 90 days; its vectors are made anew when it comes back later.
_KEPT_NIGHTS = 90


@dataclass
class Year:
    """What was played and found."""

    nights: int = 0
    events: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    embedded: int = 0
    again: int = 0
    seconds: float = 0.0


def play_year(home: Path, nights: int, seed: int) -> Year:
    """Play a team's nights in a folder of their own."""
    for name in SOURCES:
        (home / "docs" / name).mkdir(parents=True)
    (home / "saero.toml").write_text(settings(), encoding="utf-8")
    year, begun = Year(), time.monotonic()
    story, oracle = Story(seed, clock=True).nights(), Oracle()
    kept: set[str] = set()
    encoded: dict[tuple[str, str], int] = {}
    for number in range(nights):
        events = next(story)
        for event in events:
            play(event, home / "docs")
        expected = oracle.night(events)
        now = moment(number - oracle.world.behind, 2)
        saero, run = night(home, f"night-{number}", now, expected.encoder, open_ledger=True)
        found = seen(saero, run, kept)
        stands = set(found.pop("kept"))
        wrong = [*found.pop("faults"), *differing(asdict(expected), found)]
        if lost := kept - stands:
            wrong.append(f"{len(lost)} decisions, mails or answers of canaries are lost")
        kept = stands | {decide(saero, number, now)}
        if wrong:
            kinds = ", ".join(event.kind for event in events)
            year.differences.append(f"seed {seed}, night {number} ({kinds}): " + "; ".join(wrong))
            print("DIFFERS " + year.differences[-1], file=sys.stderr, flush=True)
        assert isinstance(saero.encoder, FakeEncoder)
        keys = [(expected.encoder, text) for text in saero.encoder.embedded]
        year.again += sum(number - encoded.get(key, -_KEPT_NIGHTS) < _KEPT_NIGHTS for key in keys)
        year.embedded += len(keys)
        encoded.update(dict.fromkeys(keys, number))
        year.events.update(event.kind for event in events)
        year.nights += 1
    year.seconds = time.monotonic() - begun
    return year


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nights", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the team lives; a folder of its own when not given")
    said = parser.parse_args()
    quiet()
    folder = Path(tempfile.mkdtemp(prefix="saero-year-", dir=said.folder))
    try:
        year = play_year(folder / "team", said.nights, said.seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    minutes = year.seconds / 60
    figures = [
        Figure("nights played", f"{year.nights}", f"{said.nights}", year.nights == said.nights),
        Figure("nights that differ from the events", f"{len(year.differences)}", "0", not year.differences),
        Figure("passages encoded", f"{year.embedded}"),
        Figure("  again within 90 nights", f"{year.again}", "0", not year.again),
        Figure("minutes", f"{minutes:.1f}", f"< {MINUTES}", minutes < MINUTES),
    ]
    print(f"seed {said.seed}")
    print(*(figure.line() for figure in figures), sep="\n")
    print("\nevents: " + ", ".join(f"{kind} {count}" for kind, count in year.events.most_common()))
    for line in year.differences:
        print("DIFFERS " + line)
    return int(any(figure.bar and not figure.met for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
