"""One Lance table of rows, written by one process at a time (the refresh lock)."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Container, Iterator, Sequence
from datetime import timedelta
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.errors import Broken
from resources import lance_log  # noqa: F401  (before lance is imported)
from resources.files import full, no_room
from resources.rows import row_schema, rows_of, rows_table

if TYPE_CHECKING:
    import lance
    import lancedb

# What a table's folder is called while it is removed.
GONE = ".gone"
# Rows of one commit: single-row commits cost 14 ms each and a fragment (research/storage.md section 2a).
BATCH = 20_000
# Below, every vector is compared: exact, and fast enough (9 ms at 2,000 rows, about 100 ms at 20,000).
ANN_FROM = 20_000
# IVF_SQ found .96 of the true neighbours with 64 lists at 100,000 rows; PQ and RQ found .38 (section 2b).
_ROWS_A_LIST = 1_500
# Lists are made anew when as many rows came as they were made from. Rows of topics that no list was made for cost no
# recall (.994 and .992 of the 50 nearest, .989 and .985 before) but longer lists: 50,000 rows and 100,000 of other
# topics took 12.9 ms a query, 9.3 with new lists (benchmarks/retrieval/ann.py).
_GROWTH = 1.0

# The columns of a row that name documents, and what says how they may stay (None: the row must leave).
NAMING = ("source", "path", "also_in", "flags")
Kept = Callable[[dict[str, Any]], dict[str, Any] | None]
# Makes rows by their ids from the ledger, those that it has.
Anew = Callable[[Sequence[str]], list[dict[str, Any]]]
Write = TypeVar("Write", bound=Callable[..., Any])


def _told_when_full(write: Write) -> Write:
    """Raise TryAgain where Lance finds no room; it raises OSError, RuntimeError or ValueError for it."""

    @wraps(write)
    def told(table: RowTable, *args: Any, **named: Any) -> Any:
        try:
            return write(table, *args, **named)
        except (OSError, RuntimeError, ValueError) as error:
            if not no_room(error):
                raise
            raise full(table.path) from error

    return cast(Write, told)


class RowTable:
    """The table `name` under the LanceDB folder; created when the first rows are written."""

    def __init__(self, folder: Path, name: str, dimension: int) -> None:
        self.folder = folder
        self.name = name
        self.dimension = dimension

    @property
    def path(self) -> Path:
        return self.folder / f"{self.name}.lance"

    @property
    def exists(self) -> bool:
        """False too for a folder that a killed run left without any version."""
        try:
            return any((self.path / "_versions").iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return False

    def damage(self) -> str | None:
        """Return why the head can't be read, None when its rows and indices can; the ledger has all to make it anew."""
        try:
            self.keys()
            dataset = self.dataset()
            for name in _index_names(dataset):
                dataset.stats.index_stats(name)
        except PermissionError:
            raise
        except (OSError, RuntimeError, ValueError) as error:  # Lance raises any of them
            return str(error).splitlines()[0][:200]
        return None

    @property
    def version(self) -> int:
        """The head's version; 0 when the table doesn't exist."""
        return int(self.dataset().version) if self.exists else 0

    def has(self, version: int) -> bool:
        """Tell whether `version` can be opened."""
        try:
            return self.exists and self.dataset(version) is not None
        except ValueError:
            return False

    def count(self) -> int:
        return int(self.dataset().count_rows()) if self.exists else 0

    def dataset(self, version: int | None = None) -> lance.LanceDataset:
        """Open the head, or `version`, with lance alone."""
        import lance

        return lance.dataset(str(self.path), version=version)

    def keys(self) -> pa.Table:
        """Return chunk_id and row_hash of the head: what is really there."""
        columns = ["chunk_id", "row_hash"]
        if not self.exists:
            return row_schema(self.dimension).empty_table().select(columns)
        return self.dataset().to_table(columns=columns)

    def vectors(self) -> Iterator[tuple[list[str], np.ndarray[Any, Any]]]:
        """Yield (chunk hashes, vectors: rows x dimension, float32) of the head's rows that have one, batch by batch."""
        if not self.exists:
            return
        for batch in self.dataset().to_batches(columns=["chunk_hash", "vector"], filter="vector is not null"):
            if batch.num_rows:
                flat = batch.column("vector").flatten().to_numpy(zero_copy_only=False)
                yield batch.column("chunk_hash").to_pylist(), flat.astype(np.float32).reshape(-1, self.dimension)

    def of_other_bodies(self, version: int, kept: Container[str]) -> list[str]:
        """Return the chunk ids of `version` whose body isn't one of `kept`."""
        table = self.dataset(version).to_table(columns=["chunk_id", "body_hash"])
        pairs = zip(table["chunk_id"].to_pylist(), table["body_hash"].to_pylist(), strict=True)
        return [chunk_id for chunk_id, body in pairs if body not in kept]

    @_told_when_full
    def apply(self, upserts: pa.Table, delete_ids: Sequence[str] = ()) -> None:
        """Write rows and delete others, up to BATCH of each in one commit.

        Lance inserts a key that stands twice in one call twice, in silence: that raises Broken here.
        """
        if pc.count_distinct(upserts["chunk_id"]).as_py() != upserts.num_rows:
            raise Broken("two rows of one chunk_id were to be written: the run made the same chunk twice")
        for rows, gone in _batches(upserts, delete_ids):
            if rows.num_rows:
                self._merge(rows, gone)
            elif self.exists:
                self._table.delete(_in(gone))

    @_told_when_full
    def optimize(self) -> None:
        """Bring the indices up to date and compact; makes no version when nothing has changed."""
        if not self.count():
            return
        self._create_indices()
        for name in _index_names(self.dataset()):
            self._update_index(name)
        # Last: fragments are only joined when the same indices cover them.
        self.dataset().optimize.compact_files()

    @_told_when_full
    def rename(self, kept: Kept, anew: Anew) -> None:
        """Write what `kept` makes of the places that rows name, and `anew` what may not stand as it is.

        The next comparison finds such rows changed.
        """
        rows = self.dataset().to_table(columns=["chunk_id", *NAMING]).to_pylist()
        after = [(row["chunk_id"], kept({name: row[name] for name in NAMING})) for row in rows]
        changed = {
            key: one for (key, one), row in zip(after, rows, strict=True) if one and one["flags"] != row["flags"]
        }
        leaving = [key for key, one in after if one is None]
        for start in range(0, len(leaving), BATCH):
            gone = leaving[start : start + BATCH]
            self.apply(rows_table([], self.dimension), gone)
            self.apply(rows_table([row | {"row_hash": ""} for row in anew(gone)], self.dimension))
        for start in range(0, len(changed), BATCH):
            names = list(changed)[start : start + BATCH]
            found = rows_of(self.dataset().to_table(filter=_in(names)))
            made = [{**row, **changed[row["chunk_id"]], "row_hash": ""} for row in found]
            self.apply(rows_table(made, self.dimension))

    @_told_when_full
    def shed(self) -> None:
        """Write the files anew that hold deleted rows, and every index; older versions go on naming the old ones.

        Compaction as `optimize` does it leaves files whose rows were deleted, and indices keep their words and numbers.
        """
        self.dataset().optimize.compact_files(materialize_deletions=True, materialize_deletions_threshold=0.0)
        for name in _index_names(self.dataset()):
            self._table.drop_index(name)
        self._create_indices()

    @_told_when_full
    def restore(self, version: int) -> None:
        """Make the rows of `version` the head again, as a new version; nothing is done when they are."""
        if self.version != version:
            self.dataset(version).restore()

    @_told_when_full
    def tag(self, name: str, version: int | None) -> None:
        """Let `name` protect `version` from clean-up, or nothing."""
        tags = self.dataset().tags
        known = tags.list()
        if version is None:
            if name in known:
                tags.delete(name)
        elif name not in known:
            tags.create(name, version)
        elif known[name]["version"] != version:
            tags.update(name, version)

    @_told_when_full
    def cleanup(self, older_than: timedelta, *, leftovers: bool = False) -> None:
        """Remove the files of untagged versions older than `older_than` (a reader may hold one: an hour at least).

        leftovers  also young files that no version names: nobody else may write then
        """
        self.dataset().cleanup_old_versions(
            older_than=older_than, delete_unverified=leftovers, error_if_tagged_old_versions=False
        )

    @_told_when_full
    def remove(self) -> None:
        """Remove the table; a kill in the middle leaves no half of it under its name."""
        aside = self.path.with_suffix(GONE)
        shutil.rmtree(aside, ignore_errors=True)
        self.path.rename(aside)
        shutil.rmtree(aside)

    @cached_property
    def _database(self) -> lancedb.DBConnection:
        import lancedb

        self.folder.mkdir(parents=True, exist_ok=True)
        return lancedb.connect(str(self.folder))

    @property
    def _table(self) -> Any:
        if self.exists:
            return self._database.open_table(self.name)
        return self._database.create_table(self.name, schema=row_schema(self.dimension))

    def _merge(self, rows: pa.Table, gone: Sequence[str]) -> None:
        merge = self._table.merge_insert("chunk_id").when_matched_update_all().when_not_matched_insert_all()
        if gone:
            merge = merge.when_not_matched_by_source_delete(_in(gone))
        # "null" because lancedb calls a missing vector a bad one; NaN and lengths are checked before.
        merge.execute(rows, on_bad_vectors="null")

    def _create_indices(self) -> None:
        """Create what is missing: full text after the first load (on an empty table it stays empty), vectors late."""
        from lancedb.index import FTS, Bitmap

        dataset = self.dataset()
        names = _index_names(dataset)
        if "tokens_idx" not in names:
            # The column holds finished tokens (pipelines/tokens.py): nothing is to be changed or dropped here.
            as_is = {"lower_case": False, "stem": False, "remove_stop_words": False, "ascii_folding": False}
            self._table.create_index("tokens", config=FTS(base_tokenizer="whitespace", max_token_length=None, **as_is))
        if "source_idx" not in names:
            self._table.create_index("source", config=Bitmap())  # --source reads no column: 2.6 ms for 7 at 100,000
        if "vector_idx" not in names or _has_outgrown(dataset):
            self._make_lists()

    def _make_lists(self) -> None:
        from lancedb.index import IvfSq

        rows = self.dataset().count_rows("vector is not null")
        if rows >= ANN_FROM:
            lists = max(16, rows // _ROWS_A_LIST)
            config = IvfSq(distance_type="cosine", num_partitions=lists, sample_rate=64, max_iterations=15)
            self._table.create_index("vector", config=config, replace=True)

    def _update_index(self, name: str) -> None:
        """Take new rows in: those of the vectors into one segment beside the trained one.

        Lance would add a segment a night, each of which is searched and keeps its fragment apart: after 25 nights
        of 500 rows a query took 29 ms of CPU instead of 9.
        """
        dataset = self.dataset()
        if not _unindexed(dataset, name):
            return
        apart = name == "vector_idx" and len(_segments(dataset, name)) == 1
        dataset.optimize.optimize_indices(index_names=[name], num_indices_to_merge=0 if apart else 1)


def _batches(upserts: pa.Table, delete_ids: Sequence[str]) -> Iterator[tuple[pa.Table, Sequence[str]]]:
    for start in range(0, max(upserts.num_rows, len(delete_ids)), BATCH):
        yield upserts.slice(start, BATCH), delete_ids[start : start + BATCH]


def _in(chunk_ids: Sequence[str]) -> str:
    return "chunk_id in ({})".format(", ".join("'" + one.replace("'", "''") + "'" for one in chunk_ids))


def _index_names(dataset: lance.LanceDataset) -> list[str]:
    return [index.name for index in dataset.describe_indices()]


def _segments(dataset: lance.LanceDataset, name: str) -> list[dict[str, Any]]:
    return list(dataset.stats.index_stats(name)["indices"])


def _has_outgrown(dataset: lance.LanceDataset) -> bool:
    """Tell whether more rows are outside the trained segment of the vectors than in it."""
    segments = _segments(dataset, "vector_idx")
    trained, *later = (sum(int(one["size"]) for one in segment["partitions"]) for segment in segments)
    return sum(later) + _unindexed(dataset, "vector_idx") > _GROWTH * trained


def _unindexed(dataset: lance.LanceDataset, name: str) -> int:
    return int(dataset.stats.index_stats(name)["num_unindexed_rows"])
