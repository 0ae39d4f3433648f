"""Identifiers among near variants of themselves: the passage that holds the one that was asked for must be first.

The cases are identifiers.toml, ours, and those of SAERO_PROTOTYPES or ../shared/prototypes when they are there; every
third paragraph of KorQuAD stands around them.
"""

from __future__ import annotations

import ast
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus import Document
from vectors import PROJECT

OWN = Path(__file__).with_suffix(".toml")
SHARED = "retrieval/exactset.py"


@dataclass(frozen=True, slots=True)
class Identifier:
    """What is asked, the passage that holds it, and passages that nearly do."""

    query: str
    passage: str
    near: tuple[str, ...]


def own() -> list[Identifier]:
    """Return our own cases."""
    rows = tomllib.loads(OWN.read_text(encoding="utf-8"))["cases"]
    return [Identifier(row["query"], row["passage"], tuple(row["near"])) for row in rows]


def shared() -> list[Identifier]:
    """Return the cases of the prototype's script, which is read and not run; none when it isn't there."""
    folder = Path(os.environ.get("SAERO_PROTOTYPES") or PROJECT.parent / "shared" / "prototypes")
    file = folder / SHARED
    if not file.is_file():
        return []
    tree = ast.parse(file.read_text(encoding="utf-8"))
    named = (one for one in tree.body if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name))
    cases = next(ast.literal_eval(one.value) for one in named if one.targets[0].id == "CASES")  # type: ignore[attr-defined]
    return [Identifier(query, passage, tuple(near)) for query, passage, near in cases]


def documents(cases: Sequence[Identifier]) -> list[Document]:
    """Return every passage as a document of its own; the key of the one that holds the query is the query."""
    held = [Document(case.query, "", case.passage) for case in cases]
    return held + [Document(f"near {case.query} {n}", "", text) for case in cases for n, text in enumerate(case.near)]
