"""The mails that tell of alerts: at once, as a digest, or as the summary of the first run."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Literal

from pipelines.alert import Alert, alert_id
from pipelines.alert_commands import command_for
from pipelines.alert_words import CATEGORIES, facts, kind_words, pick

Evidence = Literal["names", "text", "counts"]
# Longer mails aren't read; the rest is counted.
MAX_LINES = 10
EXCERPT_CHARS = 200
# Before a command on a line of its own: long paths would hide it at the end of another.
_COMMAND = "    "
_STYLE = "font-family: sans-serif; line-height: 1.6; max-width: 44em; word-break: keep-all; overflow-wrap: anywhere"


def digest(
    alerts: Sequence[Alert],
    *,
    language: str,
    evidence: Evidence,
    owner: str,
    now: datetime,
    host_label: str,
    key: str = "",
) -> EmailMessage:
    """Build an owner's digest out of news; `now` in the time zone of the settings, `owner` one or more addresses.

    The same `key` (what a run tells) gives the same Message-ID on any day.
    """
    count = len(alerts)
    topic = pick((f"확인 {count}건", f"{count} to check"), language) + _where(alerts, language, evidence, ": ")
    intro = pick(
        (f"지난 메일 뒤로 달라진 것이 {count}건입니다.", f"{count} things changed since the last mail."), language
    )
    body = [intro, "", *_lines(alerts, language, evidence)]
    return _message("digest", key or _key(alerts), topic, body, language, owner, now, host_label, dated=not key)


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
    """Build a mail that doesn't wait: urgent causes, and their end; `key` as for `digest`."""
    first = _in_order(alerts)[0]
    mark = ("해결됨", "resolved") if first.state == "resolved" else ("긴급", "urgent")
    topic = f"{pick(mark, language)}: {kind_words(first.kind, language)}" + _where(alerts, language, evidence, ", ")
    body = _lines(alerts, language, evidence)
    return _message("urgent", key or _key(alerts), topic, body, language, owner, now, host_label, dated=not key)


def first_run_summary(
    documents: Mapping[str, int],
    failures: Mapping[str, int],
    kinds: Mapping[str, int],
    *,
    chunks: int,
    language: str,
    owner: str,
    now: datetime,
    host_label: str,
) -> EmailMessage:
    """Build the one mail of the first run: counts only (state, category, kind of alert -> how many)."""
    total = sum(documents.values())
    topic = pick((f"첫 점검: 문서 {total}개", f"first run: {total} documents"), language)
    korean = f"문서 {total}개를 읽고, 조각 {chunks}개를 검색할 수 있게 했습니다."
    body = [pick((korean, f"{total} documents were read; {chunks} passages can be found."), language)]
    unread = [f"{pick(CATEGORIES.get(name, (name, name)), language)} {count}" for name, count in _sorted(failures)]
    if unread:
        named = kind_words("unsearched", language) + ": " + ", ".join(unread)
        body += ["", named, "  saero documents --unsearched"]
    if kinds:
        body += ["", *(f"- {kind_words(kind, language)}: {count}" for kind, count in _sorted(kinds)[:MAX_LINES])]
        body += ["", _more(language)]
    return _message("first", "first", topic, body, language, owner, now, host_label)


def _key(alerts: Iterable[Alert]) -> str:
    return alert_id(*(f"{alert.id}{alert.state}" for alert in alerts))


def _in_order(alerts: Iterable[Alert]) -> list[Alert]:
    """Urgent first, then what became worse; what was resolved comes last."""
    return sorted(
        alerts, key=lambda alert: (alert.state == "resolved", alert.severity != "urgent", alert.state != "worsened")
    )


