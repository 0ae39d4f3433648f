"""KorQuAD 1.0 dev as a corpus: its paragraphs as documents, cut by our own chunker, with its questions.

KorQuAD isn't ours to pass on: it is read from SAERO_EVAL, or ../shared/eval beside the checkout, and nothing made of
it is kept in the repository.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vectors import PROJECT

FILE = "KorQuAD_v1.0_dev.json"
# Runs of words that only copies share: Wikipedia repeats itself, and ten of the paragraphs stand in another one too.
RUN = 20


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A document: the article's title and one of its paragraphs."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the paragraphs that hold its answer (the one it was written for and copies of it), and the answer."""

    text: str
    golds: frozenset[int]
    answer: str


def paragraphs() -> list[Paragraph] | None:
    """Return the paragraphs in the file's order, None without the file."""
    data = _data()
    if data is None:
        return None
    return [Paragraph(one["title"].replace("_", " "), part["context"]) for one in data for part in one["paragraphs"]]


def questions(texts: Sequence[Paragraph]) -> list[Asked]:
    """Return the questions in the file's order."""
    data = _data() or []
    copies = copies_of([paragraph.text for paragraph in texts])
    parts = [part for article in data for part in article["paragraphs"]]
    return [
        Asked(asked["question"], copies[number], asked["answers"][0]["text"])
        for number, part in enumerate(parts)
        for asked in part["qas"]
    ]


def copies_of(texts: Sequence[str]) -> list[frozenset[int]]:
    """Return for every text those that share a run of RUN words with it, itself included."""
    owners: dict[tuple[str, ...], set[int]] = {}
    runs: list[list[tuple[str, ...]]] = []
    for number, text in enumerate(texts):
        words = text.split()
        runs.append([tuple(words[start : start + RUN]) for start in range(max(len(words) - RUN + 1, 1))])
        for run in runs[-1]:
            owners.setdefault(run, set()).add(number)
    return [frozenset().union(*(owners[run] for run in found)) for found in runs]


def _data() -> list[dict[str, object]] | None:
    folder = Path(os.environ.get("SAERO_EVAL") or PROJECT.parent / "shared" / "eval")
    file = folder / FILE
    return json.loads(file.read_text(encoding="utf-8"))["data"] if file.is_file() else None
