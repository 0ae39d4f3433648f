"""Gap analysis: ask the canaries, collect findings, say how fresh the index is, and hand the news to the mail."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from assets.stages.canaries import record_answers, sync_canaries
from assets.stages.contradict import contradicted
from assets.stages.inbox import take_in
from assets.stages.mail import tell_news
from assets.stages.upkeep import keep_house
from pipelines.duration import parse_duration
from pipelines.findings import AHEAD, KINDS, SOON, document_findings, latest_due, unsearched
from pipelines.inbox import feedback_findings
from pipelines.records import Finding
from resources.asking import Answers, ask_published, with_waiting
from resources.build import Run
from resources.ledger import decisions, inbox, passages, replacements, settled
from resources.ledger import findings as finding_store
from resources.ledger import runs as run_store
from resources.ledger.noteworthy import noteworthy
from resources.published import read_published
from resources.status import read_status, write_status

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def analyse(run: Run) -> dict[str, Any]:
    """Look at what the night left, whether or not the index could be published."""
    saero = run.saero
    run.stage("gap_analysis")
    with saero.ledger.session("inbox"):
        take_in(run)
        sync_canaries(run)
    answers = _answers(run)
    conflicts, unasked = contradicted(run, answers)
    with saero.ledger.session("gap"):
        if answers is not None:
            record_answers(run, answers)
        away, hidden, share = _record_findings(run, conflicts, unasked)
    _write_status(run, away, hidden, share)
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


def _record_findings(
    run: Run, conflicts: list[Finding], unasked: frozenset[str]
) -> tuple[dict[str, str], list[dict[str, str]], float]:
    """Write the night's findings; returns unreachable sources with why, what no query finds, and the vectors' share."""
    saero = run.saero
    with saero.ledger.transaction("gap") as con:
        away = _unreachable(run, run_store.sources(con))
        hidden: list[dict[str, str]] = []
        found = [*_found(run, con, away, hidden), *_of_run(run), *conflicts]
        finding_store.sync(con, found, kinds=_looked_for(run) - unasked, sources=None, run_id=run.id, now=run.now)
        if "settled" in run.memory:
            settled.keep(con, run.memory["settled"])
        run.counts["findings"] = finding_store.counts(con)
        share = passages.vector_share(con, saero.encoder.encoder_id)
    return away, hidden, share


def _answers(run: Run) -> Answers | None:
    """Reuse what the gate asked when that version is the one that is served now."""
    served = read_published(run.saero.index_dir)
    if served is None:
        return None
    asked: Answers | None = run.memory.get("answers")
    if asked is not None and asked.version == served.version and run.held is None:
        return asked
    answers = ask_published(run.saero, run.now)
    if asked is None or not run.held:
        return answers
    with run.saero.ledger.transaction("canaries") as con:
        changed = run_store.changed_since_publication(con)
    return with_waiting(answers, asked, changed)


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
    run: Run, con: duckdb.DuckDBPyConnection, away: dict[str, str], hidden: list[dict[str, str]]
) -> list[Finding]:
    """Return what documents give cause for; those that no query finds are added to `hidden`."""
    zone = run.saero.settings.zone
    renewed = decisions.standing(con, "review")
    replaced = replacements.evidence(con)
    limits = {s.name: parse_duration(s.review_after) for s in run.saero.sources if s.review_after}
    rows = noteworthy(
        con,
        soon=run.now + SOON,
        ahead=run.now + AHEAD,
        old={name: latest_due(limit, zone, run.now) for name, limit in limits.items()},
    )
    looked = {body: datetime.fromisoformat(value["at"]) for body, value in renewed.items()}
    of_documents = document_findings(
        _passing(run, rows, hidden),
        now=run.now,
        review_after=limits,
        renewed=looked,
        zone=zone,
        unreachable=away,
        replaced=replaced,
    )
    return [*of_documents, *feedback_findings(inbox.votes(con), looked)]


def _passing(run: Run, rows: Iterable[Row], hidden: list[dict[str, str]]) -> Iterator[Row]:
    """Yield documents one after another, so that a large corpus never stands in memory."""
    for row in rows:
        row["mtime"] = datetime.fromtimestamp((row["mtime_ns"] or 0) / 1e9, run.now.tzinfo)
        hidden += unsearched([row])
        yield row


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


def _write_status(run: Run, unreachable: Collection[str], hidden: list[dict[str, str]], share: float) -> None:
    """Leave what search says of the documents; how the run ended is written when it ends."""
    before = read_status(run.saero.status_path)
    write_status(
        run.saero.status_path,
        replace(
            before,
            unreachable=tuple(sorted(unreachable)),
            unsearched=tuple(hidden),
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
