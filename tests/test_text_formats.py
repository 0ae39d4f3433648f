"""TXT, Markdown, CSV and HTML: the words a reader sees, in their structure."""

from __future__ import annotations

import io
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines import parsers
from pipelines.errors import Corrupt, Empty, TooLarge
from pipelines.parsers import csv as csv_parser
from pipelines.parsers import html as html_parser
from pipelines.parsers import md, txt
from pipelines.parsers.md_inline import plain
from pipelines.records import Block, Limits, Parsed


def parse(module: ModuleType, text: str | bytes, name: str = "글") -> Parsed:
    data = text.encode() if isinstance(text, str) else text
    parsed: Parsed = module.parse(io.BytesIO(data), name, Limits())
    return parsed


def blocks(module: ModuleType, text: str | bytes) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in parse(module, text).blocks]


def table(block: Block) -> list[tuple[int, int, str]]:
    return [(cell.row, cell.col, " ".join(inner.text for inner in cell.blocks)) for cell in block.cells]


# --- TXT ---


def test_paragraphs_end_at_blank_lines() -> None:
    assert blocks(txt, "첫 줄\r\n둘째 줄\r\n\r\n다음") == [("paragraph", "첫 줄\n둘째 줄"), ("paragraph", "다음")]


def test_chapters_and_articles_of_korean_rules_are_headings() -> None:
    parsed = parse(txt, "제1장 총칙\n\n제1조(목적) 이 규정은 휴가를 정한다.\n제2조(정의)\n휴가란 쉬는 날이다.")
    assert [(b.kind, b.level, b.text) for b in parsed.blocks] == [
        ("heading", 2, "제1장 총칙"),
        ("heading", 3, "제1조(목적)"),
        ("paragraph", 0, "이 규정은 휴가를 정한다."),
        ("heading", 3, "제2조(정의)"),
        ("paragraph", 0, "휴가란 쉬는 날이다."),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "1. 개요",
        "제1조(목적) 및 제2조에 따라 정한다.",
        "제1장 총칙 ........ 3",
        "제1장에서 정한다.",
        "제3조에 따른 절차",
    ],
)
def test_numbered_lines_citations_and_contents_are_no_headings(line: str) -> None:
    assert blocks(txt, line) == [("paragraph", line)]


def test_a_wrapped_line_that_begins_with_an_article_is_no_heading() -> None:
    assert blocks(txt, "이 계약은\n제5조(기간) 동안 유효하다.")[0][0] == "paragraph"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "utf-16", "utf-16-le"])
def test_every_usual_encoding_is_read(encoding: str) -> None:
    text = "똠방각하 펲시\n\n둘째 문단입니다.\n" * 5
    assert blocks(txt, text.encode(encoding))[0] == ("paragraph", "똠방각하 펲시")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
def test_a_single_damaged_byte_costs_one_character(encoding: str) -> None:
    data = ("결제 시스템의 기록입니다.\n\n" * 20).encode(encoding)
    parsed = parse(txt, data.replace(b"\n", b"\xff\n", 1))
    assert sum(block.text == "결제 시스템의 기록입니다." for block in parsed.blocks) >= 18
    assert parsed.warnings == ("characters that the encoding can't read: 1",)


def test_a_text_cut_inside_a_character_is_read() -> None:
    data = ("마지막 글자가 잘린 기록 " * 40).encode()
    assert blocks(txt, data[:-2])[0][1].startswith("마지막 글자가 잘린 기록")


def test_white_space_alone_is_empty() -> None:
    for module in (txt, md, csv_parser, html_parser):
        with pytest.raises(Empty):
            parse(module, " \n\t\n")


def test_a_file_over_the_limit_is_refused() -> None:
    with pytest.raises(TooLarge):
        txt.parse(io.BytesIO(b"x" * (1 << 20) + b"y"), "a.txt", Limits(stream_mb=1))


def test_noise_is_damage() -> None:
    with pytest.raises(Corrupt):
        parse(txt, bytes(range(128, 256)) * 40)


@given(st.text())
def test_text_leaves_in_nfc_without_control_characters(text: str) -> None:
    try:
        found = "".join(block.text for block in parse(txt, text.encode("utf-8", "replace")).blocks)
    except (Empty, Corrupt):
        return
    assert found == unicodedata.normalize("NFC", found)
    assert not any(c < " " and c not in "\n\t" for c in found)


# --- Markdown ---


