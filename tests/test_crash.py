"""Nights that are killed or find the disk full, weeks of nights, and a reader beside them (benchmarks/crash, in short).

What forks its runs is played in a process of its own: here other tests have opened tables, whose threads no fork has.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CRASH = Path(__file__).resolve().parent.parent / "benchmarks" / "crash"
sys.path[:0] = [str(CRASH)]
sys.path.append(str(CRASH.parent / "dedup"))

from chain import quiet  # noqa: E402
from events import Story  # noqa: E402
from oracle import Oracle  # noqa: E402
from year import play_year  # noqa: E402


@pytest.fixture
def silent() -> Iterator[None]:
    quiet()
    yield
    logging.disable(logging.NOTSET)


def played(part: str, *options: str, folder: Path) -> str:
    """Play a part of the benchmark; below a bar it ends with 1 and says what differs."""
    command = [sys.executable, str(CRASH / part), *options, "--folder", str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=600)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_twenty_killed_nights_end_as_if_nothing_had_happened(tmp_path: Path) -> None:
    said = played("run.py", "--rounds", "20", "--full", "0", "--seed", "11", folder=tmp_path)
    assert "runs killed" in said and "DIFFERS" not in said


def test_nights_without_room_say_so_and_end_as_if_nothing_had_happened(tmp_path: Path) -> None:
    said = played("run.py", "--rounds", "0", "--full", "3", "--seed", "11", folder=tmp_path)
    assert "runs without room" in said and "DIFFERS" not in said


@pytest.mark.usefixtures("silent")
def test_every_night_of_two_weeks_is_as_the_events_say(tmp_path: Path) -> None:
    year = play_year(tmp_path / "team", 14, seed=119)
    assert year.nights == 14 and year.differences == [] and year.again == 0
    assert {"unmounted", "mounted again", "broken", "clock set back", "expiring", "next version"} <= year.events.keys()


def test_a_reader_sees_whole_documents_through_refreshes_that_replace_them_all(tmp_path: Path) -> None:
    said = played("readers.py", "--refreshes", "3", "--documents", "5", folder=tmp_path)
    assert "mixed answers" in said


def test_the_same_seed_tells_the_same_story_and_the_oracle_needs_nothing_else() -> None:
    def told() -> list[object]:
        story, oracle = Story(5, clock=True).nights(), Oracle()
        return [oracle.night(next(story)) for _ in range(40)]

    assert told() == told()
