"""When the schedule calls next, and when a night is missing."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pipelines.cron import is_missed, next_call

SEOUL = ZoneInfo("Asia/Seoul")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=SEOUL)


@pytest.mark.parametrize(
    ("cron", "after", "call"),
    [
        ("0 2 * * *", "2026-11-30 02:00", "2026-12-01 02:00"),
        ("0 2 * * *", "2026-11-30 01:59", "2026-11-30 02:00"),
        ("*/15 9-17 * * *", "2026-11-30 09:50", "2026-11-30 10:00"),
        ("30 1,13 * * *", "2026-11-30 02:00", "2026-11-30 13:30"),
        ("0 2 * * 1-5", "2026-11-27 03:00", "2026-11-30 02:00"),  # Friday to Monday
        ("0 2 * * mon-fri", "2026-11-27 03:00", "2026-11-30 02:00"),
        ("0 2 * * 7", "2026-11-27 03:00", "2026-11-29 02:00"),
        ("0 2 1 * *", "2026-11-30 03:00", "2026-12-01 02:00"),
        ("0 2 1 JAN *", "2026-11-30 03:00", "2027-01-01 02:00"),
        ("0 2 15 * 1", "2026-12-08 03:00", "2026-12-14 02:00"),  # either day is enough
        ("0 2 29 2 *", "2026-11-30 03:00", "2028-02-29 02:00"),
        ("5/20 2 * * *", "2026-11-30 02:06", "2026-11-30 02:25"),
    ],
)
def test_the_next_call(cron: str, after: str, call: str) -> None:
    assert next_call(cron, at(after), SEOUL) == at(call)


def test_a_day_that_never_comes_is_never_missed() -> None:
    assert next_call("0 2 31 2 *", at("2026-11-30 02:00"), SEOUL) is None
    assert not is_missed(at("2026-11-30 02:00"), at("2030-11-30 02:00"), "0 2 31 2 *", SEOUL)


def test_a_night_is_missing_after_26_hours_and_not_while_the_schedule_rests() -> None:
    ended = at("2026-11-27 02:40")
    assert not is_missed(ended, ended + timedelta(hours=26), "0 2 * * *", SEOUL)
    assert is_missed(ended, ended + timedelta(hours=26, minutes=1), "0 2 * * *", SEOUL)
    assert not is_missed(ended, at("2026-11-30 04:00"), "0 2 * * 1-5", SEOUL)
    assert is_missed(ended, at("2026-11-30 04:01"), "0 2 * * 1-5", SEOUL)
    assert not is_missed(ended, ended + timedelta(hours=25), "0 * * * *", SEOUL)
