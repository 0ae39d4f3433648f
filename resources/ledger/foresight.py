"""The ledger in memory, as it stands: a run can be played on it, and nothing of that reaches a file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from resources.ledger.connection import Ledger, in_memory
from resources.ledger.passages import SERVED
from resources.ledger.rows import fetch, one

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]

# What is of passages isn't taken into memory: it is read from the file, while nobody writes to that.
LARGE = (
    "bodies", "chunks", "texts", "morphemes", "vectors", "places", "names", "sketches", "bands", "edges", "likeness",
    "chunk_values", "mails",
)  # fmt: skip
# Runs that are asked how long things take.
_RUNS = 20


class Foresight(Ledger):
    """Opened by `foresight`: transactions reach the memory alone."""

    def __init__(self, state_dir: Path, ledger: Ledger, con: duckdb.DuckDBPyConnection) -> None:
        super().__init__(state_dir)
        self._ledger = ledger
        self._con = con

    @contextmanager
    def whole(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield the connection with the large tables of the file too, to be read; whoever writes there waits."""
        con = self._con
        assert con is not None
        if not self._ledger.exists:
            yield con
            return
        with self._ledger.lent(con, "plan"):
            stored = _tables(con, "kept")
            for table in stored & set(LARGE):
                con.execute(f"drop table if exists main.{table}")
                con.execute(f"create or replace view main.{table} as select * from kept.main.{table}")
            yield con


@contextmanager
def foresight(ledger: Ledger) -> Iterator[Foresight]:
    """Yield `ledger` in memory; raises Busy and Broken as its transactions do."""
    with in_memory() as con:
        if ledger.exists:
            with ledger.lent(con, "plan"):
                for table in sorted(_tables(con, "kept") & _tables(con, "memory") - set(LARGE)):
                    con.execute(f"delete from main.{table}")
                    con.execute(f"insert into main.{table} by name select * from kept.main.{table}")
        yield Foresight(ledger.path.parent, ledger, con)


def _tables(con: duckdb.DuckDBPyConnection, database: str) -> set[str]:
    sql = "select table_name from duckdb_tables() where database_name = ?"
    return {row["table_name"] for row in fetch(con, sql, [database])}


def as_served(con: duckdb.DuckDBPyConnection) -> None:
    """Let every present document that has words serve them: which of several copies does isn't asked here."""
    con.execute("update documents set state = 'live', duplicate_of = null where state = 'duplicate'")


def versions_changed(con: duckdb.DuckDBPyConnection, **now: str) -> list[str]:
    """Return what was made by other versions than those of now: parser, chunker, tokens, sketch, encoder.

    Asked where the file stands beside (`Foresight.whole`), like `leaving`: the documents in memory are those to come.
    """
    made = {
        "parser": "select served_parser from kept.main.documents where state <> 'gone' and served_hash is not null",
        "chunker": "select chunker_version from bodies",
        "tokens": "select tokens_version from names",
        "sketch": "select sketch_version from sketches where sketch_version <> ''",
        "encoder": "select encoder from publications qualify row_number() over (order by rowid desc) = 1",
    }
    return [
        name
        for name, sql in made.items()
        if one(con, f"select count(*) from ({sql}) as made(v) where v <> ?", [now[name]])
    ]


def chunk_rates(con: duckdb.DuckDBPyConnection) -> dict[str, float]:
    """Return file ending -> passages per byte of the documents that were cut, "" for all of them together."""
    rows = fetch(
        con,
        """
        select lower(regexp_extract(path, '\\.([^./]+)$', 1)) as ending, sum(chunk_count) as chunks, sum(size) as bytes
        from documents d join bodies using (body_hash) where d.state <> 'gone' and size > 0 group by 1
        """,
    )
    rates = {row["ending"]: float(row["chunks"] / row["bytes"]) for row in rows if row["ending"]}
    if rows:
        rates[""] = float(sum(row["chunks"] for row in rows) / sum(row["bytes"] for row in rows))
    return rates


def to_cut(con: duckdb.DuckDBPyConnection, chunker_version: str) -> list[Row]:
    """Return the bodies to be cut: body_hash, the path and size of a file that has it, and into how many passages an
    earlier chunker cut it (None when none did).
    """
    return fetch(
        con,
        """
        select d.body_hash, any_value(d.path) as path, any_value(d.size) as size, any_value(b.chunk_count) as chunks
        from documents d join contents c
            on c.content_hash = d.served_hash and c.parser_version = d.served_parser and c.has_text
        left join bodies b on b.body_hash = d.body_hash
        where d.state in ('live', 'held', 'failed', 'superseded', 'expired') and not exists (
            select 1 from bodies e where e.body_hash = d.body_hash and e.chunker_version = ?)
        group by 1
        """,
        [chunker_version],
    )


def lacking(con: duckdb.DuckDBPyConnection, chunker_version: str, encoder_id: str, tokens_version: str) -> Row:
    """Return how many passages of bodies that stay cut as they are lack a vector and morphemes of these versions."""
    return fetch(
        con,
        f"""
        with needed as (
            select distinct k.chunk_hash from chunks k join bodies b using (body_hash)
            join documents d on d.body_hash = k.body_hash where {SERVED} and b.chunker_version = ?
        )
        select count(*) filter (chunk_hash not in (select chunk_hash from vectors where encoder_id = ?)) as embed,
               count(*) filter (chunk_hash not in (
                   select chunk_hash from morphemes where tokens_version = ?)) as tokens
        from needed
        """,
        [chunker_version, encoder_id, tokens_version],
    )[0]


def leaving(con: duckdb.DuckDBPyConnection, now: datetime) -> tuple[int, int]:
    """Return how many passages of today lose the last document that holds their text, and how many documents expire."""
    passages = one(
        con,
        f"""
        select count(*) from chunks where body_hash in (select d.body_hash from kept.main.documents d where {SERVED})
            and body_hash not in (select body_hash from documents where state <> 'gone' and body_hash is not null)
        """,
    )
    expiring = one(
        con,
        "select count(*) from documents where state not in ('gone', 'expired') and expires_at <= ?",
        [now],
    )
    return int(passages or 0), int(expiring or 0)


def timed(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return opened, embedded and seconds (stage -> seconds, JSON) of the last runs that succeeded."""
    return fetch(
        con,
        """
        select (counts->>'opened')::bigint as opened, (counts->>'embedded')::bigint as embedded,
               counts->>'seconds' as seconds
        from runs where outcome = 'success' and job <> 'analyse_gaps' order by rowid desc limit ?
        """,
        [_RUNS],
    )


def judged_before(con: duckdb.DuckDBPyConnection, hashes: Collection[str]) -> dict[str, Row]:
    """Return content_hash -> the newest judgement of it, whichever parser version made that."""
    if not hashes:
        return {}
    rows = fetch(con, "select * from judged where content_hash in (select unnest(?))", [list(hashes)])
    return {row["content_hash"]: row for row in rows}


def attachments_behind(con: duckdb.DuckDBPyConnection, parser_version: str) -> int:
    """Return how many contents of attachments another parser version read; they are read with their mails."""
    sql = (
        "select count(distinct content_hash) from documents "
        "where mail is not null and state <> 'gone' and served_parser <> ?"
    )
    return int(one(con, sql, [parser_version]) or 0)


def holdings(con: duckdb.DuckDBPyConnection, state: str) -> list[Row]:
    """Return source, path, hold_reason and content_hash of the documents in a state, in order."""
    sql = "select source, path, hold_reason, content_hash from documents where state = ? order by source, path"
    return fetch(con, sql, [state])
