"""Markdown: where comments, HTML and tables begin and end, and what of them a reader sees."""

from __future__ import annotations

import io

import pytest

from pipelines.parsers import md
from pipelines.records import Aside, Limits, Parsed


def parse(text: str) -> Parsed:
    return md.parse(io.BytesIO(text.encode()), "글.md", Limits())


def blocks(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in parse(text).blocks]


def rows(text: str) -> list[list[str]]:
    (table,) = (block for block in parse(text).blocks if block.kind == "table")
    found: dict[int, list[str]] = {}
    for cell in table.cells:
        found.setdefault(cell.row, []).append(" ".join(block.text for block in cell.blocks))
    return list(found.values())


def test_a_comment_without_end_inside_a_sentence_hides_nothing() -> None:
    parsed = parse("문장 중 <!-- 를 쓰면\n\n그 뒤의 모든 글")
    assert [block.text for block in parsed.blocks] == ["문장 중 <!-- 를 쓰면", "그 뒤의 모든 글"]
    assert parsed.asides == {}


def test_a_comment_that_begins_a_line_hides_up_to_its_end_or_the_last_line() -> None:
    parsed = parse("앞\n<!-- 하나\n\n둘 --> 뒤\n\n끝\n\n<!-- 셋\n\n넷")
    assert [block.text for block in parsed.blocks] == ["앞", "뒤", "끝"]
    assert parsed.apart == (Aside("comment", "하나\n\n둘"), Aside("comment", "셋\n\n넷"))


def test_a_comment_in_code_is_code_and_between_words_is_none_of_them() -> None:
    parsed = parse("설정은 `<!-- 켬 -->`로 한다. <!-- 숨은 `말` --> 끝 <!--->")
    assert [block.text for block in parsed.blocks] == ["설정은 <!-- 켬 -->로 한다.  끝"]
    assert parsed.apart == (Aside("comment", "숨은 `말`"),)


def test_thousands_of_comments_in_one_line_are_read_once() -> None:
    assert parse("<!-- 가 -->" * 20_000 + "글" + "<!--" * 20_000).asides == {"comment": 20_000}


def test_scripts_and_style_sheets_are_no_words() -> None:
    text = "글\n<script>\nalert('비밀')\n\nmore()\n</script>\n\n앞 <script>x()</script>뒤\n\n<style>p{}\n\na{}</style>"
    assert blocks(text) == [("paragraph", "글"), ("paragraph", "앞 뒤")]


def test_what_a_block_of_html_hides_is_counted_with_the_markdown_in_it() -> None:
    text = (
        '앞\n\n<div style="display:none">\n\n숨긴 **문단**\n\n<div>더</div>\n\n</div>\n\n뒤\n\n<p hidden>숨김</p>\n\n끝'
    )
    parsed = parse(text)
    assert [block.text for block in parsed.blocks] == ["앞", "뒤", "끝"]
    assert parsed.asides == {"hidden": 2}


def test_markdown_between_shown_tags_stays_markdown() -> None:
    text = '<div align="center">\n\n# 제목\n\n</div>\n<details><summary>더</summary>\n\n- 하나\n\n</details>\n## 절\n글'
    expected = [("heading", "제목"), ("paragraph", "더"), ("item", "하나"), ("heading", "절"), ("paragraph", "글")]
    assert blocks(text) == expected


def test_a_table_of_html_is_whole_though_it_has_blank_lines_and_stands_in_a_box() -> None:
    text = "글\n<div>\n<table>\n<tr><td>가<td>나\n\n<tr><td>다<td>라\n</table>\n</div>\n\n끝"
    assert rows(text) == [["가", "나"], ["다", "라"]]
    assert [kind for kind, _ in blocks(text)] == ["paragraph", "table", "paragraph"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("## 다음 | 제목", "heading"),
        ("- 항목 | 하나", "item"),
        ("> 인용 | 글", "paragraph"),
        ("***", "paragraph"),
        ("<div>상자 | 글</div>", "paragraph"),
    ],
)
def test_the_next_block_ends_a_table(line: str, kind: str) -> None:
    text = f"| a | b |\n|---|---|\n| 1 | 2 |\n{line}\n\n본문"
    assert rows(text) == [["a", "b"], ["1", "2"]]
    assert [block.kind for block in parse(text).blocks][1] == kind


def test_a_table_may_stand_right_below_a_line_of_text() -> None:
    text = "문단\n| a | b |\n|---|---|\n| 1 | 2 |"
    assert rows(text) == [["a", "b"], ["1", "2"]]
    assert blocks(text)[0] == ("paragraph", "문단")


def test_only_the_backslash_that_breaks_a_line_goes() -> None:
    assert blocks("경로는 C:\\temp\\") == [("paragraph", "경로는 C:\\temp\\")]
    assert blocks("하나\\\n둘\\\\\\\n셋\\\\\n넷") == [("paragraph", "하나\n둘\\\n셋\\\n넷")]
