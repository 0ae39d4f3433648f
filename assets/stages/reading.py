"""Read files in worker processes and keep what they gave: blocks, text versions, rows."""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pipelines.body import body_hash, squeezed, title_of
from pipelines.errors import Broken
from pipelines.forgotten import REASON, Bans
from pipelines.mirror import render
from pipelines.outcome import (
    ATTACHMENT_DEPTH,
    SETTLED,
    attachment_paths,
    forgotten,
    judged_under,
    read_badly,
    read_well,
)
from pipelines.parsers import PARSER_VERSION
from pipelines.records import Block, Parsed
from pipelines.scan import Entry
from resources.build import Run
from resources.ledger import documents as document_store
from resources.parsing import Attached, ParseResult, Task

Row = dict[str, Any]
Kept = Mapping[str, Any]  # a row as the ledger holds it: nobody writes to it
_log = logging.getLogger(__name__)


class Reading:
    """The readings of one run: tasks in, rows out. Nothing is written to the ledger here."""

    def __init__(self, run: Run, contents: dict[str, Kept], doubtful: dict[str, Kept]) -> None:
        """`contents` are judged by this parser version; `doubtful` were, but must be judged again."""
        self._run = run
        self._contents = contents
        self._doubtful = doubtful
        self._limits = run.saero.limits
        bans: Bans = run.memory["bans"]
        self._banned = bans.contents
        self._tasks: list[Task] = []
        self._before: dict[str, Mapping[str, Kept]] = {}  # source -> path -> row as it was
        self._below: dict[tuple[str, str], list[str]] = defaultdict(list)  # mail -> its attachments, as they were
        self._rows: dict[tuple[str, str], Row] = {}
        self.content_rows: list[Row] = []

    def plan(self, source: str, rows: Mapping[str, Kept], entries: Iterable[Entry]) -> None:
        """Take in the files of a source that must be opened."""
        self._before[source] = rows
        for path, row in rows.items():
            if row["mail"] is not None:
                self._below[source, row["mail"]].append(path)
        self._tasks += [Task(source, entry.path, entry.disk_path) for entry in entries]

    def rows_of(self, source: str) -> dict[str, Row]:
        """Return path -> row of what was read of a source."""
        return {path: row for (name, path), row in self._rows.items() if name == source}

    def read(self) -> None:
        """Work through the tasks; what a known mail carries, but nobody has read yet, comes in further rounds."""
        pending = self._tasks
        if not pending:
            return
        self._run.progress.advance(0, total=len(pending))
        with self._run.saero.pool() as pool:
            while pending:
                found: list[Task] = []
                for result in pool.run(pending, known=self):
                    found += self._take(result)
                    if not result.task.route:
                        self._run.opened_files += 1
                        self._run.progress.advance()
                pending = found

    def __contains__(self, content_hash: object) -> bool:
        """Whether the bytes need no parser: this version has judged them and nothing speaks against it, or they were
        forgotten.
        """
        return content_hash in self._contents or content_hash in self._banned

    @property
    def judged_again(self) -> set[str]:
        """The contents whose earlier judgement makes way."""
        return {row["content_hash"] for row in self.content_rows} & self._doubtful.keys()

    def _take(self, result: ParseResult) -> list[Task]:
        """Keep one result; return the tasks of its attachments, or its own when its stored blocks are damaged."""
        task = result.task
        if result.content_hash in self._banned:
            self._leave_out(result)
            return []
        blocks: tuple[Block, ...] = ()
        if result.outcome == "parsed":
            parsed = result.parsed()
            self._run.saero.bodies.put(result.content_hash, PARSER_VERSION, parsed)
            self._keep(self._content_row(result, parsed))
            blocks = parsed.blocks
        elif result.outcome == "known":
            stored = self._stored(result.content_hash)
            if stored is None:
                return [task]
            blocks = stored
        elif result.content_hash and result.category in SETTLED and not result.unfinished:
            self._keep(self._content_row(result, None))
        row = self._row(result)
        self._rows[task.source, task.path] = row
        _log.info("read %s: %s", result.outcome, row["category"] or "text")
        if row["category"] is None:
            self._run.saero.mirror.write(task.source, task.path, render(blocks).text)
        return self._attachments(result)

    def _leave_out(self, result: ParseResult) -> None:
        """Note a file whose content was forgotten; what it held before, and what came in it, is served no more."""
        source, path = result.task.source, result.task.path
        self._rows[source, path] = self._row(result)
        self._run.saero.mirror.remove(source, path)
        for inner in self._below.get((source, path), ()):
            self._drop(source, inner)
        _log.info("read forgotten")

    def _stored(self, content_hash: str) -> tuple[Block, ...] | None:
        """Return the blocks of a known content, none for one that gave no text; None when they must be read again."""
        row = self._contents.get(content_hash)
        if row is None or row["category"] is not None:
            return None if row is None else ()
        try:
            return self._run.saero.bodies.get(content_hash, PARSER_VERSION).blocks
        except Broken:
            self._doubtful[content_hash] = self._contents.pop(content_hash)
            return None

    def _content_row(self, result: ParseResult, parsed: Parsed | None) -> Row:
        row = content_row(result, parsed, self._run.now)
        if result.unfinished:
            return {**row, "limits": None}
        return {**row, "limits": judged_under(row["category"], bool(parsed and parsed.ocr_pages), self._limits)}

    def _keep(self, row: Row) -> None:
        """Take in a judgement. Text that was read before goes on being served, so a failure doesn't replace it."""
        before = self._doubtful.get(row["content_hash"])
        if row["category"] is not None and before is not None and before["category"] is None:
            return
        self._contents[row["content_hash"]] = row
        self.content_rows.append(row)

    def _row(self, result: ParseResult) -> Row:
        """Return the document's new row."""
        now = self._run.now
        row = self._stamped(result)
        content = self._contents.get(result.content_hash) if result.content_hash else None
        if result.content_hash and result.content_hash != row["content_hash"]:
            row["changed_at"] = now
        if result.content_hash in self._banned:
            return forgotten(row, result.content_hash, REASON)
        if result.outcome == "failed" or content is None:
            return read_badly(row, result.content_hash, result.category, result.reason, now)
        if content["category"] is not None:
            return read_badly(row, result.content_hash, content["category"], content["reason"], now)
        return read_well(row, result.content_hash, content["body_hash"], PARSER_VERSION)

    def _stamped(self, result: ParseResult) -> Row:
        """Return the document's row so far with what the disk says of its file now."""
        task = result.task
        row = dict(self._before[task.source].get(task.path) or self._fresh(task))
        if result.stamp is not None:
            stamp = result.stamp
            row.update(
                size=result.size if task.route else stamp.size,
                mtime_ns=stamp.mtime_ns,
                ctime_ns=stamp.ctime_ns,
                inode=stamp.inode,
                read_at_ns=stamp.read_at_ns,
            )
        row.update(disk_path=task.disk_path, hold_reason=None, hold_nights=None, hold_counted=None)
        return row

    def _fresh(self, task: Task) -> Row:
        return document_store.new_row(
            source=task.source,
            path=task.path,
            mail=task.path.rpartition("!/")[0] if task.route else None,
            disk_path=task.disk_path,
            size=0,
            mtime_ns=0,
            ctime_ns=0,
            inode=0,
            first_run=self._run.id,
            first_seen=self._run.now,
        )

    def _attachments(self, result: ParseResult) -> list[Task]:
        """Follow a mail: drop what it no longer carries, take in what is known, return tasks for the rest.

        The pool reads the attachments of a mail that it parsed; those of a mail that is known (a copy) are ours.
        """
        task = result.task
        row = self._contents.get(result.content_hash) if result.content_hash else None
        if row is None or row["category"] is not None:
            return []  # a mail that can't be read keeps the attachments it had
        carried = json.loads(row["attachments"] or "[]")
        paths = attachment_paths(task.path, [item["name"] for item in carried])
        for path in self._below.get((task.source, task.path), ()):
            if path not in paths:
                self._drop(task.source, path)
        if result.outcome != "known" or len(task.route) >= ATTACHMENT_DEPTH:
            return []
        unread: list[Task] = []
        for number, (path, item) in enumerate(zip(paths, carried, strict=True)):
            child = Task(task.source, path, task.disk_path, route=(*task.route, number))
            if item["content_hash"] in self:
                unread += self._take(ParseResult(child, "known", item["content_hash"], item["size"], result.stamp))
            else:
                unread.append(child)
        return unread

    def _drop(self, source: str, path: str) -> None:
        """Let an attachment go, and whatever came inside it."""
        self._rows[source, path] = {**self._before[source][path], "state": "gone", "gone_at": self._run.now}
        for inner in self._below.get((source, path), ()):
            self._drop(source, inner)


