"""Vectors of HWP 5: what must and must not stand in the text version of a made document."""

from __future__ import annotations

import struct
import zlib
from datetime import UTC, datetime

from hwp5_parts import (
    aside,
    caption_number,
    chart_object,
    click_here,
    composed,
    document,
    equation,
    form,
    group,
    last_master_page,
    link,
    master_pages,
    memo,
    note,
    old_chart,
    over_words,
    paragraph,
    picture,
    stored_chart,
    text_art,
    text_box,
    wstring,
)
from hwp5_writer import hwp_streams, pack_hwp, write_hwp
from ole_writer import write_ole
from vector import Vector

from pipelines.records import Block, Cell

_MODIFIED = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
_NOTICE = "이 문서는 상위 버전의 배포용 문서입니다. 문서를 읽으려면 최신 버전의 \uf53a글 또는 전용 뷰어가 필요합니다."
CHART = """<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart>
<c:title><c:tx><c:rich><a:p><a:r><a:t>분기 매출</a:t></a:r></a:p></c:rich></c:tx></c:title>
<c:plotArea><c:barChart><c:ser>
<c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>국내</c:v></c:pt></c:strCache></c:strRef></c:tx>
<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>1분기</c:v></c:pt></c:strCache></c:strRef></c:cat>
<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>120</c:v></c:pt></c:numCache></c:numRef></c:val>
</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"""


def _write(*blocks: Block, outline_numbers: tuple[str, ...] = (), password: bool = False) -> bytes:
    return write_hwp(
        blocks, title="제안서", author="김새로", modified=_MODIFIED, outline_numbers=outline_numbers, password=password
    )


def _cell(row: int, col: int, text: str, row_span: int = 1, col_span: int = 1) -> Cell:
    return Cell(row, col, (Block("paragraph", text),), row_span, col_span)


def _merged() -> bytes:
    inner = Block("table", cells=(_cell(0, 0, "안쪽 하나"), _cell(0, 1, "안쪽 둘")))
    cells = (_cell(0, 0, "구분", 2), _cell(0, 1, "금액", 1, 2), _cell(1, 1, "국비"), Cell(1, 2, (inner,)))
    return _write(Block("table", cells=cells))


def _outline() -> bytes:
    blocks = (Block("heading", "총칙", level=1), Block("heading", "목적", level=2), Block("heading", "정의", level=2))
    return _write(*blocks, outline_numbers=("제^1장", "^1.^2"))


def _with_streams(**changed: bytes) -> bytes:
    streams = {**hwp_streams([Block("paragraph", "본문")]), "BodyText/Section0": b"", **changed}
    return pack_hwp({name.replace("__", "/"): data for name, data in streams.items()})


def _bad_deflate() -> bytes:
    head = struct.pack("<32sII216s", b"HWP Document File", 0x05000500, 1, b"")
    return write_ole({"FileHeader": head, "DocInfo": b"\xff" * 64, "BodyText/Section0": b"\xff" * 64})


