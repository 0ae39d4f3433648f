"""Read the documents of any folder or file, without settings and without keeping anything."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from pipelines.body import body_hash as hash_of
from pipelines.body import compared_text, squeezed
from pipelines.compared import Content, content_of, extras
from pipelines.errors import Refused, SkipDocument
from pipelines.outcome import ATTACHMENT_DEPTH, attachment_paths
from pipelines.records import Limits, Parsed
from pipelines.scan import Listing, scan_source, shown
from resources.parsing import Attached, ParseResult, Task
from resources.workers import WorkerPool

# Folders of what programs made or brought along, left out besides pipelines.scan.SKIPPED_NAMES: copies by design.
VENDOR_FOLDERS = ("target", "dist", "build")
FILE_CLOCK = "mtime"
# Documents of which everything was read that there is: equal bytes make them one, nothing else does.
_WORDLESS = ("needs_ocr", "empty")
_LOST = ("changed_while_reading", "its mail has it no more")


@dataclass(frozen=True, slots=True)
class Unread:
    """A document that gave no words, and why."""

    path: str
    category: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A document that was read.

    body_hash    of a document without any word, one that only equal bytes share
    text         what 5-grams are taken from; "" without any word
    chars        length of the squeezed body
    modified_at  by `clock`: the document's own, else the file's ("mtime")
    wordless     why there are no words to compare, None when there are
    """

    path: str
    format: str | None
    content_hash: str
    body_hash: str
    text: str
    chars: int
    modified_at: datetime
    clock: str
    extras: dict[str, int] = field(default_factory=dict)
    wordless: Unread | None = None

    @property
    def content(self) -> Content:
        """Its content in the order of preference."""
        return content_of(self.format or "", self.content_hash)


def read_folder(
    root: Path,
    *,
    exclude: Iterable[str] = (),
    workers: int,
    limits: Limits,
    on_read: Callable[[int, int], None] | None = None,
) -> tuple[list[Reading], list[Unread]]:
    """Read every document below `root`, attachments included, both lists by path; one without words is in both.

    exclude  folders besides VENDOR_FOLDERS: a name at any depth, or a path from the root; `root` itself is never one
    on_read  is told (files done, all files)

    Raises Refused when there is no such folder.
    """
    listing = scan_source(root)
    if listing.root in ("missing", "not_a_folder"):
        raise Refused(f"{root}: no such folder")
    left_out = _Folders((*VENDOR_FOLDERS, *exclude))
    tasks = [Task("", entry.path, entry.disk_path) for entry in listing.entries if entry.path not in left_out]
    gathered = _Gathered()
    with WorkerPool(workers, limits) as pool:
        done = 0
        for result in pool.run(tasks):
            gathered.take(result)
            if not result.task.route and on_read is not None:
                done += 1
                on_read(done, len(tasks))
    found = list(gathered.every())
    readings = [one for one in found if isinstance(one, Reading)]
    unread = [one for one in found if isinstance(one, Unread)]
    unread += [one.wordless for one in readings if one.wordless is not None]
    unread += [one for one in _refused(listing) if one.path not in left_out]
    return sorted(readings, key=lambda one: one.path), sorted(unread, key=lambda one: one.path)


def read_files(paths: Iterable[Path], limits: Limits) -> list[Reading]:
    """Read files, not their attachments; raises SkipDocument for the first that can't be."""
    # A link that a person names is meant; one that takes a file's place during a scan is not.
    tasks = [Task(str(number), _key(path), os.path.realpath(path)) for number, path in enumerate(paths)]
    gathered = _Gathered()
    with WorkerPool(len(tasks), limits) as pool:
        for result in pool.run(tasks):
            gathered.take(result)
            if sum(not one.task.route for one in gathered.results) == len(tasks):
                break
    files = [result for result in gathered.results if not result.task.route]
    found = [next(gathered.documents(result)) for result in sorted(files, key=lambda one: int(one.task.source))]
    for one in found:
        if isinstance(one, Unread):
            raise SkipDocument(f"{one.path}: {one.category}: {one.reason}", one.path)
    return [one for one in found if isinstance(one, Reading)]


def _key(path: Path) -> str:
    return unicodedata.normalize("NFC", shown(str(path)))


