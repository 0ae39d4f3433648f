"""Run the Dagster jobs from the command line, on the instance that the UI shows."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from pipelines.errors import SaeroError
from resources.build import Options, Run, Saero
from resources.progress import Step


def prepare(saero: Saero) -> Path:
    """Set the environment that dagster.yaml and the code location read; returns the instance's folder."""
    home = saero.state_dir / "dagster"
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.environ["SAERO_CONFIG"] = str(saero.settings.file)
    os.environ["SAERO_DAGSTER"] = str(home)
    os.environ["DAGSTER_HOME"] = str(project_folder())
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    return home


def project_folder() -> Path:
    """Return the folder of dagster.yaml and workspace.yaml: the checkout that this package is installed from."""
    import assets

    return Path(assets.__path__[0]).parent


def run_job(
    saero: Saero,
    job: str,
    *,
    source: str | None,
    options: Options,
    listener: Callable[[Step], None],
    wait: timedelta,
) -> tuple[bool, Run | None, str]:
    """Run a job in this process; returns (success, what the run counted, why it failed)."""
    prepare(saero)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dagster's own beta notices are no news to a user
        import dagster as dg

        from assets.definitions import defs
        from assets.jobs import whole_range
        from assets.run_resource import run_resource

        kept: list[Run] = []
        resource = run_resource(wait=wait, options=options, listener=listener, keep=kept.append)
        with dg.DagsterInstance.get() as instance:
            arguments: dict[str, Any] = {"partition_key": source} if source else {"tags": whole_range()}
            if job == "analyse_gaps":
                arguments = {}
            try:
                result = defs.resolve_job_def(job).execute_in_process(
                    instance=instance,
                    resources={"run": resource},
                    run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
                    raise_on_error=False,
                    **arguments,
                )
            except Exception as error:
                _raise_ours(error)
                raise
        return result.success, kept[0] if kept else None, _failure(result)


def _raise_ours(error: BaseException | None) -> None:
    """Find a SaeroError under Dagster's wrapping and raise it bare."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, SaeroError):
            raise seen from None
        seen = seen.__cause__ or seen.__context__


def _failure(result: Any) -> str:
    """Return the innermost message of the step that failed first."""
    for event in result.all_events:
        data = event.event_specific_data
        error = getattr(data, "error", None)
        if event.is_failure and error is not None:
            while error.cause is not None:
                error = error.cause
            return str(error.message).strip()
    return ""
