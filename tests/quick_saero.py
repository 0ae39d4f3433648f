"""The real command line with a stand-in encoder: `python tests/quick_saero.py refresh`, as `saero refresh`.

Processes, signals, locks, Dagster, ledger and index are the real ones; only the model, which takes half a minute to
start, gives way to counted letter pairs. Two variables make the work last, so that a test can interrupt it:

    QUICK_PARSE  seconds a document
    QUICK_EMBED  seconds a passage
"""

from __future__ import annotations

import itertools
import os
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from pipelines.records import Limits, Parsed

DIMENSION = 384


class QuickEncoder:
    """Encodes passages and queries alike: a text's counted letter pairs, hashed to 384 places."""

    tokenizer_id = "pairs"
    dimension = DIMENSION
    max_tokens = 512

    def __init__(self, model: str, models: Path) -> None:
        from resources.model import encoder_identity

        self.encoder_id = encoder_identity(model, models)  # the real one's: status and doctor compare it

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 2 + 3 for text in texts]

    def embed_passages(
        self, texts: Sequence[str], on_batch: Callable[[int, int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        rows = []
        for done, text in enumerate(texts, 1):
            time.sleep(float(os.environ.get("QUICK_EMBED", 0)))
            rows.append(self.embed_query(text))
            if on_batch is not None:
                on_batch(done, len(texts))
        return np.stack(rows)

    def pieces(self, words: Sequence[str]) -> int:
        return len(words)

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        vector = np.ones(DIMENSION, np.float32)
        for pair in itertools.pairwise(text):
            vector[zlib.crc32("".join(pair).encode("utf-8", "replace")) % DIMENSION] += 4
        return vector / np.float32(np.linalg.norm(vector))


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Parse as ever, after a pause; the parser processes import this module."""
    from pipelines import parsers

    time.sleep(float(os.environ.get("QUICK_PARSE", 0)))
    return parsers.parse(file, name, limits)


def main() -> None:
    """Put the stand-in in place of both encoders and run the command line."""
    from resources import encoder, workers
    from saero.cli import main as command_line

    encoder.Encoder = encoder.QueryEncoder = QuickEncoder  # type: ignore[assignment,misc]
    if "QUICK_PARSE" in os.environ:
        workers.WorkerPool.__init__.__kwdefaults__["parser"] = "quick_saero"  # type: ignore[index]
    command_line()


if __name__ == "__main__":
    main()
