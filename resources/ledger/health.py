"""What the schema doesn't enforce, because keys cost too much there, is verified here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.ledger.rows import one

if TYPE_CHECKING:
    import duckdb

KEYS = {
    "documents": "source, path",
    "contents": "content_hash, parser_version",
    "bodies": "body_hash",
    "chunks": "chunk_id",
    "texts": "chunk_hash",
    "morphemes": "chunk_hash, tokens_version",
    "vectors": "chunk_hash, encoder_id",
    "places": "content_hash, parser_version, chunk_id",
    "sketches": "body_hash",
    "edges": "a, b",
    "common_grams": "version",
    "canaries": "canary_id",
    "mails": "mail_id",
    "alerts": "alert_id",
}


def doubled_keys(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return table -> number of keys that stand more than once."""
    found = {}
    for table, keys in KEYS.items():
        count = one(con, f"select count(*) from (select {keys} from {table} group by all having count(*) > 1)")
        if count:
            found[table] = int(count)
    return found
