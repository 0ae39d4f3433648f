"""CSV files: which character divides their fields, and which rows are headers."""

from __future__ import annotations

import io

import pytest

from pipelines.parsers import parse
from pipelines.parsers.csv import find_delimiter
from pipelines.records import Limits


@pytest.mark.parametrize(
    "text",
    [
        "a;b\n1,5;2,5\n3,5;4,5",
        "품목;단가;비고\n\n사과;1,5;\n배;2,5;\n감;3,5;",
        "단가표\n품목;금액\n1,5;2,5\n3,5;4,5\n5,5;6,5",
    ],
)
def test_commas_within_numbers_are_no_delimiter(text: str) -> None:
    assert find_delimiter(text) == ";"


def test_a_title_with_other_marks_does_not_choose_the_delimiter() -> None:
    assert find_delimiter("예산 | 2026; 본예산\n품목,금액,비고\n사과,1,가\n배,2,나\n") == ","


def test_a_header_shorter_than_its_rows_keeps_the_delimiter() -> None:
    assert find_delimiter("품목,금액\n사과,1,가\n배,2,나\n") == ","


def test_a_header_that_is_printed_again_is_no_record() -> None:
    rows = "이름,부서,금액\n김하나,영업,100\n이두리,개발,200\n이름,부서,금액\n박세나,총무,300\n"
    parsed = parse(io.BytesIO(rows.encode()), "명단.csv", Limits())
    assert [block.values[0] for block in parsed.blocks] == ["이름", "김하나", "이두리", "박세나"]


def test_years_over_halves_head_their_columns() -> None:
    rows = "구분,2025,,2026,\n,상반기,하반기,상반기,하반기\n이관,10,20,30,40\n폐기,1,2,3,4\n"
    parsed = parse(io.BytesIO(rows.encode()), "현황.csv", Limits())
    assert parsed.blocks[2].labels == ("구분", "2025 / 상반기", "2025 / 하반기", "2026 / 상반기", "2026 / 하반기")
