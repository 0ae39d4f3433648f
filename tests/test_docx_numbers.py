"""Word files: automatic numbers and headings."""

from __future__ import annotations

import pytest
from docx_writer import in_paragraph, listed, numbering, package, paragraph, read, run, texts

from pipelines.parsers.docx_formats import shown
from pipelines.records import Block


def test_automatic_numbers_are_rebuilt() -> None:
    levels = (("decimal", "제%1조"), ("decimalEnclosedCircle", "%2"), ("ganada", "%3."))
    body = (
        listed("목적", 0) + listed("하나", 1) + listed("둘", 1) + listed("셋", 2) + listed("정의", 0) + listed("넷", 1)
    )
    parsed = read(package(body, numbering=numbering(*levels)))
    assert texts(parsed) == ["제1조 목적", "① 하나", "② 둘", "가. 셋", "제2조 정의", "① 넷"]
    assert [block.level for block in parsed.blocks] == [1, 2, 2, 3, 1, 2]


def test_a_bullet_is_no_number() -> None:
    parsed = read(package(listed("항목", 0), numbering=numbering(("bullet", "•"))))
    assert parsed.blocks == (Block("item", "항목", level=1),)


@pytest.mark.parametrize(
    ("value", "fmt", "expected"),
    [
        (15, "ganada", "가"),
        (3, "chosung", "ㄷ"),
        (12, "koreanCounting", "십이"),
        (21, "koreanLegal", "스물하나"),
        (28, "lowerLetter", "bb"),
        (14, "upperRoman", "XIV"),
        (4, "decimalEnclosedParen", "⑷"),
        (60, "decimalEnclosedCircle", "60"),
        (7, "decimalZero", "07"),
        (9, "something new", "9"),
    ],
)
def test_numbers_are_shown_as_word_shows_them(value: int, fmt: str, expected: str) -> None:
    assert shown(value, fmt) == expected


def test_headings_are_found_by_outline_and_localized_names() -> None:
    styles = (
        '<w:styles><w:style w:styleId="a"><w:name w:val="제목 2"/></w:style>'
        '<w:style w:styleId="b"><w:basedOn w:val="a"/></w:style>'
        '<w:style w:styleId="ring"><w:basedOn w:val="ring"/></w:style></w:styles>'
    )
    body = (
        paragraph("이름", '<w:pStyle w:val="a"/>')
        + paragraph("이어받음", '<w:pStyle w:val="b"/>')
        + paragraph("개요", '<w:outlineLvl w:val="0"/>')
        + paragraph("고리", '<w:pStyle w:val="ring"/>')
    )
    assert [block.level for block in read(package(body, styles=styles)).blocks] == [2, 2, 1, 0]


@pytest.mark.parametrize(
    ("value", "fmt", "expected"),
    [
        (10, "koreanDigital", "일영"),
        (10, "koreanDigital2", "一零"),
        (25, "chineseLegalSimplified", "贰拾伍"),
        (61, "ideographZodiacTraditional", "甲子"),
        (10, "ideographEnclosedCircle", "㊉"),
        (3, "iroha", "ハ"),
        (23, "ordinal", "23rd"),
        (12, "ordinalText", "Twelfth"),
        (30, "ordinalText", "Thirtieth"),
        (42, "cardinalText", "Forty-two"),
        (0, "decimalZero", "00"),
        (7, "001", "007"),
        (255, "hex", "FF"),
        (6, "chicago", "††"),
    ],
)
def test_rare_number_formats_are_shown_too(value: int, fmt: str, expected: str) -> None:
    assert shown(value, fmt) == expected


@pytest.mark.parametrize("fmt", ["lowerLetter", "upperRoman", "koreanCounting", "chicago"])
def test_a_start_number_that_lies_costs_no_memory(fmt: str) -> None:
    assert len(shown(2**31 - 1, fmt)) <= 10


def test_a_bullet_restarts_the_numbers_below_it() -> None:
    body = listed("갑", 0) + listed("하나", 1) + listed("을", 0) + listed("하나", 1)
    parsed = read(package(body, numbering=numbering(("bullet", "•"), ("decimal", "%2."))))
    assert texts(parsed) == ["갑", "1. 하나", "을", "1. 하나"]


