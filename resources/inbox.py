"""inbox.jsonl: lines that commands append without a lock, and that the next run takes in."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

NAME = "inbox.jsonl"
_ASIDE = "inbox.taking.jsonl"
# Years of questions of a large team; where no run ever takes them in, no more is written.
_MOST_BYTES = 64 << 20


class Inbox:
    """The inbox in `state_dir`.

    A line is one write with O_APPEND between two line breaks, so that writers need no lock and a line that a full disk
    tears spoils no other. A run renames the file and reads it. Whoever had it open may still write then, so the file
    stays until the next run, which reads it again: lines carry ids, and the ledger knows those that it has.
    """

    def __init__(self, state_dir: Path) -> None:
        self.path = state_dir / NAME
        self.aside = state_dir / _ASIDE

    def append(self, line: dict[str, Any]) -> None:
        """Append one line; raises OSError where that can't be done now, and never waits."""
        data = b"\n" + json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
        handle = os.open(self.path, flags, 0o600)
        try:
            if os.fstat(handle).st_size < _MOST_BYTES:
                os.write(handle, data)
        finally:
            os.close(handle)

    def taken(self) -> bytes:
        """Return what the run before set aside, b"" for nothing."""
        return _content(self.aside)

    def set_aside(self) -> bytes:
        """Put the present lines where the next run finds them again, in place of older ones, and return them.

        What was set aside before must be in the ledger.
        """
        try:
            self.path.replace(self.aside)
        except FileNotFoundError:
            self.aside.unlink(missing_ok=True)
        return self.taken()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
