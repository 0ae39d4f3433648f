"""A parser process: reads tasks from its standard input until that ends, and imports nothing but the parsers."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import hashlib
import importlib
import io
import math
import os
import resource
import select
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import BinaryIO, Protocol, cast

from pipelines.errors import ChangedWhileReading, Corrupt, NeedsOcr, SkipDocument, TooLarge, Unreadable
from pipelines.extent import hold_extent
from pipelines.records import Attachment, Limits, Ocr, Parsed
from resources.parsing import Attached, ParseResult, Stamp, Task, pack, receive, send

MEBIBYTE = 1 << 20
# A file being saved is whole again in well under a second; a copy over the network isn't, and waits for the next run.
READS = 3
PAUSE_SECONDS = 0.2
# The disk or the network failed, not the file: the parsers can't tell, and call it damaged.
DISK_ERRORS = frozenset({errno.EIO, errno.ESTALE, errno.ENOTCONN, errno.ETIMEDOUT, errno.EACCES, errno.EBUSY})


Document = io.BufferedReader | io.BytesIO


class ParserModule(Protocol):
    """`pipelines.parsers`, or a test's stand-in."""

    def parse(self, file: BinaryIO, name: str, limits: Limits) -> Parsed:
        """Read a document; raises SkipDocument subclasses only."""


class Reader:
    """Opens, hashes and parses one document after another."""

    def __init__(self, parser: ParserModule, limits: Limits, requests: BinaryIO, replies: BinaryIO) -> None:
        self.parser = parser
        self.limits = limits
        self.requests = requests
        self.replies = replies
        self.out_of_memory = False
        # The last mail opened for its attachments, by its depth: an mbox stays open while its mails are.
        self.mails: dict[int, tuple[object, tuple[Attachment, ...]]] = {}

    def serve(self) -> None:
        """Answer tasks until the parent hangs up, or until memory ran out once."""
        send(self.replies, b"R")
        while not self.out_of_memory and (frame := receive(self.requests)) is not None:
            result = self.answer(cast(Task, frame[1]))
            send(self.replies, b"X" if self.out_of_memory else b"D", result)

    def answer(self, task: Task) -> ParseResult:
        """Read one document; whatever stops it becomes a category and a reason."""
        self.arm()
        try:
            return self.read(task)
        except (SkipDocument, OSError, MemoryError) as error:
            return self.failed(ParseResult(task, "failed"), error)
        finally:
            signal.alarm(0)

    def failed(self, found: ParseResult, error: Exception) -> ParseResult:
        """Name what stopped a document. Once memory ran out this process serves no other: a library's state may be
        half made.
        """
        skip = _skip(error)
        self.out_of_memory = self.out_of_memory or isinstance(skip, _OutOfMemory)
        return replace(found, outcome="failed", category=skip.category, reason=skip.reason)

    def arm(self) -> None:
        """Let the system end this process should its parent be gone and unable to: it works inside C code too."""
        signal.alarm(math.ceil(3 * self.limits.page_deadline) + 10)

    def read(self, task: Task) -> ParseResult:
        """Read until the file stood still meanwhile; raises ChangedWhileReading."""
        for attempt in range(READS):
            time.sleep(PAUSE_SECONDS * attempt)
            with open_regular(task.disk_path) as (file, before):
                result = self.read_once(task, file, before)
                if _same(before, _stamp(file, before.read_at_ns)):
                    return result
        raise ChangedWhileReading(f"the file changed while it was read, {READS} times in a row")

    def read_once(self, task: Task, file: io.BufferedReader, stamp: Stamp) -> ParseResult:
        """Hash a document, ask whether it is worth parsing, parse it."""
        try:
            if stamp.size > self.limits.file_mb * MEBIBYTE:
                raise TooLarge(f"the file has {stamp.size // MEBIBYTE} MB, the limit is {self.limits.file_mb} MB")
            document = self.attachment(task, file, stamp) if task.route else file
        except Exception as error:
            return self.failed(ParseResult(task, "failed", stamp=stamp), error)
        content_hash = hashlib.file_digest(document, "sha256").hexdigest()
        size = document.seek(0, io.SEEK_END)
        document.seek(0)
        found = ParseResult(task, "known", content_hash, size, stamp)
        if not self.worth_parsing(found):
            return found
        try:
            return self.parse(found, document)
        except Exception as error:
            return self.failed(found, error)

    def worth_parsing(self, found: ParseResult) -> bool:
        """Ask the parent, who knows what is parsed already; its answer may take its time."""
        signal.alarm(0)
        send(self.replies, b"H", found)
        frame = receive(self.requests)
        if frame is None:
            raise SystemExit(1)
        self.arm()
        return bool(frame[1])

    def parse(self, found: ParseResult, document: Document) -> ParseResult:
        """Parse, keep the attachments' bytes here, and bound what is sent: the parent's memory is one for all."""
        if not found.task.route:
            self.mails = {}  # two large mail folders at once would be over the limit
        parsed = self.parser.parse(document, found.task.path.rpartition("/")[2], self.limits)
        if parsed.ocr_pages and self.limits.ocr is not None:
            parsed, failed = recognise(document, parsed, self.limits.ocr, self.alive)
            found = replace(found, unfinished=failed > 0)
            if not parsed.blocks:
                reason = _why_wordless(len(parsed.ocr_pages), failed)
                return replace(found, outcome="failed", category=NeedsOcr.category, reason=reason)
        attached = tuple(
            Attached(item.name, hashlib.sha256(item.data).hexdigest(), len(item.data)) for item in parsed.attachments
        )
        if parsed.attachments and found.stamp is not None:
            self.keep(len(found.task.route), _mail_key(found.task, found.task.route, found.stamp), parsed.attachments)
        hold_extent(parsed.blocks, self.limits)
        packed = pack(replace(parsed, attachments=()))
        if len(packed) > self.limits.stream_mb * MEBIBYTE:
            raise TooLarge(f"its text fills more than {self.limits.stream_mb} MB")
        return replace(found, outcome="parsed", attached=attached, packed=packed)

    def alive(self) -> None:
        """Begin a new time limit: reading a scanned page has one of its own."""
        send(self.replies, b"A")
        self.arm()

    def attachment(self, task: Task, file: io.BufferedReader, stamp: Stamp) -> Document:
        """Take an attachment out of the mail in `file`, which is parsed again unless it was the last one."""
        document: Document = file
        for depth, position in enumerate(task.route):
            key = _mail_key(task, task.route[:depth], stamp)
            if depth not in self.mails or self.mails[depth][0] != key:
                name = task.path.split("!/")[depth - len(task.route) - 1].rpartition("/")[2]
                self.keep(depth, key, self.parser.parse(document, name, self.limits).attachments)
            attachments = self.mails[depth][1]
            if position >= len(attachments):
                raise ChangedWhileReading("the mail has fewer attachments than when it was listed")
            document = io.BytesIO(attachments[position].data)
        return document

    def keep(self, depth: int, key: object, attachments: tuple[Attachment, ...]) -> None:
        """Hold a mail's attachments; those of the mail that was open there go, and of all inside it."""
        self.mails = {level: mail for level, mail in self.mails.items() if level < depth}
        self.mails[depth] = (key, attachments)


