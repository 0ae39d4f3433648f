"""HWPX and HWPML documents become the blocks that the same document in HWP 5 gives."""

from __future__ import annotations

import io
import struct
from datetime import UTC, datetime
from pathlib import Path

import hwp5_parts
import pytest
from hwp5_parts import Part
from hwp5_writer import hwp_streams, pack_hwp, write_hwp
from hwpx_writer import hwpx_cells, hwpx_list, hwpx_paragraph, hwpx_section, one_section, pack_hwpx, write_hwpx
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.body import words
from pipelines.errors import Corrupt, Empty, Encrypted, NeedsOcr, TooLarge, UnsafeXml, Unsupported
from pipelines.mirror import render
from pipelines.parsers import hml, hwp, hwpx
from pipelines.records import Block, Cell, Limits, Parsed

MODIFIED = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
SPACES = 'xmlns:hp="urn:p" xmlns:hs="urn:s"'


def _read(data: bytes, limits: Limits | None = None) -> Parsed:
    return hwpx.parse(io.BytesIO(data), "문서.hwpx", limits or Limits())


def _write(*blocks: Block) -> bytes:
    return write_hwpx(blocks, title="제안서 <1>", author="김새로", modified=MODIFIED)


def _zip(**parts: str) -> bytes:
    """A package of parts; "__" in a name stands for "/", "_xml" for ".xml"."""
    return pack_hwpx({name.replace("__", "/").replace("_xml", ".xml"): text for name, text in parts.items()})


def _section(*runs: str) -> bytes:
    return one_section(hwpx_paragraph(*runs))


def _texts(data: bytes) -> list[str]:
    return [block.text for block in _read(data).blocks]


def _t(text: str) -> str:
    return f"<hp:t>{text}</hp:t>"


def _body(parsed: Parsed) -> str:
    return "".join(words(block) for block in parsed.blocks)


def _cell(row: int, col: int, *texts: str, row_span: int = 1, col_span: int = 1) -> Cell:
    return Cell(row, col, tuple(Block("paragraph", text) for text in texts), row_span, col_span)


def test_blocks_come_back_in_order() -> None:
    inner = Block("table", cells=(_cell(0, 0, "안 하나"), _cell(0, 1, "안 둘")))
    blocks = (
        Block("heading", "결제 연동", level=1),
        Block("paragraph", "첫 줄\n둘째 줄\t탭 & <표>"),
        Block("note", "운영 환경", number="1", in_body=False),
        Block("item", "설계", level=2),
        Block("table", cells=(_cell(0, 0, "가", row_span=2), _cell(0, 1, "나"), Cell(1, 1, (inner,)))),
        Block("paragraph", "끝."),
    )
    assert _read(_write(*blocks)).blocks == blocks


def test_title_author_and_time_come_from_the_package() -> None:
    parsed = _read(_write(Block("paragraph", "본문")))
    assert (parsed.format, parsed.title, parsed.author) == ("hwpx", "제안서 <1>", "김새로")
    assert (parsed.modified_at, parsed.clock) == (MODIFIED, "hwpx:ModifiedDate")


