"""Workbooks become records that say which column each value stands in."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from sheet_makers import edited, make_xls, make_xlsx
from vectors_xlsx import VECTORS, sheet_xml

from pipelines.errors import Corrupt, Empty, TooLarge, UnsafeXml
from pipelines.parsers import xlsx
from pipelines.parsers.sheet_blocks import hidden_note
from pipelines.parsers.sheet_form import paired
from pipelines.parsers.sheet_format import BUILTIN_FORMATS, show_number, show_text
from pipelines.parsers.sheet_grid import Grid
from pipelines.parsers.xlsx_print import without_codes
from pipelines.records import Aside, Block, Limits, Locator, Parsed


def parse(data: bytes, limits: Limits | None = None) -> Parsed:
    return xlsx.parse(io.BytesIO(data), "표.xlsx", limits or Limits())


def shown(block: Block) -> str:
    if block.kind != "record":
        return block.text
    if not block.labels:
        return " | ".join(block.values)
    pairs = zip(block.labels, block.values, strict=True)
    return "; ".join(f"{label}: {value}" if label else value for label, value in pairs if value)


def lines(parsed: Parsed) -> list[str]:
    return [shown(block) for block in parsed.blocks]


def workbook(write: Any) -> bytes:
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True}) as book:
        write(book)
    return buffer.getvalue()


def changed(data: bytes, member: str, old: str, new: str) -> bytes:
    """Return the workbook with `old` replaced in one part."""
    buffer = io.BytesIO()
    source = zipfile.ZipFile(io.BytesIO(data))
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in source.namelist():
            text = source.read(name)
            if name == member:
                assert old.encode() in text
                text = text.replace(old.encode(), new.encode())
            archive.writestr(name, text)
    return buffer.getvalue()


def test_a_row_carries_its_labels_and_its_place() -> None:
    parsed = parse(make_xlsx({"예산": [["항목", "금액"], ["인건비", 1250000], ["장비비", 0]]}))
    heading, header, first, second = parsed.blocks
    assert (heading.kind, heading.text, heading.level, heading.in_body) == ("heading", "예산", 1, False)
    assert (header.labels, header.values) == ((), ("항목", "금액"))
    assert (first.labels, first.values) == (("항목", "금액"), ("인건비", "1,250,000"))
    assert (first.locator.sheet, first.locator.rows) == ("예산", (2, 2))
    assert second.values == ("장비비", "0")


def test_dates_and_properties_are_read() -> None:
    data = make_xlsx(
        {"일정": [["업무", "마감"], ["착수", date(2026, 3, 2)]]}, title="일정표", modified=datetime(2026, 1, 2)
    )
    parsed = parse(data)
    assert lines(parsed)[-1] == "업무: 착수; 마감: 2026-03-02"
    assert (parsed.title, parsed.modified_at, parsed.clock) == (
        "일정표",
        datetime(2026, 1, 2, tzinfo=UTC),
        "ooxml:modified",
    )


def test_two_header_levels_are_joined_and_merges_fill_down() -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("예산")
        sheet.merge_range("A1:E1", "2026년 예산 총괄표", None)
        sheet.merge_range("A2:A3", "구분", None)
        sheet.merge_range("B2:B3", "항목", None)
        sheet.merge_range("C2:D2", "상반기", None)
        sheet.merge_range("E2:E3", "비고", None)
        sheet.write_row("C3", ["계획", "집행"])
        sheet.merge_range("A4:A5", "인건비", None)
        sheet.write_row("B4", ["특급", 1200, 1100])
        sheet.write_row("B5", ["고급", 900, 0])
        sheet.merge_range("A6:B6", "합계", None)
        sheet.write_row("C6", [2100, 1100])

    parsed = parse(workbook(write))
    assert lines(parsed) == [
        "예산",
        "2026년 예산 총괄표",
        "구분 | 항목 | 상반기 | 비고",
        "계획 | 집행",
        "구분: 인건비; 항목: 특급; 상반기 / 계획: 1200; 상반기 / 집행: 1100",
        "구분: 인건비; 항목: 고급; 상반기 / 계획: 900; 상반기 / 집행: 0",
        "합계; 상반기 / 계획: 2100; 상반기 / 집행: 1100",
    ]
    assert parsed.blocks[1].kind == "heading"


def test_tables_below_each_other_have_their_own_headers() -> None:
    rows: list[list[str | int]] = [
        ["이름", "나이"],
        ["김", 30],
        [],
        ["담당자"],
        ["성명", "전화"],
        ["이", "010-1234-5678"],
    ]
    assert lines(parse(make_xlsx({"s": rows})))[3:] == ["담당자", "성명 | 전화", "성명: 이; 전화: 010-1234-5678"]


def test_rows_after_a_blank_row_go_on_with_the_header_above() -> None:
    rows: list[list[str | int]] = [["품목", "수량"], ["서버", 1], [], ["회선", 2]]
    assert lines(parse(make_xlsx({"s": rows})))[-1] == "품목: 회선; 수량: 2"


def test_a_form_and_data_without_a_header_stay_as_they_are() -> None:
    form = [["견적번호: Q-1", "견적일자: 2026-07-15"], ["수신: 한빛", "공급자: 새로"]]
    assert lines(parse(make_xlsx({"s": form})))[1:] == [
        "견적번호: Q-1 | 견적일자: 2026-07-15",
        "수신: 한빛 | 공급자: 새로",
    ]
    data = [["하천과", "체험관 운영"], ["하천과", "시설 관리"], ["하천과", "토지 보상"]]
    assert all(not block.labels for block in parse(make_xlsx({"s": data})).blocks)


def test_years_head_columns() -> None:
    parsed = parse(make_xlsx({"s": [["구분", "2024", "2025"], ["매출", 10, 20]]}))
    assert lines(parsed)[-1] == "구분: 매출; 2024: 10; 2025: 20"


def test_hidden_sheets_and_rows_are_kept_and_counted() -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("보임")
        sheet.write_column("A1", ["이름", "가", "나"])
        sheet.set_row(1, None, None, {"hidden": True})
        hidden = book.add_worksheet("숨김")
        hidden.write("A1", "숨은 값")
        hidden.hide()

    parsed = parse(workbook(write))
    assert "숨은 값" in lines(parsed)
    assert parsed.asides == {"hidden": 2}
    assert parsed.warnings == ("hidden sheets kept in the text: 1", "hidden rows kept in the text: 1")


def test_a_formula_shows_its_cached_value_and_is_counted_without_one() -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("s")
        sheet.write_row("A1", ["a", "b", "c"])
        sheet.write("C2", "x")
        sheet.write_formula("A2", "=1+1", None, 2)
        sheet.write_formula("B2", "=2+2", None, 4)

    data = workbook(write)
    assert lines(parse(data))[-1] == "a: 2; b: 4; c: x"
    uncached = parse(changed(data, "xl/worksheets/sheet1.xml", "<v>4</v>", ""))
    assert lines(uncached)[-1] == "a: 2; b: =2+2; c: x"
    assert uncached.warnings == ("formulas without a cached value: 1",)


def test_character_references_and_escapes_are_decoded() -> None:
    data = make_xlsx({"s": [["&#44428;&#54620;", "앞뒤", "_x0041_"]]})
    parsed = parse(changed(data, "xl/sharedStrings.xml", "앞뒤", "앞_x000D_&#10;뒤"))
    assert parsed.blocks[1].values == ("권한", "앞\n뒤", "_x0041_")
    assert parsed.warnings == ("cells whose numeric character references were decoded: 1",)


def test_the_1904_calendar_is_kept() -> None:
    assert show_number(44561, "yyyy-mm-dd", from_1904=True) == "2026-01-01"
    assert show_number(46023, "yyyy-mm-dd") == "2026-01-01"


SEEN = (
    # digits, thousands, decimals
    (0.075, "0.0%", "7.5%"),
    (0.075, "0.0 %", "7.5 %"),
    (0.5, "0%", "50%"),
    (1250000, "#,##0", "1,250,000"),
    (-1250000, "#,##0", "-1,250,000"),
    (999, "#,##0", "999"),
    (1234567.891, "#,##0.00", "1,234,567.89"),
    (1.005, "0.00", "1.01"),
    (2.5, "0", "3"),
    (-0.4, "0", "0"),
    (0.5, "#.##", ".5"),
    (1234.5, "#,##0.##", "1,234.5"),
    (3, "000", "003"),
    (7, "0000", "0007"),
    (1234567, '#,##0,"천원"', "1,235천원"),
    (1234567890, '#,##0,,"백만원"', "1,235백만원"),
    (123456789, '0.0,,"M"', "123.5M"),
    (15, '0"개월"', "15개월"),
    (12, "0개", "12개"),
    (3, "?0", "3"),
    (1234567890, "000-00-00000", "123-45-67890"),
    (1012345678, "000-0000-0000", "010-1234-5678"),
    (9001011234567, "000000-0000000", "900101-1234567"),
    # signs, sections, conditions
    (-5, "#,##0_);(#,##0)", "(5)"),
    (-5, "#,##0;[Red]-#,##0", "-5"),
    (-1234, '#,##0;[빨강]"△"#,##0', "△1,234"),
    (0, '#,##0;-#,##0;"-"', "-"),
    (0, '#,##0;-#,##0;"없음"', "없음"),
    (1200, '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-', "1,200"),
    (0, '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-', "-"),
    (-1200, '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-', "-1,200"),
    (1500, '[>=1000]#,##0"천";0', "1,500천"),
    (15, '[>=1000]#,##0"천";0', "15"),
    (1, '[=1]"예";[=0]"아니오";0', "예"),
    (0, '[=1]"예";[=0]"아니오";0', "아니오"),
    (-3, '[<0]"▼"0;[>0]"▲"0;"-"', "▼3"),
    (3, '[<0]"▼"0;[>0]"▲"0;"-"', "▲3"),
    (0, "#", "0"),
    (5, ";;;", ""),
    # money
    (1200, "[$₩-412]#,##0", "₩1,200"),
    (-1200, '"₩"#,##0', "-₩1,200"),
    (1200, '#,##0"원"', "1,200원"),
    (1200, "#,##0\\ \\원", "1,200 원"),
    (1200.5, "[$$-409]#,##0.00", "$1,200.50"),
    # General
    (0, "General", "0"),
    (0.1 + 0.2, "General", "0.3"),
    (1 / 3, "General", "0.333333333"),
    (1234567.891, "General", "1234567.891"),
    (123456.789012345, "General", "123456.789"),
    (12345678901, "General", "12345678901"),
    (1.234567890123457e19, "General", "12345678901234570000"),
    (0.0001, "General", "0.0001"),
    (0.000012345, "General", "1.2345E-05"),
    (1.5, 'General"배"', "1.5배"),
    (7, "G/표준", "7"),
    (42, "@", "42"),
    # exponents and fractions
    (12345, "0.00E+00", "1.23E+04"),
    (0.00012, "0.0E+0", "1.2E-4"),
    (12345, "##0.0E+0", "12.3E+3"),
    (0.5, "# ?/?", "1/2"),
    (1.25, "# ?/?", "1 1/4"),
    (3, "# ?/?", "3"),
    (2.333333, "# ??/??", "2 1/3"),
    (0.3, "# ?/8", "2/8"),
    (1.5, "?/?", "3/2"),
    # dates and times
    (43892, 'yyyy"년" m"월" d"일"', "2020년 3월 2일"),
    (43892, "yyyy\\-mm\\-dd;@", "2020-03-02"),
    (46023, "yyyy. m. d.", "2026. 1. 1."),
    (46023, "yy/mm/dd", "26/01/01"),
    (46023, "m/d", "1/1"),
    (46023, 'm"월" d"일"', "1월 1일"),
    (46023, "d-mmm-yy", "1-Jan-26"),
    (46023, "[$-412]mmmm", "1월"),
    (46023, "aaaa", "목요일"),
    (46023, "m/d(aaa)", "1/1(목)"),
    (46023, "[$-412]dddd", "목요일"),
    (46023, "[$-F800]dddd, mmmm dd, yyyy", "Thursday, January 01, 2026"),
    (46023.5, "yyyy-mm-dd hh:mm", "2026-01-01 12:00"),
    (46023.75, "yyyy-mm-dd AM/PM h:mm", "2026-01-01 PM 6:00"),
    (0.75, "h:mm AM/PM", "6:00 PM"),
    (0.75, "[$-412]AM/PM h:mm", "오후 6:00"),
    (0.75, 'h"시" mm"분"', "18시 00분"),
    (0.25, "hh:mm:ss", "06:00:00"),
    (0.0123456, "mm:ss.0", "17:46.7"),
    (1.5, "[h]:mm", "36:00"),
    (1.5, "[hh]:mm:ss", "36:00:00"),
    (0.0625, "[mm]:ss", "90:00"),
    (-0.5, "[h]:mm", "-12:00"),
    (0, "yyyy-mm-dd", "1900-01-00"),
    (60, "yyyy-mm-dd", "1900-02-29"),
    (-1, "yyyy-mm-dd", "-1"),
    (3000000, "yyyy-mm-dd", "3000000"),
    # Korean and Chinese numerals
    (1230000, "[DBNum4][$-412]General", "일백이십삼만"),
    (1230000, '"일금"[DBNum4][$-412]General"원정"', "일금일백이십삼만원정"),
    (1234, "[DBNum1][$-412]General", "一千二百三十四"),
    (46023, '[DBNum1][$-412]yyyy"年" m"月" d"日"', "二〇二六年 一月 一日"),
)


@pytest.mark.parametrize(("value", "code", "seen"), SEEN)
def test_numbers_are_shown_as_a_person_sees_them(value: float, code: str, seen: str) -> None:
    assert show_number(value, code) == seen


@pytest.mark.parametrize(
    ("number", "value", "seen"),
    [
        (14, 46023, "2026-01-01"),
        (15, 46023, "1-Jan-26"),
        (22, 46023.5, "2026-01-01 12:00"),
        (31, 46023, "2026년 01월 01일"),
        (27, 46023, "2026年 01月 01日"),
        (33, 0.5, "12시 00분 00초"),
        (41, 0, "-"),
        (42, 5000, "₩5,000"),
        (46, 1.5, "36:00:00"),
        (58, 46023, "01-01"),
        (12, 0.5, "1/2"),
    ],
)
def test_formats_without_a_code_are_korean(number: int, value: float, seen: str) -> None:
    assert show_number(value, BUILTIN_FORMATS[number]) == seen


@pytest.mark.parametrize(
    ("text", "code", "seen"),
    [
        ("홍길동", '@" 귀하"', "홍길동 귀하"),
        ("3", '"제"@"호"', "제3호"),
        ("합계", "#,##0;-#,##0;0;[Blue]@", "합계"),
        ("합계", "General", "합계"),
    ],
)
def test_texts_follow_the_text_section(text: str, code: str, seen: str) -> None:
    assert show_text(text, code) == seen


@pytest.mark.parametrize(
    "code",
    [
        '"',
        "[",
        "\\",
        "0.",
        "/",
        "# /",
        "?/",
        "E+",
        "0E",
        "[$",
        ";",
        "_",
        "0" * 300,
        "[>=]0",
        "%",
        ",",
        "..",
        "0/0",
        "[<1e9",
        "@@",
        "[DBNum9]0",
    ],
)
@pytest.mark.parametrize("value", [0.0, -1.5, 1e300, 1e-300, 46023.123456])
def test_no_code_breaks_a_number(value: float, code: str) -> None:
    assert isinstance(show_number(value, code), str)
    assert isinstance(show_text("글", code), str)


def test_styled_empty_rows_cost_nothing_and_say_nothing() -> None:
    empty = "".join(f'<row r="{row}" s="1"><c r="A{row}" s="1"/></row>' for row in range(3, 50_000))
    data = make_xlsx({"s": [["이름", "값"], ["가", 1]]})
    parsed = parse(changed(data, "xl/worksheets/sheet1.xml", "</sheetData>", f"{empty}</sheetData>"))
    assert len(parsed.blocks) == 3


def test_a_stylesheet_with_an_empty_fill_is_read() -> None:
    data = make_xlsx({"s": [["권한", "설명"], ["접근", "관리자"]]})
    broken = changed(data, "xl/styles.xml", "<fills ", "<fills><fill/></fills><fills ")
    assert lines(parse(broken))[-1] == "권한: 접근; 설명: 관리자"


def test_calamine_reads_what_our_reader_refuses() -> None:
    data = make_xlsx({"s": [["권한", "설명"], ["접근", "관리자"]]})
    parsed = parse(changed(data, "xl/worksheets/sheet1.xml", "<pageMargins", "<pageMargins <"))
    assert lines(parsed)[-1] == "권한: 접근; 설명: 관리자"
    assert "damaged" in parsed.warnings[0]


def test_a_damaged_sheet_keeps_what_stands_before_the_damage_and_spares_the_others() -> None:
    def write(book: Any) -> None:
        for name in ("가", "나"):
            sheet = book.add_worksheet(name)
            sheet.write_row("A1", [f"{name} 항목", "비율"])
            sheet.write_row("A2", ["서버", 0.075], book.add_format({"num_format": "0.0%"}))

    data = workbook(write)
    cut = zipfile.ZipFile(io.BytesIO(data)).read("xl/worksheets/sheet1.xml").decode()
    parsed = parse(changed(data, "xl/worksheets/sheet1.xml", cut[cut.index('<row r="2"') :], ""))
    assert lines(parsed) == ["가", "가 항목 | 비율", "나", "나 항목 | 비율", "나 항목: 서버; 비율: 7.5%"]
    assert parsed.warnings == ("parts that are missing or damaged: 1",)


def test_a_sheet_whose_list_of_relationships_is_cut_keeps_its_formats() -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("s")
        sheet.write(0, 0, 0.075, book.add_format({"num_format": "0.0%"}))
        sheet.write_comment("A1", "메모")

    parsed = parse(changed(workbook(write), "xl/worksheets/_rels/sheet1.xml.rels", "</Relationships>", ""))
    assert lines(parsed) == ["s", "7.5%"]
    assert [one.text for one in parsed.apart] == ["A1: 메모"]
    assert parsed.warnings == ("parts that are missing or damaged: 1",)


def test_damaged_shared_texts_cost_the_cells_that_refer_to_them() -> None:
    data = make_xlsx({"s": [["권한", 1], ["접근", 2]]})
    table = zipfile.ZipFile(io.BytesIO(data)).read("xl/sharedStrings.xml").decode()
    parsed = parse(changed(data, "xl/sharedStrings.xml", table[table.index("<si><t>접근") :], ""))
    assert lines(parsed) == ["s", "권한 | 1", "2"]
    assert parsed.warnings == ("parts that are missing or damaged: 1", "cells whose text is missing from the file: 1")
    words = make_xlsx({"s": [["권한", "접근"]]})
    table = zipfile.ZipFile(io.BytesIO(words)).read("xl/sharedStrings.xml").decode()
    with pytest.raises(Corrupt):
        parse(changed(words, "xl/sharedStrings.xml", table[table.index("<si>") :], ""))


def test_calamine_is_not_asked_for_a_range_that_no_machine_holds() -> None:
    data = changed(make_xlsx({"s": [["가"]]}), "xl/worksheets/sheet1.xml", "<sheetViews", "<sheetViews <")
    with pytest.raises(TooLarge):
        parse(changed(data, "xl/worksheets/sheet1.xml", "</row>", '</row><row r="1048576"><c r="XFD1048576"/></row>'))


def test_a_damaged_drawing_is_counted_and_the_cells_stay() -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("s")
        sheet.write_row("A1", ["권한", "설명"])
        sheet.write_row("A2", ["접근", "관리자"])
        sheet.insert_textbox("D1", "그림 속 글")

    parsed = parse(changed(workbook(write), "xl/drawings/drawing1.xml", "<xdr:wsDr ", "<xdr:wsDr < "))
    assert lines(parsed)[-1] == "권한: 접근; 설명: 관리자"
    assert parsed.warnings == ("parts that are missing or damaged: 1",)


def test_without_readable_styles_the_values_stay() -> None:
    parsed = parse(changed(make_xlsx({"s": [["가", 1250000]]}), "xl/styles.xml", "</styleSheet>", ""))
    assert lines(parsed)[-1] == "가 | 1250000"
    assert parsed.warnings == ("parts that are missing or damaged: 1",)


def test_lying_references_cost_nothing_and_are_counted() -> None:
    parsed = parse(next(vector.make() for vector in VECTORS if "lying" in vector.name))
    assert parsed.warnings == ("cells whose text is missing from the file: 1",)
    wide = "".join(f'<mergeCell ref="A{row}:XFD{row + 9}"/>' for row in range(1, 20_000))
    cells = "".join(f'<row r="{row}"><c r="A{row}"><v>{row}</v></c></row>' for row in range(1, 20_000))
    assert len(parse(sheet_xml(cells, f"<mergeCells>{wide}</mergeCells>")).blocks) == 20_000
    crossing = "".join(f'<mergeCell ref="{letters}1:XFD500"/>' for letters in ("A", "B", "C", "D"))
    header = "".join(f'<c r="{letters}1" t="inlineStr"><is><t>열 {letters}</t></is></c>' for letters in "ABCD")
    rows = f'<row r="1">{header}</row><row r="2"><c r="A2"><v>1</v></c><c r="D2"><v>2</v></c></row>'
    assert len(parse(sheet_xml(rows, f"<mergeCells>{crossing}</mergeCells>")).blocks) == 3


def test_piles_of_hidden_columns_and_tables_cost_nothing() -> None:
    columns = '<col min="1" max="16384" hidden="1"/>' * 20_000
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, 2_000))
    data = edited(
        sheet_xml(rows), {"xl/worksheets/sheet1.xml": [("<sheetData>", f"<cols>{columns}</cols><sheetData>")]}
    )
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/table"
    links = "".join(f'<Relationship Id="r{n}" Type="{kind}" Target="t.xml"/>' for n in range(3_000))
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    added = {
        "xl/worksheets/_rels/sheet1.xml.rels": f'<Relationships xmlns="{space}">{links}</Relationships>',
        "xl/worksheets/t.xml": '<table ref="A1:A3"/>',
    }
    parsed = parse(edited(data, {}, added))
    assert len(parsed.blocks) == 2_001
    assert parsed.blocks[1].text == "[숨긴 열 A]"


def test_a_cell_outside_a_sheet_follows_the_one_before() -> None:
    rows = '<row r="9999999"><c r="A1"><v>1</v></c><c r="ZZZ1"><v>2</v></c><c r="가1"><v>3</v></c><c><v>4</v></c></row>'
    assert lines(parse(sheet_xml(rows)))[-1] == "1 | 2 | 3 | 4"


def test_a_relationship_to_itself_ends() -> None:
    loop = '<Relationship Id="rId7" Type="http://x/drawing" Target="sheet1.xml"/></Relationships>'
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    rels = f'<Relationships xmlns="{space}">{loop}'
    data = edited(make_xlsx({"s": [["가", "나"]]}), {}, {"xl/worksheets/_rels/sheet1.xml.rels": rels})
    assert lines(parse(data)) == ["s", "가 | 나"]


def test_rows_out_of_order_are_put_in_order() -> None:
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}"><v>{n}</v></c></row>' for n in (3, 1, 2))
    assert lines(parse(sheet_xml(rows)))[1:] == ["1 | 1", "2 | 2", "3 | 3"]


def test_an_empty_column_inside_one_table_divides_nothing() -> None:
    rows: list[list[str | int | None]] = [["품목", "수량", None, "비고"], ["서버", 1, None, "신규"], ["회선", 2]]
    assert lines(parse(make_xlsx({"s": rows})))[-2:] == ["품목: 서버; 수량: 1; 비고: 신규", "품목: 회선; 수량: 2"]


def test_a_title_over_tables_beside_each_other_comes_first() -> None:
    rows: list[list[str | int | None]] = [["자산 현황"], ["품목", "수량", None, "부서", "인원"]]
    rows += [["서버", 1, None, "총무", 7], ["회선", 2, None, "기획", 9]]
    found = lines(parse(make_xlsx({"s": rows})))
    assert found[1:3] == ["자산 현황", "품목 | 수량"]
    assert found[-1] == "부서: 기획; 인원: 9"


def styled(book: Any, rows: list[list[str | int]], *marked: int) -> None:
    """Write rows from A1; those of these numbers stand out in bold."""
    sheet, bold = book.add_worksheet("s"), book.add_format({"bold": True})
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row, bold if number in marked else None)


def test_a_table_right_under_another_has_its_own_header() -> None:
    rows: list[list[str | int]] = [
        ["이름", "나이"],
        ["김", 30],
        ["2. 장비"],
        ["품목", "수량"],
        ["서버", 2],
        ["회선", 5],
    ]
    found = lines(parse(workbook(lambda book: styled(book, rows, 0, 2, 3))))
    assert found[-5:] == ["이름: 김; 나이: 30", "2. 장비", "품목 | 수량", "품목: 서버; 수량: 2", "품목: 회선; 수량: 5"]


def test_a_divider_inside_a_table_divides_nothing() -> None:
    rows: list[list[str | int]] = [["성명", "직급", "부서"], ["총무과"], ["김", "과장", "총무"], ["이", "대리", "총무"]]
    assert lines(parse(workbook(lambda book: styled(book, rows, 0, 1))))[-1] == "성명: 이; 직급: 대리; 부서: 총무"


def test_rows_under_a_new_title_dont_take_the_labels_of_the_table_above() -> None:
    rows: list[list[str | int]] = [
        ["잡", "설명", "수"],
        ["가", "빌드", 1],
        [],
        ["회귀 증적"],
        [],
        ["나", "그림", 2],
        ["다", "글", 3],
    ]
    assert lines(parse(workbook(lambda book: styled(book, rows, 0, 3))))[-1] == "다 | 글 | 3"


def test_where_one_header_stands_out_plain_rows_are_none() -> None:
    rows: list[list[str | int]] = [
        ["항목", "값"],
        ["가", 1],
        [],
        ["형식", "Docx", "판별"],
        ["용지", "A4", "크기"],
        ["범위", "쪽", "구간"],
    ]
    assert lines(parse(workbook(lambda book: styled(book, rows, 0))))[-1] == "범위 | 쪽 | 구간"


def test_a_filter_marks_the_header() -> None:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}" t="inlineStr"><is><t>글 {n}</t></is></c></row>'
        for n in (1, 2, 3)
    )
    assert lines(parse(sheet_xml(rows, '<autoFilter ref="A1:B3"/>')))[-1] == "1: 3; 글 1: 글 3"


def test_a_table_that_the_file_names_without_a_header_has_no_labels() -> None:
    def write(book: Any) -> None:
        book.add_worksheet("s").add_table("A1:B2", {"data": [["가", "나"], ["다", "라"]], "header_row": False})

    assert lines(parse(workbook(write)))[1:] == ["가 | 나", "다 | 라"]


def test_hidden_ranges_are_named_up_to_a_limit() -> None:
    grid = Grid("s", visible=False, hidden_rows=[2, 3, 4, 9], hidden_columns=[4, 27])
    assert hidden_note(grid) == "[숨긴 시트] [숨긴 행 2-4, 9] [숨긴 열 D, AA]"
    assert hidden_note(Grid("s", hidden_rows=list(range(1, 100, 2)))).endswith("39, 외 30곳]")


@pytest.mark.parametrize(
    ("cells", "seen"),
    [
        ({1: "사 업 명", 2: "기록관리"}, ("사 업 명: 기록관리",)),
        ({1: "성명:", 2: "김수진", 3: "부서:", 4: "기획팀"}, ("성명: 김수진", "부서: 기획팀")),
        ({1: "신청인", 2: "성명", 3: "김수진"}, ("신청인", "성명: 김수진")),
        ({1: "계약금액(원)", 2: "1,000"}, ("계약금액(원): 1,000",)),
        ({1: "담당자", 3: "김수진", 5: "연락처"}, ("담당자: 김수진", "연락처")),
    ],
)
def test_a_row_of_a_form_is_read_as_pairs(cells: dict[int, str], seen: tuple[str, ...]) -> None:
    assert paired(1, cells, Grid("s")) == seen


def test_a_header_of_form_words_is_a_header() -> None:
    rows: list[list[str | int]] = [["성명", "부서", "연락처"], ["김수진", "기획", "02-1"], ["이준", "총무", "02-2"]]
    assert lines(parse(make_xlsx({"s": rows})))[-1] == "성명: 이준; 부서: 총무; 연락처: 02-2"


def test_days_in_iso_form_follow_their_format() -> None:
    rows = '<row r="1"><c r="A1" t="d"><v>2026-03-02T00:00:00</v></c><c r="B1" t="d"><v>오늘</v></c></row>'
    assert lines(parse(sheet_xml(rows)))[-1] == "2026-03-02 | 오늘"


def test_a_link_formula_keeps_its_address() -> None:
    formula = 'HYPERLINK("https://example.com/a","안내")'
    rows = f'<row r="1"><c r="A1" t="str"><f>{formula}</f><v>안내</v></c><c r="B1"><v>1</v></c></row>'
    assert lines(parse(sheet_xml(rows)))[-1] == "안내 (https://example.com/a) | 1"


def test_what_lies_over_the_cells_is_counted_apart() -> None:
    made = {vector.name: vector.make() for vector in VECTORS}
    over = parse(made["xlsx: text boxes, chart titles and links in, notes and headers apart"])
    assert over.asides == {"comment": 1, "header": 1}
    assert over.blocks[-1].locator.rows == (9, 9)
    assert [(aside.kind, aside.text) for aside in over.apart] == [
        ("header", "대외비 머리글"),
        ("comment", "A2: 검토자가 남긴 메모"),
    ]


def test_comments_say_where_and_who_and_replies_follow() -> None:
    made = {vector.name: vector.make() for vector in VECTORS}
    parsed = parse(made["xlsx: threaded comments stay apart"])
    assert parsed.asides == {"comment": 3}
    assert {aside.locator.sheet for aside in parsed.apart} == {"자료"}
    assert [aside.text for aside in parsed.apart] == [
        "A2: 김수진: 첫 의견\n둘째 줄",
        "A2: 이준: 답글 의견",
        "B2: 이준:\n단가를 본다",
    ]


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ('&L&"맑은 고딕,굵게"&12대외비&C&K01+000사업 계획서&R&P / &N', "대외비 사업 계획서"),
        ("&CR&&D 본부&R인쇄일: &D &T", "R&D 본부 인쇄일"),
        ("&C- &P+1 -", ""),
        ("&L&F&R&A", ""),
        ("&C대&B외&B비&", "대외비&"),
        ('&C&"끝나지 않는 이름', "끝나지 않는 이름"),
    ],
)
def test_printed_headers_lose_their_codes_and_keep_their_words(stored: str, words: str) -> None:
    assert without_codes(stored) == words


def test_what_every_sheet_prints_is_kept_once_and_first_pages_have_their_own() -> None:
    def write(book: Any) -> None:
        for name in ("가", "나"):
            sheet = book.add_worksheet(name)
            sheet.write("A1", "본문")
            sheet.set_header("&C대외비")
            sheet.set_footer("&C&P / &N")

    first = "</oddFooter><firstHeader>&amp;C표지에만</firstHeader>"
    data = workbook(write)
    for part in ("sheet1", "sheet2"):
        data = changed(data, f"xl/worksheets/{part}.xml", "</oddFooter>", first)
    off = parse(data)
    assert off.asides == {"header": 2, "footer": 2}
    assert off.apart == (Aside("header", "대외비", Locator(sheet="가")),)
    on = parse(changed(data, "xl/worksheets/sheet2.xml", "<headerFooter", '<headerFooter differentFirst="1"'))
    assert [(aside.text, aside.locator.sheet) for aside in on.apart] == [("대외비", "가"), ("대외비\n표지에만", "나")]


XLS_CELLS: list[tuple[int, int, str | float, str]] = [
    *((0, column, label, "General") for column, label in enumerate(("비율", "금액", "일자", "시간"))),
    (1, 0, 0.075, "0.0%"),
    (1, 1, 1250000.0, '#,##0"원"'),
    (1, 2, 46023.0, 'yyyy"년" m"월" d"일"'),
    (1, 3, 1.5, "[h]:mm"),
]


def test_an_xls_sheet_shows_its_formats_and_what_is_hidden() -> None:
    parsed = parse(make_xls(XLS_CELLS, hidden_rows=[1]))
    assert lines(parsed) == [
        "자료",
        "[숨긴 행 2]",
        "비율 | 금액 | 일자 | 시간",
        "비율: 7.5%; 금액: 1,250,000원; 일자: 2026년 1월 1일; 시간: 36:00",
    ]
    assert parsed.warnings == ("hidden rows kept in the text: 1",)
    columns = parse(make_xls([(0, 0, "가", "General"), (0, 1, 2.0, "General")], hidden_columns=[1]))
    assert lines(columns)[1:] == ["[숨긴 열 B]", "가 | 2"]


def test_an_xls_sheet_may_count_from_1904() -> None:
    data = make_xls([(0, 0, "마감", "General"), (0, 1, 44561.0, "yyyy-mm-dd")], from_1904=True)
    assert lines(parse(data))[-1] == "마감 | 2026-01-01"


def test_more_cells_than_the_limit_are_refused() -> None:
    with pytest.raises(TooLarge):
        parse(make_xlsx({"s": [["가", "나"]] * 10}), Limits(cells=19))


def test_an_entity_in_a_part_is_refused() -> None:
    data = make_xlsx({"s": [["가"]]})
    with pytest.raises(UnsafeXml):
        parse(changed(data, "xl/worksheets/sheet1.xml", "<worksheet ", '<!DOCTYPE x [<!ENTITY a "b">]><worksheet '))


def test_a_workbook_without_a_filled_cell_is_empty() -> None:
    with pytest.raises(Empty):
        parse(make_xlsx({"빈 시트": []}))


@pytest.mark.cases
@pytest.mark.parametrize(
    ("path", "required"),
    [
        (
            "bugs/b06_xlsx_title_row.xlsx",
            ["구분: 인건비; 항목: 특급기술자; 상반기 / 계획: 1200; 상반기 / 집행: 1100; 합계: =C5+D5"],
        ),
        ("bugs/b07_xlsx_formula_values.xlsx", ["2 | 6 | 합계 | =A1/0 | #DIV/0!"]),
        ("bugs/b10_xlsx_ncr.xlsx", ["권한: 접근권한; 설명: 관리자만 열람"]),
        ("bugs/b17_xlsx_empty_fill.xlsx", ["권한: 접근권한; 설명: 관리자만 열람"]),
        ("xlsx/syn_1904.xlsx", ["2026-01-01"]),
        ("xlsx/syn_phonetic_richtext.xlsx", ["東京 | 굵은 글\n줄 _x0041_"]),
        ("xlsx/syn_blank_gap.xlsx", ["자료1", "자료1000"]),
        ("xlsx/testEXCEL_textbox.xlsx", ["this is some autoshape text"]),
        ("xlsx/testEXCEL.strict.xlsx", ["cb=1: 1; cb=10: 10; cb=2: 2; cb=sum: 13"]),
        ("legacy/budget.xls", ["부서: 총무과; 본예산: 5400000000; 추경: 0; 집행률(%): 78.5"]),
    ],
)
def test_case_workbooks(cases_dir: Path, path: str, required: list[str]) -> None:
    found = lines(parse((cases_dir / "formats" / path).read_bytes()))
    assert [line for line in required if line not in found] == []
    assert not any("&#" in line or "Unnamed" in line or "NaN" in line for line in found)
