from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from itertools import groupby

import pytest
from document_makers import documents, heading, note, paragraph, record, table
from hypothesis import given
from hypothesis import strategies as st

from pipelines import body, chunk
from pipelines.mirror import render
from pipelines.records import Block, Cell, Chunk


def count_words(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def count_letters(texts: list[str]) -> list[int]:
    """About what a sentence piece tokenizer counts in Korean (1.9 letters a token)."""
    return [round(len(text) / 1.9) for text in texts]


def cut(blocks: list[Block], title: str = "", limit: int = 400, hard_limit: int = 500) -> list[Chunk]:
    return chunk.cut(
        blocks, title=title, body_hash="b" * 64, count_tokens=count_words, limit=limit, hard_limit=hard_limit
    )


def sentence(n: int, words: int = 20) -> str:
    return " ".join(f"낱말{n}x{k}" for k in range(words)) + " 끝이다."


def long_document(n_sections: int = 10, paragraphs: int = 6) -> list[Block]:
    blocks = []
    for s in range(n_sections):
        blocks.append(heading(f"주제 {s}", level=1, number=f"{s + 1}."))
        blocks.extend(paragraph(" ".join(sentence(s * 1000 + p * 10 + k) for k in range(4))) for p in range(paragraphs))
    return blocks


@given(documents(max_size=15), st.sampled_from([(8, 10), (20, 25), (400, 500)]))
def test_every_word_of_the_body_is_in_a_text_or_a_heading(blocks: list[Block], limits: tuple[int, int]) -> None:
    chunks = cut(blocks, limit=limits[0], hard_limit=limits[1])
    found = " ".join(text for c in chunks for text in (c.text, *c.heading))
    for block in blocks:
        for text in _texts(block):
            assert all(word in found for word in text.split()), text


def _texts(block: Block) -> list[str]:
    if not block.in_body or block.kind == "note":
        return []
    inner = [text for cell in block.cells for part in cell.blocks for text in _texts(part)]
    return [block.number, block.text, *block.values, *inner]


@given(documents(max_size=15), st.sampled_from([(8, 10), (400, 500)]))
def test_spans_ascend_without_overlap_and_cover_all_but_headings(blocks: list[Block], limits: tuple[int, int]) -> None:
    text = body.squeezed(blocks)
    left = []
    place = 0
    for c in cut(blocks, limit=limits[0], hard_limit=limits[1]):
        assert place <= c.start <= c.end <= len(text)
        left.append(text[place : c.start])
        place = c.end
    left.append(text[place:])
    headings = "".join(body.words(block) for block in blocks if block.kind == "heading")
    assert len("".join(left)) <= len(headings)


@given(documents(max_size=15), st.sampled_from([(8, 10), (400, 500)]))
def test_text_is_made_of_the_bytes_of_the_mirror(blocks: list[Block], limits: tuple[int, int]) -> None:
    made = render(blocks)
    for c in cut(blocks, limit=limits[0], hard_limit=limits[1]):
        if c.text not in made.text:
            assert all(any(part in line for line in made.lines) for part in c.text.split("\n"))
        assert c.text.strip()
        assert c.embedded.endswith(c.text)


@given(documents(max_size=15))
def test_ids_are_unique_and_cutting_is_repeatable(blocks: list[Block]) -> None:
    doubled = [*blocks, *blocks]
    chunks = cut(doubled, limit=8, hard_limit=10)
    assert len({c.chunk_id for c in chunks}) == len(chunks)
    assert [c.ordinal for c in chunks] == list(range(len(chunks)))
    assert cut(doubled, limit=8, hard_limit=10) == chunks


@given(documents(max_size=15))
def test_no_chunk_is_over_the_hard_limit(blocks: list[Block]) -> None:
    chunks = chunk.cut(blocks, title="", body_hash="b", count_tokens=count_letters, limit=40, hard_limit=50)
    assert all(c.n_tokens <= 50 for c in chunks)
    assert count_letters([c.embedded for c in chunks]) == [c.n_tokens for c in chunks]


def test_paragraphs_are_packed_and_restart_at_each_heading() -> None:
    blocks = long_document(2, 7)
    chunks = cut(blocks, limit=200, hard_limit=250)
    assert [heading for heading, _ in groupby(c.heading for c in chunks)] == [("1. 주제 0",), ("2. 주제 1",)]
    assert all(c.n_tokens <= 200 and c.text.endswith("끝이다.") for c in chunks)
    assert [part for c in chunks for part in c.text.split("\n\n")] == [b.text for b in blocks if b.kind == "paragraph"]
    assert len(cut(blocks, limit=2000, hard_limit=2500)) == 2


def test_hashes_are_what_the_docstrings_say() -> None:
    (only,) = cut([heading("총칙", number="제1장"), paragraph("본문이다")], title="규정")
    assert only.embedded == "규정 > 총칙\n본문이다"
    assert only.heading == ("제1장 총칙",)
    assert only.chunk_hash == hashlib.sha256(f"{chunk.CHUNKER_VERSION}\0규정 > 총칙\0본문이다".encode()).hexdigest()
    assert only.chunk_id == hashlib.sha256(f"{'b' * 64}\0{only.chunk_hash}\x000".encode()).hexdigest()[:32]


def test_a_title_that_is_a_heading_without_number_stands_over_every_section() -> None:
    chunks = cut([heading("결제 API"), heading("개요", number="1."), paragraph("가")], title="결제 API")
    assert chunks[0].embedded == "결제 API > 개요\n# 결제 API\n\n# 1. 개요\n\n가"
    chunks = cut([heading("1. 개요"), paragraph("가"), heading("2. 범위"), paragraph("나")], title="1. 개요")
    assert [c.embedded for c in chunks] == ["개요\n가", "범위\n나"]


def test_an_embedded_title_stands_over_a_text_without_headings() -> None:
    assert [c.embedded for c in cut([paragraph("가")], title="휴가 규정")] == ["휴가 규정\n가"]


def test_headings_without_content_open_the_next_section_or_close_the_last() -> None:
    blocks = [heading("가나", 2), heading("다라", 2), paragraph("본문"), heading("마바", 2), heading("사아", 3)]
    (only,) = cut(blocks)
    assert only.heading == ("다라",)
    assert only.text == "## 가나\n\n## 다라\n\n본문\n\n## 마바\n\n### 사아"
    assert (only.start, only.end) == (0, 10)


def test_a_document_of_one_heading_is_one_chunk() -> None:
    assert [(c.text, c.start, c.end) for c in cut([heading("공사 중")])] == [("# 공사 중", 0, 3)]


def test_sheet_names_without_rows_make_no_chunk() -> None:
    assert cut([Block("heading", "시트1", level=1, in_body=False)]) == []
    assert cut([]) == []


def test_a_styled_paragraph_is_text() -> None:
    (only,) = cut([heading("긴 문장 " * 60), paragraph("본문")])
    assert only.heading == () and only.text.startswith("# 긴 문장")


def test_a_split_table_repeats_its_header() -> None:
    rows = [[f"항목{n}", f"값{n} " * 5] for n in range(30)]
    chunks = cut([paragraph("앞"), table(["이름", "값"], *rows)], limit=60, hard_limit=80)
    assert chunks[0].text.startswith("앞\n\n| 이름 | 값 |\n| --- | --- |\n| 항목0 |")
    assert all(c.text.startswith("| 이름 | 값 |\n| --- | --- |\n| 항목") for c in chunks[1:])
    assert re.findall(r"항목\d+", " ".join(c.text for c in chunks)) == [f"항목{n}" for n in range(30)]


def test_a_merged_table_is_split_between_rows_and_closed_at_its_end() -> None:
    plain = table(["이름", "값"], *([f"항목{n}", f"값{n} " * 9] for n in range(9)))
    merged = replace(plain, cells=(replace(plain.cells[0], row_span=2), *plain.cells[1:]))
    chunks = cut([merged], limit=30, hard_limit=40)
    assert all(c.text.startswith("<table>\n<tr><th") for c in chunks)
    assert [c.text.count("</table>") for c in chunks] == [0] * (len(chunks) - 1) + [1]


def test_a_header_that_would_fill_half_a_chunk_is_not_repeated() -> None:
    chunks = cut([table(["긴 " * 40, "값"], *([f"항목{n}", "값 " * 20] for n in range(5)))], limit=60, hard_limit=80)
    assert len(chunks) > 2 and all(c.text.startswith("| 항목") for c in chunks[1:])


def test_a_layout_table_of_one_cell_is_cut_like_the_text_in_it() -> None:
    box = Block("table", cells=(Cell(0, 0, tuple(paragraph(sentence(n)) for n in range(12))),))
    inside = cut(list(box.cells[0].blocks), limit=50, hard_limit=60)
    assert [c.text for c in cut([box], limit=50, hard_limit=60)] == [c.text for c in inside]


def test_records_are_packed_row_by_row() -> None:
    rows = [record(["이름", "값"], [f"항목{n}", f"값{n}"], row=n + 2) for n in range(10)]
    chunks = cut(rows, limit=12, hard_limit=16)
    assert "\n".join(c.text for c in chunks) + "\n" == render(rows).text
    assert 4 <= len(chunks) < 10 and all(c.n_tokens <= 12 for c in chunks)


def test_a_long_paragraph_is_cut_at_sentence_ends_then_hard() -> None:
    chunks = cut([paragraph(" ".join(sentence(n) for n in range(6)))], limit=50, hard_limit=60)
    assert sum(c.text.count("끝이다.") for c in chunks) == 6
    assert all(c.text.endswith("끝이다.") and c.n_tokens <= 50 for c in chunks)
    chunks = chunk.cut(
        [paragraph("가" * 5000)], title="", body_hash="b", count_tokens=count_letters, limit=100, hard_limit=120
    )
    assert "".join(c.text for c in chunks) == "가" * 5000
    assert [(c.start, c.end) for c in chunks][:2] == [(0, len(chunks[0].text)), (len(chunks[0].text), chunks[1].end)]


def test_a_note_stays_with_its_paragraph() -> None:
    blocks = [paragraph(sentence(1, 30)), paragraph(sentence(2, 18)), note("각주 " * 5)]
    chunks = cut(blocks, limit=51, hard_limit=60)
    assert [c.text.count("[^1]") for c in chunks] == [0, 1]
    assert "낱말2x0" in chunks[1].text


def test_a_document_of_notes_has_an_empty_place() -> None:
    assert [(c.text, c.start, c.end) for c in cut([note("각주")])] == [("[^1]: 각주", 0, 0)]


def test_a_path_never_crowds_out_the_text() -> None:
    blocks = [heading("말 " * 70, level=n) for n in range(1, 7)] + [paragraph(sentence(1))]
    chunks = cut(blocks, limit=100, hard_limit=120)
    assert all(c.n_tokens <= 120 and len(c.heading) == 6 for c in chunks)


def changed(before: list[Block], after: list[Block]) -> int:
    known = {c.chunk_hash for c in cut(before)}
    return sum(c.chunk_hash not in known for c in cut(after))


def test_an_edit_or_insertion_changes_few_chunks() -> None:
    blocks = long_document()
    edited = [*blocks[:3], paragraph(blocks[3].text.replace("낱말20x3", "고친말")), *blocks[4:]]
    inserted = [*blocks[:1], paragraph(sentence(99999)), *blocks[1:]]
    assert 0 < changed(blocks, edited) <= 2
    assert 0 < changed(blocks, inserted) <= 2


def test_a_new_first_section_renumbers_without_changing_the_others() -> None:
    blocks = long_document()
    later = [replace(b, number=f"{int(b.number[:-1]) + 1}.") if b.kind == "heading" else b for b in blocks]
    typed = [replace(b, number="", text=f"{b.number} {b.text}") if b.kind == "heading" else b for b in later]
    assert changed(blocks, [heading("새 주제", number="1."), paragraph("새 글"), *later]) == 1
    assert changed(blocks, typed) == 0


def test_a_long_text_without_headings_is_cut_by_its_content() -> None:
    blocks = [paragraph(" ".join(sentence(p * 10 + k) for k in range(3))) for p in range(100)]
    assert len(cut(blocks)) > 10
    assert changed(blocks, [paragraph(sentence(99999)), *blocks]) <= 4


@pytest.mark.parametrize("limit", [1, 2])
def test_absurd_limits_still_end(limit: int) -> None:
    chunks = chunk.cut(
        long_document(1, 1), title="제목", body_hash="b", count_tokens=count_letters, limit=limit, hard_limit=limit
    )
    assert "".join("".join(c.text.split()) for c in chunks) == body.squeezed(long_document(1, 1)[1:])
