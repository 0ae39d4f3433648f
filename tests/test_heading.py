from __future__ import annotations

import pytest
from document_makers import heading, paragraph

from pipelines.heading import heading_paths, heading_text, is_heading, without_numbering


@pytest.mark.parametrize(
    ("typed", "bare"),
    [
        ("제1장 총칙", "총칙"),
        ("제 3 절 휴가", "휴가"),
        ("제5조의2(목적)", "(목적)"),
        ("1.2 범위", "범위"),
        ("1.2.3. 범위", "범위"),
        ("1. 개요", "개요"),
        ("1.개요", "개요"),
        ("2) 방법", "방법"),
        ("(3) 결과", "결과"),
        ("가. 대상", "대상"),
        ("① 신청", "신청"),
        ("III. Results", "Results"),
        ("Ⅳ. 결론", "결론"),
        ("A. Appendix", "Appendix"),
        ("Chapter 3: Payments", "Payments"),
        ("Section 2.1 Limits", "Limits"),
        ("2026 계획", "2026 계획"),
        ("2026. 3. 1. 회의", "2026. 3. 1. 회의"),
        ("5 Whys", "5 Whys"),
        ("3.5배 성장", "3.5배 성장"),
        ("가격 정책", "가격 정책"),
        ("In practice", "In practice"),
        ("제주도 출장", "제주도 출장"),
        ("제1장", ""),
    ],
)
def test_numbering_is_left_out(typed: str, bare: str) -> None:
    assert without_numbering(heading(typed)) == bare


def test_a_rebuilt_number_is_left_out_and_the_text_kept() -> None:
    block = heading("(1) 안\n이어서", number="제1조")
    assert heading_text(block) == "제1조 (1) 안 이어서"
    assert without_numbering(block) == "(1) 안 이어서"


def test_a_styled_paragraph_is_no_heading() -> None:
    assert is_heading(heading("가" * 160)) and not is_heading(heading("가" * 161)) and not is_heading(heading(" "))


def test_a_path_is_left_by_a_heading_of_its_level_or_above() -> None:
    blocks = [paragraph("앞"), heading("가", 2), heading("나", 3), paragraph("글"), heading("다", 1), heading("라", 3)]
    assert heading_paths(blocks) == [(), ("가",), ("가", "나"), ("가", "나"), ("다",), ("다", "라")]
