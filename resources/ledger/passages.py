"""Bodies, chunks, their texts, morphemes, vectors and places in the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from resources.ledger.rows import fetch, insert, insert_arrow, one, update

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

Row = dict[str, Any]

# Documents whose passages are served: searchable now, or kept for --include superseded,expired.
SERVED = "d.state in ('live', 'held', 'failed', 'superseded', 'expired') and d.served_hash is not null"
# What the parser that is served made of its content; another parser version may have judged it since.
READ = "contents c on c.content_hash = d.served_hash and c.parser_version = d.served_parser and c.has_text"

# The chunk ids that the main table of the index should hold.
_WANTED_IDS = f"""
    select k.chunk_id from documents d join {READ}
    join chunks k on k.body_hash = d.body_hash
    where {SERVED} and d.duplicate_of is null and not d.retired
        and k.chunk_id not in (select chunk_id from withheld)
"""


def bodies_to_cut(con: duckdb.DuckDBPyConnection, chunker_version: str) -> list[Row]:
    """Return body_hash, content_hash, parser_version, title and chars of served bodies without chunks of this version.

    They are those of the body's representative; before duplicates are judged, of the document seen first.
    """
    return fetch(
        con,
        f"""
        select d.body_hash, d.served_hash as content_hash, c.parser_version, c.title, c.chars
        from documents d
        join {READ}
        where {SERVED} and not exists (
            select 1 from bodies b where b.body_hash = d.body_hash and b.chunker_version = ?)
        qualify row_number() over (
            partition by d.body_hash
            order by (d.duplicate_of is not null)::integer, d.first_seen, d.source, d.path) = 1
        order by d.body_hash
        """,
        [chunker_version],
    )


def replace_bodies(con: duckdb.DuckDBPyConnection, bodies: list[Row], chunks: list[Row], texts: list[Row]) -> None:
    """Store bodies with their chunks, in place of earlier ones; texts that are known stay, measured anew."""
    hashes = [row["body_hash"] for row in bodies]
    con.execute("delete from bodies where body_hash in (select unnest(?))", [hashes])
    con.execute("delete from chunks where body_hash in (select unnest(?))", [hashes])
    insert(con, "bodies", bodies)
    insert(con, "chunks", chunks)
    made = {row["chunk_hash"]: row for row in texts}
    sql = "select chunk_hash, n_tokens from texts where chunk_hash in (select unnest(?))"
    known = {row["chunk_hash"]: row["n_tokens"] for row in fetch(con, sql, [list(made)])}
    insert(con, "texts", [row for key, row in made.items() if key not in known])
    other = {key: row["n_tokens"] for key, row in made.items() if known.get(key, row["n_tokens"]) != row["n_tokens"]}
    update(con, "texts", ["chunk_hash"], [{"chunk_hash": key, "n_tokens": count} for key, count in other.items()])


def texts_without_tokens(con: duckdb.DuckDBPyConnection, tokens_version: str) -> list[str]:
    """Return the chunk_hash of every served chunk whose morphemes this version hasn't made."""
    rows = fetch(
        con,
        f"""
        select distinct chunk_hash from texts where chunk_hash in (
            select k.chunk_hash from chunks k join documents d on d.body_hash = k.body_hash
            where {SERVED} and not exists (
                select 1 from morphemes m where m.chunk_hash = k.chunk_hash and m.tokens_version = ?))
        order by chunk_hash
        """,
        [tokens_version],
    )
    return [row["chunk_hash"] for row in rows]


def add_tokens(con: duckdb.DuckDBPyConnection, tokens_version: str, made: Iterable[tuple[str, str]]) -> None:
    """Store morphemes by chunk_hash."""
    insert(
        con,
        "morphemes",
        [{"chunk_hash": key, "tokens_version": tokens_version, "tokens": tokens} for key, tokens in made],
    )


def keys_without_vector(con: duckdb.DuckDBPyConnection, encoder_id: str) -> list[tuple[str, int]]:
    """Return (chunk_hash, tokens) of every served chunk text without a vector, those of the newest documents first."""
    rows = fetch(
        con,
        f"""
        with lacking as (
            select k.chunk_hash, max(d.mtime_ns) as newest from chunks k join documents d on d.body_hash = k.body_hash
            where {SERVED} and not exists (
                select 1 from vectors v where v.chunk_hash = k.chunk_hash and v.encoder_id = ?)
            group by k.chunk_hash)
        select chunk_hash, any_value(t.n_tokens) as n_tokens from texts t join lacking using (chunk_hash)
        group by chunk_hash, newest order by newest desc, chunk_hash
        """,
        [encoder_id],
    )
    return [(row["chunk_hash"], row["n_tokens"]) for row in rows]


