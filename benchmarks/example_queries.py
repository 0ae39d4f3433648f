"""Ask the questions of example_queries.toml and judge the answers.

    saero refresh && python benchmarks/example_queries.py [--config saero.toml] [--cli] [--json FILE]

One searcher answers all of them, in seconds; --cli starts `saero search` for each, as a person does, in minutes.
Bars: the expected document is first for at least BAR_FIRST of the answerable questions and among the first three for
all of them, and every question without an answer is said to be unanswerable. Exit code 1 below a bar.
"""

from __future__ import annotations

import argparse
import functools
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipelines.search import Wanted
from resources.build import build
from resources.searcher import Searcher

QUESTIONS = Path(__file__).with_suffix(".toml")
# At least 23 of 25: the share that a team member would call reliable.
BAR_FIRST = 0.92
TOP = 3


@dataclass(frozen=True, slots=True)
class Question:
    """A question, what it tests, and the documents that answer it (none: unanswerable)."""

    query: str
    kind: str
    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What search said: the rank of the expected document (None beyond the top three) and the document on top."""

    question: Question
    answerable: bool
    rank: int | None
    score: float
    top: str

    @property
    def right(self) -> bool:
        """First for a question with an answer, refused for one without."""
        return self.rank == 1 if self.question.expected else not self.answerable


def read_questions(file: Path = QUESTIONS) -> list[Question]:
    """Return the questions of the TOML file."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["questions"]
    return [Question(row["query"], row["kind"], tuple(row["expected"])) for row in rows]


def ask_searcher(question: Question, searcher: Searcher, *, weak: bool = False) -> dict[str, Any]:
    """Return what of the JSON answer is judged, without a process of its own."""
    ranking = searcher.search([question.query], now=datetime.now(UTC), wanted=Wanted(top_k=TOP, weak_too=weak))
    hits = [
        {"source": hit.row["source"], "path": hit.row["path"], "also_in": hit.also_in, "score": hit.score}
        for hit in ranking.results
    ]
    return {"answerable": ranking.answerable, "results": hits}


def ask_command(question: Question, config: str, *, weak: bool = False) -> dict[str, Any]:
    """Return the JSON answer of the command line; raises SystemExit with its message when it fails."""
    command = [sys.executable, "-m", "saero.cli", *(["--config", config] if config else [])]
    command += ["search", question.query, "--json", "--top-k", str(TOP), *(["--all"] if weak else [])]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise SystemExit(f"saero search failed ({done.returncode}): {done.stderr.strip()}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def asker(config: str, *, cli: bool, weak: bool) -> Callable[[Question], dict[str, Any]]:
    """Return the way to ask."""
    if cli:
        return functools.partial(ask_command, config=config, weak=weak)
    saero = build(config or None)
    return functools.partial(ask_searcher, searcher=Searcher(saero.reader(), saero.query_encoder), weak=weak)


def judge(question: Question, found: dict[str, Any]) -> Answer:
    """Compare the answer with what was expected; a duplicate named in `also_in` counts."""
    results = found["results"][:TOP]
    rank = next((n for n, hit in enumerate(results, 1) if _names(hit) & set(question.expected)), None)
    top = f"{results[0]['source']}/{results[0]['path']}" if results else ""
    return Answer(question, bool(found["answerable"]), rank, float(results[0]["score"]) if results else 0.0, top)


def _names(hit: dict[str, Any]) -> set[str]:
    return {f"{place['source']}/{place['path']}" for place in (hit, *hit.get("also_in", ()))}


def figures(answers: list[Answer]) -> dict[str, int]:
    """Count: questions with an answer, those first and among the first three, those without and refused."""
    known = [answer for answer in answers if answer.question.expected]
    unknown = [answer for answer in answers if not answer.question.expected]
    return {
        "answerable": len(known),
        "rank1": sum(answer.rank == 1 for answer in known),
        "top3": sum(answer.rank is not None for answer in known),
        "said_answerable": sum(answer.answerable for answer in known),
        "unanswerable": len(unknown),
        "refused": sum(not answer.answerable for answer in unknown),
    }


def passed(counts: dict[str, int]) -> bool:
    """Tell whether every bar is reached."""
    first = counts["rank1"] >= BAR_FIRST * counts["answerable"]
    return first and counts["top3"] == counts["answerable"] and counts["refused"] == counts["unanswerable"]


def main() -> None:
    """Ask everything, print the table and the figures, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--config", default="", help="settings file (default: saero.toml here)")
    options.add_argument("--all", action="store_true", help="look at weak results too, as `saero search --all` does")
    options.add_argument("--cli", action="store_true", help="start `saero search` for each question")
    options.add_argument("--json", default="", help="also write the answers to this file")
    chosen = options.parse_args()
    ask = asker(chosen.config, cli=chosen.cli, weak=chosen.all)
    answers = []
    for question in read_questions():
        answer = judge(question, ask(question))
        answers.append(answer)
        mark = "ok" if answer.right else "--"
        print(f"{mark} {answer.rank or '-'} {answer.score:.2f} {question.kind:18} {question.query}")
        if not answer.right:
            print(f"       got {answer.top}, expected {', '.join(question.expected) or 'no answer'}")
    counts = figures(answers)
    print(" ".join(f"{name}={count}" for name, count in counts.items()))
    if chosen.json:
        report = {"figures": counts, "answers": [asdict(answer) for answer in answers]}
        Path(chosen.json).write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
    raise SystemExit(0 if passed(counts) else 1)


if __name__ == "__main__":
    main()
