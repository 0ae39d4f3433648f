from __future__ import annotations

from itertools import pairwise

from document_makers import documents, heading, note, paragraph, record, table
from hypothesis import given
from hypothesis import strategies as st

from pipelines import body
from pipelines.chunk import cut
from pipelines.locate import Location, heaviest_line, locate, page_at, places_of, snippet
from pipelines.mirror import render
from pipelines.records import Block, Chunk, Locator


def chunks_of(blocks: list[Block], limit: int = 400) -> list[Chunk]:
    return cut(
        blocks,
        title="",
        body_hash="b",
        count_tokens=lambda texts: [len(text.split()) for text in texts],
        limit=limit,
        hard_limit=limit * 5 // 4,
    )


def places(chunks: list[Chunk], blocks: list[Block]) -> list[Location]:
    made, spans = render(blocks), body.spans(blocks)
    return [locate(c.start, c.end, c.text, blocks, spans, made) for c in chunks]


@given(documents(), st.sampled_from([6, 400]))
def test_the_cited_lines_hold_the_words_of_the_chunk(blocks: list[Block], limit: int) -> None:
    made = render(blocks)
    text = body.squeezed(blocks)
    chunks = chunks_of(blocks, limit)
    for c, place in zip(chunks, places(chunks, blocks), strict=True):
        first, last = place["lines"]
        assert 1 <= first <= last <= len(made.lines)
        low, high = made.line_spans[first - 1][0], made.line_spans[last - 1][1]
        assert text[c.start : c.end] in text[low:high]


def test_each_document_of_a_body_has_its_own_places() -> None:
    chunks = chunks_of([heading("요금"), paragraph("기본 천원"), paragraph("추가 이천원"), note("세금 별도")], limit=4)
    assert [c.text for c in chunks] == ["기본 천원", "추가 이천원", "[^1]: 세금 별도"]
    pdf = [
        Block("paragraph", "요금\n기본", locator=Locator(page=1)),
        Block("paragraph", "천원 추가", locator=Locator(page=2)),
        Block("paragraph", "이천원", locator=Locator(page=2)),
    ]
    assert [(p["page"], p["lines"], p["heading"]) for p in places(chunks, pdf)] == [
        (1, [2, 4], []),
        (2, [4, 6], []),
        (2, [6, 6], []),
    ]


def test_a_passage_over_pages_tells_where_each_begins() -> None:
    blocks = [Block("paragraph", f"{n}번째 문단", locator=Locator(page=page)) for n, page in enumerate((1, 1, 2, 3))]
    (place,) = places(chunks_of(blocks), blocks)
    assert (place["page"], place["pages"]) == (1, [[1, 1], [5, 2], [7, 3]])
    assert [page_at(line, place["pages"]) for line in (1, 3, 4, 5, 6, 7)] == [1, 1, 1, 2, 2, 3]
    assert "pages" not in places(chunks_of(blocks[:2]), blocks[:2])[0]


def test_the_heaviest_line_holds_most_of_the_terms() -> None:
    text = "예비 열쇠 보관함\n예비 열쇠는 제동 시험 때 쓴다\n제동 시험"
    assert heaviest_line(text, [("제동", 0.7), ("시험", 0.7), ("열쇠", 0.7)]) == 1
    assert heaviest_line(text, [("없음", 0.7)]) == 0


def test_rows_of_a_sheet_are_cited_with_their_heading() -> None:
    blocks = [Block("heading", "단가", level=1, in_body=False, locator=Locator(sheet="단가"))]
    blocks += [record(["품목", "값"], [f"품목{n}", f"{n}원"], row=n, sheet="단가") for n in range(2, 8)]
    blocks.insert(3, heading("새 표", level=2))
    first, second = places(chunks_of(blocks), blocks)
    assert first == {
        "page": None,
        "slide": None,
        "sheet": "단가",
        "rows": [2, 3],
        "heading": ["단가"],
        "lines": [3, 4],
        "ocr": False,
    }
    assert (second["rows"], second["lines"]) == ([4, 7], [8, 11])


