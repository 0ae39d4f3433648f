"""Asset checks: what the night says of itself, in red where it should be."""

from collections.abc import Iterator

import dagster as dg

from assets.corpus import embed, index, parse
from assets.staged import RunParam, remembered
from assets.stages import quality as quality_stage
from assets.stages.quality import CHECKS
from resources.quality import ADVISORY


@dg.multi_asset_check(
    name="rows_are_sound",
    specs=[
        dg.AssetCheckSpec(name, asset=embed, blocking=name not in ADVISORY, description=said)
        for name, said in CHECKS.items()
    ],
)
def rows_are_sound(run: RunParam) -> Iterator[dg.AssetCheckResult]:
    """Great Expectations over the rows of the next version; a failure keeps it from being published."""
    with remembered(run, "check"):
        judged = quality_stage.judge(run)
    for result in judged:
        yield dg.AssetCheckResult(
            asset_key=embed.key,
            check_name=result.name,
            passed=result.passed,
            severity=dg.AssetCheckSeverity.ERROR if result.blocking else dg.AssetCheckSeverity.WARN,
            metadata={"unexpected": result.unexpected_count, "observed": result.observed},
        )


@dg.asset_check(asset=parse, description="Every source could be read, and no document failed.")
def sources_were_read(run: RunParam) -> dg.AssetCheckResult:
    """Red when a source is out of reach; a warning when single documents failed."""
    away = list(run.memory.get("unreachable", []))
    failed = len(run.failures)
    return dg.AssetCheckResult(
        passed=not away and not failed,
        severity=dg.AssetCheckSeverity.ERROR if away else dg.AssetCheckSeverity.WARN,
        metadata={"unreachable": away, "failed_documents": failed},
    )


@dg.asset_check(asset=index, description="The published version holds exactly the rows that the ledger asks for.")
def index_matches_ledger(run: RunParam) -> dg.AssetCheckResult:
    """Compare the rows of the published version with the ledger, both ways."""
    with remembered(run, "check"):
        missing, extra = quality_stage.differences(run)
    return dg.AssetCheckResult(passed=not missing and not extra, metadata={"missing": missing, "extra": extra})
