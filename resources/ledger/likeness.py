"""How alike two bodies were found to be, for the pairs whose names may be versions of one thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from resources.ledger.rows import insert

if TYPE_CHECKING:
    import duckdb

Pair = tuple[str, str]  # body hashes, a < b
Figures = tuple[float, float, float]  # Jaccard, the part of a that b holds, the part of b that a holds


def known(con: duckdb.DuckDBPyConnection) -> dict[Pair, Figures]:
    """Return what is remembered."""
    rows = con.execute("select a, b, jaccard, a_in_b, b_in_a from likeness").fetchall()
    return {(a, b): (jaccard, a_in_b, b_in_a) for a, b, jaccard, a_in_b, b_in_a in rows}


def keep(con: duckdb.DuckDBPyConnection, asked: Mapping[Pair, Figures]) -> None:
    """Remember what a night asked about, and nothing else."""
    before = known(con)
    gone = [pair for pair in before if pair not in asked]
    if gone:
        con.execute(
            "delete from likeness where (a, b) in (select unnest(?), unnest(?))",
            [[a for a, _ in gone], [b for _, b in gone]],
        )
    names = ("a", "b", "jaccard", "a_in_b", "b_in_a")
    new = [(*pair, *figures) for pair, figures in asked.items() if pair not in before]
    insert(con, "likeness", [dict(zip(names, row, strict=True)) for row in new])
