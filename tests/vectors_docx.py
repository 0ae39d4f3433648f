"""Vectors of Word files: what must and must not stand in the text version of a made document."""

from __future__ import annotations

import io
import unicodedata
import zipfile

from docx_writer import (
    STRICT,
    R,
    field,
    in_paragraph,
    in_parts,
    link,
    listed,
    mark,
    numbering,
    package,
    paragraph,
    run,
)
from office_makers import grid, make_docx
from vector import Vector

from pipelines.records import Block

_MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_CHART = """<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart>
<c:title><c:tx><c:rich><a:p><a:r><a:t>연도별 예산</a:t></a:r></a:p></c:rich></c:tx></c:title>
<c:plotArea><c:barChart><c:ser>
<c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>집행액</c:v></c:pt></c:strCache></c:strRef></c:tx>
<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>2026년</c:v></c:pt></c:strCache></c:strRef></c:cat>
<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>4170</c:v></c:pt></c:numCache></c:numRef></c:val>
</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"""
_DIAGRAM = """<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>
<dgm:pt><dgm:t><a:p><a:r><a:t>서류 접수</a:t></a:r></a:p></dgm:t></dgm:pt>
<dgm:pt><dgm:t><a:p><a:r><a:t>현장 심사</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>"""


def _changes() -> bytes:
    inserted = "<w:ins>" + run("3월 31일") + "</w:ins><w:del><w:r><w:delText>3월 1일</w:delText></w:r></w:del>"
    moved = f"<w:moveTo>{run('옮겨 온 말')}</w:moveTo><w:moveFrom>{run('옮겨 간 말')}</w:moveFrom>"
    hidden = run("숨은 말", "<w:vanish/>")
    joined = f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{run('앞 반쪽')}</w:p>" + paragraph("뒷 반쪽")
    rows = "".join(
        f"<w:tr><w:trPr>{state}</w:trPr><w:tc>{paragraph(word)}</w:tc><w:tc>{paragraph('값')}</w:tc></w:tr>"
        for state, word in (
            ("", "남은 행"),
            ("<w:del/>", "지운 행"),
            ("<w:ins/>", "넣은 행"),
            ("<w:hidden/>", "가린 행"),
        )
    )
    return package(in_paragraph(inserted + moved + hidden) + joined + f"<w:tbl>{rows}</w:tbl>")


def _controls() -> bytes:
    def control(inner: str) -> str:
        return f"<w:sdt><w:sdtContent>{inner}</w:sdtContent></w:sdt>"

    cell = f"<w:tc>{paragraph('셀 컨트롤')}</w:tc>"
    row = f"<w:tr><w:tc>{paragraph('행 컨트롤')}</w:tc>{control(cell)}</w:tr>"
    table = f"<w:tbl>{control(row)}</w:tbl>"
    inline = in_paragraph(run("담당: ") + control(run("김새로")) + f"<w:smartTag>{run(' 과장')}</w:smartTag>")
    return package(control(paragraph("블록 컨트롤")) + inline + table)


def _fields() -> bytes:
    begin = f'{mark("begin")}<w:r><w:instrText>TOC \\o "1-3"</w:instrText></w:r>{mark("separate")}'
    contents = in_paragraph(begin + run("차례 한 줄 3")) + in_paragraph(run("차례 두 줄 7")) + in_paragraph(mark("end"))
    checked = "<w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData>"
    shown = in_paragraph(
        run("문서 번호 ") + field("DOCPROPERTY x", "정보-17") + run(" 표 ") + field("SEQ 표 \\* ARABIC") + run(" 예산 ")
        + field("EQ \\o\\ac(○,11)") + run(" 동의 ") + field("FORMCHECKBOX", inner=checked)
    )  # fmt: skip
    return package(contents + shown)


def _numbers() -> bytes:
    levels = (("decimal", "제%1조"), ("decimalEnclosedCircle", "%2"), ("ganada", "%3."))
    body = (
        listed("목적", 0) + listed("하나", 1) + listed("둘", 1) + listed("셋", 2) + listed("정의", 0) + listed("넷", 1)
    )
    return package(body, numbering=numbering(*levels))


def _headings() -> bytes:
    styles = '<w:styles><w:style w:styleId="a"><w:name w:val="제목 2"/></w:style></w:styles>'
    body = paragraph("적용 범위", '<w:pStyle w:val="a"/>') + paragraph("총칙", '<w:outlineLvl w:val="0"/>')
    return package(body + paragraph("본문"), styles=styles)


