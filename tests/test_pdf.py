"""PDF files: words in reading order, ruled tables at their place, scans told apart."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import pypdfium2.raw as raw
import pytest
from office_makers import grid, make_pdf, make_scan_pdf
from pdf_makers import drawn, one_page
from reportlab.pdfgen.canvas import Canvas

from pipelines.body import squeezed as body_words
from pipelines.errors import Corrupt, Empty, Encrypted, NeedsOcr, TooLarge
from pipelines.parsers.pdf import parse, parse_date
from pipelines.records import Aside, Block, Cell, Limits, Locator, Parsed

LONG = "본 사업은 공공기관의 문서관리체계를 고도화하고 새로운 검색 서비스를 마련하기 위하여 추진하는 사업으로 " * 3


def read(data: bytes, limits: Limits | None = None) -> Parsed:
    return parse(io.BytesIO(data), "문서.pdf", limits or Limits())


def texts(parsed: Parsed) -> list[str]:
    return [block.text for block in parsed.blocks]


def cells(block: Block) -> list[list[str]]:
    rows: dict[int, list[str]] = {}
    for cell in block.cells:
        rows.setdefault(cell.row, []).append(" ".join(inner.text for inner in cell.blocks))
    return list(rows.values())


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_headings_paragraphs_items_and_tables_come_back() -> None:
    table = grid([["항목", "값"], ["사업기간", "8개월"], ["예산", "상"]])
    blocks = [
        Block("heading", "사업 계획서", level=1),
        Block("paragraph", LONG.strip()),
        Block("heading", "목적", level=2),
        Block("item", "첫째 항목", level=1),
        table,
        Block("paragraph", "표 뒤의 글"),
    ]
    parsed = read(make_pdf(blocks))
    assert [block.kind for block in parsed.blocks] == [block.kind for block in blocks]
    assert [block.level for block in parsed.blocks] == [block.level for block in blocks]
    assert squeezed(parsed.blocks[1].text) == squeezed(LONG)
    assert cells(parsed.blocks[4]) == [["항목", "값"], ["사업기간", "8개월"], ["예산", "상"]]
    assert {block.locator.page for block in parsed.blocks} == {1}


def test_the_document_says_who_and_when() -> None:
    modified = datetime(2026, 3, 1, 9, tzinfo=UTC)
    parsed = read(make_pdf([Block("paragraph", "글")], title="계획", author="김수진", modified=modified))
    assert (parsed.title, parsed.author) == ("계획", "김수진")
    assert (parsed.modified_at, parsed.clock, parsed.pages) == (modified, "pdf:ModDate", 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("D:20260301180000+09'00'", datetime(2026, 3, 1, 9, tzinfo=UTC)),
        ("D:20260301090000Z", datetime(2026, 3, 1, 9, tzinfo=UTC)),
        ("D:2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("D:20261399", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_are_aware_utc(text: str, expected: datetime | None) -> None:
    assert parse_date(text) == expected


def test_running_headers_and_footers_leave_and_are_counted() -> None:
    blocks = [Block("paragraph", " ".join(f"{word}{n * n}호를 살핀다" for word in LONG.split())) for n in range(20)]
    parsed = read(make_pdf(blocks, header="대외비 사업계획서", footer="쪽"))
    assert (parsed.pages or 0) >= 3
    assert "대외비" not in "".join(texts(parsed))
    assert parsed.asides == {"header": parsed.pages, "footer": parsed.pages}
    assert parsed.apart == (
        Aside("header", "대외비 사업계획서", Locator(page=1)),
        Aside("footer", "쪽 1", Locator(page=1)),
    )
    assert squeezed("".join(texts(parsed))) == squeezed("".join(block.text for block in blocks))


def test_the_same_heading_on_every_page_stays() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 20)
        canvas.drawString(72, 780, "1. Results")
        canvas.setFont("Helvetica", 10)
        for row in range(20):
            canvas.drawString(72, 700 - 20 * row, f"Line {row} of page {canvas.getPageNumber()}")

    assert texts(read(drawn(page, page, page))).count("1. Results") == 3


def test_a_table_over_two_pages_says_its_header_once_and_keeps_the_pages_of_its_rows() -> None:
    rows = [["번호", "이름"], *([f"{n}", f"요구사항 {n}번"] for n in range(1, 60))]
    parsed = read(make_pdf([grid(rows)]))
    first, second = (cells(block) for block in parsed.blocks)
    assert [block.locator.page for block in parsed.blocks] == [1, 2]
    assert (second[0], first + second[1:]) == (rows[0], rows)
    assert body_words(parsed.blocks) == "".join("".join(row) for row in rows).replace(" ", "")


def test_merged_cells_keep_their_spans() -> None:
    merged = (
        Cell(0, 0, (Block("paragraph", "구분"),), 2, 1),
        Cell(0, 1, (Block("paragraph", "금액"),), 1, 2),
        Cell(1, 1, (Block("paragraph", "10"),)),
        Cell(1, 2, (Block("paragraph", "20"),)),
    )
    assert read(make_pdf([Block("table", cells=merged)])).blocks[0].cells == merged


def test_rows_of_a_table_without_rules_stay_apart() -> None:
    def page(canvas: Canvas) -> None:
        for row in range(4):
            for column, text in enumerate((f"Region number {row}", "47,824,589", "9,967,837")):
                canvas.drawString(72 + 160 * column, 700 - 12 * row, text)

    assert len(read(drawn(page)).blocks) == 4


def test_shading_behind_a_paragraph_makes_no_cells() -> None:
    def page(canvas: Canvas) -> None:
        for offset in (0, 100, 200):
            canvas.line(100 + offset, 500, 100 + offset, 700)
            canvas.line(100, 500 + offset, 300, 500 + offset)
        for x, y, text in ((110, 650, "aa"), (210, 650, "bb"), (110, 550, "cc"), (210, 550, "dd")):
            canvas.setFillGray(0.9)
            canvas.rect(x - 4, y - 6, 80, 20, stroke=0, fill=1)
            canvas.setFillGray(0)
            canvas.drawString(x, y, text)

    assert cells(read(drawn(page)).blocks[0]) == [["aa", "bb"], ["cc", "dd"]]


def test_rules_that_cut_words_are_decoration() -> None:
    def page(canvas: Canvas) -> None:
        for offset in (0, 100, 200):
            canvas.line(100 + offset, 500, 100 + offset, 700)
            canvas.line(100, 500 + offset, 300, 500 + offset)
        canvas.drawString(150, 650, "A long headline over the rules")
        canvas.drawString(110, 550, "Below")

    assert [block.kind for block in read(drawn(page)).blocks] == ["paragraph", "paragraph"]


def test_a_page_repeated_throughout_keeps_its_words() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Hello world")

    assert texts(read(drawn(page, page, page))) == ["Hello world"] * 3


def test_a_frame_around_one_paragraph_is_no_table() -> None:
    def page(canvas: Canvas) -> None:
        canvas.rect(60, 600, 300, 60)
        canvas.rect(70, 610, 280, 40)
        canvas.drawString(80, 630, "Notice in a frame")

    assert read(drawn(page)).blocks[0].kind == "paragraph"


def test_single_characters_in_a_font_without_outlines_are_kept() -> None:
    assert "값" in "".join(texts(read(make_pdf([Block("paragraph", "값"), Block("paragraph", "둘째 줄")]))))


def test_text_outside_the_page_is_left_out() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "shown")
        canvas.drawString(72, 2000, "hidden")

    assert texts(read(drawn(page))) == ["shown"]


def test_a_page_size_that_stands_in_the_page_tree_counts() -> None:
    content = b"BT /F1 20 Tf 60 800 Td (top left) Tj 700 -300 Td (far right) Tj ET"
    data = one_page(content, box=b"/MediaBox [0 0 1190 842]")
    assert texts(read(data)) == ["top left", "far right"]


def test_filled_in_form_values_are_words() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Name:")
        canvas.acroForm.textfield(name="name", value="Kim Sujin", x=120, y=690, width=200, height=20)

    assert "Kim Sujin" in " ".join(texts(read(drawn(page))))


def test_a_turned_page_keeps_its_table() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        for offset in (0, 100, 200):
            canvas.line(100 + offset, 100, 100 + offset, 300)
            canvas.line(100, 100 + offset, 300, 100 + offset)
        for x, y, text in ((110, 250, "aa"), (210, 250, "bb"), (110, 150, "cc"), (210, 150, "dd")):
            canvas.drawString(x, y, text)

    table = read(drawn(page)).blocks[0]
    assert sorted(text for row in cells(table) for text in row) == ["aa", "bb", "cc", "dd"]


def test_a_scan_needs_ocr_and_a_mixed_file_names_its_pages() -> None:
    with pytest.raises(NeedsOcr):
        read(make_scan_pdf(2))

    def scan(canvas: Canvas) -> None:
        from PIL import Image
        from reportlab.lib.utils import ImageReader

        canvas.drawImage(ImageReader(Image.new("L", (50, 70), 128)), 0, 0, 595, 842)

    def page(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "a page with words")

    parsed = read(drawn(scan, page))
    assert (parsed.ocr_pages, parsed.pages, texts(parsed)) == ((1,), 2, ["a page with words"])


def test_a_damaged_title_loses_its_damage_alone() -> None:
    title = "\ufeff계획\ud83d서".encode("utf-16-be", "surrogatepass").hex().encode()
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    data = one_page(b"BT /F1 12 Tf 72 700 Td (Text) Tj ET", font, b"<< /Title <" + title + b"> >>")
    assert read(data.replace(b"trailer << ", b"trailer << /Info 6 0 R ")).title == "계획서"


def test_a_number_that_no_character_has_is_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    told = raw.FPDFText_GetUnicode
    monkeypatch.setattr(raw, "FPDFText_GetUnicode", lambda page, index: told(page, index) if index else 0xFFFFFFF0)
    assert texts(read(drawn(lambda canvas: canvas.drawString(72, 700, "A long enough line")))) == [
        "\ufffd long enough line"
    ]


def test_files_that_cannot_be_used_say_why() -> None:
    whole = make_pdf([Block("paragraph", "글")])
    with pytest.raises(Encrypted):
        read(make_pdf([Block("paragraph", "글")], password="u1234"))
    with pytest.raises(Corrupt):
        read(b"%PDF-1.7 and nothing more")
    with pytest.raises(Empty):
        read(b"")
    with pytest.raises(Empty):
        read(drawn(lambda canvas: None))
    with pytest.raises(TooLarge):
        read(drawn(*[lambda canvas: canvas.drawString(9, 9, "x")] * 3), Limits(pages=2))
    assert read(whole).pages == 1


def test_a_file_without_pages_is_damaged_also_after_an_encrypted_one() -> None:
    with pytest.raises(Encrypted):
        read(make_pdf([Block("paragraph", "글")], password="u1234"))
    with pytest.raises(Corrupt):
        read(make_pdf([Block("paragraph", "글")]).replace(b"/Pages ", b"/Pagez "))


@pytest.mark.cases
def test_a_lying_page_count_ends(cases_dir: Path) -> None:
    parsed = read((cases_dir / "formats/pdf/syn_claims_100000_pages.pdf").read_bytes())
    assert (texts(parsed), parsed.pages) == (["One real page"], 1)


@pytest.mark.cases
@pytest.mark.parametrize("name", ["syn_ko_two_column", "syn_ko_table_2page", "syn_ko_table_unruled"])
def test_expected_texts_are_found_in_order(cases_dir: Path, name: str) -> None:
    folder = cases_dir / "formats/pdf"
    parsed = read((folder / f"{name}.pdf").read_bytes())
    inner = [block.text + "".join(text for row in cells(block) for text in row) for block in parsed.blocks]
    found = squeezed("".join(inner))
    position = 0
    for line in (folder / f"{name}.expected.txt").read_text(encoding="utf-8").splitlines():
        position = found.find(squeezed(line), position)
        assert position >= 0, line
