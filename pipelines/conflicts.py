"""What similar passages of different documents state differently, each thing once for two families."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from pipelines.apart import Apart
from pipelines.contradict import Contradiction, answered, contradictions
from pipelines.holders import Holders
from pipelines.served import Served
from pipelines.value import Value

Row = dict[str, Any]
# Rows of Served.hashes; the cosine is None by words alone.
Pair = tuple[int, int, float | None]
ValuesOf = Callable[[Sequence[int]], Mapping[int, Sequence[Value]]]
OnPairs = Callable[[int, int], None]
# Pairs whose values are read at once: a few MB.
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


def conflicts(
    served: Served, apart: Apart, pairs: Sequence[Pair], values_of: ValuesOf, on_pairs: OnPairs | None = None
) -> list[Conflict]:
    """Compare the values of every pair, the likest first; what two families repeat is said once, at the likest.

    `on_pairs` hears (done, total).
    """
    holders = Holders(served, apart)
    found: dict[tuple[object, ...], Conflict] = {}
    waiting, done = iter(pairs), 0
    while part := list(islice(waiting, _AT_ONCE)):
        chosen = [(*pair, chunks) for pair in part if (chunks := holders.of_both(*pair[:2]))]
        values = values_of(sorted({row for i, j, _, _ in chosen for row in (i, j)}))
        for i, j, cosine, chunks in chosen:
            for one in contradictions(values[i], values[j]):
                conflict = _conflict(served, apart, one, chunks, cosine)
                found.setdefault(_told(apart, conflict), conflict)
        done += len(part)
        if on_pairs:
            on_pairs(done, len(pairs))
    return sorted(found.values(), key=lambda c: (c.a.source, c.a.path, c.b.source, c.b.path, c.review))


def with_answers(found: Sequence[Conflict], said: Sequence[Row]) -> list[Conflict]:
    """Give each the answer that a person gave it; it is known by the id that was answered.

    An answer to other words of the attribute counts for one contradiction only: the next may be another matter.
    """
    by_values: dict[object, list[Row]] = defaultdict(list)
    for answer in said:
        by_values[_values(answer["evidence"])].append(answer)
    matched = [(one, answered(one.evidence(), by_values[_values(one.evidence())])) for one in found]
    made, taken = [], set()
    for one, known in sorted(matched, key=lambda pair: _exactly(*pair), reverse=True):
        if known is not None and (known["item_id"] not in taken or _exactly(one, known)):
            taken.add(known["item_id"])
            made.append(replace(one, review=known["item_id"], answer=known["answer"]))
        else:
            made.append(one)
    return sorted(made, key=lambda c: (c.a.source, c.a.path, c.b.source, c.b.path, c.review))


def _values(evidence: Mapping[str, Any]) -> object:
    return evidence["kind"], frozenset(evidence[side]["value"] for side in ("a", "b"))


def _exactly(one: Conflict, known: Row | None) -> bool:
    return known is not None and {*known["evidence"]["attribute"]} == {*one.attribute}


def _told(apart: Apart, one: Conflict) -> tuple[object, ...]:
    families = frozenset(apart.group(side.body) for side in (one.a, one.b))
    return families, one.kind, frozenset(one.attribute), frozenset(side.value.value for side in (one.a, one.b))


def _conflict(
    served: Served, apart: Apart, one: Contradiction, chunks: tuple[int, int], cosine: float | None
) -> Conflict:
    sides = [_side(served, apart, chunk, value) for chunk, value in zip(chunks, (one.a, one.b), strict=True)]
    first, second = sorted(sides, key=lambda side: (side.source, side.path))
    return Conflict(one.key(sides[0].body, sides[1].body), one.kind, one.words, first, second, cosine)


def _side(served: Served, apart: Apart, chunk: int, value: Value) -> Side:
    body = served.bodies[served.body_of[chunk]]
    row = apart.documents[body]
    name = served.hashes[served.hash_of[chunk]]
    return Side(row["source"], row["path"], body, served.chunk_ids[chunk], name, value)
