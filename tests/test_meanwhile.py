"""Vectors that take long: words answer first, batches are published, a night ends when it should."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fakes import FakeEncoder
from team import Team, prose

from assets.stages import meanwhile
from assets.stages.meanwhile import end_of_night
from resources.build import Options

SEOUL = ZoneInfo("Asia/Seoul")


@pytest.fixture
def team(tmp_path: Path) -> Team:
    made = Team(tmp_path)
    for number in range(60):
        made.write(f"개발/{number}.md", prose(str(number), paragraphs=8))
    return made


def publications(team: Team) -> list[int]:
    """Return how many rows with a vector each publication of the last run had."""
    return [row["rows"] for row in team.ask("select rows from publications order by published_at")]


def with_vector(team: Team) -> tuple[int, int]:
    rows = team.rows()
    return sum(row["vector"] is not None for row in rows), len(rows)


class Watched(FakeEncoder):
    """Notes what readers see while it works."""

    def __init__(self, team: Team) -> None:
        super().__init__()
        self.seen: list[tuple[int, int]] = []
        self._team = team

    def embed_passages(self, texts, on_batch=None):  # type: ignore[no-untyped-def]
        if (self._team.home / "state/index/published.json").exists():
            self.seen.append(with_vector(self._team))
        return super().embed_passages(texts, on_batch)


def test_a_long_first_load_answers_by_its_words_before_there_is_a_vector(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meanwhile, "WORDS_FIRST", 100)
    team.settings({"개발": "", "정책": ""}, '[schedule]\npublish_every = "PT0S"\n')
    team.encoder = watched = Watched(team)
    run = team.night()
    vectors, rows = with_vector(team)
    assert vectors == rows == run.counts["chunks"]["added"] > 256
    assert [seen for seen, _ in watched.seen] == [0, 256]
    assert all(there == rows for _, there in watched.seen)


def test_a_short_first_load_is_published_once(team: Team) -> None:
    team.night()
    assert len(publications(team)) == 1


def test_a_night_ends_when_the_settings_say_and_the_next_goes_on(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    team.settings({"개발": "", "정책": ""}, '[schedule]\nstop_by = "07:00"\n')
    dawn = datetime.now(UTC) + timedelta(days=2)
    batches = iter([dawn - timedelta(days=2)] * 2 + [dawn] * 9)
    with monkeypatch.context() as patch:
        patch.setattr(meanwhile, "_now", lambda: next(batches))
        first = team.night()
    assert first.published and first.embedded == 256
    second = team.night()
    vectors, rows = with_vector(team)
    assert vectors == rows == 256 + second.embedded and len(team.encoder.embedded) == rows


def test_a_person_may_end_one_night_earlier(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = datetime.now(UTC).astimezone(SEOUL)
    end = (begun + timedelta(hours=2)).replace(second=0, microsecond=0)
    moments = iter([begun] * 2 + [end] * 9)
    with monkeypatch.context() as patch:
        patch.setattr(meanwhile, "_now", lambda: next(moments))
        first = team.night(options=Options(stop_by=f"{end:%H:%M}"))
    assert first.published and first.embedded == 256
    assert team.night().embedded > 0


def test_another_encoder_is_shown_when_it_has_all_its_vectors(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    team.night()
    before = team.served()
    team.settings({"개발": "", "정책": ""}, '[schedule]\nstop_by = "07:00"\npublish_every = "PT0S"\n')
    team.encoder = FakeEncoder("words@2")
    dawn = datetime.now(UTC) + timedelta(days=2)
    moments = iter([dawn - timedelta(days=2)] * 2 + [dawn] * 9)
    team.file("개발/0.md").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(meanwhile, "_now", lambda: next(moments))
        first = team.night()
    assert first.held is not None and "new encoder" in first.held and first.embedded == 256
    assert {row["encoder_id"] for row in team.rows()} == {"words@1"}
    assert team.served().keys() == before.keys() - {"개발/0.md"}
    assert team.night().published and {row["encoder_id"] for row in team.rows()} == {"words@2"}


@pytest.mark.parametrize(
    ("begun", "stop_by", "end"),
    [
        ("2026-11-30T02:00", "07:00", "2026-11-30T07:00"),
        ("2026-11-30T23:30", "07:00", "2026-12-01T07:00"),
        ("2026-11-30T07:00", "07:00", "2026-12-01T07:00"),
        ("2026-11-30T02:00", "", None),
    ],
)
def test_a_night_ends_at_the_next_time_the_clock_shows_it(begun: str, stop_by: str, end: str | None) -> None:
    expected = datetime.fromisoformat(end).replace(tzinfo=SEOUL) if end else None
    assert end_of_night(datetime.fromisoformat(begun).replace(tzinfo=SEOUL), stop_by) == expected
