"""Jobs and the nightly schedule."""

from collections.abc import Collection

import dagster as dg

from assets.corpus import EVERY_SOURCE, PARTITIONS
from assets.partitions import saero
from pipelines.errors import SettingsError
from resources.build import build

# One process for a run: 10.9 CPU s against 68.7 for five steps in processes of their own, and one ledger, one model.
_ONE_PROCESS = dg.in_process_executor
RANGE_START = "dagster/asset_partition_range_start"
RANGE_END = "dagster/asset_partition_range_end"

nightly_refresh = dg.define_asset_job(
    "nightly_refresh",
    selection=dg.AssetSelection.all(),
    executor_def=_ONE_PROCESS,
    description="Every source through all stages, then gap analysis. Launched over the whole partition range.",
)
refresh_folder = dg.define_asset_job(
    "refresh_folder",
    selection=dg.AssetSelection.groups("corpus"),
    executor_def=_ONE_PROCESS,
    description="One source folder through the five corpus stages.",
)
analyse_gaps = dg.define_asset_job(
    "analyse_gaps",
    selection=dg.AssetSelection.groups("freshness"),
    executor_def=_ONE_PROCESS,
    description="Canaries, expiry, findings and mail, without reading any file.",
)


def whole_range(sources: Collection[str] | None = None) -> dict[str, str]:
    """Return the tags that make one run cover every source; `sources` are those of the settings as they are now.

    The daemon refuses a range with keys that it doesn't know, and the process of the run one with keys that are gone,
    so the range spans what both know. EVERY_SOURCE says that it stands for all, a folder that came since then too.
    """
    known = PARTITIONS.get_partition_keys()
    keys = [key for key in known if sources is None or key in sources] or known
    return {RANGE_START: keys[0], RANGE_END: keys[-1], EVERY_SOURCE: "true"}


@dg.schedule(
    job=nightly_refresh,
    cron_schedule=saero().settings.schedule.cron,
    execution_timezone=saero().settings.schedule.timezone,
    default_status=dg.DefaultScheduleStatus.RUNNING,
)
def nightly(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
    """ONE run over the whole range, so that each stage sees all sources before the next starts."""
    try:
        sources = {source.name for source in build().sources}
    except SettingsError:
        sources = None  # the run will say so, and its failure is mailed
    day = context.scheduled_execution_time.date().isoformat()
    return dg.RunRequest(run_key=day, tags=whole_range(sources))
