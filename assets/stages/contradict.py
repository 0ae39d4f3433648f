"""Each night, when the settings ask for it: do the passages that canaries stand on contradict others?"""

from __future__ import annotations

import logging
import traceback
from collections import defaultdict

from pipelines.conflicts import Conflict, Side
from pipelines.errors import Broken
from pipelines.records import Finding
from resources.asking import Answers
from resources.build import Run
from resources.contradictions import Step, ask

_log = logging.getLogger(__name__)
KINDS = frozenset({"contradiction", "contradictions_unread"})


def contradicted(run: Run, answers: Answers | None) -> tuple[list[Finding], frozenset[str]]:
    """Return a finding for each document that unanswered contradictions concern, and the kinds nobody looked for.

    Looked at are the passages that canaries pin or found, beside all others. What breaks off here is a finding: nothing
    else of the night rests on it.
    """
    if not run.saero.settings.contradictions.nightly:
        return [], frozenset()
    if answers is None:
        return [], KINDS
    pinned = {verdict.pin.chunk_hash for verdict in answers.verdicts if verdict.pin is not None}
    found = {verdict.top.chunk_hash for verdict in answers.verdicts if verdict.top is not None}
    try:
        conflicts = ask(run.saero, run.now, only=pinned | found, on_step=_Steps(run)).found
    except Broken:
        raise
    except Exception as error:  # rules, Kiwi, the database: whichever it is, canaries and mails must come
        return [_broken_off(error)], frozenset({"contradiction"})
    finally:
        run.stage("gap_analysis")
    return [_finding(*place, concerned) for place, concerned in sorted(_by_place(conflicts).items())], frozenset()


class _Steps:
    """Turns what is read and compared into steps of the progress bar."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._stage = ""
        self._done = 0

    def __call__(self, step: Step, done: int, total: int) -> None:
        if step != self._stage:
            self._stage, self._done = step, 0
            self._run.stage(step, total)
        self._run.progress.advance(done - self._done)
        self._done = done


def _by_place(conflicts: tuple[Conflict, ...]) -> dict[tuple[str, str], list[tuple[Conflict, Side]]]:
    """Return for each document the contradictions with its side of them: either may be the one to mend."""
    found: dict[tuple[str, str], list[tuple[Conflict, Side]]] = defaultdict(list)
    for conflict in conflicts:
        if not conflict.answer:
            for side, other in ((conflict.a, conflict.b), (conflict.b, conflict.a)):
                found[side.source, side.path].append((conflict, other))
    return found


def _finding(source: str, path: str, concerned: list[tuple[Conflict, Side]]) -> Finding:
    """Name the first by its id in the review queue, and where the other value stands."""
    first, other = concerned[0]
    detail = {"id": first.review, "beside": f"{other.source}/{other.path}", "contradictions": len(concerned)}
    return Finding("contradiction", source, path, detail)


def _broken_off(error: Exception) -> Finding:
    """Log where it broke off; a message may hold words of a document, so neither log nor finding has it."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    _log.error("contradictions broke off: %s in %s, line %d", type(error).__name__, frame.name, frame.lineno or 0)
    return Finding("contradictions_unread", detail={"error": type(error).__name__})
