"""Parse: list the sources, read what changed, and decide what may leave."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from assets.stages.mending import mend_mirror
from assets.stages.reading import Reading
from pipelines.changes import Changes, Known, Verdict, Waiting, compare, deletions, unreadable_wave
from pipelines.outcome import must_retry
from pipelines.parsers import PARSER_VERSION
from pipelines.scan import Listing, scan_findings, scan_source
from resources.build import Run
from resources.ledger import documents as document_store
from resources.ledger import findings as finding_store
from resources.ledger import runs as run_store
from resources.sources import SourceFolder

Row = dict[str, Any]
SCAN_KINDS = ("name_clash", "name_not_utf8", "unlisted")

_log = logging.getLogger(__name__)


@dataclass
class Scanned:
    """One source tonight."""

    source: SourceFolder
    rows: dict[str, Row]  # every document that isn't gone, by path
    listing: Listing
    known: dict[str, Known]
    changes: Changes
    verdict: Verdict = field(default_factory=Verdict)
    written: dict[str, Row] = field(default_factory=dict)  # rows to be stored, by path


def parse_sources(run: Run, names: list[str]) -> dict[str, Any]:
    """Bring the ledger's documents of the named sources up to date with their folders."""
    saero = run.saero
    _rename_sources(run)
    mend_mirror(run)
    run.stage("parse")
    with saero.ledger.transaction("parse") as con:
        rows = {name: document_store.of_source(con, name) for name in names}
        contents = document_store.contents_known(con, PARSER_VERSION)
    scanned = [_scan(run, name, rows[name], contents) for name in names]
    reading = Reading(run, contents)
    for one in scanned:
        reading.plan(one.source.name, one.rows, one.changes.to_read())
    reading.read()
    for one in scanned:
        one.written.update(reading.rows_of(one.source.name))
    _inherit(scanned, run)
    _judge_deletions(run, scanned)
    _store(run, scanned, reading)
    return _report(run, scanned)


def _scan(run: Run, name: str, rows: dict[str, Row], contents: dict[str, Row]) -> Scanned:
    source = run.saero.source(name)
    if source is None:
        raise KeyError(name)
    listing = scan_source(source.path, exclude=source.exclude)
    files = {path: row for path, row in rows.items() if row["mail"] is None}
    known = {path: _known(row, contents) for path, row in files.items()}
    changes = compare(listing, known, exclude=source.exclude)
    _log.info("scan %s: %s, %d files", name, listing.root, len(listing.entries))
    return Scanned(source, rows, listing, known, changes)


def _known(row: Row, contents: dict[str, Row]) -> Known:
    """Return what `compare` needs; a content that this parser version never judged is read again."""
    unjudged = row["content_hash"] not in contents
    return Known(
        path=row["path"],
        size=row["size"],
        mtime_ns=row["mtime_ns"],
        ctime_ns=row["ctime_ns"],
        inode=row["inode"],
        content_hash=row["content_hash"] or "",
        read_at_ns=row["read_at_ns"] or 0,
        good=row["served_hash"] is not None and row["category"] is None,
        again=unjudged or must_retry(row),
    )


def _inherit(scanned: list[Scanned], run: Run) -> None:
    """A moved file keeps its first date: its content vanished from one path and appeared at another tonight."""
    vanished: dict[str, Row] = {}
    for one in scanned:
        for path in one.changes.missing:
            vanished.setdefault(one.rows[path]["content_hash"], one.rows[path])
    renamed = 0
    for one in scanned:
        for path, row in one.written.items():
            before = vanished.get(row["content_hash"]) if path not in one.rows and row["mail"] is None else None
            if before is not None:
                row["first_run"], row["first_seen"] = before["first_run"], before["first_seen"]
                renamed += 1
    run.memory["renamed"] = renamed


def _judge_deletions(run: Run, scanned: list[Scanned]) -> None:
    missing = {one.rows[path]["content_hash"] for one in scanned for path in one.changes.missing}
    read = {row["content_hash"] for one in scanned for row in one.written.values() if row["category"] is None}
    with run.saero.ledger.transaction("parse") as con:
        elsewhere = _kept_elsewhere(scanned, document_store.hashes_elsewhere(con, missing - read), run)
    for one in scanned:
        failed = {path: row["category"] for path, row in one.written.items() if row["category"]}
        one.verdict = deletions(
            one.changes,
            one.known,
            one.listing,
            today=run.now.astimezone(run.saero.settings.zone).date(),
            waiting=_waiting(one.rows),
            moved_hashes=read | elsewhere,
            accept=one.source.name in run.options.accept_deletions,
            wave=unreadable_wave(one.changes, one.known, failed),
        )
        _apply(one, run)


def _kept_elsewhere(scanned: list[Scanned], hashes: set[str], run: Run) -> set[str]:
    """Return those of `hashes` that a document which isn't missing tonight holds."""
    if not hashes:
        return set()
    missing = {(one.source.name, path) for one in scanned for path in one.changes.missing}
    with_rows = {one.source.name: one.rows for one in scanned}
    kept = set()
    for name, rows in with_rows.items():
        kept |= {row["content_hash"] for path, row in rows.items() if (name, path) not in missing}
    return hashes & kept


def _waiting(rows: dict[str, Row]) -> dict[str, Waiting]:
    return {
        path: Waiting(row["hold_reason"], row["hold_nights"] or 0, row["hold_counted"])
        for path, row in rows.items()
        if row["hold_reason"] is not None and row["hold_reason"] != "unconfigured"
    }


