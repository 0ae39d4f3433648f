"""Follow the bodies that documents serve: a sketch of each, and the verified edges between alike ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from assets.stages.stored import blocks_of
from pipelines.body import compared_text
from pipelines.compared import Content, chosen, content_of, extras
from pipelines.family import FILE_CLOCK, Member, families
from pipelines.near import Edge, verify, worth_reading
from pipelines.sketch import (
    LIST_FROM,
    SKETCH_VERSION,
    Hashes,
    Sketches,
    candidate_pairs,
    common_grams,
    folded,
    grams,
    sampled,
    sketches,
)
from resources.build import Run
from resources.ledger import Ledger
from resources.ledger import sketches as store

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
TextOf = Callable[[Content], str | None]
OnBodies = Callable[[int, int], None]

# What is boilerplate changes when a corpus becomes several times as large.
LIST_ANEW = 4
# Bodies that are sketched, compared and committed together: some 60 MB of sketches and bands. In smaller rounds words
# are read more often: 50,000 bodies took a tenth longer in three.
BATCH_BODIES = 50_000
# Texts that are sketched at once, in characters: 4 MB.
BATCH_CHARS = 1 << 20


def follow(run: Run, serving: Sequence[Row]) -> list[Edge]:
    """Bring sketches and edges up to what documents serve; returns the edges between those bodies, sorted."""
    bodies = chosen(
        (row["body_hash"], content_of(row["format"], row["served_hash"], row["parser_version"])) for row in serving
    )

    def text_of(content: Content) -> str | None:
        blocks = blocks_of(run, content.content_hash, content.parser_version)
        return None if blocks is None else compared_text(blocks)

    def on_bodies(done: int, total: int) -> None:
        run.progress.advance(done, total=total)

    run.memory["edges"] = edges = compare(run.saero.ledger, bodies, text_of, run.now, on_bodies)
    return edges


def compare(
    ledger: Ledger,
    bodies: Mapping[str, Content],
    text_of: TextOf,
    now: datetime,
    on_bodies: OnBodies = lambda done, total: None,
) -> list[Edge]:
    """Sketch those of `bodies` that need it, compare them with all others, and return the edges among `bodies`.

    bodies     body hash -> the content it is compared by; `pipelines.compared.chosen` makes it from all contents
    text_of    returns the words of a content as `pipelines.body.compared_text` gives them, None when they are lost.
               It is asked for new contents once, and for those that may be alike again; never inside a transaction
    on_bodies  is told (how many more were read to be sketched, how many there are)

    Stored bodies outside `bodies` are compared too, for they may return, but stay out of what is returned. When nothing
    is new, nothing is written. A benchmark needs no run: `compare(Ledger(folder), {body: Content(False, hash, "1")},
    lambda content: texts[content.content_hash], now)`. Below LIST_FROM bodies no list of common 5-grams is used.
    """
    with ledger.transaction("near") as con:
        common = store.common_list(con)
        waiting = store.unsketched(con, bodies, _version(common))
        if not waiting:
            return store.edges_among(con, bodies)
    if len(bodies) >= LIST_FROM and len(bodies) > LIST_ANEW * common.bodies:
        common = _freeze(ledger, bodies, text_of, now)
        waiting = sorted(bodies)
    for start in range(0, len(waiting), BATCH_BODIES):
        batch, later = waiting[start : start + BATCH_BODIES], waiting[start + BATCH_BODIES :]
        a_round = _Round(ledger, bodies, text_of, set(later), lambda done: on_bodies(done, len(waiting)))
        a_round.take_in(batch, common, now)
    with ledger.transaction("near") as con:
        return store.edges_among(con, bodies)


def counted(serving: Sequence[Row], edges: Sequence[Edge], now: datetime) -> dict[str, int]:
    """Return how many families of each label the served documents make."""
    holders = Counter(row["body_hash"] for row in serving)
    alike = {body for edge in edges for body in (edge.a, edge.b)} | {body for body, n in holders.items() if n > 1}
    members = (member_of(row) for row in serving if row["body_hash"] in alike)
    labels = Counter(family.label for family in families(members, edges, now))
    return {f"families_{label}": count for label, count in sorted(labels.items())}


def member_of(row: Row, source_order: int = 0) -> Member:
    """Return a document (a row of `documents.present`) in the eyes of its family; without words it is its bytes."""
    own = row["modified_at"] is not None
    return Member(
        row["source"],
        row["path"],
        row["body_hash"] or row["content_hash"],
        row["modified_at"] if own else datetime.fromtimestamp(row["mtime_ns"] / 1e9, UTC),
        row["clock"] if own else FILE_CLOCK,
        extras(json.loads(row["asides"] or "{}")),
        row["first_seen"],
        source_order,
    )


def _version(common: store.CommonList) -> str:
    return f"{SKETCH_VERSION}/{common.version}"


def _freeze(ledger: Ledger, bodies: Mapping[str, Content], text_of: TextOf, now: datetime) -> store.CommonList:
    """Make a list of common 5-grams from what there is now."""
    texts = (text_of(bodies[body]) for body in sampled(bodies))
    listed = common_grams(grams(folded(text)) for text in texts if text is not None)
    with ledger.transaction("near") as con:
        return store.freeze(con, listed, len(bodies), now)


class _Round:
    """Some bodies that are sketched, compared with all that stand and with each other, and stored at once.

    `later` are bodies that wait for another round: what they have to do with these is found then.
    """

    def __init__(
        self,
        ledger: Ledger,
        bodies: Mapping[str, Content],
        text_of: TextOf,
        later: set[str],
        on_read: Callable[[int], None],
    ) -> None:
        self._ledger = ledger
        self._contents = dict(bodies)
        self._text_of = text_of
        self._later = later
        self._on_read = on_read
        self._lost: set[str] = set()
        self._read: set[str] = set()

    def take_in(self, waiting: Iterable[str], common: store.CommonList, now: datetime) -> None:
        """Sketch and compare `waiting`; those whose words are lost keep what they have."""
        made, new = self._sketch(waiting, common.grams)
        if not made:
            return
        with self._ledger.transaction("near") as con:
            pairs = [*self._among(made, new), *self._with_stored(con, made, new)]
            before = store.edges_of(con, made)
            others = {body for pair in before for body in pair} - self._contents.keys()
            self._contents.update(store.sketched(con, others))
        edges = verify(pairs, self._grams_of)
        gone = [pair for pair in before if self._is_made_anew(pair, set(made))]
        with self._ledger.transaction("near") as con:
            store.replace(con, [(body, self._contents[body]) for body in made], new, _version(common), now)
            store.change_edges(con, gone, edges, now)
            store.ask_again(con, self._lost)

    def _sketch(self, waiting: Iterable[str], common: Hashes) -> tuple[list[str], Sketches]:
        """Return the bodies whose words there are, and their sketches in the same order."""
        made: list[str] = []
        parts = []
        texts: list[str] = []
        chars = 0
        for body in waiting:
            self._on_read(1)
            text = self._words(body)
            if text is None:
                continue
            made.append(body)
            texts.append(folded(text))
            chars += len(texts[-1])
            if chars > BATCH_CHARS:
                parts.append(sketches(texts, common))
                texts, chars = [], 0
        return made, _stacked([*parts, sketches(texts, common)])

    def _among(self, made: Sequence[str], new: Sketches) -> Iterator[tuple[str, str]]:
        pairs = worth_reading(candidate_pairs(new.owners, new.bands), new.n_grams, new.signature)
        return ((made[a], made[b]) for a, b in pairs.tolist())

    def _with_stored(
        self, con: duckdb.DuckDBPyConnection, made: Sequence[str], new: Sketches
    ) -> Iterator[tuple[str, str]]:
        for met in store.met(con, new, [*made, *self._later]):
            signature = np.concatenate((new.signature, met.signature))
            n_grams = np.concatenate((new.n_grams, met.n_grams))
            pairs = worth_reading(met.pairs + np.array([0, len(made)]), n_grams, signature)
            for row, place in pairs.tolist():
                body, content = met.bodies[place - len(made)]
                self._contents.setdefault(body, content)
                yield made[row], body

    def _is_made_anew(self, pair: tuple[str, str], made: set[str]) -> bool:
        """Tell whether an edge that stood was judged again: not when the words of the other body are lost."""
        others = [body for body in pair if body not in made]
        return all(body not in self._later and self._readable(body) for body in others)

    def _readable(self, body: str) -> bool:
        return body in self._read or self._words(body) is not None

    def _grams_of(self, body: str) -> Hashes:
        return grams(folded(self._words(body) or ""))

    def _words(self, body: str) -> str | None:
        text = self._text_of(self._contents[body]) if body in self._contents else None
        (self._lost if text is None else self._read).add(body)
        return text


def _stacked(parts: Sequence[Sketches]) -> Sketches:
    firsts = np.cumsum([0, *(len(part.n_grams) for part in parts)])
    return Sketches(
        np.concatenate([part.n_grams for part in parts]),
        np.concatenate([part.n_common for part in parts]),
        np.concatenate([part.signature for part in parts]),
        np.concatenate([part.owners + first for part, first in zip(parts, firsts, strict=False)]),
        np.concatenate([part.bands for part in parts]),
    )
