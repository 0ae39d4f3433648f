"""What a workbook must and must not say, one small made file a promise."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import xlsxwriter
from ole_writer import write_ole
from sheet_makers import Rows, edited, make_xls, make_xlsx
from vector import Vector

SHEET = "xl/worksheets/sheet1.xml"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TABLE: list[list[str | int]] = [["항목", "금액"], ["인건비", 1250000], ["장비비", 0]]
MADE = datetime(2026, 1, 2)


def made(sheets: Mapping[str, Rows]) -> bytes:
    """Return a workbook of these sheets that doesn't tell the time of the test."""
    return make_xlsx(sheets, modified=MADE)


def workbook(write: Callable[[Any], None]) -> bytes:
    """Return what `write` puts into a workbook; the same input gives the same bytes."""
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True}) as book:
        book.set_properties({"created": MADE})
        write(book)
    return edited(buffer.getvalue(), {})


def sheet_xml(rows: str, more: str = "") -> bytes:
    """Return a workbook whose only sheet has this XML in place of its rows, and `more` behind them."""
    data = made({"자료": [["x"]]})
    old = '<row r="1" spans="1:1"><c r="A1" t="s"><v>0</v></c></row></sheetData>'
    return edited(data, {SHEET: [(old, f"{rows}</sheetData>{more}")]})


def _two_levels() -> bytes:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("예산")
        sheet.merge_range("A1:E1", "2026년 예산 총괄표", None)
        sheet.merge_range("A2:A3", "구분", None)
        sheet.merge_range("B2:B3", "항목", None)
        sheet.merge_range("C2:D2", "상반기", None)
        sheet.write_row("C3", ["계획", "집행"])
        sheet.merge_range("A4:A5", "인건비", None)
        sheet.write_row("B4", ["특급", 1200, 1100])
        sheet.write_row("B5", ["고급", 900, 0])
        sheet.merge_range("A6:B6", "합계", None)
        sheet.write_row("C6", [2100, 1100])

    return workbook(write)


def _beside() -> bytes:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("현황")
        sheet.write_row("A1", ["품목", "수량"])
        sheet.write_row("A2", ["서버", 3])
        sheet.write_row("A3", ["회선", 5])
        sheet.write_row("D1", ["부서", "인원"])
        sheet.write_row("D2", ["총무", 7])
        sheet.write_row("D3", ["기획", 9])
        sheet.write_row("D4", ["감사", 2])

    return workbook(write)


def _form() -> bytes:
    rows: list[list[str | int]] = [
        ["사업명", "기록관리 고도화", "사업기간", "8개월"],
        ["담당자", "김수진", "연락처", "02-123-4567"],
        ["총사업비", "3억원", "발주기관", "새로시"],
    ]
    return made({"개요": rows})


def _hidden() -> bytes:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("보임")
        sheet.write_column("A1", ["이름", "가", "나", "다"])
        sheet.write_column("B1", ["값", 1, 2, 3])
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.set_column("B:XFD", None, None, {"hidden": True})
        book.add_worksheet("숨김").write("A1", "숨은 값")
        book.worksheets()[1].hide()

    return workbook(write)


def _uncached() -> bytes:
    formula = '<c r="B1"><f>SUM(B2:B9)</f></c>'
    return sheet_xml(f'<row r="1"><c r="A1" t="inlineStr"><is><t>합계</t></is></c>{formula}</row>')


def _cached() -> bytes:
    return sheet_xml(
        '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>A1&amp;"건"</f><v>2건</v></c>'
        '<c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D1"><f t="shared" si="0"/><v>7</v></c></row>'
    )


def _texts() -> bytes:
    return sheet_xml(
        '<row r="1"><c r="A1" t="inlineStr"><is><r><t>굵은 </t></r><r><t>글</t></r><rPh sb="0" eb="1">'
        "<t>읽는 법</t></rPh></is></c><c r='B1' t='inlineStr'><is><t>첫 줄_x000D_&#10;둘째 줄</t></is></c>"
        "<c r='C1' t='inlineStr'><is><t>&amp;#44428;&amp;#54620;</t></is></c></row>"
    )


