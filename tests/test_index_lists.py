"""The lists of the vector index: made late, kept in two segments, made anew when the table has doubled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from index_rows import NOW, row

from resources import table as table_module
from resources.published import Published
from resources.reader import IndexReader
from resources.rows import rows_table
from resources.table import RowTable

FIRST = 400


def rows(first: int, count: int) -> list[dict[str, Any]]:
    vectors = np.random.default_rng(first).standard_normal((count, 4)).astype(np.float32)
    made = []
    for number, vector in enumerate(vectors, start=first):
        unit = vector / np.float32(np.linalg.norm(vector))
        made.append(row(number, vector=unit, row_hash=f"r{number}", source=f"문서{number % 3}"))
    return made


@pytest.fixture
def grown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RowTable:
    """A table that is just large enough for lists."""
    monkeypatch.setattr(table_module, "ANN_FROM", FIRST)
    made = RowTable(tmp_path, "chunks", 4)
    made.apply(rows_table(rows(0, FIRST), 4))
    made.optimize()
    return made


def segments(table: RowTable) -> list[int]:
    """Return the rows of each segment of the vector index."""
    found = table.dataset().stats.index_stats("vector_idx")["indices"]
    return [sum(one["size"] for one in segment["partitions"]) for segment in found]


def night(table: RowTable, first: int, count: int) -> None:
    table.apply(rows_table(rows(first, count), 4))
    table.optimize()


def test_nights_add_to_one_segment_beside_the_trained_one(grown: RowTable) -> None:
    assert segments(grown) == [FIRST]
    for number in range(3):
        night(grown, FIRST + 20 * number, 20)
    assert segments(grown) == [FIRST, 60]


def test_lists_are_made_anew_when_more_rows_came_than_they_were_made_from(grown: RowTable) -> None:
    night(grown, FIRST, FIRST // 2)
    assert segments(grown) == [FIRST, FIRST // 2]
    night(grown, 2 * FIRST, FIRST // 2 + 1)
    assert segments(grown) == [2 * FIRST + 1]


def test_every_row_is_found_through_its_lists_whatever_night_it_came(grown: RowTable) -> None:
    night(grown, FIRST, 30)
    for one in rows(0, FIRST)[::50] + rows(FIRST, 30)[::7]:
        nearest = {"column": "vector", "q": one["vector"], "k": 1, "metric": "cosine", "minimum_nprobes": 20}
        found = grown.dataset().scanner(columns=["chunk_id", "_distance"], nearest=nearest).to_table()
        assert found["chunk_id"].to_pylist() == [one["chunk_id"]]


def test_an_index_without_changes_gets_no_new_version(grown: RowTable) -> None:
    version = grown.version
    grown.optimize()
    assert grown.version == version


def test_all_nearest_within_a_small_source_are_found_wherever_their_lists_are(grown: RowTable, tmp_path: Path) -> None:
    few = [one | {"source": "작은"} for one in rows(FIRST, 60)]
    grown.apply(rows_table(few, 4))
    grown.optimize()
    record = Published("chunks", grown.version, "retired", 0, "test@0/fp32/512", "", "", NOW, "run")
    asked = rows(0, 1)[0]["vector"]
    found = IndexReader(tmp_path, record).vector(asked, 50, "source in ('작은')")
    exact = sorted(few, key=lambda one: -float(one["vector"] @ asked))[:50]
    assert {one["chunk_id"] for one in found} == {one["chunk_id"] for one in exact}


def test_a_phrase_that_few_rows_hold_narrows_both_sides(grown: RowTable, tmp_path: Path) -> None:
    record = Published("chunks", grown.version, "retired", 0, "test@0/fp32/512", "", "", NOW, "run")
    reader = IndexReader(tmp_path, record)
    asked = rows(0, 1)[0]["vector"]
    for phrase, ids in (("본문 7$", [7]), ("본문 39[0-9]$", range(390, 400)), ("없는 말", [])):
        near, texts = reader.draw(asked, "결제", 50, f"regexp_like(text, '{phrase}', 'i')")
        assert {one["chunk_id"] for one in near} == {one["chunk_id"] for one in texts} == {f"{n:032x}" for n in ids}
