"""Reads one publication of the index with lance alone (1 s to import; lancedb takes 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from pipelines.errors import Broken, Refused
from resources import lance_log  # noqa: F401  (before lance is imported)
from resources.published import Published, read_published
from resources.rows import row_schema, rows_of

if TYPE_CHECKING:
    import lance
    import pyarrow as pa

Row = dict[str, Any]
Part = Literal["live", "retired"]

COLUMNS = tuple(row_schema(1).names)
# What ranking and showing need; each column more costs half a millisecond a query.
SEARCH_COLUMNS = tuple(n for n in COLUMNS if n not in ("row_hash", "clock", "encoder_id", "ordinal", "n_tokens"))
# One list in so many rows is looked through at least, 60 % of all, and twice k are compared exactly: .99 of the 50
# nearest at 100,000 and 500,000 rows, where 20 lists found .96 and .82; four times k found none more
# (benchmarks/retrieval/ann.py).
_ROWS_A_PROBE, _REFINE = 2_500, 2
# More than any table has; within 80 of 100,000 rows the lists that held k rows held .87 of the nearest.
_ALL_LISTS = 1_000_000
# What stands in a condition that has to read every text (pipelines/grammar.py), and how many rows it may leave to be
# named one by one.
_READS_TEXTS, _LISTED = "regexp_like(", 2_000
# Rows of an earlier query that are kept, about 3 KB each.
_KEPT_ROWS = 2_000

# What Lance says of a file that ends too early.
_TORN = ("fill whole buffer", "out of range", "unexpected end", "unexpected eof", "truncated", "too small")

Read = TypeVar("Read", bound=Callable[..., Any])


def _told_when_damaged(read: Read) -> Read:
    """Raise Broken where Lance can't read its files; it raises OSError, ValueError or RuntimeError for it."""

    @wraps(read)
    def told(reader: IndexReader, *args: Any, **named: Any) -> Any:
        try:
            return read(reader, *args, **named)
        except (OSError, ValueError, RuntimeError) as error:
            said = str(error)
            if not isinstance(error, OSError) and "lance" not in said.lower():
                raise
            why = said.partition("\n")[0].partition(", /")[0][:160]  # its own source lines follow
            torn = any(word in said.lower() for word in _TORN)
            what = (
                "a file there is cut off, as it happens when the disk is full: free some space, then " if torn else ""
            )
            raise Broken(f"{reader.folder} can't be read ({why}): {what}run `saero refresh`, which mends it") from error

    return cast(Read, told)