def _tables() -> bytes:
    def cell(inner: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"

    nested = f"<w:tbl><w:tr>{cell(paragraph('안쪽 하나'))}{cell(paragraph('안쪽 둘'))}</w:tr></w:tbl>"
    first = cell(paragraph("구분"), '<w:vMerge w:val="restart"/>') + cell(paragraph("금액"), '<w:gridSpan w:val="2"/>')
    second = cell(paragraph(""), "<w:vMerge/>") + cell(paragraph("국비")) + cell(nested + paragraph(""))
    rows = f"<w:tr>{first}</w:tr><w:tr>{second}</w:tr>"
    box = f"<w:tbl><w:tr>{cell(paragraph('상자 속 글'))}</w:tr></w:tbl>"
    return package(f"<w:tbl>{rows}</w:tbl>{box}")


def _boxes() -> bytes:
    box = f"<w:txbxContent><w:sdt><w:sdtContent>{paragraph('표지 제목')}</w:sdtContent></w:sdt></w:txbxContent>"
    drawn = f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    art = '<w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape><v:textpath string="글맵시"/></v:shape></w:pict>'
    unknown = (
        '<mc:AlternateContent xmlns:q="urn:q"><mc:Choice Requires="q"><w:t>모르는 말</w:t></mc:Choice>'
        "<mc:Fallback><w:t>대신하는 말</w:t></mc:Fallback></mc:AlternateContent>"
    )
    return package(f"<w:p><w:r>{drawn}{art}{unknown}</w:r>{run('붙은 문단')}</w:p>")


def _notes() -> bytes:
    footnotes = f'<w:footnotes><w:footnote w:id="2">{paragraph("각주 내용")}</w:footnote></w:footnotes>'
    endnotes = f'<w:endnotes><w:endnote w:id="2">{paragraph("미주 내용")}</w:endnote></w:endnotes>'
    references = '<w:r><w:footnoteReference w:id="2"/><w:endnoteReference w:id="2"/></w:r>'
    return package(
        in_paragraph(run("본문 문장") + references),
        footnotes=footnotes,
        endnotes=endnotes,
        comments=f'<w:comments><w:comment w:id="0">{paragraph("검토 의견")}</w:comment></w:comments>',
        header=f"<w:hdr>{paragraph('머리글 말')}</w:hdr>",
        footer=f"<w:ftr>{paragraph('바닥글 말')}</w:ftr>",
    )


def _parts() -> bytes:
    chart = '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="c"/>'
    diagram = '<d:relIds xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="d"/>'
    body = f'<w:p {R}><w:r><w:drawing>{chart}{diagram}</w:drawing></w:r></w:p><w:altChunk {R} r:id="a"/>'
    page = "<html><head><title>쪽 제목</title></head><body><p>들여온 글</p></body></html>"
    return in_parts(
        body,
        {"charts/chart1.xml": _CHART, "diagrams/data1.xml": _DIAGRAM, "afchunk.html": page},
        link("c", "chart", "charts/chart1.xml")
        + link("d", "diagramData", "diagrams/data1.xml")
        + link("a", "aFChunk", "/word/afchunk.html"),
    )


def _signs() -> bytes:
    fraction = "<m:f><m:num><m:r><m:t>예산</m:t></m:r></m:num><m:den><m:r><m:t>인원</m:t></m:r></m:den></m:f>"
    symbols = '<w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="F0B3"/>'
    ruby = f"<w:r><w:ruby><w:rt>{run('읽는 법')}</w:rt><w:rubyBase>{run('漢字')}</w:rubyBase></w:ruby></w:r>"
    plain = "<w:r><w:t>가</w:t><w:noBreakHyphen/><w:t>1</w:t><w:softHyphen/><w:tab/><w:t>호</w:t></w:r>"
    return package(f"<w:p><m:oMath {_MATH}>{fraction}</m:oMath><w:r>{symbols}</w:r>{ruby}{plain}</w:p>")


def _link() -> bytes:
    body = f'<w:p {R}><w:hyperlink r:id="h">{run("새 공고문")}</w:hyperlink></w:p>'
    return in_parts(body, {}, link("h", "hyperlink", "https://example.org/notice", "External"))


def _backslashes() -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(package(paragraph("거꾸로 된 이름")))) as source,
        zipfile.ZipFile(out, "w") as target,
    ):
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name.replace("/", "\\"), (1980, 1, 1, 0, 0, 0)), source.read(name))
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
        override = f'<Override PartName="/word/document.xml" ContentType="{kind}"/>'
        space = "http://schemas.openxmlformats.org/package/2006/content-types"
        types = f'<Types xmlns="{space}">{override}</Types>'
        target.writestr(zipfile.ZipInfo("[Content_Types].xml", (1980, 1, 1, 0, 0, 0)), types)
    return out.getvalue()


