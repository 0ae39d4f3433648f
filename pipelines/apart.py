"""Which bodies are documents of their own: not copies, versions or parts of each other, nor of one series."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipelines.similar import one_series, series_of

Row = Mapping[str, Any]
BodyPair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Apart:
    """What is known of the bodies that a search can find.

    documents  body -> source, path and superseded_by of the document that serves it
    family     body -> name of its family
    versions   pairs that may be versions of one document: nobody has said yet, or a person has said that they are
    distinct   pairs that a person said are no versions of each other: both are true, whatever their names and words
    """

    documents: Mapping[str, Row]
    family: Mapping[str, str]
    versions: frozenset[BodyPair]
    distinct: frozenset[BodyPair]
    _own: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Know the bodies that a family doesn't keep from being compared."""
        object.__setattr__(self, "_own", frozenset(body for pair in self.distinct for body in pair))

    def differ(self, a: str, b: str) -> bool:
        """Tell whether two bodies may contradict each other."""
        one, other = self.documents.get(a), self.documents.get(b)
        if one is None or other is None or a == b:
            return False
        places = {f"{row['source']}/{row['path']}" for row in (one, other)}
        if places & {one["superseded_by"], other["superseded_by"]}:
            return False
        if frozenset((a, b)) in self.distinct:
            return True
        if self.family[a] == self.family[b] or frozenset((a, b)) in self.versions:
            return False
        return not one_series(one["path"], other["path"])

    def group(self, body: str) -> str:
        """Return what nothing is compared within: the family, or a body that a person set apart from another."""
        return body if body in self._own else self.family[body]

    def series(self, body: str) -> str:
        """Return the series that a body's name says it is of; "" for none, or when its name doesn't decide."""
        return series_of(self.documents[body]["path"]) if body in self.documents and body not in self._own else ""


def answered_pairs(
    opened: Iterable[Row], answers: Mapping[str, Row]
) -> tuple[frozenset[BodyPair], frozenset[BodyPair]]:
    """Return `versions` and `distinct` of what was asked about versions, open or answered (item id -> answer)."""
    distinct = {_pair(row) for row in answers.values() if row["answer"] == "reject"}
    asked = {_pair(row) for row in (*opened, *answers.values())}
    return frozenset(asked - distinct), frozenset(distinct)


def _pair(row: Row) -> BodyPair:
    return frozenset((row["a_body"], row["b_body"]))
