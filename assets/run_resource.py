"""The run as a Dagster resource: opened once before the first step, closed after the last, also on failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import dagster as dg

from assets.partitions import saero
from resources.build import WAIT_SCHEDULED, Options, Run, open_run
from resources.progress import Step

# Dagster's tag of runs that a schedule launched.
SCHEDULE_NAME = "dagster/schedule_name"


def run_resource(
    *,
    wait: timedelta = WAIT_SCHEDULED,
    options: Options | None = None,
    listener: Callable[[Step], None] | None = None,
    keep: Callable[[Run], Any] | None = None,
) -> dg.ResourceDefinition:
    """Return the resource that holds refresh.lock for a run; `keep` is handed the run before it closes."""

    def open_it(context: dg.InitResourceContext) -> Iterator[Run]:
        of = context.run
        run_id, trigger = (of.run_id, of.tags.get(SCHEDULE_NAME, of.job_name)) if of else ("no-run", "materialize")
        with open_run(saero(), run_id, trigger=trigger, wait=wait, options=options, listener=listener) as run:
            if keep:
                keep(run)
            yield run

    return dg.ResourceDefinition(resource_fn=open_it, description="One run under refresh.lock")