_TEXTS = st.text(st.sampled_from("가나다 ABC1.&<>\n\t각"), max_size=30).map(lambda text: text.strip() or "글")
_SIMPLE = st.one_of(
    st.builds(Block, st.just("paragraph"), _TEXTS),
    st.builds(Block, st.just("heading"), _TEXTS, st.integers(1, 6)),
    st.builds(Block, st.just("item"), _TEXTS, st.integers(1, 3)),
)
_NOTES = st.builds(lambda text: Block("note", text, in_body=False), _TEXTS)
_TABLES = st.builds(
    lambda texts, notes: Block("table", cells=tuple(
        Cell(at // 2, at % 2, (Block("paragraph", text), *notes)) for at, text in enumerate(texts)
    )),
    st.lists(_TEXTS, min_size=2, max_size=6),
    st.lists(_NOTES, max_size=2),
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(st.lists(st.one_of(_SIMPLE, _TABLES, _NOTES), max_size=8))
def test_the_same_blocks_as_hwp_and_hwpx_are_one_body(blocks: list[Block]) -> None:
    numbers = ("제^1장", "^1.^2", "(^3)")
    old, new = (
        write(blocks, title="", author="", modified=MODIFIED, outline_numbers=numbers)
        for write in (write_hwp, write_hwpx)
    )
    assert hwp.parse(io.BytesIO(old), "a.hwp", Limits()).blocks == _read(new).blocks


def test_deleted_text_of_tracked_changes_is_left_out() -> None:
    assert _texts(_section("<hp:t>남은 <hp:deleteBegin/>지운 글<hp:deleteEnd/>글</hp:t>")) == ["남은 글"]


def test_a_deletion_runs_on_through_runs_paragraphs_and_what_is_anchored_in_them() -> None:
    note = f"<hp:ctrl><hp:footNote>{hwpx_list(hwpx_paragraph(_t('지운 각주')))}</hp:footNote></hp:ctrl>"
    paragraphs = (
        hwpx_paragraph('<hp:t>앞 <hp:deleteBegin Id="1" TcId="7"/>지운 글</hp:t>', note),
        hwpx_paragraph(_t("지운 문단"), hwpx_cells([hwpx_paragraph(_t("지운 칸"))])),
        hwpx_paragraph('<hp:t>지운 끝<hp:deleteEnd Id="1" TcId="7" paraend="0"/> 뒤</hp:t>'),
        hwpx_paragraph('<hp:t><hp:insertBegin Id="2" TcId="8"/>넣은 글<hp:insertEnd Id="2" TcId="8"/></hp:t>'),
    )
    assert _texts(one_section("".join(paragraphs))) == ["앞", "뒤", "넣은 글"]


def test_what_stands_before_a_deletion_stays_though_it_is_read_later() -> None:
    note = f"<hp:ctrl><hp:footNote>{hwpx_list(hwpx_paragraph(_t('남은 각주')))}</hp:footNote></hp:ctrl>"
    paragraphs = (
        hwpx_paragraph(_t("앞"), note, '<hp:t><hp:deleteBegin Id="1"/>지운 글</hp:t>'),
        hwpx_paragraph('<hp:t>지운 끝<hp:deleteEnd Id="1"/>뒤</hp:t>'),
    )
    assert _texts(one_section("".join(paragraphs))) == ["앞", "남은 각주", "뒤"]


def test_a_deletion_without_end_goes_no_further_than_its_paragraph() -> None:
    paragraphs = (
        hwpx_paragraph('<hp:t>앞<hp:deleteBegin Id="1"/>지운 글</hp:t>'),
        hwpx_paragraph(_t("남은 문단")),
        hwpx_paragraph('<hp:t>가<hp:deleteBegin Id="1"/>나<hp:deleteEnd Id="1"/>다</hp:t>'),
    )
    assert _texts(one_section("".join(paragraphs))) == ["앞", "남은 문단", "가다"]


def test_a_deleted_paragraph_takes_no_number() -> None:
    head = (
        "<hh:head><hh:numbering id='1'><hh:paraHead level='1' start='1' numFormat='HANGUL_SYLLABLE'>^1.</hh:paraHead>"
        "</hh:numbering><hh:paraPr id='1'><hh:heading type='NUMBER' idRef='1' level='0'/></hh:paraPr></hh:head>"
    ).replace("<hh:head>", '<hh:head xmlns:hh="urn:h">')
    gone = '<hp:t><hp:deleteBegin Id="1"/>지운 항목<hp:deleteEnd Id="1" paraend="1"/></hp:t>'
    items = (hwpx_paragraph(run, shape=1) for run in (_t("하나"), gone, _t("둘")))
    blocks = _read(one_section("".join(items), Contents__header_xml=head)).blocks
    assert [(block.number, block.text) for block in blocks] == [("가.", "하나"), ("나.", "둘")]


def _link(kind: str, name: str, value: str, shown: str) -> str:
    return (
        f'<hp:ctrl><hp:fieldBegin type="{kind}"><hp:parameters><hp:stringParam name="{name}">{value}</hp:stringParam>'
        f"</hp:parameters></hp:fieldBegin></hp:ctrl>{_t(shown)}<hp:ctrl><hp:fieldEnd/></hp:ctrl>"
    )


def test_a_web_address_follows_the_words_that_lead_to_it() -> None:
    command = "https\\://example.com/a?b=1\\;2;1;0;0;"
    assert _texts(_section(_t("자료: "), _link("HYPERLINK", "Command", command, "공고문"), _t(" 참조"))) == [
        "자료: 공고문 (https://example.com/a?b=1;2) 참조"
    ]
    assert _texts(_section(_link("HYPERLINK", "Path", "http://a.kr/", "http://a.kr"))) == ["http://a.kr"]
    assert _texts(_section(_link("HYPERLINK", "Command", "?책갈피;0;0;0;", "2쪽"))) == ["2쪽"]
    assert _texts(_section(_link("CLICK_HERE", "Command", "Clickhere:set:1", "홍길동"))) == ["홍길동"]


def test_form_objects_show_captions_answers_and_entries_but_no_password() -> None:
    objects = (
        '<hp:btn caption="제출"/>',
        '<hp:checkBtn caption="동의함" value="CHECKED"/>',
        '<hp:radioBtn caption="남" value="UNCHECKED"/>',
        '<hp:comboBox selectedValue="2"><hp:listItem displayText="봄" value="1"/>'
        '<hp:listItem displayText="여름" value="2"/></hp:comboBox>',
        '<hp:comboBox selectedValue=""><hp:listItem displayText="" value="서울"/></hp:comboBox>',
        '<hp:listBox selectedValue=""><hp:listItem displayText="고르지 않음" value="1"/></hp:listBox>',
        '<hp:edit passwordChar=""><hp:text>홍길동</hp:text></hp:edit>',
        '<hp:edit passwordChar="*"><hp:text>비밀</hp:text></hp:edit>',
    )
    assert " ".join(_texts(_section(*objects))[0].split()) == "제출 ☑ 동의함 ○ 남 여름 서울 홍길동"


def test_overlaid_characters_and_words_beside_words_are_read() -> None:
    runs = (
        '<hp:compose composeText="가나"/>',
        "<hp:dutmal><hp:mainText>本文</hp:mainText><hp:subText>본문</hp:subText></hp:dutmal>",
    )
    assert _texts(_section(*runs)) == ["가나本文(본문)"]


def test_numbers_of_captions_are_written_in_their_format() -> None:
    form = '<hp:autoNumFormat type="CIRCLED_DIGIT" suffixChar=")"/>'
    number = f'<hp:ctrl><hp:autoNum num="2" numType="TABLE">{form}</hp:autoNum></hp:ctrl>'
    caption = f"<hp:caption>{hwpx_list(hwpx_paragraph(_t('표 '), number))}</hp:caption>"
    table = hwpx_cells(*[[hwpx_paragraph(_t(word))] for word in "가나"]).replace("<hp:tbl>", f"<hp:tbl>{caption}")
    blocks = _read(_section(table)).blocks
    assert [(block.kind, block.text) for block in blocks] == [("paragraph", "표 ②)"), ("table", "")]


def test_a_frame_keeps_its_headings_and_items_and_a_cell_of_a_table_has_none() -> None:
    inside = (Block("heading", "추진 배경", level=1), Block("item", "첫째", level=1), Block("paragraph", "글"))
    frame = Block("table", cells=(Cell(0, 0, inside),))
    assert _read(_write(frame)).blocks == inside
    table = Block("table", cells=(Cell(0, 0, inside), _cell(0, 1, "옆")))
    (read,) = _read(_write(table)).blocks
    assert [block.kind for block in read.cells[0].blocks] == ["paragraph"] * 3
    (read,) = _read(_write(Block("table", cells=(Cell(0, 0, (frame,)), _cell(0, 1, "옆"))))).blocks
    assert [block.kind for block in read.cells[0].blocks] == ["paragraph"] * 3


def test_notes_of_cells_follow_their_table() -> None:
    note = f"<hp:ctrl><hp:footNote>{hwpx_list(hwpx_paragraph(_t('잠정치')))}</hp:footNote></hp:ctrl>"
    table, after = _read(_section(hwpx_cells([hwpx_paragraph(_t("값"), note), hwpx_paragraph(_t("30"))]))).blocks
    assert [cell.blocks[0].text for cell in table.cells] == ["값", "30"]
    assert after == Block("note", "잠정치", number="1", in_body=False)


CHART = (
    '<c:chartSpace xmlns:c="urn:c"><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:v>실적</c:v></c:tx><c:cat>'
    '<c:strRef><c:strCache><c:pt idx="0"><c:v>1월</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef>'
    '<c:numCache><c:pt idx="0"><c:v>1250</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart>'
    "</c:plotArea></c:chart></c:chartSpace>"
)
DRAWN = '<hp:switch><hp:case><hp:chart chartIDRef="Chart/chart1.xml"/></hp:case><hp:default/></hp:switch>'


def test_a_chart_is_its_data_once() -> None:
    blocks = _read(one_section(hwpx_paragraph(DRAWN, DRAWN), Chart__chart1_xml=CHART)).blocks
    assert [[cell.blocks[0].text for cell in block.cells if cell.blocks] for block in blocks] == [
        ["실적", "1월", "1250"]
    ]


def test_a_damaged_chart_costs_a_warning_not_the_document() -> None:
    parsed = _read(one_section(hwpx_paragraph(_t("본문"), DRAWN), Chart__chart1_xml="<c"))
    assert ([block.text for block in parsed.blocks], parsed.warnings) == (["본문"], ("1 charts that can't be read",))


def test_headers_memos_and_comments_are_counted_not_read() -> None:
    inside = "<hp:subList><hp:p><hp:run><hp:t>곁글</hp:t></hp:run></hp:p></hp:subList>"
    controls = "".join(
        f"<hp:ctrl><hp:{name}>{inside}</hp:{name}></hp:ctrl>"
        for name in ("header", "footer", "hiddenComment", "fieldBegin")
    )
    parsed = _read(_section(f"<hp:t>본문</hp:t>{controls}"))
    assert parsed.asides == {"header": 1, "footer": 1, "comment": 2}
    assert _body(parsed) == "본문"


def test_text_boxes_captions_and_equations_are_read() -> None:
    parts = (
        "<hp:t>앞</hp:t><hp:equation><hp:script>a over b</hp:script></hp:equation>"
        "<hp:container><hp:rect><hp:drawText><hp:subList><hp:p><hp:run><hp:t>상자</hp:t></hp:run></hp:p></hp:subList>"
        "</hp:drawText><hp:caption><hp:subList><hp:p><hp:run><hp:t>그림 1</hp:t></hp:run></hp:p></hp:subList>"
        "</hp:caption></hp:rect></hp:container>"
    )
    assert [block.text for block in _read(_section(parts)).blocks] == ["앞 a over b", "그림 1", "상자"]


def test_a_table_beside_the_paragraphs_is_read() -> None:
    rows = "".join(
        f"<hp:tr><hp:tc><hp:p><hp:run><hp:t>{word}</hp:t></hp:run></hp:p></hp:tc></hp:tr>" for word in "가나"
    )
    section = f"<hs:sec {SPACES}><hp:p><hp:run><hp:t>앞</hp:t></hp:run></hp:p><hp:tbl>{rows}</hp:tbl></hs:sec>"
    blocks = _read(_zip(Contents__section0_xml=section)).blocks
    assert [block.kind for block in blocks] == ["paragraph", "table"]
    assert blocks[1].cells == (_cell(0, 0, "가"), _cell(1, 0, "나"))


def test_rows_marked_as_header_are_counted() -> None:
    rows = "".join(
        "<hp:tr>" + "".join(
            f'<hp:tc header="{int(row < 2)}"><hp:subList><hp:p><hp:run><hp:t>{row}{col}</hp:t></hp:run></hp:p>'
            f'</hp:subList><hp:cellAddr rowAddr="{row}" colAddr="{col}"/></hp:tc>' for col in range(2)
        ) + "</hp:tr>"
        for row in range(4)
    )  # fmt: skip
    assert _read(_section(f"<hp:tbl>{rows}</hp:tbl>")).blocks[0].header_rows == 2


PART = f"<hs:sec {SPACES}><hp:p><hp:run><hp:t>{{}}</hp:t></hp:run></hp:p></hs:sec>"


def test_sections_follow_their_numbers_without_a_package_description() -> None:
    assert _texts(_zip(**{f"Contents__section{number}_xml": PART.format(number) for number in (10, 2, 1)})) == [
        "1", "2", "10",
    ]  # fmt: skip


def _spine(*targets: str) -> bytes:
    items = "".join(f'<i:item id="{at}" href="{target}"/>' for at, target in enumerate(targets))
    spine = "".join(f'<i:itemref idref="{at}"/>' for at in (*range(len(targets)), 0, 99))
    return pack_hwpx({
        "Contents/content.hpf": f'<i:package xmlns:i="urn:i">{items}<i:spine>{spine}</i:spine></i:package>',
        **{f"Contents/section{number}.xml": PART.format(number) for number in (0, 1, 2)},
        "section9.xml": PART.format(9),
    })  # fmt: skip


def test_sections_follow_the_spine_each_once() -> None:
    assert _texts(_spine("Contents/section1.xml", "section0.xml", "Contents/section1.xml")) == ["1", "0"]


@pytest.mark.parametrize("target", ["../../section9.xml", "/etc/section0.xml", "section7.xml"])
def test_a_section_that_is_listed_and_missing_is_damage_wherever_its_address_leads(target: str) -> None:
    with pytest.raises(Corrupt, match="missing"):
        _read(_spine("section0.xml", target))


def test_damaged_parts_beside_the_body_cost_a_warning() -> None:
    parts = {
        "META-INF__manifest_xml": "?", "Contents__content.hpf": "<p",
        "Contents__masterpage0_xml": "<m", "Contents__masterpage1_xml": PART,
    }  # fmt: skip
    parsed = _read(one_section(hwpx_paragraph(_t("본문")), **parts))
    assert (_body(parsed), parsed.asides) == ("본문", {"header": 1})
    assert parsed.warnings == ("3 parts beside the body that can't be read",)


def test_an_empty_document_is_no_error() -> None:
    assert _read(_section("")).blocks == ()


def test_words_only_in_notes_are_the_document() -> None:
    note = f"<hp:ctrl><hp:endNote>{hwpx_list(hwpx_paragraph(_t('미주뿐')))}</hp:endNote></hp:ctrl>"
    parsed = _read(_section(note))
    assert (_body(parsed), [block.kind for block in parsed.blocks]) == ("미주뿐", ["paragraph"])


def test_words_only_in_headers_and_footers_are_no_document() -> None:
    controls = "".join(
        f"<hp:ctrl><hp:{name}>{hwpx_list(hwpx_paragraph(_t('곁글')))}</hp:{name}></hp:ctrl>"
        for name in ("footer", "header")
    )
    with pytest.raises(Empty, match="only in headers and footers"):
        _read(_section(controls))


def test_pictures_without_a_word_need_recognition() -> None:
    with pytest.raises(NeedsOcr):
        _read(_section("<hp:pic/>"))


def test_cells_without_an_address_stand_beside_each_other() -> None:
    wide = '<hp:tc><hp:cellSpan colSpan="2" rowSpan="1"/><hp:p><hp:run><hp:t>가</hp:t></hp:run></hp:p></hp:tc>'
    (table,) = _read(_section(f"<hp:tbl><hp:tr>{wide}{wide}</hp:tr></hp:tbl>")).blocks
    assert [(cell.row, cell.col, cell.col_span) for cell in table.cells] == [(0, 0, 2), (0, 2, 2)]


def test_cells_of_one_address_stand_in_their_rows_in_all_three_formats() -> None:
    expected = ["| 가 | 나 |", "| --- | --- |", "| 다 | 라 |"]
    words = ("가나", "다라")
    table = hwpx_cells(*[[hwpx_paragraph(_t(word)) for word in row] for row in words])
    table = table.replace('rowAddr="1"', 'rowAddr="0"').replace('colAddr="1"', 'colAddr="0"')
    streams = hwp_streams([Block("table", cells=tuple(_cell(r, c, w) for r, row in enumerate(words)
                                                      for c, w in enumerate(row)))])  # fmt: skip
    for col, row in ((0, 1), (1, 0), (1, 1)):
        place = struct.pack("<HHI4H", 1, 0, 0x20, col, row, 1, 1)
        lying = struct.pack("<HHI4H", 1, 0, 0x20, 0, 0, 1, 1)
        assert place in streams["BodyText/Section0"]
        streams["BodyText/Section0"] = streams["BodyText/Section0"].replace(place, lying)
    cells = [[f"<CELL RowAddr='0' ColAddr='0'><PARALIST>{_p(_char(word))}</PARALIST></CELL>" for word in row]
             for row in words]  # fmt: skip
    rows = "".join(f"<ROW>{''.join(row)}</ROW>" for row in cells)
    assert render(_read(_section(table)).blocks).lines == expected
    assert render(hwp.parse(io.BytesIO(pack_hwp(streams)), "가.hwp", Limits()).blocks).lines == expected
    assert render(_hml(_p(f"<TABLE>{rows}</TABLE>")).blocks).lines == expected


def test_addresses_and_spans_that_lie_cost_no_more_than_their_cell() -> None:
    lies = (("rowAddr", "-5"), ("rowAddr", "999999999"), ("colAddr", "-1"), ("rowSpan", "4000000000"), ("colSpan", "x"))
    for name, value in lies:
        table = hwpx_cells([hwpx_paragraph(_t("가"))], [hwpx_paragraph(_t("나"))])
        old = f'{name}="1"'
        (block,) = _read(_section(table.replace(old, f'{name}="{value}"'))).blocks
        assert render([block]).lines == ["| 가 |", "| --- |", "| 나 |"]


def test_tables_of_more_places_than_the_limit_are_too_large() -> None:
    table = hwpx_cells([hwpx_paragraph(_t("가"))], [hwpx_paragraph(_t("나"))]).replace('colAddr="0"', 'colAddr="9999"')
    with pytest.raises(TooLarge, match="cells"):
        _read(_section(table), Limits(cells=1000))


def test_boxes_nested_beyond_the_limit_are_too_large() -> None:
    inner = _t("속")
    for _ in range(22):
        inner = f"<hp:rect><hp:drawText>{hwpx_list(hwpx_paragraph(inner))}</hp:drawText></hp:rect>"
    with pytest.raises(TooLarge, match="nested"):
        _read(_section(inner))


def test_a_first_number_or_pattern_that_lies_stays_short() -> None:
    head = (
        '<h:head xmlns:h="urn:h"><h:numbering id="1"><h:paraHead level="1" start="4000000000" numFormat="LATIN_SMALL">'
        f'{"^1." * 500}</h:paraHead></h:numbering><h:paraPr id="1"><h:heading type="NUMBER" idRef="1" level="0"/>'
        "</h:paraPr></h:head>"
    )
    (block,) = _read(one_section(hwpx_paragraph(_t("항목"), shape=1), Contents__header_xml=head)).blocks
    assert block.number.startswith("4000000000.")
    assert len(block.number) <= 100


def test_characters_that_xml_forbids_cost_themselves_not_the_document() -> None:
    raw = _t("가\x01나&#x1F;다&#55357;&#56832;라&#xD83D;마&#0;바&#xAC00;")
    assert _texts(_section(raw)) == ["가나다😀라마바가"]


def test_a_document_without_section_is_damaged() -> None:
    with pytest.raises(Corrupt, match="no section"):
        _read(_zip(mimetype="application/hwp+zip"))


def test_a_password_is_named() -> None:
    manifest = '<m xmlns:odf="urn:odf"><odf:file-entry><odf:encryption-data/></odf:file-entry></m>'
    with pytest.raises(Encrypted, match="password"):
        _read(_zip(**{"META-INF__manifest_xml": manifest, "Contents__section0_xml": "?"}))


def test_xml_that_is_unsafe_or_broken_is_refused() -> None:
    with pytest.raises(UnsafeXml):
        _read(_zip(Contents__section0_xml='<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'))
    with pytest.raises(Corrupt):
        _read(_zip(Contents__section0_xml="<a><b></a>"))


def test_a_bomb_is_too_large() -> None:
    with pytest.raises(TooLarge):
        _read(_zip(Contents__section0_xml=" " * (3 << 20)), Limits(stream_mb=2))


def test_the_notice_of_a_newer_distribution_copy_is_no_body() -> None:
    with pytest.raises(Unsupported, match="distribution"):
        _read(_write(Block("paragraph", "이 문서는 상위 버전의 배포용 문서입니다. 최신 버전의 한글이 필요합니다.")))


HWPML = """<?xml version="1.0" encoding="UTF-8"?><HWPML Version="2.91"><HEAD><DOCSUMMARY><TITLE>제목</TITLE>
<AUTHOR>저자</AUTHOR></DOCSUMMARY><MAPPINGTABLE><NUMBERINGLIST><NUMBERING Id="1"><PARAHEAD Level="1" Start="1"
NumFormat="HangulSyllable">^1.</PARAHEAD></NUMBERING></NUMBERINGLIST><PARASHAPELIST><PARASHAPE Id="0"
HeadingType="None"/><PARASHAPE Id="1" HeadingType="Outline" Level="0"/></PARASHAPELIST></MAPPINGTABLE></HEAD><BODY>
<SECTION><P ParaShape="1"><TEXT><SECDEF OutlineShape="1"/><CHAR>총칙</CHAR></TEXT></P>
<P ParaShape="0"><TEXT><CHAR>본문<LINEBREAK/>둘째</CHAR><FOOTNOTE><PARALIST><P><TEXT><CHAR>각주</CHAR></TEXT></P>
</PARALIST></FOOTNOTE><TABLE><ROW><CELL RowAddr="0" ColAddr="0" ColSpan="2"><PARALIST><P><TEXT><CHAR>가</CHAR></TEXT>
</P></PARALIST></CELL></ROW><ROW><CELL RowAddr="1" ColAddr="0"/><CELL RowAddr="1" ColAddr="1"/></ROW></TABLE>
<HEADER><PARALIST><P><TEXT><CHAR>머리</CHAR></TEXT></P></PARALIST></HEADER></TEXT></P></SECTION></BODY></HWPML>"""


def test_hwpml_gives_the_same_kinds_of_blocks() -> None:
    parsed = hml.parse(io.BytesIO(HWPML.encode()), "문서.hml", Limits())
    table = Block("table", cells=(_cell(0, 0, "가", col_span=2), _cell(1, 0), _cell(1, 1)))
    assert parsed.blocks == (
        Block("heading", "총칙", level=1, number="가."),
        Block("paragraph", "본문\n둘째"),
        Block("note", "각주", number="1", in_body=False),
        table,
    )
    assert (parsed.title, parsed.author, parsed.clock, parsed.asides) == ("제목", "저자", None, {"header": 1})


def _hml(body: str, *, head: str = "", encoding: str = "utf-8", declared: str = "UTF-8", tail: str = "") -> Parsed:
    text = (
        f'<?xml version="1.0" encoding="{declared}" standalone="no" ?><HWPML Version="2.91"><HEAD>{head}</HEAD><BODY>'
        f"<SECTION>{body}</SECTION></BODY><TAIL>{tail}</TAIL></HWPML>"
    )
    return hml.parse(io.BytesIO(text.encode(encoding)), "문서.hml", Limits())


def _p(*items: str) -> str:
    return f"<P><TEXT>{''.join(items)}</TEXT></P>"


def _char(text: str) -> str:
    return f"<CHAR>{text}</CHAR>"


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [("utf-8-sig", "UTF-8"), ("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("cp949", "euc-kr"), ("cp949", "UTF-8")],
)
def test_hwpml_is_read_in_the_encoding_that_its_bytes_have(encoding: str, declared: str) -> None:
    words = "똠방각하 결재 문서입니다. " * 20
    assert _hml(_p(_char(words)), encoding=encoding, declared=declared).blocks[0].text == words.strip()


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("2019년 9월 6일 금요일 오후 5:03:01", datetime(2019, 9, 6, 8, 3, 1, tzinfo=UTC)),
        ("2026년 3월 17일 화요일 오전 12:58:45", datetime(2026, 3, 16, 15, 58, 45, tzinfo=UTC)),
        ("2002년 4월 2일 화요일, 17시 16분", datetime(2002, 4, 2, 8, 16, tzinfo=UTC)),
        ("2018년 11월 8일", datetime(2018, 11, 7, 15, tzinfo=UTC)),
        ("2019-09-06 17:03:01", datetime(2019, 9, 6, 8, 3, 1, tzinfo=UTC)),
        ("Friday, September 06, 2019 5:03:01 PM", datetime(2019, 9, 6, 8, 3, 1, tzinfo=UTC)),
        ("2019년 13월 40일", None),
        ("언젠가", None),
        ("", None),
    ],
)
def test_the_date_of_hwpml_is_when_it_was_begun_not_its_clock(date: str, moment: datetime | None) -> None:
    parsed = _hml(_p(_char("본문")), head=f"<DOCSUMMARY><DATE>{date}</DATE></DOCSUMMARY>")
    assert (parsed.created_at, parsed.modified_at, parsed.clock) == (moment, None, None)


def test_hwpml_has_the_same_links_forms_numbers_and_deletions() -> None:
    form = "<CHECKBUTTON><FORMOBJECT><BUTTONSET Caption='동의' Value='CHECKED'/></FORMOBJECT></CHECKBUTTON>"
    parsed = _hml(
        _p(
            "<FIELDBEGIN Type='Hyperlink' Command='http\\://a.kr/b;1;0;0;'/>",
            _char("공고<TAB/>문"),
            "<FIELDEND/>",
            form,
            "<EDIT><EDITTEXT>홍길동</EDITTEXT></EDIT><COMBOBOX Text='서울'/>",
            "<EDIT PasswordChar='*'><EDITTEXT>비밀</EDITTEXT></EDIT>",
        )
        + _p(_char("남은<DELETEBEGIN Id='1'/>지운"))
        + _p(_char("지운<DELETEEND Id='1'/> 글<HYPEN/>끝"))
        + _p("<AUTONUM Number='3' NumberType='Figure'><AUTONUMFORMAT Type='HangulSyllable' SuffixChar=')'/></AUTONUM>")
    )
    assert [" ".join(block.text.split()) for block in parsed.blocks] == [
        "공고 문 (http://a.kr/b) ☑ 동의 홍길동 서울", "남은", "글-끝", "다)",
    ]  # fmt: skip


def test_hwpml_keeps_captions_boxes_and_text_art_and_counts_the_rest() -> None:
    lists = f"<PARALIST>{_p(_char('글'))}</PARALIST>"
    table = f"<ROW><CELL RowAddr='0' ColAddr='0'>{lists}</CELL><CELL RowAddr='0' ColAddr='1'>{lists}</CELL></ROW>"
    parsed = _hml(
        _p(
            f"<EQUATION><SHAPEOBJECT><CAPTION>{lists}</CAPTION></SHAPEOBJECT><SCRIPT>a over b</SCRIPT></EQUATION>",
            f"<CONTAINER><RECTANGLE><DRAWINGOBJECT><DRAWTEXT>{lists}</DRAWTEXT></DRAWINGOBJECT></RECTANGLE></CONTAINER>",
            "<TEXTART Text='글맵시'/>",
            f"<TABLE><SHAPEOBJECT><CAPTION>{lists}</CAPTION></SHAPEOBJECT>{table}</TABLE>",
            f"<HIDDENCOMMENT>{lists}</HIDDENCOMMENT><FIELDBEGIN Type='Memo'>{lists}</FIELDBEGIN>",
            f"<SECDEF><MASTERPAGE>{lists}</MASTERPAGE></SECDEF>",
        )
    )
    assert [block.text or block.kind for block in parsed.blocks] == ["a over b", "글", "글", "글맵시", "글", "table"]
    assert parsed.asides == {"comment": 2, "header": 1}


@pytest.mark.parametrize("box", ["<DRAWTEXT>{}</DRAWTEXT>{}", "{1}<DRAWTEXT>{0}</DRAWTEXT>"])
@pytest.mark.parametrize("common", ["<SHAPEOBJECT><CAPTION>{}</CAPTION></SHAPEOBJECT>", "<CAPTION>{}</CAPTION>"])
def test_captions_of_hwpml_come_first_as_in_hwpx(box: str, common: str) -> None:
    inside, caption = (f"<PARALIST>{_p(_char(words))}</PARALIST>" for words in ("상자", "그림 1"))
    made = _hml(_p(_char("앞"), f"<RECTANGLE>{box.format(inside, common.format(caption))}</RECTANGLE>"))
    assert [block.text for block in made.blocks] == ["앞", "그림 1", "상자"]


def test_pictures_inside_hwpml_are_passed_over_however_large() -> None:
    picture = f"<BINDATASTORAGE><BINDATA Id='1' Encoding='Base64'>{'A' * (11 << 20)}</BINDATA></BINDATASTORAGE>"
    assert [block.text for block in _hml(_p(_char("본문")), tail=picture).blocks] == ["본문"]


def test_hwpml_without_section_or_with_a_dtd_is_refused() -> None:
    with pytest.raises(Corrupt, match="no section"):
        hml.parse(io.BytesIO(b"<HWPML/>"), "a.hml", Limits())
    with pytest.raises(UnsafeXml):
        hml.parse(io.BytesIO(b"<!DOCTYPE HWPML><HWPML/>"), "a.hml", Limits())
    with pytest.raises(TooLarge):
        hml.parse(io.BytesIO(b" " * (2 << 20)), "a.hml", Limits(stream_mb=1))


def _boxed(name: str, words: str) -> str:
    return f"<hp:{name}>{hwpx_list(hwpx_paragraph(_t(words)))}</hp:{name}>"


def _ctrl(name: str, words: str) -> str:
    return f"<hp:ctrl>{_boxed(name, words)}</hp:ctrl>"


COMMAND = "https\\://example.com/a;1;0;0;"
NUMBER = '<hp:autoNumFormat type="HANGUL_SYLLABLE" prefixChar="(" suffixChar=")"/>'
ROWS = hwpx_cells(*[[hwpx_paragraph(_t(word))] for word in "가나"])


def test_a_table_before_the_first_word_of_its_paragraph_is_read_before_it() -> None:
    def kinds(*runs: str) -> list[str]:
        return [block.text or block.kind for block in _read(_section(*runs)).blocks]

    assert kinds(_t(" "), ROWS, _t("뒤 글")) == ["table", "뒤 글"]
    assert kinds(_t("앞 글"), ROWS) == ["앞 글", "table"]
    assert kinds(_t("앞 글"), ROWS, _t(" 뒤 글")) == ["앞 글 뒤 글", "table"]


FEATURES: list[tuple[str, tuple[str | Part, ...], str]] = [
    ("link", hwp5_parts.link("공고", COMMAND), _link("HYPERLINK", "Command", COMMAND, "공고")),
    ("field", hwp5_parts.click_here("홍길동", "이름"), _link("CLICK_HERE", "Command", "Clickhere:set:1", "홍길동")),
    (
        "equation",
        ("식 ", hwp5_parts.equation("a over b", "수식 1")),
        f"{_t('식 ')}<hp:equation>{_boxed('caption', '수식 1')}<hp:script>a over b</hp:script></hp:equation>",
    ),
    (
        "words over words",
        (hwp5_parts.over_words("本文", "본문"),),
        "<hp:dutmal><hp:mainText>本文</hp:mainText><hp:subText>본문</hp:subText></hp:dutmal>",
    ),
    ("composed letters", (hwp5_parts.composed("가나"),), '<hp:compose composeText="가나"/>'),
    (
        "check box",
        (hwp5_parts.form("tbc+", hwp5_parts.wstring("Caption", "동의함"), "Value:int:1"),),
        '<hp:checkBtn caption="동의함" value="CHECKED"/>',
    ),
    (
        "entry field",
        (hwp5_parts.form("tde+", hwp5_parts.wstring("Text", "홍길동")),),
        '<hp:edit passwordChar=""><hp:text>홍길동</hp:text></hp:edit>',
    ),
    (
        "text box",
        ("앞", hwp5_parts.text_box("상자", caption="그림 1")),
        f"{_t('앞')}<hp:rect>{_boxed('drawText', '상자')}{_boxed('caption', '그림 1')}</hp:rect>",
    ),
    (
        "group",
        (hwp5_parts.group("하나", "둘"),),
        f"<hp:container><hp:rect>{_boxed('drawText', '하나')}</hp:rect><hp:rect>{_boxed('drawText', '둘')}</hp:rect>"
        "</hp:container>",
    ),
    ("text art", (hwp5_parts.text_art("글맵시"),), '<hp:textart text="글맵시"/>'),
    (
        "number of a caption",
        ("표 ", hwp5_parts.caption_number(2, 4, 8, "()")),
        f'{_t("표 ")}<hp:ctrl><hp:autoNum num="2" numType="TABLE">{NUMBER}</hp:autoNum></hp:ctrl>',
    ),
    (
        "notes",
        ("본문", hwp5_parts.note("각주"), hwp5_parts.note("미주", "en  ")),
        f"{_t('본문')}{_ctrl('footNote', '각주')}{_ctrl('endNote', '미주')}",
    ),
    (
        "asides",
        ("본문", *(hwp5_parts.aside(name, "곁글") for name in ("head", "foot", "tcmt"))),
        _t("본문") + "".join(_ctrl(name, "곁글") for name in ("header", "footer", "hiddenComment")),
    ),
]


@pytest.mark.parametrize(("pieces", "runs"), [case[1:] for case in FEATURES], ids=[case[0] for case in FEATURES])
def test_what_a_paragraph_holds_is_the_same_in_hwp_and_hwpx(pieces: tuple[str | Part, ...], runs: str) -> None:
    old = hwp5_parts.document(hwp5_parts.paragraph(*pieces))
    first, second = hwp.parse(io.BytesIO(old), "가.hwp", Limits()), _read(_section(runs))
    assert first.blocks == second.blocks
    assert first.blocks
    assert (first.asides, first.apart) == (second.asides, second.apart)


def test_charts_are_the_same_in_hwp_and_hwpx_and_in_objects_of_either() -> None:
    stored = hwp5_parts.stored_chart(CHART)
    old = hwp5_parts.document(hwp5_parts.paragraph(hwp5_parts.chart_object()), chart=stored)
    package = '<o:package xmlns:o="urn:o"><o:item id="ole1" href="BinData/ole1.ole"/></o:package>'
    section = hwpx_section(hwpx_paragraph('<hp:ole binaryItemIDRef="ole1"/>'))
    kept = pack_hwpx(
        {"Contents/content.hpf": package, "Contents/section0.xml": section, "BinData/ole1.ole": stored}
    )  # fmt: skip
    expected = _read(one_section(hwpx_paragraph(DRAWN), Chart__chart1_xml=CHART)).blocks
    assert expected
    assert hwp.parse(io.BytesIO(old), "가.hwp", Limits()).blocks == expected
    assert _read(kept).blocks == expected


def test_tracked_deletions_are_the_same_in_hwp_and_hwpx() -> None:
    old = hwp5_parts.document(hwp5_parts.paragraph("남은 ", "지운 ", "글", deleted=["지운 "]), deletions=1)
    runs = '<hp:t>남은 <hp:deleteBegin Id="1" TcId="1"/>지운 <hp:deleteEnd Id="1" TcId="1" paraend="0"/>글</hp:t>'
    first, second = hwp.parse(io.BytesIO(old), "가.hwp", Limits()), _read(_section(runs))
    assert (first.blocks, first.warnings) == (second.blocks, second.warnings)


def test_a_deleted_field_closes_no_other_in_all_three_formats() -> None:
    outer, words, end = hwp5_parts.link("바깥 ", COMMAND)
    inner, gone, _ = hwp5_parts.link("지운", "http\\://b.kr;1;0;0;")
    begins = inner.units.decode("utf-16-le")
    old = hwp5_parts.paragraph("앞 ", outer, words, inner, gone, end, "글", end, deleted=[begins + gone])
    within = _link("HYPERLINK", "Command", "http\\://b.kr;1;0;0;", '지운<hp:deleteEnd Id="1"/>')
    around = f'바깥 <hp:deleteBegin Id="1"/></hp:t>{within}<hp:t>글'
    runs = _t("앞 ") + _link("HYPERLINK", "Command", COMMAND, around)
    begin = f'<FIELDBEGIN Type="Hyperlink" Command="{COMMAND}"/>'
    deleted = '<FIELDBEGIN Type="Hyperlink" Command="http\\://b.kr;1;0;0;"/>'
    third = _hml(_p(_char("앞 "), begin, _char('바깥 <DELETEBEGIN Id="1"/>'), deleted,
                    _char('지운<DELETEEND Id="1"/>'), "<FIELDEND/>", _char("글"), "<FIELDEND/>"))  # fmt: skip
    first = hwp.parse(io.BytesIO(hwp5_parts.document(old, deletions=1)), "가.hwp", Limits())
    for parsed in (first, _read(_section(runs)), third):
        assert [block.text for block in parsed.blocks] == ["앞 바깥 글 (https://example.com/a)"]


@pytest.mark.cases
def test_real_pairs_of_hwp_and_hwpx_are_the_same_blocks(cases_dir: Path) -> None:
    pairs = 0
    for new in sorted((cases_dir / "hwp").glob("*.hwpx")):
        old = new.with_suffix(".hwp")
        if not old.exists():
            continue
        with old.open("rb") as file, new.open("rb") as other:
            first, second = hwp.parse(file, old.name, Limits()), hwpx.parse(other, new.name, Limits())
        assert first.blocks == second.blocks, new.name
        assert (first.asides, first.apart) == (second.asides, second.apart), new.name
        pairs += 1
    assert pairs >= 9
