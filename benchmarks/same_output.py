"""What a refresh leaves, to be compared with what another left: files byte for byte, rows without times of the run."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from resources.build import Saero
from resources.ledger.rows import fetch

# Text versions and parsed bodies. The ledger and the index are databases: their rows are compared, not their files.
_FOLDERS = ("parsed", "bodies")
_TABLES = {
    "document": "documents",
    "content": "contents",
    "body": "bodies",
    "chunk": "chunks",
    "text": "texts",
    "place": "places",
    "withheld": "withheld",
}
# When and in which run: the only columns in which two refreshes of the same files may differ.
_OF_THE_RUN = frozenset(
    {"first_run", "first_seen", "changed_at", "read_at_ns", "failing_since", "parsed_at", "made_at", "since"}
)


def outputs(saero: Saero, state: Path) -> dict[str, str]:
    """Return what was left by name ("parsed/cases/hwp/표.hwp.md", "passage 1f3a"): the SHA-256 of a file or a row."""
    found = {}
    for folder in _FOLDERS:
        for path in (state / folder).rglob("*"):
            if path.is_file():
                found[path.relative_to(state).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
    with saero.ledger.transaction("report") as con:
        rows = {kind: fetch(con, f"select * from {table}") for kind, table in _TABLES.items()}
    rows["passage"] = saero.reader().get()
    for kind, listed in rows.items():
        found |= {f"{kind} {_named(row)}": _digest(row) for row in listed}
    return found


def differing(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """Return the names of what only one has, or each otherwise."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def _named(row: dict[str, Any]) -> str:
    keys = ("source", "path", "content_hash", "body_hash", "chunk_id", "chunk_hash", "ordinal")
    return "/".join(str(row[key]) for key in keys if row.get(key) is not None)


def _digest(row: dict[str, Any]) -> str:
    said = [(key, _plain(value)) for key, value in sorted(row.items()) if key not in _OF_THE_RUN]
    return hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()


def _plain(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) else value
