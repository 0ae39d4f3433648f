"""PDF vectors: the promises of docs/formats.md, one small file each."""

from __future__ import annotations

from office_makers import grid, make_pdf, make_scan_pdf
from pdf_makers import Draw, drawn, lines, one_page, rules, together, upright, with_map, without_map, written
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from vector import Vector

from pipelines.records import Block

_PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>"


def _sentences(page: int) -> list[str]:
    return [f"{page}쪽의 {n}번 일을 마쳤다." for n in range(30)]


def _headed(page: int) -> Draw:
    return together(lines(["대외비 사업계획서"], y=810), lines(_sentences(page)), lines([f"- {page} -"], y=30))


def _columns(canvas: Canvas) -> None:
    lines(["왼쪽 첫째 줄이다.", "왼쪽 끝줄이다."], x=60)(canvas)
    lines(["오른쪽 첫째 줄이다.", "오른쪽 끝줄이다."], x=320)(canvas)


def _white(canvas: Canvas) -> None:
    lines(["보이는 글이다."])(canvas)
    canvas.setFillGray(1)
    lines(["숨긴 글이다."], y=700)(canvas)


def _unseen(canvas: Canvas) -> None:
    lines(["보이는 글이다."])(canvas)
    ink = canvas.beginText(72, 700)
    ink.setTextRenderMode(3)
    ink.textLine("투명한 글이다.")
    canvas.drawText(ink)
    lines(["티끌만 한 글이다."], y=600, size=0.5)(canvas)


def _blackened(canvas: Canvas) -> None:
    lines(["담당자는 다음과 같다."])(canvas)
    lines(["가려진 이름이다."], y=700)(canvas)
    canvas.rect(60, 690, 300, 30, fill=1)


def _contract(party: str) -> Draw:
    return lines(["용역 계약서", "갑: 가나다 주식회사", f"을: {party}", "위와 같이 계약한다.", "수량", "1"], y=700)


def _form(canvas: Canvas) -> None:
    canvas.drawString(72, 700, "Name:")
    canvas.acroForm.textfield(name="name", value="Kim Sujin", x=120, y=690, width=200, height=20)


def _scan(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (50, 70), 128)), 0, 0, 595, 842)


def _heavy(canvas: Canvas) -> None:
    for shift in (0, 0.3, 0.6):
        lines(["굵게 흉내낸 제목"], x=72 + shift)(canvas)


def _open_sided(canvas: Canvas) -> None:
    rules([60, 160, 260], [780, 750, 720, 690], down=[160])(canvas)
    for row, (left, right) in enumerate((("구분", "개정"), ("분류", "일급"), ("기준", "격리"))):
        lines([left], x=70, y=760 - 30 * row)(canvas)
        lines([right], x=170, y=760 - 30 * row)(canvas)


def _crossed_over() -> list[Draw]:
    broken = "공공기관의 문서를 한곳에 모아 찾는 일이 저마다 다르게 된 까닭을 살피"
    return [lines([*_sentences(1), broken]), lines(["면 원본이 흩어져 있었다.", *_sentences(2)])]


