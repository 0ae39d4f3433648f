from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from random import Random

import numpy as np
import pytest
from alike_texts import edited, filled, plain_grams, prose
from hypothesis import given
from hypothesis import strategies as st

from pipelines import near, verify
from pipelines.candidates import candidate_pairs
from pipelines.grams import Hashes, folded, grams
from pipelines.near import (
    CONTAINS,
    CONTAINS_JACCARD,
    NEAR,
    Edge,
    related,
    relation,
    shared,
    worth_reading,
)
from pipelines.signature import BINS, Signatures, estimate
from pipelines.sketch import common_grams, sampled, sketches
from pipelines.verify import edges_among as columns_among


def edges_among(texts: Mapping[str, str]) -> list[Edge]:
    return list(columns_among(texts))


NUMBERS = st.sets(st.integers(0, 40)).map(lambda numbers: np.array(sorted(numbers), np.uint64))


@given(NUMBERS, NUMBERS)
def test_shared_is_the_size_of_the_intersection(a: Hashes, b: Hashes) -> None:
    assert shared(a, b) == len({*a.tolist()} & {*b.tolist()})


@pytest.mark.parametrize(
    ("n_a", "n_b", "n_shared", "expected"),
    [
        (100, 100, 100, "near"),
        (95, 95, 90, "near"),  # exactly .90
        (95, 96, 90, None),
        (40, 100, 40, "contains"),  # exactly .40
        (39, 100, 39, None),
        (100, 100, 94, None),  # .887, .94 in each other
        (50, 75, 48, "contains"),  # .96 of the smaller
        (50, 75, 47, None),
        (90, 100, 90, "near"),  # near goes before contains
        (0, 0, 0, None),
        (0, 9, 0, None),
    ],
)
def test_the_rule_at_its_bounds(n_a: int, n_b: int, n_shared: int, expected: str | None) -> None:
    assert relation(n_a, n_b, n_shared) == relation(n_b, n_a, n_shared) == expected
    (is_near,), (is_edge,) = related(np.array([n_a]), np.array([n_b]), np.array([n_shared]))
    assert (is_near, is_edge) == (expected == "near", expected is not None)


def test_a_lower_bar_calls_more_near() -> None:
    assert relation(100, 100, 94, near=0.85) == "near"


def signed(shares: list[float]) -> Signatures:
    """Return signatures of which each but the first agrees with the first in a share of its places."""
    signature = np.ones((len(shares) + 1, BINS), np.uint32)
    for row, share in enumerate(shares, 1):
        signature[row, round(share * BINS) :] = row + 1
    return signature


@given(st.integers(1, 2000), st.integers(1, 2000), st.floats(0, 1), st.sampled_from([0.3, 0.85, NEAR]))
def test_what_is_related_is_read(n_a: int, n_b: int, part: float, bar: float) -> None:
    both = round(part * min(n_a, n_b))
    if relation(n_a, n_b, both, bar):
        pairs, n_grams = np.array([[0, 1]]), np.array([n_a, n_b])
        assert len(worth_reading(pairs, n_grams, signed([both / (n_a + n_b - both)]), bar)) == 1


def test_forms_with_other_fillings_are_not_read_but_a_draft_and_its_extension_are() -> None:
    n_grams = np.array([1000, 1050, 2200, 390])
    pairs = np.array([[0, 1], [0, 2], [0, 3]])
    assert worth_reading(pairs, n_grams, signed([0.45, 0.45, 0.39])).tolist() == [[0, 2]]


def by_the_book(texts: dict[str, str]) -> list[Edge]:
    """Return the edges by comparing every pair as sets of strings."""
    found = []
    sets = {body: plain_grams(folded(text)) for body, text in texts.items()}
    for a, b in combinations(sorted(texts), 2):
        one, other = sets[a], sets[b]
        both = len(one & other)
        kind = relation(len(one), len(other), both)
        if kind:
            found.append(Edge(a, b, kind, both / len(one | other), both / len(one), both / len(other)))
    return found


def office(seed: int) -> dict[str, str]:
    """Return about 300 texts as an office keeps them: edits, additions, version chains, filled forms, short ones."""
    rng = Random(seed)
    form, other_form = prose(rng, 150), prose(rng, 60)
    texts = ["", "", "가나", "가나다", "회의록"]
    texts += [filled(rng, form, 4) for _ in range(40)]  # 97 % form
    texts += [filled(rng, other_form, rng.randrange(30, 60)) for _ in range(30)]
    for n in range(50):
        draft = prose(rng, rng.randrange(20, 120))
        texts += [draft, edited(rng, draft, n / 1000), f"{draft} {prose(rng, 1 + n * 2)}"]
    for _ in range(5):
        text = prose(rng, 60)
        for _ in range(4):
            texts.append(text)
            text = f"{edited(rng, text, 0.004)} {prose(rng, 2)}"
    texts += [prose(rng, rng.randrange(1, 80)) for _ in range(60)]
    return {f"{rng.getrandbits(256):064x}": text for text in texts}


