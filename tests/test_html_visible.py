"""What a reader of a page sees is its text; what the page hides is counted and nowhere else."""

from __future__ import annotations

import io

import pytest

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


# --- style sheets ---


@pytest.mark.parametrize(
    "sheet",
    [
        ".x .y{display:none}",
        "div > p.y { display:none }",
        "div.x>p.y{display:none}",
        "html>body .x > p.y{visibility:hidden}",
        "@media screen{.y{display:none}}",
        "@media print, all { .a{color:red} .x .y{display:none} }",
        ".y{display:block} div .y{display:none}",
    ],
)
def test_rules_that_name_an_element_by_what_is_around_it_are_followed(sheet: str) -> None:
    assert texts(f"<style>{sheet}</style><div class=x><p>보임</p><p class=y>비밀</p></div>") == ["보임"]


@pytest.mark.parametrize(
    "sheet",
    [
        ".z .y{display:none}",
        "section>p.y{display:none}",
        ".x > b > .y{display:none}",
        ".y .x{display:none}",
        "> .y{display:none}",
        ".x + .y{display:none}",
        ".x ~ p{display:none}",
        "@media print{.y{display:none}}",
        "@media screen and (max-width:600px){.y{display:none}}",
        "@media screen{@media print{.y{display:none}}}",
        "div .y{display:none} .x .y{display:block}",
    ],
)
def test_rules_of_other_elements_and_media_hide_nothing(sheet: str) -> None:
    assert texts(f"<style>{sheet}</style><div class=x><p class=y>보임</p></div>") == ["보임"]


def test_one_rule_decides_anew_below_each_parent() -> None:
    page = "<style>.a p{display:none}</style><div class=a><p>비밀</div><div><p>보임</div><div class=a><p>비밀</div>"
    assert texts(page) == ["보임"]


def test_a_style_sheet_for_paper_hides_nothing_on_the_screen() -> None:
    assert texts("<style media=print>.y{display:none}</style><p class=y>보임</p>") == ["보임"]


@pytest.mark.parametrize(
    "style",
    [
        "max-height:0;overflow:hidden",
        "MAX-HEIGHT: 0px; color:#fff; overflow: hidden",
        "position:absolute;left:-9999px",
        "text-indent:-10000px",
        "font-size:0",
        "font-size:0px;line-height:1px",
    ],
)
def test_the_line_that_only_a_list_of_mails_shows_is_hidden(style: str) -> None:
    parsed = parse(f'<div style="{style}">비밀 <b>비밀</b></div><p>보임</p>')
    assert ([block.text for block in parsed.blocks], parsed.asides) == (["보임"], {"hidden": 1})


@pytest.mark.parametrize(
    "style", ["max-height:0", "overflow:hidden", "left:-10px", "font-size:0.9em", "line-height:0", "mso-hide:all"]
)
def test_styles_that_hide_nothing_are_read(style: str) -> None:
    assert texts(f'<div style="{style}">보임</div>') == ["보임"]


def test_columns_that_set_their_own_letter_size_are_read() -> None:
    column = "<td style='font-size:0px'><div style='font-size:13px'>보임</div>"
    page = f"<div style='font-size:0px'><table>{column}</table></div>"
    assert texts(page) == ["보임"]
