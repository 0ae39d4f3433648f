"""The progress of a run: a bar on a terminal, one line a stage elsewhere."""

from __future__ import annotations

import sys
import time

import click

from resources.progress import Step
from saero.words import word

_CELLS = 24


class Bar:
    """A listener for resources.progress; writes to stderr."""

    def __init__(self, language: str, *, quiet: bool = False) -> None:
        self._language = language
        self._quiet = quiet
        self._stream = sys.stderr  # kept: what Dagster writes there during a run is taken away
        self._terminal = self._stream.isatty()
        self._stage = ""
        self._started = time.monotonic()
        self._drawn = 0.0

    def __call__(self, step: Step) -> None:
        """Draw a step; on a terminal at most ten times a second. A run outlives the terminal it is shown on."""
        if self._quiet:
            return
        try:
            self._show(step)
        except OSError:
            self._quiet = True

    def _show(self, step: Step) -> None:
        if step.stage != self._stage:
            self._next(step)
        now = time.monotonic()
        if self._terminal and (now - self._drawn >= 0.1 or step.done == step.total):
            click.echo("\r\x1b[K" + self._line(step, now - self._started), nl=False, file=self._stream)
            self._drawn = now

    def close(self) -> None:
        """Take the bar away."""
        if self._terminal and not self._quiet and self._stage:
            click.echo("\r\x1b[K", nl=False, file=self._stream)

    def _next(self, step: Step) -> None:
        self._stage, self._started, self._drawn = step.stage, time.monotonic(), 0.0
        if not self._terminal:
            total = f" {step.total}" if step.total else ""
            click.echo(f"{word(step.stage, self._language)}{total}", file=self._stream)

    def _line(self, step: Step, seconds: float) -> str:
        name = word(step.stage, self._language)
        if not step.total:
            return name
        filled = _CELLS * min(step.done, step.total) // step.total
        rate = step.done / seconds if seconds > 0 else 0.0
        left = f" {(step.total - step.done) / rate:.0f}s" if rate > 0 and step.done < step.total else ""
        return f"{name} [{'#' * filled}{'.' * (_CELLS - filled)}] {step.done}/{step.total} {rate:.1f}/s{left}"
