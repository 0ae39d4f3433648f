"""Asks which similar passages of different documents state different values, and puts them before a person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pipelines.apart import Apart, answered_pairs
from pipelines.conflicts import Conflict, Pair, conflicts, with_answers
from pipelines.holders import groups, series
from pipelines.likeliest import Likeliest
from pipelines.score import TEXT, calibration_for
from pipelines.similar import is_telling
from pipelines.stating import Flags, Stating, near_pairs, stating, word_pairs
from pipelines.value import Value
from pipelines.values import VALUES_VERSION, stated
from resources.ledger import documents as document_store
from resources.ledger import edges, reviews
from resources.ledger import served as served_store
from resources.ledger import values as value_store

if TYPE_CHECKING:
    import duckdb

    from pipelines.served import Served
    from resources.build import Saero

Row = dict[str, Any]
Step = Literal["values", "contradictions"]
# Hears what is done: passages read, or pairs compared; and of how many.
OnStep = Callable[[Step, int, int], None]
# Passages that are read, or whose values are compared, at once: a few MB of text or values.
_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Conflicts:
    """What was found.

    bar       the least cosine, None by words alone
    passages  how many a search can find; `stating` of them state values
    left_out  pairs of passages over the bar that weren't compared: their families have likelier ones, or there are
              too many in all
    """

    found: tuple[Conflict, ...]
    method: Literal["cosine", "words"]
    bar: float | None
    passages: int
    stating: int
    left_out: int


def ask(saero: Saero, now: datetime, only: Collection[str] | None = None, on_step: OnStep | None = None) -> Conflicts:
    """Compare what passages state (all, or those of the chunk hashes `only` with all), and bring the queue up to date.

    What `only` leaves out stays in the queue as it is.
    """
    encoder = saero.query_encoder.encoder_id
    with saero.ledger.transaction("contradictions") as con:
        served = served_store.current(con, encoder)
        apart = _apart(con, served)
        opened = reviews.opened(con, "contradiction")
        said = [{"item_id": key, **row} for key, row in reviews.answers(con, "contradiction").items()]
    _read_values(saero, served.hashes, on_step)
    known = stating(_stating(saero, served))
    calibration = calibration_for(encoder)
    bar = calibration.cosine_relevant if calibration is not TEXT and served.embedded.any() else None
    asked = _asked(served, known, only)
    pairs, left_out = _pairs(served, apart, known, asked, bar)
    pairs = [*_once_asked(served, known, asked, [*opened, *said], pairs), *pairs]

    def told(done: int, total: int) -> None:
        if on_step:
            on_step("contradictions", done, total)

    found = with_answers(conflicts(served, apart, pairs, _values_of(saero, served), told), said)
    before = {row["item_id"] for row in opened}
    shown = [one for one in found if one.answer or one.review in before or _tells(one, known)]
    _sync(saero, shown, {served.hashes[row] for row in known.rows[asked].tolist()}, served, now)
    method: Literal["cosine", "words"] = "cosine" if bar else "words"
    return Conflicts(tuple(shown), method, bar, len(served.chunk_ids), len(known.rows), left_out)


def _tells(one: Conflict, known: Stating) -> bool:
    return is_telling(one.attribute, known.usual, len(known.rows))


def _apart(con: duckdb.DuckDBPyConnection, served: Served) -> Apart:
    here = set(served.bodies)
    kin = edges.kin(con, served.bodies)
    least = (kin.bodies[row] for row in kin.least.tolist())
    family = {body: body for body in here} | dict(zip(kin.bodies, least, strict=True))
    rows = document_store.present(con)
    documents = {r["body_hash"]: r for r in rows if r["duplicate_of"] is None and r["body_hash"] in here}
    versions, distinct = answered_pairs(reviews.opened(con, "version"), reviews.answers(con, "version"))
    return Apart(documents, family, versions, distinct)


def _read_values(saero: Saero, hashes: Sequence[str], on_step: OnStep | None) -> None:
    """Extract the values of passages that haven't been read by these rules."""
    with saero.ledger.transaction("values") as con:
        waiting = value_store.unread(con, hashes, VALUES_VERSION)
    for start in range(0, len(waiting), _AT_ONCE):
        if on_step:
            on_step("values", start, len(waiting))
        with saero.ledger.transaction("values") as con:
            texts = value_store.texts(con, waiting[start : start + _AT_ONCE])
        made = [(name, stated(text, heading)) for name, text, heading in texts]
        with saero.ledger.transaction("values") as con:
            value_store.add(con, VALUES_VERSION, made)


