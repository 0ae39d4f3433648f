"""saero show: the text version of a document, and what stands beside it."""

from __future__ import annotations

import re
from typing import Any

import click

from pipelines.errors import Refused
from pipelines.records import Locator
from saero.arguments import TEXT
from saero.output import json_option, print_json, printable
from saero.words import either, word


@click.command("show", short_help="Print the text version of a document.")
@click.argument("path", type=TEXT)
@click.option("--lines", metavar="A-B", help="Only these lines, counted from 1.")
@click.option("--apart", is_flag=True, help="Instead, what no search finds: headers, footers, comments, and warnings.")
@json_option
@click.pass_obj
def command(config: str | None, path: str, lines: str | None, apart: bool, as_json: bool) -> None:
    """Print the text version of PATH ("source/path", as search and documents show it)."""
    from resources.build import build

    if apart and lines is not None:
        raise click.UsageError("--apart has no lines; leave one of the two out")
    saero = build(config)
    names = [source.name for source in saero.sources]
    source, inner = split(path, names)
    if apart:
        _print_apart(saero, source, inner, as_json)
        return
    text = saero.mirror.read(source, inner)
    if text is None:
        raise Refused(f"{source}/{inner}: no text version; {_why_not(saero, source, inner)}")
    all_lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
    first, last = _range(lines, len(all_lines))
    shown = all_lines[first - 1 : last]
    if as_json:
        print_json(
            {"source": source, "path": inner, "lines": [first, last], "of": len(all_lines), "text": "\n".join(shown)}
        )
        return
    click.echo("\n".join(shown) if text.strip() else _carried(saero, source, inner))


def _print_apart(saero: Any, source: str, path: str, as_json: bool) -> None:
    """Print what the parser kept apart from the text that is served, and what it warned of."""
    row = _document(saero, source, path)
    if row is None or row["served_hash"] is None:
        raise Refused(f"{source}/{path}: no text was read; {_why_not(saero, source, path)}")
    parsed = saero.bodies.get(row["served_hash"], row["served_parser"])
    if as_json:
        kept = [
            {
                "kind": one.kind,
                "page": one.locator.page,
                "slide": one.locator.slide,
                "sheet": one.locator.sheet,
                "text": one.text,
            }
            for one in parsed.apart
        ]
        print_json(
            {
                "source": source,
                "path": path,
                "counts": parsed.asides,
                "apart": kept,
                "warnings": list(parsed.warnings),
                "ocr_pages": list(parsed.ocr_pages),
            }
        )
        return
    language = saero.settings.language
    for kind, count in parsed.asides.items():
        click.echo(f"{word(kind, language)}: {count}")
    for warning in parsed.warnings:
        click.echo(printable(f"! {warning}"))
    if parsed.ocr_pages:
        numbers = ", ".join(map(str, parsed.ocr_pages))
        click.echo(either(language, f"! 읽지 못한 쪽(스캔): {numbers}", f"! pages not read (scans): {numbers}"))
    for one in parsed.apart:
        place = where(one.locator, language)
        click.echo("\n" + printable(f"[{word(one.kind, language)}{', ' if place else ''}{place}]"))
        for line in one.text.split("\n"):
            click.echo(printable(line))
    if not parsed.asides and not parsed.warnings and not parsed.ocr_pages:
        click.echo(either(language, "본문 밖에 남은 것이 없습니다", "nothing stands apart from the text"))


def _carried(saero: Any, source: str, path: str) -> str:
    """List what a document without words of its own carries: a folder of mails, a mail of attachments."""
    from resources.ledger import documents

    with saero.ledger.transaction("show") as con:
        rows = documents.of_source(con, source)
    return "\n".join(printable(f"{source}/{inner}") for inner, row in rows.items() if row["mail"] == path)


def _document(saero: Any, source: str, path: str) -> dict[str, Any] | None:
    from resources.ledger import documents

    if not saero.ledger.exists:
        return None
    with saero.ledger.transaction("show") as con:
        return documents.one(con, source, path)


def _why_not(saero: Any, source: str, path: str) -> str:
    row = _document(saero, source, path)
    if row is None:
        return "`saero documents` lists the documents, `saero refresh` reads them"
    if row["state"] == "rejected" and row["served_hash"] is None:
        return str(row["reason"])
    return f"{row['category']}: {row['reason']}" if row["category"] else "`saero doctor --fix` writes it again"


def where(locator: Locator, language: str) -> str:
    """Name a place in the original."""
    if locator.page:
        return either(language, f"{locator.page}쪽", f"page {locator.page}")
    if locator.slide:
        return either(language, f"슬라이드 {locator.slide}", f"slide {locator.slide}")
    return locator.sheet or ""


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
    if first < 1:
        raise click.BadParameter(f"{lines}: lines count from 1", param_hint="--lines")
    if last < first:
        raise click.BadParameter(f"{lines}: the first line must not be after the last", param_hint="--lines")
    if first > count:
        raise Refused(f"the text version has {count} lines, line {first} isn't there")
    return first, min(last, count)
