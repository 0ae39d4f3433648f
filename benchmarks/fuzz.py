"""Damage every fixture in every way for a while, and hold that no parser is hurt by it.

    python benchmarks/fuzz.py [--seconds 600] [--seed N] [--cases FOLDER] [--workers 2] [--keep FOLDER]
    python benchmarks/fuzz.py --seed N --only 'FILE#MUTATION'     one of them again, with its traceback
    python benchmarks/fuzz.py --replay FOLDER                     the files in a folder as they are

The files are read by the worker pool of a refresh, under its limits. Bars: each file ends in a document or in a
category (not in an exception that a parser didn't expect), within the time and the memory of a worker, none of which
dies; what is returned keeps the promises of pipelines.records (soundness.py); a sample is read again by other processes
and gives the same. Exit code 1 below a bar.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT), str(PROJECT / "benchmarks")]

from fuzz_fixtures import Fixture, fixtures, kind_of, turns  # noqa: E402
from fuzz_parser import MARK, PROPERTY, STOPPED  # noqa: E402
from mutations import mutated  # noqa: E402

from pipelines import parsers  # noqa: E402
from pipelines.records import Limits  # noqa: E402
from resources.parsing import ParseResult, Task  # noqa: E402
from resources.workers import WorkerPool  # noqa: E402

LIMITS = Limits()
# One file in so many is read a second time at the end.
SAMPLE = 20
# The files lie still on a disk of our own: neither may come.
_READ_ERRORS = ("unreadable", "changed_while_reading")


@dataclass(frozen=True, slots=True)
class Damaged:
    """A file to be read: `key` says how to make it again."""

    key: str
    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Written:
    """A damaged file on disk, and the digest of what its first reading gave."""

    key: str
    name: str
    place: Path
    said: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A bar that fell."""

    format: str
    what: str
    key: str


@dataclass
class Tally:
    """What one format did."""

    files: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    slowest: tuple[float, str] = (0.0, "")
    peak_mb: int = 0


@dataclass
class Outcome:
    """What a round did: tallies by format, faults, and what the sample gave."""

    tallies: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    faults: list[Fault] = field(default_factory=list)
    sample: list[Written] = field(default_factory=list)
    files: int = 0


def damage(found: dict[str, Fixture], seed: int, until: float) -> Iterator[Damaged]:
    """Yield damaged fixtures until the clock (time.monotonic) says `until`."""
    for fixture, number in turns(found):
        if time.monotonic() > until:
            return
        yield damaged(fixture, number, seed)


def damaged(fixture: Fixture, number: int, seed: int) -> Damaged:
    """Make one damaged file; the same seed, file and number give the same bytes."""
    data, name = mutated(fixture.data, fixture.name, Random(f"{seed}/{fixture.key}/{number}"))
    return Damaged(f"{fixture.key}#{number}", name, data)


def read(files: Iterable[Damaged], folder: Path, workers: int, keep: Path | None = None) -> Outcome:
    """Read `files` in worker processes; `keep` takes those that break a bar."""
    outcome = Outcome()
    waiting: dict[str, Written] = {}

    def tasks() -> Iterator[Task]:
        for number, one in enumerate(files):
            place = folder / str(number)
            place.write_bytes(one.data)
            waiting[str(number)] = Written(one.key, one.name, place)
            outcome.files += 1
            yield Task("fuzz", f"{number}/{one.name}", str(place))

    with WorkerPool(workers, LIMITS, parser="fuzz_parser") as pool:
        try:
            for result in pool.run(tasks()):
                number = result.task.path.partition("/")[0]
                take(outcome, result, waiting[number], keep)
                if not (result.task.route or result.attached):
                    clear(outcome, result, waiting.pop(number))
        except Exception as error:
            outcome.faults.append(Fault("-", f"the pool stopped: {type(error).__name__}: {error}", "-"))
    return outcome


def take(outcome: Outcome, result: ParseResult, one: Written, keep: Path | None) -> None:
    """Count one result, that of an attachment too, and hold the bars of a single file."""
    reason, note = noted(result)
    word = note["format"] or kind_of(one.name)
    tally = outcome.tallies[word]
    tally.files += 1
    tally.endings[result.category or ("same" if result.outcome == "known" else "ok")] += 1
    spent = note.get("whole", note["seconds"])
    tally.seconds += spent
    tally.slowest = max(tally.slowest, (spent, one.key))
    tally.peak_mb = max(tally.peak_mb, note["peak_mb"])
    found = [Fault(word, what, one.key) for what in broken(result, reason, note)]
    outcome.faults += found
    if found and keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(one.place, keep / f"{one.place.name}-{one.name}")


def clear(outcome: Outcome, result: ParseResult, one: Written) -> None:
    """Take a file away, but for one in SAMPLE, which is to be read again."""
    if int(one.place.name) % SAMPLE or result.outcome == "known":
        one.place.unlink()
    else:
        outcome.sample.append(replace(one, said=digest(result, noted(result)[0])))


def noted(result: ParseResult) -> tuple[str, dict[str, Any]]:
    """Return the reason and the measurements that fuzz_parser put into a result."""
    reason, _, note = result.reason.partition(MARK)
    if result.outcome == "parsed":
        note = result.parsed().properties[PROPERTY]
    return reason, json.loads(note) if note else {"format": "", "seconds": 0.0, "peak_mb": 0}


