"""What leaves a PDF's body as a header, footer or page number, and what only looks like one."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdf_makers import Draw, drawn, lines, together

from pipelines.parsers.pdf import parse
from pipelines.records import Limits, Parsed


def read(*pages: Draw) -> Parsed:
    return parse(io.BytesIO(drawn(*pages)), "문서.pdf", Limits())


def words(parsed: Parsed) -> list[str]:
    return " ".join(block.text for block in parsed.blocks).split()


def filler(page: int, count: int = 30) -> list[str]:
    return [f"{page}쪽의 {n}번 일을 마쳤다." for n in range(count)]


def body(*pages: list[str], y: float = 700) -> Parsed:
    return read(*(lines(page, y=y, pitch=18) for page in pages))


def test_two_contracts_of_one_text_are_both_whole() -> None:
    head, tail = ["용역 계약서", "갑: 가나다 주식회사"], ["위와 같이 계약한다", "갑 가나다 주식회사 (인)"]
    pages = [[*head, name, *filler(9, 8), *tail] for name in ("을: 홍길동", "을: 김철수")]
    parsed = body(*pages)
    assert Counter(words(parsed)) == Counter(" ".join(map(" ".join, pages)).split())
    assert parsed.asides == {}


def test_labels_that_each_form_has_stay() -> None:
    pages = [["신청서", "성명", name, "주소", town, "신청인 서명"] for name, town in ("가나", "다라", "마바")]
    assert len(words(body(*pages))) == 3 * 7
    narrow = [["신청서", *filler(n, 42)] for n in range(3)]
    assert words(body(*narrow, y=805)).count("신청서") == 3


def test_numbers_of_what_the_pages_are_about_count_no_pages() -> None:
    for name in ("요구사항 번호 SFR-00{}", "제{}조 (목적)", "붙임 {}", "[별표 {}]"):
        pages = [together(lines([name.format(n)], y=800), lines(filler(n))) for n in (1, 2, 3)]
        shown = " ".join(words(read(*pages)))
        assert all(name.format(n) in shown for n in (1, 2, 3)), name


@pytest.mark.parametrize(
    "name", ["사업 계획서 {}", "{} 사업 계획서", "사업 계획서 {}쪽", "사업 계획서 제 {} 쪽", "Page {}", "{}/3", "-{}-"]
)
def test_numbers_of_pages_do(name: str) -> None:
    pages = [together(lines(filler(n)), lines([name.format(n)], y=30)) for n in (1, 2, 3)]
    parsed = read(*pages)
    assert parsed.asides == {"footer": 3}
    assert len(parsed.apart) == ("계획서" in name)


def test_a_number_at_the_end_of_a_list_is_no_page_number() -> None:
    assert words(body(["수량", "1"])) == ["수량", "1"]
    assert words(read(lines(["수량", *filler(1, 45), "1"], y=780)))[-1] == "1"


@pytest.mark.parametrize("number", ["(1)", "1.", "1)", "[1]", "제1"])
def test_a_number_in_brackets_or_of_a_list_is_no_page_number(number: str) -> None:
    assert words(read(together(lines(filler(1)), lines([number], y=30))))[-1] == number


def test_a_number_that_every_page_has_the_same_is_kept_apart() -> None:
    pages = [together(lines(["2026"], y=810), lines(filler(n))) for n in (1, 2, 3)]
    assert [(aside.kind, aside.text) for aside in read(*pages).apart] == [("header", "2026")]


def test_all_pieces_of_a_header_leave_together() -> None:
    pieces = (("김새로", 460), ("계획서", 260), ("대외비", 60))
    head = together(*(lines([text], x=x, y=810) for text, x in pieces))
    parsed = read(*(together(lines(filler(n)), head) for n in (1, 2, 3)))
    assert {word for aside in parsed.apart for word in aside.text.split()} == {"대외비", "계획서", "김새로"}
    assert "대외비" not in words(parsed)


ENTRIES = ["목차", "성명", "1. 개요", "제1조 (목적)", "제2조 (목적)", "SFR-001", "(3)", "갑과 을", "2026년 예산 12"]


@settings(max_examples=30, deadline=None)
@given(
    pages=st.lists(st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=7), min_size=1, max_size=4),
    top=st.sampled_from([60, 400, 790]),
    pitch=st.sampled_from([14, 30, 60]),
    running=st.sampled_from(["", "대외비", "계획서", "한 해의 계획서"]),
)
def test_every_word_of_a_page_is_in_its_body_or_apart(
    pages: list[list[str]], top: float, pitch: float, running: str
) -> None:
    def page(number: int, texts: list[str]) -> Draw:
        header = lines([f"{running} {number}"] if running else [], y=825)
        return together(header, lines(texts, y=max(top, pitch * len(texts) + 20), pitch=pitch), lines(["끝쪽"], y=10))

    parsed = read(*(page(number, texts) for number, texts in enumerate(pages, 1)))
    apart = Counter(word for aside in parsed.apart for word in aside.text.split())
    made = Counter(word for texts in pages for text in texts for word in text.split())
    made.update([*running.split(), "끝쪽"])
    assert made - Counter(words(parsed)) <= Counter({word: len(pages) for word in apart})
