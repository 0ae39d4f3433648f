from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pipelines.duration import Duration, parse_duration

SEOUL = ZoneInfo("Asia/Seoul")


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("P14D", Duration(days=14)),
        ("P2W", Duration(days=14)),
        ("P6M", Duration(months=6)),
        ("P1Y", Duration(months=12)),
        ("PT36H", Duration(time=timedelta(hours=36))),
        ("PT30M", Duration(time=timedelta(minutes=30))),
        ("PT140S", Duration(time=timedelta(seconds=140))),
        ("PT0S", Duration()),
        ("P1Y2M3W4DT5H6M7S", Duration(14, 25, timedelta(hours=5, minutes=6, seconds=7))),
    ],
)
def test_durations_are_read(text: str, duration: Duration) -> None:
    assert parse_duration(text) == duration


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "P14D"),
        ("P", "P14D"),
        ("14", "P14D"),
        ("p14d", "in capitals: P14D"),
        ("P36H", "after T"),
        ("P1.5D", "whole numbers"),
        ("-P1D", "no sign"),
        ("P1DT", "nothing after T"),
        ("PT", "nothing after T"),
        ("P1D2W", "P14D"),
        ("P2026Y", "100 years"),
        ("PT99999999999999H", "100 years"),
        ("two weeks", "P14D"),
    ],
)
def test_what_is_no_duration_is_explained(text: str, hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        parse_duration(text)


@pytest.mark.parametrize(
    ("start", "text", "end"),
    [
        ("2026-01-31T09:00", "P1M", "2026-02-28T09:00"),
        ("2024-02-29T09:00", "P1Y", "2025-02-28T09:00"),
        ("2026-11-15T09:00", "P2M", "2027-01-15T09:00"),
        ("2026-12-31T23:30", "P1DT1H", "2027-01-02T00:30"),
    ],
)
def test_months_follow_the_calendar_of_the_zone(start: str, text: str, end: str) -> None:
    moment = datetime.fromisoformat(start).replace(tzinfo=SEOUL).astimezone(UTC)
    after = parse_duration(text).after(moment, SEOUL)
    assert after == datetime.fromisoformat(end).replace(tzinfo=SEOUL) and after.tzinfo is UTC


def test_a_day_is_a_day_on_the_wall_clock_where_summer_time_begins() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    noon = datetime(2026, 3, 28, 12, tzinfo=berlin)
    assert parse_duration("P1D").after(noon, berlin) - noon.astimezone(UTC) == timedelta(hours=23)
    assert parse_duration("PT24H").after(noon, berlin) - noon.astimezone(UTC) == timedelta(hours=24)
