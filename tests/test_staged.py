"""Stages as Dagster sees them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from team import Team

from assets.staged import remembered, staged
from resources.build import open_run

pytestmark = pytest.mark.dagster


def fall() -> dict[str, Any]:
    raise OSError("the disk is gone")


def outcome(team: Team) -> str:
    (row,) = team.ask("select outcome from runs order by started_at desc limit 1")
    return str(row["outcome"])


def test_a_stage_that_falls_makes_the_run_a_failed_one(tmp_path: Path) -> None:
    team = Team(tmp_path)
    with open_run(team.saero(), "r1", trigger="test", wait=timedelta(0)) as run:
        # Dagster takes the error; the resource that holds the run never sees it.
        with pytest.raises(OSError, match="the disk is gone"):
            staged(run, "gap_analysis", fall)
        with pytest.raises(OSError, match="the disk is gone"), remembered(run, "check"):
            fall()
    assert run.failed_stage == "gap_analysis" and outcome(team) == "failed"


def test_counts_are_shown_and_tables_as_markdown(tmp_path: Path) -> None:
    with open_run(Team(tmp_path).saero(), "r1", trigger="test", wait=timedelta(0)) as run:
        shown = staged(run, "parse", lambda: {"seen": 3, "changes": "| a |"}, tables=("changes",)).metadata
    assert shown == {"seen": 3, "changes": dg.MetadataValue.md("| a |")} and run.failed_stage is None
