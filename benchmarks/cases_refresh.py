"""Refresh the shared case files as one source folder, hostile ones among them, and say how each ended.

    python benchmarks/cases_refresh.py [--cases FOLDER] [--models FOLDER] [--only formats/bad ...]

The folder is SAERO_CASES, or ../shared/cases beside the checkout; it is only read. `--only` makes sources of folders
below it instead. The stages are the real ones, the encoder counts what it is asked and returns unit vectors made from
the text's hash (the tokenizer is the real one). Bars: every file ends in text or in a category, none in an exception
of a parser, the parent or a worker above 2 GB; the checks pass; the sidecars' words are found; a second refresh opens,
embeds, adds and removes nothing; a refresh into an empty state leaves the same output, byte for byte
(same_output.py). Exit code 1 below a bar.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import resource
import sys
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt
from same_output import differing, outputs

from assets.stages.chunk import cut_bodies
from assets.stages.dedup import settle
from assets.stages.embed import embed_missing
from assets.stages.gap import analyse
from assets.stages.index import publish
from assets.stages.parse import parse_sources
from assets.stages.quality import differences, judge
from resources.build import Run, Saero, open_run, summary
from resources.encoder import Encoder
from resources.ledger import documents as document_store
from resources.ledger import findings as finding_store
from resources.quality import CheckResult
from resources.settings import load_settings

PROJECT = Path(__file__).resolve().parent.parent
# DESIGN's bars: the parent besides its model, and what a worker may take.
PARENT_MB = 1536
WORKER_MB = 2048
SHOWN_DIFFERENCES = 20
SHOWN_FINDINGS = frozenset({"row_withheld", "name_clash", "name_not_utf8", "unlisted"})
# ru_maxrss counts KiB on Linux, bytes on macOS.
_RSS_PER_MB = 1024 if sys.platform != "darwin" else 1024 * 1024
# What pipelines.parsers.parse says when a parser raised something else than it should.
_STOPPED = re.compile(r"parser stopped at \w+$")

# Sidecars that describe in English what is expected; here in the words of the text version.
DESCRIBED = {
    "b06_xlsx_title_row.expected.txt": ["구분: 인건비; 항목: 특급기술자; 상반기 계획: 1200"],
    "b07_xlsx_formula_values.expected.txt": ["6", "합계", "#DIV/0!"],
    "b13_csv_ascii_head.expected.txt": ["똠방각하 펲시 콜라"],
}

Row = dict[str, Any]
Vectors = npt.NDArray[np.float32]


class CountingEncoder(Encoder):
    """Counts what it is asked to embed; vectors are unit length and depend on the text alone."""

    encoder_id = "counting"
    embedded = 0

    def embed_passages(self, texts: Sequence[str], on_batch: Callable[[int, int], None] | None = None) -> Vectors:
        self.embedded += len(texts)
        if on_batch is not None:
            on_batch(len(texts), len(texts))
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        seed = int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big")
        vector = np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)
        unit: Vectors = vector / np.linalg.norm(vector)
        return unit


@dataclass
class Night:
    """What one refresh did; `seconds` are wall time, `cpu_seconds` those of the parent and its workers."""

    report: Row
    checks: list[CheckResult]
    documents: list[Row]
    findings: list[Row]
    differences: tuple[int, int]
    embedded: int
    seconds: float
    cpu_seconds: float


@dataclass
class Verdict:
    """The bars: what each one is, and what misses it."""

    misses: list[str] = field(default_factory=list)

    def hold(self, reached: bool, bar: str) -> None:
        """Print the bar and remember it when it is missed."""
        print(f"{'ok' if reached else 'MISSED':6} {bar}")
        if not reached:
            self.misses.append(bar)


def cases_folder() -> Path:
    """Return the folder of case files (SAERO_CASES, or ../shared/cases beside the checkout)."""
    return Path(os.environ.get("SAERO_CASES") or PROJECT.parent / "shared" / "cases")


def build_corpus(home: Path, folders: dict[str, Path], encoder: Encoder) -> Saero:
    """Write a saero.toml over `folders` into `home` and return new handles, with `encoder` in place."""
    lines = ['state = "state"', 'language = "en"']
    for name, folder in folders.items():
        lines += [f'[sources."{name}"]', f"path = {str(folder.resolve())!r}", 'versions = "list"']
    (home / "saero.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    saero = Saero(load_settings(str(home / "saero.toml")))
    saero.encoder = encoder
    saero.query_encoder = encoder  # type: ignore[assignment]  # it answers both questions
    return saero


def refresh(saero: Saero, run_id: str) -> Night:
    """Run every stage once, in the order of the assets."""
    before, started = _cpu(), time.monotonic()
    with open_run(saero, run_id, trigger="cli", wait=timedelta(0)) as run:
        parse_sources(run, [source.name for source in saero.sources])
        settle(run)
        cut_bodies(run)
        embed_missing(run)
        checks = judge(run)
        publish(run)
        gaps = differences(run)
        analyse(run)
        return Night(
            summary(run), checks, *_ledger(run), gaps, run.embedded, time.monotonic() - started, _cpu() - before
        )


def _ledger(run: Run) -> tuple[list[Row], list[Row]]:
    with run.saero.ledger.transaction("report") as con:
        return document_store.present(con), finding_store.opened(con)


def _cpu() -> float:
    times = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in times)


def peak_mb(who: int) -> int:
    """Return the highest resident memory of this process, or of its largest child that has ended."""
    return resource.getrusage(who).ru_maxrss // _RSS_PER_MB


def outcome(row: Row, documents: list[Row]) -> str:
    """Return "text", the category, or "carrier" for a mail whose words are all in the documents it carries."""
    if row["category"] or row["has_text"]:
        return row["category"] or "text"
    carries = any((one["source"], one["mail"]) == (row["source"], row["path"]) for one in documents)
    return "carrier" if carries else "nothing"


def format_of(row: Row) -> str:
    """Return the format that was read; of a file that gave nothing, its extension."""
    return row["format"] or "." + PurePosixPath(row["path"]).suffix.lstrip(".").lower()


def table(documents: list[Row]) -> str:
    """Draw format x outcome."""
    endings = [outcome(row, documents) for row in documents]
    counts = Counter(zip(map(format_of, documents), endings, strict=True))
    totals = Counter(endings)
    columns = sorted(totals, key=lambda one: (one != "text", one))
    formats = sorted({name for name, _ in counts}, key=lambda one: (one.startswith("."), one))
    rows = [(name, [counts[name, one] for one in columns]) for name in formats]
    rows.append(("all", [totals[one] for one in columns]))
    lines = [f"{'format':8}" + "".join(f"{one:>12}" for one in [*columns, "all"])]
    lines += [f"{name:8}" + "".join(f"{n or '-':>12}" for n in [*numbers, sum(numbers)]) for name, numbers in rows]
    return "\n".join(lines)


def files_on_disk(folders: dict[str, Path]) -> set[str]:
    """Return source/path of every regular file, listed without saero's own scan."""
    found = set()
    for source, root in folders.items():
        for folder, _, names in os.walk(root):
            for name in names:
                path = Path(folder) / name
                if path.is_file() and not path.is_symlink():
                    found.add(unicodedata.normalize("NFC", f"{source}/{path.relative_to(root).as_posix()}"))
    return found


