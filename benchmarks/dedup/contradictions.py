"""Judge pipelines/contradict.py on pairs written by hand, and on the example corpus.

    python benchmarks/dedup/contradictions.py [FILE...] [--unseen] [--wrong] [--corpus] [--speed]

Precision and recall with their 95 % Wilson intervals for each file: the pairs that were written with the rules (first
half) and, with --unseen, those that someone else wrote without seeing code or first half. Bars: .95 on the first half,
.9 on each unseen one that is there (issue 4). --corpus refreshes a copy of the examples in which one more document
states five values otherwise (contradictions_planted.md), and shows what is found beside the judgement that a person
gave it (results/contradictions_corpus.toml, by the values of both sides). Exit code 1 below a bar.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.corpus_copy import copy_corpus, environment
from benchmarks.dedup.figures import Figure
from pipelines.contradict import contradictions
from pipelines.values import stated

HERE = Path(__file__).parent
FIRST_HALF = HERE / "contradiction_pairs.toml"
UNSEEN = tuple(HERE / f"contradiction_pairs_unseen{n}.toml" for n in ("", "_2", "_3", "_4", "_5", "_6", "_7"))
PLANTED = HERE / "contradictions_planted.md"
# What the planted document states otherwise.
PLANTED_VALUES = 5
JUDGED = HERE.parent / "results" / "contradictions_corpus.toml"
BARS = {FIRST_HALF.name: 0.95} | {file.name: 0.9 for file in UNSEEN}


@dataclass(frozen=True, slots=True)
class Score:
    """How many pairs were called contradictions rightly, wrongly, missed, and rightly none."""

    name: str
    right: int
    false: int
    missed: int
    none: int

    def figures(self) -> list[Figure]:
        """Return precision and recall."""
        bar = BARS.get(self.name, 0.0)
        said, true = self.right + self.false, self.right + self.missed
        return [share(f"{self.name}: precision", self.right, said, bar), share("recall", self.right, true, bar)]


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927)."""
    if not of:
        return 0.0, 1.0
    z = 1.96
    middle = (hits + z * z / 2) / (of + z * z)
    half = z * sqrt(hits * (of - hits) / of + z * z / 4) / (of + z * z)
    return middle - half, middle + half


def share(name: str, hits: int, of: int, bar: float) -> Figure:
    low, high = wilson(hits, of)
    share = hits / of if of else 1.0
    shown = f"{share:.3f} ({hits}/{of}) [{low:.3f}, {high:.3f}]"
    return Figure(name, shown, f">= {bar}" if bar else "", share >= bar)


def judge(file: Path, tell: Callable[[str], None] = lambda line: None) -> Score:
    """Compare every pair of a file, telling the wrong ones."""
    counts = {(said, label): 0 for said in (True, False) for label in (True, False)}
    for pair in tomllib.loads(file.read_text(encoding="utf-8"))["pair"]:
        said = bool(contradictions(stated(pair["a"]), stated(pair["b"])))
        counts[said, pair["label"]] += 1
        if said != pair["label"]:
            tell(f"  {'false' if said else 'missed'}: {pair['a']} | {pair['b']} ({pair['why']})")
    return Score(file.name, counts[True, True], counts[True, False], counts[False, True], counts[False, False])


def corpus() -> list[dict[str, Any]]:
    """Return what `saero contradictions` finds in a refreshed copy of the example corpus."""
    with tempfile.TemporaryDirectory() as home:
        settings = copy_corpus(Path(home))
        shutil.copy(PLANTED, Path(home) / "examples" / "corpus" / "공유자료")
        for words in (["refresh"], ["contradictions", "--json"]):
            command = [sys.executable, "-m", "saero.cli", *words]
            done = subprocess.run(
                command, env=environment(settings), capture_output=True, encoding="utf-8", check=False
            )
            if done.returncode:
                raise SystemExit(f"saero {words[0]} failed: {done.stderr.strip()}")
    report: dict[str, Any] = json.loads(done.stdout)
    print(f"example corpus: {report['stating']} of {report['passages']} passages state values")
    return list(report["contradictions"])


def show_corpus(found: list[dict[str, Any]]) -> None:
    """Print each finding beside its judgement."""
    judged = {tuple(row["values"]): row for row in tomllib.loads(JUDGED.read_text(encoding="utf-8"))["finding"]}
    counts: Counter[str] = Counter()
    for row in found:
        known = judged.get((row["a"]["value"], row["b"]["value"]), {"judgement": "not judged yet", "why": ""})
        counts[known["judgement"]] += 1
        print(f"  {known['judgement']}: {row['attribute']} ({known['why']})")
        for side in ("a", "b"):
            print(f"    {row[side]['source']}/{row[side]['path']}: {row[side]['clause']}")
    planted = sum(any(row[side]["path"] == PLANTED.name for side in ("a", "b")) for row in found)
    print(
        f"planted found: {planted} of {PLANTED_VALUES}; other findings: {len(found) - planted}; judged: {dict(counts)}"
    )


def speed() -> None:
    """Print what reading a passage and comparing two costs, over the texts of the example corpus."""
    texts = [file.read_text(encoding="utf-8") for file in sorted((HERE.parents[1] / "examples/texts").rglob("*.md"))]
    passages = [text[start : start + 600] for text in texts for start in range(0, len(text), 600)]
    stated(passages[0])  # Kiwi is loaded here
    begin = time.process_time()
    read = [stated(text) for text in passages]
    reading = time.process_time() - begin
    begin = time.process_time()
    for n, values in enumerate(read):
        for other in read[n + 1 :]:
            contradictions(values, other)
    pairs = len(read) * (len(read) - 1) // 2
    comparing = time.process_time() - begin
    print(f"read {len(read)} passages of 600 characters: {1e3 * reading / len(read):.1f} ms each, once per passage")
    print(f"compared {pairs} pairs of all their values: {1e6 * comparing / pairs:.0f} us each")


def main() -> None:
    """Judge files, print figures, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("files", nargs="*", type=Path, help=f"files of pairs (default: {FIRST_HALF.name})")
    options.add_argument("--unseen", action="store_true", help="judge what others wrote unseen too")
    options.add_argument("--wrong", action="store_true", help="show the pairs that are judged wrongly")
    options.add_argument("--corpus", action="store_true", help="show what is found in the example corpus")
    options.add_argument("--speed", action="store_true", help="show what reading and comparing cost")
    chosen = options.parse_args()
    files = chosen.files or [FIRST_HALF, *(file for file in UNSEEN if chosen.unseen and file.exists())]
    figures = [figure for file in files for figure in judge(file, print if chosen.wrong else _quiet).figures()]
    for figure in figures:
        print(figure.line())
    if chosen.speed:
        speed()
    if chosen.corpus:
        show_corpus(corpus())
    raise SystemExit(0 if all(figure.met for figure in figures) else 1)


def _quiet(line: str) -> None:
    """Say nothing."""


if __name__ == "__main__":
    main()
