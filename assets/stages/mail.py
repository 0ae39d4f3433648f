"""Alert mail: what is news, to whom it goes, and the outbox."""

from __future__ import annotations

import json
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import getaddresses
from typing import TYPE_CHECKING, Any

from assets.stages.follow import alert_in, followed, mark_told, standing, told_in
from assets.stages.missing import missing_run
from pipelines.alert import ONCE, Alert, alert_of, alert_of_canary, canary_alert_id
from pipelines.alert_mail import digest, first_run_summary, urgent
from pipelines.records import Finding
from resources.asking import Answers
from resources.build import Run, Saero
from resources.ledger import decisions, outbox, passages
from resources.ledger import findings as finding_store
from resources.post import send_queued
from resources.progress import read_step

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
WEEK = timedelta(days=7)
OF_RUNS = ("run_failed", "run_missing")


def tell_news(run: Run, answers: Answers | None) -> dict[str, int]:
    """Compare tonight's alerts with what was told, queue mails with what is new, and send the outbox."""
    with run.saero.ledger.session("alerts"):
        _queue_news(run, answers)
    return send_queued(run.saero, run.now)


def _queue_news(run: Run, answers: Answers | None) -> None:
    saero = run.saero
    missing = missing_run(saero, run.now, this_run=run.id)
    with saero.ledger.transaction("alerts") as con:
        found = finding_store.opened(con)
        before = {row["alert_id"]: row for row in finding_store.alerts(con)}
        muted = _muted(con, run.now)
        counts = passages.states(con)
        chunks = sum(passages.chunk_counts(con).values())
        last_digest = outbox.last_of(con, ("digest", "first"))
    owners = {source.name: source.owner for source in saero.sources}
    alerts = [*_current(found, answers, owners, run.now), *_missed(missing, before, run.now)]
    rows = followed(before, alerts, now=run.now, carried=_carried(run, answers))
    if last_digest is None:
        to = ", ".join(_addresses([*saero.settings.mail.recipients, *_owners(saero)]))
        mails = [("first", _summary(run, counts, rows, chunks, to), [row["alert_id"] for row in rows if row["news"]])]
    else:
        texts = {alert.id: alert.text for alert in alerts}
        mails = _mails(run, rows, texts, muted=muted, due=_digest_due(saero, last_digest, run.now))
    with saero.ledger.transaction("alerts") as con:
        for kind, message, told in mails:
            mail_id = outbox.queue(con, message, kind=kind, now=run.now)
            for row in rows:
                if row["alert_id"] in told:
                    mark_told(row, mail_id=mail_id, now=run.now)
        finding_store.put_alerts(con, rows)


def tell_failure(saero: Saero, *, run_id: str, stage: str) -> None:
    """Mail once that a run failed, whoever tells it; the next good run resolves the alert."""
    _tell_at_once(saero, Finding("run_failed", detail={"run_id": run_id, "stage": stage}), datetime.now(UTC))


def tell_missing(saero: Saero, now: datetime) -> bool:
    """Mail once for each gap that the nightly run didn't come; tells whether it is missing."""
    if not saero.ledger.exists or read_step(saero.run_path) is not None:
        return False
    missing = missing_run(saero, now)
    if missing is not None:
        _tell_at_once(saero, missing, now)
    return missing is not None


def _tell_at_once(saero: Saero, finding: Finding, now: datetime) -> None:
    """Queue and send an urgent mail about a run; its Message-ID is made from the run's id."""
    alert = alert_of(finding, owner="", since=now)
    to = ", ".join(_addresses([*saero.settings.mail.recipients, *_owners(saero)]))
    with saero.ledger.transaction("outbox") as con:
        old = next((row for row in finding_store.alerts(con) if row["alert_id"] == alert.id), None)
        row = standing(old, alert, now)
        if row["news"] and alert.kind not in _muted(con, now):
            key = f"{alert.kind} {finding.detail['run_id']}"
            message = urgent([replace(alert, state=row["news"])], **_style(saero, now), owner=to, key=key)
            mark_told(row, mail_id=outbox.queue(con, message, kind="urgent", now=now), now=now)
        finding_store.put_alerts(con, [row])
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


def _missed(missing: Finding | None, before: dict[str, Row], now: datetime) -> list[Alert]:
    """Return the gap that this run ends, unless the sensor told of it before: then this run is its end."""
    if missing is None:
        return []
    alert = alert_of(replace(missing, detail={**missing.detail, "over": True}), owner="", since=now)
    told = told_in(before.get(alert.id))
    known = told is not None and told.run_id == missing.detail["run_id"] and not told.over
    return [] if known else [alert]


