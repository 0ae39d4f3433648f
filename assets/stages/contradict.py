"""Each night, when the settings ask for it: do the passages that canaries stand on contradict others?"""

from __future__ import annotations

from collections import defaultdict

from pipelines.records import Finding
from resources.asking import Answers
from resources.build import Run
from resources.contradictions import Conflict, ask


def contradicted(run: Run, answers: Answers | None) -> list[Finding] | None:
    """Return a finding for each document that unanswered contradictions concern; None when nobody looked tonight.

    Looked at are the passages that canaries pin or found, beside all others.
    """
    if not run.saero.settings.contradictions.nightly:
        return []
    if answers is None:
        return None
    pinned = {verdict.pin.chunk_hash for verdict in answers.verdicts if verdict.pin is not None}
    found = {verdict.top.chunk_hash for verdict in answers.verdicts if verdict.top is not None}
    conflicts = ask(run.saero, run.now, only=pinned | found).found
    of_place: dict[tuple[str, str], list[Conflict]] = defaultdict(list)
    for conflict in conflicts:
        if not conflict.answer:
            of_place[conflict.a.source, conflict.a.path].append(conflict)
    return [_finding(*place, concerned) for place, concerned in sorted(of_place.items())]


def _finding(source: str, path: str, conflicts: list[Conflict]) -> Finding:
    """Name the first by its id in the review queue, and where the other value stands."""
    first = conflicts[0]
    detail = {"id": first.review, "beside": f"{first.b.source}/{first.b.path}", "contradictions": len(conflicts)}
    return Finding("contradiction", source, path, detail)