def test_front_matter_describes_the_document() -> None:
    parsed = parse(
        md, '---\ntitle: "운영 지침"\nexpires_at: 2026-12-31\ndate: 2026-03-02\ntags:\n  - a\n  - b\n---\n# 1장\n'
    )
    assert (parsed.title, parsed.properties["expires_at"], parsed.properties["tags"]) == (
        "운영 지침",
        "2026-12-31",
        "a, b",
    )
    assert (parsed.modified_at, parsed.clock) == (datetime(2026, 3, 2, tzinfo=UTC), "md:date")


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert blocks(md, "---\n본문입니다\n---\n") == [("heading", "본문입니다")]


def test_headings_of_both_styles_and_none_in_code() -> None:
    text = "# 하나 #\n\n둘\n===\n\n셋\n---\n```sh\n# 주석\n<!-- 남는다 -->\n```\n<!-- 숨은\n주석 -->\n끝"
    parsed = parse(md, text)
    assert [(b.kind, b.level, b.text) for b in parsed.blocks] == [
        ("heading", 1, "하나"),
        ("heading", 1, "둘"),
        ("heading", 2, "셋"),
        ("code", 0, "# 주석\n<!-- 남는다 -->"),
        ("paragraph", 0, "끝"),
    ]
    assert parsed.asides == {"comment": 1}
    assert [aside.kind for aside in parsed.apart] == ["comment"]


def test_list_entries_keep_depth_and_numbers() -> None:
    parsed = parse(md, "- 가\n  - 나\n    이어짐\n- 다\n\n3. 셋\n4. 넷\n\n- [x] 한 일\n- [ ] 남은 일")
    assert [(b.kind, b.level, b.number, b.text) for b in parsed.blocks] == [
        ("item", 1, "", "가"),
        ("item", 2, "", "나\n이어짐"),
        ("item", 1, "", "다"),
        ("item", 1, "3.", "셋"),
        ("item", 1, "4.", "넷"),
        ("item", 1, "", "☑ 한 일"),
        ("item", 1, "", "☐ 남은 일"),
    ]


def test_a_table_keeps_escaped_bars() -> None:
    (block,) = parse(md, "| 구분 | 값 |\n|:--|--:|\n| 가 | `a|b` \\| c |\n").blocks
    assert table(block) == [(0, 0, "구분"), (0, 1, "값"), (1, 0, "가"), (1, 1, "a|b | c")]


def test_footnotes_are_notes_outside_the_body() -> None:
    note = parse(md, "본문[^1]\n\n[^1]: 각주 글").blocks[-1]
    assert (note.kind, note.number, note.text, note.in_body) == ("note", "1", "각주 글", False)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("**굵게** _기울임_ ~~지움~~", "굵게 기울임 지움"),
        ("`snake_case`와 my_var_name", "snake_case와 my_var_name"),
        ("[안내](guide.md)", "안내"),
        ("[안내](https://example.com/a_b)", "안내 (https://example.com/a_b)"),
        ("<https://example.com>", "https://example.com"),
        ("![그림](a.png) 설명", "그림 설명"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("\\*별\\* &amp; 1 < 2", "*별* & 1 < 2"),
        ("줄<br>바꿈 <b>굵게</b>", "줄\n바꿈 굵게"),
    ],
)
def test_marks_are_taken_off_and_words_stay(source: str, words: str) -> None:
    assert plain(source) == words


def test_links_by_reference_keep_the_target_of_their_definition() -> None:
    text = "[규정][R] 와 [양식][] 과 [서식], [표 1] 참고\n\n[r]: https://a.example\n[양식]: <b.md>\n[서식]: https://c.example\n"
    assert blocks(md, text) == [
        ("paragraph", "규정 (https://a.example) 와 양식 과 서식 (https://c.example), [표 1] 참고")
    ]


def test_a_table_in_html_keeps_its_merged_cells() -> None:
    page = "<table>\n<tr><th colspan=2>예산</th></tr>\n\n<tr><td>가</td><td>나</td></tr>\n</table>\n\n끝"
    block, end = parse(md, page).blocks
    assert (block.cells[0].col_span, len(block.cells), end.text) == (2, 3, "끝")


def test_attributes_of_a_heading_are_no_words() -> None:
    assert blocks(md, "## 총칙 {#general .wide}\n\n집합 {1, 2}") == [("heading", "총칙"), ("paragraph", "집합 {1, 2}")]


def test_front_matter_in_toml_describes_the_document() -> None:
    text = '+++\ntitle = "휴가 규정"\ndate = 2026-03-02\ntags = ["가", "나"]\ndraft = false\n[x]\ny = 1\n+++\n본문'
    parsed = parse(md, text)
    assert (parsed.title, parsed.clock) == ("휴가 규정", "md:date")
    assert parsed.properties == {"title": "휴가 규정", "date": "2026-03-02", "tags": "가, 나", "draft": "false"}
    assert blocks(md, "+++\n= 틀림\n+++\n본문")[-1][1].endswith("본문")


