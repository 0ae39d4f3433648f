"""One parser process as its parent sees it, and the document that it is at."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.records import Limits
from resources.parsing import HEADER, ParseResult, Task, frame

# Imports of the parsers take about a second on a cold disk; a loaded machine may take many times that.
START_SECONDS = 120.0
READ_BYTES = 1 << 20
START = "from resources.worker import main; main()"


@dataclass(frozen=True, slots=True)
class Job:
    """A task and what happened to it so far.

    put_off  it was locked or changing once already, or needn't be tried again at the end
    crashed  a process ended over it once already
    found    its hash, when that is known
    """

    task: Task
    put_off: bool = False
    crashed: bool = False
    found: ParseResult | None = None


class ParserProcess:
    """Started with a parser module; ends when `life_fd`'s other end closes."""

    def __init__(self, parser: str, limits: Limits, life_fd: int) -> None:
        # -P and our own search path: a folder named "resources" in the working directory must not be run. Passwords
        # in the environment are no business of a process that reads other people's files.
        environment = {key: value for key, value in os.environ.items() if not key.startswith("SAERO_")}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        self.child = subprocess.Popen(
            [sys.executable, "-P", "-c", START, parser, str(life_fd), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=environment,
            pass_fds=(life_fd,),
        )
        assert self.child.stdin is not None and self.child.stdout is not None
        self.requests = self.child.stdin
        self.replies = self.child.stdout
        self.buffer = bytearray()
        self.ready = False
        self.served = 0
        self.job: Job | None = None
        self.deadline = time.monotonic() + START_SECONDS
        self.tell(b"L", limits)

    def tell(self, kind: bytes, value: object) -> None:
        """Send a frame; a process that is dying shows it by the end of its replies."""
        with contextlib.suppress(BrokenPipeError):
            self.requests.write(frame(kind, value))

    def hear(self) -> bool:
        """Take in what it sent; False when it ended."""
        data = os.read(self.replies.fileno(), READ_BYTES)
        self.buffer += data
        return bool(data)

    def frames(self) -> Iterator[tuple[bytes, bytes]]:
        """Take the complete frames out of what was received."""
        while len(self.buffer) >= HEADER.size:
            kind, length = HEADER.unpack_from(self.buffer)
            end = HEADER.size + length
            if len(self.buffer) < end:
                return
            data = bytes(memoryview(self.buffer)[HEADER.size : end])
            del self.buffer[:end]
            yield kind, data

    def kill(self) -> int | None:
        """End it now; returns its exit code, minus the signal that ended it, or None while the system holds on to it.

        A process in an uninterruptible read of a dead network disk can't be waited for.
        """
        self.child.kill()
        for pipe in (self.requests, self.replies):
            with contextlib.suppress(OSError):
                pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.child.wait(timeout=0.5)
        return None
