"""Tables of rankings: r@1, r@3 and MRR of each over the same questions, with 95 % intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from measures import Estimate, mean, reciprocal, share
from rankings import OURS, Documents


@dataclass(frozen=True, slots=True)
class Asked:
    """One question under every ranking: what kind it is, and the rank of a document that answers it (None: nowhere)."""

    kind: str
    ranks: Mapping[str, int | None]


def rank_of(documents: Documents, golds: frozenset[str]) -> int | None:
    """Return the rank of the first document that answers."""
    return next((n for n, one in enumerate(documents[:10], start=1) if one in golds), None)


def first(asked: Sequence[Asked], name: str) -> Estimate:
    return share([one.ranks[name] == 1 for one in asked])


def mrr(asked: Sequence[Asked], name: str) -> Estimate:
    """Return the mean reciprocal rank within the first ten."""
    return mean([reciprocal(one.ranks[name]) for one in asked])


def lead(asked: Sequence[Asked], name: str) -> Estimate:
    """Return by how much of r@1 ours is ahead of another ranking, question by question."""
    return mean([float(one.ranks[OURS] == 1) - float(one.ranks[name] == 1) for one in asked])


def table(asked: Sequence[Asked], title: str) -> list[str]:
    """Return the lines of one table."""
    lines = [f"{title}: {len(asked)} questions", f"  {'':16}{'r@1':>22}{'r@3':>22}{'MRR':>22}{'r@1 behind ours':>24}"]
    for name in asked[0].ranks if asked else ():
        third = share([one.ranks[name] is not None and (one.ranks[name] or 0) <= 3 for one in asked])
        behind = "" if name == OURS else str(lead(asked, name))
        lines.append(f"  {name:16}{first(asked, name)!s:>22}{third!s:>22}{mrr(asked, name)!s:>22}{behind:>24}".rstrip())
    return lines


def by_kind(asked: Sequence[Asked]) -> list[str]:
    """Return ranking by ranking the r@1 of each kind, a line a kind."""
    kinds = list(dict.fromkeys(one.kind for one in asked))
    names = list(asked[0].ranks) if asked else []
    lines = [f"  {'r@1 by kind':20}{'n':>4}" + "".join(f"{name:>16}" for name in names)]
    for kind in kinds:
        of = [one for one in asked if one.kind == kind]
        lines.append(f"  {kind:20}{len(of):>4}" + "".join(f"{first(of, name).value:>16.3f}" for name in names))
    return lines
