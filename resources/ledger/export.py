"""What exists nowhere but in the ledger, as lines of JSON, and back into a new one."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from resources.ledger.rows import fetch, insert, one

if TYPE_CHECKING:
    import duckdb

# Decisions of persons, undone replacements among them; canaries with their pins and history; what was mailed and told;
# the frozen lists of common 5-grams, without which a new ledger might find other candidates than the one before.
# How often documents were found, and what persons said of passages; not the questions, for a copy outlives their days.
# With the key of what a person may have written into a new ledger before its first run.
TABLES = {
    "decisions": "decision_id",
    "replacements": "",
    "canaries": "canary_id",
    "canary_history": "",
    "mails": "mail_id",
    "alerts": "alert_id",
    "common_grams": "version",
    "found": "",
    "feedback": "line_id",
}


def lines(con: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield one JSON object a row, with its table; times are ISO 8601, bytes base64."""
    for table in TABLES:
        for row in fetch(con, f"select * from {table} order by all"):
            yield json.dumps({"table": table, "row": row}, ensure_ascii=False, default=_plain)


def lines_kept(exported: Iterable[str], kept: Callable[[str, dict[str, Any]], dict[str, Any] | None]) -> list[str]:
    """Return exported lines with what `kept` makes of their rows (None: it leaves); mails come with their bytes."""
    after = []
    for line in exported:
        said = json.loads(line)
        table, row = said["table"], said["row"]
        whole = _Sparse(row)
        if row.get("mime") is not None:
            whole["mime"] = base64.b64decode(row["mime"])
        other = kept(table, whole)
        if other is whole:
            after.append(line)
        elif other is not None:
            after.append(json.dumps({"table": table, "row": other}, ensure_ascii=False, default=_plain))
    return after


class _Sparse(dict[str, Any]):
    """A row of a copy that another version wrote: what it doesn't have is NULL."""

    def __missing__(self, name: str) -> None:
        return None


def is_new(con: duckdb.DuckDBPyConnection) -> bool:
    """Tell whether no run has written into this ledger yet."""
    return not one(con, "select count(*) from runs")


def take_back(con: duckdb.DuckDBPyConnection, exported: Iterable[str]) -> None:
    """Insert exported rows; tables and columns that this version doesn't have, and keys that stand, are left out."""
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
    for line in exported:
        said = json.loads(line)
        rows.get(said["table"], []).append(said["row"])
    for table, key in TABLES.items():
        types = {name: kind for name, kind, *_ in con.execute(f"describe {table}").fetchall()}
        standing = {row[key] for row in fetch(con, f"select {key} from {table}")} if key else set()
        fresh = [row for row in rows[table] if not key or row[key] not in standing]
        insert(con, table, [{name: _typed(row.get(name), kind) for name, kind in types.items()} for row in fresh])


def _plain(value: Any) -> str:
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value.isoformat()


def _typed(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind == "BLOB":
        return base64.b64decode(value)
    return datetime.fromisoformat(value) if kind.startswith("TIMESTAMP") else value
