"""Parse: list the sources, read what changed, and decide what may leave."""

from __future__ import annotations

import logging
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assets.stages.mending import mend_mirror, mirror_in_doubt
from assets.stages.reading import Reading
from assets.stages.stored import doubtful
from pipelines import forgotten
from pipelines.changes import Changes, Known, Verdict, Waiting, compare, deletions, out_of_sight, unreadable_wave
from pipelines.errors import Refused
from pipelines.outcome import file_of, settled, waits
from pipelines.parsers import PARSER_VERSION
from pipelines.scan import Listing, scan_findings, scan_source
from resources.build import Run
from resources.ledger import documents as document_store
from resources.ledger import findings as finding_store
from resources.ledger import forget as forget_store
from resources.ledger import runs as run_store
from resources.sources import SourceFolder

Row = dict[str, Any]
Kept = Mapping[str, Any]  # a row as the ledger holds it: nobody writes to it
SCAN_KINDS = ("name_clash", "name_not_utf8", "unlisted")

_log = logging.getLogger(__name__)


@dataclass
class Scanned:
    """One source tonight."""

    source: SourceFolder
    rows: Mapping[str, Kept]  # every document that isn't gone, by path
    listing: Listing
    known: dict[str, Known]
    changes: Changes
    verdict: Verdict = field(default_factory=Verdict)
    written: dict[str, Row] = field(default_factory=dict)  # rows to be stored, by path


def parse_sources(run: Run, names: list[str]) -> dict[str, Any]:
    """Bring the ledger's documents of the named sources up to date with their folders; raises Refused."""
    sources = named_sources(run, names)
    in_doubt = mirror_in_doubt(run)
    run.stage("parse")
    scanned = follow_folders(run, sources)
    if in_doubt:
        mend_mirror(run)
    return report(run, scanned)


def follow_folders(run: Run, sources: list[SourceFolder], reader: type[Reading] = Reading) -> list[Scanned]:
    """Scan sources, read what must be opened, judge what is missing, and store what came of it."""
    with run.saero.ledger.session("parse"):
        _rename_sources(run)
        with run.saero.ledger.transaction("parse") as con:
            same: dict[Any, Any] = {}
            rows = {source.name: document_store.of_source(con, source.name, same) for source in sources}
            judged = document_store.contents_known(con, PARSER_VERSION, same)
            run.memory["bans"] = forget_store.bans(con)
    again = doubtful(run.saero, judged)
    contents = {content_hash: row for content_hash, row in judged.items() if content_hash not in again}
    scanned = [_scan(run, source, rows[source.name], contents) for source in sources]
    reading = reader(run, contents, again)
    for one in scanned:
        reading.plan(one.source.name, one.rows, one.changes.to_read())
    reading.read()
    for one in scanned:
        one.written.update(reading.rows_of(one.source.name))
    _inherit(scanned, run)
    with run.saero.ledger.session("parse"):
        _judge_deletions(run, scanned)
        _store(run, scanned, reading)
    _leave_mirror(run, scanned)
    return scanned


def named_sources(run: Run, names: list[str]) -> list[SourceFolder]:
    """Return the sources of these names; Dagster may still know one that has left the settings."""
    sources = [run.saero.source(name) for name in names]
    unknown = [name for name, source in zip(names, sources, strict=True) if source is None]
    if unknown:
        there = ", ".join(source.name for source in run.saero.sources)
        raise Refused(
            f"{run.saero.settings.file}: no source {', '.join(unknown)}; the sources are {there} "
            "(restart `saero ui` when the settings have changed)"
        )
    return [source for source in sources if source is not None]


def _scan(run: Run, source: SourceFolder, rows: Mapping[str, Kept], contents: Mapping[str, Kept]) -> Scanned:
    exclude = (*source.exclude, *_settings_file(run, source))
    listing = forgotten.without(
        scan_source(source.path, exclude=exclude), (source.name, *source.was), run.memory["bans"]
    )
    again = _unsettled(run, rows, contents)
    known = {path: _known(row, path in again) for path, row in rows.items() if row["mail"] is None}
    changes = compare(listing, known, exclude=exclude)
    _log.info("scan %s: %s, %d files", source.name, listing.root, len(listing.entries))
    return Scanned(source, rows, listing, known, changes)


def _settings_file(run: Run, source: SourceFolder) -> list[str]:
    """Return the pattern that leaves out our own settings where they lie among the documents: they answer nobody."""
    file, folder = os.path.realpath(run.saero.settings.file), os.path.realpath(source.path)
    inside = os.path.commonpath([file, folder]) == folder
    return ["/" + re.sub(r"[*?\[]", r"[\g<0>]", os.path.relpath(file, folder))] if inside else []


def _unsettled(run: Run, rows: Mapping[str, Kept], contents: Mapping[str, Kept]) -> set[str]:
    """Return the files to be read though they stand still: another night may tell more of them or of what they carry.

    What came in a mail that can't be read itself must wait for the mail.
    """
    limits = run.saero.limits
    banned = run.memory["bans"].contents
    return {
        file_of(row, rows)
        for row in rows.values()
        if not (row["content_hash"] in banned and row["state"] == "rejected")
        and not settled(row, contents.get(row["content_hash"]), PARSER_VERSION, limits)
        and not waits(row, run.now)
        and (row["mail"] is None or (row["mail"] in rows and rows[row["mail"]]["category"] is None))
    }