def _stating(saero: Saero, served: Served) -> Iterator[tuple[int, Sequence[Value]]]:
    """Yield the rows of `served.hashes` that state values, with these."""
    with saero.ledger.transaction("values") as con:
        some = value_store.stating(con, VALUES_VERSION)
    rows = [row for row, name in enumerate(served.hashes) if name in some]
    values_of = _values_of(saero, served)
    for start in range(0, len(rows), _AT_ONCE):
        yield from values_of(rows[start : start + _AT_ONCE]).items()


def _values_of(saero: Saero, served: Served) -> Callable[[Sequence[int]], Mapping[int, Sequence[Value]]]:
    def values_of(rows: Sequence[int]) -> dict[int, list[Value]]:
        with saero.ledger.transaction("values") as con:
            found = value_store.of(con, [served.hashes[row] for row in rows], VALUES_VERSION)
        return {row: found.get(served.hashes[row], []) for row in rows}

    return values_of


def _asked(served: Served, known: Stating, only: Collection[str] | None) -> Flags:
    if only is None:
        return np.ones(len(known.rows), bool)
    names = set(only)
    return np.array([served.hashes[row] in names for row in known.rows.tolist()], bool)


def _pairs(served: Served, apart: Apart, known: Stating, asked: Flags, bar: float | None) -> tuple[list[Pair], int]:
    """Return the likeliest pairs of rows of `served.hashes`, best first, and how many there are beside them."""
    by_family, alone = groups(served, [apart.group(body) for body in served.bodies])
    by_name = series(served, [apart.series(body) for body in served.bodies])
    held_by = by_family[known.rows], alone[known.rows], by_name[known.rows]
    near, by_words = Likeliest(known, *held_by), Likeliest(known, *held_by)
    embedded = served.embedded[known.rows] & (bar is not None)
    if bar is not None:
        near.take(near_pairs(known, served.vectors, embedded, asked, bar))
    if not embedded.all():
        by_words.take(word_pairs(known, asked, ~embedded))
    rows = known.rows.tolist()
    found: list[Pair] = [(rows[i], rows[j], cosine) for i, j, cosine in near.best()]
    found += [(rows[i], rows[j], None) for i, j, _ in by_words.best()]
    return found, near.left_out + by_words.left_out


def _once_asked(
    served: Served, known: Stating, asked: Flags, items: Sequence[Row], pairs: Sequence[Pair]
) -> list[Pair]:
    """Return the pairs, not in `pairs`, of what a person was asked once: search finds both, and one is `asked`."""
    place = {name: row for row, name in enumerate(served.hashes)}
    said, wanted = set(known.rows.tolist()), set(known.rows[asked].tolist())
    here = {frozenset(pair[:2]) for pair in pairs}
    found: dict[frozenset[int], Pair] = {}
    for item in items:
        i, j = place.get(item["a_chunk"], -1), place.get(item["b_chunk"], -1)
        if {i, j} <= said and {i, j} & wanted and i != j and frozenset((i, j)) not in here:
            both = bool(served.embedded[i] and served.embedded[j])
            cosine = float(served.vectors[i].astype(np.float32) @ served.vectors[j].astype(np.float32))
            found[frozenset((i, j))] = (i, j, cosine if both else None)
    return list(found.values())


def _sync(saero: Saero, found: Sequence[Conflict], asked: set[str], served: Served, now: datetime) -> None:
    """Make the open items those that were found; what nobody asked about stays while both its sides are served."""
    items = {one.review: _item(one) for one in found}
    here, bodies = set(served.hashes), set(served.bodies)
    with saero.ledger.transaction("contradictions") as con:
        others = [
            {key: row[key] for key in reviews.COLUMNS}
            for row in reviews.opened(con, "contradiction")
            if row["item_id"] not in items
            and asked.isdisjoint((row["a_chunk"], row["b_chunk"]))
            and here.issuperset((row["a_chunk"], row["b_chunk"]))
            and bodies.issuperset((row["a_body"], row["b_body"]))
        ]
        reviews.sync(con, "contradiction", [*items.values(), *others], now)


def _item(one: Conflict) -> Row:
    a, b = one.a, one.b
    return reviews.new_item(
        one.review,
        "contradiction",
        a_body=a.body,
        b_body=b.body,
        a_chunk=a.chunk_hash,
        b_chunk=b.chunk_hash,
        evidence=one.evidence(),
    )
