"""Pairs of bodies that are, or were, a matter of versions: nothing else asks a person about them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.ledger import replacements, reviews

if TYPE_CHECKING:
    import duckdb


def version_pairs(con: duckdb.DuckDBPyConnection) -> set[frozenset[str]]:
    """Return the pairs that are asked about as versions, that a person answered, or of which one replaces the other."""
    items = [*reviews.opened(con, "version"), *reviews.answers(con, "version").values()]
    pairs = {frozenset((row["a_body"], row["b_body"])) for row in items}
    return pairs | {frozenset((row["older_body"], row["newer_body"])) for row in replacements.standing(con)}


def asked_as_version(body: str, covers: frozenset[str], pairs: set[frozenset[str]]) -> bool:
    """Tell whether a body and one that covers it are such a pair."""
    return any(frozenset((body, cover)) in pairs for cover in covers)
