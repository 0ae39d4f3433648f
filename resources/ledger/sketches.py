"""Sketches of bodies, and the bands they meet under."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from pipelines.compared import Content
from pipelines.grams import Hashes, Numbers
from pipelines.signature import BINS, Signatures
from pipelines.sketch import Sketches
from resources.ledger.rows import fetch, insert, insert_arrow, one

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

# The version of the empty list, which a small corpus has.
NO_LIST = "0"
# Signatures that are held at once: 26 MB.
_SIGNATURES = 50_000


@dataclass(frozen=True, slots=True)
class CommonList:
    """The list of common 5-grams that holds now, and how many bodies there were when it was frozen."""

    version: str
    grams: Hashes
    bodies: int


@dataclass(frozen=True, slots=True)
class Met:
    """Stored sketches that share a band with new ones.

    pairs      (m, 2): row of the new sketch, row among these
    bodies     body hash and the content that was sketched, by row
    ids        (n,) sketch_id
    n_grams, signature  (n,) and (n, 128)
    """

    pairs: Numbers
    bodies: tuple[tuple[str, Content], ...]
    ids: Numbers
    n_grams: Numbers
    signature: Signatures


def common_list(con: duckdb.DuckDBPyConnection) -> CommonList:
    """Return the newest list, the empty one of version "0" before any was frozen."""
    rows = fetch(con, "select * from common_grams order by version::integer desc limit 1")
    if not rows:
        return CommonList(NO_LIST, np.empty(0, np.uint64), 0)
    return CommonList(rows[0]["version"], np.frombuffer(rows[0]["grams"], "<u8"), rows[0]["bodies"])


def freeze(con: duckdb.DuckDBPyConnection, grams: Hashes, bodies: int, now: datetime) -> CommonList:
    """Store a new list; sketches made with another are stale from now on."""
    version = str(int(common_list(con).version) + 1)
    row = {"version": version, "grams": grams.astype("<u8").tobytes(), "bodies": bodies, "frozen_at": now}
    insert(con, "common_grams", [row])
    return CommonList(version, grams, bodies)


def unsketched(con: duckdb.DuckDBPyConnection, chosen: Mapping[str, Content], version: str) -> list[str]:
    """Return the bodies without a sketch of this version of the content they are compared by, sorted."""
    with given(con, chosen=_contents(chosen)):
        rows = con.execute(
            "select body_hash from chosen anti join (select * from sketches where sketch_version = ?) "
            "using (body_hash, content_hash, parser_version) order by body_hash",
            [version],
        ).fetchall()
    return [row[0] for row in rows]


def sketched(con: duckdb.DuckDBPyConnection, bodies: Iterable[str]) -> dict[str, Content]:
    """Return the content that each of `bodies` was sketched from, those without a sketch left out."""
    with given(con, asked=column("body_hash", bodies)):
        rows = con.execute(
            "select body_hash, content_hash, parser_version from sketches semi join asked using (body_hash)"
        ).fetchall()
    return {body: Content(False, content, parser) for body, content, parser in rows}


def met(con: duckdb.DuckDBPyConnection, new: Sketches, but: Collection[str]) -> Iterator[Met]:
    """Yield the stored sketches that share a band with a new one, those of the bodies `but` left out.

    A plain join: an index over bands took 24 s to build for 50,000 bodies and saved .05 s.
    """
    import pyarrow as pa

    with given(con, fresh=pa.table({"band": new.bands, "row": new.owners}), hidden=column("body_hash", but)):
        con.execute(
            "create or replace temp table met as "
            "select distinct f.row, b.sketch_id from bands b join fresh f using (band) "
            "anti join (select sketch_id from sketches semi join hidden using (body_hash)) h using (sketch_id)"
        )
    ids = con.execute("select distinct sketch_id from met order by 1").fetchnumpy()["sketch_id"]
    for start in range(0, len(ids), _SIGNATURES):
        yield _met(con, ids[start : start + _SIGNATURES])
    con.execute("drop table met")


def _met(con: duckdb.DuckDBPyConnection, ids: Numbers) -> Met:
    span = [int(ids[0]), int(ids[-1])]
    pairs = con.execute("select row, sketch_id from met where sketch_id between ? and ?", span).fetchnumpy()
    rows = con.execute(
        "select body_hash, content_hash, parser_version, n_grams, signature from sketches "
        "semi join met using (sketch_id) where sketch_id between ? and ? order by sketch_id",
        span,
    ).fetchall()
    n_grams = np.array([row[3] for row in rows], np.int64)
    signature = np.frombuffer(b"".join(row[4] for row in rows), "<u4").reshape(len(rows), BINS)
    places = np.stack((pairs["row"], np.searchsorted(ids, pairs["sketch_id"])), axis=1)
    return Met(places, tuple((row[0], Content(False, row[1], row[2])) for row in rows), ids, n_grams, signature)


def replace(
    con: duckdb.DuckDBPyConnection, bodies: Sequence[tuple[str, Content]], new: Sketches, version: str, now: datetime
) -> Numbers:
    """Store the sketches of `bodies`, in place of earlier ones of theirs whose sketch_id they keep; returns those."""
    import pyarrow as pa

    with given(con, asked=column("body_hash", (body for body, _ in bodies))):
        known = dict(
            con.execute("select body_hash, sketch_id from sketches semi join asked using (body_hash)").fetchall()
        )
        con.execute(
            "delete from bands where sketch_id in (select sketch_id from sketches semi join asked using (body_hash))"
        )
        next_id = 1 + (one(con, "select max(sketch_id) from sketches") or 0)
        con.execute("delete from sketches where body_hash in (select body_hash from asked)")
    free = count(next_id)
    ids = np.array([known.get(body) or next(free) for body, _ in bodies], np.int64)
    signature = new.signature.astype("<u4")
    columns = {
        "sketch_id": ids,
        "body_hash": pa.array((body for body, _ in bodies), pa.string()),
        "content_hash": pa.array((content.content_hash for _, content in bodies), pa.string()),
        "parser_version": pa.array((content.parser_version for _, content in bodies), pa.string()),
        "sketch_version": pa.repeat(version, len(ids)),
        "n_grams": new.n_grams,
        "signature": pa.array((row.tobytes() for row in signature), pa.binary()),
        "made_at": pa.repeat(pa.scalar(now, pa.timestamp("us", "UTC")), len(ids)),
    }
    insert_arrow(con, "sketches", pa.table(columns))
    insert_arrow(con, "bands", pa.table({"band": new.bands, "sketch_id": ids[new.owners]}))
    return ids


def ask_again(con: duckdb.DuckDBPyConnection, bodies: Iterable[str]) -> None:
    """Mark sketches whose words were missing when others had to be verified: they are made anew once there are some."""
    with given(con, asked=column("body_hash", bodies)):
        con.execute("update sketches set sketch_version = '' where body_hash in (select body_hash from asked)")


@contextmanager
def given(con: duckdb.DuckDBPyConnection, **tables: pa.Table) -> Iterator[None]:
    """Let statements name Arrow tables."""
    for name, table in tables.items():
        con.register(name, table)
    try:
        yield
    finally:
        for name in tables:
            con.unregister(name)


def column(name: str, values: Iterable[str]) -> pa.Table:
    """Return a table of one column of words."""
    import pyarrow as pa

    return pa.table({name: pa.array(values, pa.string())})


def _contents(chosen: Mapping[str, Content]) -> pa.Table:
    import pyarrow as pa

    return pa.table(
        {
            "body_hash": pa.array(chosen, pa.string()),
            "content_hash": pa.array((content.content_hash for content in chosen.values()), pa.string()),
            "parser_version": pa.array((content.parser_version for content in chosen.values()), pa.string()),
        }
    )