def _apply(one: Scanned, run: Run) -> None:
    """Write the verdict into rows; attachments share the fate of their mail."""
    fates: dict[str, Row] = {}
    for path in one.verdict.gone:
        fates[path] = {"state": "gone", "gone_at": run.now, "hold_reason": None}
    for path, waiting in one.verdict.held.items():
        fates[path] = {
            "state": "held",
            "hold_reason": waiting.reason,
            "hold_nights": waiting.nights,
            "hold_counted": waiting.counted_on,
        }
    for path, row in one.rows.items():
        fate = fates.get(path) or (fates.get(row["mail"]) if row["mail"] else None)
        if fate is not None:
            changed = {**row, **fate}
            if changed != row:
                one.written[path] = changed
        elif row["hold_reason"] is not None and path not in one.written and row["mail"] not in one.written:
            one.written[path] = {**row, "state": _unheld(row), "hold_reason": None, "hold_nights": None}


def _unheld(row: Row) -> str:
    """The state of a document that is back untouched."""
    if row["category"] is None:
        return "live"
    return "needs_ocr" if row["category"] == "needs_ocr" and row["served_hash"] is None else "failed"


def _store(run: Run, scanned: list[Scanned], reading: Reading) -> None:
    """One transaction for all documents; then the mirror follows."""
    saero = run.saero
    found = [finding for one in scanned for finding in scan_findings(one.source.name, one.listing)]
    names = {one.source.name for one in scanned}
    with saero.ledger.transaction("parse") as con:
        document_store.add_contents(con, reading.content_rows)
        for one in scanned:
            fresh = [row for path, row in one.written.items() if path not in one.rows]
            document_store.drop_gone_twins(con, [(row["source"], row["path"]) for row in fresh])
            document_store.add(con, fresh)
            document_store.change(con, [row for path, row in one.written.items() if path in one.rows])
        finding_store.sync(con, found, kinds=SCAN_KINDS, sources=names, run_id=run.id, now=run.now)
        run_store.put_sources(con, _source_rows(run, scanned, run_store.sources(con)))
    for one in scanned:
        for path, row in one.written.items():
            if row["state"] == "gone":
                saero.mirror.remove(one.source.name, path)


def _source_rows(run: Run, scanned: list[Scanned], before: dict[str, Row]) -> list[Row]:
    rows = []
    for one in scanned:
        old = before.get(one.source.name, {})
        # An empty folder that held documents yesterday is a share that isn't mounted.
        good = one.listing.root == "ok" or (one.listing.root == "empty" and not one.known)
        rows.append(
            {
                "name": one.source.name,
                "position": one.source.position,
                "configured": True,
                "reachable": good,
                "reason": None if good else one.listing.root,
                "first_run": old.get("first_run") or run.id,
                "seen_at": run.now if good else old.get("seen_at"),
                "refreshed_at": run.now if good else old.get("refreshed_at"),
            }
        )
    return rows


def _rename_sources(run: Run) -> None:
    """Follow `was = [...]`, hold sources that the settings no longer name, and forget those a person gave up."""
    saero = run.saero
    configured = {source.name for source in saero.sources}
    renames = {old: source.name for source in saero.sources for old in source.was if old not in configured}
    moved: list[tuple[str, str, str]] = []
    forgotten: list[tuple[str, str]] = []
    with saero.ledger.transaction("sources") as con:
        present = set(document_store.sources_with_documents(con))
        for old, new in renames.items():
            if old in present:
                moved += [(old, new, path) for path in document_store.of_source(con, old)]
                document_store.rename_source(con, old, new)
        for name in sorted(present - configured - set(renames)):
            if name in run.options.forget:
                forgotten += [(name, path) for path in document_store.of_source(con, name)]
            document_store.leave_source(con, name, forget=name in run.options.forget, now=run.now)
    for name, path in forgotten:
        saero.mirror.remove(name, path)
    for old, new, path in moved:
        text = saero.mirror.read(old, path)
        if text is not None:
            saero.mirror.write(new, path, text)
        saero.mirror.remove(old, path)


def _report(run: Run, scanned: list[Scanned]) -> dict[str, Any]:
    """Count what was seen, for `refresh --json` and the UI."""
    counts: Counter[str] = Counter()
    lines = ["| source | files | new | changed | gone | held | failed |", "|---|---|---|---|---|---|---|"]
    for one in scanned:
        new = sum(path not in one.rows for path in one.written)
        changed = sum(
            path in one.rows and row["content_hash"] != one.rows[path]["content_hash"]
            for path, row in one.written.items()
        )
        gone = sum(row["state"] == "gone" for row in one.written.values())
        held = sum({**one.rows, **one.written}[path]["state"] == "held" for path in {**one.rows, **one.written})
        failures = [
            row
            for row in {**one.rows, **one.written}.values()
            if row["category"] and row["state"] not in ("gone", "held")
        ]
        seen = sum(row["state"] not in ("gone", "held") for row in {**one.rows, **one.written}.values())
        counts.update(new=new, changed=changed, gone=gone, held=held, failed=len(failures), seen=seen)
        counts["unchanged"] += seen - new - changed
        run.failures += [{key: row[key] for key in ("source", "path", "category", "reason")} for row in failures]
        lines.append(f"| {one.source.name} | {seen} | {new} | {changed} | {gone} | {held} | {len(failures)} |")
    counts["renamed"] = run.memory["renamed"]
    counts["new"] -= counts["renamed"]
    run.counts["documents"] = dict(counts)
    run.memory["read"] = [one.source.name for one in scanned]
    run.memory["unreachable"] = [row["name"] for row in _source_rows(run, scanned, {}) if not row["reachable"]]
    return {**counts, "opened": run.opened_files, "changes": _markdown("\n".join(lines))}


def _markdown(text: str) -> Any:
    import dagster as dg

    return dg.MetadataValue.md(text)