def sidecar_misses(saero: Saero, folders: dict[str, Path], documents: list[Row]) -> list[str]:
    """Compare the text versions with *.expected.txt, *.must.txt and *.mustnot.txt, without white space and marks."""
    texts = {f"{row['source']}/{row['path']}": row for row in documents}
    misses = []
    for source, root in folders.items():
        for sidecar in sorted(root.rglob("*.txt")):
            stem, _, kind = sidecar.name.removesuffix(".txt").rpartition(".")
            if kind not in ("expected", "must", "mustnot"):
                continue
            for path in sorted(sidecar.parent.glob(f"{_glob_literal(stem)}.*")):
                if path == sidecar or (path.suffix == ".txt" and path.name.count(".") > 1):
                    continue
                key = path.relative_to(root).as_posix()
                row = texts.get(f"{source}/{key}")
                mirror = bare(saero.mirror.read(source, key) or "") + bare((row or {}).get("title") or "")
                asked = DESCRIBED.get(sidecar.name) or _words(sidecar.read_text(encoding="utf-8"))
                for words in asked:
                    if (bare(words) in mirror) == (kind == "mustnot"):
                        misses.append(f"{source}/{key}: {kind}: {words[:60]}")
    return misses


def _glob_literal(text: str) -> str:
    return re.sub(r"([\[\]*?])", r"[\1]", text)


def _words(text: str) -> list[str]:
    """Return the pieces of a sidecar that stand together: lines, and cells divided by tabs."""
    lines = [line.removeprefix("Subject: ") for line in text.splitlines()]
    return [piece for line in lines for piece in line.split("\t") if piece.strip()]


def bare(text: str) -> str:
    """Reduce text to its letters and digits in NFC: how it is wrapped and drawn doesn't count."""
    return "".join(character for character in unicodedata.normalize("NFC", text) if character.isalnum())


