"""Families of documents as JSON, as rows, and as lines on a screen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import click

from pipelines.compared import EXTRAS
from pipelines.dedup import Copy, representatives
from pipelines.family import FILE_CLOCK, Family, Member
from pipelines.near import Edge
from saero.likeness import beside, clock_word, only_the_body, verdict_word, why_unsure
from saero.output import json_text, local, printable
from saero.words import either

COLUMNS = (
    "family", "label", "source", "path", "modified_at", "clock", "latest", "representative", "confidence", *EXTRAS,
)  # fmt: skip
# What a screen shows at most; --json has all.
_FAMILIES, _MEMBERS, _EDGES, _ERRORS = 50, 20, 10, 20
# Lines of JSON that are written at once.
_PRINTED = 1000

Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Shown:
    """A family and, for each of its bodies, the document that serves it."""

    family: Family
    serving: Mapping[str, Member]

    @property
    def copies(self) -> list[list[Member]]:
        """The members of each body that several hold, the serving one first."""
        of_body = defaultdict(list)
        for member in self.family.members:
            of_body[member.body_hash].append(member)
        groups = [group for _, group in sorted(of_body.items()) if len(group) > 1]
        return [sorted(group, key=lambda one: one is not self.serving[one.body_hash]) for group in groups]

    @property
    def servers(self) -> set[Place]:
        """The members that serve a body which others hold too."""
        return {_place(group[0]) for group in self.copies}


def shown(families: Iterable[Family], duplicates: Iterable[Place] = ()) -> list[Shown]:
    """Find who serves each body; `duplicates` are documents of which the ledger says that another serves."""
    others = set(duplicates)
    return [Shown(family, _serving(family.members, others)) for family in families]


def _serving(members: Sequence[Member], others: set[Place]) -> dict[str, Member]:
    named = {_place(member): member for member in members}
    held = {member.body_hash for key, member in named.items() if key not in others}
    asked = [one for key, one in named.items() if key not in others or one.body_hash not in held]
    groups = representatives(
        Copy(
            one.source,
            one.path,
            one.body_hash,
            one.first_seen,
            one.source_order,
            None if one.clock == FILE_CLOCK else one.modified_at,
        )
        for one in asked
    )
    return {group.body_hash: named[group.representative.source, group.representative.path] for group in groups}


def print_all(families: Sequence[Shown], errors: Sequence[Mapping[str, str]]) -> None:
    """Print families and errors in the shape of `duplicates --json`, an edge a line: there may be millions of them."""
    lines = _lines(families, errors)
    while some := list(islice(lines, _PRINTED)):
        click.echo("\n".join(some))


def _lines(families: Sequence[Shown], errors: Sequence[Mapping[str, str]]) -> Iterator[str]:
    yield '{"families": ['
    for number, one in enumerate(families, 1):
        yield f'{json_text(_without_edges(one))[:-1]}, "edges": ['
        before = ""
        for edge in _edges(one):
            if before:
                yield f"{before},"
            before = json_text(edge)
        yield f"{before}]}}{',' if number < len(families) else ''}"
    yield f'], "errors": {json_text(errors)}}}'


def _without_edges(one: Shown) -> dict[str, Any]:
    family, servers = one.family, one.servers
    return {
        "id": family.id,
        "label": family.label,
        "latest": _named(family.latest) if family.latest else None,
        "confidence": family.confidence,
        "clock": family.clock,
        "reason": family.reason,
        "members": [
            {
                **_named(member),
                "modified_at": member.modified_at,
                "clock": member.clock,
                "representative": _place(member) in servers,
                "extras": member.extras,
            }
            for member in family.members
        ],
    }


def rows(families: Iterable[Shown]) -> list[dict[str, Any]]:
    """Return one row a member, in the columns of `duplicates --csv`."""
    return [
        {
            "family": one.family.id,
            "label": one.family.label,
            **_named(member),
            "modified_at": member.modified_at,
            "clock": member.clock,
            "latest": member is one.family.latest,
            "representative": _place(member) in servers,
            "confidence": one.family.confidence,
            **{kind: member.extras.get(kind, 0) for kind in EXTRAS},
        }
        for one in families
        for servers in [one.servers]
        for member in one.family.members
    ]


def _edges(one: Shown) -> Iterator[dict[str, Any]]:
    """Yield every edge; copies of one body hang on the document that serves it."""
    for group in one.copies:
        for other in group[1:]:
            yield _edge(group[0], other, "exact", 1.0, 1.0, 1.0)
    for edge in one.family.edges:
        yield _edge(one.serving[edge.a], one.serving[edge.b], edge.kind, edge.jaccard, edge.a_in_b, edge.b_in_a)


def _edge(a: Member, b: Member, kind: str, jaccard: float, a_in_b: float, b_in_a: float) -> dict[str, Any]:
    return {
        "a": _named(a),
        "b": _named(b),
        "kind": kind,
        "jaccard": jaccard,
        "containment_a_in_b": a_in_b,
        "containment_b_in_a": b_in_a,
    }


def _place(member: Member) -> Place:
    return member.source, member.path


def _named(member: Member) -> dict[str, str]:
    return {"source": member.source, "path": member.path}


def print_families(families: Sequence[Shown], near: float, language: str, zone: ZoneInfo) -> None:
    """Print families with their evidence, those of the first names first; `near` is the bar that they were found by."""
    documents = sum(len(one.family.members) for one in families)
    click.echo(
        either(
            language,
            f"같은 문서 묶음 {len(families)}개, 문서 {documents}개 (기준 {near:.2f})",
            f"{len(families)} families, {documents} documents (bar {near:.2f})",
        )
    )
    ordered = sorted(families, key=lambda one: _place(one.family.members[0]))
    for number, one in enumerate(ordered[:_FAMILIES], 1):
        _print_family(number, one, language, zone)
    _print_rest(len(ordered) - _FAMILIES, language, either(language, "묶음", "families"))


def print_errors(errors: Sequence[Mapping[str, str]], language: str) -> None:
    """Print what could not be read, and why."""
    if not errors:
        return
    click.echo("\n" + either(language, f"읽지 못한 문서 {len(errors)}개", f"{len(errors)} documents not read"))
    for error in errors[:_ERRORS]:
        place = "/".join(part for part in (error["source"], error["path"]) if part)
        click.echo(printable(f"  {place}: {error['category']}: {error['reason']}"))
    _print_rest(len(errors) - _ERRORS, language, either(language, "문서", "documents"))


def _print_family(number: int, one: Shown, language: str, zone: ZoneInfo) -> None:
    family = one.family
    count = either(language, f"문서 {len(family.members)}개", f"{len(family.members)} documents")
    click.echo(f"\n{number}. {verdict_word(family.label, language)} · {count} · {family.id}")
    servers = one.servers
    for member in family.members[:_MEMBERS]:
        marks = [either(language, "대표 문서", "representative")] if _place(member) in servers else []
        marks += [either(language, "가장 최근", "latest")] if member is family.latest else []
        when = f"{local(member.modified_at, zone)} ({clock_word(member.clock, language)})"
        click.echo(printable("  " + " · ".join([_shown(member), when, *marks])))
    _print_rest(len(family.members) - _MEMBERS, language, either(language, "문서", "documents"), "  ")
    click.echo("  " + _latest(family, language))
    _print_edges(one, language)
    for group in one.copies[:_EDGES]:
        click.echo("  " + only_the_body(language))
        extras = {printable(_shown(member)): member.extras for member in group}
        for line in beside(extras, language):
            click.echo(f"    {line}")


def _latest(family: Family, language: str) -> str:
    sure = either(language, f"확신도 {family.confidence:g}", f"confidence {family.confidence:g}")
    why = why_unsure(family.reason, language)
    if family.latest is None:
        return either(language, f"가장 최근 문서를 가릴 수 없음: {why}", f"no latest document: {why}") + f" ({sure})"
    said = either(language, "가장 최근", "latest")
    return printable(f"{said}: {_shown(family.latest)} ({sure}{f', {why}' if why else ''})")


def _print_edges(one: Shown, language: str) -> None:
    edges = one.family.edges
    for edge in edges[:_EDGES]:
        click.echo(printable(f"  {verdict_word(edge.kind, language)}: {_figures(one, edge, language)}"))
    _print_rest(len(edges) - _EDGES, language, either(language, "쌍", "pairs"), "  ")


def _figures(one: Shown, edge: Edge, language: str) -> str:
    """Say how alike two bodies are, the containing one first."""
    a, b = (_shown(one.serving[body]) for body in (edge.a, edge.b))
    alike = either(language, f"유사도 {edge.jaccard:.4f}", f"similarity {edge.jaccard:.4f}")
    if edge.kind == "near":
        return f"{a} ↔ {b} ({alike})"
    whole, part, share = (b, a, edge.a_in_b) if edge.a_in_b > edge.b_in_a else (a, b, edge.b_in_a)
    held = either(language, f"뒤의 {share:.2%}가 앞에 있음", f"{share:.2%} of the second in the first")
    return f"{whole} ⊃ {part} ({held}, {alike})"


def _print_rest(count: int, language: str, what: str, indent: str = "") -> None:
    if count > 0:
        click.echo(indent + either(language, f"… {what} {count}개 더 (--json)", f"… {count} more {what} (--json)"))


def _shown(member: Member) -> str:
    return f"{member.source}/{member.path}" if member.source else member.path
