"""saero canaries import, suggest: many canaries at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipelines.errors import Refused
from saero.arguments import TEXT
from saero.output import json_option, print_json, print_table, printable
from saero.words import either

if TYPE_CHECKING:
    from resources.build import Saero

WHY = {
    "feedback": ("맞다는 의견", "called right"),
    "question": ("답이 약했던 질문", "asked, answered weakly"),
    "heading": ("제목", "heading"),
}


@click.command("import", short_help="Add the canaries of a CSV or TOML file.")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@click.pass_obj
def import_file(config: str | None, file: Path, as_json: bool) -> None:
    """Add the canaries of FILE (.csv, .toml). Every row is checked first; with one bad row nothing is added."""
    from resources.build import build
    from resources.canary_file import FIELDS, read_canaries

    saero = build(config)
    rows, repeated = read_canaries(file)
    wanted = [{"canary_id": row["canary_id"], **{name: row[name] for name in FIELDS}} for row in rows]
    asked = put(saero, wanted)
    lines = {row["canary_id"]: row["line"] for row in rows}
    again = [{"line": lines[row["canary_id"]], "query": row["query"], "of": None} for row in asked]
    added = [row for row in wanted if row not in asked]
    report = {"added": [_named(row) for row in added], "duplicates": sorted(repeated + again, key=lambda r: r["line"])}
    if as_json:
        print_json(report)
        return
    language = saero.settings.language
    click.echo(either(language, f"{len(added)}건 추가됨", f"{len(added)} added"))
    for one in report["duplicates"]:
        place, query = one["line"], printable(one["query"])
        first = either(language, f"{one['of']}줄과 같음", f"as line {one['of']}")
        known = either(language, "이미 있음, 그대로 둠", "asked already, left as it is")
        click.echo(either(language, f"{place}줄: ", f"line {place}: ") + f"{query} ({first if one['of'] else known})")


def put(saero: Saero, wanted: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add canaries in one transaction; returns those that were asked already and stay as they are."""
    from resources.ledger import canaries as store

    saero.make_state()
    now = datetime.now(UTC)
    with saero.ledger.transaction("canaries") as con:
        known = {row["canary_id"] for row in store.active(con)}
        fresh = [row for row in wanted if row["canary_id"] not in known]
        store.add(con, [{**row, "origin": "cli", "since": now} for row in fresh])
    return [row for row in wanted if row["canary_id"] in known]


@click.command("suggest", short_help="Suggest questions that could become canaries.")
@click.option("--add", "chosen", multiple=True, type=TEXT, metavar="ID", help="Add this suggestion (repeatable).")
@json_option
@click.pass_obj
def suggest(config: str | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """Suggest canaries: answers called right, questions answered weakly, and headings that no canary stands on."""
    from resources.build import build
    from resources.suggesting import suggestions

    saero = build(config)
    found = suggestions(saero)
    if chosen:
        _add(saero, found, chosen, as_json=as_json)
    elif as_json:
        print_json({"suggestions": found})
    elif not found:
        click.echo(either(saero.settings.language, "제안할 질문이 없습니다.", "Nothing to suggest."))
    else:
        _print(saero, found)


def _add(saero: Saero, found: Sequence[dict[str, Any]], chosen: Sequence[str], *, as_json: bool) -> None:
    there = {row["canary_id"]: row for row in found}
    if missing := [key for key in chosen if key not in there]:
        raise Refused(f"{', '.join(missing)}: no such suggestion; `saero canaries suggest` lists them")
    rows = [{name: there[key][name] for name in ("canary_id", "query", "expect_path")} for key in dict.fromkeys(chosen)]
    put(saero, rows)
    if as_json:
        print_json({"added": [_named(row) for row in rows]})
    else:
        click.echo(either(saero.settings.language, f"{len(rows)}건 추가됨", f"{len(rows)} added"))


def _named(row: dict[str, Any]) -> dict[str, str]:
    return {"canary_id": row["canary_id"], "query": row["query"]}


def _print(saero: Saero, found: Sequence[dict[str, Any]]) -> None:
    language = saero.settings.language
    head = (
        ["번호", "질문", "까닭", "횟수", "문서"] if language == "ko" else ["id", "question", "why", "times", "document"]
    )
    rows = []
    for row in found:
        why = either(language, *WHY[row["why"]]) + ("" if row["score"] is None else f" ({row['score']:.2f})")
        rows.append((row["canary_id"], row["query"], why, str(row["times"] or ""), row["expect_path"]))
    print_table(rows, head)
    click.echo(either(language, "추가: saero canaries suggest --add 번호", "to add: saero canaries suggest --add ID"))
