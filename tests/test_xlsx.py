"""Workbooks become records that say which column each value stands in."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from sheet_makers import make_xlsx

from pipelines.errors import Empty, TooLarge, UnsafeXml
from pipelines.parsers import xlsx
from pipelines.parsers.sheet_format import show_number
from pipelines.records import Block, Limits, Parsed


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
    assert lines(uncached)[-1] == "a: 2; c: x"
    assert uncached.warnings == ("formulas without a cached value: 1",)


def test_character_references_and_escapes_are_decoded() -> None:
    data = make_xlsx({"s": [["&#44428;&#54620;", "앞뒤", "_x0041_"]]})
    parsed = parse(changed(data, "xl/sharedStrings.xml", "앞뒤", "앞_x000D_&#10;뒤"))
    assert parsed.blocks[1].values == ("권한", "앞\n뒤", "_x0041_")
    assert parsed.warnings == ("cells whose numeric character references were decoded: 1",)


def test_the_1904_calendar_is_kept() -> None:
    assert show_number(44561, "yyyy-mm-dd", from_1904=True) == "2026-01-01"
    assert show_number(46023, "yyyy-mm-dd") == "2026-01-01"


@pytest.mark.parametrize(
    ("value", "code", "seen"),
    [
        (0.075, "0.0%", "7.5%"),
        (1250000, "#,##0", "1,250,000"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (-5, "#,##0_);(#,##0)", "(5)"),
        (1200, '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-', "1,200"),
        (1200, "[$₩-412]#,##0", "₩1,200"),
        (15, '0"개월"', "15개월"),
        (1234567890, "000-00-00000", "123-45-67890"),
        (3, "000", "003"),
        (1234567, '#,##0,"천원"', "1,235천원"),
        (0, "General", "0"),
        (0.1 + 0.2, "General", "0.3"),
        (1.234567890123457e19, "General", "12345678901234570000"),
        (43892, 'yyyy"년" m"월" d"일"', "2020년 3월 2일"),
        (46023, "m/d", "2026-01-01"),
        (46023, "aaaa", "목요일"),
        (46023.5, "yyyy-mm-dd hh:mm", "2026-01-01 12:00"),
        (1.5, "[h]:mm", "36:00"),
        (0.75, "h:mm AM/PM", "6:00 PM"),
    ],
)
def test_numbers_are_shown_as_a_person_sees_them(value: float, code: str, seen: str) -> None:
    assert show_number(value, code) == seen


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
    def write(book: Any) -> None:
        sheet = book.add_worksheet("s")
        sheet.write_row("A1", ["권한", "설명"])
        sheet.write_row("A2", ["접근", "관리자"])
        sheet.insert_textbox("D1", "그림 속 글")

    data = workbook(write)
    assert lines(parse(data))[-1] == "그림 속 글"
    parsed = parse(changed(data, "xl/drawings/drawing1.xml", "<xdr:wsDr ", "<xdr:wsDr < "))
    assert lines(parsed)[-1] == "권한: 접근; 설명: 관리자"
    assert "damaged" in parsed.warnings[0]


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
        ("bugs/b06_xlsx_title_row.xlsx", ["구분: 인건비; 항목: 특급기술자; 상반기 / 계획: 1200; 상반기 / 집행: 1100"]),
        ("bugs/b07_xlsx_formula_values.xlsx", ["2 | 6 | 합계 | #DIV/0!"]),
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
