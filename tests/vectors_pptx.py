"""What a presentation must and must not say, one small made file a promise."""

from __future__ import annotations

from collections.abc import Mapping

from office_makers import Slide, grid, make_pptx
from ole_writer import write_ole
from sheet_makers import edited
from vector import Vector

from pipelines.records import Block, Cell

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
CX = "http://schemas.microsoft.com/office/drawing/2014/chartex"
A14 = "http://schemas.microsoft.com/office/drawing/2010/main"
CX2 = "http://schemas.microsoft.com/office/drawing/2015/10/21/chartex"
SPACES = f'xmlns:a="{A}" xmlns:p="{P}" xmlns:r="{R}" xmlns:mc="{MC}" xmlns:a14="{A14}" xmlns:cx2="{CX2}"'
SLIDE, RELS = "ppt/slides/slide1.xml", "ppt/slides/_rels/slide1.xml.rels"
INCH = 914_400


def box(
    paragraphs: str,
    left: float = 1,
    top: float = 2,
    wide: float = 3,
    high: float = 0.5,
    properties: str = "",
    holder: str = "",
) -> str:
    """Return a text box; `paragraphs` is XML, or plain text for one paragraph."""
    inner = paragraphs if paragraphs.startswith("<") else f"<a:p><a:r><a:t>{paragraphs}</a:t></a:r></a:p>"
    place = (
        f'<a:off x="{int(left * INCH)}" y="{int(top * INCH)}"/><a:ext cx="{int(wide * INCH)}" cy="{int(high * INCH)}"/>'
    )
    return (
        f'<p:sp {SPACES}><p:nvSpPr><p:cNvPr id="9" name="글상자" {properties}/><p:cNvSpPr/>'
        f"<p:nvPr>{holder}</p:nvPr></p:nvSpPr>"
        f"<p:spPr><a:xfrm>{place}</a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>{inner}</p:txBody></p:sp>"
    )


def frame(data: str, top: float = 2) -> str:
    """Return a graphic frame around `data`."""
    return (
        f'<p:graphicFrame {SPACES}><p:nvGraphicFramePr><p:cNvPr id="8" name="틀"/>'
        "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>"
        f'<p:xfrm><a:off x="{INCH}" y="{int(top * INCH)}"/><a:ext cx="{INCH}" cy="{INCH}"/></p:xfrm>'
        f'<a:graphic><a:graphicData uri="x">{data}</a:graphicData></a:graphic></p:graphicFrame>'
    )


def deck(
    shapes: str = "",
    links: Mapping[str, tuple[str, str]] | None = None,
    added: Mapping[str, str] | None = None,
    slide: Slide | None = None,
) -> bytes:
    """Return a deck whose first slide also holds `shapes`; `links` are id -> (kind or type, target)."""
    relations = "".join(
        f'<Relationship Id="{key}" Type="{_address(kind)}" Target="{target}"'
        + (' TargetMode="External"/>' if "://" in target else "/>")
        for key, (kind, target) in (links or {}).items()
    )
    changes = {
        SLIDE: [("</p:spTree>", f"{shapes}</p:spTree>")],
        RELS: [("</Relationships>", f"{relations}</Relationships>")],
    }
    return edited(make_pptx([slide or Slide("사업 개요")]), changes, added)


def _address(kind: str) -> str:
    return kind if "/" in kind else f"{R}/{kind}"


def chart_part(title: str = "월별 가입자", code: str = "General") -> str:
    points = "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate(("1월", "2월")))
    values = "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate(("1200.0", "1350.0")))
    rich = f"<c:tx><c:rich><a:p><a:r><a:t>{title}</a:t></a:r></a:p></c:rich></c:tx>"
    unit = "<c:tx><c:rich><a:p><a:r><a:t>단위: 명</a:t></a:r></a:p></c:rich></c:tx>"
    return (
        f'<c:chartSpace xmlns:c="{C}" xmlns:a="{A}"><c:chart><c:title>{rich}</c:title><c:plotArea><c:barChart><c:ser>'
        "<c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>가입자수</c:v></c:pt></c:strCache></c:strRef></c:tx>"
        f"<c:cat><c:strRef><c:strCache>{points}</c:strCache></c:strRef></c:cat>"
        f"<c:val><c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{values}</c:numCache></c:numRef></c:val>"
        f"</c:ser></c:barChart><c:valAx><c:title>{unit}</c:title></c:valAx></c:plotArea></c:chart></c:chartSpace>"
    )


