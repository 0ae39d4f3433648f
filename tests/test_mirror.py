from __future__ import annotations

from dataclasses import replace

from document_makers import documents, heading, note, paragraph, record, table
from hypothesis import given

from pipelines import body, mirror
from pipelines.records import Block, Cell


def shown(*blocks: Block) -> str:
    return mirror.render(blocks).text


@given(documents())
def test_lines_of_a_block_hold_its_words_in_order(blocks: list[Block]) -> None:
    for block in blocks:
        assert "".join(line.words for line in mirror.lines_of(block)) == body.words(block)
        assert all("\n" not in line for line in [line.text for line in mirror.lines_of(block)])


@given(documents())
def test_line_and_block_places_agree_with_the_body(blocks: list[Block]) -> None:
    made = mirror.render(blocks)
    assert made.text.split("\n")[:-1] == made.lines
    assert len(made.line_spans) == len(made.lines)
    for block, (first, last), span in zip(blocks, made.block_lines, body.spans(blocks), strict=True):
        rendered = [line.text for line in mirror.lines_of(block)]
        if rendered:
            assert made.lines[first - 1 : last] == rendered
            assert (made.line_spans[first - 1][0], made.line_spans[last - 1][1]) == span
        else:
            assert first == last


def test_text_blocks() -> None:
    assert shown(
        heading("총칙", level=2, number="제1장"),
        paragraph("첫 줄\n둘째 줄"),
        Block("item", "하나", level=1),
        Block("item", "둘\n이어서", level=2, number="가."),
        note("각주\n둘째"),
        Block("code", "a = 1\n\nb = 2\n"),
    ) == (
        "## 제1장 총칙\n\n첫 줄\n둘째 줄\n\n- 하나\n  가. 둘\n    이어서\n\n[^1]: 각주\n    둘째\n\n"
        "```\na = 1\n\nb = 2\n```\n"
    )


def test_records_follow_line_by_line_and_leave_out_empty_values() -> None:
    assert shown(record([], ["이름", "", "나이"]), record(["이름", "", "나이"], ["김\n철수", "메모", ""])) == (
        "이름 | 나이\n이름: 김 철수; 메모\n"
    )


def test_plain_table_is_markdown() -> None:
    assert shown(table(["가|나", "b"], ["1\n2", ""])) == "| 가\\|나 | b |\n| --- | --- |\n| 1<br>2 |  |\n"


def test_table_without_a_header_shows_an_empty_one() -> None:
    assert shown(table(["1", "2"], ["3", "4"], header_rows=0)) == "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n"


def test_merged_and_nested_cells_are_html() -> None:
    inner = table(["x < y"], ["z"])
    cells = (
        Cell(0, 0, (paragraph("구분"),), col_span=2),
        Cell(1, 0, (paragraph("가"), paragraph("나"))),
        Cell(1, 1, (inner,)),
    )
    assert [line.text for line in mirror.lines_of(Block("table", cells=cells))] == [
        "<table>",
        '<tr><th colspan="2">구분</th></tr>',
        "<tr><td>가<br>나</td><td><table><tr><th>x &lt; y</th></tr><tr><td>z</td></tr></table></td></tr>",
        "</table>",
    ]


def test_a_table_of_one_cell_is_a_frame_around_its_text() -> None:
    box = Block("table", cells=(Cell(0, 0, (paragraph("안내"), table(["a", "b"], ["1", "2"]))),))
    assert shown(box) == "안내\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"


def test_two_cells_at_one_place_lose_no_words() -> None:
    cells = (Cell(0, 0, (paragraph("가"),)), Cell(0, 0, (paragraph("나"),)))
    assert "가" in shown(Block("table", cells=cells)) and "나" in shown(Block("table", cells=cells))


def test_header_lines_are_counted() -> None:
    plain = table(["a", "b"], ["c", "d"], ["1", "2"])
    merged = replace(plain, cells=(replace(plain.cells[0], row_span=2), *plain.cells[1:]))
    assert [mirror.header_of(replace(plain, header_rows=n)) for n in (0, 1, 2, 9)] == [2, 2, 3, 4]
    assert [mirror.header_of(replace(merged, header_rows=n)) for n in (0, 1, 2)] == [1, 2, 3]


def test_blocks_without_words_leave_no_blank_lines() -> None:
    assert (
        shown(paragraph("가"), paragraph(" "), Block("table"), table([""]), heading(""), paragraph("나"))
        == "가\n\n나\n"
    )
    assert mirror.render([]).text == ""
