"""Documents and contents in the ledger."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from resources.ledger import findings
from resources.ledger.rows import PlainRow, fetch, fetch_plain, insert, update

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
_NEW: Row = {
    "source": None, "path": None, "disk_path": None, "mail": None, "size": None, "mtime_ns": None,
    "ctime_ns": None, "inode": None,
    "read_at_ns": None, "content_hash": None, "served_hash": None, "served_parser": None, "body_hash": None,
    "state": "live", "flags": [],
    "category": None, "reason": None, "failing_since": None, "failed_runs": 0, "duplicate_of": None,
    "superseded_by": None,
    "retired": False, "expires_at": None, "expiry_evidence": None, "body_expires_at": None,
    "first_run": None, "first_seen": None,
    "changed_at": None, "hold_reason": None, "hold_nights": None, "hold_counted": None, "gone_at": None,
}  # fmt: skip


# What many documents have in common, or twice in a row; one object of each is kept.
_OFTEN = (
    "source",
    "content_hash",
    "served_hash",
    "body_hash",
    "served_parser",
    "state",
    "first_run",
    "first_seen",
    "changed_at",
)


def new_row(**values: Any) -> Row:
    """Return a document row with every column, `values` set."""
    unknown = set(values) - set(_NEW)
    if unknown:
        raise KeyError(f"no such document column: {sorted(unknown)}")
    return {**_NEW, **values}


def of_source(
    con: duckdb.DuckDBPyConnection, source: str, same: dict[Any, Any] | None = None
) -> dict[str, Mapping[str, Any]]:
    """Return path -> row, not to be written to, of every document of a source that isn't gone.

    Values that many rows have are one object in all queries that are given the same `same`.
    """
    sql = "select * from documents where source = ? and state <> 'gone' order by path"
    places, rows = fetch_plain(con, sql, [source])
    path, disk_path, flags = (places[name] for name in ("path", "disk_path", "flags"))
    often = [places[name] for name in _OFTEN]
    same = {} if same is None else same
    found: dict[str, Mapping[str, Any]] = {}
    for values in rows:
        row = list(values)
        row[disk_path], row[flags] = _disk_path(row[disk_path]), _flags(row[flags])
        for n in often:
            row[n] = same.setdefault(row[n], row[n])
        found[row[path]] = PlainRow(places, tuple(row))
    return found


def present(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return every document that isn't gone, joined with what its served content says."""
    rows = fetch(
        con,
        """
        select d.*, c.format, c.title, c.author, c.modified_at, c.created_at, c.clock, c.chars, c.properties,
               c.warnings, c.ocr_pages, c.asides, c.has_text, c.parser_version
        from documents d
        left join contents c on c.content_hash = d.served_hash and c.parser_version = d.served_parser
        where d.state <> 'gone' order by d.source, d.path
        """,
    )
    return [opened(row) for row in rows]


def one(con: duckdb.DuckDBPyConnection, source: str, path: str) -> Row | None:
    """Return a document that isn't gone, None when there is none."""
    rows = fetch(con, "select * from documents where source = ? and path = ? and state <> 'gone'", [source, path])
    return opened(rows[0]) if rows else None