def test_rows_of_a_long_table_are_cited_alone() -> None:
    blocks = [heading("표"), table(["이름", "값"], *([f"항목{n}", "값 " * 8] for n in range(9)))]
    chunks = chunks_of(blocks, limit=40)
    lines = [p["lines"] for p in places(chunks, blocks)]
    assert lines[0][0] == 3 and lines[-1][1] == 13 and len(lines) > 3
    assert all(before[1] + 1 == after[0] for before, after in pairwise(lines))


def test_notes_are_cited_with_their_paragraph() -> None:
    blocks = [paragraph("본문"), note("각주\n둘째 줄"), paragraph("다음")]
    assert [p["lines"] for p in places(chunks_of(blocks, limit=5), blocks)] == [[1, 4], [6, 6]]


def test_a_document_of_notes_alone_is_cited() -> None:
    blocks = [note("하나"), note("둘")]
    assert [p["lines"] for p in places(chunks_of(blocks), blocks)] == [[1, 3]]


def test_what_a_passage_shows_beside_the_body_is_cited_too() -> None:
    head = Block("paragraph", "Subject: 견적\nFrom: 가", in_body=False)
    quoted = Block("paragraph", "> 언제 오나요\n\n> 얼마인가요", in_body=False)
    blocks = [head, paragraph("금요일에 가고 삼천원입니다."), quoted]
    (whole,) = chunks_of(blocks)
    assert [p["lines"] for p in places([whole], blocks)] == [[1, 8]]
    other = [Block("paragraph", "Subject: 다른 제목", in_body=False), *blocks[1:]]
    assert [p["lines"] for p in places([whole], other)] == [[3, 7]], "this head stands in no passage"
    parts = chunks_of(blocks, limit=4)
    cited = [p["lines"] for p in places(parts, blocks)]
    lines = render(blocks).lines
    assert len(parts) > 1
    for part, (first, last) in zip(parts, cited, strict=True):
        assert part.text == "\n".join(lines[first - 1 : last])


LINES = ["머리말", "", *(f"문장 {n}은 이렇게 말한다. " * 4 for n in range(30)), "", "끝말"]


@given(
    st.lists(st.text("가나다. \n", max_size=60), min_size=1, max_size=12),
    st.lists(st.sampled_from([("가", 1.0), ("나 다", 0.7), ("다.", 0.15), ("없음", 1.0)]), max_size=3),
    st.integers(20, 80),
)
def test_a_snippet_is_a_slice_of_the_cited_lines(parts: list[str], terms: list[tuple[str, float]], size: int) -> None:
    lines = "\n".join(parts).split("\n")
    shown = snippet("없는 글", lines, [1, len(lines)], terms, size=size)
    assert shown in "\n".join(lines)
    assert len(shown) <= size


def test_a_snippet_shows_the_terms_from_the_start_of_a_sentence() -> None:
    shown = snippet("다른 서식의 글", LINES, [3, 32], [("문장", 0.7), ("17은", 1.0)])
    assert shown.startswith("문장 ") and "17은" in shown and shown.endswith("말한다.")
    assert 200 < len(shown) <= 360


def test_a_snippet_without_terms_begins_with_the_passage() -> None:
    chunk_text = "\n".join(LINES[10:31])
    assert chunk_text.startswith(snippet(chunk_text, LINES, [3, 32], []))


def test_a_short_passage_is_shown_whole_and_nothing_of_its_neighbours() -> None:
    assert snippet("가운데 글.", ["앞의 글. 가운데 글. 뒤의 글."], [1, 1], [("뒤의", 1.0)]) == "가운데 글."


def test_close_to_the_end_the_room_goes_to_what_stands_before() -> None:
    shown = snippet("", LINES, [1, len(LINES)], [("끝말", 1.0)])
    assert shown.endswith("끝말") and len(shown) > 280


def test_weighty_terms_decide_where_a_snippet_stands() -> None:
    lines = ["무엇 무엇이 언제 있는가. " * 30, "가운데 글이다. " * 60, "전결 한도는 500만원이다.", "끝의 글이다. " * 60]
    terms = [("무엇", 0.15), ("언제", 0.15), ("있", 0.15), ("전결", 0.7)]
    assert "전결 한도는 500만원이다." in snippet("", lines, [1, 4], terms)


def test_places_of_terms_are_joined_where_they_touch() -> None:
    assert places_of("대기시간 대기", ["대기", "대기시", "시간"]) == [(0, 4), (5, 7)]
    assert places_of("글", ["없음"]) == []