def content_row(result: ParseResult, parsed: Parsed | None, now: datetime) -> Row:
    """Return the `contents` row of one reading."""
    base: Row = {
        "content_hash": result.content_hash,
        "parser_version": PARSER_VERSION,
        "format": parsed.format if parsed else None,
        "category": result.category or None,
        "reason": result.reason or None,
        "attachments": _attached(result.attached),
        "parsed_at": now,
    }
    if parsed is None:
        return {**base, **dict.fromkeys(_TEXT_COLUMNS), "has_text": False}
    words = squeezed(parsed.blocks)
    if not words and not result.attached:
        scan = bool(parsed.ocr_pages)
        base["category"] = "needs_ocr" if scan else "empty"
        base["reason"] = "no page has text of its own" if scan else "the document holds no text"
    return {
        **base,
        "body_hash": body_hash(parsed.blocks, result.content_hash),
        "has_text": bool(words),
        "chars": len(words),
        "title": title_of(parsed) or None,
        "author": parsed.author,
        "modified_at": parsed.modified_at,
        "created_at": parsed.created_at,
        "clock": parsed.clock,
        "pages": parsed.pages,
        "ocr_pages": list(parsed.ocr_pages),
        "asides": parsed.asides,
        "warnings": list(parsed.warnings),
        "properties": parsed.properties,
    }


_TEXT_COLUMNS = (
    "body_hash", "has_text", "chars", "title", "author", "modified_at", "created_at", "clock", "pages", "ocr_pages",
    "asides", "warnings", "properties",
)  # fmt: skip


def _attached(items: tuple[Attached, ...]) -> str:
    return json.dumps(
        [{"name": item.name, "content_hash": item.content_hash, "size": item.size} for item in items],
        ensure_ascii=False,
    )
