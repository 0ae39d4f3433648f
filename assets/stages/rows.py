"""The rows that the index should hold, made from the ledger once a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipelines.index_rows import index_row, name_text, split_names
from pipelines.rowrules import bad_rows
from pipelines.tokens import TOKENS_VERSION, tokens
from resources.build import Run
from resources.ledger import passages
from resources.rows import hash_row

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DesiredRows:
    """Live and retired index rows, each with its row_hash, and what row rules withhold (chunk id -> reason)."""

    live: list[Row]
    retired: list[Row]
    withheld: dict[str, str]
    withheld_places: dict[str, tuple[str, str]]
    withheld_bodies: frozenset[str]


def desired_rows(run: Run) -> DesiredRows:
    """Build the rows, keep bad ones back one by one, and remember the result for the stages that follow."""
    if "rows" in run.memory:
        kept: DesiredRows = run.memory["rows"]
        return kept
    saero = run.saero
    encoder_id = saero.encoder.encoder_id
    with saero.ledger.transaction("rows") as con:
        wanted = passages.desired(con, encoder_id, TOKENS_VERSION).to_pylist()
        holders = passages.holders(con)
        named = passages.name_tokens(con, TOKENS_VERSION)
    names = _named(run, split_names(wanted, holders), named)
    live: list[Row] = []
    retired: list[Row] = []
    for row in wanted:
        held_by = holders.get(row["body_hash"], ())
        made = index_row(row, encoder_id=encoder_id, holders=held_by, name_tokens=names, now=run.now)
        (retired if row["retired"] else live).append(made)
    withheld = bad_rows(live + retired, max_tokens=saero.encoder.max_tokens)
    places = {row["chunk_id"]: (row["source"], row["path"]) for row in live + retired if row["chunk_id"] in withheld}
    bodies = frozenset(row["body_hash"] for row in live + retired if row["chunk_id"] in withheld)
    for rows in (live, retired):
        rows[:] = [{**row, "row_hash": hash_row(row)} for row in rows if row["chunk_id"] not in withheld]
    with saero.ledger.transaction("rows") as con:
        passages.put_withheld(con, withheld, run.now)
    run.memory["rows"] = DesiredRows(live, retired, withheld, places, bodies)
    return run.memory["rows"]  # type: ignore[no-any-return]


def _named(run: Run, names: set[str], known: dict[str, str]) -> dict[str, str]:
    """Add the morphemes of names that the ledger lacks."""
    fresh = {name: tokens(name_text(name)) for name in sorted(names - set(known))}
    if fresh:
        with run.saero.ledger.transaction("names") as con:
            passages.add_name_tokens(con, TOKENS_VERSION, fresh)
    return {**known, **fresh}
