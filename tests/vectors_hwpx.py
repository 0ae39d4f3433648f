"""What an HWPX document must and must not say, one small made file a promise."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from hwpx_writer import hwpx_cells, hwpx_list, hwpx_paragraph, hwpx_section, one_section, pack_hwpx, write_hwpx
from vector import Vector

from pipelines.records import Block, Cell

MODIFIED = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
HEAD = '<hh:head xmlns:hh="http://www.hancom.co.kr/hwpml/2011/head">{}</hh:head>'


def text(words: str) -> str:
    """Return the words of a run."""
    return f"<hp:t>{words}</hp:t>"


def control(name: str, words: str, attributes: str = "") -> str:
    """Return a control that holds one paragraph."""
    return f"<hp:ctrl><hp:{name} {attributes}>{hwpx_list(hwpx_paragraph(text(words)))}</hp:{name}></hp:ctrl>"


def holder(name: str, words: str) -> str:
    """Return a caption or the text of a drawing."""
    return f"<hp:{name}>{hwpx_list(hwpx_paragraph(text(words)))}</hp:{name}>"


def cells(*rows: str, caption: str = "") -> str:
    """Return a table; the cells of a row are parted by "|"."""
    table = hwpx_cells(*[[hwpx_paragraph(text(cell)) for cell in row.split("|")] for row in rows])
    return table.replace("<hp:tbl>", f"<hp:tbl>{holder('caption', caption)}", 1) if caption else table


def link(address: str, words: str) -> str:
    """Return a hyperlink as Hangul writes it: colons and semicolons escaped, options after the address."""
    command = address.replace(":", "\\:").replace(";", "\\;") + ";1;0;0;"
    return (
        '<hp:ctrl><hp:fieldBegin type="HYPERLINK"><hp:parameters cnt="1" name="">'
        f'<hp:stringParam name="Command">{command}</hp:stringParam></hp:parameters></hp:fieldBegin></hp:ctrl>'
        f"{text(words)}<hp:ctrl><hp:fieldEnd/></hp:ctrl>"
    )


def numbered(kind: str, formats: list[tuple[str, str]], items: list[tuple[int, str]]) -> bytes:
    """Return a document of items (level from 0, words) under one numbering of (pattern, format) a level."""
    heads = "".join(
        f'<hh:paraHead level="{level}" start="1" numFormat="{form}">{pattern}</hh:paraHead>'
        for level, (pattern, form) in enumerate(formats, 1)
    )
    shapes = "".join(
        f'<hh:paraPr id="{1 + level}"><hh:heading type="{kind}" idRef="1" level="{level}"/></hh:paraPr>'
        for level in range(len(formats))
    )
    section = '<hp:secPr outlineShapeIDRef="1"/>'
    body = hwpx_paragraph(section) + "".join(hwpx_paragraph(text(words), shape=1 + level) for level, words in items)
    return one_section(body, Contents__header_xml=HEAD.format(f'<hh:numbering id="1">{heads}</hh:numbering>{shapes}'))


def written(*blocks: Block) -> bytes:
    """Return a whole document as Hangul lays it out."""
    return write_hwpx(blocks, title="2026년 사업 계획", author="김새로", modified=MODIFIED)


def of_runs(*runs: str) -> bytes:
    """Return a document of one paragraph."""
    return one_section(hwpx_paragraph(*runs))


def of_parts(**sections: str) -> bytes:
    """Return a package of the sections and a spine that lists them as given."""
    items = "".join(f'<opf:item id="{name}" href="Contents/{name}.xml"/>' for name in sections)
    spine = "".join(f'<opf:itemref idref="{name}"/>' for name in sections)
    package = f'<opf:package xmlns:opf="http://www.idpf.org/2007/opf/">{items}{spine}</opf:package>'
    parts = {f"Contents/{name}.xml": hwpx_section(hwpx_paragraph(text(words))) for name, words in sections.items()}
    return pack_hwpx({"mimetype": "application/hwp+zip", "Contents/content.hpf": package, **parts})


def with_spine(*addresses: str) -> bytes:
    """Return a package with one section, whose spine lists sections at `addresses`."""
    items = "".join(f'<opf:item id="{at}" href="{address}"/>' for at, address in enumerate(addresses))
    spine = "".join(f'<opf:itemref idref="{at}"/>' for at in range(len(addresses)))
    package = f'<opf:package xmlns:opf="http://www.idpf.org/2007/opf/">{items}{spine}</opf:package>'
    return one_section(hwpx_paragraph(text("하나뿐인 구역")), **{"Contents__content.hpf": package})


def chart() -> bytes:
    """Return a document with a chart part that Hangul draws from an object where it can't."""
    point = '<c:pt idx="0"><c:v>{}</c:v></c:pt>'
    part = (
        '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea>'
        f"<c:barChart><c:ser><c:tx><c:strRef><c:strCache>{point.format('가입자')}</c:strCache></c:strRef></c:tx><c:cat>"
        f"<c:strRef><c:strCache>{point.format('1분기')}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>"
        f"{point.format('48210')}</c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart>"
        "</c:chartSpace>"
    )
    drawn = (
        '<hp:switch><hp:case hp:required-namespace="http://www.hancom.co.kr/hwpml/2016/ooxmlchart">'
        f'<hp:chart chartIDRef="Chart/chart1.xml">{holder("caption", "그림 3 가입자 추이")}</hp:chart></hp:case>'
        "<hp:default><hp:ole/></hp:default></hp:switch>"
    )
    return one_section(hwpx_paragraph(text("추이는 다음과 같다."), drawn), Chart__chart1_xml=part)


