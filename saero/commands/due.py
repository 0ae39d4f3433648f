"""Documents that wait for somebody to look at them, the most often found first."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from pipelines.alert_words import KINDS
from saero.output import local, print_json, print_table
from saero.words import either

if TYPE_CHECKING:
    from resources.build import Saero

DUE = ("review_due", "feedback", "expires_soon", "stale_parse")
# How far back being found counts.
_SINCE = timedelta(days=90)


def due(saero: Saero) -> list[dict[str, Any]]:
    """Return what the last run found due: source, path, kinds, found (times in 90 days), votes (that call it wrong)."""
    from resources.ledger import documents, findings, inbox

    if not saero.ledger.exists:
        return []
    day = (datetime.now(UTC) - _SINCE).astimezone(saero.settings.zone).date()
    with saero.ledger.transaction("due") as con:
        times = inbox.times_found(con, day)
        clocks = {(row["source"], row["path"]): row["modified_at"] for row in documents.overview(con)}
        opened = [row for row in findings.opened(con) if row["kind"] in DUE]
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in opened:
        place = (row["source"], row["path"])
        fresh = {"source": place[0], "path": place[1], "kinds": [], "found": times.get(place, 0), "votes": 0}
        one = found.setdefault(place, {**fresh, "modified_at": clocks.get(place), "since": row["opened_at"]})
        one["kinds"].append(row["kind"])
        one.update(_votes(row))
    return sorted(
        found.values(),
        key=lambda one: (-one["votes"], -one["found"], str(one["modified_at"]), one["source"], one["path"]),
    )


def _votes(row: dict[str, Any]) -> dict[str, int]:
    return {"votes": json.loads(row["detail"])["votes"]} if row["kind"] == "feedback" else {}


def print_due(saero: Saero, *, as_json: bool) -> None:
    """Print what is due."""
    rows = due(saero)
    language, zone = saero.settings.language, saero.settings.zone
    if as_json:
        print_json({"due": rows})
    elif not rows:
        click.echo(either(language, "확인할 문서가 없습니다.", "No document waits to be looked at."))
    else:
        head = ["찾은 횟수", "문서", "수정일", "까닭"] if language == "ko" else ["found", "document", "modified", "why"]
        side = 0 if language == "ko" else 1
        print_table(
            [
                (
                    str(row["found"]),
                    f"{row['source']}/{row['path']}",
                    local(row["modified_at"], zone),
                    ", ".join(KINDS[kind][side] for kind in row["kinds"]),
                )
                for row in rows
            ],
            head,
        )
