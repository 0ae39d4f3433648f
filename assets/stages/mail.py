"""Alert mail: what is news, to whom it goes, and the outbox."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

from pipelines.alert import Alert, alert_of, alert_of_canary, digest, first_run_summary, news, urgent
from pipelines.records import Finding
from resources.asking import Answers
from resources.build import Run, Saero
from resources.ledger import decisions, outbox, passages, runs
from resources.ledger import findings as finding_store
from resources.post import send_queued

Row = dict[str, Any]
WEEK = timedelta(days=7)


def tell_news(run: Run, answers: Answers | None) -> dict[str, int]:
    """Compare tonight's alerts with those told before, queue mails with what is new, and send the outbox."""
    saero = run.saero
    with saero.ledger.transaction("alerts") as con:
        first = runs.count(con) == 0 and not outbox.mails(con)
        found = finding_store.opened(con)
        before = {row["alert_id"]: row for row in finding_store.alerts(con)}
        muted = decisions.standing(con, "mute")
        counts = passages.states(con)
        chunks = sum(passages.chunk_counts(con).values())
        last_digest = outbox.last_of(con, ("digest", "first"))
    owners = {source.name: source.owner for source in saero.sources}
    alerts = _current(found, answers, owners, run.now)
    rows = _followed(before, alerts, run.now)
    mails: list[tuple[str, EmailMessage, list[str]]] = []
    if first:
        mails.append(("first", _summary(run, counts, chunks), [row["alert_id"] for row in rows]))
    else:
        silent = {kind for kind, value in muted.items() if datetime.fromisoformat(value["until"]) > run.now}
        due = _digest_due(saero, last_digest, run.now)
        mails = _mails(saero, rows, alerts, silent=silent, due=due, now=run.now)
    with saero.ledger.transaction("alerts") as con:
        for kind, message, told in mails:
            mail_id = outbox.queue(con, message, kind=kind, now=run.now)
            for row in rows:
                if row["alert_id"] in told:
                    row.update(told_at=run.now, mail_id=mail_id)
        finding_store.put_alerts(con, rows)
    return send_queued(saero, run.now)


def tell_failure(saero: Saero, *, run_id: str, stage: str) -> None:
    """Mail once that a run failed; the Message-ID is made from the run id."""
    now = datetime.now(UTC)
    alert = alert_of(Finding("run_failed", detail={"run_id": run_id, "stage": stage}), owner="", since=now)
    message = urgent(
        [alert], **_style(saero, now), owner=_to(saero, [*saero.settings.mail.recipients, *_owners(saero)]), key=run_id
    )
    with saero.ledger.transaction("outbox") as con:
        outbox.queue(con, message, kind="urgent", now=now)
    send_queued(saero, now)


def _current(found: Iterable[Row], answers: Answers | None, owners: dict[str, str], now: datetime) -> list[Alert]:
    alerts = [
        alert_of(
            Finding(row["kind"], row["source"], row["path"], json.loads(row["detail"] or "{}")),
            owner=owners.get(row["source"], ""),
            since=row["opened_at"],
        )
        for row in found
    ]
    for verdict in answers.verdicts if answers else ():
        alert = alert_of_canary(verdict, since=now)
        if alert is not None:
            alerts.append(replace(alert, owner=alert.owner or owners.get(alert.source, "")))
    return alerts


def _followed(before: dict[str, Row], alerts: Sequence[Alert], now: datetime) -> list[Row]:
    """Return the rows of all alerts: what opened, worsened or was resolved is untold again, the rest stays."""
    earlier = [_alert(row) for row in before.values() if row["state"] != "resolved"]
    fresh = {alert.id: alert for alert in news(earlier, alerts)}
    rows = []
    for alert in {alert.id: alert for alert in [*alerts, *fresh.values()]}.values():
        old = before.get(alert.id)
        told = fresh.get(alert.id)
        if told is None and old is not None:
            rows.append({**_stored(old), "evidence": json.dumps(dict(alert.detail), default=str, ensure_ascii=False)})
            continue
        state = told.state if told else "open"
        # What opened and was resolved before anyone was told is no news.
        quiet = state == "resolved" and old is not None and old["told_at"] is None
        rows.append(
            {
                "alert_id": alert.id,
                "kind": alert.kind,
                "severity": alert.severity,
                "state": state,
                "owner": alert.owner,
                "source": alert.source,
                "path": alert.path,
                "evidence": dict(alert.detail),
                "since": old["since"] if old is not None and state != "open" else now,
                "changed_at": now,
                "told_at": now if quiet else None,
                "mail_id": old["mail_id"] if old is not None else None,
            }
        )
    return rows


