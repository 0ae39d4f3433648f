"""Rich documents, one a format, whose text versions are kept word for word under golden/ (test_golden.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime

from hwp5_writer import write_hwp
from hwpx_writer import write_hwpx
from office_makers import Slide, grid, make_docx, make_pdf, make_pptx
from sheet_makers import Rows, edited, make_eml, make_xlsx

from pipelines.records import Block, Cell

NIGHT = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)
RULES = "재택근무 운영 규정"


def text(words: str) -> Block:
    return Block("paragraph", words)


def cell(row: int, col: int, words: str, rows: int = 1, cols: int = 1) -> Cell:
    return Cell(row, col, (text(words),), rows, cols)


def box(*words: str) -> Block:
    return Block("table", cells=(Cell(0, 0, tuple(map(text, words))),))


LIMITS = grid(
    [
        ["구분", "대상", "한도"],
        ["상시", "개발본부 | 연구소", "주 3일"],
        ["수시", "전 직원", "월 4일"],
        ["긴급", "팀장 승인", "제한 없음"],
    ]
)
# Two header rows over columns, a first column that spans rows, an empty cell.
COSTS = Block(
    "table",
    cells=(
        cell(0, 0, "지원 항목", rows=2),
        cell(0, 1, "2026년(단위: 원)", cols=2),
        cell(1, 1, "상반기"),
        cell(1, 2, "하반기"),
        cell(2, 0, "통신비"),
        cell(2, 1, "30,000"),
        cell(2, 2, "35,000"),
        cell(3, 0, "장비"),
        cell(3, 1, "노트북 & 모니터 <1대>", cols=2),
        cell(4, 0, "합계"),
        cell(4, 1, "1,250,000"),
        cell(4, 2, ""),
    ),
    header_rows=2,
)
NESTED = Block(
    "table",
    cells=(
        cell(0, 0, "점검"),
        cell(0, 1, "세부"),
        cell(1, 0, "보안 점검"),
        Cell(1, 1, (text("아래 표를 따른다."), grid([["항목", "주기"], ["VPN", "매일"], ["백신", "매주"]]))),
    ),
)


def rules(nested: bool = True) -> list[Block]:
    """Return a set of rules as an office writes it: chapters, articles, lists, a box, three tables, two notes."""
    return [
        Block("heading", RULES, level=1),
        text("시행 2026. 9. 1. 인사팀"),
        Block("heading", "총칙", level=2, number="제1장"),
        text("제1조(목적) 이 규정은 재택근무(Remote Work)의 운영에 필요한 사항을 정한다."),
        Block("note", "사무실 밖에서 하는 모든 근무를 말한다.", number="1"),
        text("제2조(신청) 신청인은 다음 각 호를 갖추어 근무일 3일 전까지 신청한다.\n기한이 지나면 다음 주로 넘긴다."),
        Block("item", "신청서 1부", level=1, number="1."),
        Block("item", "업무 계획(Work Plan)", level=1, number="2."),
        Block("item", "주간 목표", level=2, number="가."),
        Block("item", "연락 가능한 시간", level=2, number="나."),
        Block("item", "보안 서약서를 낸 사람은 제외한다", level=1),
        Block("heading", "한도와 지원", level=2, number="제2장"),
        text("제3조(한도) 근무 형태마다 한도는 다음과 같다."),
        LIMITS,
        text("제4조(비용) 회사는 아래 비용을 지원한다."),
        Block("note", "부가가치세를 포함한다.", number="2"),
        COSTS,
        box("※ 주의", "공용 와이파이에서는 반드시 VPN을 켠다."),
        *([NESTED] if nested else []),
        Block("heading", "부칙", level=2, number="제3장"),
        text("이 규정은 2026년 9월 1일부터 시행한다. 끝."),
    ]


def hwp() -> bytes:
    return write_hwp(rules(), title=RULES, author="김새로", modified=NIGHT, outline_numbers=("", "제^2장"))


def hwpx() -> bytes:
    return write_hwpx(rules(), title=RULES, author="김새로", modified=NIGHT, outline_numbers=("", "제^2장"))


_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_LEVELS = (("decimal", "제%1조"), ("ganada", "%2."), ("decimalEnclosedCircle", "%3"))


def docx() -> bytes:
    """Articles numbered by Word, words inserted and deleted while changes were tracked, a comment's place, a link."""
    blocks = [block for block in rules() if not block.text.startswith(("제2조", "제3조")) and block.kind != "item"]
    made = make_docx(blocks, title=RULES, author="김새로", modified=NIGHT)
    last = "<w:t>이 규정은 2026년 9월 1일부터 시행한다. 끝.</w:t></w:r></w:p>"
    added = f'<w:ins w:id="1" w:author="김새로">{_run("와 지사")}</w:ins>'
    removed = '<w:del w:id="2" w:author="김새로"><w:r><w:delText>폐지된 지점</w:delText></w:r></w:del>'
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>숨긴 말</w:t></w:r>"
    articles = "".join(
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="77"/></w:numPr></w:pPr>{runs}</w:p>'
        for level, runs in (
            (0, _run("(적용) 별표에 따른다.")),
            (1, _run("본사") + added),
            (1, removed + _run("연구소")),
            (2, _run("출장자")),
            (2, hidden + _run("파견자")),
            (0, _run("(문의) People Team에 묻는다.")),
        )
    )
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{shape}"/></w:lvl>'
        for level, (kind, shape) in enumerate(_LEVELS)
    )
    numbering = (
        f'<w:abstractNum xmlns:w="{_W}" w:abstractNumId="77">{levels}</w:abstractNum>',
        '<w:num w:numId="77"><w:abstractNumId w:val="77"/></w:num></w:numbering>',
    )
    return edited(
        made,
        {
            "word/document.xml": [(last, last + articles)],
            "word/numbering.xml": [
                ('<w:num w:numId="1"', numbering[0] + '<w:num w:numId="1"'),
                ("</w:numbering>", numbering[1]),
            ],
        },
    )


