"""Texts of an answer that erodes: each scores a twentieth less than the one before."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from nights import RecordedEncoder, published_scores
from office import FOLDERS, LIBRARY, Fact, diluted, page

STEP, _NEAR, _LOWEST = 0.05, 0.025, 0.4


def ladders(home: Path, facts: Sequence[Fact], now: datetime, encoder: RecordedEncoder) -> dict[int, list[str]]:
    """Return fact number -> texts whose scores fall in steps of STEP, chosen by how the product scores each."""
    places: dict[str, tuple[Fact, str]] = {}
    for fact in facts:
        for number, text in enumerate([page(fact), *diluted(fact)]):
            places[f"{LIBRARY}/{fact.number}/{number}.md"] = (fact, text)
    for name in (*FOLDERS, LIBRARY):
        (home / "docs" / name).mkdir(parents=True)
    for place, (_, text) in places.items():
        path = home / "docs" / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    asked = {place: fact.question for place, (fact, _) in places.items()}
    scores = published_scores(home, now, encoder, asked)
    shutil.rmtree(home)
    return {fact.number: _chosen(fact, places, scores) for fact in facts}


def _chosen(fact: Fact, places: dict[str, tuple[Fact, str]], scores: dict[str, float]) -> list[str]:
    """Return the text nearest to each rung, as long as there is one."""
    own = {place: scores[place] for place, (of, _) in places.items() if of == fact and place in scores}
    wanted = own[f"{LIBRARY}/{fact.number}/0.md"] - STEP
    chosen: list[str] = []
    while wanted > _LOWEST:
        place = min(own, key=lambda place: abs(own[place] - wanted))
        if abs(own[place] - wanted) <= _NEAR:
            chosen.append(places[place][1])
        wanted -= STEP
    return chosen
