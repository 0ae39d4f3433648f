"""Asks the index: one or more questions in, a ranking out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pipelines.score import calibration_for, coverage
from pipelines.search import POOL, Query, Ranking, Wanted, condition, contains_exactly, merge_pool, rank
from pipelines.tokens import query_terms

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from resources.reader import IndexReader

Row = dict[str, Any]
Include = Literal["superseded", "expired"]


class EmbedsQueries(Protocol):
    """What a searcher needs of an encoder."""

    @property
    def encoder_id(self) -> str:
        """Must equal the index's, or the vectors don't compare."""

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Return one unit vector."""


class Searcher:
    """Searches one publication. Without an encoder, or with one of another id, only words are compared."""

    def __init__(self, reader: IndexReader, encoder: EmbedsQueries | None) -> None:
        self.reader = reader
        self.has_vectors = encoder is not None and encoder.encoder_id == reader.record.encoder
        self._encoder = encoder if self.has_vectors else None
        self.calibration = calibration_for(reader.record.encoder if self.has_vectors else "")

    def query(self, text: str, *, with_vector: bool = True) -> Query:
        """Return the question with its words and, when vectors are compared, its vector."""
        vector = self._encoder.embed_query(text) if self._encoder is not None and with_vector else None
        return Query(text, query_terms(text), vector)

    def search(
        self,
        texts: Sequence[str],
        *,
        now: datetime,
        wanted: Wanted,
        sources: Sequence[str] = (),
        include: Sequence[Include] = (),
    ) -> Ranking:
        """Rank the passages that answer any of `texts`; the pool is fixed, so the top 3 begin the top 5."""
        mode = wanted.mode if self.has_vectors else "text"
        wanted = replace(wanted, mode=mode, expired_too=wanted.expired_too or "expired" in include)
        pools = []
        for text in texts:
            query = self.query(text, with_vector=mode != "text")
            pools.append((query, self._pool(query, now, wanted, sources, include)))
        chunks = self.reader.count()
        return rank(pools, self.calibration, chunks, now, wanted)

    def pair_score(self, query: Query, row: Row) -> float:
        """Return the absolute score of one question and one passage."""
        cosine = None
        if query.vector is not None and row.get("vector") is not None:
            cosine = float(row["vector"] @ query.vector)
        exact = contains_exactly(query.text, "\n".join([*(row["heading"] or ()), row["text"]]))
        return self.calibration.pair_score(cosine, coverage(query.terms, row["tokens"]), exact)

    def _pool(
        self, query: Query, now: datetime, wanted: Wanted, sources: Sequence[str], include: Sequence[Include]
    ) -> list[Row]:
        where = condition(now, sources, wanted.expired_too)
        pool = self._draw(query, where, wanted, "live")
        if include:
            states = " or ".join(f"flags like '%\"{state}\"%'" for state in include)
            pool += self._draw(query, f"{where} and ({states})", wanted, "retired")
        return pool

    def _draw(self, query: Query, where: str, wanted: Wanted, part: Literal["live", "retired"]) -> list[Row]:
        near: list[Row] = []
        if query.vector is not None:
            near = self.reader.vector(query.vector, POOL, where, part)
        words = " ".join(term for term, _ in query.terms)
        found = [] if wanted.mode == "vector" else self.reader.full_text(words, POOL, where, part)
        return merge_pool(query, near, found)
