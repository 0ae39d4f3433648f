"""Exact neighbours: what a plain matrix product says, whatever the blocks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from pipelines.neighbours import nearest, neighbours

Rows = npt.NDArray[np.float32]
blocks = st.integers(1, 7)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Rows, list[int]]:
    """Unit rows, a third of them repeated so that cosines tie, and some of them as queries."""
    count = draw(st.integers(1, 24))
    dice = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = dice.normal(size=(count, 8)).astype(np.float32)
    rows[dice.integers(0, count, count // 3)] = rows[0]
    queries = draw(st.lists(st.integers(0, count - 1), unique=True))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True), queries


def met(
    rows: Rows | npt.NDArray[np.float16], queries: list[int] | range, bar: float, **sizes: int
) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for i, j, _ in neighbours(rows, queries, bar, **sizes) for a, b in zip(i, j, strict=True)]


@given(corpora(), st.floats(-0.5, 0.95), blocks, blocks)
def test_every_pair_above_the_bar_is_met_once(
    corpus: tuple[Rows, list[int]], bar: float, query_block: int, column_block: int
) -> None:
    rows, queries = corpus
    product = rows @ rows.T
    certain = {(i, j) for i in queries for j in range(len(rows)) if i != j and product[i, j] >= bar + 1e-5}
    possible = {(i, j) for i in queries for j in range(len(rows)) if i != j and product[i, j] >= bar - 1e-5}
    found = met(rows, queries, bar, query_block=query_block, column_block=column_block)
    assert len({frozenset(pair) for pair in found}) == len(found)
    assert set(found) <= possible
    assert {frozenset(pair) for pair in certain} <= {frozenset(pair) for pair in found}
    assert all(i in queries and (i < j or j not in queries) for i, j in found)


@given(corpora(), st.integers(1, 5), blocks, blocks)
def test_the_nearest_are_those_of_the_whole_product(
    corpus: tuple[Rows, list[int]], count: int, query_block: int, column_block: int
) -> None:
    rows, queries = corpus
    product = (rows @ rows.T).astype(float)
    np.fill_diagonal(product, -9.0)
    parts = nearest(rows, queries, count, query_block=query_block, column_block=column_block)
    found = [(int(a), int(b), float(c)) for i, j, k in parts for a, b, c in zip(i, j, k, strict=True)]
    assert [i for i, _, _ in found] == [i for i in sorted(queries) for _ in range(min(count, len(rows) - 1))]
    for query in queries:
        scores = [score for i, _, score in found if i == query]
        best = np.sort(product[query])[::-1][: len(scores)]
        assert np.allclose(scores, best, atol=1e-5) and scores == sorted(scores, reverse=True)
    assert all(i != j and abs(product[i, j] - score) < 1e-5 for i, j, score in found)


def test_equal_neighbours_come_by_their_number() -> None:
    rows = np.eye(4, dtype=np.float32)[[0, 1, 1, 1, 1]]
    ((_, j, _),) = nearest(rows, [3], 2, column_block=2)
    assert j.tolist() == [1, 2]


def test_vectors_kept_in_half_precision_give_nearly_the_same_cosines() -> None:
    rows = np.random.default_rng(5).normal(size=(300, 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    parts = list(neighbours(rows.astype(np.float16), range(300), 0.25, column_block=70))
    i, j, cosines = (np.concatenate(part) for part in zip(*parts, strict=True))
    assert len(i) > 100 and np.abs(cosines - (rows[i] * rows[j]).sum(axis=1)).max() < 3e-4


def test_no_rows_and_no_queries_have_no_neighbours() -> None:
    assert met(np.zeros((0, 8), np.float32), [], 0.0) == met(np.eye(3, dtype=np.float32), [], -1.0) == []
    assert [len(i) for i, _, _ in nearest(np.eye(1, dtype=np.float32), [0], 3)] == [0]
