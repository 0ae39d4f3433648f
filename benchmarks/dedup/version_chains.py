"""A seeded generator of office folders with the truth about which document is a newer state of which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from generator import Prose
from version_desk import Desk, Made
from version_names import (
    CONTRACTS,
    EXPLICIT,
    FORMS,
    GENERATIONS,
    PARTIES,
    PEOPLE,
    RELEASE_NOTES,
    RELEASES,
    SERIES,
    VARIANTS,
)
from version_scenes import SCENES

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


def different_things() -> Iterator[tuple[str, str]]:
    """Yield every pair of names of two things that the generator knows, the second with the higher version.

    Drawn folders hold each of them a few times at most, and most often with texts that tell them apart.
    """
    title = "보안 지침"
    for first, second in GENERATIONS:
        yield f"{first}.docx", f"{second}.docx"
    for first, second in VARIANTS:
        for _, way in EXPLICIT:
            yield _named(way, first.format(t=title), 1), _named(way, second.format(t=title), 2)
    for way in RELEASES:
        yield _named(way.replace("{k}", "{t}"), title, 2), _named(way.replace("{k}", "{t}"), title, 3)
    for way in (*RELEASE_NOTES, *SERIES):
        yield _named(way, "미르", 1), _named(way, "미르", 2)
    for things, owners in ((CONTRACTS, PARTIES), (FORMS, PEOPLE)):
        for thing in things:
            for way in ("{t}_{k}_v{n}", "{t}_v{n}_{k}", "{k}_{t}_v{n}"):
                yield tuple(_named(way.replace("{k}", owners[n]), thing, n) for n in (1, 2))  # type: ignore[misc]


def _named(way: str, title: str, number: int) -> str:
    day = f"2026030{number}"
    return f"{way.format(t=title, p=title, n=number, day=day, person=PEOPLE[0], team='총무')}.docx"