def _over_the_cells() -> bytes:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("자료")
        sheet.write_row("A1", ["이름", "값"])
        sheet.write_row("A2", ["가", 1])
        sheet.write_comment("A2", "검토자가 남긴 메모")
        sheet.insert_textbox("D2", "그림 속 안내문")
        chart = book.add_chart({"type": "column"})
        chart.add_series({"values": "=자료!$B$2:$B$2"})
        chart.set_title({"name": "월별 추이"})
        sheet.insert_chart("D9", chart)
        sheet.set_header("&C대외비 머리글")
        sheet.write_url("A4", "https://example.com/form", string="신청서")

    return workbook(write)


def _threaded() -> bytes:
    """Return a sheet with a note and a thread; Excel writes a note with the thread's words for older programs."""
    links = (
        ("http://schemas.microsoft.com/office/2017/10/relationships/threadedComment", "../threadedComments/t.xml"),
        (f"{RELATIONS}/comments", "../comments1.xml"),
    )
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(links, 1)
    )
    reply = '<threadedComment ref="A2" id="2" parentId="1" personId="{B}"><text>답글 의견</text></threadedComment>'
    said = '<threadedComment ref="A2" id="1" personId="{A}"><text>첫 의견&#10;둘째 줄</text></threadedComment>'
    stand_in = '<comment ref="A2" authorId="0"><text><t>[Threaded comment] 첫 의견</t></text></comment>'
    note = '<comment ref="B2" authorId="1"><text><r><t>이준:</t></r><r><t>&#10;단가를 본다</t></r></text></comment>'
    people = "".join(f'<person id="{{{key}}}" displayName="{name}"/>' for key, name in (("A", "김수진"), ("B", "이준")))
    person = "http://schemas.microsoft.com/office/2017/10/relationships/person"
    added = {
        "xl/worksheets/_rels/sheet1.xml.rels": (
            f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relations}'
            "</Relationships>"
        ),
        "xl/threadedComments/t.xml": f"<ThreadedComments>{said}{reply}</ThreadedComments>",
        "xl/comments1.xml": (
            "<comments><authors><author>tc={1}</author><author>이준</author></authors>"
            f"<commentList>{stand_in}{note}</commentList></comments>"
        ),
        "xl/persons/person.xml": f"<personList>{people}</personList>",
    }
    link = f'<Relationship Id="rId901" Type="{person}" Target="persons/person.xml"/></Relationships>'
    return edited(made({"자료": TABLE}), {"xl/_rels/workbook.xml.rels": [("</Relationships>", link)]}, added)


def _named_table() -> bytes:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("표")
        sheet.write("A1", "분기별 실적")
        columns = [{"header": header} for header in ("2024", "2025")]
        sheet.add_table("A2:B4", {"data": [["10", "20"], ["30", "40"]], "columns": columns})

    return workbook(write)


def _formats() -> bytes:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("서식")
        sheet.write_row("A1", ["비율", "금액", "일자", "시간", "단위"])
        shown = ((0.075, "0.0 %"), (1250000, "[$₩-412]#,##0"), (46023, 'yyyy"년" m"월" d"일"(aaa)'), (1.5, "[h]:mm"))
        for column, (value, code) in enumerate((*shown, (15, '0"개월"'))):
            sheet.write_number(1, column, value, book.add_format({"num_format": code}))

    return workbook(write)


def _since_1904() -> bytes:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("자료")
        sheet.write_row("A1", ["업무", "마감"])
        sheet.write("A2", "착수")
        sheet.write_number("B2", 44561, book.add_format({"num_format": "yyyy-mm-dd"}))

    data = workbook(write)
    return edited(data, {"xl/workbook.xml": [("<workbookPr ", '<workbookPr date1904="1" ')]})


def _lying_places() -> bytes:
    text = '<c r="%s" t="inlineStr"><is><t>%s</t></is></c>'
    rows = (
        f'<row r="1">{text % ("A1", "이름")}{text % ("B1", "값")}</row>'
        f'<row r="2">{text % ("A2", "가")}{text % ("B2", "하나")}</row>'
        f'<row r="3"><c r="A3" t="s"><v>999</v></c><c r="B3" s="9999"><v>3</v></c></row>'
        '<row r="1048576"><c r="XFD1048576" s="1"/></row>'
    )
    return sheet_xml(
        rows, '<mergeCells count="2"><mergeCell ref="A1:XFD1048576"/><mergeCell ref="B1:ZZZ9"/></mergeCells>'
    )


