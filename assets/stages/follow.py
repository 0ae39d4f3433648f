"""Follow alerts from night to night: what stands, what was resolved, and what of it must still be told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from pipelines.alert import ONCE, Alert, Told, news_of, told_of

Row = dict[str, Any]


def followed(
    before: Mapping[str, Row], alerts: Iterable[Alert], *, now: datetime, carried: Callable[[Row], bool]
) -> list[Row]:
    """Return the rows to write: all that stands, and what was resolved and isn't told yet.

    `carried` says of a row whose cause wasn't seen that it stays as it is all the same.
    """
    current = {alert.id: alert for alert in alerts}
    rows = [standing(before.get(key), alert, now) for key, alert in current.items()]
    for key, old in before.items():
        if key in current or (old["state"] == "resolved" and old["news"] is None):
            continue
        if old["state"] == "resolved" or carried(old):
            rows.append(_stored(old))
        else:
            rows.append(_resolved(old, now))
    return rows


def standing(old: Row | None, alert: Alert, now: datetime) -> Row:
    """Return the row of an alert whose cause stands; `old` is its row so far."""
    told = told_in(old)
    if told is not None and told.severity == "urgent" != alert.severity:
        told = replace(told, eased=True)
    began = old is None or old["state"] == "resolved"
    if began and alert.kind in ONCE:
        told = None  # its end wasn't told: that it happened again is news
    news = news_of(alert, told)
    stays_worse = not began and old is not None and (old["state"], old["kind"]) == ("worsened", alert.kind)
    state = "worsened" if news == "worsened" or stays_worse else "open"
    same = old is not None and (old["state"], old["kind"]) == (state, alert.kind)
    return {
        "alert_id": alert.id,
        "kind": alert.kind,
        "severity": alert.severity,
        "state": state,
        "owner": alert.owner,
        "source": alert.source,
        "path": alert.path,
        "evidence": dict(alert.detail),
        "since": alert.since if old is None or began else old["since"],
        "changed_at": old["changed_at"] if old is not None and same else now,
        "news": news,
        "told": asdict(told) if told else None,
        "told_at": old["told_at"] if old else None,
        "mail_id": old["mail_id"] if old else None,
    }


def _resolved(old: Row, now: datetime) -> Row:
    """What was told is what ends: a canary that was told lost and is ok again after it had moved was lost."""
    told = told_in(old)
    row = {**_stored(old), "state": "resolved", "changed_at": now}
    if told is not None and told.state != "resolved":
        row.update(kind=told.kind, severity=told.severity)
    row["news"] = news_of(alert_in(row), told)
    return row


def mark_told(row: Row, *, mail_id: str, now: datetime) -> None:
    """Write down that a mail tells the row as it stands."""
    row.update(told=asdict(told_of(alert_in(row))), news=None, told_at=now, mail_id=mail_id)


def alert_in(row: Row) -> Alert:
    """Return the record of a row."""
    evidence = row["evidence"]
    return Alert(
        id=row["alert_id"],
        kind=row["kind"],
        severity=row["severity"],
        state=row["state"],
        owner=row["owner"] or "",
        source=row["source"] or "",
        path=row["path"] or "",
        since=row["since"],
        detail=json.loads(evidence or "{}") if evidence is None or isinstance(evidence, str) else evidence,
    )


def told_in(row: Row | None) -> Told | None:
    """Return what was last told of a row, None when nothing was."""
    if row is None or row["told"] is None:
        return None
    told = row["told"]
    return Told(**(json.loads(told) if isinstance(told, str) else told))


def _stored(row: Row) -> Row:
    """Leave out what `findings.alerts` adds to the columns of the table."""
    return {name: value for name, value in row.items() if name not in ("mail", "mail_error")}
