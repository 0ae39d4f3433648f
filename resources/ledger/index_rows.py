"""What the index should hold, as the ledger knows it: all rows compared with its heads, and those of some keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pipelines.index_rows import index_row, split_names
from resources.ledger.passages import READ, SERVED
from resources.ledger.rows import fetch

if TYPE_CHECKING:
    from datetime import datetime

    import duckdb
    import pyarrow as pa

Row = dict[str, Any]

# The chunks of a document that serves, with what belongs to each.
_CHUNKS = """
    join chunks k on k.body_hash = d.body_hash
    join texts t on t.chunk_hash = k.chunk_hash
    left join morphemes m on m.chunk_hash = k.chunk_hash and m.tokens_version = $tokens
    left join vectors v on v.chunk_hash = k.chunk_hash and v.encoder_id = $encoder
    left join places p on p.chunk_id = k.chunk_id and p.content_hash = d.served_hash
        and p.parser_version = {parser_version}
"""
_SERVING = f"{SERVED} and d.duplicate_of is null"
# What is wide is looked up for the chunks that are asked for: joined as a whole, all texts and vectors would be held.
_ROWS = f"""
    with placed as materialized (
        select k.chunk_id, k.body_hash, k.chunk_hash, k.ordinal, k.heading, d.source, d.path, d.state, d.flags,
            d.retired, d.body_expires_at, d.superseded_by, d.mtime_ns, d.served_hash, c.parser_version, c.format,
            b.title, c.modified_at, c.clock
        from (select * from chunks where chunk_id in (select chunk_id from asked)) k
        join documents d on d.body_hash = k.body_hash
        join {READ}
        join bodies b on b.body_hash = d.body_hash
        where {_SERVING}
    ), t as materialized (
        select chunk_hash, text, n_tokens from texts where chunk_hash in (select chunk_hash from placed)
    ), m as materialized (
        select chunk_hash, tokens from morphemes
        where tokens_version = $tokens and chunk_hash in (select chunk_hash from placed)
    ), v as materialized (
        select chunk_hash, vector from vectors
        where encoder_id = $encoder and chunk_hash in (select chunk_hash from placed)
    ), p as materialized (
        select chunk_id, content_hash, parser_version, locator from places
        where chunk_id in (select chunk_id from placed)
    )
    select k.* exclude (served_hash, parser_version), t.text, t.n_tokens, m.tokens, v.vector, p.locator
    from placed k
    join t on t.chunk_hash = k.chunk_hash
    left join m on m.chunk_hash = k.chunk_hash
    left join v on v.chunk_hash = k.chunk_hash
    left join p on p.chunk_id = k.chunk_id and p.content_hash = k.served_hash and p.parser_version = k.parser_version
    order by k.chunk_id
