"""Pairs are compared exactly, however many: one by one, as rows of bits, or part by part of a large cluster."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import combinations
from random import Random

import numpy as np
import pytest
from alike_texts import edited, filled, prose
from hypothesis import given
from hypothesis import strategies as st

from pipelines import verify
from pipelines.candidates import candidate_blocks, candidate_pairs
from pipelines.edges import Edges, components
from pipelines.family import FILE_CLOCK, Member, families, label_counts
from pipelines.grams import Hashes, Numbers, folded, grams
from pipelines.near import Edge, shared

SETS = st.lists(st.sets(st.integers(0, 90)), min_size=2, max_size=7).map(
    lambda sets: [np.array(sorted(number << 57 | number for number in numbers), np.uint64) for numbers in sets]
)
PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] < pair[1]), unique=True)


def all_pairs(n: int) -> Numbers:
    return np.array(list(combinations(range(n), 2)), np.int64)


@given(SETS, st.integers(1, 200), st.integers(1, 200))
def test_rows_of_bits_say_what_a_comparison_one_by_one_says(sets: list[Hashes], ranged: int, cells: int) -> None:
    pairs = all_pairs(len(sets))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "_RANGE_GRAMS", ranged)
        patch.setattr(verify, "_CELLS", cells)
        patch.setattr(verify, "_COMPARED", 2)
        patch.setattr(verify, "_WORDS", 1 << 30)
        counts = verify.shared_counts(sets, pairs)
    assert counts is not None
    assert counts.tolist() == [shared(sets[a], sets[b]) for a, b in pairs.tolist()]


def form_and_others(rng: Random) -> list[str]:
    """Return 60 copies of a form, which are dense, a chain of versions and others, which aren't."""
    form, draft = prose(rng, 60), prose(rng, 60)
    versions = [draft := f"{draft} {prose(rng, 2)}" for _ in range(6)]
    return [folded(text) for text in [*(filled(rng, form, 2) for _ in range(60)), *versions, edited(rng, form, 0.9)]]


def test_parts_and_blocks_of_any_size_give_the_same_edges() -> None:
    texts = {f"{n:03}": text for n, text in enumerate(form_and_others(Random(2)))}
    found = []
    for sizes in ({}, {"_CACHED_GRAMS": 4000, "_PAIRS": 300}, {"_DENSE": 1 << 30}):
        with pytest.MonkeyPatch.context() as patch:
            for name, size in sizes.items():
                patch.setattr(verify, name, size)
            found.append(list(verify.edges_among(texts)))
    assert found[0] == found[1] == found[2] == sorted(found[0])
    assert len(found[0]) > 60 * 59 // 2


@given(PAIRS, st.randoms())
def test_verifying_does_not_depend_on_the_order_of_pairs(pairs: list[tuple[int, int]], random: Random) -> None:
    texts = [f"같은 문장으로 시작하는 글 {'가나다라'[: n % 4]} {n // 4}" for n in range(10)]
    found = []
    for _ in range(2):
        random.shuffle(pairs)
        n_grams = np.array([len(grams(text)) for text in texts], np.int64)
        rows = np.array(pairs, np.int64).reshape(-1, 2)
        blocks = verify.verify(rows, n_grams, lambda row: grams(texts[row]), near=0.6)
        found.append(list(verify.as_edges([f"{n}" for n in range(10)], list(blocks))))
    assert found[0] == found[1] == sorted(found[0])
    assert all(edge.a < edge.b for edge in found[0])


@pytest.mark.parametrize("dense", [0, 1 << 30])
def test_each_body_of_a_cluster_is_asked_for_once(dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[int] = Counter()

    def grams_of(row: int) -> Hashes:
        asked[row] += 1
        return np.arange(10, dtype=np.uint64)

    pairs = [pair for cluster in ((0, 3, 6), (1, 4, 7), (2, 5, 8)) for pair in combinations(cluster, 2)]
    Random(1).shuffle(pairs)
    monkeypatch.setattr(verify, "_DENSE", dense)
    monkeypatch.setattr(verify, "_CACHED_GRAMS", 60)
    blocks = list(verify.verify(np.array(pairs), np.full(9, 10), grams_of))
    assert sum(len(block.a) for block in blocks) == 9
    assert set(asked.values()) == {1}
    monkeypatch.setattr(verify, "_CACHED_GRAMS", 0)
    assert sum(len(block.a) for block in verify.verify(np.array(pairs), np.full(9, 10), grams_of)) == 9


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 5)), max_size=30), st.none() | st.sets(st.integers(0, 8)))
def test_candidates_in_blocks_are_all_candidates_once(entries: list[tuple[int, int]], new: set[int] | None) -> None:
    owners = np.array([owner for owner, _ in entries], np.int64)
    bands = np.array([band for _, band in entries], np.uint64)
    asked = None if new is None else np.array(sorted(new), np.int64)
    expected = {
        (a, b)
        for (a, band), (b, other) in combinations(sorted(entries), 2)
        if a != b and band == other and (new is None or {a, b} & new)
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipelines.candidates._BLOCK_PAIRS", 2)
        blocks = [tuple(pair) for block in candidate_blocks(owners, bands, asked) for pair in block.tolist()]
    expected = {(min(pair), max(pair)) for pair in expected}
    assert sorted(blocks) == sorted(expected)
    assert [tuple(pair) for pair in candidate_pairs(owners, bands, asked).tolist()] == sorted(expected)


@given(PAIRS, st.integers(1, 5))
def test_components_are_those_of_a_chain_of_pairs(pairs: list[tuple[int, int]], cut: int) -> None:
    blocks = [np.array(pairs[start : start + cut], np.int64).T for start in range(0, len(pairs), cut)]
    least = components(10, [(a, b) for a, b in blocks])
    groups = {n: {n} for n in range(10)}
    for a, b in pairs:
        whole = groups[a] | groups[b]
        groups.update(dict.fromkeys(whole, whole))
    assert least.tolist() == [min(groups[n]) for n in range(10)]


@given(PAIRS, st.lists(st.booleans(), min_size=45, max_size=45), st.lists(st.integers(1, 2), min_size=10, max_size=10))
def test_families_are_counted_as_they_are_shown(
    pairs: list[tuple[int, int]], kinds: list[bool], holders: list[int]
) -> None:
    edges = [
        Edge(f"{a}", f"{b}", "near" if near else "contains", 0.9, 1, 1)
        for (a, b), near in zip(pairs, kinds, strict=False)
    ]
    members = [Member("", f"{n}-{copy}", f"{n}", None, FILE_CLOCK) for n in range(10) for copy in range(holders[n])]
    columns = Edges.of(edges)
    near, contains = np.zeros(10, bool), np.zeros(10, bool)
    for edge in columns:
        (near if edge.kind == "near" else contains)[[int(edge.a), int(edge.b)]] = True
    least = components(10, [(np.array([int(e.a)]), np.array([int(e.b)])) for e in columns])
    shown = Counter(family.label for family in families(members, edges, datetime.now(UTC)))
    counted = label_counts(np.array(holders), least, near, contains)
    assert {label: count for label, count in counted.items() if count} == shown
