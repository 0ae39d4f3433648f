"""What must leave so that nothing names or quotes a document: rules over rows of the ledger and of its backups."""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pipelines.forgotten import carriers
from pipelines.gap import holds

Row = dict[str, Any]
Place = tuple[str, str]  # source, path

# A mail quotes the beginning of a passage; what is shorter stands in other documents too.
_QUOTED, _TELLING = 60, 16
# A name doesn't go on behind it: "a.md" isn't named by "a.md.bak" or "a.md2", but by "a.md은" and "a.eml!/b.txt".
_END = r"(?![A-Za-z0-9_-]|[./]\w)"
_PIN = {
    **dict.fromkeys(("pinned_source", "pinned_path", "pinned_body", "pinned_chunk", "pinned_content")),
    "baseline": None,
    "calibration": None,
    "state": "new",
    "cause": None,
}
SENT = ("sent", "file")


@dataclass(frozen=True)
class Target:
    """The documents that are to be forgotten, with all that something may know them by.

    places    (source, path) of the files and of what came in them
    disk      where the files lie, as the disk spells it
    bodies, contents  their hashes
    chunks    chunk hashes that no other document has; `chunk_ids` of all their passages
    texts     the words of their passages
    """

    places: frozenset[Place]
    disk: frozenset[str] = frozenset()
    bodies: frozenset[str] = frozenset()
    contents: frozenset[str] = frozenset()
    chunks: frozenset[str] = frozenset()
    chunk_ids: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every hash that means one of them."""
        return self.bodies | self.contents | self.chunks | self.chunk_ids

    @cached_property
    def files(self) -> list[str]:
        """The names of the files: what came in one is named by its own and "!/"."""
        inner = {(s, p) for s, p in self.places if any((s, one) in self.places for one in carriers(p)[1:])}
        return sorted("/".join(place) for place in self.places - inner)

    @cached_property
    def _names(self) -> re.Pattern[str]:
        places = "|".join(re.escape(_folded(name)) for name in self.files)
        files = "|".join(re.escape(_folded(path)) for path in sorted(self.disk))
        either = rf"(?<![\w/.-])(?:{places}){_END}"
        return re.compile(either + (rf"|(?:{files}){_END}" if files else ""))

    @cached_property
    def _quotes(self) -> frozenset[str]:
        starts = (_folded(text)[:_QUOTED] for text in self.texts)
        return frozenset(start for start in starts if len(start) >= _TELLING)

    def named_in(self, text: str) -> bool:
        """Tell whether a text names one of the documents, however it is wrapped."""
        return self._names.search(_folded(text)) is not None

    def told_in(self, text: str) -> bool:
        """Tell whether a text names or quotes one of them."""
        folded = _folded(text)
        return self._names.search(folded) is not None or any(quote in folded for quote in self._quotes)

    def holds(self, expected: str) -> bool:
        """Tell whether the words that a canary expects are theirs."""
        return any(holds(text, expected) for text in self.texts)

    def mentioned_in(self, value: Any) -> bool:
        """Tell whether JSON names one of them: as words, as source and path, or by a hash."""
        if isinstance(value, str):
            return value in self.keys or self.named_in(value)
        if isinstance(value, dict):
            if (value.get("source"), value.get("path")) in self.places:
                return True
            return any(map(self.mentioned_in, value.values()))
        return isinstance(value, list | tuple) and any(map(self.mentioned_in, value))


def mail_text(mime: bytes) -> str:
    """Return the subject and the words of a mail, a line each."""
    message = email.message_from_bytes(mime, policy=email.policy.SMTPUTF8)
    parts = [str(message["Subject"] or "")]
    for part in message.walk():
        if part.get_content_maintype() == "text":
            raw = part.get_payload(decode=True)
            parts.append(raw.decode("utf-8", "replace") if isinstance(raw, bytes) else "")
    return "\n".join(parts)


@dataclass
class Rules:
    """Say of single rows what stays of them, table by table in the order of TABLES; `now` is an aware time or its text.

    unsent  ids of the mails that leave before anybody got them: what they told must be told again
    """

    target: Target
    now: Any
    unsent: set[str] = field(default_factory=set)

    def kept(self, table: str, row: Row) -> Row | None:
        """Return the row as it may stay, the same one when nothing is in it; None when it must leave."""
        rule = _RULES.get(table)
        return row if rule is None else rule(self, row)

    def of_mail(self, row: Row) -> Row | None:
        """A mail that went out keeps its record without its text; one that waits leaves."""
        if row["mime"] is None or not self.target.told_in(mail_text(row["mime"])):
            return row
        if row["state"] not in SENT:
            self.unsent.add(row["mail_id"])
            return None
        subject = "" if self.target.told_in(row["subject"] or "") else row["subject"]
        return {**row, "mime": None, "subject": subject}

    def of_alert(self, row: Row) -> Row | None:
        """An alert that only an unsent mail told of is news again."""
        if self._placed(row) or any(self.target.mentioned_in(_read(row[name])) for name in ("evidence", "told")):
            return None
        if row["mail_id"] not in self.unsent:
            return row
        news = None if row["state"] == "resolved" else "open"
        return {**row, "told": None, "told_at": None, "mail_id": None, "news": news}

    def of_finding(self, row: Row) -> Row | None:
        return None if self._placed(row) or self.target.mentioned_in(_read(row["detail"])) else row

    def of_decision(self, row: Row) -> Row | None:
        """The hashes that `forget` itself keeps stay."""
        if row["kind"] == "forget":
            return row
        mentioned = row["subject"] in self.target.keys or self.target.mentioned_in(_read(row["value"]))
        return None if mentioned else row

    def of_pair(self, row: Row) -> Row | None:
        """A replacement or a question about two bodies."""
        sides = ("older", "newer") if "older_body" in row else ("a", "b")
        if any(row[f"{side}_body"] in self.target.bodies for side in sides):
            return None
        if any((row.get(f"{side}_source"), row.get(f"{side}_path")) in self.target.places for side in sides):
            return None
        return None if self.target.mentioned_in(_read(row["evidence"])) else row

    def of_count(self, row: Row) -> Row | None:
        """How often it was found, and what a person said of it."""
        hashes = {row.get(name) for name in ("body_hash", "chunk_hash", "chunk_id")}
        return None if self._placed(row) or hashes & self.target.keys else row

    def of_canary(self, row: Row) -> Row | None:
        """A question whose answer is forgotten is new again. What it asks is no text of the document and stays."""
        after = dict(row)
        pinned = (row["pinned_source"], row["pinned_path"]) in self.target.places
        if pinned or {row[name] for name in ("pinned_body", "pinned_chunk", "pinned_content")} & self.target.keys:
            after.update(_PIN, since=self.now)
        if row["expect_path"] and self.target.named_in(row["expect_path"]):
            after["expect_path"] = ""
        if row["expect_text"] and (pinned or self.target.holds(row["expect_text"])):
            after["expect_text"] = ""
        if after["cause"] and self.target.named_in(after["cause"]):
            after["cause"] = None
        return row if after == row else after

    def of_answer(self, row: Row) -> Row | None:
        after = dict(row)
        if (row["top_source"], row["top_path"]) in self.target.places:
            after.update(top_source=None, top_path=None)
        if row["cause"] and self.target.named_in(row["cause"]):
            after["cause"] = None
        return row if after == row else after

    def of_run(self, row: Row) -> Row | None:
        counts = _read(row["counts"])
        held = None if row["held"] and self.target.named_in(row["held"]) else row["held"]
        if held == row["held"] and not self.target.mentioned_in(counts):
            return row
        return {**row, "held": held, "counts": self._pruned(counts)}

    def _pruned(self, value: Any) -> Any:
        """Take out of JSON the smallest parts that name a document."""
        if isinstance(value, list):
            return [
                self._pruned(item) for item in value if isinstance(item, list) or not self.target.mentioned_in(item)
            ]
        if isinstance(value, dict):
            return {
                key: self._pruned(item)
                for key, item in value.items()
                if isinstance(item, dict | list) or not self.target.mentioned_in(item)
            }
        return value

    def _placed(self, row: Row) -> bool:
        return (row["source"], row["path"]) in self.target.places


# In this order: alerts ask which mails left.
_RULES: dict[str, Callable[[Rules, Row], Row | None]] = {
    "decisions": Rules.of_decision,
    "replacements": Rules.of_pair,
    "review_items": Rules.of_pair,
    "canaries": Rules.of_canary,
    "canary_history": Rules.of_answer,
    "mails": Rules.of_mail,
    "alerts": Rules.of_alert,
    "findings": Rules.of_finding,
    "found": Rules.of_count,
    "feedback": Rules.of_count,
    "runs": Rules.of_run,
}
TABLES = tuple(_RULES)


def _read(value: Any) -> Any:
    """Return the value of a JSON column as the ledger or a backup holds it."""
    return json.loads(value) if isinstance(value, str) else value


def _folded(text: str) -> str:
    return " ".join(text.split())