"""
# Everything that pipelines.index_rows.index_row reads and that row rules judge. Texts, morphemes and vectors follow
# from chunk_hash and the versions, so of them only their presence counts. What is a document's is hashed once for all
# its chunks. 64 bits of DuckDB's own hash tell two states of one row apart (MD5 of their JSON took four times as long).
_OF_DOCUMENT = (
    "d.source", "d.path", "d.state", "d.flags", "d.body_expires_at", "d.body_expires_at <= $now", "d.superseded_by",
    "case when c.modified_at is null then d.mtime_ns end", "c.format", "b.title", "c.modified_at", "c.clock",
    "h.places",
)  # fmt: skip
_OF_CHUNK = (
    "d.document_hash", "$rows", "$tokens", "$encoder", "$limit", "k.chunk_id", "k.body_hash", "k.chunk_hash",
    "k.ordinal", "k.heading", "t.n_tokens", "m.chunk_hash is null", "v.chunk_hash is null", "p.locator",
)  # fmt: skip


def compare_rows(
    con: duckdb.DuckDBPyConnection,
    live: pa.Table,
    retired: pa.Table,
    *,
    encoder_id: str,
    tokens_version: str,
    rows_version: str,
    max_tokens: int,
    now: datetime,
) -> pa.Table:
    """Compare the heads of the two tables (chunk_id, row_hash each) with what they should hold.

    Returns chunk_id, retired, row_hash and change: "same", "changed" (another row of it stands there), "new" or "gone".
    """
    con.register("head_live", live)
    con.register("head_retired", retired)
    try:
        return con.execute(
            f"""
            with holding as (
                select body_hash, to_json(list([source, path] order by source, path))::varchar as places
                from documents where state not in ('gone', 'rejected') and body_hash is not null group by body_hash
            ), serving as (
                select d.body_hash, d.retired, d.served_hash, c.parser_version,
                    hash({", ".join(_OF_DOCUMENT)}) as document_hash
                from documents d
                join {READ}
                join bodies b on b.body_hash = d.body_hash
                left join holding h on h.body_hash = d.body_hash
                where {_SERVING}
            ), wanted as (
                select k.chunk_id, d.retired, hash({", ".join(_OF_CHUNK)})::varchar as row_hash
                from serving d {_CHUNKS.format(parser_version="d.parser_version")}
            ), head as (
                select chunk_id, row_hash, false as retired from head_live
                union all select chunk_id, row_hash, true from head_retired
            )
            select coalesce(w.chunk_id, h.chunk_id) as chunk_id, coalesce(w.retired, h.retired) as retired, w.row_hash,
                case when w.chunk_id is null then 'gone' when h.chunk_id is null then 'new'
                    when w.row_hash = h.row_hash then 'same' else 'changed' end as change
            from wanted w full join head h on h.chunk_id = w.chunk_id and h.retired = w.retired
            """,
            {
                "rows": rows_version,
                "tokens": tokens_version,
                "encoder": encoder_id,
                "limit": max_tokens,
                "now": now,
            },
        ).to_arrow_table()
    finally:
        con.unregister("head_live")
        con.unregister("head_retired")


def rows_of(
    con: duckdb.DuckDBPyConnection, chunk_ids: Sequence[str], *, encoder_id: str, tokens_version: str
) -> list[Row]:
    """Return what pipelines.index_rows.index_row takes, for each of these chunks, in the order of their ids."""
    import pyarrow as pa

    con.register("asked", pa.table({"chunk_id": pa.array(chunk_ids, pa.string())}))
    try:
        found: list[Row] = (
            con.execute(_ROWS, {"tokens": tokens_version, "encoder": encoder_id}).to_arrow_table().to_pylist()
        )
        return found
    finally:
        con.unregister("asked")


def made_rows(
    con: duckdb.DuckDBPyConnection, chunk_ids: Sequence[str], *, encoder_id: str, tokens_version: str, now: datetime
) -> list[Row]:
    """Return the index rows of these chunks, but for their row_hash, in the order of their ids."""
    found = rows_of(con, chunk_ids, encoder_id=encoder_id, tokens_version=tokens_version)
    holders = holders_of(con, sorted({row["body_hash"] for row in found}))
    names = name_tokens(con, tokens_version, sorted(split_names(found, holders)))
    return [
        index_row(row, encoder_id=encoder_id, holders=holders.get(row["body_hash"], ()), name_tokens=names, now=now)
        for row in found
    ]


def served_names(con: duckdb.DuckDBPyConnection, tokens_version: str) -> list[str]:
    """Return "source/path" of every document that holds a served body and whose name has no morphemes yet."""
    rows = fetch(
        con,
        f"""
        select distinct o.source || '/' || o.path as name from documents o
        where o.state not in ('gone', 'rejected') and o.body_hash in (
            select d.body_hash from documents d where {SERVED})
        and not exists (
            select 1 from names n where n.name = o.source || '/' || o.path and n.tokens_version = ?)
        order by 1
        """,
        [tokens_version],
    )
    return [row["name"] for row in rows]


def holders_of(con: duckdb.DuckDBPyConnection, bodies: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return body_hash -> every (source, path) that holds it now, copies included."""
    sql = """
        select body_hash, source, path from documents
        where state not in ('gone', 'rejected') and body_hash in (select unnest(?)) order by source, path
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for row in fetch(con, sql, [list(bodies)]):
        found.setdefault(row["body_hash"], []).append((row["source"], row["path"]))
    return found


def name_tokens(con: duckdb.DuckDBPyConnection, tokens_version: str, names: Sequence[str]) -> dict[str, str]:
    """Return "source/path" -> morphemes of these names."""
    sql = "select name, tokens from names where tokens_version = ? and name in (select unnest(?))"
    return {row["name"]: row["tokens"] for row in fetch(con, sql, [tokens_version, list(names)])}
