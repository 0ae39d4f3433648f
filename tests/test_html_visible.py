"""What a reader of a page sees is its text; what the page hides is counted and nowhere else."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.body import squeezed, words
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


def test_code_and_notes_leave_out_what_is_hidden_in_them() -> None:
    note = "<div style='mso-element:footnote'><p>1 각주<b hidden>비밀"
    parsed = parse(f"<pre>보임  둘<br>셋<b hidden>비밀</b><script>비밀</script></pre>{note}")
    assert [(block.kind, block.text) for block in parsed.blocks] == [("code", "보임  둘\n셋"), ("note", "각주")]
    assert parsed.asides == {"hidden": 2}


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


# --- the law ---

# How an element is shown or hidden; what the page's own style sheet says of ".in .gone" is one way of it.
_WAYS = ("", "", "", " hidden", " style='display:none'", " class=gone", " aria-hidden=true")
_SHEET = "<style>.in .gone{display:none} .shown{display:block}</style>"


def nodes() -> st.SearchStrategy[list[Any]]:
    """Return trees of (tag, way, children); a leaf is one word."""
    way = st.sampled_from(_WAYS)
    empty: list[Any] = []
    word = st.tuples(st.sampled_from(("p", "h2", "b", "span", "script", "pre")), way, st.just(empty))

    def around(children: st.SearchStrategy[list[Any]]) -> st.SearchStrategy[list[Any]]:
        box = st.tuples(st.sampled_from(("div", "section", "span", "blockquote", "ul", "center")), way, children)
        row = st.tuples(st.just("tr"), way, st.lists(st.tuples(st.just("td"), way, children), min_size=1, max_size=3))
        group = st.tuples(st.sampled_from(("thead", "tbody", "tfoot")), way, st.lists(row, min_size=1, max_size=3))
        table = st.tuples(
            st.sampled_from(("table", "table border=1")), way, st.lists(st.one_of(row, group), min_size=1, max_size=3)
        )
        return st.lists(st.one_of(word, box, table), min_size=1, max_size=4)

    return st.recursive(st.lists(word, min_size=1, max_size=3), around, max_leaves=12)


def write(tree: list[Any], shown: list[str], hidden: list[str], *, is_shown: bool = True) -> str:
    """Return the page of a tree, its words numbered, and sort them into what is shown and what isn't."""
    page = ""
    for tag, way, children in tree:
        visible = is_shown and not way and tag != "script"
        inside = write(children, shown, hidden, is_shown=visible)
        if not children:
            inside = f"낱{len(shown) + len(hidden)}말"
            (shown if visible else hidden).append(inside)
        entry = f"<li>{inside}</li>" if tag == "ul" else inside
        page += f"<{tag}{way}>{entry}</{tag.split()[0]}>"
    return page


@given(tree=nodes(), depth=st.sampled_from((0, 3, 145, 160)))
@settings(max_examples=40, deadline=None)
def test_every_visible_word_of_a_page_stands_in_its_body_once_and_no_hidden_one(tree: list[Any], depth: int) -> None:
    shown: list[str] = []
    hidden: list[str] = []
    page = write(tree, shown, hidden)
    parsed = parse(f"{_SHEET}<body class=in>첫말{'<div>' * depth}{page}{'</div>' * depth}끝말")
    body = squeezed(parsed.blocks)
    assert [body.count(word) for word in ("첫말", *shown, "끝말")] == [1] * (len(shown) + 2)
    assert [word for word in hidden if word in body] == []
