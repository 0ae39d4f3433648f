"""Alerts: what is news since the last mail, and the mails that tell it."""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Literal

from pipelines.alert_words import CATEGORIES, facts, kind_words, pick
from pipelines.gap import Verdict
from pipelines.records import Finding

Evidence = Literal["names", "text", "counts"]
Severity = Literal["urgent", "digest"]
AlertState = Literal["open", "worsened", "resolved"]

# The causes that can't wait for a digest (DESIGN section 7), and held deletions, which end by themselves in 7 nights.
URGENT = frozenset(
    {"run_failed", "run_missing", "source_unreachable", "publish_held", "canary_lost", "canary_value_changed"}
    | {"deletions_held"}
)
# States of a canary from bad to worse.
CANARY_ORDER = ("new", "moved", "gap", "drop", "displaced", "value_changed", "lost")
# Longer mails aren't read; the rest is counted.
MAX_LINES = 10
EXCERPT_CHARS = 200
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


def alert_of(finding: Finding, *, owner: str, since: datetime, text: str = "") -> Alert:
    """Make a finding an alert; the same kind, source and path is the same alert night after night."""
    return Alert(
        _digest_of(finding.kind, finding.source, finding.path),
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
        "query": canary.query,
        "cause": verdict.cause,
        "score": verdict.score,
        "baseline": canary.baseline,
        "min_score": canary.min_score,
    }
    return Alert(
        _digest_of("canary", canary.canary_id),
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


def news(previous: Iterable[Alert], current: Iterable[Alert]) -> list[Alert]:
    """Return what opened, worsened or was resolved; what stands as it stood is no news. Urgent first."""
    before = {alert.id: alert for alert in previous if alert.state != "resolved"}
    now = {alert.id: alert for alert in current}
    told = [replace(alert, state="open") for key, alert in now.items() if key not in before]
    told += [
        replace(alert, state="worsened", since=before[key].since)
        for key, alert in now.items()
        if key in before and _is_worse(alert, before[key])
    ]
    told += [replace(alert, state="resolved") for key, alert in before.items() if key not in now]
    return sorted(
        told, key=lambda alert: (alert.state == "resolved", alert.severity != "urgent", alert.state != "worsened")
    )


def _is_worse(alert: Alert, before: Alert) -> bool:
    """Tell news from drift: graver, twice as much, or the warning before held deletions end."""
    if alert.severity == "urgent" and before.severity != "urgent":
        return True
    if _rank(alert) > _rank(before):
        return True
    if _count(alert, "nights") >= WARNED_NIGHT > _count(before, "nights"):
        return True
    return _count(alert, "documents") >= 2 * max(_count(before, "documents"), 1)


def _rank(alert: Alert) -> int:
    state = alert.kind.removeprefix("canary_")
    return CANARY_ORDER.index(state) if state in CANARY_ORDER else -1


def _count(alert: Alert, key: str) -> int:
    value = alert.detail.get(key)
    return value if isinstance(value, int) else 0


def digest(
    findings: Sequence[Alert],
    canaries: Sequence[Alert],
    *,
    language: str,
    evidence: Evidence,
    owner: str,
    now: datetime,
    host_label: str,
) -> EmailMessage:
    """Build an owner's digest out of news; `now` in the time zone of the settings, `owner` one or more addresses."""
    alerts = [*findings, *canaries]
    count = len(alerts)
    where = _where(alerts, language, evidence)
    topic = pick((f"확인 {count}건", f"{count} to check"), language) + (f": {where}" if where else "")
    intro = pick(
        (f"지난 메일 뒤로 달라진 것이 {count}건입니다.", f"{count} things changed since the last mail."), language
    )
    body = [intro, "", *_lines(alerts, language, evidence)]
    key = _digest_of(*(f"{alert.id}{alert.state}" for alert in alerts))
    return _message("digest", key, topic, body, language=language, owner=owner, now=now, host_label=host_label)


def urgent(
    alerts: Sequence[Alert],
    *,
    language: str,
    evidence: Evidence,
    owner: str,
    now: datetime,
    host_label: str,
    key: str = "",
) -> EmailMessage:
    """Build a mail that doesn't wait; the same `key` (a run's id) gives the same Message-ID on any day."""
    first = kind_words(alerts[0].kind, language)
    where = _where(alerts, language, evidence)
    topic = pick(("긴급", "urgent"), language) + f": {first}" + (f", {where}" if where else "")
    ids = _digest_of(*(f"{alert.id}{alert.state}" for alert in alerts))
    body = _lines(alerts, language, evidence)
    return _message(
        "urgent", key or ids, topic, body, language=language, owner=owner, now=now, host_label=host_label, dated=not key
    )


def first_run_summary(
    documents: Mapping[str, int],
    failures: Mapping[str, int],
    findings: Mapping[str, int],
    *,
    chunks: int,
    language: str,
    owner: str,
    now: datetime,
    host_label: str,
) -> EmailMessage:
    """Build the one mail of the first run: counts only (state, category, kind of finding -> how many)."""
    total = sum(documents.values())
    topic = pick((f"첫 점검: 문서 {total}개", f"first run: {total} documents"), language)
    body = [
        pick(
            (f"문서 {total}개, 문단 {chunks}개를 검색할 수 있게 했습니다.", f"{total} documents, {chunks} passages."),
            language,
        )
    ]
    unread = [f"{pick(CATEGORIES.get(name, (name, name)), language)} {count}" for name, count in _sorted(failures)]
    if unread:
        body += ["", kind_words("unsearched", language) + ": " + ", ".join(unread), "  saero documents --state failed"]
    if findings:
        body += ["", *(f"- {kind_words(kind, language)}: {count}" for kind, count in _sorted(findings)[:MAX_LINES])]
        body += ["", _more(language)]
    return _message("first", "first", topic, body, language=language, owner=owner, now=now, host_label=host_label)


def _sorted(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(((name, count) for name, count in counts.items() if count), key=lambda item: (-item[1], item[0]))


def _where(alerts: Sequence[Alert], language: str, evidence: Evidence) -> str:
    """Name the folders for the subject: 제안서 폴더; 제안서 외 2개 폴더."""
    sources = list(dict.fromkeys(clean(alert.source) for alert in alerts if alert.source))
    if evidence == "counts" or not sources:
        return ""
    if len(sources) == 1:
        return pick((f"{sources[0]} 폴더", sources[0]), language)
    rest = len(sources) - 1
    return pick((f"{sources[0]} 외 {rest}개 폴더", f"{sources[0]} and {rest} more"), language)


def _lines(alerts: Sequence[Alert], language: str, evidence: Evidence) -> list[str]:
    """Write at most MAX_LINES lines, then counts and the command that shows more."""
    if evidence == "counts":
        return [*_counted(alerts, language), "", _more(language)]
    shown, rest = alerts[:MAX_LINES], alerts[MAX_LINES:]
    lines = [_line(alert, language, evidence) for alert in shown]
    if rest:
        counted = ", ".join(line.removeprefix("- ") for line in _counted(rest, language))
        lines.append(pick((f"외 {len(rest)}건: {counted}", f"and {len(rest)} more: {counted}"), language))
    return [*lines, "", _more(language)]


def _counted(alerts: Sequence[Alert], language: str) -> list[str]:
    counts = Counter(_state_word(alert, language) + kind_words(alert.kind, language) for alert in alerts)
    return [f"- {words}: {count}" for words, count in counts.most_common(MAX_LINES)]


def _line(alert: Alert, language: str, evidence: Evidence) -> str:
    """Say one thing in one line: state, kind, place, facts; a passage only when the settings allow it."""
    query = alert.detail.get("query")
    place = clean("/".join(part for part in (alert.source, alert.path) if part))
    parts = [f'"{clean(str(query))}"' if query else "", place]
    line = f"- {_state_word(alert, language)}{kind_words(alert.kind, language)}"
    named = ", ".join(part for part in parts if part)
    line += f": {named}" if named else ""
    more = facts(alert.kind, alert.detail, language) if alert.state != "resolved" else ""
    line += f" ({more})" if more else ""
    if evidence == "text" and alert.text:
        line += f" | {clean(alert.text)[:EXCERPT_CHARS]}"
    return line


def _state_word(alert: Alert, language: str) -> str:
    words = {"worsened": ("[나빠짐] ", "[worse] "), "resolved": ("[해결됨] ", "[resolved] ")}
    return pick(words.get(alert.state, ("", "")), language)


def _more(language: str) -> str:
    return pick(("자세히: saero alerts", "More: saero alerts"), language)


def _message(
    kind: str,
    key: str,
    topic: str,
    body: list[str],
    *,
    language: str,
    owner: str,
    now: datetime,
    host_label: str,
    dated: bool = True,
) -> EmailMessage:
    """Assemble a mail. Its Message-ID depends on what it says, to whom, and on which day: sent twice, it is one."""
    day = pick((f"{now.month}월 {now.day}일", f"{now:%b} {now.day}"), language)
    host = re.sub(r"[^A-Za-z0-9.-]+", "-", host_label).strip("-.") or "saero"
    mark = _digest_of(kind, key, owner, f"{now:%Y%m%d}" if dated else "")
    message = EmailMessage()
    message["Subject"] = f"[{pick(('새로', 'saero'), language)}] {topic} ({day})"
    if owner:
        message["To"] = owner
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<saero-{kind}-{mark}@{host}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no out-of-office answers, please
    lines = [*body, "", f"saero, {clean(host_label)}, {now:%Y-%m-%d %H:%M %Z}".rstrip()]
    message.set_content("\n".join(lines) + "\n")
    message.add_alternative(_html(lines, language), subtype="html")
    return message


def _html(lines: Sequence[str], language: str) -> str:
    """Write the same lines as HTML: list items where they begin with a dash, paragraphs otherwise."""
    parts: list[str] = []
    for line in lines:
        if line.startswith("- "):
            opened = bool(parts) and parts[-1].startswith("<li>")
            parts += [] if opened else ["<ul>"]
            parts.append(f"<li>{html.escape(line[2:])}</li>")
            continue
        if parts and parts[-1].startswith("<li>"):
            parts.append("</ul>")
        if line:
            parts.append(f"<p>{html.escape(line)}</p>")
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8"></head><body>\n'
        + "\n".join(parts)
        + ("\n</body></html>\n")
    )


def clean(text: str) -> str:
    """Make a name fit for one line of a mail: no control, direction or half characters, which could forge lines."""
    kept = "".join(" " if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") else letter for letter in text)
    return " ".join(kept.split())


def _digest_of(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]