def test_legal_numbering_shows_digits_at_every_level() -> None:
    levels = numbering(("upperRoman", "%1."), ("upperLetter", "%1.%2")).replace(
        '<w:lvlText w:val="%1.%2"/>', '<w:isLgl/><w:lvlText w:val="%1.%2"/>'
    )
    assert texts(read(package(listed("가", 0) + listed("나", 1), numbering=levels))) == ["I. 가", "1.1 나"]


def test_a_style_names_its_level_and_zero_takes_it_out_of_the_list() -> None:
    levels = numbering(("decimal", "제%1장"), ("ganada", "%2.")).replace(
        '<w:lvl w:ilvl="1">', '<w:lvl w:ilvl="1"><w:pStyle w:val="b"/>'
    )
    styles = (
        '<w:styles><w:style w:styleId="a"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:styleId="b"><w:basedOn w:val="a"/><w:pPr><w:numPr><w:ilvl w:val="5"/></w:numPr></w:pPr></w:style>'
        '<w:style w:styleId="c"><w:basedOn w:val="b"/><w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:style>'
        "</w:styles>"
    )
    body = "".join(paragraph(name, f'<w:pStyle w:val="{name}"/>') for name in "abc")
    assert texts(read(package(body, numbering=levels, styles=styles))) == ["제1장 a", "가. b", "c"]


def test_overrides_and_restarts_count_as_word_counts_them() -> None:
    definition = (
        '<w:numbering><w:abstractNum w:abstractNumId="0">'
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        '<w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlRestart w:val="0"/><w:lvlText w:val="(%2)"/></w:lvl>'
        '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/>'
        "</w:lvlOverride></w:num></w:numbering>"
    )
    body = (
        listed("가", 0)
        + listed("나", 1)
        + listed("다", 0)
        + listed("라", 1)
        + listed("마", 0, 2)
        + listed("바", 0, 2)
        + listed("사", 0, 1)
    )
    assert texts(read(package(body, numbering=definition))) == [
        "1. 가", "(1) 나", "2. 다", "(2) 라", "7. 마", "8. 바", "9. 사",
    ]  # fmt: skip


def test_foreign_heading_names_and_a_missing_styles_part_give_levels() -> None:
    styles = (
        '<w:styles><w:style w:styleId="d"><w:name w:val="Überschrift 2"/></w:style>'
        '<w:style w:styleId="j"><w:name w:val="見出し 3"/></w:style></w:styles>'
    )
    body = paragraph("가", '<w:pStyle w:val="d"/>') + paragraph("나", '<w:pStyle w:val="j"/>')
    assert [block.level for block in read(package(body, styles=styles)).blocks] == [2, 3]
    assert read(package(paragraph("가", '<w:pStyle w:val="Heading1"/>'))).blocks[0].level == 1


def test_bold_paragraphs_behind_a_mark_are_headings_one_below_the_last_style() -> None:
    def bold(text: str) -> str:
        return in_paragraph(run(text, "<w:b/>"))

    body = (
        paragraph("추진 계획", '<w:outlineLvl w:val="0"/>')
        + bold("□ 추진 배경")
        + paragraph("□ 보통 글씨")
        + bold("□ 이 문단은 굵지만 문장이다.")
        + bold("□ 개인 □ 법인")
        + bold("□ 동의함")
        + bold("□ 동의하지 않음")
        + paragraph("끝")
    )
    parsed = read(package(body))
    assert [block.level for block in parsed.blocks] == [1, 2, 0, 0, 0, 0, 0, 0]


def test_lists_that_lead_to_each_other_end() -> None:
    styles = (
        '<w:styles><w:style w:styleId="a"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
        '<w:style w:styleId="b"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>'
    )
    definition = (
        '<w:numbering><w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="a"/></w:abstractNum>'
        '<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="b"/></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
        "</w:numbering>"
    )
    assert texts(read(package(listed("가", 0), numbering=definition, styles=styles))) == ["1. 가"]


def test_a_list_by_style_takes_the_levels_of_that_style() -> None:
    styles = (
        '<w:styles><w:style w:styleId="a"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style></w:styles>'
    )
    definition = (
        '<w:numbering><w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="a"/></w:abstractNum>'
        '<w:abstractNum w:abstractNumId="1"><w:styleLink w:val="a"/><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        '<w:numFmt w:val="ganada"/><w:lvlText w:val="%1)"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
        "</w:numbering>"
    )
    body = listed("갑", 0) + listed("을", 0)
    assert texts(read(package(body, numbering=definition, styles=styles))) == ["가) 갑", "나) 을"]
