"""The parsers as a fuzzing worker process imports them: measured, and what they return is held against its promises."""

from __future__ import annotations

import json
import resource
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from soundness import faults

from pipelines import parsers
from pipelines.errors import Corrupt, SkipDocument
from pipelines.records import Limits, Parsed

# Stands between a reason and the measurements, which travel with the result.
MARK = "\x1f"
PROPERTY = "fuzz"
# What pipelines.parsers and resources.worker say of an exception that a parser didn't mean to raise.
STOPPED = "parser stopped at"
_CLEAR_PEAK = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Parse as ever; `properties["fuzz"]`, or the end of the reason, holds the measurements as JSON."""
    _forget_peak()
    started = time.process_time()
    word = ""
    try:
        word = parsers.detect(file, name)
        parsed = parsers.parse(file, name, limits)
        spent = time.process_time() - started
        found = faults(parsed, limits)
    except SkipDocument as skip:
        spent = time.process_time() - started
        error = type(skip)(f"{skip.reason}{MARK}{_note(word, spent, where=_where(skip.__cause__))}", skip.path)
        raise error from skip
    except MemoryError:
        raise
    except Exception as error:
        # `detect` raised its own, or the parser kept its promise and what follows it in a refresh didn't.
        raise Corrupt(f"{STOPPED} {_where(error)}") from error
    note = _note(word, spent, whole=time.process_time() - started, faults=found)
    return replace(parsed, properties={**parsed.properties, PROPERTY: note})


def _note(word: str, seconds: float, **more: object) -> str:
    return json.dumps({"format": word, "seconds": round(seconds, 4), "peak_mb": _peak_mb(), **more})


def _where(error: BaseException | None) -> str:
    """Name the exception and the innermost line of ours under it, "KeyError docx_body.py:12"."""
    if error is None:
        return ""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "pipelines" in Path(frame.filename).parts]
    place = f" {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
    return f"{type(error).__name__}{place}"


def _forget_peak() -> None:
    """Let Linux count the peak of resident memory anew (proc(5), clear_refs 5); elsewhere the process's peak stands."""
    if _CLEAR_PEAK.exists():
        _CLEAR_PEAK.write_text("5", encoding="ascii")


def _peak_mb() -> int:
    if _STATUS.exists():
        for line in _STATUS.read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) // 1024
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit
