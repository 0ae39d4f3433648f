"""A pool of parser processes. One that hangs, hogs or crashes is ended and replaced alone, its document recorded."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Self, cast

from pipelines.errors import Broken, ChangedWhileReading, Corrupt, SkipDocument, Timeout, TooLarge, Unreadable
from pipelines.outcome import ATTACHMENT_DEPTH, attachment_paths
from pipelines.records import Limits
from resources.parser_process import START_SECONDS, Job, ParserProcess
from resources.parsing import ParseResult, Task, unpack

# Libraries leak and heaps fragment: a process that read hundreds of documents would fail one that a fresh one reads.
TASKS_PER_PROCESS = 500
# Results that wait to be taken, in bytes: what bounds the parent's memory when its reader is slow.
WAITING_BYTES = 128 << 20


class WorkerPool:
    """Reads documents in up to `workers` processes.

    limits.seconds     from handing a document out to its hash, and again from there to its result
    limits.memory_mb   address space of a process (resident memory on macOS, which doesn't enforce the former)
    parser             a module with `parse(file, name, limits)`
    """

    def __init__(self, workers: int, limits: Limits, *, parser: str = "pipelines.parsers") -> None:
        self.workers = workers
        self.limits = limits
        self.parser = parser
        self._drive: _Drive | None = None

    def run(self, tasks: Iterable[Task], *, known: Container[str] = frozenset()) -> Iterator[ParseResult]:
        """Read `tasks` and yield their results as they come, in no order.

        `known` holds the content hashes that need no parsing; what this run parsed is added. `tasks` and `known` are
        used in another thread. The attachments of a mail follow it as results of their own. What was locked or
        changing is read once more at the end. Raises Broken when the parser processes don't even start.
        """
        self.close()
        self._drive = drive = _Drive(self, tasks, known)
        try:
            yield from drive.results()
        finally:
            drive.stop()

    def close(self) -> None:
        """End every process of a run that was left unfinished."""
        if self._drive is not None:
            self._drive.stop()
            self._drive = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class _Drive:
    """One run of a pool. A thread of its own hands out tasks and keeps the limits while the reader is busy."""

    def __init__(self, pool: WorkerPool, tasks: Iterable[Task], known: Container[str]) -> None:
        self.pool = pool
        self.tasks = iter(tasks)
        self.known = known
        self.parsed: set[str] = set()  # content hashes of this run
        self.first: deque[Job] = deque()  # attachments, and documents whose process died
        self.last: deque[Job] = deque()  # locked or changing files, for the end
        self.processes: list[ParserProcess] = []
        self.dying: list[subprocess.Popen[bytes]] = []
        self.selector = selectors.DefaultSelector()
        self.changed = threading.Condition()
        self.waiting: deque[ParseResult] = deque()
        self.waiting_bytes = 0
        self.finished = False
        self.stopping = False
        self.error: BaseException | None = None
        self.life = os.pipe()
        self.wake = os.pipe()
        os.set_blocking(self.wake[0], False)
        os.set_blocking(self.wake[1], False)
        self.thread = threading.Thread(target=self.run, name="saero-workers", daemon=True)
        self.thread.start()

    # The reader's side

    def results(self) -> Iterator[ParseResult]:
        """Yield results until the run is over."""
        while True:
            with self.changed:
                while not self.waiting and not self.finished:
                    self.changed.wait()
                if not self.waiting:
                    break
                result = self.waiting.popleft()
                self.waiting_bytes -= len(result.packed)
            self.ring()
            yield result
        if self.error is not None:
            raise self.error

    def stop(self) -> None:
        """End the processes at once; returns when they are told."""
        if self.stopping:
            return
        self.stopping = True
        self.ring()
        self.thread.join()
        for fd in self.wake:
            os.close(fd)

    def ring(self) -> None:
        """Wake the thread; a full pipe means that it is awake."""
        with contextlib.suppress(BlockingIOError):
            os.write(self.wake[1], b".")

    # The thread's side

    def run(self) -> None:
        """Hand out, listen, keep the time, until all is done."""
        try:
            self.selector.register(self.wake[0], selectors.EVENT_READ, None)
            while not self.stopping and (self.hand_out() or self.busy()):
                self.listen()
                self.keep_time()
        except BaseException as error:
            self.error = error
        finally:
            self.end()

    def end(self) -> None:
        """Kill what is left and tell the reader that nothing more comes."""
        for process in list(self.processes):
            self.remove(process)
        self.selector.close()
        for child in self.dying:
            # A process in an uninterruptible read of a dead network disk can't be waited for.
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout=1)
        with self.changed:
            self.finished = True
            self.changed.notify_all()
        for fd in self.life:
            os.close(fd)

    def busy(self) -> bool:
        return any(process.job is not None for process in self.processes)

    def hand_out(self) -> bool:
        """Give tasks to idle processes, starting more of these when needed; True when a task waits for room."""
        while self.has_room():
            job = self.next_job()
            if job is None:
                return False
            process = next((one for one in self.processes if one.job is None), None) or self.start()
            process.job = job
            if process.ready:
                self.give(process)
        return True

    def has_room(self) -> bool:
        """Tell whether one more document may be under way: each is a result that may have to wait."""
        under_way = sum(process.job is not None for process in self.processes)
        with self.changed:
            waiting = len(self.waiting)
            fits = self.waiting_bytes < WAITING_BYTES
        return under_way < self.pool.workers and fits and under_way + waiting < 2 * self.pool.workers

    def next_job(self) -> Job | None:
        if self.first:
            return self.first.popleft()
        task = next(self.tasks, None)
        if task is not None:
            return Job(task)
        if self.last and not self.busy():
            return self.last.popleft()
        return None

    def start(self) -> ParserProcess:
        process = ParserProcess(self.pool.parser, self.pool.limits, self.life[0])
        self.processes.append(process)
        self.selector.register(process.replies, selectors.EVENT_READ, process)
        return process

    def give(self, process: ParserProcess) -> None:
        assert process.job is not None
        process.deadline = time.monotonic() + self.pool.limits.seconds
        process.tell(b"T", process.job.task)

    def listen(self) -> None:
        """Wait for a process, the reader or the next deadline, and take in what came."""
        deadlines = [process.deadline for process in self.processes if process.job is not None]
        timeout = max(0.0, min(deadlines) - time.monotonic()) if deadlines else None
        for key, _ in self.selector.select(timeout):
            if key.data is None:
                os.read(self.wake[0], 4096)
                continue
            process: ParserProcess = key.data
            if process.hear():
                for kind, body in process.frames():
                    self.take(process, kind, body)
            else:
                self.died(process)

    def take(self, process: ParserProcess, kind: bytes, body: bytes) -> None:
        """Act on one frame of a process."""
        value = unpack(body)
        if kind == b"N":
            raise Broken(f"the parser processes don't start: {value}")
        if kind == b"R":
            process.ready = True
            self.give(process)
        elif kind == b"H" and process.job is not None:
            found = cast(ParseResult, value)
            process.job = replace(process.job, found=found)
            process.deadline = time.monotonic() + self.pool.limits.seconds
            process.tell(b"G", not self.is_known(found.content_hash))
        elif kind == b"A":
            process.deadline = time.monotonic() + self.pool.limits.page_deadline
        elif process.job is not None:
            self.finish(process, process.job, cast(ParseResult, value), exhausted=kind == b"X")

    def finish(self, process: ParserProcess, job: Job, result: ParseResult, *, exhausted: bool) -> None:
        """Take a result. Memory that ran out in a process that had read others before proves nothing yet."""
        process.job = None
        process.served += 1
        if exhausted and process.served > 1 and not job.crashed:
            self.first.append(replace(job, crashed=True))
        else:
            self.done(job, result)
        # In the middle of a folder of mails a fresh process would begin by dividing the whole folder again.
        if exhausted or (process.served >= TASKS_PER_PROCESS and not job.task.route):
            self.remove(process)

    def is_known(self, content_hash: str) -> bool:
        return content_hash in self.parsed or content_hash in self.known

    def done(self, job: Job, result: ParseResult) -> None:
        """Pass a result on, or try the document again where that may help."""
        again = (Unreadable.category, ChangedWhileReading.category)
        if result.category in again and not job.put_off:
            self.last.append(Job(job.task, put_off=True))
            return
        if result.outcome == "parsed":
            self.parsed.add(result.content_hash)
        self.yield_result(result)
        self.follow(result)

    def follow(self, mail: ParseResult) -> None:
        """Queue a mail's attachments before anything else, while the process that parsed it may still hold them."""
        if len(mail.task.route) >= ATTACHMENT_DEPTH:
            return
        paths = attachment_paths(mail.task.path, [item.name for item in mail.attached])
        unread = []
        for position, (path, item) in enumerate(zip(paths, mail.attached, strict=True)):
            task = replace(mail.task, path=path, route=(*mail.task.route, position))
            if self.is_known(item.content_hash):
                self.yield_result(ParseResult(task, "known", item.content_hash, item.size, mail.stamp))
            else:
                unread.append(Job(task, put_off=True))
        # Before the other mails of a folder: the process that parsed this one holds one mail at each depth.
        self.first.extendleft(reversed(unread))

    def yield_result(self, result: ParseResult) -> None:
        with self.changed:
            self.waiting.append(result)
            self.waiting_bytes += len(result.packed)
            self.changed.notify()

    def keep_time(self) -> None:
        """End the processes whose time is over."""
        now = time.monotonic()
        for process in [one for one in self.processes if one.job is not None and one.deadline <= now]:
            if not process.ready:
                raise Broken(f"a parser process was not ready after {START_SECONDS:.0f} s")
            self.remove(process)
            self.fail(process, Timeout(f"reading it took longer than {self.pool.limits.seconds:g} s"))
        self.dying = [child for child in self.dying if child.poll() is None]

    def died(self, process: ParserProcess) -> None:
        """A process ended by itself: its document is tried once more in a fresh one, then it is to blame."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.child.wait(timeout=2)
        code = self.remove(process)
        if not process.ready:
            raise Broken(f"the parser processes don't start: {_ending(code)}")
        if process.job is None:
            return
        if process.job.crashed:
            self.fail(process, _blame(code), unfinished=code == -signal.SIGKILL)
        else:
            self.first.append(replace(process.job, crashed=True))

    def fail(self, process: ParserProcess, skip: SkipDocument, *, unfinished: bool = False) -> None:
        assert process.job is not None
        found = process.job.found or ParseResult(process.job.task, "failed")
        why = replace(found, outcome="failed", category=skip.category, reason=skip.reason, unfinished=unfinished)
        self.yield_result(why)

    def remove(self, process: ParserProcess) -> int:
        """Kill a process and forget it; returns its exit code, or minus the signal that ended it."""
        self.processes.remove(process)
        self.selector.unregister(process.replies)
        code = process.kill()
        if code is None:
            self.dying.append(process.child)
            return -signal.SIGKILL
        return code


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _blame(code: int) -> SkipDocument:
    if code == -signal.SIGKILL:
        return TooLarge("the parser process was killed twice (signal 9), as a system does when memory runs out")
    if code == -signal.SIGALRM:
        return Timeout("the parser process ran out of time")
    return Corrupt(f"the parser process ended ({_ending(code)})")
