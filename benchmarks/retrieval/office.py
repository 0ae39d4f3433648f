"""Documents of an office, written by hand, and questions about them: two halves by two writers.

benchmarks/retrieval/office/HALF/docs holds the documents, HALF/questions.toml the questions. Nobody who tuned anything
had seen the second half. Both halves are read, compared, cut, embedded and indexed by `saero refresh`, as one team's.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from vectors import CACHE, PROJECT, STATE, make_cache

from pipelines.search import Wanted
from resources.build import Saero, build
from resources.searcher import Searcher
from saero.commands.search import _report

FOLDER = Path(__file__).resolve().parent / "office"
HALVES = ("first", "second")


@dataclass(frozen=True, slots=True)
class OfficeQuestion:
    """A question; `documents` are the "half/path" of any one that answers it, none when nothing does."""

    half: str
    kind: str
    text: str
    documents: frozenset[str]
    answers: tuple[str, ...]


def questions(half: str) -> list[OfficeQuestion]:
    """Return the questions of one half, in the file's order; none before it is written."""
    file = FOLDER / half / "questions.toml"
    if not file.is_file():
        return []
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["questions"]
    return [_question(half, row) for row in rows]


def _question(half: str, row: Mapping[str, Any]) -> OfficeQuestion:
    named = [] if row.get("unanswered") else [row["document"], *row.get("also", ())]
    answers = row.get("answer", ())
    return OfficeQuestion(
        half=half,
        kind=row["kind"],
        text=row["query"],
        documents=frozenset(f"{half}/{name}" for name in named),
        answers=(answers,) if isinstance(answers, str) else tuple(answers),
    )


def place(row: Mapping[str, Any]) -> str:
    """Return the document of a row, as questions name it."""
    return f"{row['source']}/{row['path']}"


def team() -> Saero:
    """Refresh the team of both halves and return its handles; vectors stay in the cache between runs."""
    make_cache()
    home = CACHE / "office"
    (home / "state").mkdir(parents=True, exist_ok=True)
    models = home / "state" / "models"
    if not models.exists():
        models.symlink_to(STATE / "models", target_is_directory=True)
    there = [half for half in HALVES if (FOLDER / half / "docs").is_dir()]
    sources = [f'[sources."{half}"]\npath = {json.dumps(str(FOLDER / half / "docs"))}\n' for half in there]
    settings = home / "saero.toml"
    settings.write_text('state = "state"\n' + "\n".join(sources), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "saero.cli", "--config", str(settings), "refresh", "--publish", "--json"],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        check=False,
        encoding="utf-8",
    )
    if done.returncode:
        raise SystemExit(f"the refresh of the office documents ended with {done.returncode}")
    return build(str(settings))


def snippets(question: OfficeQuestion, team: Saero, searcher: Searcher) -> list[str]:
    """Return the snippets of the first three results, as `saero search --all --json` gives them."""
    now = datetime.now(UTC)
    ranking = searcher.search([question.text], now=now, wanted=Wanted(top_k=3, weak_too=True))
    return [one["snippet"] for one in _report(team, searcher, [question.text], ranking, now, full=False)["results"]]


def holds(question: OfficeQuestion, text: str) -> bool:
    """Tell whether a text holds an answer, white space aside."""
    plain = "".join(text.split()).lower()
    return any("".join(answer.split()).lower() in plain for answer in question.answers)