def _run(words: str) -> str:
    return f"<w:r><w:t>{words}</w:t></w:r>"


def pptx() -> bytes:
    slides = [
        Slide("결제 서비스 소개", (text("Payment Service Overview"), text("2026년 9월, 새벽상회")), cover=True),
        Slide(
            "도입 효과",
            (
                Block("item", "정산 시간 단축", level=1),
                Block("item", "하루 2시간에서 10분으로", level=2),
                Block("item", "오류 감소 (Error Rate 0.3%)", level=1),
                LIMITS,
            ),
            notes="질문이 나오면 지난 분기 자료를 보여 준다.",
        ),
        Slide("비용", (text("단위: 원, 부가세 별도"), COSTS)),
        Slide("예비", (text("발표하지 않는 쪽"),), hidden=True),
    ]
    flat = '<a:pPr><a:defRPr sz="1600"/></a:pPr><a:r><a:t>'
    real = '<a:pPr lvl="{}"><a:buChar char="•"/></a:pPr><a:r><a:t>'
    bullets = [("정산 시간 단축", 0), ("하루 2시간에서 10분으로", 1), ("오류 감소 (Error Rate 0.3%)", 0)]
    changes = [(f"{flat}• {words}", f"{real.format(level)}{words}") for words, level in bullets]
    made = make_pptx(slides, title="결제 서비스 소개", author="김새로", modified=NIGHT)
    return edited(made, {"ppt/slides/slide2.xml": changes})


