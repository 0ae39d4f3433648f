from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.family import Family, Member, families
from pipelines.near import Edge, Kind

NOW = datetime(2026, 11, 30, tzinfo=UTC)
OLD, NEW = NOW - timedelta(days=30), NOW - timedelta(days=1)


def member(path: str, body: str, moment: datetime | None = OLD, clock: str | None = "mtime") -> Member:
    return Member("제안서", path, body, moment, clock if moment else None)


def edge(a: str, b: str, kind: Kind = "near") -> Edge:
    return Edge(a, b, kind, 0.9, 0.95, 0.95)


def only(members: list[Member], edges: list[Edge] | None = None) -> Family:
    (family,) = families(members, edges or [], NOW)
    return family


def verdict(family: Family) -> tuple[str | None, str | None, float]:
    return family.latest.path if family.latest else None, family.clock, family.confidence


BODIES = "abcdefgh"
MEMBERS = st.lists(
    st.builds(
        member,
        st.sampled_from(["보고.docx", "보고 (1).docx", "보고_v2.hwp", "최종.pdf", "x/보고.docx", "y.md"]),
        st.sampled_from(BODIES),
        st.sampled_from([None, OLD, NEW, NOW + timedelta(days=3)]),
        st.sampled_from(["mtime", "hwp:summary13", "pdf:ModDate"]),
    ),
    unique_by=lambda one: one.path,
)
EDGES = st.lists(
    st.builds(edge, st.sampled_from("abcd"), st.sampled_from("efgh"), st.sampled_from(["near", "contains"])),
    unique_by=lambda one: (one.a, one.b),
)


@given(MEMBERS, EDGES, st.randoms())
def test_families_do_not_depend_on_the_order_of_documents_and_edges(
    members: list[Member], edges: list[Edge], random: Random
) -> None:
    expected = families(members, edges, NOW)
    mixed_members, mixed_edges = list(members), list(edges)
    random.shuffle(mixed_members)
    random.shuffle(mixed_edges)
    assert families(mixed_members, mixed_edges, NOW) == expected


@given(MEMBERS, EDGES)
def test_families_are_the_components_of_two_or_more_documents(members: list[Member], edges: list[Edge]) -> None:
    found = families(members, edges, NOW)
    apart = {one.path: {one.path} for one in members}
    for one in members:
        for other in members:
            bodies = one.body_hash, other.body_hash
            if bodies[0] == bodies[1] or any((known.a, known.b) == bodies for known in edges):
                both = apart[one.path] | apart[other.path]
                apart.update(dict.fromkeys(both, both))
    assert {frozenset(one.path for one in family.members) for family in found} == {
        frozenset(group) for group in apart.values() if len(group) > 1
    }
    assert [family.id for family in found] == sorted(family.id for family in found)
    for family in found:
        bodies = {one.body_hash for one in family.members}
        assert family.id == min(bodies)
        assert set(family.edges) == {known for known in edges if {known.a, known.b} <= bodies}
        assert family.latest is None or family.latest in family.members


@given(MEMBERS, EDGES, st.sets(st.integers(0, 5)))
def test_after_deletions_families_are_those_of_what_is_left(
    members: list[Member], edges: list[Edge], gone: set[int]
) -> None:
    """Edges of bodies without documents stay known and join nothing: the body may return."""
    left = [one for place, one in enumerate(members) if place not in gone]
    bodies = {one.body_hash for one in left}
    fresh = [known for known in edges if known.a in bodies and known.b in bodies]
    assert families(left, edges, NOW) == families(left, fresh, NOW)


def test_a_family_splits_when_its_bridge_goes() -> None:
    members = [member("1.md", "a"), member("2.md", "b"), member("3.md", "c")]
    edges = [edge("a", "b"), edge("b", "c")]
    assert len(only(members, edges).members) == 3
    assert families([members[0], members[2]], edges, NOW) == []


def test_a_family_is_named_by_its_least_body() -> None:
    long_a, long_b = "0f" * 32, "1e" * 32
    assert only([member("1.md", long_b), member("2.md", long_a)], [edge(long_a, long_b)]).id == "0f" * 6


@pytest.mark.parametrize(
    ("bodies", "edges", "label"),
    [
        ("aa", [], "exact"),
        ("ab", [edge("a", "b")], "near"),
        ("ab", [edge("a", "b", "contains")], "contains"),
        ("aab", [edge("a", "b")], "mixed"),
        ("abc", [edge("a", "b"), edge("b", "c", "contains")], "mixed"),
    ],
)
def test_labels(bodies: str, edges: list[Edge], label: str) -> None:
    assert only([member(f"{n}.md", body) for n, body in enumerate(bodies)], edges).label == label


def test_the_latest_wins_and_names_score_nothing() -> None:
    assert verdict(only([member("계획_v1.hwp", "a", NEW), member("계획_v3.hwp", "b")], [edge("a", "b")])) == (
        "계획_v1.hwp",
        "mtime",
        0.9,
    )
    copied = only([member("계획_최종.hwp", "a"), member("계획_최종 - 복사본.hwp", "a", NEW)])
    assert verdict(copied) == ("계획_최종 - 복사본.hwp", "mtime", 0.9)
    assert copied.reason == "latest by mtime"


def test_embedded_clocks_of_two_formats_are_one_kind() -> None:
    family = only(
        [member("1.hwp", "a", NEW, "hwp:summary13"), member("1.pdf", "b", OLD, "pdf:ModDate")], [edge("a", "b")]
    )
    assert verdict(family) == ("1.hwp", "hwp:summary13", 0.9)


def test_embedded_and_file_clocks_together_are_less_sure() -> None:
    family = only([member("1.hwp", "a", NEW, "hwp:summary13"), member("1.md", "b")], [edge("a", "b")])
    assert verdict(family) == ("1.hwp", "mixed", 0.6)


def test_a_tie_of_different_bodies_names_nobody() -> None:
    family = only([member("1.md", "a"), member("2.md", "b")], [edge("a", "b")])
    assert verdict(family) == (None, "mtime", 0.5)
    assert family.reason == "tie between different bodies"


def test_a_tie_of_copies_names_the_one_that_serves() -> None:
    assert verdict(only([member("계획 (1).md", "a"), member("계획.md", "a")])) == ("계획.md", "mtime", 0.5)
    first = Member("제안서", "b.md", "a", OLD, "mtime", first_seen=OLD)
    later = Member("제안서", "a.md", "a", OLD, "mtime", first_seen=NEW)
    assert verdict(only([later, first])) == ("b.md", "mtime", 0.5)


def test_a_time_in_the_future_never_wins() -> None:
    wrong = member("1.md", "a", NOW + timedelta(days=1, seconds=1))
    family = only([wrong, member("2.md", "b"), member("3.md", "c", NEW)], [edge("a", "b"), edge("b", "c")])
    assert verdict(family) == ("3.md", "mtime", 0.6)
    assert "without a usable time" in family.reason
    ahead = member("1.md", "a", NOW + timedelta(days=1))
    assert verdict(only([ahead, member("2.md", "b")], [edge("a", "b")])) == ("1.md", "mtime", 0.9)


def test_without_any_time_nobody_is_the_latest_but_copies_have_one_that_serves() -> None:
    bare = [member("1.md", "a", None), member("2.md", "b", None)]
    assert verdict(only(bare, [edge("a", "b")])) == (None, None, 0.5)
    assert verdict(only([member("2.md", "a", None), member("1.md", "a", None)])) == ("1.md", None, 0.5)