def _known(row: Kept, again: bool) -> Known:
    return Known(
        path=row["path"],
        size=row["size"],
        mtime_ns=row["mtime_ns"],
        ctime_ns=row["ctime_ns"],
        inode=row["inode"],
        content_hash=row["content_hash"] or "",
        read_at_ns=row["read_at_ns"] or 0,
        good=row["served_hash"] is not None and row["category"] is None,
        again=again,
    )


def _inherit(scanned: list[Scanned], run: Run) -> None:
    """A moved file keeps its first date: its content vanished from one path and appeared at another tonight.

    What is out of sight hasn't vanished: the other is a copy.
    """
    vanished: dict[str, Kept] = {}
    for one in scanned:
        for path in one.changes.missing:
            if not out_of_sight(path, one.listing):
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
    away = {one.source.name: set(one.changes.missing) for one in scanned}
    missing = [row for one in scanned for row in one.rows.values() if file_of(row, one.rows) in away[one.source.name]]
    read = {row["content_hash"] for one in scanned for row in one.written.values() if row["category"] is None}
    hashes = {row["content_hash"] for row in missing if row["mail"] is None} - read
    places = [(row["source"], row["path"]) for row in missing]
    with run.saero.ledger.transaction("parse") as con:
        elsewhere = document_store.hashes_elsewhere(con, hashes, places)
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


def _waiting(rows: Mapping[str, Kept]) -> dict[str, Waiting]:
    return {
        path: Waiting(row["hold_reason"], row["hold_nights"] or 0, row["hold_counted"])
        for path, row in rows.items()
        if row["hold_reason"] is not None and row["hold_reason"] != "unconfigured"
    }


def _apply(one: Scanned, run: Run) -> None:
    """Write the verdict into rows; attachments share the fate of the file they came in."""
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
        fate = fates.get(file_of(row, one.rows))
        if fate is not None:
            changed = {**row, **fate}
            if changed != row:
                one.written[path] = changed
        elif row["hold_reason"] is not None and path not in one.written:
            one.written[path] = {**row, "state": _unheld(row), "hold_reason": None, "hold_nights": None}


def _unheld(row: Kept) -> str:
    """The state of a document that is back untouched; what nothing is known of but its bytes was forgotten."""
    if row["category"] is None:
        return "live" if row["body_hash"] else "rejected"
    return "needs_ocr" if row["category"] == "needs_ocr" and row["served_hash"] is None else "failed"


def _store(run: Run, scanned: list[Scanned], reading: Reading) -> None:
    """One transaction for all documents."""
    found = [finding for one in scanned for finding in scan_findings(one.source.name, one.listing)]
    names = {one.source.name for one in scanned}
    with run.saero.ledger.transaction("parse") as con:
        document_store.forget_contents(con, reading.judged_again, PARSER_VERSION)
        document_store.add_contents(con, reading.content_rows)
        for one in scanned:
            fresh = [row for path, row in one.written.items() if path not in one.rows]
            document_store.drop_gone_twins(con, [(row["source"], row["path"]) for row in fresh])
            document_store.add(con, fresh)
            document_store.change(con, [row for path, row in one.written.items() if path in one.rows])
        finding_store.sync(con, found, kinds=SCAN_KINDS, sources=names, run_id=run.id, now=run.now)
        run_store.put_sources(con, _source_rows(run, scanned, run_store.sources(con)))


def _leave_mirror(run: Run, scanned: list[Scanned]) -> None:
    """Take the text versions of what is gone away, after the ledger knows it."""
    for one in scanned:
        for path, row in one.written.items():
            if row["state"] == "gone":
                run.saero.mirror.remove(one.source.name, path)


def _source_rows(run: Run, scanned: list[Scanned], before: dict[str, Row]) -> list[Row]:
    rows = []
    for one in scanned:
        old = before.get(one.source.name, {})
        # An empty folder that held documents yesterday is a share that isn't mounted, until a person says otherwise.
        good = one.listing.root == "ok" or (one.listing.root == "empty" and not one.verdict.held)
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


def report(run: Run, scanned: list[Scanned]) -> dict[str, Any]:
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
        left = {**one.rows, **one.written}.values()
        held = sum(row["state"] == "held" for row in left)
        failures = [row for row in left if row["category"] and row["state"] not in ("gone", "held")]
        seen = sum(row["state"] not in ("gone", "held") for row in left)
        counts.update(new=new, changed=changed, gone=gone, held=held, failed=len(failures), seen=seen)
        counts["unchanged"] += seen - new - changed
        run.failures += [{key: row[key] for key in ("source", "path", "category", "reason")} for row in failures]
        lines.append(f"| {one.source.name} | {seen} | {new} | {changed} | {gone} | {held} | {len(failures)} |")
    counts["renamed"] = run.memory["renamed"]
    # A moved file is one event: not a new document here and a gone one there.
    counts["new"] -= counts["renamed"]
    counts["gone"] = max(0, counts["gone"] - counts["renamed"])
    run.counts["documents"] = dict(counts)
    run.memory["read"] = [one.source.name for one in scanned]
    run.memory["unreachable"] = [row["name"] for row in _source_rows(run, scanned, {}) if not row["reachable"]]
    return {**counts, "opened": run.opened_files, "changes": "\n".join(lines)}
