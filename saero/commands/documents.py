"""saero documents: what is known of each document."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime
from typing import Any, get_args

import click

from pipelines.errors import Refused
from pipelines.forgotten import REASON
from pipelines.records import State
from saero.arguments import DAY, TEXT, end_of
from saero.holders import holders, said
from saero.output import csv_option, json_option, local, print_csv, print_json, print_table
from saero.words import either, word

COLUMNS = (
    "source", "path", "state", "format", "title", "modified_at", "clock", "expires_at", "duplicate_of",
    "superseded_by", "category", "reason", "chunks",
)  # fmt: skip
_PAGES_NAMED = 10
_FORGOTTEN = ("잊은 내용이라 읽지 않음. 다시 읽기: saero forget --allow 문서", REASON)


@click.group(
    "documents", invoke_without_command=True, short_help="List documents and their states; renew or review one."
)
@click.option(
    "--state", multiple=True, type=click.Choice(get_args(State)), help="Only documents in this state (repeatable)."
)
@click.option(
    "--unsearched",
    is_flag=True,
    help="Only files that no query can find, or not wholly: unreadable ones, scans and scanned pages.",
)
@click.option("--source", type=TEXT, help="Only this source.")
@json_option
@csv_option
@click.pass_context
def command(
    ctx: click.Context, state: tuple[str, ...], unsearched: bool, source: str | None, as_json: bool, as_csv: bool
) -> None:
    """List documents with state, own date, expiry and what replaced them."""
    if ctx.invoked_subcommand:
        return
    from resources.build import build

    saero = build(ctx.obj)
    if source is not None and saero.source(source) is None:
        raise Refused(f"--source {source}: the sources are: {', '.join(s.name for s in saero.sources)}")
    rows = [
        row
        for row in listed(saero)
        if (not state or row["state"] in state) and (source is None or row["source"] == source)
    ]
    if unsearched:
        places = _unsearched(saero)
        rows = [row for row in rows if (row["source"], row["path"]) in places]
    if as_json:
        print_json({"documents": rows})
    elif as_csv:
        print_csv(rows, COLUMNS)
    else:
        _print(rows, saero)


def listed(saero: Any) -> list[dict[str, Any]]:
    """Return every document the ledger knows, in the columns of `documents --json`."""
    from pipelines.findings import pages_unread
    from resources.ledger import documents as store

    if not saero.ledger.exists:
        return []
    with saero.ledger.transaction("documents") as con:
        rows = store.overview(con)
        left = _left(con, saero.settings.language) if any(row["state"] == "rejected" for row in rows) else {}
    for row in rows:
        if row["state"] == "rejected":
            why = either(saero.settings.language, *_FORGOTTEN) if row["reason"] == REASON else row["reason"]
            row["reason"] = left.get((row["source"], row["path"]), why)
    return [{**{name: row[name] for name in COLUMNS}, "unread_pages": pages_unread(row)} for row in rows]


def _left(con: Any, language: str) -> dict[tuple[str, str], str]:
    """Return (source, path) -> who took it out of search, what covers it, and how it comes back."""
    from resources.ledger import reviews

    places = holders(con)
    found = {}
    for key, row in reviews.answers(con, "redundancy").items():
        if row["answer"] == "accept":
            by = said([place for body in sorted(reviews.covers(row)) for place in places.get(body, [])[:1]], "?")
            why = either(
                language,
                f"사람이 다른 문서에 다 있다고 승인해 검색에서 제외: {by}. 되돌리기: saero review undo {key}",
                f"a person took it out as redundant, covered by {by}; `saero review undo {key}` returns it",
            )
            found.update({(place["source"], place["path"]): why for place in places.get(row["a_body"], [])})
    return found


def _unsearched(saero: Any) -> set[tuple[str, str]]:
    """Return the places that search names as unsearched, whatever their state is called."""
    from pipelines.findings import unsearched
    from resources.ledger import documents as store

    if not saero.ledger.exists:
        return set()
    with saero.ledger.transaction("documents") as con:
        return {(row["source"], row["path"]) for row in unsearched(store.present(con))}


def _print(rows: list[dict[str, Any]], saero: Any) -> None:
    language, zone = saero.settings.language, saero.settings.zone
    if not rows:
        click.echo(either(language, "해당하는 문서가 없습니다.", "No such document."))
        return
    table = [
        (
            word(row["state"], language),
            f"{row['source']}/{row['path']}",
            row["format"] or "",
            local(row["modified_at"], zone),
            local(row["expires_at"], zone),
            str(row["chunks"] or ""),
            _why(row, language),
        )
        for row in rows
    ]
    head = either(
        language, "상태 문서 형식 수정일 유효기간 조각 비고", "state document format modified expires chunks note"
    )
    print_table(table, head.split(" "))


def _why(row: dict[str, Any], language: str) -> str:
    if row["category"]:
        return f"{row['category']}: {row['reason']}"
    if pages := row["unread_pages"]:
        numbers = ", ".join(map(str, pages[:_PAGES_NAMED])) + (" …" if len(pages) > _PAGES_NAMED else "")
        return either(language, f"읽지 못한 쪽(스캔): {numbers}", f"pages not read (scans): {numbers}")
    if row["state"] == "rejected" and row["reason"]:
        return str(row["reason"])
    for key, mark in (("superseded_by", "→ "), ("duplicate_of", "= ")):
        if row[key]:
            return f"{mark}{row[key]}"
    return ""


@command.command("renew", short_help="Keep a document until a later day.")
@click.argument("path", type=TEXT)
@click.option("--until", type=DAY, required=True, metavar="YYYY-MM-DD", help="The last day on which it counts.")
@json_option
@click.pass_obj
def renew(config: str | None, path: str, until: date, as_json: bool) -> None:
    """Keep PATH ("source/path") in the index up to and including --until; the next refresh brings it back."""
    from resources.build import build

    saero = build(config)
    end = end_of(until, saero.settings.zone)
    if end <= datetime.now(UTC):
        raise click.BadParameter(f"{until} is past", param_hint="--until")
    source, inner = _decide(saero, path, "renew", {"until": end.isoformat()})
    if as_json:
        print_json({"source": source, "path": inner, "expires_at": end})
        return
    message = f"{path}: {until}까지 유효합니다. 다음 갱신(saero refresh)에서 반영됩니다."
    click.echo(either(saero.settings.language, message, f"{path}: kept until {until}; the next refresh applies it."))


@command.command("review", short_help="Say that a document still holds, or list what is due.")
@click.argument("path", type=TEXT, required=False)
@json_option
@click.pass_obj
def review(config: str | None, path: str | None, as_json: bool) -> None:
    """Count `review_after` of PATH ("source/path") from today on; its own date and its text stay as they are.

    Without PATH, list what waits to be looked at: what searches found most often comes first.
    """
    from resources.build import build
    from saero.commands.due import print_due

    saero = build(config)
    if path is None:
        print_due(saero, as_json=as_json)
        return
    now = datetime.now(UTC)
    source, inner = _decide(saero, path, "review", {"at": now.isoformat()})
    if as_json:
        print_json({"source": source, "path": inner, "reviewed_at": now})
        return
    message = f"{path}: 확인했습니다. 다음 갱신(saero refresh)에서 반영됩니다."
    click.echo(either(saero.settings.language, message, f"{path}: reviewed; the next refresh applies it."))


def _decide(saero: Any, path: str, kind: str, value: dict[str, str]) -> tuple[str, str]:
    """Write down what a person decided about the body of a document; returns its source and path."""
    from resources.ledger import decisions
    from resources.ledger import documents as store
    from saero.commands.show import split

    source, inner = split(path, [s.name for s in saero.sources])
    with saero.ledger.transaction(kind) as con:
        row = store.of_source(con, source).get(inner)
        if row is None:
            raise Refused(f"{path}: no such document; `saero documents` lists them")
        if kind == "renew" and row["expires_at"] is None:
            raise Refused(f"{path}: it has no expiry, so there is nothing to renew")
        decisions.add(
            con,
            decision_id=uuid.uuid4().hex[:12],
            kind=kind,
            subject=row["body_hash"] or row["content_hash"],
            value={**value, "path": f"{source}/{inner}"},
            now=datetime.now(UTC),
        )
    return source, inner
