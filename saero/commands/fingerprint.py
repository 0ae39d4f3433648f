"""saero fingerprint: what one file is compared by."""

from __future__ import annotations

from pathlib import Path

import click

from saero.given import readings
from saero.likeness import clock_word
from saero.output import json_option, local, print_json, printable
from saero.spoken import spoken
from saero.words import either


@click.command("fingerprint", short_help="Show what a file is compared by: its body's hash, size and clock.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
@click.pass_obj
def command(config: str | None, file: Path, as_json: bool) -> None:
    """Read FILE and show its body: equal hashes are equal texts, in whatever format. Nothing is kept."""
    from pipelines.sketch import SKETCH_VERSION

    (read,) = readings([file])
    shown = {
        "path": read.path,
        "format": read.format,
        "chars": read.chars,
        "body_hash": read.body_hash,
        "modified": read.modified_at,
        "clock": read.clock,
        "sketch_version": SKETCH_VERSION,
    }
    if as_json:
        print_json(shown)
        return
    language, zone = spoken(config)
    when = f"{local(read.modified_at, zone)} ({clock_word(read.clock, language)})"
    names = either(
        language,
        "경로/형식/글자 수/본문 해시/수정 시각/지문 규칙",
        "path/format/characters/body hash/modified/sketch version",
    )
    values = (read.path, read.format or "?", read.chars, read.body_hash, when, SKETCH_VERSION)
    for name, value in zip(names.split("/"), values, strict=True):
        click.echo(printable(f"{name}: {value}"))