def embedded_texts(con: duckdb.DuckDBPyConnection, chunk_hashes: list[str]) -> dict[str, str]:
    """Return chunk_hash -> what is embedded of it."""
    sql = "select chunk_hash, embedded from texts where chunk_hash in (select unnest(?))"
    return {row["chunk_hash"]: row["embedded"] for row in fetch(con, sql, [chunk_hashes])}


def has_vectors(con: duckdb.DuckDBPyConnection, encoder_id: str) -> bool:
    """Tell whether there is any vector of this encoder."""
    return bool(fetch(con, "select 1 from vectors where encoder_id = ? limit 1", [encoder_id]))


def count_vectors_needed(con: duckdb.DuckDBPyConnection) -> int:
    """Return how many distinct chunk texts the served bodies have."""
    sql = (
        f"select count(distinct chunk_hash) from chunks k join documents d on d.body_hash = k.body_hash where {SERVED}"
    )
    return int(one(con, sql) or 0)


def add_vectors(
    con: duckdb.DuckDBPyConnection, encoder_id: str, keys: list[str], vectors: np.ndarray[Any, Any], now: Any
) -> None:
    """Store unit vectors, (n, dim) float32, as float16: 792 bytes a row, cosine error under 1e-3."""
    import pyarrow as pa

    half = np.ascontiguousarray(vectors.astype("<f2"))
    table = pa.table(
        {
            "chunk_hash": keys,
            "encoder_id": [encoder_id] * len(keys),
            "vector": pa.array([row.tobytes() for row in half], pa.binary()),
            "made_at": pa.array([now] * len(keys), pa.timestamp("us", "UTC")),
        }
    )
    insert_arrow(con, "vectors", table)


