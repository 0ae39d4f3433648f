"""saero ui: Dagster's webserver and daemon over this settings file."""

from __future__ import annotations

import os
import signal
import sys

import click


@click.command("ui", short_help="Start the Dagster UI with the nightly schedule.")
@click.option("--port", default=3000, show_default=True, help="Port on 127.0.0.1.")
@click.pass_obj
def command(config: str | None, port: int) -> None:
    """Start webserver and daemon in the foreground; the nightly schedule runs as long as they do. Ctrl-C ends them."""
    from resources.build import build
    from saero.dagster_run import prepare, project_folder

    saero = build(config)
    saero.make_state()
    prepare(saero)
    os.chdir(project_folder())
    # A script that starts this in the background leaves Ctrl-C ignored; Dagster ends its own processes by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    click.echo(f"http://127.0.0.1:{port}")
    arguments = [sys.executable, "-m", "dagster", "dev", "-w", "workspace.yaml", "-h", "127.0.0.1", "-p", str(port)]
    os.execv(sys.executable, arguments)