def test_every_alike_pair_is_found_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = office(11)
    expected = by_the_book(texts)
    kinds = Counter(edge.kind for edge in expected)
    assert len(texts) > 300 and kinds["near"] > 800 and kinds["contains"] > 60
    bodies = sorted(texts)
    ready = [folded(texts[body]) for body in bodies]
    common = common_grams(grams(folded(texts[body])) for body in sampled(bodies))
    made = sketches(ready, common)
    listed = np.array([shared(grams(text), common) for text in ready])
    forms = 2 * listed > made.n_grams
    assert 40 <= forms.sum() <= 80  # the list is in force, and the filled forms are mostly made of it
    pairs = {(bodies[a], bodies[b]) for a, b in candidate_pairs(made.owners, made.bands).tolist()}
    assert {(edge.a, edge.b) for edge in expected} <= pairs
    assert edges_among(texts) == expected
    monkeypatch.setattr(verify, "LIST_FROM", 300)
    assert edges_among(texts) == expected


def test_edges_do_not_depend_on_the_order_of_texts() -> None:
    texts = office(12)
    shuffled = list(texts.items())
    Random(1).shuffle(shuffled)
    assert edges_among(dict(shuffled)) == edges_among(texts)


def test_edges_after_removals_are_those_of_a_fresh_start() -> None:
    rng = Random(5)
    texts = dict(list(office(13).items())[:150])
    left = {body: text for body, text in texts.items() if rng.random() < 0.7}
    assert edges_among(left) == [edge for edge in edges_among(texts) if edge.a in left and edge.b in left]


def named(*texts: str) -> dict[str, str]:
    return {f"{n:02d}": text for n, text in enumerate(texts)}


def test_template_siblings_are_no_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(2)
    template = [prose(rng, 6) for _ in range(93)]
    siblings = named(*("\n".join([*template, *(prose(rng, 6) for _ in range(7))]) for _ in range(8)))
    assert edges_among(siblings) == []
    monkeypatch.setattr(near, "CONTAINS", 0.90)
    merged = edges_among(siblings)
    assert [edge.kind for edge in merged] == ["contains"] * 28
    assert all(CONTAINS_JACCARD <= edge.jaccard < near.NEAR for edge in merged)
    assert all(0.90 <= max(edge.a_in_b, edge.b_in_a) < CONTAINS for edge in merged)


def test_a_plain_addition_contains_with_its_direction() -> None:
    rng = Random(3)
    draft = prose(rng, 80)
    (edge,) = edges_among(named(f"{draft} {prose(rng, 90)}", draft))
    assert edge.kind == "contains"
    assert edge.b_in_a == 1 and edge.a_in_b < 0.6
    assert edge.jaccard == pytest.approx(edge.a_in_b)


def test_a_short_text_in_a_long_one_is_no_pair() -> None:
    rng = Random(4)
    clause = prose(rng, 10)
    assert edges_among(named(clause, f"{clause} {prose(rng, 60)}")) == []


def test_empty_and_short_texts_are_alike_only_when_they_say_the_same() -> None:
    assert edges_among(named("", "", " \n", "가나", "가다")) == []
    assert [edge.kind for edge in edges_among(named("가 나", "가\n나", "가\u11ab 나"))] == ["near"]


def test_the_verdict_is_that_of_the_sets_not_of_the_estimate() -> None:
    rng = Random(6)
    seen = set()
    for _ in range(200):
        one = prose(rng, 100)
        other = edited(rng, one, 0.05)
        signature = sketches([folded(one), folded(other)], np.empty(0, np.uint64)).signature
        a, b = plain_grams(folded(one)), plain_grams(folded(other))
        estimated, true = estimate(signature[0], signature[1]) >= 0.90, len(a & b) / len(a | b) >= 0.90
        seen.add((estimated, true))
        assert (any(edge.kind == "near" for edge in edges_among(named(one, other)))) == true
    assert {(False, True), (True, False)} <= seen


def test_a_chain_joins_only_versions_that_reach_the_bar() -> None:
    """v1 -> v2 changes little, v2 -> v3 and v1 -> v3 change too much."""
    first = [f"{n}번째 항목의 담당자와 일정을 정리하였다." for n in range(100, 160)]
    second = [line.replace("담당자", "책임자") if n < 3 else line for n, line in enumerate(first)]
    third = [f"{n} 새로 고쳐 쓴 문장 하나" if 10 <= n < 15 else line for n, line in enumerate(second)]
    edges = edges_among(named(*("\n".join(lines) for lines in (first, second, third))))
    assert [(edge.a, edge.b) for edge in edges if edge.kind == "near"] == [("00", "01")]
