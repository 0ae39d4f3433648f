"""Headers, footers, memos and hidden comments of Hangul documents: their words stand apart, the same in each format."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable

import pytest
import vectors_hml
from hwp5_parts import (
    aside,
    control,
    deeper,
    document,
    last_master_page,
    master_pages,
    memo,
    note,
    paragraph,
    record,
    text_art,
    text_box,
)
from hwp5_writer import hwp_streams, pack_hwp
from hwpx_writer import hwpx_cells, hwpx_list, hwpx_paragraph, one_section

from pipelines.mirror import render
from pipelines.parsers import hml, hwp, hwpx
from pipelines.records import Aside, Limits, Parsed

HEADER, FOOTER, MEMO, COMMENT = (
    Aside(kind, text)
    for kind, text in (
        ("header", "대외비\n운영과"),
        ("footer", "꼬리 글"),
        ("comment", "금액 확인\n기한 확인"),
        ("comment", "숨은 설명"),
    )
)


def _t(words: str) -> str:
    return f"<hp:t>{words}</hp:t>"


def _hwpx_list(words: str) -> str:
    return hwpx_list("".join(hwpx_paragraph(_t(line)) for line in words.split("\n")))


def _ctrl(name: str, words: str) -> str:
    return f"<hp:ctrl><hp:{name}>{_hwpx_list(words)}</hp:{name}></hp:ctrl>"


def _hwpx_memo(words: str) -> str:
    begin = f'<hp:fieldBegin id="1" type="MEMO">{_hwpx_list(words)}</hp:fieldBegin>'
    return f"<hp:ctrl>{begin}</hp:ctrl>{_t(' 끝')}<hp:ctrl><hp:fieldEnd/></hp:ctrl>"


def _hml(name: str, words: str, attributes: str = "") -> str:
    lines = "".join(vectors_hml.paragraph(vectors_hml.char(line)) for line in words.split("\n"))
    return f"<{name} {attributes}><PARALIST>{lines}</PARALIST></{name}>"


def _read_hwp(*paragraphs: bytes, deletions: int = 0) -> Parsed:
    return hwp.parse(io.BytesIO(document(*paragraphs, deletions=deletions)), "가.hwp", Limits())


def _read_hwpx(*runs: str, **parts: str) -> Parsed:
    return hwpx.parse(io.BytesIO(one_section(hwpx_paragraph(*runs), **parts)), "가.hwpx", Limits())


def _read_hml(*items: str) -> Parsed:
    return hml.parse(io.BytesIO(vectors_hml.document(vectors_hml.paragraph(*items))), "가.hml", Limits())


def _all_in_hwp() -> Parsed:
    # Hangul keeps the memo below the last paragraph, whatever it was written about.
    named = (("head", HEADER), ("foot", FOOTER), ("tcmt", COMMENT))
    return _read_hwp(paragraph("본문", *(aside(name, one.text) for name, one in named), " 끝", memo(MEMO.text)))


def _all_in_hwpx() -> Parsed:
    named = (("hiddenComment", COMMENT), ("footer", FOOTER), ("header", HEADER))
    return _read_hwpx(_t("본문"), _hwpx_memo(MEMO.text), *(_ctrl(name, one.text) for name, one in named))


def _all_in_hml() -> Parsed:
    named = (("HIDDENCOMMENT", COMMENT), ("FOOTER", FOOTER), ("HEADER", HEADER))
    field = _hml("FIELDBEGIN", MEMO.text, "Type='Memo'")
    others = (_hml(name, one.text) for name, one in named)
    return _read_hml(vectors_hml.char("본문"), field, vectors_hml.char(" 끝"), "<FIELDEND/>", *others)


@pytest.mark.parametrize("read", [_all_in_hwp, _all_in_hwpx, _all_in_hml])
def test_the_words_beside_the_body_are_kept_and_not_served(read: Callable[[], Parsed]) -> None:
    parsed = read()
    assert parsed.apart == (HEADER, FOOTER, MEMO, COMMENT)
    assert parsed.asides == {"header": 1, "footer": 1, "comment": 2}
    assert render(parsed.blocks).text == "본문 끝\n"


def test_every_master_page_is_kept_and_comes_after_the_headers() -> None:
    expected = tuple(Aside("header", text) for text in ("머리 글", "양 쪽", "홀수 쪽", "마지막 쪽"))
    old = _read_hwp(
        paragraph("본문", master_pages("양 쪽", "홀수 쪽"), aside("head", "머리 글"), last_master_page("마지막 쪽"))
    )
    pages = {
        f"Contents__masterpage{number}_xml": f"<m xmlns:hp='urn:p'>{_hwpx_list(one.text)}</m>"
        for number, one in enumerate(expected[1:])
    }
    new = _read_hwpx(_t("본문"), _ctrl("header", "머리 글"), **pages)
    flat = _read_hml(
        "<SECDEF>" + "".join(_hml("MASTERPAGE", one.text) for one in expected[1:]) + "</SECDEF>",
        vectors_hml.char("본문"),
        _hml("HEADER", "머리 글"),
    )
    assert old.apart == new.apart == flat.apart == expected
    assert old.asides == new.asides == flat.asides == {"header": 4}
    assert old.blocks == new.blocks == flat.blocks


def test_memos_below_the_last_paragraph_are_told_from_its_master_page() -> None:
    parsed = _read_hwp(paragraph("본문", memo("하나"), memo("둘"), last_master_page("")))
    assert [one.text for one in parsed.apart] == ["하나", "둘"]
    parsed = _read_hwp(paragraph("본문", last_master_page("마지막 쪽"), memo("하나")))
    assert parsed.apart == (Aside("header", "마지막 쪽"), Aside("comment", "하나"))


def test_a_header_that_every_section_repeats_is_kept_once() -> None:
    parsed = _read_hwp(*[paragraph("본문", aside("head", "대외비"))] * 3)
    assert (parsed.apart, parsed.asides) == ((Aside("header", "대외비"),), {"header": 3})


def test_numbers_and_notes_of_the_body_go_on_as_if_nothing_stood_beside_it() -> None:
    streams = hwp_streams([], ["제^1장"])
    inner = record(72, 2, struct.pack("<HHI8x", 2, 0, 0)) + paragraph("머리 장", shape=1, level=2)
    inner += paragraph("기준", note("머리 각주"), level=2)
    header = control(16, "head", struct.pack("<II", 0, 0), inner)
    streams["BodyText/Section0"] += (
        paragraph("총칙", shape=1)
        + paragraph("본문", header, note("본문 각주"))
        + paragraph("세칙", shape=1)
    )  # fmt: skip
    parsed = hwp.parse(io.BytesIO(pack_hwp(streams)), "가.hwp", Limits())
    assert [(block.number, block.text) for block in parsed.blocks] == [
        ("제1장", "총칙"), ("", "본문"), ("1", "본문 각주"), ("제2장", "세칙"),
    ]  # fmt: skip
    assert parsed.apart == (Aside("header", "제1장 머리 장\n기준\n1 머리 각주"),)


def test_boxes_art_and_tables_of_a_header_give_their_words() -> None:
    inner = record(72, 2, struct.pack("<HHI8x", 1, 0, 0)) + paragraph(text_box("상자"), text_art("대외비"), level=2)
    old = _read_hwp(paragraph("본문", control(16, "head", struct.pack("<II", 0, 0), inner)))
    assert old.apart == (Aside("header", "상자\n대외비"),)
    cells = hwpx_cells([hwpx_paragraph(_t(word)) for word in ("부서", "총무과")])
    header = f"<hp:ctrl><hp:header>{hwpx_list(hwpx_paragraph(cells))}</hp:header></hp:ctrl>"
    assert _read_hwpx(_t("본문"), header).apart == (Aside("header", "부서\n총무과"),)


def test_a_deleted_header_is_gone_in_each_format() -> None:
    mark = "<{0} {1}='1' TcId='1'/>"
    begin, end = mark.format("hp:deleteBegin", "Id"), mark.format("hp:deleteEnd", "Id")
    new = _read_hwpx(_t(f"본문{begin}지운"), _ctrl("header", "머리"), _t(f"글{end}"))
    flat = _read_hml(
        vectors_hml.char("본문<DELETEBEGIN Id='1'/>지운"),
        _hml("HEADER", "머리"),
        vectors_hml.char("글<DELETEEND Id='1'/>"),
    )
    for parsed in (new, flat):
        assert (parsed.blocks[0].text, parsed.apart, parsed.asides) == ("본문", (), {"tracked_change": 1})


def test_words_that_a_memo_itself_deleted_are_not_kept() -> None:
    deleted = "<hp:t>새 글<hp:deleteBegin Id='1'/>옛 글<hp:deleteEnd Id='1'/></hp:t>"
    field = f'<hp:fieldBegin type="MEMO">{hwpx_list(hwpx_paragraph(deleted))}</hp:fieldBegin>'
    parsed = _read_hwpx(_t("본문"), f"<hp:ctrl>{field}</hp:ctrl>")
    assert (parsed.apart, parsed.warnings) == ((Aside("comment", "새 글"),), ())


def _nested_hwpx(depth: int) -> str:
    inside = _t("맨 속")
    for _ in range(depth):
        inside = hwpx_cells([hwpx_paragraph(inside), hwpx_paragraph(_t("곁"))])
    return f"<hp:ctrl><hp:header>{hwpx_list(hwpx_paragraph(inside))}</hp:header></hp:ctrl>"


def test_a_header_too_deep_to_read_costs_a_warning_and_not_the_document() -> None:
    parsed = _read_hwpx(_t("본문"), _nested_hwpx(Limits().depth + 1), _ctrl("footer", "꼬리"))
    assert (parsed.blocks[0].text, parsed.apart) == ("본문", (Aside("footer", "꼬리"),))
    assert parsed.warnings == ("1 headers that can't be read",)


def test_comments_in_comments_end_at_the_limit_of_depth() -> None:
    inside = hwpx_paragraph(_t("0"))
    for level in range(1, 30):
        comment = f"<hp:ctrl><hp:hiddenComment>{hwpx_list(inside)}</hp:hiddenComment></hp:ctrl>"
        inside = hwpx_paragraph(_t(str(level)), comment)
    parsed = _read_hwpx(_t("본문"), f"<hp:ctrl><hp:hiddenComment>{hwpx_list(inside)}</hp:hiddenComment></hp:ctrl>")
    assert parsed.asides == {"comment": Limits().depth}
    assert {one.text for one in parsed.apart} == {str(level) for level in range(10, 30)}
    assert parsed.warnings == ("1 comments that can't be read",)


def test_comments_in_comments_end_at_the_limit_of_depth_in_hwp() -> None:
    inside = paragraph("0")
    for level in range(1, 30):
        inner = record(72, 2, struct.pack("<HHI8x", 1, 0, 0)) + deeper(inside, 2)
        inside = paragraph(str(level), control(23, "tcmt", bytes(8), inner))
    parsed = _read_hwp(inside)
    assert parsed.blocks[0].text == "29"
    assert {one.text for one in parsed.apart} == {str(level) for level in range(10, 29)}
    assert parsed.warnings == ("1 comments that can't be read",)
