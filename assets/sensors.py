"""Mail when a run fails or doesn't come. The stock sensor can't send Korean text or use a plain relay."""

from datetime import UTC, datetime

import dagster as dg

from assets.partitions import saero
from assets.stages.mail import tell_failure, tell_missing


@dg.run_failure_sensor(
    name="mail_on_failure",
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Puts an urgent mail into the outbox and sends it.",
)
def mail_on_failure(context: dg.RunFailureSensorContext) -> None:
    """Tell of a failed run once: the Message-ID comes from the run id, so a run that told by itself is not repeated."""
    run = context.dagster_run
    step = next((event.step_key for event in context.get_step_failure_events()), None)
    tell_failure(saero(), run_id=run.run_id, stage=step or "start")


@dg.sensor(
    name="mail_on_missing_run",
    minimum_interval_seconds=3600,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Mails once when the nightly run didn't come for 26 hours; nothing for whoever refreshes by hand.",
)
def mail_on_missing_run() -> dg.SkipReason:
    """Look every hour; it launches nothing."""
    missing = tell_missing(saero(), datetime.now(UTC))
    return dg.SkipReason("the nightly run is missing" if missing else "no nightly run is missing")