def xlsx() -> bytes:
    plan: Rows = [
        ["2026년 하반기 예산", None, None, None],
        [None, None, None, None],
        ["부서", "항목", "금액", "승인일"],
        ["개발본부", "서버 (Cloud)", 1250000, date(2026, 7, 1)],
        [None, "교육", 0, date(2026, 8, 15)],
        ["영업팀", "출장 & 접대", 300000, None],
        ["합계", None, "=SUM(C4:C6)", None],
    ]
    contacts: Rows = [["이름", "전화", "메모"], ["김새로", "02-1234-5678", "오전만\n가능"], ["Lee", "+82 10", None]]
    made = make_xlsx({"예산": plan, "연락처": contacts}, title="하반기 예산", modified=NIGHT)
    changes = [
        ("<f>SUM(C4:C6)</f><v>0</v>", "<f>SUM(C4:C6)</f><v>1550000</v>"),
        ("</sheetData>", '</sheetData><mergeCells count="1"><mergeCell ref="A4:A5"/></mergeCells>'),
    ]
    return edited(made, {"xl/worksheets/sheet1.xml": changes})


def pdf() -> bytes:
    """Two pages, so that what stands on both is seen to be a header and a footer."""
    answers = [
        text(f"{n}번 물음의 답은 {n + 2}쪽에 있으며, 담당은 {'김이박최'[n % 4]} 대리이다.") for n in range(1, 21)
    ]
    blocks = [*rules(nested=False), Block("heading", "자주 묻는 것(FAQ)", level=2), *answers]
    return make_pdf(blocks, title=RULES, author="김새로", modified=NIGHT, header="새벽상회 인사팀", footer="쪽")


def eml() -> bytes:
    lines = [
        "안녕하세요, 김새로입니다.",
        "",
        "회의 시간을 아래처럼 바꿉니다.",
        "- 9월 1일(화) 오전 10시",
        "- 장소: 3층 회의실 (Room 3A)",
        "",
        "확인 부탁드립니다.",
        "",
        "2026년 8월 31일 (월) 오후 3:00, 박하나 <hana@example.com>님이 작성:",
        "> 내일 회의는 몇 시인가요?",
        "> 자료도 부탁드려요.",
    ]
    sheet = [("회의자료.txt", "첨부한 자료의 글\n".encode())]
    people = ("김새로 <saero@example.com>", "박하나 <hana@example.com>")
    return make_eml("회의 시간 변경", *people, NIGHT, "\n".join(lines) + "\n", attachments=sheet)


def html() -> bytes:
    return """<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><title>배포 절차 | 사내 위키</title>
<style>p { color: red }</style><script>var hidden = "스크립트";</script></head>
<body><nav><a href="/">처음으로</a> <a href="/wiki">위키</a></nav>
<main><h1>배포 절차</h1>
<p>서비스는 <b>매주 화요일</b>에 배포한다.<br>
긴급 배포(Hotfix)는 <a href="https://example.com/hotfix">절차</a>를 따른다.</p>
<h2>순서</h2>
<ol><li>점검표를 채운다.<ul><li>데이터베이스</li><li>캐시 &amp; 큐</li></ul></li><li>승인을 받는다.</li></ol>
<h2>담당</h2>
<table><caption>담당자 표</caption><thead><tr><th>팀</th><th>담당</th></tr></thead>
<tbody><tr><td>결제</td><td>김새로</td></tr><tr><td>정산</td><td>Lee</td></tr></tbody></table>
<table><tr><th rowspan="2">환경</th><th colspan="2">시간</th></tr><tr><th>시작</th><th>끝</th></tr>
<tr><td>개발</td><td>09:00</td><td>10:00</td></tr></table>
<pre>git fetch
  git checkout v1.2</pre>
<blockquote>되돌리기는 5분 안에 한다.</blockquote>
<p hidden>보이지 않는 글</p><p style="display:none">이것도 보이지 않는다</p>
<table><tr><td>※ 배포 중에는 문의를 받지 않는다.</td></tr></table>
</main><footer>저작권 새벽상회</footer></body></html>
""".encode()


DOCUMENTS: Mapping[str, Callable[[], bytes]] = {
    "재택근무.hwp": hwp,
    "재택근무.hwpx": hwpx,
    "재택근무.docx": docx,
    "소개.pptx": pptx,
    "예산.xlsx": xlsx,
    "재택근무.pdf": pdf,
    "회의.eml": eml,
    "배포.html": html,
}
