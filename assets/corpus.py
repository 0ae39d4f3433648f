"""The five corpus assets, partitioned by source folder.

A partition run parses only its own sources; dedup, chunk, embed and index always work on all live documents of the
ledger, because rows are of bodies, not of sources (DESIGN section 2).
"""

from typing import Any

import dagster as dg

from assets.partitions import source_partitions
from assets.staged import RunParam, staged
from assets.stages import chunk as chunk_stage
from assets.stages import dedup as dedup_stage
from assets.stages import embed as embed_stage
from assets.stages import index as index_stage
from assets.stages import parse as parse_stage

PARTITIONS = source_partitions()
# All partitions of a run in one call, so that each stage sees every source before the next starts.
ONE_RUN = dg.BackfillPolicy.single_run()
# On a run that stands for every source, whatever partitions the process that launched it knew.
EVERY_SOURCE = "saero/every_source"


@dg.asset(
    partitions_def=PARTITIONS,
    backfill_policy=ONE_RUN,
    group_name="corpus",
    kinds={"duckdb"},
    description="Files become blocks with locators, one document at a time.",
)
def parse(context: dg.AssetExecutionContext, run: RunParam) -> dg.MaterializeResult[Any]:
    named = (
        [source.name for source in run.saero.sources] if EVERY_SOURCE in context.run.tags else context.partition_keys
    )
    return staged(run, "parse", lambda: parse_stage.parse_sources(run, list(named)))


@dg.asset(
    partitions_def=PARTITIONS,
    backfill_policy=ONE_RUN,
    group_name="corpus",
    deps=[parse],
    kinds={"duckdb"},
    description="Which document serves each body, and which is past.",
)
def dedup(run: RunParam) -> dg.MaterializeResult[Any]:
    return staged(run, "dedup", lambda: dedup_stage.settle(run))


@dg.asset(
    partitions_def=PARTITIONS,
    backfill_policy=ONE_RUN,
    group_name="corpus",
    deps=[dedup],
    kinds={"duckdb"},
    description="Bodies become passages with morphemes and places.",
)
def chunk(run: RunParam) -> dg.MaterializeResult[Any]:
    return staged(run, "chunk", lambda: chunk_stage.cut_bodies(run))


@dg.asset(
    partitions_def=PARTITIONS,
    backfill_policy=ONE_RUN,
    group_name="corpus",
    deps=[chunk],
    kinds={"duckdb"},
    description="Vectors for passages that have none yet.",
)
def embed(run: RunParam) -> dg.MaterializeResult[Any]:
    return staged(run, "embed", lambda: embed_stage.embed_missing(run))


@dg.asset(
    partitions_def=PARTITIONS,
    backfill_policy=ONE_RUN,
    group_name="corpus",
    deps=[embed],
    kinds={"lancedb"},
    description="The index follows the ledger and is published.",
)
def index(run: RunParam) -> dg.MaterializeResult[Any]:
    return staged(run, "index", lambda: index_stage.publish(run))
