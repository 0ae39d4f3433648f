"""status.json: what search needs to say about itself without opening the ledger."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from pipelines.stale import Status
from resources.files import write_whole
from resources.settings import Settings


def settings_digest(settings: Settings) -> str:
    """Return a digest of the settings that shape the index: who gets which mail, and when and how fast, don't.

    The time zone does: days and periods, and with them documents, end in it.
    """
    told = {"owner", "review_after", "was"}
    shape = settings.model_dump(
        mode="json",
        include={"sources": True, "roots": True, "encoder": True, "limits": True, "schedule": {"timezone"}},
        exclude={"sources": {"__all__": told}, "roots": {"__all__": told}, "limits": {"workers"}},
    )
    if settings.search.words:  # without any, what older versions wrote stays true
        shape["search"] = list(settings.search.words)
    return hashlib.sha256(json.dumps(shape, sort_keys=True).encode("utf-8")).hexdigest()[:16]


def write_status(path: Path, status: Status) -> None:
    """Write status.json in one piece."""
    said: dict[str, Any] = asdict(status)
    said["succeeded_at"] = status.succeeded_at.isoformat() if status.succeeded_at else None
    write_whole(path, json.dumps(said, ensure_ascii=False).encode("utf-8"))


def read_status(path: Path) -> Status:
    """Return what the last run left; an empty status when there is none or it is damaged."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        when = said.pop("succeeded_at")
        said["unreachable"] = tuple(said["unreachable"])
        said["unsearched"] = tuple(said["unsearched"])
        return Status(succeeded_at=datetime.fromisoformat(when) if when else None, **said)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return Status()