def places_needed(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return (content_hash, parser_version, body_hash) of served representatives whose chunks have no place yet."""
    return fetch(
        con,
        f"""
        select distinct d.served_hash as content_hash, c.parser_version, d.body_hash
        from documents d join {READ}
        where {SERVED} and exists (
            select 1 from chunks k where k.body_hash = d.body_hash and not exists (
                select 1 from places p where p.chunk_id = k.chunk_id
                    and p.content_hash = d.served_hash and p.parser_version = c.parser_version))
        order by 1
        """,
    )


def chunks_of(con: duckdb.DuckDBPyConnection, bodies: Iterable[str]) -> dict[str, list[Row]]:
    """Return body_hash -> its chunks in order, with their texts; a body without any is left out."""
    sql = """
        select k.*, t.text from chunks k left join texts t using (chunk_hash)
        where k.body_hash in (select unnest(?)) order by k.body_hash, k.ordinal
    """
    found: dict[str, list[Row]] = {}
    for row in fetch(con, sql, [list(bodies)]):
        found.setdefault(row["body_hash"], []).append(row)
    return found


def add_places(con: duckdb.DuckDBPyConnection, rows: list[Row]) -> None:
    """Store where chunks stand in contents, in place of what was there for the same readings."""
    read = sorted({(row["content_hash"], row["parser_version"]) for row in rows})
    con.execute(
        "delete from places where (content_hash, parser_version) in (select unnest(?), unnest(?))",
        [[content for content, _ in read], [parser for _, parser in read]],
    )
    insert(con, "places", rows)


def drop_unserved_places(con: duckdb.DuckDBPyConnection) -> None:
    """Take away the places in readings that no document serves: of an older parser, or of an earlier content."""
    con.execute(
        """
        delete from places p where not exists (
            select 1 from documents d
            where d.served_hash = p.content_hash and d.served_parser = p.parser_version and d.state <> 'gone')
        """
    )


def states(con: duckdb.DuckDBPyConnection) -> dict[str, dict[str, int]]:
    """Return source -> state -> number of documents, gone ones left out."""
    found: dict[str, dict[str, int]] = {}
    sql = "select source, state, count(*) as n from documents where state <> 'gone' group by all order by source, state"
    for row in fetch(con, sql):
        found.setdefault(row["source"], {})[row["state"]] = row["n"]
    return found


def chunk_counts(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return source -> number of passages that its documents serve."""
    rows = fetch(
        con,
        f"""
        select d.source, sum(b.chunk_count)::bigint as n from documents d join bodies b using (body_hash)
        where {SERVED} and d.duplicate_of is null and not d.retired group by 1
        """,
    )
    return {row["source"]: row["n"] for row in rows}


def compare_ids(con: duckdb.DuckDBPyConnection, published: pa.Table) -> tuple[int, int]:
    """Return how many rows of the main table are missing among the published ones (chunk_id), and how many too many."""
    con.register("published", published)
    try:
        missing = one(con, f"select count(*) from ({_WANTED_IDS}) anti join published using (chunk_id)")
        extra = one(con, f"select count(*) from published anti join ({_WANTED_IDS}) using (chunk_id)")
    finally:
        con.unregister("published")
    return int(missing or 0), int(extra or 0)


def add_name_tokens(con: duckdb.DuckDBPyConnection, tokens_version: str, made: dict[str, str]) -> None:
    """Store the morphemes of names."""
    rows = [{"name": name, "tokens_version": tokens_version, "tokens": tokens} for name, tokens in made.items()]
    insert(con, "names", rows)


def put_withheld(con: duckdb.DuckDBPyConnection, withheld: dict[str, str], now: Any) -> None:
    """Make the withheld rows equal to `withheld` (chunk id -> reason); what stood keeps its date."""
    known = {row["chunk_id"]: row["reason"] for row in fetch(con, "select chunk_id, reason from withheld")}
    if known == withheld:
        return
    con.execute("delete from withheld where chunk_id not in (select unnest(?))", [list(withheld)])
    changed = [{"chunk_id": key, "reason": why} for key, why in withheld.items() if known.get(key, why) != why]
    update(con, "withheld", ["chunk_id"], changed)
    fresh = [{"chunk_id": key, "reason": why, "since": now} for key, why in withheld.items() if key not in known]
    insert(con, "withheld", fresh)


def served_bodies(con: duckdb.DuckDBPyConnection) -> tuple[set[str], set[str]]:
    """Return the bodies that may stand in the main table of the index, and in the retired one.

    Whichever parser made them of what documents serve: another reading of the same bytes makes no text untrue.
    """
    sql = f"""
        select body_hash, bool_or(not retired) as live from (
            select d.body_hash, d.retired from documents d where {SERVED}
            union all
            select c.body_hash, d.retired from documents d join contents c on c.content_hash = d.served_hash
            where {SERVED} and c.has_text
        ) group by 1
    """
    rows = fetch(con, sql)
    return {row["body_hash"] for row in rows if row["live"]}, {row["body_hash"] for row in rows}


def withheld_since_publication(con: duckdb.DuckDBPyConnection) -> int:
    """Return how many withheld rows were not withheld yet when a run last published; 0 before the first time."""
    sql = "select max(published_at) from publications where reason = 'refresh'"
    return int(one(con, f"select count(*) from withheld where since > ({sql})") or 0)


def vector_share(con: duckdb.DuckDBPyConnection, encoder_id: str) -> float:
    """Return the share of the served passages that have a vector of this encoder; 1 when there are none."""
    sql = f"""
        with needed as (
            select distinct chunk_hash from chunks k join documents d on d.body_hash = k.body_hash where {SERVED}
        )
        select count(*), count(*) filter (chunk_hash in (select chunk_hash from vectors where encoder_id = ?))
        from needed
    """
    needed, made = con.execute(sql, [encoder_id]).fetchone() or (0, 0)
    return made / needed if needed else 1.0


def bodies_without(con: duckdb.DuckDBPyConnection, rows: pa.Table) -> int:
    """Return how many bodies that a query must find (served, not retired, with words) have none of these rows."""
    con.register("given", rows)
    try:
        sql = f"""
            select count(distinct d.body_hash) from documents d join {READ}
            where {SERVED} and d.duplicate_of is null and not d.retired
                and d.body_hash not in (select k.body_hash from chunks k semi join given using (chunk_id))
        """
        return int(one(con, sql) or 0)
    finally:
        con.unregister("given")
