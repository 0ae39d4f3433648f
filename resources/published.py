"""Which version of the index readers see: published.json, replaced in one rename. That rename is the switch."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pipelines.errors import Broken
from resources.files import write_whole

FILE = "published.json"


@dataclass(frozen=True, slots=True)
class Published:
    """One publication; `before` is the one that `rollback` returns to (at most one deep).

    `constants` are those of a calibration that was fitted here (resources/calibrations.py), None for a shipped one.
    """

    table: str
    version: int
    retired_table: str
    retired_version: int
    encoder: str
    calibration: str
    chunker: str
    published_at: datetime
    run_id: str
    constants: dict[str, Any] | None = None
    before: Published | None = None


def read_published(folder: Path) -> Published | None:
    """Read published.json; None before the first publication, Broken when it can't be understood."""
    try:
        content = (folder / FILE).read_bytes()
    except FileNotFoundError:
        return None
    try:
        return _from_json(json.loads(content))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Broken(f"{folder / FILE} can't be read: run `saero refresh`, which writes it again") from error


def write_published(folder: Path, record: Published) -> None:
    """Switch every reader that opens from now on to `record`; raises TryAgain when the disk is full."""
    if record.before is not None:
        record = dataclasses.replace(record, before=dataclasses.replace(record.before, before=None))
    content = json.dumps(dataclasses.asdict(record), ensure_ascii=False, indent=1, default=datetime.isoformat)
    write_whole(folder / FILE, content.encode("utf-8"))


def remove_published(folder: Path) -> None:
    """Show readers nothing until the next publication."""
    (folder / FILE).unlink(missing_ok=True)


def _from_json(content: dict[str, Any]) -> Published:
    before = content.pop("before", None)
    published_at = datetime.fromisoformat(content.pop("published_at"))
    return Published(**content, published_at=published_at, before=_from_json(before) if before else None)
