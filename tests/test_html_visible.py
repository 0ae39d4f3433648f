"""What a reader of a page sees is its text; what the page hides is counted and nowhere else."""

from __future__ import annotations

import io

from pipelines.body import words
from pipelines.parsers import html as html_parser
from pipelines.records import Block, Limits, Parsed


def parse(page: str) -> Parsed:
    return html_parser.parse(io.BytesIO(page.encode()), "쪽.html", Limits())


def texts(page: str) -> list[str]:
    return [block.text for block in parse(page).blocks]


def rows(block: Block) -> list[list[str]]:
    found: dict[int, list[str]] = {}
    for cell in block.cells:
        found.setdefault(cell.row, []).append(" ".join(inner.text for inner in cell.blocks))
    return list(found.values())


# --- tables ---


def test_hidden_rows_groups_and_cells_of_a_table_are_not_read() -> None:
    parsed = parse("""<table border=1><tr><th>이름<th>값</tr><tr style="display:none"><td>비밀<td>1</tr>
        <tr hidden><td>비밀</td><td>2</td></tr><tr><td>가</td><td hidden>비밀</td><td>나</td></tr>
        <tbody style="display:none"><tr><td>비밀</td><td>3</td></tr></tbody></table>""")
    assert rows(parsed.blocks[0]) == [["이름", "값"], ["가", "나"]]
    assert parsed.asides == {"hidden": 4}


def test_rows_and_cells_inside_a_form_are_read() -> None:
    (around,) = parse("<table border=1><form><tr><td>가<td>나<tr><td>다<td>라</form></table>").blocks
    assert rows(around) == [["가", "나"], ["다", "라"]]
    (within,) = parse("<table border=1><tr><form><td>가<td>나</form><tr><td>다<td>라</table>").blocks
    assert rows(within) == [["가", "나"], ["다", "라"]]


def test_words_between_the_rows_of_a_table_stand_above_it() -> None:
    above, drawn = parse("<table border=1>윗글<tr><td>가<td>나</tr><p>끼인 글</p></table>").blocks[0::2]
    assert (above.text, drawn.kind) == ("윗글", "table")
    assert "끼인글" in words(parse("<table border=1><tr><td>가<td>나</tr><p>끼인 글</p></table>").blocks[0])


# --- depth ---


def test_below_a_hundred_levels_scripts_and_hidden_text_stay_out_and_blocks_apart() -> None:
    inside = "<p>하나</p><p>둘<br>셋</p><script>비밀()</script><p hidden>비밀</p><i>넷</i>다섯<ul><li>여섯</ul>"
    parsed = parse("<div>" * 160 + inside + "</div>" * 160 + "<p>뒤</p>")
    assert [block.text for block in parsed.blocks] == ["하나", "둘\n셋", "넷다섯", "여섯", "뒤"]
    assert parsed.asides == {"hidden": 1}


def test_the_caption_of_a_table_in_a_table_is_read_once() -> None:
    page = "<table border=1><tr><td>밖<table><caption>안 제목</caption><tr><td>1<td>2</table><td>둘째</table>"
    (outer,) = parse(page).blocks
    assert words(outer) == "밖안제목12둘째"


def test_an_equation_in_mathml_is_counted() -> None:
    parsed = parse("<p>넓이는 <math><msup><mi>x</mi><mn>2</mn></msup></math>이다</p>")
    assert ([block.text for block in parsed.blocks], parsed.asides) == (["넓이는 이다"], {"equation": 1})