def chartex_part() -> str:
    return (
        f'<cx:chartSpace xmlns:cx="{CX}" xmlns:a="{A}"><cx:chartData><cx:data id="0">'
        '<cx:strDim type="cat"><cx:lvl ptCount="2"><cx:pt idx="0">접수</cx:pt><cx:pt idx="1">승인</cx:pt></cx:lvl>'
        '</cx:strDim><cx:numDim type="val"><cx:lvl ptCount="2" formatCode="#,##0"><cx:pt idx="0">1500</cx:pt>'
        '<cx:pt idx="1">900</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx>'
        "<cx:txData><cx:v>단계별 건수</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion>"
        '<cx:series layoutId="funnel"><cx:tx><cx:txData><cx:v>건수</cx:v></cx:txData>'
        '</cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>'
    )


def _everything_in_groups() -> bytes:
    inner = f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>{box('안쪽 그룹의 글', top=3.2)}</p:grpSp>"
    return deck(f"<p:grpSp {SPACES}><p:nvGrpSpPr/><p:grpSpPr/>{box('그룹 속 글', top=2.5)}{inner}</p:grpSp>")


def _merged_table() -> bytes:
    cells = (
        Cell(0, 0, (Block("paragraph", "계획과 실적"),), 1, 2),
        Cell(1, 0, (Block("paragraph", "매출"),)),
        Cell(1, 1, (Block("paragraph", "112"),)),
    )
    return make_pptx([Slide("표", (Block("table", cells=cells), grid([["구분", "값"], ["이익", "18"]])))])


def _chart() -> bytes:
    return deck(
        frame(f'<c:chart xmlns:c="{C}" r:id="rId90"/>'),
        {"rId90": ("chart", "../charts/chart90.xml")},
        {"ppt/charts/chart90.xml": chart_part(code="#,##0")},
    )


def _newer_chart() -> bytes:
    choice = frame(f'<cx:chart xmlns:cx="{CX}" r:id="rId91"/>')
    picture = box("이 차트는 사용 중인 버전에서 사용할 수 없습니다")
    return deck(
        f'<mc:AlternateContent {SPACES}><mc:Choice Requires="cx2">{choice}</mc:Choice>'
        f"<mc:Fallback>{picture}</mc:Fallback></mc:AlternateContent>",
        {"rId91": ("http://schemas.microsoft.com/office/2014/relationships/chartEx", "../charts/chartEx1.xml")},
        {"ppt/charts/chartEx1.xml": chartex_part()},
    )


def _smart_art() -> bytes:
    dgm = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
    texts = (f"<dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t>" for text in ("기획", "개발"))
    points = "".join(f"<dgm:pt>{text}</dgm:pt>" for text in texts)
    data = f'<dgm:dataModel xmlns:dgm="{dgm}" xmlns:a="{A}"><dgm:ptLst>{points}</dgm:ptLst></dgm:dataModel>'
    return deck(
        frame(f'<dgm:relIds xmlns:dgm="{dgm}" r:dm="rId92"/>'),
        {"rId92": ("diagramData", "../diagrams/data1.xml")},
        {"ppt/diagrams/data1.xml": data},
    )


def _order() -> bytes:
    card = box("<a:p/>", 1, 2.4, 4, 3)
    return deck(
        box("맨 아래 줄", 1, 6)
        + box("오른쪽 단", 6, 2.5, 3, 2)
        + card
        + box("왼쪽 카드의 끝", 1.2, 4, 3, 1)
        + box("왼쪽 카드의 처음", 1.2, 2.6, 3, 1)
    )


def _numbers() -> bytes:
    def listed(kind: str, text: str, level: int = 0) -> str:
        mark = f'<a:buAutoNum type="{kind}"/>' if kind else ""
        return f'<a:p><a:pPr lvl="{level}">{mark}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>'

    return deck(
        box(
            listed("arabicPeriod", "모집")
            + listed("circleNumDbPlain", "공고", 1)
            + listed("circleNumDbPlain", "접수", 1)
            + listed("arabicPeriod", "심사")
            + listed("alphaLcParenBoth", "서면", 1)
            + listed("romanUcPeriod", "발표")
        )
    )