def _strict() -> bytes:
    old, new = "http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/"
    swaps = [
        (f"{old}spreadsheetml/2006/main", f"{new}spreadsheetml/main"),
        (f"{old}officeDocument/2006/relationships", f"{new}officeDocument/relationships"),
    ]
    parts = (
        SHEET,
        "xl/workbook.xml",
        "xl/_rels/workbook.xml.rels",
        "xl/sharedStrings.xml",
        "xl/styles.xml",
        "_rels/.rels",
    )
    return edited(made({"자료": TABLE}), dict.fromkeys(parts, swaps), missing_ok=True)


def _typed_as(kind: str) -> bytes:
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    return edited(made({"자료": TABLE}), {"[Content_Types].xml": [(main, kind)]})


def _binary() -> bytes:
    return edited(
        made({"자료": TABLE}),
        {"[Content_Types].xml": [("spreadsheetml.sheet.main+xml", "ms-excel.sheet.binary.main")]},
        {"xl/workbook.bin": "b"},
    )


def _old() -> bytes:
    head = ((0, 0, "비율", "General"), (0, 1, "일자", "General"))
    return make_xls([*head, (1, 0, 0.075, "0.0%"), (1, 1, 46023.0, 'yyyy"년" m"월" d"일"')])


def _cut() -> bytes:
    whole = made({"자료": [["글", n] for n in range(200)]})
    return whole[: len(whole) * 2 // 3]


def _entities() -> bytes:
    return edited(made({"자료": TABLE}), {SHEET: [("<worksheet ", '<!DOCTYPE x [<!ENTITY a "b">]><worksheet ')]})


def _bomb() -> bytes:
    return edited(made({"자료": TABLE}), {}, {"xl/media/x.xml": " " * (65 << 20)})


def _locked() -> bytes:
    return write_ole({"EncryptedPackage": b"\0" * 64, "EncryptionInfo": b"\4\0\4\0"})


MACROS = "application/vnd.ms-excel.sheet.macroEnabled.main+xml"
TEMPLATE = "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml"

VECTORS: tuple[Vector, ...] = (
    Vector(
        "xlsx: a row carries its labels, a zero stays",
        "예산.xlsx",
        lambda: made({"예산": TABLE}),
        ("항목: 인건비; 금액: 1,250,000", "항목: 장비비; 금액: 0"),
    ),
    Vector(
        "xlsx: header levels joined, merges filled down, wide ones once",
        "총괄.xlsx",
        _two_levels,
        (
            "## 2026년 예산 총괄표",
            "구분: 인건비; 항목: 고급; 상반기 / 계획: 900; 상반기 / 집행: 0",
            "합계; 상반기 / 계획: 2100",
        ),
        ("합계; 합계", "항목: 합계"),
    ),
    Vector(
        "xlsx: tables beside each other",
        "현황.xlsx",
        _beside,
        ("품목: 서버; 수량: 3 품목: 회선; 수량: 5", "부서: 총무; 인원: 7 부서: 기획; 인원: 9 부서: 감사; 인원: 2"),
        ("수량: 3; 부서",),
    ),
    Vector(
        "xlsx: tables above each other",
        "두표.xlsx",
        lambda: made({"s": [["이름", "나이"], ["김", 30], [], ["담당자"], ["성명", "전화"], ["이", "010-1234-5678"]]}),
        ("이름: 김; 나이: 30", "성명: 이; 전화: 010-1234-5678"),
    ),
    Vector(
        "xlsx: a form is no table",
        "신청서.xlsx",
        _form,
        ("사업명: 기록관리 고도화 | 사업기간: 8개월", "담당자: 김수진 | 연락처: 02-123-4567"),
        ("사업명: 담당자", "기록관리 고도화: 김수진"),
    ),
    Vector(
        "xlsx: what is hidden says so",
        "숨김.xlsx",
        _hidden,
        ("# 보임 [숨긴 행 3] [숨긴 열 B]", "이름: 나; 값: 2", "# 숨김 [숨긴 시트] 숨은 값"),
    ),
    Vector("xlsx: a formula without a value stays", "수식.xlsx", _uncached, ("합계 | =SUM(B2:B9)",)),
    Vector("xlsx: cached values and errors", "값.xlsx", _cached, ("2 | 2건 | #DIV/0! | 7",), ("=1+1", "1/0")),
    Vector(
        "xlsx: rich text, escapes and references",
        "글.xlsx",
        _texts,
        ("굵은 글 | 첫 줄 둘째 줄 | 권한",),
        ("읽는 법", "_x000D_", "&#"),
    ),
    Vector(
        "xlsx: text boxes, chart titles and links in, notes and headers apart",
        "도형.xlsx",
        _over_the_cells,
        ("그림 속 안내문 월별 추이", "신청서 (https://example.com/form)"),
        ("검토자가 남긴 메모", "대외비 머리글"),
    ),
    Vector(
        "xlsx: threaded comments stay apart",
        "의견.xlsx",
        _threaded,
        ("항목: 인건비",),
        ("첫 의견", "답글 의견", "단가를 본다", "이준"),
    ),
    Vector(
        "xlsx: a table that the file names",
        "표.xlsx",
        _named_table,
        ("## 분기별 실적", "2024: 10; 2025: 20", "2024: 30; 2025: 40"),
    ),
    Vector(
        "xlsx: values as a person sees them",
        "서식.xlsx",
        _formats,
        ("비율: 7.5 %; 금액: ₩1,250,000; 일자: 2026년 1월 1일(목); 시간: 36:00; 단위: 15개월",),
    ),
    Vector(
        "xlsx: a header printed again on every page",
        "명단.xlsx",
        lambda: made({"명단": [["이름", "점수"], ["가", 11], ["나", 12], ["이름", "점수"], ["다", 13]]}),
        ("이름: 가; 점수: 11", "이름: 다; 점수: 13"),
        ("이름: 이름",),
    ),
    Vector(
        "xlsx: a crosstab with an empty corner",
        "교차.xlsx",
        lambda: made({"지역": [[None, "1분기", "2분기"], ["서울", 11, 12], ["부산", 13, 14]]}),
        ("부산; 1분기: 13; 2분기: 14",),
    ),
    Vector(
        "xlsx: notes right under a table",
        "주석.xlsx",
        lambda: made({"예산": [["구분", "금액"], ["인건비", 11], ["장비비", 12], ["※ 부가세 별도"]]}),
        ("구분: 장비비; 금액: 12", "※ 부가세 별도"),
        ("구분: ※",),
    ),
    Vector("xlsx: days since 1904", "1904.xlsx", _since_1904, ("마감: 2026-01-01",)),
    Vector("xlsx: lying references, styles and merges", "거짓.xlsx", _lying_places, ("이름", "값", "하나")),
    Vector("xlsx: strict files", "엄격.xlsx", _strict, ("항목: 인건비; 금액: 1,250,000",)),
    Vector("xlsx: macro files", "매크로.xlsm", lambda: _typed_as(MACROS), ("항목: 인건비",)),
    Vector("xlsx: templates", "서식.xltx", lambda: _typed_as(TEMPLATE), ("항목: 인건비",)),
    Vector("xlsx: the older format, with its number formats", "옛.xls", _old, ("비율: 7.5%; 일자: 2026년 1월 1일",)),
    Vector("xlsx: binary workbooks", "이진.xlsb", _binary, category="unsupported", reason="save it as .xlsx"),
    Vector(
        "xlsx: no filled cell",
        "빈.xlsx",
        lambda: made({"빈 시트": []}),
        category="empty",
        reason="no sheet holds a filled cell",
    ),
    Vector("xlsx: cut short", "잘림.xlsx", _cut, category="damaged", reason="damaged or cut short"),
    Vector(
        "xlsx: entities", "위험.xlsx", _entities, category="unsafe_xml", reason="sheet1.xml declares a DTD or entities"
    ),
    Vector("xlsx: a part that swells", "폭탄.xlsx", _bomb, category="too_large", reason="over 64 MB unpacked"),
    Vector("xlsx: a password", "잠금.xlsx", _locked, category="encrypted", reason="a password is needed"),
)
