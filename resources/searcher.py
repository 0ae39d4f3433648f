"""Asks the index: one or more questions in, a ranking out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pipelines.grammar import conditions, read
from pipelines.score import calibration_for
from pipelines.script import LETTERS_PER_PIECE, is_english, latin_words
from pipelines.search import POOL, Query, Ranking, Wanted, condition, merge_pool, rank, score_pair
from resources.calibrations import published_calibration

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from resources.reader import IndexReader, Part

Row = dict[str, Any]
Include = Literal["superseded", "expired"]


class EmbedsQueries(Protocol):
    """What a searcher needs of an encoder."""

    @property
    def encoder_id(self) -> str:
        """Must equal the index's, or the vectors don't compare."""

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """Return one unit vector."""

    def pieces(self, words: Sequence[str]) -> int:
        """Count the pieces of the model's vocabulary that make these words."""


class Searcher:
    """Searches one publication. Without an encoder, or with one of another id, only words are compared.

    Questions may say what passages must have and where they come from (pipelines.grammar); their days begin in `zone`.
    """

    def __init__(self, reader: IndexReader, encoder: EmbedsQueries | None, zone: tzinfo = UTC) -> None:
        self.reader = reader
        self._zone = zone
        self.has_vectors = encoder is not None and encoder.encoder_id == reader.record.encoder
        self._encoder = encoder if self.has_vectors else None
        self.calibration = published_calibration(reader.record) if self.has_vectors else calibration_for("")

    def query(self, text: str, *, with_vector: bool = True) -> Query:
        """Return the question with its words and, when vectors are compared, its vector."""
        text = read(text).words
        if self._encoder is None or not with_vector:
            return Query.of(text)
        vector = self._encoder.embed_query(text)
        return Query.of(text, vector, legible=self._is_legible(text, self._encoder))

    def _is_legible(self, text: str, encoder: EmbedsQueries) -> bool:
        if self.calibration.foreign is None or not is_english(text):
            return True
        words = latin_words(text)
        return sum(map(len, words)) >= LETTERS_PER_PIECE * encoder.pieces(words)

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
            asked_for = conditions(read(text), self._zone)
            pools.append((query, self._pool(query, now, wanted, sources, include, asked_for)))
        chunks = self.reader.count()
        return rank(pools, self.calibration, chunks, now, wanted)

    def pair_score(self, query: Query, row: Row) -> float:
        """Return the absolute score of one question and one passage."""
        return score_pair(query, row, self.calibration)

    def _pool(
        self,
        query: Query,
        now: datetime,
        wanted: Wanted,
        sources: Sequence[str],
        include: Sequence[Include],
        asked_for: Sequence[str],
    ) -> list[Row]:
        where = _both(self._where(now, wanted, sources, "live"), asked_for)
        pool = self._draw(query, where, wanted, "live")
        if include:
            states = " or ".join(f"flags like '%\"{state}\"%'" for state in include)
            where = _both(self._where(now, wanted, sources, "retired"), asked_for)
            pool += self._draw(query, f"{where} and ({states})", wanted, "retired")
        return pool

    def _where(self, now: datetime, wanted: Wanted, sources: Sequence[str], part: Part) -> str:
        return condition(now, sources, wanted.expired_too or not self.reader.may_be_expired(now, part))

    def _draw(self, query: Query, where: str, wanted: Wanted, part: Part) -> list[Row]:
        words = "" if wanted.mode == "vector" else query.words
        return merge_pool(query, *self.reader.draw(query.vector, words, POOL, where, part))


def _both(where: str, asked_for: Sequence[str]) -> str:
    """Join conditions; "true" alone stays as it is, which the reader knows as none."""
    if not asked_for:
        return where
    return " and ".join([*([] if where == "true" else [where]), *asked_for])