def _bomb() -> bytes:
    """A section of 80 MB, packed piece by piece: the tests never hold it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(80)) + packer.flush()
    info = zlib.compressobj(9, zlib.DEFLATED, -15)
    doc_info = info.compress(hwp_streams([])["DocInfo"]) + info.flush()
    head = struct.pack("<32sII216s", b"HWP Document File", 0x05000500, 1, b"")
    return write_ole({"FileHeader": head, "DocInfo": doc_info, "BodyText/Section0": packed})


def _lying_record() -> bytes:
    streams = hwp_streams([Block("paragraph", "본문")])
    return pack_hwp({**streams, "BodyText/Section0": streams["BodyText/Section0"] + struct.pack("<I", 66 | 900 << 20)})


def _deep() -> bytes:
    block = Block("paragraph", "속")
    for _ in range(25):
        block = Block("table", cells=(Cell(0, 0, (block,)), _cell(0, 1, "옆")))
    return _write(block)


VECTORS = (
    Vector("hwp: merged and nested cells stay in their table", "표.hwp", _merged,
           ('<th rowspan="2">구분</th>', '<th colspan="2">금액</th>', "<td><table>", "안쪽 하나", "국비")),
    Vector("hwp: a frame of one cell is its text", "틀.hwp",
           lambda: _write(Block("table", cells=(_cell(0, 0, "알림 글"),))), ("알림 글",), ("|", "<table>")),
    Vector("hwp: outline numbers are rebuilt", "개요.hwp", _outline, ("# 제1장 총칙", "## 1.1 목적", "## 1.2 정의")),
    Vector("hwp: a link keeps its words and its address", "링크.hwp",
           lambda: document(paragraph("안내는 ", *link("누리집", "http\\://a.kr/b;1;0;0;"), "에 있다.")),
           ("안내는 누리집 (http://a.kr/b)에 있다.",)),
    Vector("hwp: a place in the document is no address", "책갈피.hwp",
           lambda: document(paragraph("앞의 ", *link("2장", "?#645989673;0;1;0;"), "을 본다.")),
           ("앞의 2장을 본다.",), ("645989673",)),
    Vector("hwp: a filled field shows what was filled in", "누름틀.hwp",
           lambda: document(paragraph("성명 ", *click_here("김새로", "이름을 쓰세요"), " 귀하")),
           ("성명 김새로 귀하",), ("이름을 쓰세요",)),
    Vector("hwp: form objects show their words and ticks", "양식.hwp",
           lambda: document(paragraph(
               "동의 ", form("tbc+", wstring("Caption", "동의함"), "Value:int:1"),
               form("tbr+", wstring("Caption", "아니요"), "Value:int:0"),
               form("boc+", wstring("Text", "서울특별시")), form("tde+", wstring("Text", "종로구")),
               form("tbp+", wstring("Caption", "보내기")))),
           ("☑ 동의함", "○ 아니요", "서울특별시", "종로구", "보내기"), ("Caption",)),
    Vector("hwp: what a password field holds is shown to nobody", "비밀칸.hwp",
           lambda: document(paragraph("암호 ", form("tde+", wstring("Text", "1234"), wstring("PasswordChar", "*")))),
           ("암호",), ("1234",)),
    Vector("hwp: an equation is its script", "수식.hwp", lambda: document(paragraph("식 ", equation("x = 1 over 2"))),
           ("식 x = 1 over 2",)),
    Vector("hwp: words over words stand behind them", "덧말.hwp",
           lambda: document(paragraph(over_words("한글", "Hangul"), "이다.")), ("한글(Hangul)이다.",)),
    Vector("hwp: composed letters are their letters", "글자겹침.hwp",
           lambda: document(paragraph("제 ", composed("\U000f0289\U000f0294"), "조")), ("제 ⑫조",)),
    Vector("hwp: text boxes, groups and captions are read", "글상자.hwp",
           lambda: document(paragraph("앞", text_box("상자 글", "둘째 줄", caption="상자 설명")),
                            paragraph("묶음", group("하나 상자", "두 상자"))),
           ("상자 글", "둘째 줄", "상자 설명", "하나 상자", "두 상자")),
    Vector("hwp: text art is text", "글맵시.hwp", lambda: document(paragraph(text_art("새 출발"))), ("새 출발",)),
    Vector("hwp: a chart is its title and data", "차트.hwp",
           lambda: document(paragraph("매출은", chart_object()), chart=stored_chart(CHART)),
           ("분기 매출", "| 1분기 | 120 |", "국내")),
    Vector("hwp: a chart of older programs is its data", "옛차트.hwp",
           lambda: document(paragraph("매출은", chart_object()),
                            chart=stored_chart(old_chart([None, "국내"], ["1분기", 120], ["2분기", 4.5]), "Contents")),
           ("| 1분기 | 120 |", "| 2분기 | 4.5 |", "국내")),
    Vector("hwp: a caption keeps its automatic number", "캡션.hwp",
           lambda: document(paragraph("그림 ", caption_number(3, shape=1), " 구성도")), ("그림 ③ 구성도",)),
    Vector("hwp: notes follow their paragraph", "각주.hwp",
           lambda: document(paragraph("기준이다.", note("운영 환경"), note("끝의 글", "en  "))),
           ("기준이다.", "[^1]: 운영 환경", "[^2]: 끝의 글")),
    Vector("hwp: words that are all in notes are a document", "각주만.hwp",
           lambda: document(paragraph(" ", note("각주에만 있는 글"))), ("각주에만 있는 글",)),
    Vector("hwp: headers, footers and hidden comments stay apart", "머리말.hwp",
           lambda: document(paragraph(
               "본문", aside("head", "머리 글"), aside("foot", "꼬리 글"), aside("tcmt", "숨은 글"))),
           ("본문",), ("머리 글", "꼬리 글", "숨은 글")),
    Vector("hwp: memos and master pages stay apart", "메모.hwp",
           lambda: document(paragraph("본문", master_pages("바탕 글", "홀수 글"), " 끝", memo("메모 글"),
                                      last_master_page("마지막 글"))),
           ("본문 끝",), ("바탕 글", "홀수 글", "마지막 글", "메모 글")),
    Vector("hwp: deleted words of tracked changes are gone", "변경추적.hwp",
           lambda: document(paragraph("예산은 백만원 이백만원이다.", deleted=["백만원 "]), deletions=1),
           ("예산은 이백만원이다.",), ("은 백만원",)),
    Vector("hwp: old Hangul becomes conjoining jamo", "옛한글.hwp",
           lambda: _write(Block("paragraph", "나랏말\uebd4미 \uf53a글")),
           ("나랏말\u110a\u119e미 \u1112\u119e\u11ab글",)),
    Vector("hwp: signs of Hancom become standard signs", "문자표.hwp",
           lambda: _write(Block("paragraph", "\U000f02b1 개요 \uf0e8 확인\U000f012b")), ("① 개요 ➔ 확인(인)",)),
    Vector("hwp: pictures alone want text recognition", "그림.hwp", lambda: document(paragraph(picture())),
           category="needs_ocr", reason="recognise the text"),
    Vector("hwp: the notice of a newer distribution copy is no body", "배포용.hwp",
           lambda: _write(Block("paragraph", _NOTICE)), category="unsupported", reason="ask for the original"),
    Vector("hwp: a password is named", "암호.hwp", lambda: _write(Block("paragraph", "비밀"), password=True),
           category="encrypted", reason="save a copy without one"),
    Vector("hwp: DRM is named", "보안.hwp", lambda: pack_hwp(hwp_streams([]), flags=1 << 4),
           category="drm", reason="save an unprotected copy"),
    Vector("hwp: a file cut short is damaged", "잘림.hwp", lambda: _write(Block("paragraph", "본문"))[:2600],
           category="damaged", reason="damaged or cut short"),
    Vector("hwp: a stream that isn't deflate is damaged", "압축.hwp", _bad_deflate,
           category="damaged", reason="DocInfo can't be unpacked"),
    Vector("hwp: a bomb is too large", "폭탄.hwp", _bomb, category="too_large", reason="unpacks to more than 64 MB"),
    Vector("hwp: a record that passes the end is damaged", "레코드.hwp", _lying_record,
           category="damaged", reason="cut inside a record"),
    Vector("hwp: tables nested too deep are too large", "중첩.hwp", _deep,
           category="too_large", reason="nested deeper than 20"),
    Vector("hwp: cells far apart are too large", "빈칸.hwp",
           lambda: _write(Block("table", cells=(_cell(0, 0, "가"), _cell(65_000, 65_000, "나")))),
           category="too_large", reason="more than 5000000 cells"),
)  # fmt: skip
