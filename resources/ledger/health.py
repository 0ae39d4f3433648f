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
    "likeness": "a, b",
    "common_grams": "version",
    "chunk_values": "chunk_hash, values_version",
    "review_items": "item_id",
    "replacements": "older_body",
    "canaries": "canary_id",
    "mails": "mail_id",
    "alerts": "alert_id",
}
# Tables that keep what is over beside what holds: there a key stands once among what holds.
_HOLDS = {"review_items": "closed_at is null", "replacements": "ended_at is null"}


def doubled_keys(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return table -> number of keys that stand more than once."""
    found = {}
    for table, keys in KEYS.items():
        rows = f"select {keys} from {table} where {_HOLDS.get(table, 'true')} group by all having count(*) > 1"
        count = one(con, f"select count(*) from ({rows})")
        if count:
            found[table] = int(count)
    return found