def sources_with_documents(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of all sources that still hold documents, configured or not."""
    return [r["source"] for r in fetch(con, "select distinct source from documents where state <> 'gone' order by 1")]


def hashes_elsewhere(
    con: duckdb.DuckDBPyConnection, hashes: Collection[str], missing: Collection[tuple[str, str]]
) -> set[str]:
    """Return those of `hashes` that a present document holds besides `missing`, (source, path) each."""
    if not hashes:
        return set()
    rows = fetch(
        con,
        "select distinct content_hash from documents where state <> 'gone' and content_hash in (select unnest(?)) "
        "and (source, path) not in (select unnest(?), unnest(?))",
        [list(hashes), [source for source, _ in missing], [path for _, path in missing]],
    )
    return {row["content_hash"] for row in rows}


def files_holding(con: duckdb.DuckDBPyConnection, content_hash: str) -> list[tuple[str, str, str]]:
    """Return (source, path, disk path) of the files that gave a content and still lie there.

    An attachment lies in the file of its mail. Files themselves come first.
    """
    rows = fetch(
        con,
        "select * from documents where content_hash = ? and state <> 'gone' and hold_reason is null "
        "and disk_path is not null order by mail is not null, source, path",
        [content_hash],
    )
    return [(row["source"], row["path"], opened(row)["disk_path"]) for row in rows]


def contents_known(
    con: duckdb.DuckDBPyConnection, parser_version: str, same: dict[Any, Any] | None = None
) -> dict[str, Mapping[str, Any]]:
    """Return content_hash -> its judgement, not to be written to, of every content that this parser version judged."""
    columns = "content_hash, category, reason, limits, body_hash, ocr_pages, attachments"
    places, rows = fetch_plain(con, f"select {columns} from contents where parser_version = ?", [parser_version])
    same = {} if same is None else same
    return {
        same.get(values[0], values[0]): PlainRow(places, tuple(same.get(value, value) for value in values))
        for values in rows
    }


def add(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Insert documents; `drop_gone_twins` first, where they may have been gone before."""
    listed = [_stored(row) for row in rows]
    if not listed:
        return
    insert(con, "documents", listed)


def change(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Write every column of existing documents."""
    update(con, "documents", ["source", "path"], [_stored(row) for row in rows])


def drop_gone_twins(con: duckdb.DuckDBPyConnection, keys: Iterable[tuple[str, str]]) -> None:
    """Take away rows of documents that were gone and are back under the same key."""
    listed = list(keys)
    con.execute(
        "delete from documents where state = 'gone' and (source, path) in (select unnest(?), unnest(?))",
        [[source for source, _ in listed], [path for _, path in listed]],
    )


def add_contents(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> None:
    """Store what a parser version made of contents; a content is stored once."""
    listed = list(rows)
    if not listed:
        return
    known = {
        (row["content_hash"], row["parser_version"])
        for row in fetch(
            con,
            "select content_hash, parser_version from contents where content_hash in (select unnest(?))",
            [[row["content_hash"] for row in listed]],
        )
    }
    fresh = {(row["content_hash"], row["parser_version"]): row for row in listed}
    insert(con, "contents", [row for key, row in fresh.items() if key not in known])


def forget_contents(con: duckdb.DuckDBPyConnection, hashes: Collection[str], parser_version: str) -> None:
    """Take back what was made of contents, so that they are parsed again."""
    con.execute(
        "delete from contents where parser_version = ? and content_hash in (select unnest(?))",
        [parser_version, list(hashes)],
    )


def opened(row: Row) -> Row:
    """Make a row as the ledger holds it one for Python: the disk's own bytes become the text that opens the file."""
    row["disk_path"], row["flags"] = _disk_path(row["disk_path"]), _flags(row["flags"])
    return row


def _disk_path(stored: bytes | None) -> str | None:
    return None if stored is None else os.fsdecode(stored)


def _flags(stored: str | None) -> list[str]:
    import json

    return json.loads(stored) if stored not in (None, "", "[]") else []


def _stored(row: Row) -> Row:
    kept = {name: row[name] for name in _NEW}
    kept["disk_path"] = os.fsencode(kept["disk_path"]) if isinstance(kept["disk_path"], str) else kept["disk_path"]
    return kept


def rename_source(con: duckdb.DuckDBPyConnection, old: str, new: str) -> None:
    """Give everything that is kept by source name its new name.

    Documents that the new name holds already (it was read before `was` was written) stay; their old twins leave.
    """
    con.execute(
        "delete from documents where source = ? and state = 'gone' "
        "and path in (select path from documents where source = ? and state <> 'gone')",
        [new, old],
    )
    con.execute(
        "delete from documents where source = ? and path in (select path from documents where source = ?)", [old, new]
    )
    for table, column in (("documents", "source"), ("canaries", "pinned_source")):
        con.execute(f"update {table} set {column} = ? where {column} = ?", [new, old])
    findings.rename_source(con, old, new)
    con.execute("delete from sources where name = ?", [old])


def leave_source(con: duckdb.DuckDBPyConnection, name: str, *, forget: bool, now: datetime) -> None:
    """Hold the documents of a source that the settings no longer name, or let them go."""
    if forget:
        con.execute(
            "update documents set state = 'gone', gone_at = ?, hold_reason = null where source = ? and state <> 'gone'",
            [now, name],
        )
        con.execute("delete from sources where name = ?", [name])
        return
    con.execute(
        "update documents set state = 'held', hold_reason = 'unconfigured' "
        "where source = ? and state <> 'gone' and hold_reason is distinct from 'unconfigured'",
        [name],
    )
    con.execute("update sources set configured = false where name = ?", [name])


def overview(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the columns of `documents --json` for every document, gone ones included, and what its notes need."""
    return fetch(
        con,
        """
        with cut as (select body_hash, any_value(chunk_count) as chunks from bodies group by body_hash)
        select d.source, d.path, d.state, coalesce(c.format, j.format) as format, coalesce(c.title, j.title) as title,
               coalesce(c.modified_at, j.modified_at, make_timestamptz(d.mtime_ns // 1000)) as modified_at,
               coalesce(c.clock, j.clock, 'mtime') as clock,
               d.expires_at, d.duplicate_of, d.superseded_by, d.category, d.reason,
               case when d.duplicate_of is null then cut.chunks end as chunks, d.flags::varchar as flags, d.mail,
               c.ocr_pages::varchar as ocr_pages
        from documents d
        left join contents c on c.content_hash = d.served_hash and c.parser_version = d.served_parser
        left join judged j on d.served_hash is null and j.content_hash = d.content_hash
        left join cut on cut.body_hash = d.body_hash
        order by d.source, d.path
        """,
    )