def test_long_values_of_front_matter_are_read_to_their_end() -> None:
    parsed = parse(md, "---\nsummary: >-\n  긴 글이\n  이어진다\nstatus: 시행\n---\n본문")
    assert parsed.properties == {"summary": "긴 글이 이어진다", "status": "시행"}


def test_quotes_lose_their_marks() -> None:
    text = "> 인용\n> 이어짐\n>\n> ```\n> 코드\n> ```\n\n끝"
    assert blocks(md, text) == [("paragraph", "인용\n이어짐"), ("code", "코드"), ("paragraph", "끝")]


# --- CSV ---


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_each_delimiter_is_found(delimiter: str) -> None:
    text = "\n".join(
        delimiter.join(row) for row in (["이름", "나이", "비고"], ["김, 철수" if delimiter != "," else "김", "30", "x"])
    )
    record = parse(csv_parser, text).blocks[1]
    assert record.labels == ("이름", "나이", "비고")
    assert (record.values[1], record.locator.rows) == ("30", (2, 2))


def test_a_quoted_line_break_stays_in_its_cell() -> None:
    parsed = parse(csv_parser, '성명,비고\n홍길동,"여러 줄\n셀"\n'.encode("cp949"))
    assert parsed.blocks[1].values == ("홍길동", "여러 줄\n셀")


def test_titles_over_the_header_and_ragged_rows_are_kept() -> None:
    parsed = parse(csv_parser, "매출 현황\n월,금액\n1월,100\n2월,200,추가\n")
    assert parsed.blocks[0].values == ("매출 현황",)
    assert parsed.blocks[3].labels == ("월", "금액", "")
    assert parsed.blocks[3].values == ("2월", "200", "추가")


def test_an_open_quote_does_not_swallow_the_file() -> None:
    parsed = parse(csv_parser, '규격,수량\n19" 랙,1\n서버,2\n')
    assert [b.values for b in parsed.blocks[1:]] == [('19" 랙', "1"), ("서버", "2")]


def test_a_line_that_names_the_delimiter_is_followed_and_no_row() -> None:
    parsed = parse(csv_parser, "sep=;\r\n품목;금액\r\n랙, 대형;1,5\r\n서버;2\r\n")
    assert [b.values for b in parsed.blocks] == [("품목", "금액"), ("랙, 대형", "1,5"), ("서버", "2")]


def test_quotes_after_a_space_hold_their_commas() -> None:
    assert parse(csv_parser, '품목, "금액"\n랙, "1,250,000"\n').blocks[1].values == ("랙", "1,250,000")


def test_a_header_of_two_rows_is_joined() -> None:
    parsed = parse(csv_parser, "구분,예산,,집행,\n,상반기,하반기,상반기,하반기\n인건비,1,2,3,4\n운영비,5,6,7,8\n")
    assert parsed.blocks[2].labels == ("구분", "예산 / 상반기", "예산 / 하반기", "집행 / 상반기", "집행 / 하반기")
    assert parsed.blocks[3].values == ("운영비", "5", "6", "7", "8")


def test_rows_without_a_header_and_a_single_column_are_kept_as_they_are() -> None:
    assert [(b.labels, b.values) for b in parse(csv_parser, "1,2\n3,4\n").blocks] == [
        ((), ("1", "2")),
        ((), ("3", "4")),
    ]
    assert [b.values for b in parse(csv_parser, "이름\n김\n이\n").blocks] == [("이름",), ("김",), ("이",)]


# --- HTML ---


def test_only_visible_main_text_is_read() -> None:
    page = """<html><head><title>공지 | 포털</title><style>p{}</style></head><body>
    <nav>메뉴</nav><script>var a='코드'</script><h1>제목</h1><p>본문 <b>굵게</b>&nbsp;끝</p>
    <div style="display: none">숨김</div><p hidden>숨김</p><template>틀</template>
    <footer>회사 주소</footer></body></html>"""
    parsed = parse(html_parser, page)
    assert [(b.kind, b.text) for b in parsed.blocks] == [("heading", "제목"), ("paragraph", "본문 굵게 끝")]
    assert (parsed.title, parsed.asides) == ("공지 | 포털", {"hidden": 2, "footer": 1})
    assert [aside.kind for aside in parsed.apart] == ["footer"]


