"""What Dagster loads: `dagster dev -m assets.definitions`."""

from __future__ import annotations

import dagster as dg

from assets.checks import index_matches_ledger, rows_are_sound, sources_were_read
from assets.corpus import chunk, dedup, embed, index, parse
from assets.gap_analysis import gap_analysis
from assets.jobs import analyse_gaps, nightly, nightly_refresh, refresh_folder
from assets.run_resource import run_resource
from assets.sensors import mail_on_failure, mail_on_missing_run

defs = dg.Definitions(
    assets=[parse, dedup, chunk, embed, index, gap_analysis],
    asset_checks=[rows_are_sound, sources_were_read, index_matches_ledger],
    jobs=[nightly_refresh, refresh_folder, analyse_gaps],
    schedules=[nightly],
    sensors=[mail_on_failure, mail_on_missing_run],
    resources={"run": run_resource()},
    executor=dg.in_process_executor,
)
