"""A night that should have been and wasn't: seen by the next run, or by the hourly sensor."""

from __future__ import annotations

from datetime import datetime

from pipelines.cron import is_missed
from pipelines.records import Finding
from resources.build import Saero
from resources.ledger import nights

HOUR = 3600


def missing_run(saero: Saero, now: datetime, *, this_run: str = "") -> Finding | None:
    """Return the finding when the schedule launched the refresh before this one and has been silent since.

    Whoever refreshes by hand has no schedule that could fail.
    """
    with saero.ledger.transaction("schedule") as con:
        last = nights.last_refresh(con, before=this_run)
    if last is None or last["job"] != nights.SCHEDULE:
        return None
    if not is_missed(last["ended_at"], now, saero.settings.schedule.cron, saero.settings.zone):
        return None
    hours = int((now - last["ended_at"]).total_seconds() // HOUR)
    return Finding("run_missing", detail={"run_id": last["run_id"], "ended": last["ended_at"], "hours": hours})
