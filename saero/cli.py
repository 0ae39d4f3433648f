"""The saero command. This module imports nothing but click: spawned workers import the main module again."""

from __future__ import annotations

import importlib
import io
import sys
from typing import Any

import click

COMMANDS = {
    "init": "Write a commented saero.toml for your folders.",
    "refresh": "Read what changed, and bring index, findings and mail up to date.",
    "rollback": "Serve the version that was published before.",
    "status": "Show sources, index and the run in progress.",
    "search": "Find passages, with place, score and honest silence.",
    "show": "Print the text version of a document.",
    "documents": "List documents and their states; renew or review one.",
    "duplicates": "Show documents that are the same, nearly the same or contained in others.",
    "compare": "Compare the bodies of two files.",
    "fingerprint": "Show what a file is compared by: its body's hash, size and clock.",
    "forget": "Let a document leave all that saero keeps, and not return.",
    "versions": "Show which document replaced which, why, and what is doubtful.",
    "review": "Show what a person must decide; accept, reject, undo.",
    "redundancy": "Show documents whose passages stand in other documents.",
    "contradictions": "Show where documents state different values of one thing.",
    "canaries": "List, add, accept, remove, run, import and suggest canary questions.",
    "calibrate": "Fit scores to an encoder of your own.",
    "gaps": "Show which questions the corpus can't answer now.",
    "feedback": "Say that a passage was right or wrong.",
    "alerts": "Show alerts and mails; send what is unsent.",
    "report": "Show how fresh the corpus is and what is left to do, on one page.",
    "doctor": "Check settings, state, ledger, index and mail.",
    "ui": "Start the Dagster UI with the nightly schedule.",
}


class _Lazy(click.Group):
    """Loads the module of a command when it is called, so that --help stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"saero.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--config", metavar="FILE", help="Settings file (default: SAERO_CONFIG, else ./saero.toml).")
@click.version_option(package_name="saero", prog_name="saero")
@click.pass_context
def saero(ctx: click.Context, config: str | None) -> None:
    """saero (새로) keeps a team's RAG corpus fresh: folders become one current, searchable index."""
    ctx.obj = config


def main(args: list[str] | None = None) -> Any:
    """Run the command line; exit 0 done, 1 failed, 2 wrong call or settings."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Hangul shows codes, not a traceback
    try:
        code = saero.main(args=args, prog_name="saero", standalone_mode=False)
    except click.Abort:
        click.echo("saero: stopped; nothing is half done, the next refresh goes on from here", err=True)
        sys.exit(1)
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        click.echo(_harmless(said.getvalue(), lines=True), nl=False, err=True)
        sys.exit(2 if isinstance(error, click.UsageError) else error.exit_code)
    except BrokenPipeError:
        sys.exit(1)
    except Exception as error:
        _report(error)
    # Outside its standalone mode click hands the code of an Exit back, like a command's own return value.
    if isinstance(code, int) and code:
        sys.exit(code)


def _report(error: Exception) -> None:
    """Say a SaeroError in words; anything else is a fault of ours and keeps its traceback."""
    from pipelines.errors import Refused, SaeroError, SettingsError

    if isinstance(error, OSError):
        # What the system refuses is no fault of ours: a full disk under the output, a file without permission.
        message = f"{f'{error.filename}: ' if error.filename else ''}{error.strerror or error}"
        click.echo(f"saero: {_harmless(message)}", err=True)
        sys.exit(1)
    if not isinstance(error, SaeroError):
        raise error
    click.echo(f"saero: {_harmless(str(error), lines=isinstance(error, SettingsError))}", err=True)
    sys.exit(2 if isinstance(error, SettingsError | Refused) else 1)


def _harmless(message: str, *, lines: bool = False) -> str:
    """Return a message that may name files without what would act on a terminal; `lines` are ours and stay."""
    from saero.output import printable

    return "\n".join(map(printable, message.expandtabs().split("\n") if lines else [message]))


if __name__ == "__main__":
    main()
