"""Vectors of the bundled encoder, kept by the text they are of, so that a benchmark encodes each text once."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from resources.encoder import Encoder, QueryEncoder
from resources.model import BUNDLED

PROJECT = Path(__file__).resolve().parents[2]
# Not in the repository: .saero is nobody's but this machine's.
STATE = PROJECT / ".saero"
CACHE = STATE / "bench"
# Texts between two commits: half a minute of work, so that an interrupted run goes on.
_PART = 64

Vectors = npt.NDArray[np.float32]


def make_cache(folder: Path = CACHE) -> None:
    """Make the folder of what benchmarks keep; the state around it is its owner's alone, whoever makes it first."""
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.mkdir(exist_ok=True)


class CachedEncoder:
    """The bundled encoder of passages and the one of queries, with what they said before."""

    def __init__(self, cache: Path = CACHE) -> None:
        self.batch = Encoder(BUNDLED, STATE / "models")
        self._query = QueryEncoder(BUNDLED, STATE / "models")
        self._cache = cache

    @property
    def encoder_id(self) -> str:
        return self.batch.encoder_id

    def embed_query(self, text: str) -> Vectors:
        """Return one unit vector."""
        vector: Vectors = self.queries([text])[0]
        return vector

    def pieces(self, words: Sequence[str]) -> int:
        """Count the pieces of the model's vocabulary that make these words."""
        return self._query.pieces(words)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return (n, 384) unit rows in the order of `texts`."""
        return self._get("passage", texts, self.batch.embed_passages)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return (n, 384) unit rows in the order of `texts`."""
        return self._get("query", texts, lambda part: np.stack([self._query.embed_query(text) for text in part]))

    def _get(self, kind: str, texts: Sequence[str], embed: Callable[[list[str]], Vectors]) -> Vectors:
        make_cache(self._cache)
        keys = [hashlib.sha256(f"{self.encoder_id}\0{kind}\0{text}".encode()).hexdigest() for text in texts]
        with sqlite3.connect(self._cache / "vectors.sqlite", timeout=60) as con:
            con.execute("create table if not exists vectors (key text primary key, numbers blob)")
            known = dict(
                con.execute(
                    "select key, numbers from vectors where key in (select value from json_each(?))", (_json(keys),)
                )
            )
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            # Of like length side by side, as the batch encoder likes them.
            waiting = sorted(missing, key=lambda key: -len(missing[key]))
            for start in range(0, len(waiting), _PART):
                part = waiting[start : start + _PART]
                made = {
                    key: one.tobytes() for key, one in zip(part, embed([missing[key] for key in part]), strict=True)
                }
                con.executemany("insert or replace into vectors values (?, ?)", made.items())
                con.commit()
                known |= made
                if len(waiting) > _PART:
                    print(f"encoded {start + len(part)} of {len(waiting)} {kind} texts", file=sys.stderr)
        return np.stack([np.frombuffer(known[key], np.float32) for key in keys])


def _json(keys: Sequence[str]) -> str:
    return "[" + ",".join(f'"{key}"' for key in keys) + "]"
