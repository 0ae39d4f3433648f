"""Where the bodies that decisions speak of lie now: a rename or a copy changes the place, not the body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

Place = dict[str, str]
Holders = Mapping[str, list[Place]]


def holders(con: duckdb.DuckDBPyConnection) -> dict[str, list[Place]]:
    """Return body hash -> the documents that hold it, the one that serves it first."""
    from resources.ledger import documents

    rows = sorted(documents.present(con), key=lambda row: row["duplicate_of"] is not None)
    found: dict[str, list[Place]] = {}
    for row in rows:
        if row["body_hash"] is not None:
            found.setdefault(row["body_hash"], []).append({"source": row["source"], "path": row["path"]})
    return found


def said(places: Iterable[Place], otherwise: str = "") -> str:
    """Name the first place in one line, with how many more there are; `otherwise` when the body is nowhere now."""
    listed = [f"{place['source']}/{place['path']}" for place in places]
    more = f" (+{len(listed) - 1})" if len(listed) > 1 else ""
    return listed[0] + more if listed else otherwise


def concerns(places: Iterable[Place], source: str | None) -> bool:
    """Tell whether one of the places is of the source; every one counts for None."""
    return source is None or any(place["source"] == source for place in places)
