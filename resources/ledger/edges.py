"""Edges between alike bodies: kept by sketch_id, read and written as columns, block by block."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

import numpy as np

from pipelines.edges import Edges, components
from pipelines.grams import Numbers
from pipelines.near import Flags
from pipelines.verify import Verified, as_edges
from resources.ledger.rows import insert_arrow
from resources.ledger.sketches import column, given

if TYPE_CHECKING:
    import duckdb

# Edges that are read and written at once: 32 MB.
_BLOCK = 1 << 20
_COLUMNS = ("a", "b", "n_a", "n_b", "shared", "near")


@dataclass(frozen=True, slots=True)
class Kin:
    """What the edges among some bodies make of them.

    bodies         body hashes, sorted, those without a sketch left out
    least          (n,) the place of the least body that a chain of edges joins each to
    fellows        (n,) how many bodies each has an edge with
    near, contains  (n,) whether it has an edge of that kind
    """

    bodies: list[str]
    least: Numbers
    fellows: Numbers
    near: Flags
    contains: Flags


class Spool:
    """Edges between rows on their way to the ledger, in a file without a name.

    Words are never read inside a transaction, and what was verified with them is written in one.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115 - it is closed by `close`

    def add(self, found: Verified) -> None:
        """Keep edges; those that come in one piece are given back in one."""
        block = np.stack([getattr(found, name) for name in _COLUMNS]).astype(np.int32)
        np.save(self._file, block)

    def __iter__(self) -> Iterator[Verified]:
        end = self._file.tell()
        self._file.seek(0)
        while self._file.tell() < end:
            a, b, n_a, n_b, shared, near = np.load(self._file)
            yield Verified(a, b, n_a, n_b, shared, near.astype(bool))

    def close(self) -> None:
        """Give the disk back."""
        self._file.close()


def fellows(con: duckdb.DuckDBPyConnection, bodies: Iterable[str]) -> list[str]:
    """Return the other bodies that have an edge with one of `bodies`, sorted."""
    with given(con, asked=column("body_hash", bodies)):
        rows = con.execute(
            "with here as (select sketch_id from sketches semi join asked using (body_hash)), "
            "other as (select b as sketch_id from edges where a in (from here) "
            "union select a from edges where b in (from here)) "
            "select body_hash from sketches semi join other using (sketch_id) anti join here using (sketch_id) "
            "order by body_hash"
        ).fetchall()
    return [row[0] for row in rows]


def drop(con: duckdb.DuckDBPyConnection, bodies: Iterable[str], judged: Iterable[str]) -> None:
    """Take away the edges of `bodies` among themselves and with the bodies `judged`."""
    with given(con, asked=column("body_hash", bodies), other=column("body_hash", judged)):
        con.execute(
            "create or replace temp table judged as select sketch_id, body_hash in (from asked) as anew "
            "from sketches where body_hash in (from asked union from other)"
        )
    con.execute(
        "delete from edges where a in (select sketch_id from judged) and b in (select sketch_id from judged) "
        "and (a in (select sketch_id from judged where anew) or b in (select sketch_id from judged where anew))"
    )
    con.execute("drop table judged")


def add(
    con: duckdb.DuckDBPyConnection, found: Iterable[Verified], ids: Numbers, bodies: Collection[str], now: datetime
) -> None:
    """Store edges between rows, of which `ids` has the sketch_id and `bodies` the body hash."""
    import pyarrow as pa

    order = sorted(range(len(bodies)), key=list(bodies).__getitem__)
    rank = np.argsort(np.array(order, np.int64))
    kinds = pa.array(["contains", "near"])
    for some in found:
        turned = rank[some.a] > rank[some.b]
        made_at = pa.repeat(pa.scalar(now, pa.timestamp("us", "UTC")), len(turned))
        columns = {
            "a": ids[np.where(turned, some.b, some.a)],
            "b": ids[np.where(turned, some.a, some.b)],
            "kind": pa.DictionaryArray.from_arrays(some.near.astype(np.int8), kinds),
            "n_a": np.where(turned, some.n_b, some.n_a),
            "n_b": np.where(turned, some.n_a, some.n_b),
            "shared": some.shared,
            "made_at": made_at,
        }
        insert_arrow(con, "edges", pa.table(columns))


def kin(con: duckdb.DuckDBPyConnection, bodies: Iterable[str]) -> Kin:
    """Return what the edges among `bodies` make of them; no edge is held."""
    with _here(con, bodies) as names:
        n = len(names)
        counts, near, contains = np.zeros(n, np.int64), np.zeros(n, bool), np.zeros(n, bool)

        def blocks() -> Iterator[tuple[Numbers, Numbers]]:
            for a, b, is_near in _blocks(con, "e.kind = 'near'"):
                for end in (a, b):
                    np.add(counts, np.bincount(end, minlength=n), out=counts)
                    near[end[is_near]] = True
                    contains[end[~is_near]] = True
                yield a, b

        return Kin(names, components(n, blocks()), counts, near, contains)


def among(con: duckdb.DuckDBPyConnection, bodies: Iterable[str]) -> Edges:
    """Return the edges of which both are among `bodies`."""
    with _here(con, bodies) as names:
        blocks = _blocks(con, "e.n_a", "e.n_b", "e.shared", "e.kind = 'near'")
        return as_edges(
            names, [Verified(a, b, n_a, n_b, both, near.astype(bool)) for a, b, n_a, n_b, both, near in blocks]
        )


@contextmanager
def _here(con: duckdb.DuckDBPyConnection, bodies: Iterable[str]) -> Iterator[list[str]]:
    """Number the sketched ones of `bodies` in the table `here`, by their hash, which is returned."""
    with given(con, asked=column("body_hash", bodies)):
        con.execute(
            "create or replace temp table here as select sketch_id, body_hash, "
            "(row_number() over (order by body_hash) - 1)::integer as place "
            "from sketches semi join asked using (body_hash)"
        )
    yield [row[0] for row in con.execute("select body_hash from here order by place").fetchall()]
    con.execute("drop table here")


def _blocks(con: duckdb.DuckDBPyConnection, *columns: str) -> Iterator[list[Numbers]]:
    """Yield the places of both bodies of the edges that are `here`, and more columns."""
    con.execute(
        f"select x.place, y.place, {', '.join(columns)} from edges e "
        "join here x on x.sketch_id = e.a join here y on y.sketch_id = e.b"
    )
    for batch in con.to_arrow_reader(_BLOCK):
        yield [one.to_numpy(zero_copy_only=False) for one in batch.columns]