def test_tables_keep_their_spans_and_header_rows() -> None:
    page = """<table><tr><th rowspan=2>구분<th colspan=2>예산<tr><th>상<th>하
    <tr><td>인건비<td>1<td>2</table>"""
    (block,) = parse(html_parser, page).blocks
    assert block.header_rows == 2
    assert table(block) == [
        (0, 0, "구분"),
        (0, 1, "예산"),
        (1, 1, "상"),
        (1, 2, "하"),
        (2, 0, "인건비"),
        (2, 1, "1"),
        (2, 2, "2"),
    ]


def test_tables_that_only_arrange_the_page_are_walked_through() -> None:
    page = "<table><tr><td><p>가</p><table><tr><td>나<td>다</table></table>"
    assert [block.kind for block in parse(html_parser, page).blocks] == ["paragraph", "table"]


def test_lists_and_code_keep_their_form() -> None:
    page = "<ul><li>가<ul><li>나</ul></ul><ol start=3><li>셋<li>넷</ol><pre>a = 1\n  b</pre>"
    assert [(b.kind, b.level, b.number, b.text) for b in parse(html_parser, page).blocks] == [
        ("item", 1, "", "가"),
        ("item", 2, "", "나"),
        ("item", 1, "3.", "셋"),
        ("item", 1, "4.", "넷"),
        ("code", 0, "", "a = 1\n  b"),
    ]


def test_the_page_s_charset_is_followed_unless_the_bytes_are_utf8() -> None:
    page = '<meta charset="euc-kr"><p>똠방 &#44032;</p>'
    assert blocks(html_parser, page.encode("cp949")) == [("paragraph", "똠방 가")]
    assert blocks(html_parser, page.encode()) == [("paragraph", "똠방 가")]


def test_a_page_of_comments_alone_is_empty() -> None:
    with pytest.raises(Empty):
        parse(html_parser, "<!-- 가 --><!-- 나 -->")


def test_deep_nesting_is_flattened_not_refused() -> None:
    page = "<div>" * 1500 + "깊은 글" + "</div>" * 1500
    assert "깊은 글" in blocks(html_parser, page)[0][1]


def test_nesting_beyond_the_parser_is_said() -> None:
    deep = "<div>" * 3000 + "깊은 글" + "</div>" * 3000
    assert parse(html_parser, f"<p>앞 글</p>{deep}").warnings == ("elements nested too deep end the text early",)
    with pytest.raises(Corrupt, match="too deep"):
        parse(html_parser, deep)


def test_a_huge_span_costs_nothing() -> None:
    page = '<table><tr><td rowspan="65000" colspan="1000">가<td>나</table>'
    assert len(parse(html_parser, page).blocks[0].cells) == 2


@pytest.mark.parametrize(
    "sheet",
    [
        ".gone { display : none }",
        "p.x{color:red}\n/* */ .other, .gone{DISPLAY:none !important}",
        "#it{visibility:hidden}",
        "p{display:none}",
        "p.gone.note{display:none}",
        "<!-- .gone{display:none} -->",
        "@import url(x.css); .gone{display:none}",
    ],
)
def test_what_a_page_s_own_rules_hide_is_not_read(sheet: str) -> None:
    page = f'<style>{sheet}</style><p class="Gone note" id=it>숨김</p><div>보임</div>'
    assert blocks(html_parser, page) == [("paragraph", "보임")]


@pytest.mark.parametrize(
    "sheet",
    [
        ".gone:hover{display:none}",
        ".menu .gone{display:none}",
        "@media print{.gone{display:none}}",
        ".gone{display:none} .gone.note{display:block}",
        ".gone{display:none} .gone{display:block}",
        ".gone.more{display:none}",
        "div.gone{display:none}",
        ".gone::before{display:none}",
        ".gone{visibility:visible}",
        "}}{{ .gone{",
    ],
)
def test_what_a_page_s_own_rules_show_is_read(sheet: str) -> None:
    assert blocks(html_parser, f'<style>{sheet}</style><p class="gone note">보임</p>') == [("paragraph", "보임")]


def test_a_page_that_waits_for_its_scripts_is_read() -> None:
    page = "<style>body{display:none !important}</style><body style='visibility:hidden'><p>본문</p></body>"
    assert blocks(html_parser, page) == [("paragraph", "본문")]


def test_an_inline_style_goes_before_the_page_s_rules() -> None:
    page = "<style>.a{display:none}</style><p class=a style='display:block'>보임<td class=a>숨김"
    assert blocks(html_parser, page) == [("paragraph", "보임")]


def test_what_was_typed_into_a_form_is_read() -> None:
    page = """<form><p>이름 <input value="홍길동"><input type=hidden value="비밀"><input type=password value="비밀">
    지역 <select><option>서울<option selected>부산</select> 의견
    <textarea>없음</textarea><button>보내기</button></form>"""
    assert blocks(html_parser, page) == [("paragraph", "이름 홍길동 지역 부산 의견 없음")]