def broken(result: ParseResult, reason: str, note: dict[str, Any]) -> Iterator[str]:
    """Say which bars a single file breaks."""
    if STOPPED in reason:
        yield f"{reason} ({note['where']})" if "where" in note else reason
    if result.category == "timeout" or reason.startswith(("the parser process", "parsing it takes more memory")):
        yield reason
    if result.category in _READ_ERRORS:
        yield f"{result.category}: {reason}"
    if note["peak_mb"] > LIMITS.memory_mb:
        yield f"{note['peak_mb']} MB"
    yield from note.get("faults", ())


def digest(result: ParseResult, reason: str) -> str:
    """Return a hash of everything that a reading gave, measurements aside."""
    said = f"{result.outcome} {result.category} {reason}"
    if result.outcome == "parsed":
        parsed = result.parsed()
        kept = {key: value for key, value in parsed.properties.items() if key != PROPERTY}
        said += repr((replace(parsed, properties=kept), result.attached))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def read_again(outcome: Outcome, workers: int, until: float) -> int:
    """Read the sample in new processes and add what differs; returns how many files were compared."""
    compared = 0

    def tasks() -> Iterator[Task]:
        for number, one in enumerate(outcome.sample):
            if time.monotonic() < until:
                yield Task("fuzz", f"{number}/{one.name}", str(one.place))

    with WorkerPool(workers, LIMITS, parser="fuzz_parser") as pool:
        for result in pool.run(tasks()):
            one = outcome.sample[int(result.task.path.partition("/")[0])]
            compared += 1
            if digest(result, noted(result)[0]) != one.said:
                outcome.faults.append(Fault(kind_of(one.name), "read twice, two results", one.key))
    return compared


def report(outcome: Outcome, compared: int, seconds: float, seed: int) -> int:
    """Print the tallies and the faults, each kind once; returns the exit code."""
    print(f"{'format':8}{'files':>8}{'ok':>8}{'same':>6}  {'CPU s':>7} {'slowest':>8} {'peak MB':>8}  categories")
    for word, tally in sorted(outcome.tallies.items(), key=lambda pair: -pair[1].files):
        endings = [(name, count) for name, count in tally.endings.most_common() if name not in ("ok", "same")]
        others = ", ".join(f"{name} {count}" for name, count in endings)
        print(
            f"{word:8}{tally.files:>8}{tally.endings['ok']:>8}{tally.endings['same']:>6}  {tally.seconds:>7.1f} "
            f"{tally.slowest[0]:>8.2f} {tally.peak_mb:>8}  {others}"
        )
    print("\nslowest, in CPU seconds:")
    slow = sorted((tally.slowest for tally in outcome.tallies.values()), reverse=True)[:5]
    print("\n".join(f"  {spent:7.2f}  {key}" for spent, key in slow), end="\n\n")
    kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
    for fault in outcome.faults:
        kinds[fault.format, fault.what].append(fault.key)
    for (word, what), keys in sorted(kinds.items()):
        print(f"FAULT {word}: {what}: {len(keys)} files, such as --seed {seed} --only {keys[0]!r}")
    print(f"{'ok' if not kinds else 'MISSED'}: {len(kinds)} kinds of faults in {len(outcome.faults)} readings")
    print(f"{compared} files were read again by other processes")
    print(f"{outcome.files} mutated files in {seconds:.0f} s, seed {seed}")
    return 1 if kinds else 0


def show_again(one: Damaged) -> None:
    """Parse in this process and print the traceback of what stops it."""
    try:
        parsers.parse(io.BytesIO(one.data), one.name, LIMITS)
    except Exception:
        traceback.print_exc()


def main() -> None:
    """Fuzz for some seconds, or repeat what broke; ends with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--cases", type=Path, default=cases_folder(), help="more files to mutate, when it is there")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--keep", type=Path, help="keep the files that break a bar in this folder")
    options.add_argument("--only", metavar="FILE#MUTATION", help="make one damaged file again")
    options.add_argument("--replay", type=Path, metavar="FOLDER", help="read the files in this folder as they are")
    raise SystemExit(run(options.parse_args()))


def cases_folder() -> Path:
    """Return the folder of case files (SAERO_CASES, or ../shared/cases beside the checkout)."""
    return Path(os.environ.get("SAERO_CASES") or PROJECT.parent / "shared" / "cases")


def run(chosen: argparse.Namespace) -> int:
    """Do what the options say; returns the exit code."""
    started = time.monotonic()
    again = started + chosen.seconds
    files: Iterable[Damaged]
    if chosen.replay is not None:
        paths = sorted(path for path in chosen.replay.iterdir() if path.is_file())
        files = [Damaged(path.name, path.name.partition("-")[2] or path.name, path.read_bytes()) for path in paths]
    elif chosen.only is not None:
        key, _, number = chosen.only.rpartition("#")
        files = [damaged(fixtures(chosen.cases)[key], int(number), chosen.seed)]
    else:
        files = damage(fixtures(chosen.cases), chosen.seed, started + 0.9 * chosen.seconds)
    with tempfile.TemporaryDirectory(prefix="saero-fuzz-") as folder:
        outcome = read(files, Path(folder), chosen.workers, chosen.keep)
        compared = read_again(outcome, chosen.workers, again)
    code = report(outcome, compared, time.monotonic() - started, chosen.seed)
    if chosen.only is not None:
        show_again(*files)
    return code


if __name__ == "__main__":
    main()
