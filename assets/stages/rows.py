"""The rows that the index should hold: compared with its head by the ledger, made in Python only where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.index_rows import ROWS_VERSION, name_text
from pipelines.rowrules import bad_rows
from pipelines.tokens import tokens, tokens_version
from resources.build import Run
from resources.ledger import index_rows as row_store
from resources.ledger import passages
from resources.quality import facts_of
from resources.rows import rows_table

Row = dict[str, Any]
Part = Literal["live", "retired"]

# Rows made at once: with their texts and vectors about 20 MB.
BATCH = 4_000
# Names cut into morphemes between two commits.
_NAMES = 5_000


@dataclass(frozen=True, slots=True)
class DesiredRows:
    """How the heads of the tables differ from the ledger.

    compared  chunk_id, retired, row_hash and change of every row (resources.ledger.index_rows.compare_rows)
    withheld  what row rules keep out: chunk id -> reason; all of them are among the rows that differ
    places    chunk id -> (source, path) of what is withheld, and `bodies` their bodies
    facts     what the checks judge of the rows to be written (resources.quality.facts_of)
    """

    compared: pa.Table
    withheld: dict[str, str]
    places: dict[str, tuple[str, str]]
    bodies: frozenset[str]
    facts: pa.Table

    def to_write(self, part: Part) -> dict[str, str]:
        """Return chunk id -> row hash of the rows to be written, in the order of their ids."""
        hashes = _hashes(self.compared.filter(self._chosen(part, "new", "changed")))
        return {one: row_hash for one, row_hash in hashes.items() if one not in self.withheld}

    def to_delete(self, part: Part) -> list[str]:
        """Return the ids of the rows that must leave, in order."""
        spoilt = [one for one in self._ids(part, "changed") if one in self.withheld]
        return sorted(self._ids(part, "gone") + spoilt)

    def added(self, part: Part) -> int:
        """Return how many of the rows to be written are new."""
        return sum(one not in self.withheld for one in self._ids(part, "new"))

    def count(self, part: Part) -> int:
        """Return how many rows the table should hold."""
        kept_out = sum(one in self.withheld for one in self._ids(part, "new", "changed"))
        return int(pc.sum(self._chosen(part, "same", "new", "changed")).as_py() or 0) - kept_out

    @property
    def total(self) -> int:
        """How many rows both tables should hold and row rules keep out."""
        return self.count("live") + self.count("retired") + len(self.withheld)

    @property
    def doubled(self) -> int:
        """How many rows stand for a chunk id that another row of its table has."""
        wanted = self.compared.filter(pc.not_equal(self.compared["change"], "gone"))
        return int(wanted.num_rows - wanted.group_by(["chunk_id", "retired"]).aggregate([]).num_rows)

    def _chosen(self, part: Part, *changes: str) -> pa.ChunkedArray:
        change = pc.is_in(self.compared["change"], pa.array(changes, pa.string()))
        return pc.and_(pc.equal(self.compared["retired"], part == "retired"), change)

    def _ids(self, part: Part, *changes: str) -> list[str]:
        found: list[str] = self.compared.filter(self._chosen(part, *changes))["chunk_id"].to_pylist()
        return sorted(found)


def desired_rows(run: Run) -> DesiredRows:
    """Compare, keep bad rows back one by one, and remember the result for the stages that follow."""
    if "rows" in run.memory:
        kept: DesiredRows = run.memory["rows"]
        return kept
    saero = run.saero
    saero.index.mend()
    heads = [table.keys() for table in (saero.index.live, saero.index.retired)]
    with saero.ledger.session("rows"):
        is_quiet = not _nameless(run)
        compared = _compared(run, *heads) if is_quiet else None
        if compared is not None and not _differing(compared).num_rows:
            return _remembered(run, compared, {}, {}, set(), [])
    if compared is None:
        _cut_names(run)
        compared = _compared(run, *heads)
    withheld: dict[str, str] = {}
    places: dict[str, tuple[str, str]] = {}
    bodies: set[str] = set()
    facts: list[pa.Table] = []
    for rows in rows_made(run, _hashes(_differing(compared))):
        bad = bad_rows(rows, max_tokens=saero.encoder.max_tokens)
        withheld |= bad
        places |= {row["chunk_id"]: (row["source"], row["path"]) for row in rows if row["chunk_id"] in bad}
        bodies |= {row["body_hash"] for row in rows if row["chunk_id"] in bad}
        good = [row for row in rows if row["chunk_id"] not in bad]
        facts.append(facts_of(rows_table(good, saero.encoder.dimension)))
    return _remembered(run, compared, withheld, places, bodies, facts)


def _remembered(
    run: Run,
    compared: pa.Table,
    withheld: dict[str, str],
    places: dict[str, tuple[str, str]],
    bodies: set[str],
    facts: list[pa.Table],
) -> DesiredRows:
    """Keep what row rules keep out in the ledger, and the whole for the stages that follow."""
    with run.saero.ledger.transaction("rows") as con:
        passages.put_withheld(con, withheld, run.now)
    whole = pa.concat_tables([facts_of(rows_table([], run.saero.encoder.dimension)), *facts])
    made = DesiredRows(compared, withheld, places, frozenset(bodies), whole)
    run.memory["rows"] = made
    return made


def _compared(run: Run, live: pa.Table, retired: pa.Table) -> pa.Table:
    encoder = run.saero.encoder
    with run.saero.ledger.transaction("rows") as con:
        return row_store.compare_rows(
            con,
            live,
            retired,
            encoder_id=encoder.encoder_id,
            tokens_version=tokens_version(),
            rows_version=ROWS_VERSION,
            max_tokens=encoder.max_tokens,
            now=run.now,
        )


def _differing(compared: pa.Table) -> pa.Table:
    return compared.filter(pc.is_in(compared["change"], pa.array(["new", "changed"])))


def _hashes(compared: pa.Table) -> dict[str, str]:
    return dict(sorted(zip(compared["chunk_id"].to_pylist(), compared["row_hash"].to_pylist(), strict=True)))


def forget_rows(run: Run) -> None:
    """Let the next stage compare the ledger with the index anew."""
    run.memory.pop("rows", None)


def rows_made(run: Run, hashes: Mapping[str, str]) -> Iterator[list[Row]]:
    """Yield the index rows of these chunks (chunk id -> row hash), BATCH of them at a time."""
    saero = run.saero
    encoder_id = saero.encoder.encoder_id
    listed = list(hashes)
    for start in range(0, len(listed), BATCH):
        ids = listed[start : start + BATCH]
        with saero.ledger.transaction("rows") as con:
            made = row_store.made_rows(con, ids, encoder_id=encoder_id, tokens_version=tokens_version(), now=run.now)
        yield [row | {"row_hash": hashes[row["chunk_id"]]} for row in made]


def _nameless(run: Run) -> list[str]:
    """Return the names of documents that the ledger has no morphemes of."""
    with run.saero.ledger.transaction("names") as con:
        return row_store.served_names(con, tokens_version())


def _cut_names(run: Run) -> None:
    lacking = _nameless(run)
    for start in range(0, len(lacking), _NAMES):
        made = {name: tokens(name_text(name)) for name in lacking[start : start + _NAMES]}
        with run.saero.ledger.transaction("names") as con:
            passages.add_name_tokens(con, tokens_version(), made)
