"""Mail when a run fails. The stock sensor can't send Korean text or use a plain relay."""

import dagster as dg

from assets.partitions import saero
from assets.stages.mail import tell_failure


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