def _carried(run: Run, answers: Answers | None) -> Callable[[Row], bool]:
    """Say which alerts stay though their cause wasn't seen: nobody could look, or a person must hear of them once."""
    # A version that waits for its second night is no failure.
    ended_well = run.failed_stage is None and (run.held is not None or run.memory.get("published") is not None)
    asked = {canary_alert_id(verdict.canary.canary_id) for verdict in answers.verdicts} if answers else set()

    def carried(row: Row) -> bool:
        if row["kind"] in OF_RUNS:
            return not ended_well
        of_canary = row["kind"].startswith("canary_")
        if of_canary and answers is None:
            return True
        return row["kind"] in ONCE and row["news"] is not None and (not of_canary or row["alert_id"] in asked)

    return carried


def _muted(con: duckdb.DuckDBPyConnection, now: datetime) -> set[str]:
    """Return the kinds of alerts that a person doesn't want to hear of now."""
    muted = decisions.standing(con, "mute")
    return {kind for kind, value in muted.items() if datetime.fromisoformat(value["until"]) > now}


def _mails(
    run: Run, rows: Sequence[Row], texts: dict[str, str], *, muted: set[str], due: bool
) -> list[tuple[str, EmailMessage, list[str]]]:
    """Return (kind, mail, alert ids told): urgent ones at once, the rest when a digest is due."""
    untold = [
        replace(alert_in(row), state=row["news"], text=texts.get(row["alert_id"], ""))
        for row in rows
        if row["news"] and row["kind"] not in muted
    ]
    style = _style(run.saero, run.now)
    mails = []
    for kind, write in (("urgent", urgent), ("digest", digest)):
        batch = [alert for alert in untold if alert.severity == kind]
        if kind == "digest" and not due:
            continue
        for to, own in _addressed(run.saero, batch).items():
            message = write(own, **style, owner=to, key=f"news {run.id}")
            mails.append((kind, message, [alert.id for alert in own]))
    return mails


def _addressed(saero: Saero, alerts: Sequence[Alert]) -> dict[str, list[Alert]]:
    """Return addresses -> alerts: recipients of the settings get everything, owners what is theirs.

    Without recipients what belongs to no source goes to every owner, and what has no owner into the outbox folder.
    """
    if not alerts:
        return {}
    everyone = _addresses(saero.settings.mail.recipients)
    found: dict[str, list[Alert]] = {", ".join(everyone): list(alerts)} if everyone else {}
    known = {address.lower() for address in everyone}
    for alert in alerts:
        own = _addresses([alert.owner])
        if not own and not everyone:
            own = [""] if alert.source else _addresses(_owners(saero)) or [""]
        for address in own:
            if address.lower() not in known:
                found.setdefault(address, []).append(alert)
    return found


def _addresses(written: Iterable[str]) -> list[str]:
    """Return the addresses that are written one or more to a text, each once, however its letters are cased."""
    found = {address.lower(): address for _, address in reversed(getaddresses(list(written))) if address}
    return list(reversed(found.values()))


def _summary(run: Run, counts: dict[str, dict[str, int]], rows: Sequence[Row], chunks: int, to: str) -> EmailMessage:
    documents: Counter[str] = Counter()
    for states in counts.values():
        documents.update(states)
    failures = Counter(failure["category"] for failure in run.failures)
    kinds = Counter(row["kind"] for row in rows if row["state"] != "resolved")
    style = _style(run.saero, run.now)
    style.pop("evidence")
    return first_run_summary(documents, failures, kinds, chunks=chunks, owner=to, **style)


def _style(saero: Saero, now: datetime) -> dict[str, Any]:
    return {
        "language": saero.settings.language,
        "evidence": saero.settings.mail.evidence,
        "now": now.astimezone(saero.settings.zone),
        "host_label": socket.gethostname(),
    }


def _owners(saero: Saero) -> list[str]:
    return [source.owner for source in saero.sources if source.owner]


def _digest_due(saero: Saero, last: datetime, now: datetime) -> bool:
    """Weekly by default: a digest every night is soon a mail that nobody reads."""
    if saero.settings.mail.digest == "nightly":
        return True
    # An hour of grace, or a nightly run that starts a minute earlier than last week waits for another day.
    return now - last >= WEEK - timedelta(hours=1)
