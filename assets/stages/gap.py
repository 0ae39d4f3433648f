"""Gap analysis: ask the canaries, collect findings, say how fresh the index is, and hand the news to the mail."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from assets.stages.canaries import record_answers, sync_canaries
from assets.stages.contradict import contradicted
from assets.stages.mail import tell_news
from assets.stages.upkeep import keep_house
from pipelines.duration import parse_duration
from pipelines.findings import KINDS, document_findings, unsearched
from pipelines.records import Finding
from resources.asking import Answers, ask_published
from resources.build import Run
from resources.ledger import decisions, passages, replacements
from resources.ledger import documents as document_store
from resources.ledger import findings as finding_store
from resources.ledger import runs as run_store
from resources.published import read_published
from resources.status import read_status, write_status

Row = dict[str, Any]


def analyse(run: Run) -> dict[str, Any]:
    """Look at what the night left, whether or not the index could be published."""
    saero = run.saero
    run.stage("gap_analysis")
    sync_canaries(run)
    answers = _answers(run)
    if answers is not None:
        record_answers(run, answers)
    conflicts, unasked = contradicted(run, answers)
    with saero.ledger.transaction("gap") as con:
        documents = document_store.present(con)
        renewed = decisions.standing(con, "review")
        replaced = replacements.evidence(con)
        away = _unreachable(run, run_store.sources(con))
        shares = passages.vector_share(con, saero.encoder.encoder_id)
    found = [*_found(run, documents, renewed, away, replaced), *_of_run(run), *conflicts]
    kinds = _looked_for(run) - unasked
    with saero.ledger.transaction("gap") as con:
        finding_store.sync(con, found, kinds=kinds, sources=None, run_id=run.id, now=run.now)
        run.counts["findings"] = finding_store.counts(con)
    _write_status(run, documents, away, shares)
    run.counts["canaries"] = _states(answers)
    sent = tell_news(run, answers)
    swept = keep_house(run)
    return {
        **{f"canaries_{state}": count for state, count in _states(answers).items()},
        **{f"findings_{kind}": count for kind, count in run.counts["findings"].items()},
        **{f"mails_{state}": count for state, count in sent.items()},
        "contents_swept": swept,
        "canaries": _markdown(answers),
    }


def _answers(run: Run) -> Answers | None:
    """Reuse what the gate asked when that version is the one that is served now."""
    served = read_published(run.saero.index_dir)
    if served is None:
        return None
    asked: Answers | None = run.memory.get("answers")
    if asked is not None and asked.version == served.version and run.held is None:
        return asked
    return ask_published(run.saero, run.now)


def _unreachable(run: Run, rows: dict[str, Row]) -> dict[str, str]:
    """Return source -> why, for the sources of the settings whose folder the last look didn't find in order."""
    named = {source.name for source in run.saero.sources}
    return {name: row["reason"] or "" for name, row in rows.items() if name in named and not row["reachable"]}


def _looked_for(run: Run) -> set[str]:
    """Return the kinds of findings that this run could find: what nobody looked for tonight is not resolved."""
    kinds = {*KINDS, "publish_held"}
    if "doubts" not in run.memory:
        kinds -= {"version_doubt", "version_returned", "redundancy_returned"}
    if "rows" not in run.memory:
        kinds.discard("row_withheld")
    if not (run.held or run.memory.get("blocked") or run.memory.get("published")):
        kinds.discard("publish_held")
    return kinds


def _found(
    run: Run, documents: list[Row], renewed: dict[str, Row], away: dict[str, str], replaced: dict[str, Row]
) -> list[Finding]:
    for row in documents:
        row["mtime"] = datetime.fromtimestamp((row["mtime_ns"] or 0) / 1e9, run.now.tzinfo)
    limits = {s.name: parse_duration(s.review_after) for s in run.saero.sources if s.review_after}
    looked = {body: datetime.fromisoformat(value["at"]) for body, value in renewed.items()}
    return document_findings(
        documents,
        now=run.now,
        review_after=limits,
        renewed=looked,
        zone=run.saero.settings.zone,
        unreachable=away,
        replaced=replaced,
    )


def _of_run(run: Run) -> list[Finding]:
    """Findings of this run itself: rows kept back, versions in doubt, a version that wasn't published."""
    found = [*run.memory.get("doubts", []), *run.memory.get("returned", [])]
    rows = run.memory.get("rows")
    if rows is not None:
        withheld: dict[tuple[str, str], list[str]] = {}
        for chunk_id, place in rows.places.items():
            withheld.setdefault(place, []).append(rows.withheld[chunk_id])
        found += [
            Finding("row_withheld", source, path, {"passages": len(reasons), "reasons": sorted(set(reasons))})
            for (source, path), reasons in sorted(withheld.items())
        ]
    if run.memory.get("blocked"):
        found.append(Finding("publish_held", detail={"why": "quality checks: " + ", ".join(run.memory["blocked"])}))
    elif run.held:
        found.append(Finding("publish_held", detail={"why": run.held}))
    return found


def _write_status(run: Run, documents: list[Row], unreachable: Collection[str], share: float) -> None:
    """Leave what search says of the documents; how the run ended is written when it ends."""
    before = read_status(run.saero.status_path)
    write_status(
        run.saero.status_path,
        replace(
            before,
            unreachable=tuple(sorted(unreachable)),
            unsearched=tuple(unsearched(documents)),
            vectors_share=share,
        ),
    )


def _states(answers: Answers | None) -> dict[str, int]:
    counts: dict[str, int] = {}
    for verdict in answers.verdicts if answers else ():
        counts[verdict.state] = counts.get(verdict.state, 0) + 1
    return counts


def _markdown(answers: Answers | None) -> str:
    lines = ["| state | question | score | top | cause |", "|---|---|---|---|---|"]
    for verdict in answers.verdicts if answers else ():
        score = "" if verdict.score is None else f"{verdict.score:.2f}"
        top = "" if verdict.top is None else f"{verdict.top.source}/{verdict.top.path} {verdict.top.score:.2f}"
        lines.append(f"| {verdict.state} | {verdict.canary.query} | {score} | {top} | {verdict.cause} |")
    return "\n".join(lines)
