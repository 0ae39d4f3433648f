"""Whether an answer may be out of date, and why: read at query time without opening the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

# A nightly run and two hours of grace.
OVERDUE = timedelta(hours=26)
# Flags of a passage whose file says something else now, or nothing: unreadable, emptied, vanished.
_OLD_TEXT = ("stale_parse", "held")


@dataclass(frozen=True, slots=True)
class Status:
    """What the last run left in status.json.

    succeeded_at   end of the last run that read every source and succeeded, None before the first
    last_failed    the newest run that ended failed; success of a few sources alone doesn't take it back
    unfinished     a run began and has not written its end: it is at work, or was killed
    held           why the newest version wasn't published, None when it was
    unreachable    sources that couldn't be read
    settings       digest of the settings that shape the index, as that run had them
    encoder        encoder id of the vectors
    unsearched     documents that no query can find: source, path, category
    vectors_share  share of the passages that have a vector
    """

    succeeded_at: datetime | None = None
    last_failed: bool = False
    unfinished: bool = False
    held: str | None = None
    unreachable: tuple[str, ...] = ()
    settings: str = ""
    encoder: str = ""
    unsearched: tuple[dict[str, str], ...] = field(default=())
    vectors_share: float = 1.0


def stale_reasons(status: Status, *, now: datetime, settings: str, encoder: str) -> list[str]:
    """Return the words of DESIGN section 6, worst first; none when the index is as fresh as its schedule."""
    reasons = []
    if status.succeeded_at is None or now - status.succeeded_at > OVERDUE:
        reasons.append("run_overdue")
    if status.last_failed:
        reasons.append("last_run_failed")
    if status.held:
        reasons.append("publish_held")
    if status.unreachable:
        reasons.append("source_unreachable")
    if status.settings and status.settings != settings:
        reasons.append("settings_changed")
    if status.encoder and status.encoder != encoder:
        reasons.append("encoder_changed")
    return reasons


def stale_results(shown: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """Return "flag:place", each once, of the results (place, flags) that show the last good text of their file."""
    found = (f"{flag}:{place}" for place, flags in shown for flag in _OLD_TEXT if flag in flags)
    return list(dict.fromkeys(found))
