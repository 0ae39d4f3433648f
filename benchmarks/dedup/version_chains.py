"""A seeded generator of office folders with the truth about which document is a newer state of which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from generator import Prose
from version_scenes import SCENES, Desk, Made

SEED = 20261130
# Scenes of one folder: three dozen documents, several of them named nearly alike.
SCENES_A_FOLDER = 12


@dataclass(frozen=True, slots=True)
class Folder:
    """A source of documents, in an order that says nothing."""

    name: str
    documents: tuple[Made, ...]


def folders(count: int, seed: int = SEED) -> Iterator[Folder]:
    """Yield `count` folders; the same seed gives the same ones."""
    prose = Prose(seed)
    forms: dict[str, str] = {}
    weights = np.array([weight for _, weight in SCENES], dtype=float)
    for number in range(count):
        desk = Desk(prose, forms)
        drawn = prose.rng.choice(len(SCENES), SCENES_A_FOLDER, p=weights / weights.sum())
        made = [
            replace(document, scene=SCENES[place][0].__name__) for place in drawn for document in SCENES[place][0](desk)
        ]
        yield Folder(f"{number:03d}", tuple(_shuffled(prose, _distinct(made))))


def _distinct(made: Sequence[Made]) -> list[Made]:
    """Leave out documents whose place is taken."""
    return list({document.name: document for document in reversed(made)}.values())


def _shuffled(prose: Prose, made: Sequence[Made]) -> list[Made]:
    return [made[place] for place in prose.rng.permutation(len(made)).tolist()]


def label(older: Made, newer: Made) -> str:
    """Return what the published rule wants for two documents: "auto", "review" or "none"."""
    if older.thread != newer.thread or older.text == newer.text or newer.order <= older.order:
        return "none"
    if not older.lane or older.lane != newer.lane or older.standing == "approved" or newer.standing == "draft":
        return "review"
    if len(newer.text) * 2 < len(older.text):
        return "review"
    # Where names have days, they are those of the moments.
    backwards = newer.moment < older.moment or bool(older.clock and newer.clock and newer.clock < older.clock)
    return "review" if backwards else "auto"
