"""Rows that break a rule alone, and invariants of all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from index_rows import row

from pipelines.rowrules import bad_rows
from resources.quality import CheckResult, check_rows, facts_of
from resources.rows import rows_table

ENCODER = "test@0/fp32/512"


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"text": " \n"}, "empty"),
        ({"text": "가\ufffd나\ufffd"}, "2 of 4 characters"),
        ({"text": "가\ud800"}, "lone surrogates"),
        ({"n_tokens": 513}, "513 tokens"),
        ({"n_tokens": 0}, "0 tokens"),
        ({"vector": np.array([np.nan, 0, 0, 0])}, "not a number"),
        ({"vector": np.array([np.inf, 0, 0, 0])}, "not a number"),
        ({"vector": np.zeros(4)}, "zero"),
        ({"vector": np.array([2.0, 0, 0, 0])}, "length 2.000"),
    ],
)
def test_a_bad_row_is_withheld_alone(broken: dict[str, Any], reason: str) -> None:
    found = bad_rows([row(1), row(2, **broken), row(3)], max_tokens=512)
    assert list(found) == [row(2)["chunk_id"]] and reason in found[row(2)["chunk_id"]]


def test_good_rows_are_kept() -> None:
    half = np.array([0.6, 0.8, 0, 0], np.float16)
    allowed = "가" * 99 + "\ufffd"
    assert bad_rows([row(1, vector=None), row(2, vector=half), row(3, text=allowed)], max_tokens=512) == {}


def check(rows: list[dict[str, Any]]) -> dict[str, CheckResult]:
    return checked(rows_table(rows, 4))


def checked(table: pa.Table) -> dict[str, CheckResult]:
    return {one.name: one for one in check_rows(facts_of(table), encoder_id=ENCODER, dimension=4, max_tokens=512)}


def failed(results: dict[str, CheckResult]) -> list[str]:
    return [name for name, one in results.items() if not one.passed]


def test_sound_rows_pass_every_check() -> None:
    results = check([row(1), row(2, vector=None)])
    assert len(results) == 9 and failed(results) == []


def test_no_rows_pass() -> None:
    assert failed(check([])) == []


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        ({"chunk_id": row(1)["chunk_id"]}, "chunk_ids_unique"),
        ({"text": " "}, "text_not_empty"),
        ({"n_tokens": 600}, "tokens_within_limit"),
        ({"vector": np.array([np.nan, 0, 0, 0])}, "vectors_unit_length"),
        ({"vector": np.zeros(4)}, "vectors_unit_length"),
        ({"encoder_id": "other@1/fp32/512"}, "one_encoder"),
        ({"text": "보&#48372;고서"}, "references_decoded"),
    ],
)
def test_a_broken_invariant_is_named(broken: dict[str, Any], name: str) -> None:
    results = check([row(1), row(2, **broken), row(3)])
    assert failed(results) == [name]
    assert results[name].unexpected_count >= 1


def test_a_null_text_and_another_dimension_are_noticed() -> None:
    table = rows_table([row(1)], 4)
    loose = table.set_column(
        table.column_names.index("text"), pa.field("text", pa.string()), pa.array([None], pa.string())
    )
    assert failed(checked(loose)) == ["text_present"]
    wide = rows_table([row(1, vector=np.array([1.0, 0, 0, 0, 0]))], 5)
    assert failed(checked(wide)) == ["vectors_dimension"]


def test_only_what_no_document_may_do_blocks() -> None:
    assert [name for name, one in check([row(1)]).items() if not one.blocking] == ["references_decoded"]


def test_results_hold_no_document_text() -> None:
    secret = "보&#48372;고서 홍길동"
    results = check([row(1, text=secret), row(1, text=" ")])
    assert not any("홍길동" in one.observed or "48372" in one.observed for one in results.values())