def _plain() -> bytes:
    return make_docx(
        [
            Block("heading", "사업 계획", level=1),
            Block("item", "첫째 항목", level=1),
            grid([["항목", "값"], ["기간", "8개월"]]),
        ]
    )


def _entities() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package(paragraph("글")))) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "word/document.xml":
                data = b'<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/hostname">]>' + data
            target.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return out.getvalue()


def _pictures() -> bytes:
    return in_parts("<w:p/>", {"media/image1.png": b"\x89PNG"}, "")


VECTORS: tuple[Vector, ...] = (
    Vector("docx: plain document", "계획.docx", _plain, ("# 사업 계획", "첫째 항목", "| 기간 | 8개월 |")),
    Vector(
        "docx: tracked changes and hidden text",
        "변경.docx",
        _changes,
        ("3월 31일옮겨 온 말", "앞 반쪽뒷 반쪽", "남은 행", "넣은 행"),
        ("3월 1일", "옮겨 간 말", "숨은 말", "지운 행", "가린 행"),
    ),
    Vector(
        "docx: content controls at every level",
        "양식.docx",
        _controls,
        ("블록 컨트롤", "담당: 김새로 과장", "행 컨트롤", "셀 컨트롤"),
    ),
    Vector(
        "docx: fields and a generated table of contents",
        "차례.docx",
        _fields,
        ("문서 번호 정보-17", "표 1 예산", "⑪ 동의 ☒"),
        ("차례 한 줄", "차례 두 줄", "DOCPROPERTY", "instrText", "\\ac"),
    ),
    Vector(
        "docx: automatic numbers",
        "규정.docx",
        _numbers,
        ("제1조 목적", "① 하나", "② 둘", "가. 셋", "제2조 정의", "① 넷"),
    ),
    Vector("docx: headings by localized style and outline", "지침.docx", _headings, ("## 적용 범위", "# 총칙", "본문")),
    Vector(
        "docx: merged and nested tables",
        "표.docx",
        _tables,
        ('<th rowspan="2">구분</th><th colspan="2">금액</th>', "국비", "안쪽 하나", "상자 속 글"),
    ),
    Vector(
        "docx: text boxes once",
        "표지.docx",
        _boxes,
        ("표지 제목", "글맵시", "대신하는 말", "붙은 문단"),
        ("모르는 말", "표지 제목표지 제목", "글맵시글맵시"),
    ),
    Vector(
        "docx: notes in, comments, headers and footers apart",
        "각주.docx",
        _notes,
        ("본문 문장", "[^1]: 각주 내용", "[^i]: 미주 내용"),
        ("검토 의견", "머리글 말", "바닥글 말"),
    ),
    Vector(
        "docx: charts, diagrams and imported pages",
        "붙임.docx",
        _parts,
        ("연도별 예산", "집행액", "2026년", "4170", "서류 접수", "현장 심사", "들여온 글"),
    ),
    Vector(
        "docx: equations, symbols, readings above words",
        "수식.docx",
        _signs,
        ("예산/인원", "☑≥漢字", "가-1 호"),
        ("읽는 법",),
    ),
    Vector("docx: a link keeps its address", "공고.docx", _link, ("새 공고문 (https://example.org/notice)",)),
    Vector(
        "docx: strict namespaces", "엄격.docx", lambda: package(paragraph("엄격한 글"), space=STRICT), ("엄격한 글",)
    ),
    Vector("docx: member names with backslashes", "역슬래시.docx", _backslashes, ("거꾸로 된 이름",)),
    Vector(
        "docx: decomposed Hangul",
        "자소.docx",
        lambda: package(paragraph(unicodedata.normalize("NFD", "자소 분리"))),
        ("자소 분리",),
        (unicodedata.normalize("NFD", "자소"),),
    ),
    Vector("docx: external entity", "개체.docx", _entities, category="unsafe_xml", reason="declares a DTD or entities"),
    Vector(
        "docx: cut in half", "잘림.docx", lambda: _plain()[:9000], category="damaged", reason="damaged or cut short"
    ),
    Vector("docx: no words", "빈.docx", lambda: package(paragraph(" ")), category="empty", reason="hold no words"),
    Vector("docx: pictures only", "사진.docx", _pictures, category="needs_ocr", reason="recognise the text"),
)
