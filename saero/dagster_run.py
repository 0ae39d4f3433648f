"""Run the Dagster jobs from the command line, on the instance that the UI shows."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sqlite3
import warnings
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import click

from pipelines import errors
from pipelines.errors import SaeroError, TryAgain
from resources.build import Options, Run, Saero
from resources.files import refused
from resources.progress import Step

_OURS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, SaeroError)}


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
    """Run a job in this process; returns (success, what the run counted, why it failed).

    Raises KeyboardInterrupt when it was told to stop, and Busy when another run is at work.
    """
    home = prepare(saero)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dagster's own beta notices are no news to a user
        import dagster as dg

        from assets.definitions import defs
        from assets.jobs import whole_range
        from assets.run_resource import run_resource

        kept: list[Run] = []
        noise = io.StringIO()  # Dagster prints what it can't record, with its SQL; only a fault of ours needs that
        resource = run_resource(wait=wait, options=options, listener=listener, keep=kept.append)
        try:
            with contextlib.redirect_stderr(noise), dg.DagsterInstance.get() as instance:
                arguments: dict[str, Any] = {"partition_key": source} if source else {"tags": whole_range()}
                if job == "analyse_gaps":
                    arguments = {}
                result = defs.resolve_job_def(job).execute_in_process(
                    instance=instance,
                    resources={"run": resource},
                    run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
                    raise_on_error=False,
                    **arguments,
                )
        except Exception as error:
            _raise_ours(error, home)
            click.echo(noise.getvalue(), err=True)
            raise
        return result.success, kept[0] if kept else None, _failure(result)


def _raise_ours(error: BaseException, home: Path) -> None:
    """Find a SaeroError, or what the system said of Dagster's own files, under Dagster's wrapping and raise it bare."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, SaeroError):
            raise seen from None
        if isinstance(seen, sqlite3.Error):
            raise TryAgain(
                f"{home}: Dagster's record of runs can't be written ({seen}): free some space there, or mend the "
                "rights of the state folder, and run `saero refresh` again; nothing is lost"
            ) from error
        if isinstance(seen, OSError):
            raise refused(seen, Path(seen.filename or home)) from error
        seen = seen.__cause__ or seen.__context__


def _failure(result: Any) -> str:
    """Return what the step that failed first says: our own words where there are any, else the innermost error."""
    for event in result.all_events:
        error = getattr(event.event_specific_data, "error", None)
        if not event.is_failure or error is None:
            continue
        chain = [error]
        while chain[-1].cause is not None:
            chain.append(chain[-1].cause)
        if any(one.cls_name == "DagsterExecutionInterruptedError" for one in chain):
            raise KeyboardInterrupt
        ours = next((one for one in chain if one.cls_name in _OURS), None)
        said = str((ours or chain[-1]).message).strip()
        return re.sub(r"^[\w.]+: ", "", said) if ours else f"{said}; the whole story is in the Dagster UI (saero ui)"
    return ""