def _comments() -> bytes:
    modern = "http://schemas.microsoft.com/office/2018/10/relationships/%s"
    p188 = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"
    p15 = "http://schemas.microsoft.com/office/powerpoint/2012/main"
    said = f"<a:p xmlns:a='{A}'><a:r><a:t>%s</a:t></a:r></a:p>"
    reply = f"<p188:reply authorId='{{B}}'><p188:txBody>{said % '답글 메모'}</p188:txBody></p188:reply>"
    thread = (
        f"<p188:cm authorId='{{A}}'><p188:replyLst>{reply}</p188:replyLst>"
        f"<p188:txBody>{said % '새 메모'}{said % '둘째 줄'}</p188:txBody></p188:cm>"
    )
    answer = f'<p15:threadingInfo xmlns:p15="{p15}"><p15:parentCm authorId="0" idx="1"/></p15:threadingInfo>'
    older = (
        '<p:cm authorId="0" idx="1"><p:text>옛 메모</p:text></p:cm>'
        '<p:cm authorId="1" idx="1"><p:text>다른 메모</p:text></p:cm>'
        f'<p:cm authorId="1" idx="2"><p:text>옛 답글</p:text><p:extLst><p:ext>{answer}</p:ext></p:extLst></p:cm>'
    )
    older_names = '<p:cmAuthor id="0" name="김수진"/><p:cmAuthor id="1" name="이준"/>'
    newer_names = '<p188:author id="{A}" name="박서연"/><p188:author id="{B}" name="최민호"/>'
    lists = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"/>'
        for number, kind, target in (
            (901, f"{R}/commentAuthors", "commentAuthors.xml"),
            (902, modern % "authors", "authors.xml"),
        )
    )
    data = deck(
        links={
            "rId93": ("comments", "../comments/comment1.xml"),
            "rId94": (modern % "comments", "../comments/modern1.xml"),
        },
        added={
            "ppt/comments/comment1.xml": f'<p:cmLst xmlns:p="{P}">{older}</p:cmLst>',
            "ppt/comments/modern1.xml": f'<p188:cmLst xmlns:p188="{p188}">{thread}</p188:cmLst>',
            "ppt/commentAuthors.xml": f'<p:cmAuthorLst xmlns:p="{P}">{older_names}</p:cmAuthorLst>',
            "ppt/authors.xml": f'<p188:authorLst xmlns:p188="{p188}">{newer_names}</p188:authorLst>',
        },
    )
    rels = "ppt/_rels/presentation.xml.rels"
    return edited(data, {rels: [("</Relationships>", f"{lists}</Relationships>")]})


def _furniture() -> bytes:
    number = '<a:p><a:fld id="{x}" type="slidenum"><a:t>77</a:t></a:fld></a:p>'
    return deck(
        box("대외비 바닥글", top=7, holder='<p:ph type="ftr" idx="11"/>')
        + box(number, top=7, holder='<p:ph type="sldNum" idx="12"/>')
        + box("본문은 남는다", properties='descr="그림을 설명하는 대체 글"')
        + box("숨긴 도형의 글", top=3, properties='hidden="1"')
    )


def _link() -> bytes:
    run = '<a:r><a:rPr><a:hlinkClick r:id="rId95"/></a:rPr><a:t>%s</a:t></a:r>'
    return deck(
        box(f"<a:p><a:r><a:t>자세히는 </a:t></a:r>{run % '사업 '}{run % '안내'}</a:p>"),
        {"rId95": ("hyperlink", "https://example.com/guide")},
    )


def _section() -> bytes:
    p14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
    named = (
        f'<p:extLst><p:ext uri="x"><p14:sectionLst xmlns:p14="{p14}"><p14:section name="추진 배경"><p14:sldIdLst>'
        '<p14:sldId id="257"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst></p:presentation>'
    )
    return edited(
        make_pptx([Slide("표지", cover=True), Slide("현황")]), {"ppt/presentation.xml": [("</p:presentation>", named)]}
    )


def _strict() -> bytes:
    strict = "http://purl.oclc.org/ooxml"
    old = "http://schemas.openxmlformats.org"
    names = ("drawingml/2006/main", "presentationml/2006/main", "officeDocument/2006/relationships")
    new = ("drawingml/main", "presentationml/main", "officeDocument/relationships")
    swaps = [(f"{old}/{before}", f"{strict}/{after}") for before, after in zip(names, new, strict=True)]
    parts = (SLIDE, RELS, "ppt/presentation.xml", "ppt/_rels/presentation.xml.rels", "_rels/.rels")
    return edited(deck(box("엄격한 형식의 글")), dict.fromkeys(parts, swaps), missing_ok=True)


def _typed_as(kind: str) -> bytes:
    main = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    return edited(deck(box("변형 형식의 글")), {"[Content_Types].xml": [(main, kind)]})


def _equation() -> bytes:
    m = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    run = "<m:r><m:t>%s</m:t></m:r>"
    fraction = f"<m:f><m:num>{run % '수입'}</m:num><m:den>{run % '지출'}</m:den></m:f>"
    formula = f'<a14:m><m:oMath xmlns:m="{m}">{run % "비율="}{fraction}</m:oMath></a14:m>'
    return deck(box(f"<a:p><a:r><a:t>식은 </a:t></a:r>{formula}</a:p>"))


def _once() -> bytes:
    return deck(
        f'<mc:AlternateContent {SPACES}><mc:Choice Requires="a14">{box("새 프로그램의 글")}</mc:Choice>'
        f"<mc:Fallback>{box('옛 프로그램의 글')}</mc:Fallback></mc:AlternateContent>"
    )


