"""Asks which similar passages of different documents state different values, and puts them before a person."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pipelines.contradict import Contradiction, answered, contradictions
from pipelines.near import joined
from pipelines.score import TEXT, calibration_for
from pipelines.similar import Pair, is_telling, keys, near_pairs, one_series, word_pairs
from pipelines.value import Value
from pipelines.values import VALUES_VERSION, stated
from resources.ledger import documents as document_store
from resources.ledger import reviews, sketches
from resources.ledger import served as served_store
from resources.ledger import values as value_store

if TYPE_CHECKING:
    import duckdb

    from pipelines.served import Served
    from resources.build import Saero

Row = dict[str, Any]
# Passages that are read, or whose values are compared, at once: a few MB of text or values.
_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Side:
    """A passage: the document that serves it, its place among the served ones and the value that it states."""

    source: str
    path: str
    body: str
    chunk_id: str
    chunk_hash: str
    value: Value

    def evidence(self) -> Row:
        """Return what is kept of it: by place or body and by value it is known again."""
        said = f"{self.value.bound} {self.value.value}".strip()
        return {
            "source": self.source,
            "path": self.path,
            "body": self.body,
            "value": said,
            "written": self.value.written,
        }


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sides that state different values of one attribute; `cosine` is None by words alone."""

    review: str
    kind: str
    attribute: tuple[str, ...]
    a: Side
    b: Side
    cosine: float | None
    answer: str = ""

    def evidence(self) -> Row:
        """Return what the review queue keeps: names, figures and values, never a passage."""
        cosine = None if self.cosine is None else round(self.cosine, 4)
        sides = {"a": self.a.evidence(), "b": self.b.evidence()}
        return {"kind": self.kind, "attribute": list(self.attribute), **sides, "cosine": cosine}


@dataclass(frozen=True, slots=True)
class Conflicts:
    """What was found, `bar` being the least cosine (None: by words alone), and how many passages state values."""

    found: tuple[Conflict, ...]
    method: Literal["cosine", "words"]
    bar: float | None
    passages: int
    stating: int


def ask(saero: Saero, now: datetime, only: Collection[str] | None = None) -> Conflicts:
    """Compare what passages state (all, or those of the chunk hashes `only` with all), and bring the queue up to date.

    What `only` leaves out stays in the queue as it is.
    """
    encoder = saero.query_encoder.encoder_id
    with saero.ledger.transaction("contradictions") as con:
        served = served_store.current(con, encoder)
        apart = _Apart(con, served)
        said = [{"item_id": key, **row} for key, row in reviews.answers(con, "contradiction").items()]
    _read_values(saero, served.hashes)
    rows = _stating(saero, served)
    calibration = calibration_for(encoder)
    bar = calibration.cosine_relevant if calibration is not TEXT and served.embedded.any() else None
    asked = set(rows) if only is None else {row for row in rows if served.hashes[row] in set(only)}
    usual: Counter[str] = Counter()
    pairs = list(_pairs(saero, served, rows, asked, bar, usual))
    conflicts = [one for one in _conflicts(saero, served, apart, pairs) if is_telling(one.attribute, usual, len(rows))]
    found = _answers(conflicts, said)
    _sync(saero, found, {served.hashes[row] for row in asked}, served, now)
    return Conflicts(tuple(found), "cosine" if bar else "words", bar, len(served.chunk_ids), len(rows))


class _Apart:
    """Which bodies are documents of their own: not copies, versions or parts of each other, nor of one series."""

    def __init__(self, con: duckdb.DuckDBPyConnection, served: Served) -> None:
        here = set(served.bodies)
        edges = sketches.edges_among(con, served.bodies)
        self.family = joined([*((body, body) for body in here), *((edge.a, edge.b) for edge in edges)])
        rows = document_store.present(con)
        self.documents = {r["body_hash"]: r for r in rows if r["duplicate_of"] is None and r["body_hash"] in here}
        asked = [*reviews.opened(con, "version"), *reviews.answers(con, "version").values()]
        self.versions = {frozenset((row["a_body"], row["b_body"])) for row in asked}

    def differ(self, a: str, b: str) -> bool:
        """Tell whether two bodies may contradict each other."""
        one, other = self.documents.get(a), self.documents.get(b)
        if one is None or other is None or self.family[a] == self.family[b] or frozenset((a, b)) in self.versions:
            return False
        places = {f"{row['source']}/{row['path']}" for row in (one, other)}
        if places & {one["superseded_by"], other["superseded_by"]}:
            return False
        return not one_series(one["path"], other["path"])


def _read_values(saero: Saero, hashes: Sequence[str]) -> None:
    """Extract the values of passages that haven't been read by these rules."""
    with saero.ledger.transaction("values") as con:
        waiting = iter(value_store.without_values(con, hashes, VALUES_VERSION))
    while batch := list(islice(waiting, _AT_ONCE)):
        made = [(name, stated(text, heading)) for name, text, heading in batch]
        with saero.ledger.transaction("values") as con:
            value_store.add(con, VALUES_VERSION, made)


