"""What an HWPML document must and must not say, one small made file a promise."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from vector import Vector

NUMBERING = (
    '<MAPPINGTABLE><NUMBERINGLIST><NUMBERING Id="1"><PARAHEAD Level="1" NumFormat="Digit">제^1조</PARAHEAD><PARAHEAD '
    'Level="2" NumFormat="CircledDigit">^2</PARAHEAD></NUMBERING></NUMBERINGLIST><PARASHAPELIST><PARASHAPE Id="0" '
    'HeadingType="None"/><PARASHAPE Id="1" HeadingType="Outline" Level="0"/><PARASHAPE Id="2" HeadingType="Number" '
    'Heading="1" Level="1"/></PARASHAPELIST></MAPPINGTABLE>'
)


def char(words: str) -> str:
    """Return the words of a run."""
    return f"<CHAR>{words}</CHAR>"


def paragraph(*items: str, shape: int = 0) -> str:
    """Return a paragraph around ready items of its text."""
    return f'<P ParaShape="{shape}"><TEXT>{"".join(items)}</TEXT></P>'


def listed(words: str) -> str:
    """Return a paragraph list of one paragraph."""
    return f"<PARALIST>{paragraph(char(words))}</PARALIST>"


def table(*rows: str, caption: str = "") -> str:
    """Return a table; the cells of a row are parted by "|"."""
    lines = "".join(
        "<ROW>"
        + "".join(
            f'<CELL RowAddr="{row}" ColAddr="{col}">{listed(cell)}</CELL>' for col, cell in enumerate(line.split("|"))
        )
        + "</ROW>"
        for row, line in enumerate(rows)
    )
    holder = f"<SHAPEOBJECT><CAPTION>{listed(caption)}</CAPTION></SHAPEOBJECT>" if caption else ""
    return f"<TABLE>{holder}{lines}</TABLE>"


def document(*paragraphs: str, encoding: str = "utf-8", prologue: str = "") -> bytes:
    """Return a document of one section."""
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="no" ?>{prologue}<HWPML Style="embed" Version="2.91"><HEAD>'
        f"<DOCSUMMARY><TITLE>운영 규정</TITLE><DATE>2019년 9월 6일 금요일 오후 5:03:01</DATE></DOCSUMMARY>{NUMBERING}"
        f'</HEAD><BODY><SECTION Id="0">{"".join(paragraphs)}</SECTION></BODY></HWPML>'
    ).encode(encoding)


def vector(
    name: str,
    make: Callable[[], bytes],
    must: tuple[str, ...] = (),
    never: tuple[str, ...] = (),
    category: str = "",
    reason: str = "",
) -> Vector:
    """Return a vector of this format."""
    return Vector(f"hml: {name}", f"{name.replace(' ', '_')}.hml", make, must, never, category, reason)


BOX = f"<RECTANGLE><DRAWINGOBJECT><DRAWTEXT>{listed('상자 글')}</DRAWTEXT></DRAWINGOBJECT></RECTANGLE>"
FORMS = (
    "<CHECKBUTTON><FORMOBJECT><BUTTONSET Caption='동의함' Value='CHECKED'/></FORMOBJECT></CHECKBUTTON>",
    "<COMBOBOX Text='기획과'/>", "<EDIT><EDITTEXT>홍길동</EDITTEXT></EDIT>",
    "<EDIT PasswordChar='*'><EDITTEXT>비밀1234</EDITTEXT></EDIT>",
)  # fmt: skip
LINK = (
    "<FIELDBEGIN Type='Hyperlink' Command='https\\://example.com/a;1;0;0;'/>", char("공고"), "<FIELDEND/>",
)  # fmt: skip
DELETED = (
    paragraph(char("남은 앞<DELETEBEGIN Id='1'/>지워진 글")), paragraph(char("지워진 끝<DELETEEND Id='1'/> 남은 뒤")),
)  # fmt: skip

VECTORS: tuple[Vector, ...] = (
    vector(
        "numbers and headings are rebuilt",
        partial(
            document,
            paragraph("<SECDEF OutlineShape='1'/>", char("목적"), shape=1),
            paragraph(char("항목 하나"), shape=2),
            paragraph(char("항목 둘"), shape=2),
            paragraph(char("적용"), shape=1),
        ),
        ("# 제1조 목적", "① 항목 하나", "② 항목 둘", "# 제2조 적용"),
    ),
    vector(
        "tables keep captions and cells",
        partial(document, paragraph(table("품목|금액", "서버|1,250,000", caption="표 1 예산"))),
        ("표 1 예산", "| 품목 | 금액 |", "1,250,000"),
    ),
    vector("a box of one cell is text", partial(document, paragraph(table("알림 상자"))), ("알림 상자",), ("| 알림",)),
    vector(
        "boxes and notes follow their paragraph",
        partial(document, paragraph(char("앞 문단"), BOX, f"<FOOTNOTE>{listed('각주 글')}</FOOTNOTE>")),
        ("앞 문단", "[^1]: 각주 글", "상자 글"),
    ),
    vector(
        "headers memos and comments stay apart",
        partial(
            document,
            paragraph(
                char("본문"),
                f"<SECDEF><MASTERPAGE>{listed('바탕 글')}</MASTERPAGE></SECDEF>",
                f"<HEADER>{listed('머리 글')}</HEADER>",
                f"<FOOTER>{listed('꼬리 글')}</FOOTER>",
                f"<FIELDBEGIN Type='Memo'>{listed('메모 글')}</FIELDBEGIN>",
                f"<HIDDENCOMMENT>{listed('숨은 글')}</HIDDENCOMMENT>",
            ),
        ),
        ("본문",),
        ("바탕 글", "머리 글", "꼬리 글", "메모 글", "숨은 글"),
    ),
    vector(
        "a link keeps its address", partial(document, paragraph(*LINK)), ("공고 (https://example.com/a)",), (";1;0",)
    ),
    vector(
        "form objects show answers and no password",
        partial(document, paragraph(*FORMS)),
        ("☑ 동의함", "기획과", "홍길동"),
        ("비밀1234",),
    ),
    vector(
        "deletions across paragraphs are left out", partial(document, *DELETED), ("남은 앞", "남은 뒤"), ("지워진",)
    ),
    vector(
        "an equation is its script",
        partial(document, paragraph("<EQUATION><SCRIPT>a over b</SCRIPT></EQUATION>")),
        ("a over b",),
    ),
    vector(
        "tabs breaks and blanks part words",
        partial(document, paragraph(char("이름<TAB/>홍길동<LINEBREAK/>부서<NBSPACE/>총무<FWSPACE/>과 에프<HYPEN/>오"))),
        ("이름 홍길동", "부서 총무 과", "에프-오"),
    ),
    vector(
        "utf-16 is read",
        partial(document, paragraph(char("유니코드 열여섯 비트 문서")), encoding="utf-16"),
        ("유니코드 열여섯 비트 문서",),
    ),
    vector(
        "cp949 bytes that call themselves utf-8 are read",
        partial(document, paragraph(char("똠방각하의 결재 문서를 보내 드립니다")), encoding="cp949"),
        ("똠방각하의 결재 문서",),
    ),
    vector(
        "words only in notes are kept",
        partial(document, paragraph(f"<ENDNOTE>{listed('미주뿐')}</ENDNOTE>")),
        ("미주뿐",),
    ),
    vector(
        "only headers is empty",
        partial(document, paragraph(f"<HEADER>{listed('머리')}</HEADER>")),
        category="empty",
        reason="words only in headers",
    ),
    vector(
        "only pictures needs recognition",
        partial(document, paragraph("<PICTURE/>")),
        category="needs_ocr",
        reason="recognise the text",
    ),
    vector(
        "laughs are unsafe",
        partial(document, prologue='<!DOCTYPE HWPML [<!ENTITY b "c">]>'),
        category="unsafe_xml",
        reason="declares a DTD or entities",
    ),
    vector(
        "a document without section is damaged",
        lambda: b"<HWPML><HEAD/><BODY/></HWPML>",
        category="damaged",
        reason="no section",
    ),
    vector(
        "cut xml is damaged",
        lambda: document(paragraph(char("가")))[:-20],
        category="damaged",
        reason="not well-formed XML",
    ),
)
