"""Rounds of nights that are struck: killed, or without room on the disk."""

from __future__ import annotations

import importlib
import random
import shutil
import time
from pathlib import Path

from chain import quiet
from disks import mount_small, unmount
from score import STRUCK, Score
from struck import StruckTeam

from pipelines.tokens import tokens

NIGHTS = 100  # of one team; what nothing needs leaves the ledger after 90


def kills(folder: Path, rounds: int, seed: int) -> Score:
    """Play `rounds` nights that are killed, half at named points, half at random moments."""
    score, begun = Score(), time.monotonic()
    team, nights, dice = None, 0, random.Random(seed)
    while score.struck.total() < rounds:
        if team is None or nights == NIGHTS:
            shutil.rmtree(folder, ignore_errors=True)
            team, nights = StruckTeam(folder, seed, score), 0
            seed += 1000
        team.round(dice.choice(("point", "moment")))
        nights += 1
    shutil.rmtree(folder, ignore_errors=True)
    score.seconds = time.monotonic() - begun
    return score


def full_disks(folder: Path, rounds: int, seed: int) -> Score:
    """Play `rounds` nights that find no room to write."""
    score, begun = Score(), time.monotonic()
    mounted = mount_small(folder / "state")
    ways = STRUCK[2:] if mounted else STRUCK[3:]
    try:
        team, turn = StruckTeam(folder, seed, score), 0
        while score.struck.total() < rounds:
            team.round(ways[turn % len(ways)])
            turn += 1  # whether it struck or not: a way that seldom strikes must not keep the others waiting
    finally:
        if mounted:
            unmount(folder / "state")
        shutil.rmtree(folder, ignore_errors=True)
    score.seconds = time.monotonic() - begun
    return score


def warm() -> None:
    """Import all that a run needs, and load Kiwi, so that no child has to; nothing of a team is opened."""
    ours = ("resources.index", "resources.reader", "resources.mailer", "resources.quality", "resources.searcher")
    for name in ("duckdb", "great_expectations", "lance", "lancedb", "lancedb.index", *ours):
        importlib.import_module(name)
    tokens("결제 승인")
    quiet()
