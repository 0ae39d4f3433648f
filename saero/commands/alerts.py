"""saero alerts: what was told to whom, and what is still unsent."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

import click

from pipelines.errors import Refused
from saero.arguments import DAY, TEXT, end_of
from saero.output import csv_option, json_option, local, print_csv, print_json, print_table
from saero.words import alert_word, either

COLUMNS = ("id", "kind", "severity", "state", "owner", "source", "path", "since", "evidence", "mail")


@click.group("alerts", invoke_without_command=True, short_help="Show alerts and mails; send what is unsent.")
@click.option("--send", is_flag=True, help="Try to send what is queued, and what was given up.")
@json_option
@csv_option
@click.pass_context
def command(ctx: click.Context, send: bool, as_json: bool, as_csv: bool) -> None:
    """List alerts with their evidence and the fate of their mail."""
    if ctx.invoked_subcommand:
        return
    from resources.build import build

    saero = build(ctx.obj)
    sent = _send(saero) if send else None
    rows = collect(saero)
    if as_json:
        print_json({"alerts": rows, **({"sent": sent} if send else {})})
    elif as_csv:
        print_csv(rows, COLUMNS)
    else:
        _print(rows, sent, saero)


def collect(saero: Any) -> list[dict[str, Any]]:
    """Return the shape of `alerts --json` (DESIGN section 8)."""
    from resources.ledger import decisions, findings

    if not saero.ledger.exists:
        return []
    with saero.ledger.transaction("alerts") as con:
        rows = findings.alerts(con)
        muted = decisions.standing(con, "mute")
    now = datetime.now(UTC)
    shown = []
    for row in rows:
        until = muted.get(row["kind"], {}).get("until")
        is_muted = until is not None and datetime.fromisoformat(until) > now and row["state"] != "resolved"
        shown.append(
            {
                "id": row["alert_id"],
                **{name: row[name] for name in ("kind", "severity", "state", "owner", "source", "path", "since")},
                "evidence": json.loads(row["evidence"] or "{}"),
                "mail": "muted" if is_muted else row["mail"],
            }
        )
    return shown


@command.command("mute", short_help="Say nothing about a kind of alert for a while.")
@click.argument("kind", type=TEXT)
@click.option(
    "--until", type=DAY, required=True, metavar="YYYY-MM-DD", help="The last silent day; a past one ends the silence."
)
@json_option
@click.pass_obj
def mute(config: str | None, kind: str, until: date, as_json: bool) -> None:
    """Mail nothing about KIND up to and including --until; it stays in this list and in the Dagster UI."""
    import uuid

    from pipelines.alert_words import KINDS
    from resources.build import build
    from resources.ledger import decisions

    saero = build(config)
    if kind not in KINDS:
        raise Refused(f"{kind}: no such kind; the kinds are: {', '.join(sorted(KINDS))}")
    end = end_of(until, saero.settings.zone)
    saero.make_state()
    with saero.ledger.transaction("mute") as con:
        decisions.add(
            con,
            decision_id=uuid.uuid4().hex[:12],
            kind="mute",
            subject=kind,
            value={"until": end.isoformat()},
            now=datetime.now(UTC),
        )
    if as_json:
        print_json({"kind": kind, "muted_until": end})
    else:
        click.echo(
            either(saero.settings.language, f"{kind}: {until}까지 알리지 않습니다.", f"{kind}: silent until {until}")
        )


def _send(saero: Any) -> dict[str, int]:
    from resources.post import send_queued

    return send_queued(saero, datetime.now(UTC), failed_too=True)


def _print(rows: list[dict[str, Any]], sent: dict[str, int] | None, saero: Any) -> None:
    from pipelines.alert_words import kind_words

    language, zone = saero.settings.language, saero.settings.zone
    if sent is not None:
        said = ", ".join(f"{alert_word(name, language)} {count}" for name, count in sent.items()) or "0"
        click.echo(either(language, f"보낸 결과: {said}", f"mails: {said}"))
    if not rows:
        click.echo(either(language, "알림이 없습니다.", "No alerts."))
        _print_troubled(saero)
        return
    korean = ["상태", "종류", "중요도", "문서", "담당자", "부터", "메일"]
    head = korean if language == "ko" else ["state", "kind", "severity", "document", "owner", "since", "mail"]
    print_table(
        [
            (
                alert_word(row["state"], language),
                kind_words(row["kind"], language),
                alert_word(row["severity"], language),
                "/".join(part for part in (row["source"], row["path"]) if part),
                row["owner"] or "",
                local(row["since"], zone),
                alert_word(row["mail"], language),
            )
            for row in rows
        ],
        head,
    )
    _print_troubled(saero)


def _print_troubled(saero: Any) -> None:
    """Print the mails that didn't reach everyone, with what the server said."""
    from resources.ledger import outbox

    language, zone = saero.settings.language, saero.settings.zone
    if not saero.ledger.exists:
        return
    with saero.ledger.transaction("alerts") as con:
        mails = outbox.troubled(con)
    if not mails:
        return
    click.echo(either(language, "\n받지 못한 사람이 있는 메일:", "\nMails that didn't reach everyone:"))
    korean = ["메일", "제목", "받는 사람", "만든 때", "시도", "까닭"]
    head = korean if language == "ko" else ["mail", "subject", "to", "written", "attempts", "why"]
    print_table(
        [
            (
                alert_word(mail["state"], language),
                mail["subject"],
                ", ".join(json.loads(mail["recipients"])),
                local(mail["created_at"], zone),
                str(mail["attempts"]),
                mail["last_error"],
            )
            for mail in mails
        ],
        head,
    )
