"""Plan: what the next run would do, played on a ledger in memory; files are hashed, none is parsed."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from assets.stages import near
from assets.stages.chunk import chunker_version
from assets.stages.parse import Scanned, follow_folders, named_sources, report
from assets.stages.reading import Reading
from pipelines import parsers
from pipelines.changes import CLOCK_GRAIN_NS
from pipelines.compared import chosen, content_of
from pipelines.parsers import PARSER_VERSION
from pipelines.scan import Entry
from pipelines.sketch import SKETCH_VERSION
from pipelines.tokens import tokens_version
from resources.build import Options, Run, Saero
from resources.encoder import Encoder
from resources.ledger import documents as document_store
from resources.ledger import foresight as store
from resources.locks import LockFile
from resources.mirror import Mirror
from resources.model import is_ready
from resources.parsing import ParseResult, Stamp, Task
from resources.progress import Progress, read_step
from resources.worker import Reader

Row = dict[str, Any]
Kept = Mapping[str, Any]  # a row as the ledger holds it: nobody writes to it
Key = tuple[str, str]
COUNTED = ("seen", "new", "changed", "renamed", "unchanged", "gone", "held")


def plan_refresh(saero: Saero, names: Iterable[str], options: Options, now: datetime) -> dict[str, Any]:
    """Return the shape of `refresh --plan --json`; no file of the state is written and no lock of a run is taken.

    What no parser has read counts as one text a file, in as many passages as a byte of such files gave so far. What an
    earlier parser has read is presumed to give the same text again.
    """
    step = read_step(saero.run_path)
    with store.foresight(saero.ledger) as ledger:
        run = _still_run(saero, ledger, options, now)
        scanned = follow_folders(run, named_sources(run, list(names)), _Presuming)
        report(run, scanned)
        with ledger.transaction("plan") as con:
            store.as_served(con)
            present = document_store.present(con)
            shown = _documents(run, scanned, store.holdings(con, "held"))
            again = len(run.memory["again"]) + store.attachments_behind(con, PARSER_VERSION)
        made = {"parse": {"new": len(run.memory["unread"]), "again": again}, **_passages(run, ledger, present)}
        made["removed"] = {"documents": len(shown["gone"]), **made["removed"]}
        with ledger.transaction("plan") as con:
            made["seconds"] = _seconds(store.timed(con), run.opened_files, made["embed"])
    busy = None if step is None else {key: asdict(step)[key] for key in ("stage", "done", "total", "since")}
    return {"run": busy, **shown, "opened": run.opened_files, **made}


def _still_run(saero: Saero, ledger: store.Foresight, options: Options, now: datetime) -> Run:
    """Return a run that leaves no trace: its ledger is in memory, text versions, run.json and lock aren't written."""
    still = Saero(saero.settings)
    still.ledger = ledger
    still.mirror = _StillMirror(saero.state_dir / "parsed")
    still.encoder = saero.encoder
    still.sources = [source for source in saero.sources if source.name not in options.forget]
    progress = _StillProgress(saero.run_path, "plan")
    return Run(still, "plan", now, "plan", progress, options, LockFile(saero.state_dir / "refresh.lock"))


class _StillMirror(Mirror):
    def write(self, source: str, path: str, text: str) -> bool:
        return False

    def remove(self, source: str, path: str) -> None:
        """Nothing is removed."""


class _StillProgress(Progress):
    def _write(self) -> None:
        """Nothing is written."""


class _Hashing(Reader):
    """Opens files as a parser process does, in this one, and stops before the parser."""

    def arm(self) -> None:
        """No process to end."""

    def worth_parsing(self, found: ParseResult) -> bool:
        return False