def _stating(saero: Saero, served: Served) -> list[int]:
    with saero.ledger.transaction("values") as con:
        some = value_store.stating(con, VALUES_VERSION)
    return [row for row, name in enumerate(served.hashes) if name in some]


def _pairs(
    saero: Saero, served: Served, rows: list[int], asked: set[int], bar: float | None, usual: Counter[str]
) -> Iterator[Pair]:
    """Yield pairs of rows of `served.hashes` that state values of one kind under a common word; count the words."""
    embedded = [row for row in rows if bar is not None and served.embedded[row]]
    rest = sorted({*rows} - {*embedded})
    said: dict[int, frozenset[int]] = {}
    values: dict[int, list[Value]] = {}
    for row, found in _values(saero, served, rows):
        known = keys(found)
        said[row] = frozenset(map(hash, known))
        usual.update({word for _, word in known})
        if rest:
            values[row] = found
    if bar is not None:
        at, queries = np.asarray(embedded, np.int64), np.asarray(sorted(asked & {*embedded}), np.int64)
        for i, j, cosine in near_pairs(served.vectors, at, queries, bar):
            if said[i] & said[j]:
                yield i, j, cosine
    near = {*embedded}
    yield from (pair for pair in word_pairs(values, asked) if not near.issuperset(pair[:2]))


def _values(saero: Saero, served: Served, rows: Sequence[int]) -> Iterator[tuple[int, list[Value]]]:
    for start in range(0, len(rows), _AT_ONCE):
        part = rows[start : start + _AT_ONCE]
        with saero.ledger.transaction("values") as con:
            found = value_store.of(con, [served.hashes[row] for row in part], VALUES_VERSION)
        yield from ((row, found[served.hashes[row]]) for row in part)


def _conflicts(saero: Saero, served: Served, apart: _Apart, pairs: list[Pair]) -> list[Conflict]:
    """Compare the values of every pair; what several passages of two families repeat is said once, at the likest."""
    holders: dict[int, list[int]] = defaultdict(list)
    for chunk, row in enumerate(served.hash_of.tolist()):
        holders[row].append(chunk)
    found: dict[tuple[object, ...], Conflict] = {}
    for part in _parts(sorted(pairs, key=lambda pair: -(pair[2] or 0.0))):
        values = dict(_values(saero, served, sorted({row for i, j, _ in part for row in (i, j)})))
        for i, j, cosine in part:
            chunks = next((c for c in product(holders[i], holders[j]) if _differ(served, apart, *c)), None)
            if chunks is None:
                continue
            for one in contradictions(values[i], values[j]):
                conflict = _conflict(served, apart, one, *chunks, cosine)
                families = frozenset(apart.family[side.body] for side in (conflict.a, conflict.b))
                told = frozenset(side.value.value for side in (conflict.a, conflict.b))
                found.setdefault((families, one.kind, frozenset(one.words), told), conflict)
    return sorted(found.values(), key=lambda c: (c.a.source, c.a.path, c.b.source, c.b.path, c.review))


def _parts(pairs: list[Pair]) -> Iterator[list[Pair]]:
    waiting = iter(pairs)
    while part := list(islice(waiting, _AT_ONCE)):
        yield part


def _differ(served: Served, apart: _Apart, a: int, b: int) -> bool:
    return apart.differ(served.bodies[served.body_of[a]], served.bodies[served.body_of[b]])


def _conflict(served: Served, apart: _Apart, one: Contradiction, a: int, b: int, cosine: float | None) -> Conflict:
    sides = [_side(served, apart, chunk, value) for chunk, value in ((a, one.a), (b, one.b))]
    first, second = sorted(sides, key=lambda side: (side.source, side.path))
    return Conflict(one.key(sides[0].body, sides[1].body), one.kind, one.words, first, second, cosine)


def _side(served: Served, apart: _Apart, chunk: int, value: Value) -> Side:
    body = served.bodies[served.body_of[chunk]]
    row = apart.documents[body]
    name = served.hashes[served.hash_of[chunk]]
    return Side(row["source"], row["path"], body, served.chunk_ids[chunk], name, value)


def _answers(found: list[Conflict], said: list[Row]) -> list[Conflict]:
    """Give each the answer that a person gave it; it is known by the id that was answered."""
    made = []
    for conflict in found:
        known = answered(conflict.evidence(), said)
        made.append(replace(conflict, review=known["item_id"], answer=known["answer"]) if known else conflict)
    return made


def _sync(saero: Saero, found: list[Conflict], asked: set[str], served: Served, now: datetime) -> None:
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
