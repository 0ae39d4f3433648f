"""The rankings that are compared: each turns one question into documents, best first, over the same index.

BM25, vector and RRF look at the same two lists of 50 that ours does; LanceDB's own hybrid is asked as its manual says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from pipelines.score import Calibration
from pipelines.search import POOL, Query, Wanted, merge_pool, rank
from resources.reader import IndexReader

Row = Mapping[str, Any]
Documents = list[str]
# Cormack, Clarke and Buettcher 2009, and the default of every library.
RRF_K = 60
# Passages that are looked at, enough for ten documents.
DEPTH = 20
NOW = datetime(2026, 11, 30, tzinfo=UTC)

BM25, VECTOR, RRF, LANCEDB, OURS = "BM25", "vector", "RRF k=60", "LanceDB hybrid", "ours"


class Rankings:
    """Every ranking over one index. `key` names the document that a row belongs to."""

    def __init__(self, reader: IndexReader, calibration: Calibration, key: Callable[[Row], str]) -> None:
        self._reader = reader
        self._calibration = calibration
        self._key = key
        self._chunks = reader.count()
        self.unsteady = 0  # questions whose top 3 or top 5 don't begin the next longer list

    def ask(self, query: Query) -> dict[str, Documents]:
        """Return ranking -> documents, best first."""
        words = " ".join(term for term, _ in query.terms)
        near, hits = self._reader.draw(query.vector, words, POOL)
        # Other notations of amounts and days are ours alone to look for.
        ours = self._reader.draw(query.vector, query.words, POOL) if query.others else (near, hits)
        return {
            BM25: self._documents(hits),
            VECTOR: self._documents(near),
            RRF: self._documents(fused(near, hits)),
            LANCEDB: self._documents(self._lancedb(query, words)),
            OURS: self._ours(query, *ours),
        }

    def _ours(self, query: Query, near: Sequence[Row], hits: Sequence[Row]) -> Documents:
        pool = merge_pool(query, near, hits)
        lists = [[one.row for one in self._rank(query, pool, top_k).results] for top_k in (3, 5, DEPTH)]
        self.unsteady += any(longer[: len(shorter)] != shorter for shorter, longer in pairwise(map(_ids, lists)))
        return self._documents(lists[-1])

    def _rank(self, query: Query, pool: Sequence[Row], top_k: int) -> Any:
        return rank([(query, pool)], self._calibration, self._chunks, NOW, Wanted(top_k=top_k, weak_too=True))

    def _lancedb(self, query: Query, words: str) -> list[Row]:
        from lancedb.rerankers import RRFReranker

        search = self._table.search(query_type="hybrid", vector_column_name="vector", fts_columns="tokens")
        rows: list[Row] = (
            search.vector(query.vector)
            .text(words)
            .distance_type("cosine")
            .rerank(RRFReranker())
            .select(["chunk_id", "source", "path", "also_in"])
            .limit(DEPTH)
            .to_list()
        )
        return rows

    @property
    def _table(self) -> Any:
        if "opened" not in self.__dict__:
            import lancedb

            self.opened = lancedb.connect(str(self._reader.folder)).open_table(self._reader.record.table)
        return self.opened

    def _documents(self, rows: Sequence[Row]) -> Documents:
        return list(dict.fromkeys(self._key(row) for row in rows))


def _ids(rows: Sequence[Row]) -> list[str]:
    return [row["chunk_id"] for row in rows]


def fused(*lists: Sequence[Row]) -> list[Row]:
    """Return the rows of all lists by reciprocal rank fusion."""
    rows = {row["chunk_id"]: row for found in lists for row in found}
    sums = dict.fromkeys(rows, 0.0)
    for found in lists:
        for rank_, row in enumerate(found, start=1):
            sums[row["chunk_id"]] += 1 / (RRF_K + rank_)
    return [rows[one] for one in sorted(sums, key=lambda one: (-sums[one], one))]