def _picture_only() -> bytes:
    return edited(make_pptx([Slide()]), {}, {"ppt/media/image1.png": "그림"})


def _locked() -> bytes:
    return write_ole({"EncryptedPackage": b"\0" * 64, "EncryptionInfo": b"\4\0\4\0"})


def _cut() -> bytes:
    whole = deck(box("잘린 글"))
    return whole[: len(whole) * 2 // 3]


def _entities() -> bytes:
    return edited(deck(), {SLIDE: [("<p:sld ", '<!DOCTYPE x [<!ENTITY a "b">]><p:sld ')]})


SHOW = "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"
TEMPLATE = "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml"
MACROS = "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"

VECTORS: tuple[Vector, ...] = (
    Vector("pptx: groups inside groups", "그룹.pptx", _everything_in_groups, ("그룹 속 글", "안쪽 그룹의 글")),
    Vector(
        "pptx: merged cells once",
        "표.pptx",
        _merged_table,
        ('colspan="2">계획과 실적', "| 이익 | 18 |"),
        ("계획과 실적계획과 실적",),
    ),
    Vector(
        "pptx: chart data as they are shown",
        "차트.pptx",
        _chart,
        ("월별 가입자", "단위: 명", "| | 가입자수 |", "| 1월 | 1,200 |"),
        ("1200.0",),
    ),
    Vector(
        "pptx: charts of Office 2016",
        "깔때기.pptx",
        _newer_chart,
        ("단계별 건수", "| 접수 | 1,500 |"),
        ("사용할 수 없습니다",),
    ),
    Vector("pptx: SmartArt", "스마트아트.pptx", _smart_art, ("- 기획 - 개발",)),
    Vector(
        "pptx: columns and cards in reading order",
        "순서.pptx",
        _order,
        ("왼쪽 카드의 처음 왼쪽 카드의 끝 오른쪽 단 맨 아래 줄",),
    ),
    Vector(
        "pptx: notes under a label",
        "노트.pptx",
        lambda: make_pptx([Slide("예산", notes="천천히 읽는다")]),
        ("## 예산 ### 발표자 노트 천천히 읽는다",),
    ),
    Vector(
        "pptx: a hidden slide says so",
        "숨김.pptx",
        lambda: make_pptx([Slide("보임"), Slide("예비 자료", hidden=True)]),
        ("## 예비 자료 [숨긴 슬라이드]",),
    ),
    Vector("pptx: numbers rebuilt", "번호.pptx", _numbers, ("1. 모집 ① 공고 ② 접수 2. 심사 (a) 서면 I. 발표",)),
    Vector(
        "pptx: comments stay apart",
        "메모.pptx",
        _comments,
        ("사업 개요",),
        ("옛 메모", "새 메모", "답글 메모", "옛 답글", "김수진"),
    ),
    Vector(
        "pptx: footers, alternative text and hidden shapes stay apart",
        "바닥글.pptx",
        _furniture,
        ("본문은 남는다",),
        ("대외비 바닥글", "77", "대체 글", "숨긴 도형의 글"),
    ),
    Vector(
        "pptx: a link keeps its address once",
        "링크.pptx",
        _link,
        ("자세히는 사업 안내 (https://example.com/guide)",),
        ("사업 (https",),
    ),
    Vector("pptx: sections head their slides", "구역.pptx", _section, ("# 표지 # 추진 배경 ## 현황",)),
    Vector("pptx: strict files", "엄격.pptx", _strict, ("엄격한 형식의 글",)),
    Vector("pptx: shows", "쇼.ppsx", lambda: _typed_as(SHOW), ("변형 형식의 글",)),
    Vector("pptx: templates", "서식.potx", lambda: _typed_as(TEMPLATE), ("변형 형식의 글",)),
    Vector("pptx: macro files", "매크로.pptm", lambda: _typed_as(MACROS), ("변형 형식의 글",)),
    Vector("pptx: equations", "수식.pptx", _equation, ("식은 비율=수입/지출",)),
    Vector("pptx: alternate content once", "대체.pptx", _once, ("새 프로그램의 글",), ("옛 프로그램의 글",)),
    Vector(
        "pptx: pictures without words", "스캔.pptx", _picture_only, category="needs_ocr", reason="recognise the text"
    ),
    Vector("pptx: no words", "빈.pptx", lambda: make_pptx([Slide()]), category="empty", reason="hold no words"),
    Vector("pptx: a password", "잠금.pptx", _locked, category="encrypted", reason="a password is needed"),
    Vector("pptx: cut short", "잘림.pptx", _cut, category="damaged", reason="damaged or cut short"),
    Vector(
        "pptx: entities", "위험.pptx", _entities, category="unsafe_xml", reason="slide1.xml declares a DTD or entities"
    ),
)
