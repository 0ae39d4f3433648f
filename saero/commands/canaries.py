"""saero canaries: the questions that the corpus must answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click

from pipelines.errors import Refused
from pipelines.grammar import read
from saero.arguments import TEXT
from saero.commands.canary_run import run
from saero.commands.canary_sets import import_file, suggest
from saero.easy import call_out
from saero.output import csv_option, json_option, local, print_csv, print_json, print_table
from saero.words import either, word

COLUMNS = (
    "canary_id", "query", "origin", "state", "cause", "min_score", "baseline", "pinned", "expect_path", "expect_text",
    "owner", "critical", "must_fail", "since",
)  # fmt: skip


@click.group(
    "canaries",
    invoke_without_command=True,
    short_help="List, add, accept, remove, run, import and suggest canary questions.",
)
@json_option
@csv_option
@click.pass_context
def command(ctx: click.Context, as_json: bool, as_csv: bool) -> None:
    """List the canaries with their state and pinned passage."""
    if ctx.invoked_subcommand is None:
        _list(ctx.obj, as_json=as_json, as_csv=as_csv)


@command.command("list", short_help="List the canaries.")
@json_option
@csv_option
@click.pass_obj
def list_canaries(config: str | None, as_json: bool, as_csv: bool) -> None:
    """List the canaries with their state and pinned passage."""
    _list(config, as_json=as_json, as_csv=as_csv)


@command.command("add", short_help="Add a canary.")
@click.argument("query", type=TEXT)
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.75, show_default=True)
@click.option("--expect-path", type=TEXT, default="", metavar="SOURCE/PATH", help="The document that answers.")
@click.option("--expect-text", type=TEXT, default="", help="What the answer must say.")
@click.option("--owner", type=TEXT, default="", help="Who hears of it.")
@click.option("--critical", is_flag=True, help="Its unexplained loss alone holds a new version.")
@click.option("--must-fail", is_flag=True, help="The question must NOT be answered.")
@json_option
@click.pass_obj
def add(
    config: str | None,
    query: str,
    min_score: float,
    expect_path: str,
    expect_text: str,
    owner: str,
    critical: bool,
    must_fail: bool,
    as_json: bool,
) -> None:
    """Add QUERY; the next refresh (or `canaries run`) asks it and pins its passage."""
    from resources.build import build
    from resources.ledger import canaries as store

    saero = build(config)
    query = " ".join(query.split())
    if not query:
        raise click.BadParameter("the question is empty", param_hint="QUERY")
    read(query)
    saero.make_state()
    key = store.canary_id(query)
    with saero.ledger.transaction("canaries") as con:
        if any(row["canary_id"] == key for row in store.active(con)):
            raise Refused(f"{key}: this question is asked already")
        store.add(
            con,
            [
                {
                    "canary_id": key,
                    "query": query,
                    "origin": "cli",
                    "min_score": min_score,
                    "expect_path": expect_path,
                    "expect_text": expect_text,
                    "owner": owner,
                    "critical": critical,
                    "must_fail": must_fail,
                    "since": datetime.now(UTC),
                }
            ],
        )
    if as_json:
        print_json({"canary_id": key, "query": query})
    else:
        click.echo(either(saero.settings.language, f"{key} 추가됨", f"{key} added"))


@command.command("accept", short_help="Make the present answer the expected one.")
@click.argument("canary_id", type=TEXT)
@json_option
@click.pass_obj
def accept(config: str | None, canary_id: str, as_json: bool) -> None:
    """Pin what answers CANARY_ID best now, with its present score as the new baseline."""
    from resources.asking import accept_answer
    from resources.build import build

    saero = build(config)
    row = accept_answer(saero, canary_id, datetime.now(UTC))
    if as_json:
        print_json(row)
    else:
        click.echo(f"{canary_id}: {row['pinned_source']}/{row['pinned_path']} ({row['baseline']:.2f})")


@command.command("remove", short_help="Stop asking a canary.")
@click.argument("canary_id", type=TEXT)
@json_option
@click.pass_obj
def remove(config: str | None, canary_id: str, as_json: bool) -> None:
    """Stop asking CANARY_ID; its history stays. One from saero.toml is taken out there."""
    from resources.build import build
    from resources.ledger import canaries as store

    saero = build(config)
    with saero.ledger.transaction("canaries") as con:
        row = next((row for row in store.active(con) if row["canary_id"] == canary_id), None)
        if row is None:
            raise Refused(f"{canary_id}: no such canary; `saero canaries` lists them")
        if row["origin"] == "settings":
            raise Refused(f"{canary_id}: stands in {saero.settings.file}; take it out there")
        store.change(con, [{"canary_id": canary_id, "removed_at": datetime.now(UTC)}])
    if as_json:
        print_json({"canary_id": canary_id, "removed": True})
    else:
        click.echo(either(saero.settings.language, f"{canary_id} 제외됨", f"{canary_id} removed"))


for _other in (run, import_file, suggest):
    command.add_command(_other)


def _list(config: str | None, *, as_json: bool, as_csv: bool) -> None:
    from resources.build import build
    from resources.ledger import canaries as store

    saero = build(config)
    rows: list[dict[str, Any]] = []
    if saero.ledger.exists:
        with saero.ledger.transaction("canaries") as con:
            rows = store.active(con)
    shown: list[dict[str, Any]] = [
        {**{name: row.get(name) for name in COLUMNS}, "pinned": _pinned(row)} for row in rows
    ]
    if as_json:
        print_json({"canaries": shown})
    elif as_csv:
        print_csv([{**row, "pinned": _place(row["pinned"])} for row in shown], COLUMNS)
    elif not shown:
        click.echo(either(saero.settings.language, "점검 질문이 없습니다.", "No canaries."))
    else:
        language, zone = saero.settings.language, saero.settings.zone
        korean = ["번호", "상태", "질문", "기준 점수", "답이 있는 곳", "부터"]
        head = korean if language == "ko" else ["id", "state", "question", "baseline", "pinned", "since"]
        print_table(
            [
                (
                    row["canary_id"],
                    word(row["state"], language),
                    row["query"],
                    "" if row["baseline"] is None else f"{row['baseline']:.2f}",
                    _place(row["pinned"]),
                    local(row["since"], zone),
                )
                for row in shown
            ],
            head,
        )
        call_out(saero)


def _pinned(row: dict[str, Any]) -> dict[str, str] | None:
    if row["pinned_path"] is None:
        return None
    return {"source": row["pinned_source"], "path": row["pinned_path"]}


def _place(pinned: dict[str, str] | None) -> str:
    return f"{pinned['source']}/{pinned['path']}" if pinned else ""