def encrypted() -> bytes:
    """Return a package whose manifest declares encryption."""
    manifest = (
        '<odf:manifest xmlns:odf="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><odf:file-entry '
        'full-path="Contents/section0.xml"><odf:encryption-data/></odf:file-entry></odf:manifest>'
    )
    return pack_hwpx(
        {"mimetype": "application/hwp+zip", "META-INF/manifest.xml": manifest, "Contents/section0.xml": b"\x8b\x01"}
    )


def with_prologue(prologue: str, words: str) -> bytes:
    """Return a document whose section part opens with `prologue`."""
    return pack_hwpx({
        "mimetype": "application/hwp+zip",
        "Contents/section0.xml": prologue + hwpx_section(hwpx_paragraph(text(words))).partition("?>")[2],
    })  # fmt: skip


def nested_boxes(depth: int) -> str:
    """Return boxes inside boxes."""
    inner = text("맨 속")
    for _ in range(depth):
        inner = f"<hp:rect><hp:drawText>{hwpx_list(hwpx_paragraph(inner))}</hp:drawText></hp:rect>"
    return inner


def nested_tables(depth: int) -> str:
    """Return tables inside tables."""
    inner = text("맨 속")
    for _ in range(depth):
        inner = hwpx_cells([hwpx_paragraph(inner), hwpx_paragraph()])
    return inner


