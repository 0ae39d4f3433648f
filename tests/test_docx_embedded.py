"""Word files: text boxes, notes, charts and what is kept in parts of its own."""

from __future__ import annotations

from docx_writer import MC, R, in_paragraph, in_parts, link, package, paragraph, read, run, texts

from pipelines.parsers.ooxml_diagram import diagram_blocks
from pipelines.records import Limits


def test_a_text_box_is_read_once_after_its_paragraph() -> None:
    box = f"<w:txbxContent>{paragraph('상자')}</w:txbxContent>"
    body = (
        f"<w:p><w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
        "</mc:AlternateContent></w:r><w:r><w:t>문단</w:t></w:r></w:p>"
    )
    assert texts(read(package(body))) == ["문단", "상자"]


def test_tables_nested_beyond_the_limit_are_counted() -> None:
    body = paragraph("바닥")
    for _ in range(5):
        body = f"<w:tbl><w:tr><w:tc>{body}</w:tc><w:tc>{paragraph('옆')}</w:tc></w:tr></w:tbl>"
    parsed = read(package(body), Limits(depth=3))
    assert parsed.warnings == ("1 tables or text boxes nested deeper than 3",)


def test_text_of_word_art_and_old_text_boxes_is_read() -> None:
    vml = 'xmlns:v="urn:schemas-microsoft-com:vml"'
    box = f"<v:shape><v:textbox><w:txbxContent>{paragraph('상자')}</w:txbxContent></v:textbox></v:shape>"
    art = '<v:shape><v:textpath string="대외비"/></v:shape>'
    body = f"<w:p>{run('문단')}<w:r><w:pict {vml}><v:group>{box}{art}</v:group></w:pict></w:r></w:p>"
    assert texts(read(package(body))) == ["문단", "상자", "대외비"]


def test_an_unknown_choice_gives_way_to_its_fallback() -> None:
    body = (
        '<w:p><mc:AlternateContent xmlns:q="urn:other"><mc:Choice Requires="q"><w:r><w:t>모름</w:t></w:r></mc:Choice>'
        "<mc:Fallback><w:r><w:t>대신</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>"
    )
    assert texts(read(package(body))) == ["대신"]


def test_footnotes_and_endnotes_are_numbered_as_printed() -> None:
    def notes(kind: str, *words: str) -> str:
        inner = "".join(f'<w:{kind} w:id="{n}">{paragraph(word)}</w:{kind}>' for n, word in enumerate(words, 2))
        return f"<w:{kind}s>{inner}</w:{kind}s>"

    def reference(kind: str, number: int, more: str = "") -> str:
        return in_paragraph(run(f"{kind}{number}") + f'<w:r><w:{kind}Reference w:id="{number}" {more}/></w:r>')

    body = (
        reference("footnote", 2)
        + reference("endnote", 2)
        + reference("footnote", 3, 'w:customMarkFollows="1"')
        + reference("footnote", 4)
        + reference("footnote", 4)
    )
    parsed = read(package(body, footnotes=notes("footnote", "하나", "별표", "둘"), endnotes=notes("endnote", "끝")))
    found = [(block.number, block.text) for block in parsed.blocks if block.kind == "note"]
    assert found == [("1", "하나"), ("i", "끝"), ("", "별표"), ("2", "둘")]


