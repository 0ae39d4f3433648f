"""Stand-ins that make a night cost a second: an encoder, a pool that reads in this process, a ledger left open."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import duckdb
import numpy as np
import numpy.typing as npt
import pytest

from pipelines import parsers
from pipelines.outcome import attachment_paths
from pipelines.records import Limits
from resources.ledger import connection
from resources.parsing import ParseResult, Task
from resources.worker import Reader

Vectors = npt.NDArray[np.float32]


class FakeEncoder:
    """Encodes passages and queries by their words, hashed to 64 places. `embedded` holds every passage it was given.

    A word is a token, and a passage holds 48 of them, so that a page of text makes several passages.
    """

    def __init__(self, name: str = "words@1") -> None:
        self.encoder_id = name
        self.tokenizer_id = "words"
        self.dimension = 64
        self.max_tokens = 72
        self.embedded: list[str] = []
        self.fail_after: int | None = None

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    def embed_passages(self, texts: Sequence[str], on_batch: Callable[[int, int], None] | None = None) -> Vectors:
        if self.fail_after is not None and len(self.embedded) >= self.fail_after:
            raise OSError("the machine was switched off")
        self.embedded += texts
        if on_batch is not None:
            on_batch(len(texts), len(texts))
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        vector = np.full(self.dimension, 0.01, np.float32)
        for word in text.split():
            vector[zlib.crc32(word.encode("utf-8", "replace")) % self.dimension] += 1
        return vector / np.float32(np.linalg.norm(vector))

    def pieces(self, words: Sequence[str]) -> int:
        return len(words)


class InlinePool:
    """Reads documents as a worker does, without a process; what needs a process is in test_workers."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def run(self, tasks: Iterable[Task], *, known: Container[str] = frozenset()) -> Iterator[ParseResult]:
        reader = _InlineReader(self._limits, known)
        waiting = list(tasks)
        while waiting:
            result = reader.answer(waiting.pop(0))
            yield result
            paths = attachment_paths(result.task.path, [item.name for item in result.attached])
            waiting[:0] = [
                replace(result.task, path=path, route=(*result.task.route, position))
                for position, path in enumerate(paths)
            ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass


class _InlineReader(Reader):
    def __init__(self, limits: Limits, known: Container[str]) -> None:
        super().__init__(parsers, limits, io.BytesIO(), io.BytesIO())
        self._known = known
        self._read: set[str] = set()

    def arm(self) -> None:
        """No process to end."""

    def worth_parsing(self, found: ParseResult) -> bool:
        worth = found.content_hash not in self._known and found.content_hash not in self._read
        self._read.add(found.content_hash)
        return worth


@contextmanager
def ledger_left_open() -> Iterator[None]:
    """Keep the database open, and its schema looked at, between transactions: both are half of a small night's work."""
    opened: dict[Path, duckdb.DuckDBPyConnection] = {}
    open_it, migrate = connection._opened, connection.migrate

    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:

        @contextmanager
        def kept(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
            if path not in opened:
                con = stack.enter_context(open_it(path))
                con.execute("set threads = 1")  # a few rows each: handing them to a second thread costs more
                migrate(con)
                opened[path] = con
            yield opened[path]

        patch.setattr(connection, "_opened", kept)
        patch.setattr(connection, "migrate", lambda _: None)
        yield