LEVELS = [
    ("제^1장", "DIGIT"), ("^2.", "DIGIT"), ("^3.", "HANGUL_SYLLABLE"), ("^4)", "HANGUL_JAMO"), ("^5", "CIRCLED_DIGIT"),
    ("(^6)", "ROMAN_SMALL"), ("^7", "CIRCLED_HANGUL_SYLLABLE"),
]  # fmt: skip
DELETED_ACROSS = (
    hwpx_paragraph('<hp:t>남은 첫 문장. <hp:deleteBegin Id="1" TcId="1"/>지워진 둘째 문장</hp:t>')
    + hwpx_paragraph(text("지워진 문단"), cells("지워진 칸|지워진 옆칸"), control("footNote", "지워진 각주"))
    + hwpx_paragraph('<hp:t>지워진 끝<hp:deleteEnd Id="1" TcId="1" paraend="0"/> 남은 끝</hp:t>')
)
SPLIT = (
    '<hp:t><hp:deleteBegin Id="1"/>구 금액</hp:t>', '<hp:t> 1억원<hp:deleteEnd Id="1"/></hp:t>',
    '<hp:t><hp:insertBegin Id="2"/>새 금액 2억원<hp:insertEnd Id="2"/></hp:t>',
)  # fmt: skip
FORMS = (
    text("개인정보 수집 "), '<hp:checkBtn caption="동의함" value="CHECKED"/>',
    '<hp:checkBtn caption="동의하지 않음" value="UNCHECKED"/>', '<hp:radioBtn caption="정규직" value="CHECKED"/>',
    '<hp:comboBox selectedValue="2"><hp:listItem displayText="총무과" value="1"/><hp:listItem displayText="기획과"'
    ' value="2"/></hp:comboBox>', '<hp:edit passwordChar=""><hp:text>홍길동</hp:text></hp:edit>',
    '<hp:edit passwordChar="*"><hp:text>비밀번호1234</hp:text></hp:edit>', '<hp:btn caption="제출"/>',
)  # fmt: skip
CLICK_HERE = (
    '<hp:ctrl><hp:fieldBegin type="CLICK_HERE" name="기관명"><hp:parameters><hp:stringParam name="Command">'
    "Clickhere:set:48:Direction:wstring:5:안내하는 글 HelpState:wstring:0:</hp:stringParam></hp:parameters>"
    f"</hp:fieldBegin></hp:ctrl>{text('새로시청')}<hp:ctrl><hp:fieldEnd/></hp:ctrl>"
)
MEMO = f'<hp:ctrl><hp:fieldBegin type="MEMO">{hwpx_list(hwpx_paragraph(text("메모의 글")))}</hp:fieldBegin></hp:ctrl>'
GROUP = (
    f"<hp:container><hp:rect>{holder('drawText', '묶음 속 상자')}</hp:rect><hp:container><hp:ellipse>"
    f"{holder('drawText', '묶음 속 묶음')}</hp:ellipse></hp:container></hp:container>"
)
IN_A_BOX = (
    f"<hp:rect><hp:drawText>{hwpx_list(hwpx_paragraph(text('바깥 상자'), nested_boxes(1)))}</hp:drawText>"
    f"{holder('caption', '그림 1 배치도')}</hp:rect>"
)
CAPTION_NUMBER = '<hp:ctrl><hp:autoNum num="4" numType="TABLE"><hp:autoNumFormat type="DIGIT"/></hp:autoNum></hp:ctrl>'
NOTICE = (
    "이 문서는 상위 버전의 배포용 문서입니다. 문서를 읽으려면 최신 버전의 한글 또는 한글 전용 뷰어가 필요합니다. "
    "(주의! 현재 상태에서 문서를 저장하는 경우 원래 문서의 내용이 사라집니다.)"
)
MERGED = Block("table", cells=(
    Cell(0, 0, (Block("paragraph", "구분"),), 2, 1), Cell(0, 1, (Block("paragraph", "실적"),), 1, 2),
    Cell(1, 1, (Block("paragraph", "상반기"),)), Cell(1, 2, (Block("paragraph", "하반기"),)),
))  # fmt: skip


def vector(
    name: str,
    make: Callable[[], bytes],
    must: tuple[str, ...] = (),
    never: tuple[str, ...] = (),
    category: str = "",
    reason: str = "",
) -> Vector:
    """Return a vector of this format."""
    return Vector(f"hwpx: {name}", f"{name.replace(' ', '_')}.hwpx", make, must, never, category, reason)


