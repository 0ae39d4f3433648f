"""What no present document has held for 90 days leaves the ledger (DESIGN sections 4 and 7)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from resources.ledger.rows import one

if TYPE_CHECKING:
    import duckdb

# A document that comes back within a quarter (a restored folder, a returned version) costs no parsing and no model.
KEEP = timedelta(days=90)
# Before anything else is idle.
_EVER = datetime(1970, 1, 1, tzinfo=UTC)

# Every key of a kind that nothing needs now. A content is needed by the parser version that its document is served
# from or was last judged by; a text by a body that a present document holds, whatever chunker cut it.
_UNUSED = """
create or replace temp table unused as
with present as (select * from documents where state <> 'gone'),
needed as (
    select served_hash as content_hash, served_parser as parser_version from present
    union select j.content_hash, j.parser_version from judged j join present d on d.content_hash = j.content_hash
)
select 'content' as kind, c.content_hash || '.' || c.parser_version as key from contents c
    anti join needed n on n.content_hash = c.content_hash and n.parser_version = c.parser_version
union select 'body', body_hash from (
    select body_hash from bodies union select body_hash from sketches
    union select unnest([a_body, b_body]) from review_items
    union select unnest([older_body, newer_body]) from replacements
) anti join present using (body_hash)
union select 'text', chunk_hash from (
    select chunk_hash from texts union select chunk_hash from morphemes union select chunk_hash from vectors
    union select chunk_hash from chunk_values
) anti join (select chunk_hash from chunks semi join present using (body_hash)) using (chunk_hash)
union select distinct 'encoder', encoder_id from vectors where encoder_id <> $encoder
union select distinct 'tokens', tokens_version from morphemes where tokens_version <> $tokens
"""


def sweep(
    con: duckdb.DuckDBPyConnection, *, encoder_id: str, tokens_version: str, now: datetime
) -> list[tuple[str, str]]:
    """Note what is unused since when, and delete what has been for 90 days; a key that is needed again starts anew.

    Of a gone document its row stays as long (source, path, hashes, the last reason; no text), then nothing does; the
    morphemes of its name leave at once. Returns (content_hash, parser_version) of the blocks to be deleted from disk.
    """
    con.execute(_UNUSED, {"encoder": encoder_id, "tokens": tokens_version})
    con.execute("delete from idle where (kind, key) not in (select kind, key from unused)")
    con.execute("insert into idle select kind, key, ? from unused anti join idle using (kind, key)", [now])
    con.execute("drop table unused")
    con.execute(
        "delete from names where name not in (select source || '/' || path from documents where state <> 'gone')"
    )
    con.execute("delete from names where tokens_version <> ?", [tokens_version])
    con.execute("delete from documents where state = 'gone' and gone_at <= ?", [now - KEEP])
    return _delete(con, now - KEEP) if one(con, "select count(*) from idle where since <= ?", [now - KEEP]) else []


def sweep_at_once(con: duckdb.DuckDBPyConnection) -> None:
    """Delete contents, bodies and texts that no present document holds, and the morphemes of names that none has.

    What other encoders and tokenizers made of present texts waits its 90 days. Blocks on disk are the caller's.
    """
    con.execute(_UNUSED, {"encoder": "", "tokens": ""})
    con.execute("delete from unused where kind not in ('content', 'body', 'text')")
    con.execute("delete from idle where (kind, key) in (select kind, key from unused)")
    con.execute("insert into idle select kind, key, ? from unused", [_EVER])
    con.execute("drop table unused")
    con.execute(
        "delete from names where name not in (select source || '/' || path from documents where state <> 'gone')"
    )
    _delete(con, _EVER)


def _delete(con: duckdb.DuckDBPyConnection, before: datetime) -> list[tuple[str, str]]:
    con.execute("create or replace temp table due as select kind, key from idle where since <= ?", [before])
    con.execute("delete from idle where since <= ?", [before])
    contents = con.execute(
        "select content_hash, parser_version from contents where content_hash || '.' || parser_version "
        "in (select key from due where kind = 'content') order by all"
    ).fetchall()
    for table, key in (("bands", "sketch_id"), ("edges", "a"), ("edges", "b")):
        con.execute(
            f"delete from {table} where {key} in (select sketch_id from sketches "
            "where body_hash in (select key from due where kind = 'body'))"
        )
    for table, key, kind in (
        ("contents", "content_hash || '.' || parser_version", "content"),
        ("places", "content_hash || '.' || parser_version", "content"),
        ("chunks", "body_hash", "body"),
        ("bodies", "body_hash", "body"),
        ("sketches", "body_hash", "body"),
        # What persons answered stays in `decisions`: a body that returns isn't asked about again.
        ("review_items", "a_body", "body"),
        ("review_items", "b_body", "body"),
        ("replacements", "older_body", "body"),
        ("replacements", "newer_body", "body"),
        ("texts", "chunk_hash", "text"),
        ("chunk_values", "chunk_hash", "text"),
        ("morphemes", "chunk_hash", "text"),
        ("vectors", "chunk_hash", "text"),
        ("vectors", "encoder_id", "encoder"),
        ("morphemes", "tokens_version", "tokens"),
    ):
        con.execute(f"delete from {table} where {key} in (select key from due where kind = '{kind}')")
    con.execute("delete from places where chunk_id not in (select chunk_id from chunks)")
    con.execute("drop table due")
    return contents
