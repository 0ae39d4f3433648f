"""A stage as Dagster sees it: its counts in the UI, its failure remembered for the end of the run."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

import dagster as dg

from resources.build import Run

RunParam = dg.ResourceParam[Run]


def staged(
    run: Run, name: str, work: Callable[[], dict[str, Any]], *, tables: Collection[str] = ()
) -> dg.MaterializeResult[Any]:
    """Run a stage and hand what it counted to the UI; the values named by `tables` are Markdown."""
    with remembered(run, name):
        counts = work()
    shown = {key: dg.MetadataValue.md(value) if key in tables else value for key, value in counts.items()}
    return dg.MaterializeResult(metadata=shown)


@contextmanager
def remembered(run: Run, name: str) -> Iterator[None]:
    """Let the run end as failed in `name` when the block raises; the first failure of a night is the one it names."""
    try:
        yield
    except BaseException:
        run.failed_stage = run.failed_stage or name
        raise