VECTORS: tuple[Vector, ...] = (
    Vector(
        "pdf: headings, paragraphs and a ruled table at its place",
        "계획.pdf",
        lambda: make_pdf(
            [
                Block("heading", "사업 계획서", level=1),
                Block("paragraph", "표 앞의 글이다."),
                grid([["항목", "값"], ["예산", "1,250,000"]]),
                Block("paragraph", "표 뒤의 글이다."),
            ],
            title="문서 제목",
        ),
        ("# 사업 계획서", "표 앞의 글이다. | 항목 | 값 |", "| 예산 | 1,250,000 | 표 뒤의 글이다."),
        ("예산 1,250,000",),
    ),
    Vector(
        "pdf: headers, footers and page numbers",
        "쪽.pdf",
        lambda: drawn(*map(_headed, (1, 2, 3))),
        ("1쪽의 29번 일을 마쳤다. 2쪽의 0번 일을 마쳤다.",),
        ("대외비", "- 2 -"),
    ),
    Vector("pdf: columns", "단.pdf", lambda: drawn(_columns), ("왼쪽 끝줄이다. 오른쪽 첫째 줄이다.",)),
    Vector("pdf: a paragraph over a page", "문단.pdf", lambda: drawn(*_crossed_over()), ("까닭을 살피면 원본이",)),
    Vector(
        "pdf: a title that is drawn last",
        "순서.pdf",
        lambda: drawn(together(lines(["본문 첫 줄이다."], y=700), lines(["하반기 예산안"], y=780))),
        ("하반기 예산안 본문 첫 줄이다.",),
    ),
    Vector(
        "pdf: vertical writing",
        "세로.pdf",
        lambda: drawn(upright(["첫째 단이다.", "둘째 단이다."])),
        ("첫째 단이다. 둘째 단이다.",),
    ),
    Vector(
        "pdf: a table without borders at its sides",
        "표.pdf",
        lambda: drawn(_open_sided),
        ("| 구분 | 개정 |", "| 분류 | 일급 |", "| 기준 | 격리 |"),
    ),
    Vector("pdf: white text on white", "흰.pdf", lambda: drawn(_white), ("보이는 글이다.",), ("숨긴",)),
    Vector(
        "pdf: invisible and tiny print",
        "투명.pdf",
        lambda: drawn(_unseen),
        ("보이는 글이다.",),
        ("투명", "티끌"),
    ),
    Vector("pdf: text under a box", "가림.pdf", lambda: drawn(_blackened), ("담당자는 다음과 같다.",), ("가려진",)),
    Vector(
        "pdf: pages that begin and end alike",
        "계약.pdf",
        lambda: drawn(_contract("홍길동"), _contract("김철수")),
        (
            "용역 계약서 갑: 가나다 주식회사 을: 홍길동 위와",
            "수량 1 용역 계약서",
            "을: 김철수 위와 같이 계약한다. 수량 1",
        ),
    ),
    Vector(
        "pdf: text outside the page",
        "밖.pdf",
        lambda: drawn(together(lines(["안쪽 글이다."]), lines(["바깥 글이다."], y=2000))),
        ("안쪽 글이다.",),
        ("바깥",),
    ),
    Vector("pdf: form values", "서식.pdf", lambda: drawn(_form), ("Name:", "Kim Sujin")),
    Vector("pdf: heavy print by drawing twice", "굵게.pdf", lambda: drawn(_heavy), ("굵게 흉내낸 제목",), ("굵굵",)),
    Vector(
        "pdf: decomposed Hangul, ligatures, signs of symbol fonts and broken surrogates",
        "글자.pdf",
        lambda: with_map(["1112", "1161", "11AB", "FB01", "F0E0", "D800", "0041"]),
        ("한", "fi", "→", "A"),
        ("ﬁ", "\uf0e0"),
    ),
    Vector(
        "pdf: a page of words among scanned ones",
        "섞임.pdf",
        lambda: drawn(_scan, lines(["글자가 있는 쪽이다."])),
        ("글자가 있는 쪽이다.",),
    ),
    Vector("pdf: a scan", "스캔.pdf", lambda: make_scan_pdf(2), category="needs_ocr", reason="turn [ocr] on"),
    Vector(
        "pdf: a font without characters",
        "글꼴.pdf",
        lambda: without_map(range(0x30, 0x60)),
        category="needs_ocr",
        reason="turn [ocr] on",
    ),
    Vector(
        "pdf: blank pages", "빈.pdf", lambda: drawn(lambda canvas: None), category="empty", reason="the pages are blank"
    ),
    Vector(
        "pdf: a password",
        "암호.pdf",
        lambda: make_pdf([Block("paragraph", "글")], password="u1234"),
        category="encrypted",
        reason="save a copy without one",
    ),
    Vector(
        "pdf: cut short", "잘림.pdf", lambda: drawn(lines(["글"]))[:300], category="damaged", reason="export it again"
    ),
    Vector(
        "pdf: a page tree that holds itself",
        "고리.pdf",
        lambda: written(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 5 >>"),
        category="damaged",
        reason="no page of the PDF can be loaded",
    ),
    Vector(
        "pdf: no pages",
        "쪽없음.pdf",
        lambda: written(b"<< /Type /Catalog >>"),
        category="damaged",
        reason="export it again",
    ),
    Vector(
        "pdf: more pages than anyone reads",
        "만쪽.pdf",
        lambda: written(
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 5001 /Kids [" + b"3 0 R " * 5001 + b"] >>",
            _PAGE,
        ),
        category="too_large",
        reason="5001 pages, over the limit of 5000",
    ),
    Vector(
        "pdf: a page count that lies",
        "거짓.pdf",
        lambda: one_page(b"BT /F1 12 Tf 72 700 Td (One real page) Tj ET").replace(b"/Count 1 ", b"/Count 9 "),
        ("One real page",),
    ),
    Vector(
        "pdf: bytes before the header",
        "앞.pdf",
        lambda: b"junk\n" + one_page(b"BT /F1 12 Tf 72 700 Td (Still read) Tj ET"),
        ("Still read",),
    ),
)