class IndexReader:
    """The rows of one publication: the current one, or `record` (a candidate before its gate). It never changes.

    `where` is an SQL condition over the columns, applied before the search. Rows are dicts of the columns (of
    SEARCH_COLUMNS when searched); vector is a float32 array or None. The reader keeps rows: change none.
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
        return self.draw(query_vector, "", k, where, part)[0]

    def full_text(self, query_tokens: str, k: int, where: str | None = None, part: Part = "live") -> list[Row]:
        """Return the k best rows by full text, each with its "bm25", best first (query_terms of pipelines.tokens)."""
        return self.draw(None, query_tokens, k, where, part)[1]

    @_told_when_damaged
    def draw(
        self,
        query_vector: npt.NDArray[np.float32] | None,
        query_tokens: str,
        k: int,
        where: str | None = None,
        part: Part = "live",
    ) -> tuple[list[Row], list[Row]]:
        """Return both sides of a search, vector and full_text: asked side by side, their rows read at once.

        A second reading of rows costs 5 ms of CPU, as much as a full-text query.
        """
        condition = None if where == "true" else where  # "true" would make Lance look at every row
        if condition is not None and _READS_TEXTS in condition:
            condition = self._narrowed(condition, part)
        with ThreadPoolExecutor(1) as beside:
            asked = beside.submit(self._hits, query_tokens, k, condition, part)
            near = self._near(query_vector, k, condition, part)
            hits = asked.result()
        rows = self._take(part, [*near, *hits])
        return (
            [rows[one] | {"cosine": cosine} for one, cosine in near.items()],
            [rows[one] | {"bm25": score} for one, score in hits.items()],
        )

    @_told_when_damaged
    def may_be_expired(self, now: datetime, part: Part = "live") -> bool:
        """Tell whether any row's time is up; when none's is, a search needs no condition on it (12 of 40 ms)."""
        earliest = self._earliest_expiry[part]
        return earliest is not None and earliest <= now

    def rows(self, chunk_ids: Sequence[str], part: Part = "live") -> list[Row]:
        """Return the rows of these chunks that are there, in the order of `chunk_ids`."""
        if not chunk_ids:
            return []
        names = ", ".join("'" + one.replace("'", "''") + "'" for one in chunk_ids)
        found = {row["chunk_id"]: row for row in self.get(f"chunk_id in ({names})", part)}
        return [found[one] for one in chunk_ids if one in found]

    @_told_when_damaged
    def get(self, where: str | None = None, part: Part = "live", columns: Sequence[str] = COLUMNS) -> list[Row]:
        """Return every row under `where`."""
        if (dataset := self._datasets[part]) is None:
            return []
        return rows_of(dataset.to_table(columns=list(columns), filter=where))

    @_told_when_damaged
    def ids(self) -> pa.Table:
        """Return the chunk_id column of the live rows."""
        if (dataset := self._datasets["live"]) is None:
            return row_schema(1).empty_table().select(["chunk_id"])
        return dataset.to_table(columns=["chunk_id"])

    @_told_when_damaged
    def count(self, where: str | None = None, part: Part = "live") -> int:
        """Count the rows under `where`."""
        dataset = self._datasets[part]
        return 0 if dataset is None else int(dataset.count_rows(filter=where))

    def _narrowed(self, condition: str, part: Part) -> str:
        """Look for the few rows under a condition once for both sides: reading 100,000 texts takes .35 s of CPU."""
        dataset = self._datasets[part]
        if dataset is None:
            return condition
        found = dataset.scanner(columns=[], with_row_id=True, filter=condition, limit=_LISTED + 1).to_table()
        listed = ", ".join(map(str, found["_rowid"].to_pylist()))
        if found.num_rows > _LISTED:
            return condition
        return f"_rowid in ({listed})" if listed else "false"

    def _near(
        self, query_vector: npt.NDArray[np.float32] | None, k: int, condition: str | None, part: Part
    ) -> dict[int, float]:
        """Return row id -> cosine, nearest first."""
        dataset = self._datasets[part]
        if dataset is None or query_vector is None or not k:
            return {}
        nearest = {"column": "vector", "q": query_vector, "k": k, "metric": "cosine"}
        if any(index.name == "vector_idx" for index in dataset.describe_indices()):
            # The k that few rows under a condition leave to find stand in any list.
            lists = max(20, dataset.count_rows() // _ROWS_A_PROBE) if condition is None else _ALL_LISTS
            nearest |= {"minimum_nprobes": lists, "refine_factor": _REFINE}
        found = dataset.scanner(
            columns=["_distance"], with_row_id=True, nearest=nearest, filter=condition, prefilter=True
        ).to_table()
        cosines = [1.0 - distance for distance in found["_distance"].to_pylist()]
        return dict(zip(found["_rowid"].to_pylist(), cosines, strict=True))

    def _hits(self, query_tokens: str, k: int, condition: str | None, part: Part) -> dict[int, float]:
        """Return row id -> BM25, best first."""
        dataset = self._datasets[part]
        if dataset is None or not query_tokens.strip() or not k:
            return {}
        found = dataset.scanner(
            columns=["_score"],
            with_row_id=True,
            full_text_query={"query": query_tokens, "columns": ["tokens"]},
            filter=condition,
            prefilter=True,
            limit=k,
        ).to_table()
        return dict(zip(found["_rowid"].to_pylist(), found["_score"].to_pylist(), strict=True))

    def _take(self, part: Part, row_ids: Sequence[int]) -> dict[int, Row]:
        """Return row id -> row; rows are kept, as canaries and near questions find many of the same."""
        known = self._known[part]
        if len(known) > _KEPT_ROWS:
            known.clear()
        missing = sorted({one for one in row_ids if one not in known})
        dataset = self._datasets[part]
        if missing and dataset is not None:
            listed = ", ".join(map(str, missing))
            found = dataset.scanner(
                columns=list(SEARCH_COLUMNS), with_row_id=True, filter=f"_rowid in ({listed})"
            ).to_table()
            known.update(zip(found["_rowid"].to_pylist(), rows_of(found.drop_columns(["_rowid"])), strict=True))
        return known

    @cached_property
    def _known(self) -> dict[Part, dict[int, Row]]:
        return {"live": {}, "retired": {}}

    @cached_property
    def _earliest_expiry(self) -> dict[Part, datetime | None]:
        """The first moment at which a row of each part expires."""
        earliest: dict[Part, datetime | None] = {}
        for part, dataset in self._datasets.items():
            found = None
            if dataset is not None:
                column = dataset.to_table(columns=["expires_at"], filter="expires_at is not null")["expires_at"]
                found = pc.min(column).as_py()
            earliest[part] = found
        return earliest

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
