"""Alerts: causes that a person should know, and what of them is news since a person was last told."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pipelines.gap import Verdict
from pipelines.records import Finding

Severity = Literal["urgent", "digest"]
AlertState = Literal["open", "worsened", "resolved"]

# The causes that can't wait for a digest (DESIGN section 7), and held deletions, which end by themselves in 7 nights.
URGENT = frozenset(
    {"run_failed", "run_missing", "source_unreachable", "publish_held", "canary_lost", "canary_value_changed"}
    | {"deletions_held"}
)
# What happens in one night and is over in the next: it stays open until a person was told, and its end is no news.
ONCE = frozenset({"version_returned", "canary_new"})
# States of a canary from bad to worse.
CANARY_ORDER = ("new", "moved", "gap", "drop", "displaced", "value_changed", "lost")
WARNED_NIGHT = 5


@dataclass(frozen=True, slots=True)
class Alert:
    """A cause that a person should know. `detail` holds names and numbers; `text` a passage or diff, kept apart."""

    id: str
    kind: str
    severity: Severity
    state: AlertState
    owner: str
    source: str
    path: str
    since: datetime
    detail: Mapping[str, object] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """How an alert stood when a person was last told of it.

    eased  it has been less than urgent since then: when it is urgent again, that is news
    over   its end was told with it
    """

    state: AlertState
    kind: str
    severity: Severity
    documents: int = 0
    nights: int = 0
    run_id: str = ""
    eased: bool = False
    over: bool = False


def alert_of(finding: Finding, *, owner: str, since: datetime, text: str = "") -> Alert:
    """Make a finding an alert; the same kind, source and path is the same alert night after night."""
    return Alert(
        alert_id(finding.kind, finding.source, finding.path),
        finding.kind,
        "urgent" if finding.kind in URGENT else "digest",
        "open",
        owner,
        finding.source,
        finding.path,
        since,
        finding.detail,
        text,
    )


def alert_of_canary(verdict: Verdict, *, since: datetime) -> Alert | None:
    """Make a canary's verdict an alert; None when it is ok. One canary is one alert, whatever its state."""
    if verdict.state == "ok":
        return None
    canary = verdict.canary
    kind = f"canary_{verdict.state}"
    detail = {
        "canary_id": canary.canary_id,
        "query": canary.query,
        "cause": verdict.cause,
        "score": verdict.score,
        "baseline": canary.baseline,
        "min_score": canary.min_score,
    }
    return Alert(
        canary_alert_id(canary.canary_id),
        kind,
        "urgent" if kind in URGENT else "digest",
        "open",
        canary.owner,
        verdict.pin.source if verdict.pin else "",
        verdict.pin.path if verdict.pin else "",
        since,
        detail,
        verdict.top.text if verdict.top else "",
    )


def alert_id(*parts: str) -> str:
    """Return the id under which the same cause is known night after night."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def canary_alert_id(canary_id: str) -> str:
    """Return the id of a canary's alert."""
    return alert_id("canary", canary_id)


def told_of(alert: Alert) -> Told:
    """Return what a person knows who was told of `alert` now."""
    return Told(
        alert.state,
        alert.kind,
        alert.severity,
        _count(alert, "documents"),
        _count(alert, "nights"),
        _run_id(alert),
        over=alert.kind in ONCE or alert.detail.get("over") is True,
    )


def news_of(alert: Alert, told: Told | None) -> AlertState | None:
    """Return what must be told of an alert as it stands: how it differs from what was told, None when it doesn't.

    What opened and was resolved before anyone was told is no news.
    """
    if told is None:
        return None if alert.state == "resolved" else "open"
    if alert.state == "resolved":
        return None if told.state == "resolved" or told.over else "resolved"
    if told.state == "resolved" or _run_id(alert) != told.run_id:
        return "open"
    if _is_worse(alert, told):
        return "worsened"
    if alert.kind in ONCE and alert.kind != told.kind:
        return "open"
    # What is less than urgent now is worth a line of the next digest: the alarm no longer stands as it was told.
    return "open" if told.severity == "urgent" and alert.severity != "urgent" else None


def _is_worse(alert: Alert, told: Told) -> bool:
    """Tell news from drift: graver, twice as much, or the warning before held deletions end."""
    if alert.severity == "urgent" and (told.severity != "urgent" or told.eased):
        return True
    if _rank(alert.kind) > _rank(told.kind):
        return True
    if _count(alert, "nights") >= WARNED_NIGHT > told.nights:
        return True
    return _count(alert, "documents") >= 2 * max(told.documents, 1)


def _rank(kind: str) -> int:
    state = kind.removeprefix("canary_")
    return CANARY_ORDER.index(state) if state in CANARY_ORDER else -1


def _count(alert: Alert, key: str) -> int:
    value = alert.detail.get(key)
    return value if isinstance(value, int) else 0


def _run_id(alert: Alert) -> str:
    """Alerts of runs name their run: another run that failed is another piece of news."""
    return str(alert.detail.get("run_id") or "")
