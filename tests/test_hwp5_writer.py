"""Our own HWP files are read by programs that aren't ours."""

from __future__ import annotations

from datetime import UTC, datetime

import hwpforge
import olefile
import pytest
import unhwp  # type: ignore[import-untyped]
from hwp5_parts import (
    aside,
    chart_object,
    click_here,
    document,
    equation,
    group,
    link,
    note,
    over_words,
    paragraph,
    stored_chart,
    text_box,
)
from hwp5_writer import write_hwp
from ole_writer import write_ole
from vectors_hwp import CHART

from pipelines.records import Block, Cell

MODIFIED = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def _cell(row: int, col: int, text: str, row_span: int = 1, col_span: int = 1) -> Cell:
    return Cell(row, col, (Block("paragraph", text),), row_span, col_span)


BLOCKS = [
    Block("heading", "결제 연동 제안", level=1),
    Block("paragraph", "타임아웃은 30초이다.\n재시도는 두 번 한다."),
    Block("note", "운영 환경 기준."),
    Block("heading", "일정", level=2, number="제1절"),
    Block("item", "설계", level=1),
    Block("item", "구현", level=1, number="가."),
    Block(
        "table",
        cells=(_cell(0, 0, "항목", 2), _cell(0, 1, "값", 1, 2), _cell(1, 1, "최소"), _cell(1, 2, "최대")),
    ),
    Block("paragraph", "끝."),
]
WORDS = [
    "결제 연동 제안",
    "타임아웃은 30초이다.",
    "재시도는 두 번 한다.",
    "제1절 일정",
    "설계",
    "가. 구현",
    "항목",
    "최소",
    "최대",
    "끝.",
]


@pytest.mark.parametrize("compressed", [True, False])
def test_unhwp_reads_every_word(compressed: bool) -> None:
    data = write_hwp(BLOCKS, title="제안서", author="김새로", modified=MODIFIED, compressed=compressed)
    with unhwp.parse_bytes(data) as result:
        text = result.markdown
        assert [word for word in WORDS if word not in text] == []
        assert (result.title, result.author) == ("제안서", "김새로")


@pytest.mark.parametrize("compressed", [True, False])
def test_hwpforge_reads_words_levels_merged_cells_and_properties(compressed: bool) -> None:
    data = write_hwp(BLOCKS, title="제안서", author="김새로", modified=MODIFIED, compressed=compressed)
    document = hwpforge.convert_hwp5(data).document
    text = document.to_md().text
    assert [word for word in WORDS if word not in text] == []
    assert '<td rowspan="2">항목</td>' in text
    assert '<td colspan="2">값</td>' in text
    assert "[^1]: 운영 환경 기준." in text
    headings = document.outline()["outline"]["headings"]
    assert [(heading["text"], heading["level"]) for heading in headings] == [("결제 연동 제안", 1), ("제1절 일정", 2)]
    properties = document.inspect()["metadata"]
    assert (properties["title"], properties["author"]) == ("제안서", "김새로")
    assert properties["modified"] == "2026-03-02T09:30:00Z"


def test_a_table_in_a_cell_stays_in_its_cell() -> None:
    inner = Block("table", cells=(_cell(0, 0, "안쪽 하나"), _cell(0, 1, "안쪽 둘")))
    outer = Block("table", cells=(Cell(0, 0, (Block("paragraph", "바깥"), inner)), _cell(0, 1, "옆")))
    data = write_hwp([outer], title="", author="", modified=MODIFIED)
    text = hwpforge.convert_hwp5(data).document.to_md().text
    assert text.count("<table>") == 2
    assert all(word in text for word in ("바깥", "안쪽 하나", "안쪽 둘", "옆"))


def test_long_documents_leave_the_mini_stream() -> None:
    blocks = [Block("paragraph", f"{number}번째 문단이다. " + hex(number**20)) for number in range(3000)]
    data = write_hwp(blocks, title="긴 문서", author="", modified=MODIFIED, compressed=False)
    assert len(data) > 300_000
    with unhwp.parse_bytes(data) as result:
        assert "2999번째 문단이다." in result.text
    assert "2999번째 문단이다." in hwpforge.convert_hwp5(data).document.to_md().text


def test_the_same_blocks_give_the_same_bytes() -> None:
    first, second = (write_hwp(BLOCKS, title="가", author="나", modified=MODIFIED) for _ in range(2))
    assert first == second


def test_a_password_is_refused_by_other_readers() -> None:
    data = write_hwp(BLOCKS, title="비밀", author="", modified=MODIFIED, password=True)
    with pytest.raises(unhwp.UnhwpError):
        unhwp.parse_bytes(data)
    with pytest.raises(hwpforge.HwpForgeError):
        hwpforge.convert_hwp5(data)


def test_the_container_keeps_every_stream() -> None:
    streams = {f"A{number}/가나다{number}": bytes([number]) * (number * 700) for number in range(1, 12)}
    with olefile.OleFileIO(write_ole(streams)) as container:
        assert container.parsing_issues == []
        assert {path: container.openstream(path).read() for path in streams} == streams


# What a paragraph holds besides words, and what each of the other readers makes of it; "" where it knows no such part.
PARTS = [
    ("link", paragraph("앞 ", *link("누리집", "http\\://a.kr/b;1;0;0;")), "앞 [누리집](http://a.kr/b)", "앞 누리집"),
    ("field", paragraph("성명 ", *click_here("김새로", "이름")), "성명 김새로", "성명 김새로"),
    ("equation", paragraph("식 ", equation("x = 1 over 2")), "$x=\\frac{1}{2}$", "frac"),
    ("over words", paragraph("앞 ", over_words("본말", "덧말")), "본말(덧말)", ""),
    ("text box", paragraph("앞", text_box("상자 글", caption="설명")), "상자 글", "상자 글"),
    ("caption", paragraph("앞", text_box("상자 글", caption="설명")), "", "설명"),
    ("group", paragraph("앞", group("하나 상자", "두 상자")), "두 상자", "두 상자"),
    ("footnote", paragraph("본문", note("각주 글")), "[^1]: 각주 글", "각주 글"),
    ("endnote", paragraph("본문", note("미주 글", "en  ")), "미주 글", "미주 글"),
    ("chart", paragraph("앞", chart_object()), "<!-- chart -->", "BIN0001.OLE"),
    ("hidden comment", paragraph("본문", aside("tcmt", "숨은 글")), "숨은 글", "숨은 글"),
]


@pytest.mark.parametrize(("name", "made", "for_hwpforge", "for_unhwp"), PARTS, ids=[part[0] for part in PARTS])
def test_other_readers_know_our_parts(name: str, made: bytes, for_hwpforge: str, for_unhwp: str) -> None:
    data = document(made, chart=stored_chart(CHART) if name == "chart" else b"")
    assert for_hwpforge in hwpforge.convert_hwp5(data).document.to_md().text
    with unhwp.parse_bytes(data) as result:
        assert for_unhwp in result.markdown
