from __future__ import annotations

import unicodedata

import pytest
from document_makers import documents, heading, note, paragraph, record, table
from hypothesis import given
from hypothesis import strategies as st

from pipelines import body
from pipelines.records import Block, Parsed

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


@given(ANY_TEXT, ANY_TEXT, st.sampled_from([" ", "\n", "\t", "\u3000", "\u200b", "\ufeff", "\u00ad"]))
def test_words_on_two_lines_squeeze_to_the_words_of_each(a: str, b: str, gap: str) -> None:
    assert body.squeeze(a + gap + b) == body.squeeze(a) + body.squeeze(b)


@given(ANY_TEXT)
def test_spelling_in_nfd_squeezes_the_same(text: str) -> None:
    assert body.squeeze(unicodedata.normalize("NFD", text)) == body.squeeze(text)


def test_no_white_space_is_left() -> None:
    assert body.squeeze(" 휴\u00ad가\u200b 는\n1\u00a0일\u3000\ufeff") == "휴가는1일"


@given(documents())
def test_spans_cut_the_squeezed_text_at_its_blocks(blocks: list[Block]) -> None:
    text = body.squeezed(blocks)
    spans = body.spans(blocks)
    assert [text[start:end] for start, end in spans] == [body.words(block) for block in blocks]
    assert "".join(text[start:end] for start, end in spans) == text


def test_the_same_words_in_paragraphs_a_table_or_records_are_one_body() -> None:
    bodies = [
        [paragraph("이름 나이"), paragraph("김 30")],
        [table(["이름", "나이"], ["김", "30"])],
        [record([], ["이름", "나이"]), record(["이름", "나이"], ["김", "30"])],
        [heading("이름나이"), Block("item", "30", number="김"), note("각주는 본문이 아니다")],
    ]
    assert len({body.body_hash(blocks, "ab") for blocks in bodies}) == 1


def test_documents_without_words_are_equal_only_as_bytes() -> None:
    blocks = [note("각주뿐"), paragraph(" \u200b")]
    assert body.body_hash(blocks, "aa") == body.body_hash([], "aa") != body.body_hash([], "bb")


def test_a_number_belongs_to_the_body_and_a_label_of_the_parser_does_not() -> None:
    blocks = [Block("heading", "총칙", level=1, number="제1장"), Block("paragraph", "발표자 노트", in_body=False)]
    assert body.squeezed(blocks) == "제1장총칙"
    assert body.spans(blocks) == [(0, 5), (5, 5)]


def test_title_is_the_first_heading_of_level_one() -> None:
    blocks = (heading("개요", level=2), heading("시트", level=1), heading("결제  규정", number="제1장"))
    outside = Block("heading", "시트", level=1, in_body=False)
    assert body.title_of(Parsed("md", (blocks[0], outside, blocks[2]), title="다른 제목")) == "제1장 결제 규정"


def test_a_styled_paragraph_is_no_title() -> None:
    assert body.title_of(Parsed("docx", (heading("긴 문장 " * 60),), title="휴가 규정")) == "휴가 규정"


@pytest.mark.parametrize(
    "title", ["휴가 규정", "Payment API Guide", "문서 관리 규정", "Scan 정책 안내", "Word 사용 설명서"]
)
def test_a_real_embedded_title_is_kept(title: str) -> None:
    assert body.title_of(Parsed("pdf", (paragraph("본문"),), title=title)) == title


@pytest.mark.parametrize(
    "title",
    [
        None,
        "",
        "untitled",
        "Untitled-1",
        "제목 없음",
        "문서1",
        "Document1",
        "Document 12",
        "PowerPoint 프레젠테이션",
        "PowerPoint Presentation",
        "Microsoft Word - 기획서_v3.doc",
        "Microsoft PowerPoint - 발표",
        "기획서_최종(2).hwp",
        "report.final.docx",
        "통합 문서1",
        "Book1",
        "슬라이드 1",
        "제목 없는 문서",
        "2026-11-30",
        "빈 문서 3",
    ],
)
def test_a_title_that_a_program_made_up_is_dropped(title: str | None) -> None:
    assert body.title_of(Parsed("docx", (paragraph("본문"),), title=title)) == ""