def recognise(document: Document, parsed: Parsed, ocr: Ocr, on_page: Callable[[], None]) -> tuple[Parsed, int]:
    """Read the pages that are pictures of text; returns the document and at how many pages the program failed."""
    from resources.ocr import recognised

    return recognised(document, parsed, ocr, on_page)


def _why_wordless(pages: int, failed: int) -> str:
    if failed:
        return f"recognition failed on {failed} of its {pages} scanned pages; it is tried again every night"
    return f"no words could be recognised on its {pages} scanned pages"


def _mail_key(task: Task, route: tuple[int, ...], stamp: Stamp) -> object:
    return task.disk_path, route, replace(stamp, read_at_ns=0)


@contextlib.contextmanager
def open_regular(disk_path: str) -> Iterator[tuple[io.BufferedReader, Stamp]]:
    """Open a file for reading, once; a link, pipe or device that took its place is refused without waiting for it."""
    read_at_ns = time.time_ns()
    try:
        fd = os.open(disk_path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise ChangedWhileReading("the file vanished after it was listed") from error
    except OSError as error:
        linked = error.errno == errno.ELOOP
        reason = "a link stands in its place" if linked else error.strerror or type(error).__name__
        raise Unreadable(reason) from error
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise Unreadable("it is not a regular file")
        yield file, _stamp(file, read_at_ns)


def _stamp(file: BinaryIO, read_at_ns: int) -> Stamp:
    status = os.fstat(file.fileno())
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, read_at_ns)


def _same(one: Stamp, other: Stamp) -> bool:
    return one == other


class _OutOfMemory(TooLarge):
    """The parser asked for more memory than the limit."""

    def __init__(self) -> None:
        super().__init__("parsing it takes more memory than a parser process may use")


def _skip(error: Exception) -> SkipDocument:
    """Name an error; sees through a parser's "damaged" to want of memory or a failing disk."""
    if isinstance(error, SkipDocument) and not isinstance(error, Corrupt):
        return error
    cause: BaseException | None = error
    for _ in range(20):  # a chain can be a ring
        if isinstance(cause, MemoryError):
            return _OutOfMemory()
        if isinstance(cause, OSError) and (cause.errno in DISK_ERRORS or cause is error):
            return Unreadable(cause.strerror or type(cause).__name__)
        if cause is None:
            break
        cause = cause.__cause__ or cause.__context__
    return error if isinstance(error, SkipDocument) else Corrupt(f"the parser stopped at {type(error).__name__}")


def end_with_parent(life_fd: int, parent: int, memory_mb: int) -> None:
    """End this process when its parent does, however that ends.

    Linux tells by signal, even inside C code. Elsewhere the pipe `life_fd` closes, which a thread sees. macOS doesn't
    enforce an address limit, so the same thread looks at the resident memory there.
    """
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    watch_memory = sys.platform == "darwin"

    def watch() -> None:
        while not select.select([life_fd], [], [], 0.25 if watch_memory else None)[0]:
            if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > memory_mb * MEBIBYTE:
                os.kill(os.getpid(), signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def limit_memory(memory_mb: int) -> None:
    """Bound the address space where the system does so."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb * MEBIBYTE, memory_mb * MEBIBYTE))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Serve the pool that started this process: arguments parser module, life_fd, parent."""
    parser_name, life_fd, parent = sys.argv[1:4]
    # Ctrl-C is for the parent, which ends this process itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):  # a library that prints must neither break a frame nor put a document's words in a log
        os.dup2(nowhere, fd)
    frame = receive(requests)
    if frame is None:
        return
    limits = cast(Limits, frame[1])
    end_with_parent(int(life_fd), int(parent), limits.memory_mb)
    limit_memory(limits.memory_mb)
    try:
        parser = cast(ParserModule, importlib.import_module(parser_name))
    except Exception as error:
        send(replies, b"N", f"{type(error).__name__}: {error}")
        return
    Reader(parser, limits, requests, replies).serve()
