"""Word files: what a reader of the printed page would read, in that order."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from office_makers import grid, make_docx

from pipelines.errors import Corrupt, Empty, TooLarge, UnsafeXml
from pipelines.parsers.docx import parse
from pipelines.parsers.docx_formats import shown
from pipelines.records import Block, Cell, Limits, Parsed

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def read(data: bytes, limits: Limits | None = None) -> Parsed:
    return parse(io.BytesIO(data), "문서.docx", limits or Limits())


def package(body: str, space: str = W, **others: str) -> bytes:
    """Return the smallest package around this body; other parts by kind, e.g. numbering="<w:numbering>..."."""
    out = io.BytesIO()
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    rels = "".join(f'<Relationship Id="{kind}" Type="{office}/{kind}" Target="{kind}.xml"/>' for kind in others)
    head = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    with zipfile.ZipFile(out, "w") as archive:
        main = f'<Relationship Id="r1" Type="{office}/officeDocument" Target="word/document.xml"/>'
        archive.writestr("_rels/.rels", f"{head}{main}</Relationships>")
        archive.writestr("word/_rels/document.xml.rels", f"{head}{rels}</Relationships>")
        document = f'<w:document xmlns:w="{space}" xmlns:mc="{MC}"><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", document)
        for kind, content in others.items():
            archive.writestr(f"word/{kind}.xml", re.sub(r"^<w:(\w+)", rf'<w:\1 xmlns:w="{space}"', content))
    return out.getvalue()


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def listed(text: str, level: int, num: int = 1) -> str:
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>')


def numbering(*levels: tuple[str, str]) -> str:
    inner = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{fmt}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for i, (fmt, text) in enumerate(levels)
    )
    nums = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    return f'<w:numbering><w:abstractNum w:abstractNumId="0">{inner}</w:abstractNum>{nums}</w:numbering>'


def texts(parsed: Parsed) -> list[str]:
    return [f"{block.number} {block.text}".strip() for block in parsed.blocks]


def test_what_was_made_comes_back() -> None:
    blocks = [
        Block("heading", "사업 계획", level=1),
        Block("paragraph", "마감은 3월 31일이다.\n연장은 없다."),
        Block("note", "휴일이면 다음 날", number="1", in_body=False),
        Block("item", "첫째", level=1),
        grid([["항목", "값"], ["기간", "8개월"]]),
    ]
    modified = datetime(2026, 3, 1, 9, tzinfo=UTC)
    parsed = read(make_docx(blocks, title="계획", author="김수진", modified=modified))
    assert list(parsed.blocks) == blocks
    assert (parsed.title, parsed.author) == ("계획", "김수진")
    assert (parsed.modified_at, parsed.clock) == (modified, "ooxml:modified")


def test_a_file_without_times_has_no_clock() -> None:
    parsed = read(make_docx([Block("paragraph", "글")]))
    assert (parsed.modified_at, parsed.clock, parsed.title) == (None, None, None)


def test_merged_and_nested_tables_keep_their_shape() -> None:
    nested = grid([["안", "쪽"]])
    cells = (
        Cell(0, 0, (Block("paragraph", "구분"),), 2, 1),
        Cell(0, 1, (Block("paragraph", "금액"),), 1, 2),
        Cell(1, 1, (Block("paragraph", "10"), nested)),
        Cell(1, 2, (Block("paragraph", "20"),)),
    )
    table = Block("table", cells=cells)
    assert read(make_docx([table])).blocks == (table,)


def test_a_one_cell_table_is_a_frame() -> None:
    parsed = read(make_docx([grid([["상자 안의 글"]])]))
    assert [block.kind for block in parsed.blocks] == ["paragraph"]


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


def test_tracked_changes_are_accepted_and_hidden_text_is_counted() -> None:
    body = (
        "<w:p><w:r><w:t>금액 </w:t></w:r><w:del><w:r><w:delText>1억</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>2억</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>옮김</w:t></w:r></w:moveFrom>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>숨김</w:t></w:r></w:p>"
    )
    parsed = read(package(body))
    assert texts(parsed) == ["금액 2억"]
    assert parsed.asides == {"hidden": 1}


def test_fields_show_their_results_only() -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = "<w:r><w:instrText>IF x</w:instrText></w:r><w:r><w:t>code</w:t></w:r>"
    body = f"<w:p>{mark('begin')}{code}{mark('separate')}<w:r><w:t>결과</w:t></w:r>{mark('end')}</w:p>"
    assert texts(read(package(body))) == ["결과"]


def test_content_controls_are_read_at_every_level() -> None:
    def control(inner: str) -> str:
        return f"<w:sdt><w:sdtContent>{inner}</w:sdtContent></w:sdt>"

    cell = f"<w:tc>{paragraph('나')}</w:tc>"
    row = f"<w:tr><w:tc>{control(paragraph('가'))}</w:tc>{control(cell)}</w:tr>"
    inline = f"<w:p><w:r><w:t>담당: </w:t></w:r>{control('<w:r><w:t>김</w:t></w:r>')}</w:p>"
    parsed = read(package(f"{control(paragraph('문단'))}{inline}<w:tbl>{control(row)}</w:tbl>"))
    assert texts(parsed)[:2] == ["문단", "담당: 김"]
    assert [cell.blocks[0].text for cell in parsed.blocks[2].cells] == ["가", "나"]


def test_a_text_box_is_read_once_after_its_paragraph() -> None:
    box = f"<w:txbxContent>{paragraph('상자')}</w:txbxContent>"
    body = (
        f"<w:p><w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
        "</mc:AlternateContent></w:r><w:r><w:t>문단</w:t></w:r></w:p>"
    )
    assert texts(read(package(body))) == ["문단", "상자"]


def test_strict_files_read_like_transitional_ones() -> None:
    assert texts(read(package(paragraph("엄격"), space=STRICT))) == ["엄격"]


def test_a_damaged_numbering_part_costs_the_numbers_only() -> None:
    parsed = read(package(listed("항목", 0), numbering="<broken"))
    assert texts(parsed) == ["항목"]
    assert parsed.warnings == ("1 damaged numbering parts",)


def test_tables_nested_beyond_the_limit_are_counted() -> None:
    body = paragraph("바닥")
    for _ in range(5):
        body = f"<w:tbl><w:tr><w:tc>{body}</w:tc><w:tc>{paragraph('옆')}</w:tc></w:tr></w:tbl>"
    parsed = read(package(body), Limits(depth=3))
    assert parsed.warnings == ("1 tables or text boxes nested deeper than 3",)


def test_files_that_cannot_be_used_say_why() -> None:
    whole = make_docx([Block("paragraph", "글")])
    with pytest.raises(Corrupt):
        read(whole[: len(whole) // 2])
    with pytest.raises(Empty):
        read(package(paragraph(" ")))
    with pytest.raises(UnsafeXml):
        read(whole_with_dtd(whole))
    with pytest.raises(TooLarge):
        read(package(paragraph("가" * 400_000)), Limits(stream_mb=1))


def whole_with_dtd(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "word/document.xml":
                content = content.replace(b"<w:document", b'<!DOCTYPE d [<!ENTITY a "b">]><w:document', 1)
            target.writestr(name, content)
    return out.getvalue()


@pytest.mark.cases
def test_everything_in_one_file_is_found(cases_dir: Path) -> None:
    parsed = read((cases_dir / "formats/docx/syn_ko_everything.docx").read_bytes())
    found = "\n".join(
        texts(parsed) + [block.text for table in parsed.blocks for c in table.cells for block in c.blocks]
    )
    for must in (
        "3월 31일이다",
        "인라인 컨트롤 값",
        "7쪽",
        "텍스트상자 내용",
        "컨트롤 셀",
        "각주: 2025년",
        "자소분리 문단",
    ):
        assert must in found
    for must_not in ("3월 1일", "옮겨 간", "숨은 글", " PAGE "):
        assert must_not not in found
    assert found.count("텍스트상자 내용") == 1
    assert parsed.asides == {"hidden": 1, "header": 1, "footer": 1, "comment": 1}


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
