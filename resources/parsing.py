"""What the worker pool and its processes say to each other: tasks, results, and the frames they travel in."""

from __future__ import annotations

import io
import pickle
import struct
from dataclasses import dataclass, field
from typing import BinaryIO, Literal, cast

from pipelines.errors import Broken
from pipelines.records import Parsed

Outcome = Literal["parsed", "known", "failed"]

# Frame: one letter for the kind, the length of what follows, a pickle. The parent sends L limits (first), T task and
# G go (the answer to a hash: parse it or not); a worker R ready, N not ready (why), H hash, A alive (a
# scanned page is next), D done, X done and out of memory: the process ends.
HEADER = struct.Struct(">cQ")


@dataclass(frozen=True, slots=True)
class Task:
    """One document to read.

    path       its key (NFC); its last part is the name that parsers see
    disk_path  opens the file, as the listing gave it; for an attachment, the mail's
    route      positions of attachments, from the mail inwards; empty for a file
    """

    source: str
    path: str
    disk_path: str
    route: tuple[int, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the disk said of a file when it was opened; `read_at_ns` is our clock (epoch) just before."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    read_at_ns: int


@dataclass(frozen=True, slots=True)
class Attached:
    """An attachment of a parsed mail; its bytes stay with the worker."""

    name: str
    content_hash: str
    size: int


@dataclass(frozen=True, slots=True)
class ParseResult:
    """What became of a task.

    outcome       parsed, known (its content is parsed already), or failed
    content_hash  SHA-256 of the bytes, "" when they couldn't be read; of an attachment, of its own bytes
    stamp         of the file, the mail's for an attachment; None when it couldn't be opened
    category      DESIGN section 5's word when it failed
    unfinished    something besides the document stood in the way: another night may read more of the same bytes
    """

    task: Task
    outcome: Outcome
    content_hash: str = ""
    size: int = 0
    stamp: Stamp | None = None
    category: str = ""
    reason: str = ""
    attached: tuple[Attached, ...] = ()
    packed: bytes = b""
    unfinished: bool = False

    def parsed(self) -> Parsed:
        """Unpack the parsed document (its attachments are in `attached`, without data)."""
        return cast(Parsed, unpack(self.packed))


class _Records(pickle.Unpickler):
    """Reads our records only: a worker that a hostile file took over must not run code in the parent."""

    def find_class(self, module: str, name: str) -> object:
        if module in ("pipelines.records", "resources.parsing") or (module, name) in _CLOCKS:
            return super().find_class(module, name)
        raise Broken(f"a parser process sent a {module}.{name}, which is no record")


_CLOCKS = {("datetime", "datetime"), ("datetime", "timezone"), ("datetime", "timedelta")}


def pack(value: object) -> bytes:
    """Pickle one of our records."""
    return pickle.dumps(value, protocol=5)


def unpack(data: bytes) -> object:
    """Read what `pack` wrote; Broken when it holds anything but records, texts, numbers and times."""
    try:
        return _Records(io.BytesIO(data)).load()
    except (pickle.UnpicklingError, EOFError, AttributeError, IndexError, ValueError, TypeError) as error:
        raise Broken("a parser process sent something that can't be read") from error


def frame(kind: bytes, value: object = None) -> bytes:
    """Build one frame."""
    data = pack(value)
    return HEADER.pack(kind, len(data)) + data


def send(pipe: BinaryIO, kind: bytes, value: object = None) -> None:
    """Write one frame."""
    pipe.write(frame(kind, value))
    pipe.flush()


def receive(pipe: BinaryIO) -> tuple[bytes, object] | None:
    """Read one frame; None at the end of the pipe."""
    head = pipe.read(HEADER.size)
    if len(head) < HEADER.size:
        return None
    kind, length = HEADER.unpack(head)
    return kind, unpack(pipe.read(length))