def main() -> None:
    """Refresh three times, print what happened, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--cases", type=Path, default=cases_folder())
    options.add_argument("--models", type=Path, default=PROJECT / ".saero" / "models", help="unpacked models")
    options.add_argument("--only", nargs="+", help="folders below it that become sources, instead of all as one")
    options.add_argument("--home", type=Path, help="keep settings and state there")
    chosen = options.parse_args()
    folders = {name.replace("/", " "): chosen.cases / name for name in chosen.only or ()} or {"cases": chosen.cases}
    if missing := [str(folder) for folder in folders.values() if not folder.is_dir()]:
        options.error(f"no such folder of case files: {', '.join(missing)}; name it with --cases or SAERO_CASES")
    encoder = CountingEncoder("bundled", chosen.models)
    if chosen.home is not None:
        raise SystemExit(report(chosen.home, folders, encoder))
    with tempfile.TemporaryDirectory(prefix="saero-cases-") as home:
        raise SystemExit(report(Path(home), folders, encoder))


def report(home: Path, folders: dict[str, Path], encoder: Encoder) -> int:
    """Refresh twice below `home`, then into an empty state, and print; returns the exit code."""
    saero = build_corpus(home, folders, encoder)
    first = refresh(saero, "first")
    # Now: a process that is forked off later counts the memory that this one has by then.
    worker = peak_mb(resource.RUSAGE_CHILDREN)
    second = refresh(build_corpus(home, folders, encoder), "second")
    left = outputs(saero, home / "state")
    other = left_from_scratch(folders, encoder)
    left_out = files_on_disk(folders) - {f"{row['source']}/{row['path']}" for row in first.documents}
    misses = sidecar_misses(saero, folders, first.documents)
    print(table(first.documents), end="\n\n")
    print_details(first, left_out, misses)
    parent = peak_mb(resource.RUSAGE_SELF)
    attached = sum(row["mail"] is not None for row in first.documents)
    files = len(first.documents) - attached + len(left_out)
    print(f"files on disk {files}, documents {len(first.documents)}, of them {attached} attached to mails")
    print(
        f"first refresh: {first.seconds:.0f} s wall, {first.cpu_seconds:.0f} s CPU, {first.embedded} passages embedded"
    )
    print(f"second refresh: {second.seconds:.1f} s wall, {second.cpu_seconds:.1f} s CPU")
    print(f"peak memory: parent {parent} MB, largest worker {worker} MB", end="\n\n")
    verdict = Verdict()
    hold_outcomes(verdict, first, left_out)
    verdict.hold(parent <= PARENT_MB, f"the parent stays under {PARENT_MB} MB")
    verdict.hold(worker <= WORKER_MB, f"every worker stays under {WORKER_MB} MB")
    for check in first.checks:
        advisory = "" if check.blocking else ", advisory"
        verdict.hold(check.passed or not check.blocking, f"check {check.name}: {check.observed}{advisory}")
    verdict.hold(first.differences == (0, 0), "the index lacks {} rows and has {} too many".format(*first.differences))
    verdict.hold(not misses, f"the words of the sidecars are found ({len(misses)} misses)")
    quiet = (
        second.report["opened"],
        second.embedded,
        *(second.report["chunks"][what] for what in ("added", "removed")),
    )
    said = "second refresh: opened {}, embedded {}, chunks added {}, removed {}".format(*quiet)
    verdict.hold(not any(quiet), said)
    hold_same(verdict, left, other)
    return 1 if verdict.misses else 0


def left_from_scratch(folders: dict[str, Path], encoder: Encoder) -> dict[str, str]:
    """Refresh into an empty state and return what was left there."""
    with tempfile.TemporaryDirectory(prefix="saero-again-") as home:
        saero = build_corpus(Path(home), folders, encoder)
        refresh(saero, "first")
        return outputs(saero, Path(home) / "state")


def hold_same(verdict: Verdict, left: dict[str, str], other: dict[str, str]) -> None:
    """Hold that two refreshes from nothing left the same files and rows."""
    kinds = Counter(re.split(r"[/ ]", name)[0] for name in left)
    changed = differing(left, other)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    verdict.hold(not changed, f"from an empty state the same again: {counted} ({len(changed)} differ)")
    for name in changed[:SHOWN_DIFFERENCES]:
        print(f"       {name}")


def hold_outcomes(verdict: Verdict, night: Night, left_out: set[str]) -> None:
    """Hold the bars of single documents: each is accounted for, and ends in words that a person can act on."""
    locks = all(PurePosixPath(path).name.startswith("~$") for path in left_out)
    verdict.hold(locks, "every file on disk is a document of the ledger, lock files of Office aside")
    nameless = sum(outcome(row, night.documents) == "nothing" for row in night.documents)
    verdict.hold(not nameless, f"every document ends in text or a category ({nameless} don't)")
    stopped = sum(bool(_STOPPED.search(row["reason"] or "")) for row in night.documents)
    verdict.hold(not stopped, f"no parser ends in an exception of its own ({stopped} do)")
    hung = sum(row["category"] == "timeout" for row in night.documents)
    verdict.hold(not hung, f"no file takes a worker's whole time ({hung} do)")


def print_details(night: Night, left_out: set[str], misses: list[str]) -> None:
    """List what gave no text and why, rows that were withheld, and words of sidecars that weren't found."""
    for row in sorted(night.documents, key=lambda row: (row["category"] or "", row["source"], row["path"])):
        if (ending := outcome(row, night.documents)) != "text":
            print(f"{ending:12} {row['source']}/{row['path']}: {row['reason'] or ''}")
    for path in sorted(left_out):
        print(f"{'left out':12} {path}: not listed by the scan")
    for finding in night.findings:
        if finding["kind"] in SHOWN_FINDINGS:
            print(f"{finding['kind']:12} {finding['source']}/{finding['path']}: {finding['detail']}")
    for miss in misses:
        print(f"{'not found':12} {miss}")
    print()


if __name__ == "__main__":
    main()