class _Presuming(Reading):
    """Hashes what must be opened; on a first run, when nothing is known that it could be, it isn't even opened."""

    def __init__(self, run: Run, contents: dict[str, Kept], doubtful: dict[str, Kept]) -> None:
        super().__init__(run, contents, doubtful)
        self._entries: dict[Key, Entry] = {}
        self._earlier: dict[str, Kept] = {}
        self._unread: set[str] = run.memory.setdefault("unread", set())
        self._again: set[str] = run.memory.setdefault("again", set())

    def plan(self, source: str, rows: Mapping[str, Kept], entries: Iterable[Entry]) -> None:
        listed = list(entries)
        super().plan(source, rows, listed)
        self._entries.update({(source, entry.path): entry for entry in listed})

    def read(self) -> None:
        reader = _Hashing(parsers, self._limits, io.BytesIO(), io.BytesIO())
        with self._run.saero.ledger.transaction("plan") as con:
            nothing = not document_store.contents_known(con, PARSER_VERSION) and not any(self._before.values())
        results = [self._looked_at(task, reader, nothing) for task in self._tasks]
        with self._run.saero.ledger.transaction("plan") as con:
            fresh = {one.content_hash for one in results if one.content_hash not in self}
            self._earlier = {**store.judged_before(con, fresh)}
        self._run.opened_files = len(results)
        for result in results:
            self._take(result)

    def _looked_at(self, task: Task, reader: Reader, nothing_known: bool) -> ParseResult:
        """Return a result without blocks, "known" for whatever could be opened."""
        entry, before = self._entries[task.source, task.path], self._before[task.source].get(task.path)
        stamp = Stamp(entry.size, entry.mtime_ns, entry.ctime_ns, entry.inode, int(self._run.now.timestamp() * 1e9))
        if before is not None and _stands_still(entry, before):
            return ParseResult(task, "known", before["content_hash"], entry.size, stamp)
        if nothing_known and entry.size:
            return ParseResult(task, "known", f"unread {task.source}/{task.path}", entry.size, stamp)
        result = reader.answer(task)
        return (
            result if result.size or result.outcome == "failed" else replace(result, outcome="failed", category="empty")
        )

    def _take(self, result: ParseResult) -> list[Task]:
        task = result.task
        if result.outcome == "known" and result.content_hash not in self:
            earlier = self._earlier.get(result.content_hash) or self._doubtful.get(result.content_hash)
            before = self._before[task.source].get(task.path, {})
            fails = earlier is None and before.get("category") and before["content_hash"] == result.content_hash
            if fails:
                result = replace(result, outcome="failed", category=before["category"], reason=before["reason"])
            else:
                self._presume(result.content_hash, earlier)
        self._rows[task.source, task.path] = self._row(result)
        # What a mail carries that nobody has read yet is known once it is read.
        return [] if result.content_hash in self._unread else self._attachments(result)

    def _presume(self, content_hash: str, earlier: Kept | None) -> None:
        """Take in a content that must be parsed: as what was made of it before, else as a text of its own."""
        (self._unread if earlier is None else self._again).add(content_hash)
        row = earlier or {**_UNREAD, "content_hash": content_hash, "body_hash": f"unread {content_hash}"}
        presumed = {**row, "parser_version": PARSER_VERSION, "parsed_at": self._run.now}
        self._contents[content_hash] = presumed
        self.content_rows.append(presumed)


_UNREAD: Row = {
    **dict.fromkeys((
        "format", "category", "reason", "limits", "chars", "title", "author", "modified_at", "created_at", "clock",
        "pages", "ocr_pages", "asides", "warnings", "properties", "attachments",
    )),
    "has_text": True,
}  # fmt: skip


def _stands_still(entry: Entry, row: Kept) -> bool:
    same = (entry.size, entry.mtime_ns, entry.ctime_ns) == (row["size"], row["mtime_ns"], row["ctime_ns"])
    return (
        same and bool(row["content_hash"]) and row["read_at_ns"] > max(entry.mtime_ns, entry.ctime_ns) + CLOCK_GRAIN_NS
    )