VECTORS: tuple[Vector, ...] = (
    vector(
        "merged cells keep their spans", partial(written, MERGED), ('rowspan="2">구분', 'colspan="2">실적', "하반기")
    ),
    vector(
        "a plain table is markdown",
        partial(of_runs, cells("품목|금액", "서버|1,250,000")),
        ("| 품목 | 금액 |", "1,250,000"),
    ),
    vector("a box of one cell is text", partial(of_runs, cells("알림 상자")), ("알림 상자",), ("| 알림", "<td>")),
    vector("a nested table stays", partial(of_runs, nested_tables(3)), ("맨 속",)),
    vector(
        "a caption and its number stay",
        partial(of_runs, cells("가|나", caption="표 4 예산").replace("표 4", f"표 </hp:t>{CAPTION_NUMBER}<hp:t>")),
        ("표 4 예산",),
    ),
    vector(
        "boxes in groups are read",
        partial(of_runs, text("앞 문단"), GROUP),
        ("앞 문단", "묶음 속 상자", "묶음 속 묶음"),
    ),
    vector("a box in a box is read", partial(of_runs, IN_A_BOX), ("바깥 상자", "맨 속", "그림 1 배치도")),
    vector("text art is text", partial(of_runs, '<hp:textart text="새로 축제"/>'), ("새로 축제",)),
    vector(
        "notes follow their paragraph",
        partial(
            of_runs, text("기준은 30초다."), control("footNote", "운영 환경 기준"), control("endNote", "출처는 감사원")
        ),
        ("기준은 30초다.", "[^1]: 운영 환경 기준", "[^2]: 출처는 감사원"),
    ),
    vector(
        "words only in notes are kept", partial(of_runs, control("endNote", "미주에만 있는 글")), ("미주에만 있는 글",)
    ),
    vector(
        "headers footers memos and comments stay apart",
        partial(
            of_runs,
            text("본문"),
            control("header", "머리말의 글"),
            control("footer", "꼬리말의 글"),
            control("hiddenComment", "숨은 설명의 글"),
            MEMO,
            text(" 메모가 달린 곳"),
        ),
        ("본문 메모가 달린 곳",),
        ("머리말의 글", "꼬리말의 글", "숨은 설명의 글", "메모의 글"),
    ),
    vector(
        "outline numbers are headings",
        partial(
            numbered,
            "OUTLINE",
            LEVELS,
            [
                (0, "총칙"),
                (1, "목적"),
                (1, "정의"),
                (2, "용어"),
                (2, "범위"),
                (0, "운영"),
                (1, "조직"),
            ],
        ),
        ("# 제1장 총칙", "## 1. 목적", "## 2. 정의", "### 가. 용어", "### 나. 범위", "# 제2장 운영", "## 1. 조직"),
    ),
    vector(
        "list numbers take every format",
        partial(
            numbered,
            "NUMBER",
            LEVELS,
            [
                (2, "셋째 단계"),
                (3, "넷째 단계"),
                (4, "다섯째"),
                (4, "여섯째"),
                (5, "로마자"),
                (6, "동그라미"),
            ],
        ),
        ("가. 셋째 단계", "ㄱ) 넷째 단계", "① 다섯째", "② 여섯째", "(i) 로마자", "㉮ 동그라미"),
    ),
    vector(
        "a link keeps its address",
        partial(of_runs, text("자세한 것은 "), link("https://example.com/notice?id=7", "공고")),
        ("자세한 것은 공고 (https://example.com/notice?id=7)",),
        (";1;0;0;", "\\:"),
    ),
    vector(
        "a link that says its address says it once",
        partial(of_runs, link("https://example.com", "https://example.com")),
        ("https://example.com",),
        ("(https://example.com)",),
    ),
    vector("a link inside the document has no address", partial(of_runs, link("?목차", "3쪽")), ("3쪽",), ("?목차",)),
    vector(
        "an equation is its script",
        partial(of_runs, text("식은 "), "<hp:equation><hp:script>x over {y+1}</hp:script></hp:equation>"),
        ("식은 x over {y+1}",),
    ),
    vector(
        "words beside words are read",
        partial(of_runs, "<hp:dutmal><hp:mainText>大韓民國</hp:mainText><hp:subText>대한민국</hp:subText></hp:dutmal>"),
        ("大韓民國(대한민국)",),
    ),
    vector(
        "overlaid characters are read",
        partial(of_runs, '<hp:compose composeText="㈜" circleType="CHAR"/>', text("새로")),
        ("㈜새로",),
    ),
    vector(
        "form objects show answers and no password",
        partial(of_runs, *FORMS),
        ("☑ 동의함", "☐ 동의하지 않음", "◉ 정규직", "기획과", "홍길동", "제출"),
        ("총무과", "비밀번호1234"),
    ),
    vector(
        "a filled field is its words",
        partial(of_runs, text("기관: "), CLICK_HERE),
        ("기관: 새로시청",),
        ("안내하는 글",),
    ),
    vector("a chart is its data", chart, ("추이는 다음과 같다.", "가입자", "1분기", "48210", "그림 3 가입자 추이")),
    vector(
        "deletions across paragraphs are left out",
        partial(one_section, DELETED_ACROSS),
        ("남은 첫 문장.", "남은 끝"),
        ("지워진",),
    ),
    vector("deletions across runs are left out", partial(of_runs, *SPLIT), ("새 금액 2억원",), ("구 금액", "1억원")),
    vector(
        "a deletion without end ends with its paragraph",
        partial(
            one_section, hwpx_paragraph('<hp:t>앞<hp:deleteBegin Id="1"/>지움</hp:t>') + hwpx_paragraph(text("뒤 문단"))
        ),
        ("뒤 문단",),
        ("지움",),
    ),
    vector(
        "tabs line breaks and blanks part words",
        partial(
            of_runs,
            "<hp:t>이름<hp:tab/>홍길동<hp:lineBreak/>부서<hp:nbSpace/>총무<hp:fwSpace/>과 에프<hp:hyphen/>오</hp:t>",
        ),
        ("이름 홍길동", "부서 총무 과", "에프-오"),
    ),
    vector(
        "old hangul and signs are standard characters",
        partial(of_runs, text("\U000f02b1 추진 배경 \ue1a7")),
        ("① 추진 배경",),
        ("\U000f02b1", "\ue1a7"),
    ),
    vector(
        "numeric references are characters", partial(of_runs, text("&#xAC00;&#45208; &#55357;&#56832;")), ("가나", "😀")
    ),
    vector("forbidden characters cost themselves", partial(of_runs, text("온전\x01한 &#x1F;문장")), ("온전한 문장",)),
    vector(
        "sections follow the spine",
        partial(of_parts, section1="첫째 구역", section0="둘째 구역"),
        ("첫째 구역둘째 구역",),
    ),
    vector(
        "a section listed twice is read",
        partial(with_spine, "Contents/section0.xml", "section0.xml", "Contents/section0.xml"),
        ("하나뿐인 구역",),
        ("하나뿐인 구역하나뿐인 구역",),
    ),
    vector(
        "a listed section that is missing is damage",
        partial(with_spine, "Contents/section0.xml", "Contents/section1.xml"),
        category="damaged",
        reason="a section that the document lists is missing",
    ),
    vector(
        "an address outside the package is damage",
        partial(with_spine, "../../../etc/section0.xml"),
        category="damaged",
        reason="a section that the document lists is missing",
    ),
    vector(
        "a frame keeps its headings",
        partial(written, Block("table", cells=(Cell(0, 0, (Block("heading", "추진 배경", level=1),)),))),
        ("# 추진 배경",),
    ),
    vector("a package without description is read", partial(of_runs, text("설명 없는 묶음")), ("설명 없는 묶음",)),
    vector(
        "a full-width blank stays a blank",
        partial(of_runs, text("시\u3000행\u3000일 2026. 3. 2.")),
        ("시행일2026.3.2.",),
    ),
    vector(
        "only headers and footers is empty",
        partial(of_runs, control("header", "머리"), control("footer", "꼬리")),
        category="empty",
        reason="words only in headers and footers",
    ),
    vector(
        "only pictures needs recognition",
        partial(of_runs, "<hp:pic/>"),
        category="needs_ocr",
        reason="recognise the text",
    ),
    vector("encrypted parts are named", encrypted, category="encrypted", reason="save a copy without protection"),
    vector(
        "the notice of a newer copy is no body",
        partial(of_runs, text(NOTICE)),
        category="unsupported",
        reason="ask for the original",
    ),
    vector(
        "a document without section is damaged",
        partial(pack_hwpx, {"mimetype": "application/hwp+zip", "Contents/header.xml": HEAD.format("")}),
        category="damaged",
        reason="no section part",
    ),
    vector(
        "cut xml is damaged",
        partial(pack_hwpx, {"mimetype": "application/hwp+zip", "Contents/section0.xml": hwpx_section(text("가"))[:-9]}),
        category="damaged",
        reason="section0.xml is not well-formed XML",
    ),
    vector(
        "laughs are unsafe",
        partial(with_prologue, '<!DOCTYPE a [<!ENTITY b "cc">]>', "&b;"),
        category="unsafe_xml",
        reason="section0.xml declares a DTD or entities",
    ),
    vector(
        "an outside entity is unsafe",
        partial(with_prologue, '<!DOCTYPE a SYSTEM "secret.txt">', "가"),
        category="unsafe_xml",
        reason="section0.xml declares a DTD or entities",
    ),
    vector(
        "tables too deep are too large",
        partial(of_runs, nested_tables(24)),
        category="too_large",
        reason="nested deeper than 20",
    ),
    vector(
        "boxes too deep are too large",
        partial(of_runs, nested_boxes(24)),
        category="too_large",
        reason="nested deeper than 20",
    ),
    vector(
        "places beyond the limit are too large",
        partial(of_runs, cells("가", "나").replace('colAddr="0" rowAddr="1"', 'colAddr="65000" rowAddr="65000"')),
        category="too_large",
        reason="more than 5000000 cells",
    ),
)
