"""From ledger rows to the rows of the index: what a search result needs, so that search never opens the ledger."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from pipelines.search import SUPERSEDED_BY
from pipelines.tokens import with_names

Row = dict[str, Any]

# Part of every row hash: a change of what `index_row` makes of a ledger row, or of a row rule, must change it.
ROWS_VERSION = "3"


def index_row(
    row: Row,
    *,
    encoder_id: str,
    holders: Sequence[tuple[str, str]],
    name_tokens: Mapping[str, str],
    now: datetime,
) -> Row:
    """Return the index row of one chunk.

    row       a row of resources.ledger.index_rows.rows_of
    holders   every (source, path) that holds the body, the serving one included
    name_tokens  "source/path" -> morphemes of the name; they help to find it and count in no score
    """
    own = (row["source"], row["path"])
    others = [{"source": source, "path": path} for source, path in holders if (source, path) != own]
    modified = row["modified_at"] or datetime.fromtimestamp(row["mtime_ns"] / 1e9, UTC)
    named = " ".join(name_tokens.get(f"{source}/{path}", "") for source, path in [own, *holders])
    return {
        "chunk_id": row["chunk_id"],
        "body_hash": row["body_hash"],
        "chunk_hash": row["chunk_hash"],
        "text": row["text"],
        "tokens": with_names(row["tokens"] or "", " ".join(dict.fromkeys(named.split()))),
        "title": row["title"] or "",
        "heading": json.loads(row["heading"] or "[]"),
        "vector": _unit(row["vector"]),
        "source": row["source"],
        "path": row["path"],
        "format": row["format"],
        "locator": row["locator"] or "{}",
        "also_in": json.dumps(others, ensure_ascii=False),
        "modified_at": modified,
        "clock": row["clock"] or "mtime",
        "expires_at": row["body_expires_at"],
        "flags": json.dumps(flags_of(row, now), ensure_ascii=False),
        "encoder_id": encoder_id,
        "ordinal": row["ordinal"],
        "n_tokens": row["n_tokens"],
    }


def flags_of(row: Row, now: datetime) -> list[str]:
    """Return what a reader should know beside the passage: stale_parse, held, superseded, expired, demoted.

    Facts decide, not the state: a document that can't be read tonight may be superseded too, and `--include` asks for
    that. What is superseded also names its successor, which search ranks before it.
    """
    flags = set(json.loads(row["flags"] or "[]"))
    if row["superseded_by"]:
        flags |= {"superseded", f"{SUPERSEDED_BY}{row['superseded_by']}"}
    if row["body_expires_at"] is not None and row["body_expires_at"] <= now:
        flags.add("expired")
    if row["state"] == "held":
        flags.add("held")
    return sorted(flags)


def split_names(rows: Iterable[Row], holders: Mapping[str, Sequence[tuple[str, str]]]) -> set[str]:
    """Return every "source/path" whose name stands in a full-text column."""
    names = set()
    for row in rows:
        names.add(f"{row['source']}/{row['path']}")
        names |= {f"{source}/{path}" for source, path in holders.get(row["body_hash"], ())}
    return names


def name_text(name: str) -> str:
    """Return the words of a document's name: folders and file name without ending, separators as spaces."""
    stem, dot, ending = name.rpartition(".")
    plain = stem if dot and len(ending) <= 5 and "/" not in ending else name
    for mark in "/_-!()[]":
        plain = plain.replace(mark, " ")
    return " ".join(plain.split())


def _unit(half: bytes | None) -> np.ndarray[Any, Any] | None:
    """Return the stored float16 vector as float32 of unit length (rounding moved it by up to 1e-3)."""
    if half is None:
        return None
    vector = np.frombuffer(half, "<f2").astype(np.float32)
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
