"""A schedule that the settings accept is one that Dagster accepts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from resources.settings import ScheduleSettings


@pytest.mark.parametrize(
    "cron",
    ["0 2 * * *",
     "*/15 2-4,22 1 JAN mon-fri", "0 2 * * 7", "0 2 * * 5-7", "0 2 29 2 *", "0 2 31 1-2 *", "00 02 * * sun",
     "0-59/20 2 * * *", "5/15 * * * *"],
)  # fmt: skip
def test_schedules_of_cron_are_accepted(cron: str) -> None:
    assert ScheduleSettings(cron=cron).cron == cron


@pytest.mark.parametrize(
    ("cron", "field"),
    [("0 2 * * foo", "weekday"), ("0 2 foo * *", "day"), ("0 2 jan * *", "day"), ("0 2 * mon *", "month"),
     ("10-5 2 * * *", "minute"), ("0 2 * * fri-mon", "weekday"), ("0 2 * dec-jan *", "month"), ("60 2 * * *", "minute"),
     ("0 24 * * *", "hour"), ("0 2 0 * *", "day"), ("0 2 * 13 *", "month"), ("0 2 * * 8", "weekday"),
     ("*/0 2 * * *", "minute"), ("*/60 2 * * *", "minute"), ("0 2 ٣ * *", "day"), ("0 2 1, * *", "day"),
     ("* * * * 0-0", "weekday"), ("0 0-5/9 * * *", "hour"), ("0 2 30 2 *", "never"),
     ("0 2 31 feb,apr *", "never"), ("@daily", "five fields"), ("", "five fields")],
)  # fmt: skip
def test_what_cron_does_not_know_is_refused_by_name(cron: str, field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        ScheduleSettings(cron=cron)


FIELD = st.from_regex(r"(\*|[0-9]{1,2}|[a-z]{3})(-([0-9]{1,2}|[a-z]{3}))?(/[0-9]{1,2})?", fullmatch=True)
WORDS = st.sampled_from(["*", "jan", "feb-mar", "mon-fri", "sat-sun", "31", "30", "2", "1-7/2", "*/12", "7"])


@pytest.mark.dagster
@settings(deadline=None)  # the first call imports Dagster
@given(st.lists(FIELD | WORDS, min_size=5, max_size=5).map(" ".join))
def test_dagster_takes_every_schedule_that_the_settings_take(cron: str) -> None:
    import dagster as dg

    try:
        ScheduleSettings(cron=cron)
    except ValidationError:
        return
    assert dg.ScheduleDefinition(name="nightly", job_name="nightly", cron_schedule=cron).cron_schedule == cron
