"""Reads one publication of the index with lance alone (1 s to import; lancedb takes 4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.errors import Broken, Refused
from resources import lance_log  # noqa: F401  (before lance is imported)
from resources.published import Published, read_published
from resources.rows import row_schema, rows_of

if TYPE_CHECKING:
    import lance

Row = dict[str, Any]
Part = Literal["live", "retired"]

COLUMNS = tuple(row_schema(1).names)
# Lists looked through, and how many times k is compared exactly: .98 of the true neighbours (storage.md section 2b).
_PROBES, _REFINE = 20, 10


class IndexReader:
    """The rows of one publication: the current one, or `record` (a candidate before its gate). It never changes.

    `where` is an SQL condition over the columns, applied before the search. Rows are dicts of all columns; vector is
    a float32 array or None.
    """

    def __init__(self, folder: Path, record: Published | None = None) -> None:
        found = record or read_published(folder)
        if found is None:
            raise Refused("nothing is published yet: run `saero refresh` first")
        self.folder = folder
        self.record = found

    def vector(
        self, query_vector: npt.NDArray[np.float32], k: int, where: str | None = None, part: Part = "live"
    ) -> list[Row]:
        """Return the k nearest rows, each with its exact "cosine", best first; rows without a vector aren't found."""
        nearest = {"column": "vector", "q": query_vector, "k": k, "metric": "cosine"}
        if (dataset := self._datasets[part]) is None or not k:
            return []
        if any(index.name == "vector_idx" for index in dataset.describe_indices()):
            nearest |= {"nprobes": _PROBES, "refine_factor": _REFINE}
        found = dataset.scanner(
            columns=[*COLUMNS, "_distance"], nearest=nearest, filter=where, prefilter=True
        ).to_table()
        distances = found["_distance"].to_pylist()
        rows = rows_of(found.drop_columns(["_distance"]))
        return [row | {"cosine": 1.0 - distance} for row, distance in zip(rows, distances, strict=True)]

    def full_text(self, query_tokens: str, k: int, where: str | None = None, part: Part = "live") -> list[Row]:
        """Return the k best rows by full text, each with its "bm25", best first (query_terms of pipelines.tokens)."""
        if (dataset := self._datasets[part]) is None or not k or not query_tokens.strip():
            return []
        found = dataset.scanner(
            columns=[*COLUMNS, "_score"],
            full_text_query={"query": query_tokens, "columns": ["tokens"]},
            filter=where,
            prefilter=True,
            limit=k,
        ).to_table()
        scores = found["_score"].to_pylist()
        rows = rows_of(found.drop_columns(["_score"]))
        return [row | {"bm25": score} for row, score in zip(rows, scores, strict=True)]

    def rows(self, chunk_ids: Sequence[str], part: Part = "live") -> list[Row]:
        """Return the rows of these chunks that are there, in the order of `chunk_ids`."""
        if not chunk_ids:
            return []
        names = ", ".join("'" + one.replace("'", "''") + "'" for one in chunk_ids)
        found = {row["chunk_id"]: row for row in self.get(f"chunk_id in ({names})", part)}
        return [found[one] for one in chunk_ids if one in found]

    def get(self, where: str | None = None, part: Part = "live", columns: Sequence[str] = COLUMNS) -> list[Row]:
        """Return every row under `where`."""
        if (dataset := self._datasets[part]) is None:
            return []
        return rows_of(dataset.to_table(columns=list(columns), filter=where))

    def count(self, where: str | None = None, part: Part = "live") -> int:
        """Count the rows under `where`."""
        dataset = self._datasets[part]
        return 0 if dataset is None else int(dataset.count_rows(filter=where))

    @cached_property
    def _datasets(self) -> dict[Part, lance.LanceDataset | None]:
        return {
            "live": self._open(self.record.table, self.record.version),
            "retired": self._open(self.record.retired_table, self.record.retired_version),
        }

    def _open(self, table: str, version: int) -> lance.LanceDataset | None:
        if not version:
            return None
        import lance

        try:
            return lance.dataset(str(self.folder / f"{table}.lance"), version=version)
        except ValueError as error:
            raise Broken(
                f"the published version {version} of {table} is missing from {self.folder}: "
                "run `saero refresh --publish` (it refills the index from the ledger)"
            ) from error