def test_a_note_is_read_once_however_it_is_drawn() -> None:
    box = f"<w:txbxContent>{paragraph('상자')}</w:txbxContent>"
    drawn = (
        f"<w:p><w:r><w:t>각주</w:t></w:r><w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice>"
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    notes = f'<w:footnotes xmlns:mc="{MC}"><w:footnote w:id="2">{drawn}</w:footnote></w:footnotes>'
    body = in_paragraph(run("문장") + '<w:r><w:footnoteReference w:id="2"/></w:r>')
    assert texts(read(package(body, footnotes=notes)))[1] == "1 각주\n상자"


def test_charts_and_diagrams_follow_their_paragraph() -> None:
    c = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    dgm = 'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    points = "".join(f'<c:pt idx="{n}"><c:v>{word}</c:v></c:pt>' for n, word in enumerate(("상반기", "하반기")))
    values = "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate((120, 150)))
    chart = (
        f"<c:chartSpace {c} {a}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>분기 예산</a:t></a:r></a:p></c:rich>"
        "</c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>"
        '<c:pt idx="0"><c:v>집행</c:v></c:pt></c:strCache></c:strRef></c:tx>'
        f"<c:cat><c:strRef><c:strCache>{points}</c:strCache></c:strRef></c:cat>"
        f"<c:val><c:numRef><c:numCache>{values}</c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea>"
        "</c:chart></c:chartSpace>"
    )
    point = "<dgm:pt><dgm:t><a:p><a:r><a:t>접수</a:t></a:r></a:p></dgm:t></dgm:pt>"
    diagram = f"<dgm:dataModel {dgm} {a}>{point}</dgm:dataModel>"
    body = (
        f'<w:p {R}>{run("그림")}<w:r><w:drawing><c:chart {c} r:id="c1"/><dgm:relIds {dgm} r:dm="d1"/>'
        '<c:chart xmlns:c="x" r:id="c1"/></w:drawing></w:r></w:p>'
    )
    data = in_parts(
        body,
        {"charts/chart1.xml": chart, "diagrams/data1.xml": diagram},
        link("c1", "chart", "charts/chart1.xml") + link("d1", "diagramData", "/word/diagrams/data1.xml"),
    )
    parsed = read(data)
    assert [block.kind for block in parsed.blocks] == ["paragraph", "paragraph", "table", "item"]
    assert texts(parsed)[:2] == ["그림", "분기 예산"]
    assert parsed.blocks[3].text == "접수"


def test_imported_documents_are_read_to_a_depth() -> None:
    data = package(paragraph("바닥"))
    for level in ("셋", "둘", "하나"):
        body = f'{paragraph(level)}<w:altChunk {R} r:id="a"/><w:altChunk {R} r:id="a"/>'
        data = in_parts(body, {"part.docx": data}, link("a", "aFChunk", "part.docx"))
    parsed = read(data)
    assert texts(parsed) == ["하나", "둘", "셋"]
    assert read(in_parts(f'{paragraph("가")}<w:altChunk {R} r:id="q"/>', {}, "")).warnings == (
        "1 imported parts that can't be read",
    )


def test_an_imported_page_is_read() -> None:
    page = "<html><body><p>들여온 글</p></body></html>"
    data = in_parts(f'<w:altChunk {R} r:id="a"/>', {"a.html": page}, link("a", "aFChunk", "a.html"))
    assert texts(read(data)) == ["들여온 글"]


def test_pictures_and_embedded_files_are_counted() -> None:
    spaces = 'xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml"'
    picture = '<w:drawing><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"/></w:drawing>'
    file = f"<w:object {spaces}><v:shape><v:imagedata/></v:shape><o:OLEObject/></w:object>"
    stamp = f"<w:pict {spaces}><v:shape><v:imagedata/></v:shape></w:pict>"
    parsed = read(package(f"<w:p><w:r><w:t>글</w:t>{picture}{file}{stamp}</w:r></w:p>"))
    assert parsed.asides == {"image": 2}
    assert parsed.warnings == ("1 embedded files that are not read",)


def test_a_diagram_is_read_in_the_order_that_it_shows() -> None:
    space = 'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'

    def point(identity: str, text: str = "", kind: str = "node") -> str:
        words = f'<dgm:t><a:p xmlns:a="x"><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t>' if text else ""
        return f'<dgm:pt modelId="{identity}" type="{kind}">{words}</dgm:pt>'

    def leads(source: str, target: str, order: int) -> str:
        return f'<dgm:cxn srcId="{source}" destId="{target}" srcOrd="{order}"/>'

    points = (
        point("3", "셋째")
        + point("1", "첫째")
        + point("4", "떨어진 말")
        + point("2", "첫째 아래")
        + point("0", kind="doc")
    )
    lines = leads("0", "3", 1) + leads("0", "1", 0) + leads("1", "2", 0) + leads("2", "1", 0) + leads("9", "8", 0)
    data = f"<dgm:dataModel {space}><dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{lines}</dgm:cxnLst></dgm:dataModel>"
    found = [(block.text, block.level) for block in diagram_blocks(data.encode("utf-8"), "data1.xml")]
    assert found == [("첫째", 1), ("첫째 아래", 2), ("셋째", 1), ("떨어진 말", 1)]
