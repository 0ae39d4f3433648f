"""Do results say where they stand, and stay small? Bar 5 of search; exit code 1 below a bar.

    python benchmarks/retrieval/locators.py [--only example office]

The example corpus and the office set (when it is there) are refreshed, and their questions are asked on the command
line with --json --all --full. The text version of every result is opened at the cited lines.

size        bytes of the JSON of five results, as a program gets them without --full        median <= 6 KB
locators    results whose passage doesn't stand in the cited lines (a table's repeated header stands before them): 0,
            and the same for every passage of the index, asked for or not
snippets    results whose snippet isn't a byte-for-byte part of the cited lines: 0
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

PROJECT = Path(__file__).resolve().parents[2]
sys.path += [str(PROJECT), str(PROJECT / "benchmarks"), str(PROJECT / "benchmarks" / "dedup")]

import corpus_copy  # noqa: E402
import example_queries  # noqa: E402
import office  # noqa: E402
from figures import Figure  # noqa: E402

from resources.build import Saero, build  # noqa: E402
from saero.cli import saero as command  # noqa: E402
from saero.output import json_text  # noqa: E402

MOST_BYTES = 6 * 1024
CORPORA = ("example", "office")
# What the text version adds to words: it isn't compared.
_MARKUP = re.compile(r"[\s|#*_`>\\-]+|<[^<>]*>|^\[\^[^\]]*\]:")


def example(home: Path) -> tuple[Saero, list[str]]:
    """Refresh a copy of the example corpus; returns its handles and its questions."""
    settings = corpus_copy.copy_corpus(home)
    subprocess.run(
        [sys.executable, "-m", "saero.cli", "refresh", "--json"],
        cwd=PROJECT,
        env={**os.environ, **corpus_copy.environment(settings)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return build(str(settings)), [question.query for question in example_queries.read_questions()]


def asked(saero: Saero, question: str, *more: str) -> str:
    """Return what `saero search --json` prints."""
    config = str(saero.settings.file)
    done = CliRunner().invoke(command, ["--config", config, "search", "--json", *more, "--", question])
    if done.exit_code:
        raise SystemExit(f"saero search ended with {done.exit_code}: {done.output}")
    return done.stdout


def stands(passage: str, mirror: str, lines: Sequence[int]) -> bool:
    """Tell whether each line of a passage stands in the cited lines, or before them as a header that is repeated."""
    every = mirror.split("\n")
    cited = _plain("\n".join(every[lines[0] - 1 : lines[1]]))
    before = _plain("\n".join(every[: lines[0] - 1]))
    missing = [line for line in passage.split("\n") if _plain(line) not in cited]
    repeated = passage.split("\n")[: len(missing)] == missing
    return repeated and len(missing) < len(passage.split("\n")) and all(_plain(line) in before for line in missing)


def _plain(text: str) -> str:
    return "".join(_MARKUP.sub("", line) for line in text.split("\n"))


def wrong(saero: Saero, source: str, path: str, passage: str, locator: dict[str, Any]) -> bool:
    """Tell whether a locator doesn't point to the lines that hold the passage."""
    mirror, lines = saero.mirror.read(source, path), locator.get("lines")
    return mirror is None or not lines or not stands(passage, mirror, lines)


def figures(name: str, saero: Saero, questions: Sequence[str]) -> list[Figure]:
    """Ask every question and open what it cites."""
    sizes, results, astray, cut = [], 0, [], 0
    for question in questions:
        report = json.loads(asked(saero, question, "--all", "--full"))
        sizes.append(_bytes(report))
        for hit in report["results"]:
            results += 1
            if wrong(saero, hit["source"], hit["path"], hit["text"], hit["locator"]):
                astray.append(f"{hit['source']}/{hit['path']} {hit['locator']['lines']}")
                continue
            mirror = saero.mirror.read(hit["source"], hit["path"]) or ""
            first, last = hit["locator"]["lines"]
            cut += hit["snippet"] not in "\n".join(mirror.split("\n")[first - 1 : last])
    rows = saero.reader().get()
    lost = [
        f"{row['source']}/{row['path']}"
        for row in rows
        if wrong(saero, row["source"], row["path"], row["text"], json.loads(row["locator"]))
    ]
    median = statistics.median(sizes)
    note = f"most {max(sizes):,}; {len(questions)} questions"
    return [
        Figure(f"{name}: bytes of the JSON of five, median", f"{median:,.0f}", "<= 6,144", median <= MOST_BYTES, note),
        Figure(f"{name}: results astray", f"{len(astray)} of {results}", "0", not astray, "; ".join(astray[:5])),
        Figure(f"{name}: passages astray", f"{len(lost)} of {len(rows)}", "0", not lost, "; ".join(lost[:5])),
        Figure(f"{name}: snippets that aren't in the lines", f"{cut} of {results}", "0", not cut),
    ]


def _bytes(report: dict[str, Any]) -> int:
    """Return the size of a report as it is printed without --full."""
    results = [{name: value for name, value in hit.items() if name != "text"} for hit in report["results"]]
    return len(json_text({**report, "results": results}).encode("utf-8")) + 1


def main() -> None:
    """Measure, print, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--only", nargs="*", choices=CORPORA, default=list(CORPORA))
    chosen = options.parse_args()
    found: list[Figure] = []
    if "example" in chosen.only:
        with tempfile.TemporaryDirectory(prefix="saero-locators-") as scratch:
            found += figures("example", *example(Path(scratch)))
    if "office" in chosen.only and any((office.FOLDER / half / "docs").is_dir() for half in office.HALVES):
        questions = [one.text for half in office.HALVES for one in office.questions(half)]
        found += figures("office", office.team(), questions[::4])
    print(*(figure.line() for figure in found), sep="\n")
    sys.exit(any(not figure.met for figure in found))


if __name__ == "__main__":
    main()