def test_list_numbers_are_shown_in_the_list_s_own_style() -> None:
    page = "<ol type=a><li>하나<li>둘</ol><ol type=I start=4><li>넷</ol><ol type=a start=40><li>마흔</ol>"
    assert [b.number for b in parse(html_parser, page).blocks] == ["a.", "b.", "IV.", "40."]


def test_a_page_that_word_saved_keeps_its_lists_and_notes() -> None:
    page = """<p style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>l
    </span><![endif]>글머리</p><p style='mso-list:l1 level2 lfo2'><span style='mso-list:Ignore'>가.&nbsp;</span>번호</p>
    <h1 style='mso-list:l2 level1'><span style='mso-list:Ignore'>제1장 </span>총칙</h1>
    <div style='mso-element:footnote-list'><div style='mso-element:footnote'><p>[1] 각주 글</p></div></div>
    <div style='mso-element:comment-list'><p>메모</p></div>
    <del cite='mailto:kim'>지운 글</del><!--[if mso]>x<![endif]-->"""
    parsed = parse(html_parser, page)
    assert [(b.kind, b.level, b.number, b.text) for b in parsed.blocks] == [
        ("item", 1, "", "글머리"),
        ("item", 2, "가.", "번호"),
        ("heading", 1, "제1장", "총칙"),
        ("note", 0, "1", "각주 글"),
    ]
    assert parsed.asides == {"comment": 1, "deleted": 1}


def test_a_table_with_lines_may_hold_another() -> None:
    page = "<table border=1><tr><td>구분<td>내역<tr><td>가<td><table><tr><td>나<td>다</table></table>"
    (outer,) = parse(html_parser, page).blocks
    assert [inner.kind for inner in outer.cells[3].blocks] == ["table"]


# --- MHTML ---


def saved_page(head: str, kind: str = 'multipart/related; type="text/html"; boundary=B') -> bytes:
    return f"""{head}MIME-Version: 1.0
Content-Type: {kind}

--B
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable
Content-Location: https://wiki.example.com/a

<html><title>=ED=9C=B4=EA=B0=80</title><h1>=EA=B7=9C=EC=A0=95</h1><p>15=EC=9D=BC</p></html>
--B
Content-Type: image/png
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--B--
""".encode()


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("From: <Saved by Blink>\nSnapshot-Content-Location: https://a\nSubject: x\n", "a"),
        ("", "페이지.mht"),
        ("Date: Mon, 2 Mar 2026 00:00:00 -0000\nMessage-ID: <1@wiki>\nSubject: Exported From Wiki\n", "휴가.doc"),
    ],
)
def test_a_page_saved_in_one_file_is_a_page(head: str, name: str) -> None:
    parsed = parsers.parse(io.BytesIO(saved_page(head)), name, Limits())
    assert (parsed.format, parsed.title) == ("mhtml", "휴가")
    assert [(b.kind, b.text) for b in parsed.blocks] == [("heading", "규정"), ("paragraph", "15일")]


def test_a_mail_of_a_page_and_its_pictures_stays_a_mail() -> None:
    assert parsers.detect(io.BytesIO(saved_page("From: 김담당\nSubject: x\n")), "초안.eml") == "eml"
    head = "From: kim@example.com\nTo: lee@example.com\nSubject: x\nDate: Mon, 2 Mar 2026 00:00:00 +0900\n"
    assert parsers.detect(io.BytesIO(saved_page(head)), "메일.eml") == "eml"


def test_a_saved_page_without_html_is_empty() -> None:
    with pytest.raises(Empty):
        parsers.parse(io.BytesIO(b"MIME-Version: 1.0\nContent-Type: multipart/related\n\nx"), "a.mht", Limits())


@pytest.mark.cases
def test_case_texts(cases_dir: Path) -> None:
    folder = cases_dir / "formats"
    expected = blocks(txt, (folder / "txt/syn_ko_utf8.txt").read_bytes())
    for name in ("syn_ko_utf8_bom", "syn_ko_utf16be_bom", "syn_ko_utf16le_nobom"):
        assert blocks(txt, (folder / f"txt/{name}.txt").read_bytes()) == expected
    late = blocks(txt, (folder / "bugs/b13_csv_ascii_head.txt").read_bytes())
    assert "똠방각하 펲시 콜라" in late[-1][1]
    page = parse(html_parser, (folder / "html/syn_ko_euckr_meta.html").read_bytes())
    assert (page.title, page.blocks[1].text) == ("공지", "똠방 가나 본문")