class _Gathered:
    """Results of a pool: what each content gave, and which documents have it."""

    def __init__(self) -> None:
        self.results: list[ParseResult] = []
        self._judged: dict[str, Reading] = {}
        self._attached: dict[str, tuple[Attached, ...]] = {}
        self._failures: dict[str, tuple[str, str]] = {}  # content -> category and reason, of the first

    def take(self, result: ParseResult) -> None:
        """Keep one result, without its blocks."""
        if result.outcome == "parsed":
            self._judged[result.content_hash] = _reading(result)
            self._attached[result.content_hash] = result.attached
        elif result.outcome == "failed":
            self._failures.setdefault(result.content_hash, (result.category, result.reason))
        self.results.append(replace(result, packed=b""))

    def every(self) -> Iterator[Reading | Unread]:
        """Yield what became of every document."""
        for result in self.results:
            yield from self.documents(result)

    def documents(self, result: ParseResult) -> Iterator[Reading | Unread]:
        """Yield the document of a result, then what the pool left out: the attachments of a mail that it knew."""
        path = result.task.path
        if result.outcome == "failed":
            why = Unread(path, result.category, result.reason)
            whole = result.category in _WORDLESS and result.content_hash and result.size
            yield _without_words(result, why) if whole else why
            return
        judged = self._judged[result.content_hash]
        modified_at = _file_time(result) if judged.clock == FILE_CLOCK else judged.modified_at
        wordless = None if judged.wordless is None else replace(judged.wordless, path=path)
        yield replace(judged, path=path, modified_at=modified_at, wordless=wordless)
        if result.outcome == "known" and len(result.task.route) < ATTACHMENT_DEPTH:
            yield from self._below(result)

    def _below(self, mail: ParseResult) -> Iterator[Reading | Unread]:
        attached = self._attached[mail.content_hash]
        paths = attachment_paths(mail.task.path, [item.name for item in attached])
        for number, (path, item) in enumerate(zip(paths, attached, strict=True)):
            if item.content_hash in self._judged:
                task = replace(mail.task, path=path, route=(*mail.task.route, number))
                yield from self.documents(replace(mail, task=task, content_hash=item.content_hash))
            else:
                yield Unread(path, *self._failures.get(item.content_hash, _LOST))


def _reading(result: ParseResult) -> Reading:
    parsed = result.parsed()
    text = compared_text(parsed.blocks)
    return Reading(
        result.task.path,
        parsed.format,
        result.content_hash,
        hash_of(parsed.blocks, result.content_hash),
        text,
        len(squeezed(parsed.blocks)),
        parsed.modified_at or _file_time(result),
        (parsed.clock or "document") if parsed.modified_at else FILE_CLOCK,
        extras(parsed.asides),
        _wordless(result.task.path, parsed) if not text and not result.attached else None,
    )


def _without_words(result: ParseResult, why: Unread) -> Reading:
    same = hash_of((), result.content_hash)
    return Reading(why.path, None, result.content_hash, same, "", 0, _file_time(result), FILE_CLOCK, wordless=why)


def _file_time(result: ParseResult) -> datetime:
    return datetime.fromtimestamp(result.stamp.mtime_ns / 1e9 if result.stamp else 0, UTC)


def _wordless(path: str, parsed: Parsed) -> Unread:
    if parsed.ocr_pages:
        return Unread(path, "needs_ocr", "no page has text of its own")
    return Unread(path, "empty", "the document holds no text")


def _refused(listing: Listing) -> list[Unread]:
    """Say what the listing couldn't show or the scan didn't enter."""
    refused = [Unread(one.path, "unreadable", one.reason) for one in listing.unlisted]
    refused += [Unread(path, "unreadable", "another file system is mounted there") for path in listing.other_devices]
    return refused + [Unread(one.path, "name_clash", f"{len(one.hidden)} more of this name") for one in listing.clashes]


class _Folders:
    """Folders that are left out, with all that is in them."""

    def __init__(self, named: Iterable[str]) -> None:
        folders = [os.path.normpath(unicodedata.normalize("NFC", name).strip("/") or ".") for name in named]
        self._names = {folder for folder in folders if "/" not in folder}
        self._paths = {folder for folder in folders if "/" in folder}

    def __contains__(self, path: object) -> bool:
        parts = str(path).split("/")[:-1]
        if not self._names.isdisjoint(parts):
            return True
        return any("/".join(parts[:depth]) in self._paths for depth in range(2, len(parts) + 1))