def _sorted(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(((name, count) for name, count in counts.items() if count), key=lambda item: (-item[1], item[0]))


def _where(alerts: Sequence[Alert], language: str, evidence: Evidence, before: str) -> str:
    """Name the folders for the subject, after `before`: 제안서 폴더; 제안서 외 2개 폴더."""
    sources = list(dict.fromkeys(clean(alert.source) for alert in alerts if alert.source))
    if evidence == "counts" or not sources:
        return ""
    if len(sources) == 1:
        return before + pick((f"{sources[0]} 폴더", sources[0]), language)
    rest = len(sources) - 1
    return before + pick((f"{sources[0]} 외 {rest}개 폴더", f"{sources[0]} and {rest} more"), language)


def _lines(alerts: Sequence[Alert], language: str, evidence: Evidence) -> list[str]:
    """Write at most MAX_LINES lines, then counts and the command that shows more."""
    if evidence == "counts":
        return [*_counted(alerts, language), "", _more(language)]
    ordered = _in_order(alerts)
    shown, rest = ordered[:MAX_LINES], ordered[MAX_LINES:]
    lines = [_line(alert, language, evidence) for alert in shown]
    if rest:
        counted = ", ".join(line.removeprefix("- ") for line in _counted(rest, language))
        lines.append(pick((f"외 {len(rest)}건: {counted}", f"and {len(rest)} more: {counted}"), language))
    return [*lines, "", _more(language)]


def _counted(alerts: Sequence[Alert], language: str) -> list[str]:
    counts = Counter(_state_word(alert, language) + kind_words(alert.kind, language) for alert in alerts)
    return [f"- {words}: {count}" for words, count in counts.most_common(MAX_LINES)]


def _line(alert: Alert, language: str, evidence: Evidence) -> str:
    """Say one thing: state, kind, place, facts; a passage only if the settings allow it. What to type stands below."""
    query = alert.detail.get("query")
    place = clean("/".join(part for part in (alert.source, alert.path) if part))
    parts = [f'"{clean(str(query))}"' if query else "", place]
    line = f"- {_state_word(alert, language)}{kind_words(alert.kind, language)}"
    named = ", ".join(part for part in parts if part)
    line += f": {named}" if named else ""
    for key, mark in (("by", "→"), ("newer", "/")):
        line += f" {mark} {clean(str(alert.detail[key]))}" if alert.detail.get(key) else ""
    more = facts(alert.detail, language) if alert.state != "resolved" else ""
    line += f" ({more})" if more else ""
    command = command_for(alert.kind, alert.source, alert.path, alert.detail) if alert.state != "resolved" else ""
    if evidence == "text" and alert.text:
        line += f" | {clean(alert.text)[:EXCERPT_CHARS]}"
    return line + (f"\n{_COMMAND}{command}" if command else "")


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
    language: str,
    owner: str,
    now: datetime,
    host_label: str,
    *,
    dated: bool = True,
) -> EmailMessage:
    """Assemble a mail. Its Message-ID depends on what it says, to whom, and on which day: sent twice, it is one."""
    day = pick((f"{now.month}월 {now.day}일", f"{now:%b} {now.day}"), language)
    host = re.sub(r"[^A-Za-z0-9.-]+", "-", host_label).strip("-.") or "saero"
    mark = alert_id(kind, key, owner, f"{now:%Y%m%d}" if dated else "")
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
    """Write the same lines as HTML: list items where they begin with a dash, commands in type of equal width."""
    parts: list[str] = []
    listed = False
    for line in "\n".join(lines).split("\n"):
        said = html.escape(line.strip())
        if line.startswith("- "):
            parts += [] if listed else ["<ul>"]
            parts.append(f"<li>{html.escape(line[2:])}</li>")
            listed = True
        elif listed and line.startswith(_COMMAND):
            parts[-1] = parts[-1].removesuffix("</li>") + f"<br><code>{said}</code></li>"
        else:
            parts += ["</ul>"] if listed else []
            listed = False
            parts += [f"<p><code>{said}</code></p>" if line.startswith(" ") else f"<p>{said}</p>"] if said else []
    head = '<head><meta charset="utf-8"></head>'
    page = f'<!DOCTYPE html>\n<html lang="{language}">{head}<body style="{_STYLE}">\n'
    return page + "\n".join(parts) + "\n</body></html>\n"


def clean(text: str) -> str:
    """Make a name fit for one line of a mail: no control, direction or half characters, which could forge lines."""
    kept = "".join(" " if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") else letter for letter in text)
    return " ".join(kept.split())