def _documents(run: Run, scanned: list[Scanned], held: list[Row]) -> dict[str, Any]:
    """Return what becomes of documents: counts as a run reports them, and the names of what leaves or is held."""
    came = {row["content_hash"] for one in scanned for path, row in one.written.items() if path not in one.rows}
    gone = [
        {"source": one.source.name, "path": path}
        for one in scanned
        for path, row in sorted(one.written.items())
        if row["state"] == "gone" and row["content_hash"] not in came
    ]
    counts = run.counts["documents"]
    return {
        "documents": {name: counts.get(name, 0) for name in COUNTED},
        "gone": gone,
        "held": [{"source": row["source"], "path": row["path"], "reason": row["hold_reason"]} for row in held],
        "unreachable": [
            {"source": one.source.name, "reason": one.listing.root}
            for one in scanned
            if one.source.name in run.memory["unreachable"]
        ],
    }


def _passages(run: Run, ledger: store.Foresight, present: list[Row]) -> dict[str, Any]:
    """Return what must be sketched, cut and embedded, what leaves the index, and which versions ask for it."""
    now = _versions(run.saero)
    serving = [row for row in present if row["served_hash"] is not None and row["has_text"]]
    bodies = chosen(
        (row["body_hash"], content_of(row["format"] or "", row["served_hash"], row["parser_version"]))
        for row in serving
    )
    with ledger.whole() as con:
        common, unsketched, _ = near.unsketched(con, bodies)
        cut = store.to_cut(con, now["chunker"])
        passages = _estimated(cut, store.chunk_rates(con))
        lacking = store.lacking(con, now["chunker"], now["encoder"], now["tokens"])
        changed, removed, expiring = list[str](), 0, 0
        if ledger.exists:
            changed = store.versions_changed(con, sketch=f"{SKETCH_VERSION}/{common.version}", **now)
            removed, expiring = store.leaving(con, run.now)
    return {
        "versions_changed": changed,
        "sketch": len(unsketched),
        "chunk": {"bodies": len(cut), "passages": passages},
        "tokens": {"known": lacking["tokens"], "estimated": passages},
        "embed": {"known": lacking["embed"], "estimated": passages},
        "removed": {"passages": removed, "expiring": expiring},
    }


def _versions(saero: Saero) -> dict[str, str]:
    """Return what this program and these settings would make things with; "" for an encoder that isn't here yet."""
    now = {"parser": PARSER_VERSION, "tokens": tokens_version(), "chunker": "", "encoder": ""}
    if not saero.ledger.exists:
        return now
    encoder, model = saero.encoder, saero.settings.encoder.model
    with tempfile.TemporaryDirectory(prefix="saero-plan-") as spare:
        if isinstance(encoder, Encoder) and not is_ready(model, saero.models_dir):
            encoder = Encoder(model, Path(spare))
        return {**now, "chunker": chunker_version(encoder), "encoder": encoder.encoder_id}


def _estimated(cut: list[Row], rates: dict[str, float]) -> int | None:
    """Return into how many passages bodies will be cut; None when nothing was cut so far to tell it from."""
    if cut and not rates:
        return None
    total = 0.0
    for row in cut:
        rate = rates.get(row["path"].rpartition(".")[2].lower(), rates.get("", 0.0))
        total += row["chunks"] if row["chunks"] is not None else max(1.0, row["size"] * rate)
    return round(total)


def _seconds(runs: list[Row], files: int, embed: dict[str, int | None]) -> float | None:
    """Return about how long the run takes by what the last ones took; None when they can't tell."""
    if not runs or embed["estimated"] is None:
        return None
    spent = [json.loads(row["seconds"] or "{}") for row in runs]
    passages = (embed["known"] or 0) + embed["estimated"]
    parts = [(files, "opened", "parse"), (passages, "embedded", "embed")]
    total = sum(seconds for stage, seconds in spent[0].items() if stage not in ("parse", "embed"))
    for count, unit, stage in parts:
        done = [(row[unit], times.get(stage, 0.0)) for row, times in zip(runs, spent, strict=True) if row[unit]]
        if count and not done:
            return None
        if count:
            total += count * sum(seconds for _, seconds in done) / sum(number for number, _ in done)
    return round(float(total), 1)
