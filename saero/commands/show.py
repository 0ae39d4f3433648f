"""saero show: the text version of a document."""

from __future__ import annotations

import re

import click

from pipelines.errors import Refused
from saero.arguments import TEXT
from saero.output import json_option, print_json


@click.command("show", short_help="Print the text version of a document.")
@click.argument("path", type=TEXT)
@click.option("--lines", metavar="A-B", help="Only these lines, counted from 1.")
@json_option
@click.pass_obj
def command(config: str | None, path: str, lines: str | None, as_json: bool) -> None:
    """Print the text version of PATH ("source/path", as search and documents show it)."""
    from resources.build import build

    saero = build(config)
    names = [source.name for source in saero.sources]
    source, inner = split(path, names)
    text = saero.mirror.read(source, inner)
    if text is None:
        raise Refused(f"{path}: no text version; `saero documents` lists the documents, `saero refresh` reads them")
    all_lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
    first, last = _range(lines, len(all_lines))
    shown = all_lines[first - 1 : last]
    if as_json:
        print_json(
            {"source": source, "path": inner, "lines": [first, last], "of": len(all_lines), "text": "\n".join(shown)}
        )
        return
    click.echo("\n".join(shown))


def split(path: str, names: list[str]) -> tuple[str, str]:
    """Split "source/path" at the longest source name that it begins with; raises Refused when none does."""
    fitting = [name for name in names if path.startswith(f"{name}/") and len(path) > len(name) + 1]
    if not fitting:
        raise Refused(f"{path}: begins with no source; the sources are: {', '.join(names)}")
    name = max(fitting, key=len)
    return name, path[len(name) + 1 :]


def _range(lines: str | None, count: int) -> tuple[int, int]:
    if lines is None:
        return 1, count
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", lines.strip())
    if match is None:
        raise click.BadParameter(f"{lines!r} is no range such as 10-20", param_hint="--lines")
    first = int(match[1])
    last = int(match[2] or match[1])
    if not 1 <= first <= last:
        raise click.BadParameter(f"{lines}: the first line must not be after the last", param_hint="--lines")
    if first > count:
        raise Refused(f"the text version has {count} lines, line {first} isn't there")
    return first, min(last, count)
