"""The documents that a night may have something to say about; all others stay in the ledger."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from resources.ledger.documents import opened

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
# Rows that are in Python at once.
_BATCH = 2_000
_JOINED = """
    from documents d
    left join contents c on c.content_hash = d.served_hash and c.parser_version = d.served_parser
    where d.state <> 'gone'
"""
_COLUMNS = """
    d.*, c.title, c.modified_at, c.clock, c.properties, c.ocr_pages, c.asides, c.has_text, c.parser_version
"""


def noteworthy(
    con: duckdb.DuckDBPyConnection, *, soon: datetime, ahead: datetime, old: Mapping[str, datetime]
) -> Iterator[Row]:
    """Yield all documents for which pipelines.findings may find something, and maybe others, in order.

    Their columns, and those of what their served content says that findings and canaries ask for.

    soon   what expires up to then is worth a word
    ahead  and so is a clock after this
    old    source -> the latest clock with which a document of it may be due to be looked at
    """
    clock = "coalesce(c.modified_at, make_timestamptz(coalesce(d.mtime_ns, 0) // 1000))"
    con.execute(
        f"""
        select {_COLUMNS} {_JOINED} and (
            d.state in ('held', 'superseded') or d.category is not null or d.expires_at <= $soon
            or c.ocr_pages::varchar not in ('[]', 'null') or contains(c.properties::varchar, 'expires_at')
            or {clock} > $ahead or {clock} <= map($sources, $clocks)[d.source])
        order by d.source, d.path
        """,
        {"soon": soon, "ahead": ahead, "sources": list(old), "clocks": list(old.values())},
    )
    names = [column[0] for column in con.description or ()]
    while batch := con.fetchmany(_BATCH):
        yield from (opened(dict(zip(names, row, strict=True))) for row in batch)


def around(
    con: duckdb.DuckDBPyConnection, places: Collection[tuple[str, str]], contents: Collection[str]
) -> dict[tuple[str, str], Row]:
    """Return (source, path) -> row of the documents at `places`, of those that serve one of `contents`, and of what
    replaced any of them.
    """
    if not places and not contents:
        return {}
    cursor = con.execute(
        f"""
        with near as (
            select d.* from documents d where d.state <> 'gone' and (
                list_contains($contents, d.served_hash)
                or (d.source, d.path) in (select unnest($sources), unnest($paths)))
        )
        select {_COLUMNS} {_JOINED} and (
            (d.source, d.path) in (select source, path from near)
            or d.source || '/' || d.path in (select superseded_by from near where superseded_by is not null))
        order by d.source, d.path
        """,
        {
            "contents": list(contents),
            "sources": [source for source, _ in places],
            "paths": [path for _, path in places],
        },
    )
    names = [column[0] for column in cursor.description or ()]
    rows = (opened(dict(zip(names, row, strict=True))) for row in cursor.fetchall())
    return {(row["source"], row["path"]): row for row in rows}
