"""Gap analysis: canaries, findings and mail. It hangs on parse, not on index: it also runs on a blocked night."""

from typing import Any

import dagster as dg

from assets.corpus import parse
from assets.staged import RunParam, staged
from assets.stages import gap as gap_stage


@dg.asset(
    deps=[parse],
    group_name="freshness",
    kinds={"duckdb"},
    # Ready as soon as parse is done; the low priority puts it after index on a night when nothing is blocked.
    op_tags={"dagster/priority": "-10"},
    description="Canary queries, expiry, findings and alert mail.",
)
def gap_analysis(run: RunParam) -> dg.MaterializeResult[Any]:
    return staged(run, "gap_analysis", lambda: gap_stage.analyse(run), tables=("canaries",))