def _alert(row: Row) -> Alert:
    return Alert(
        id=row["alert_id"],
        kind=row["kind"],
        severity=row["severity"],
        state=row["state"],
        owner=row["owner"] or "",
        source=row["source"] or "",
        path=row["path"] or "",
        since=row["since"],
        detail=json.loads(row["evidence"] or "{}"),
    )


def _stored(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "mail"}


def _mails(
    saero: Saero, rows: Sequence[Row], alerts: Sequence[Alert], *, silent: set[str], due: bool, now: datetime
) -> list[tuple[str, EmailMessage, list[str]]]:
    """Return (kind, mail, alert ids told): urgent ones at once, the rest when a digest is due."""
    texts = {alert.id: alert.text for alert in alerts}
    untold = [
        replace(_alert({**row, "evidence": _plain(row["evidence"])}), text=texts.get(row["alert_id"], ""))
        for row in rows
        if row["told_at"] is None and row["kind"] not in silent
    ]
    mails = []
    for kind in ("urgent", "digest"):
        batch = [alert for alert in untold if alert.severity == kind]
        if not batch or (kind == "digest" and not due):
            continue
        for owner, own in _addressed(saero, batch):
            mails.append((kind, _message(saero, kind, own, owner, now), [alert.id for alert in own]))
    return mails


def _message(saero: Saero, kind: str, alerts: Sequence[Alert], owner: str, now: datetime) -> EmailMessage:
    style = _style(saero, now)
    if kind == "urgent":
        return urgent(alerts, **style, owner=owner)
    canaries = [alert for alert in alerts if alert.kind.startswith("canary_")]
    return digest([alert for alert in alerts if alert not in canaries], canaries, **style, owner=owner)


def _addressed(saero: Saero, alerts: Sequence[Alert]) -> list[tuple[str, list[Alert]]]:
    """Return (addresses, alerts): recipients of the settings get everything, owners what is theirs."""
    everyone = list(saero.settings.mail.recipients)
    found: list[tuple[str, list[Alert]]] = []
    if everyone:
        found.append((_to(saero, everyone), list(alerts)))
    for owner in sorted({alert.owner for alert in alerts if alert.owner and alert.owner not in everyone}):
        found.append((owner, [alert for alert in alerts if alert.owner == owner]))
    unowned = [alert for alert in alerts if not alert.owner]
    if unowned and not everyone:
        found.append((_to(saero, _owners(saero)), unowned))
    return found


def _summary(run: Run, counts: dict[str, dict[str, int]], chunks: int) -> EmailMessage:
    saero = run.saero
    documents: dict[str, int] = {}
    for states in counts.values():
        for state, count in states.items():
            documents[state] = documents.get(state, 0) + count
    failures: dict[str, int] = {}
    for failure in run.failures:
        failures[failure["category"]] = failures.get(failure["category"], 0) + 1
    style = _style(saero, run.now)
    style.pop("evidence")
    to = _to(saero, [*saero.settings.mail.recipients, *_owners(saero)])
    return first_run_summary(documents, failures, run.counts["findings"], chunks=chunks, owner=to, **style)


def _style(saero: Saero, now: datetime) -> dict[str, Any]:
    return {
        "language": saero.settings.language,
        "evidence": saero.settings.mail.evidence,
        "now": now.astimezone(saero.settings.zone),
        "host_label": socket.gethostname(),
    }


def _owners(saero: Saero) -> list[str]:
    return list(dict.fromkeys(source.owner for source in saero.sources if source.owner))


def _to(saero: Saero, addresses: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(address for address in addresses if address))


def _digest_due(saero: Saero, last: datetime | None, now: datetime) -> bool:
    """Weekly by default: a digest every night is soon a mail that nobody reads."""
    if saero.settings.mail.digest == "nightly" or last is None:
        return True
    # An hour of grace, or a nightly run that starts a minute earlier than last week waits for another day.
    return now - last >= WEEK - timedelta(hours=1)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
