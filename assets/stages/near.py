"""Follow the bodies that documents serve: a sketch of each, and the verified edges between alike ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from assets.stages.stored import blocks_of
from pipelines.body import compared_text
from pipelines.candidates import candidate_blocks
from pipelines.compared import Content, chosen, content_of, extras
from pipelines.edges import Edges
from pipelines.family import FILE_CLOCK, Member, label_counts
from pipelines.grams import Hashes, Numbers, folded, grams
from pipelines.near import worth_reading
from pipelines.sketch import LIST_FROM, SKETCH_VERSION, Sketches, common_grams, sampled, sketches
from pipelines.verify import gathered, verify
from resources.build import Run
from resources.ledger import Ledger
from resources.ledger import edges as edge_store
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
# Pairs whose signatures are held side by side.
_BLOCK_PAIRS = 1 << 18
# A body that is alike to more is a form or a notice: its copies are no versions of each other, and their pairs grow
# with the square. A text kept anew each week for a year, all of it alike, has 51 fellows and is as good as one.
FORM_FELLOWS = 50


@dataclass(frozen=True, slots=True)
class Alike:
    """What is alike among the bodies that documents serve.

    edges   those of bodies with at most FORM_FELLOWS fellows
    labels  how many families of each label the documents make
    """

    edges: Edges
    labels: dict[str, int]


def follow(run: Run, serving: Sequence[Row]) -> Alike:
    """Bring sketches and edges up to what documents serve."""
    bodies = chosen(
        (row["body_hash"], content_of(row["format"], row["served_hash"], row["parser_version"])) for row in serving
    )

    def text_of(content: Content) -> str | None:
        blocks = blocks_of(run, content.content_hash, content.parser_version)
        return None if blocks is None else compared_text(blocks)

    def on_bodies(done: int, total: int) -> None:
        run.progress.advance(done, total=total)

    compare(run.saero.ledger, bodies, text_of, run.now, on_bodies)
    return alike(run.saero.ledger, Counter(row["body_hash"] for row in serving))


def compare(
    ledger: Ledger,
    bodies: Mapping[str, Content],
    text_of: TextOf,
    now: datetime,
    on_bodies: OnBodies = lambda done, total: None,
) -> None:
    """Sketch those of `bodies` that need it, and compare them with all others.

    bodies     body hash -> the content it is compared by; `pipelines.compared.chosen` makes it from all contents
    text_of    returns the words of a content as `pipelines.body.compared_text` gives them, None when they are lost.
               It is asked for new contents once, and for those that may be alike again; never inside a transaction
    on_bodies  is told (how many more were read to be sketched, how many there are)

    Stored bodies outside `bodies` are compared too, for they may return. When nothing is new, nothing is written. A
    benchmark needs no run: `compare(Ledger(folder), {body: Content(False, hash, "1")},
    lambda content: texts[content.content_hash], now)`. Below LIST_FROM bodies no list of common 5-grams is used.
    """
    with ledger.transaction("near") as con:
        common, waiting, is_outgrown = unsketched(con, bodies)
    if not waiting:
        return
    if is_outgrown:
        common = _freeze(ledger, bodies, text_of, now)
    for start in range(0, len(waiting), BATCH_BODIES):
        batch, later = waiting[start : start + BATCH_BODIES], waiting[start + BATCH_BODIES :]
        a_round = _Round(ledger, bodies, text_of, set(later), lambda done: on_bodies(done, len(waiting)))
        a_round.take_in(batch, common, now)


def unsketched(
    con: duckdb.DuckDBPyConnection, bodies: Mapping[str, Content]
) -> tuple[store.CommonList, list[str], bool]:
    """Return the list of common 5-grams, bodies to be sketched, and whether these are all: the list is outgrown."""
    common = store.common_list(con)
    waiting = store.unsketched(con, bodies, _version(common))
    is_outgrown = bool(waiting) and len(bodies) >= LIST_FROM and len(bodies) > LIST_ANEW * common.bodies
    return common, sorted(bodies) if is_outgrown else waiting, is_outgrown


def alike(ledger: Ledger, holders: Mapping[str, int]) -> Alike:
    """Return what is alike among bodies, of which `holders` says how many documents hold each."""
    with ledger.transaction("near") as con:
        kin = edge_store.kin(con, holders)
        sketched = set(kin.bodies)
        alone = [count for body, count in holders.items() if body not in sketched]
        few = {body for body, count in zip(kin.bodies, kin.fellows.tolist(), strict=True) if 0 < count <= FORM_FELLOWS}
        edges = edge_store.among(con, few)
    documents = np.array([holders[body] for body in kin.bodies], np.int64)
    labels = Counter(label_counts(documents, kin.least, kin.near, kin.contains))
    labels["exact"] += sum(count > 1 for count in alone)
    return Alike(edges, {f"families_{label}": count for label, count in sorted(labels.items()) if count})


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
            met = list(store.met(con, new, [*made, *self._later]))
            others = edge_store.fellows(con, made)
            self._contents.update(store.sketched(con, set(others) - self._contents.keys()))
        rows = _Rows(made, new, met)
        self._contents.update(
            (body, content) for one in met for body, content in one.bodies if body not in self._contents
        )
        with closing(edge_store.Spool()) as found:
            for pairs in gathered(rows.pairs()):
                for some in verify(pairs, rows.n_grams, lambda row: self._grams_of(rows.bodies[row])):
                    found.add(some)
            judged = [body for body in others if body not in self._later and self._readable(body)]
            with self._ledger.transaction("near") as con:
                ids = store.replace(con, [(body, self._contents[body]) for body in made], new, _version(common), now)
                edge_store.drop(con, made, judged)
                edge_store.add(con, found, np.concatenate([ids, *(one.ids for one in met)]), rows.bodies, now)
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

    def _readable(self, body: str) -> bool:
        return body in self._read or self._words(body) is not None

    def _grams_of(self, body: str) -> Hashes:
        return grams(folded(self._words(body) or ""))

    def _words(self, body: str) -> str | None:
        text = self._text_of(self._contents[body]) if body in self._contents else None
        (self._lost if text is None else self._read).add(body)
        return text


class _Rows:
    """New bodies and, after them, the stored ones that share a band with one of them."""

    def __init__(self, made: Sequence[str], new: Sketches, met: Sequence[store.Met]) -> None:
        self._new, self._met = new, met
        self.bodies = [*made, *(body for one in met for body, _ in one.bodies)]
        self.n_grams = np.concatenate([new.n_grams, *(one.n_grams for one in met)])

    def pairs(self) -> Iterator[Numbers]:
        """Yield the pairs of rows that are worth reading."""
        for block in candidate_blocks(self._new.owners, self._new.bands):
            yield worth_reading(block, self._new.n_grams, self._new.signature)
        made = first = len(self._new.n_grams)
        for one in self._met:
            signature = np.concatenate((self._new.signature, one.signature))
            n_grams = np.concatenate((self._new.n_grams, one.n_grams))
            for start in range(0, len(one.pairs), _BLOCK_PAIRS):
                block = one.pairs[start : start + _BLOCK_PAIRS] + np.array([0, made])
                yield worth_reading(block, n_grams, signature) + np.array([0, first - made])
            first += len(one.bodies)


def _stacked(parts: Sequence[Sketches]) -> Sketches:
    firsts = np.cumsum([0, *(len(part.n_grams) for part in parts)])
    return Sketches(
        np.concatenate([part.n_grams for part in parts]),
        np.concatenate([part.signature for part in parts]),
        np.concatenate([part.owners + first for part, first in zip(parts, firsts, strict=False)]),
        np.concatenate([part.bands for part in parts]),
    )
