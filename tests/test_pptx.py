"""Presentations: slides in showing order, shapes as a reader meets them."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pptx
import pytest
from office_makers import Slide, grid, make_pptx
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches, Pt
from sheet_makers import edited
from vectors_pptx import VECTORS, P, box, deck, frame

from pipelines.errors import Corrupt, Empty, TooLarge
from pipelines.parsers.pptx import parse
from pipelines.records import Aside, Block, Cell, Limits, Locator, Parsed


def read(data: bytes, limits: Limits | None = None) -> Parsed:
    return parse(io.BytesIO(data), "발표.pptx", limits or Limits())


def saved(presentation: Any) -> bytes:
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def texts(parsed: Parsed) -> list[str]:
    return [f"{block.number} {block.text}".strip() for block in parsed.blocks]


def cells(block: Block) -> list[str]:
    return [" ".join(inner.text for inner in cell.blocks) for cell in block.cells]


def blank() -> tuple[Any, Any]:
    presentation = pptx.Presentation()
    return presentation, presentation.slides.add_slide(presentation.slide_layouts[6])


def add_box(slide: Any, text: str, left: float, top: float) -> Any:
    box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.4))
    box.text_frame.text = text
    return box


def test_what_was_made_comes_back_with_its_slide() -> None:
    modified = datetime(2026, 3, 1, 9, tzinfo=UTC)
    table = grid([["항목", "값"], ["기간", "8개월"]])
    slides = [
        Slide("사업 계획", cover=True),
        Slide("예산", (Block("paragraph", "총 3억원"), Block("item", "인건비", level=1), table), notes="여기서 쉰다"),
    ]
    parsed = read(make_pptx(slides, title="계획", author="김수진", modified=modified))
    second = Locator(slide=2)
    assert list(parsed.blocks) == [
        Block("heading", "사업 계획", level=1, locator=Locator(slide=1)),
        Block("heading", "예산", level=2, locator=second),
        Block("paragraph", "총 3억원", locator=second),
        Block("item", "인건비", level=1, locator=second),
        Block("table", cells=table.cells, locator=second),
        Block("heading", "발표자 노트", level=3, locator=second, in_body=False),
        Block("paragraph", "여기서 쉰다", locator=second),
    ]
    assert (parsed.title, parsed.author, parsed.modified_at, parsed.pages) == ("계획", "김수진", modified, 2)


def test_shapes_are_read_by_rows_whatever_was_drawn_first() -> None:
    presentation, slide = blank()
    add_box(slide, "아래", 1, 5)
    add_box(slide, "오른쪽", 5, 1.1)
    add_box(slide, "왼쪽", 1, 1.3)
    assert texts(read(saved(presentation))) == ["왼쪽", "오른쪽", "아래"]


def test_a_group_stays_together_and_is_ordered_inside() -> None:
    presentation, slide = blank()
    add_box(slide, "뒤", 4, 4)
    group = slide.shapes.add_group_shape()
    add_box(group, "둘", 1, 3)
    inner = group.shapes.add_group_shape()
    add_box(inner, "하나", 1, 2)
    assert texts(read(saved(presentation))) == ["하나", "둘", "뒤"]


def test_a_placeholder_takes_its_place_from_the_layout() -> None:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.placeholders[1].text = "본문"
    add_box(slide, "맨 위", 0, 0.1)
    assert texts(read(saved(presentation))) == ["맨 위", "본문"]


def test_chart_data_become_a_table() -> None:
    presentation, slide = blank()
    data = CategoryChartData(number_format="0.0%")
    data.categories = ["1월", "2월"]
    data.add_series("점유율", (0.125, 0.5))
    place = (Inches(1), Inches(1), Inches(4), Inches(3))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
    table = next(block for block in read(saved(presentation)).blocks if block.kind == "table")
    assert cells(table) == ["", "점유율", "1월", "12.5%", "2월", "50.0%"]


def test_category_levels_are_joined_and_other_categories_make_another_table() -> None:
    presentation, slide = blank()
    data = CategoryChartData()
    for year in ("2025년", "2026년"):
        outer = data.add_category(year)
        outer.add_sub_category("상반기")
        outer.add_sub_category("하반기")
    data.add_series("매출", (1, 2, 3, 4.5))
    place = (Inches(1), Inches(1), Inches(4), Inches(2))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
    points = XyChartData()
    for name, x in (("가", 1), ("나", 2)):
        points.add_series(name).add_data_point(x, 10 * x)
    slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, Inches(1), Inches(4), Inches(4), Inches(2), points)
    tables = [cells(block) for block in read(saved(presentation)).blocks if block.kind == "table"]
    assert tables == [
        ["", "매출", "2025년 / 상반기", "1", "2025년 / 하반기", "2", "2026년 / 상반기", "3", "2026년 / 하반기", "4.5"],
        ["", "가", "1", "10"],
        ["", "나", "2", "20"],
    ]


def test_series_without_a_common_category_dont_make_a_table_of_empty_cells() -> None:
    def points(start: int) -> str:
        values = "".join(f'<c:pt idx="{n}"><c:v>{n}</c:v></c:pt>' for n in range(start, start + 2))
        return f"<c:ser><c:val><c:numLit>{values}</c:numLit></c:val></c:ser>"

    space = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    series = "".join(points(2 * n) for n in range(1000))
    plot = f"<c:chart><c:plotArea><c:lineChart>{series}</c:lineChart></c:plotArea></c:chart>"
    chart = f'<c:chartSpace xmlns:c="{space}">{plot}</c:chartSpace>'
    data = deck(
        frame(f'<c:chart xmlns:c="{space}" r:id="rId9"/>'), {"rId9": ("chart", "c.xml")}, {"ppt/slides/c.xml": chart}
    )
    tables = [block for block in read(data).blocks if block.kind == "table"]
    assert sum(len(table.cells) for table in tables) < 500_000


def test_merged_cells_stand_once() -> None:
    table = Block(
        "table",
        cells=(
            Cell(0, 0, (Block("paragraph", "계획과 실적"),), 1, 2),
            Cell(1, 0, (Block("paragraph", "10"),)),
            Cell(1, 1, (Block("paragraph", "20"),)),
        ),
    )
    parsed = read(make_pptx([Slide("표", (table,))]))
    assert parsed.blocks[1].cells == table.cells


def test_hidden_slides_are_read_and_counted() -> None:
    parsed = read(make_pptx([Slide("보임"), Slide("숨김", hidden=True)]))
    assert texts(parsed) == ["보임", "숨김", "[숨긴 슬라이드]"]
    assert parsed.warnings == ("1 hidden slides",)


def test_automatic_numbers_are_rebuilt() -> None:
    presentation, slide = blank()
    frame = add_box(slide, "하나", 1, 1).text_frame
    frame.add_paragraph().text = "둘"
    for paragraph in frame.paragraphs:
        properties = paragraph._p.get_or_add_pPr()
        number = properties.makeelement(
            "{http://schemas.openxmlformats.org/drawingml/2006/main}buAutoNum", {"type": "alphaLcParenBoth"}
        )
        properties.append(number)
    assert texts(read(saved(presentation))) == ["(a) 하나", "(b) 둘"]


def test_a_body_without_bullets_in_its_layout_holds_paragraphs() -> None:
    presentation = pptx.Presentation()
    layout = presentation.slide_layouts[1]
    style = layout.placeholders[1]._element.txBody.find(
        "{http://schemas.openxmlformats.org/drawingml/2006/main}lstStyle"
    )
    space = style.nsmap["a"]
    level = style.makeelement(f"{{{space}}}lvl1pPr", {})
    level.append(level.makeelement(f"{{{space}}}buNone", {}))
    style.append(level)
    slide = presentation.slides.add_slide(layout)
    slide.placeholders[1].text = "본문"
    slide.placeholders[1].text_frame.add_paragraph().text = "아래 단계"
    slide.placeholders[1].text_frame.paragraphs[1].level = 1
    assert [block.kind for block in read(saved(presentation)).blocks] == ["paragraph", "item"]


def test_a_number_follows_the_style_of_its_body() -> None:
    numbered = '<a:lstStyle><a:lvl1pPr><a:buAutoNum type="arabicParenR" startAt="3"/></a:lvl1pPr></a:lstStyle>'
    two = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in ("셋째", "넷째"))
    shape = box(two).replace("<a:lstStyle/>", numbered)
    assert texts(read(deck(shape)))[1:] == ["3) 셋째", "4) 넷째"]


def test_the_largest_text_at_the_top_heads_a_slide_without_a_title() -> None:
    presentation, cover = blank()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    for page, words in ((cover, ("사업 보고", "기획팀")), (slide, ("추진 현황", "세부 내용"))):
        title = add_box(page, words[0], 1, 0.4)
        title.text_frame.paragraphs[0].runs[0].font.size = Pt(32)
        add_box(page, words[1], 1, 3)
    found = [(block.kind, block.level, block.text) for block in read(saved(presentation)).blocks]
    assert found == [
        ("heading", 1, "사업 보고"),
        ("paragraph", 0, "기획팀"),
        ("heading", 2, "추진 현황"),
        ("paragraph", 0, "세부 내용"),
    ]


def test_a_large_number_below_is_no_title() -> None:
    presentation, slide = blank()
    large = add_box(slide, "78%", 1, 0.4)
    large.text_frame.paragraphs[0].runs[0].font.size = Pt(60)
    add_box(slide, "달성률", 1, 3)
    assert [block.kind for block in read(saved(presentation)).blocks] == ["paragraph", "paragraph"]


def test_what_is_kept_apart_or_not_read_is_counted() -> None:
    made = {vector.name: vector.make() for vector in VECTORS}
    assert read(made["pptx: comments stay apart"]).asides == {"comment": 5}
    apart = read(made["pptx: footers, alternative text and hidden shapes stay apart"])
    assert apart.asides == {"footer": 1, "hidden": 1}
    assert apart.apart == (Aside("footer", "대외비 바닥글", Locator(slide=1)),)
    picture = "<mc:Fallback><p:oleObj progId='Excel.Sheet.12'/></mc:Fallback>"
    embedded = f"<mc:AlternateContent><mc:Choice Requires='v'><p:oleObj progId='Excel.Sheet.12'/></mc:Choice>{picture}"
    assert read(deck(frame(f"{embedded}</mc:AlternateContent>"))).warnings == ("1 embedded objects that aren't read",)
    missing = read(deck(frame('<c:chart xmlns:c="c" r:id="rId99"/>')))
    assert missing.warnings == ("1 charts without readable data",)


def test_comments_say_who_and_replies_follow_what_they_answer() -> None:
    made = {vector.name: vector.make() for vector in VECTORS}
    parsed = read(made["pptx: comments stay apart"])
    assert {aside.locator.slide for aside in parsed.apart} == {1}
    assert [aside.text for aside in parsed.apart if aside.kind == "comment"] == [
        "김수진: 옛 메모",
        "이준: 옛 답글",
        "이준: 다른 메모",
        "박서연: 새 메모\n둘째 줄",
        "최민호: 답글 메모",
    ]


def test_a_footer_on_every_slide_is_kept_once_and_slide_numbers_are_only_counted() -> None:
    presentation, first = blank()
    for slide in (first, presentation.slides.add_slide(presentation.slide_layouts[6])):
        add_box(slide, "본문", 1, 3)
        for kind, text in (("ftr", "대외비"), ("dt", "2026. 3. 1."), ("sldNum", "77")):
            shape = add_box(slide, text, 1, 7)
            shape._element.nvSpPr.nvPr.append(parse_xml(f'<p:ph xmlns:p="{P}" type="{kind}" idx="11"/>'))
    parsed = read(saved(presentation))
    assert parsed.asides == {"footer": 6}
    assert [(aside.text, aside.locator.slide) for aside in parsed.apart] == [("대외비", 1), ("2026. 3. 1.", 1)]


def test_a_slide_listed_twice_is_read_once() -> None:
    twice = '<p:sldId id="900" r:id="rId900"/></p:sldIdLst>'
    link = '<Relationship Id="rId900" Type="http://x/slide" Target="slides/slide1.xml"/></Relationships>'
    changes = {
        "ppt/presentation.xml": [("</p:sldIdLst>", twice)],
        "ppt/_rels/presentation.xml.rels": [("</Relationships>", link)],
    }
    parsed = read(edited(make_pptx([Slide("하나")]), changes))
    assert (texts(parsed), parsed.pages) == (["하나"], 1)
    assert parsed.warnings == ("1 slides that the file lists twice",)


def test_spans_beyond_the_table_are_cut() -> None:
    data = make_pptx([Slide("표", (grid([["가", "나"], ["1", "2"]]),))])
    lying = edited(data, {"ppt/slides/slide1.xml": [("<a:tc>", '<a:tc rowSpan="99999" gridSpan="999999">')]})
    table = next(block for block in read(lying).blocks if block.kind == "table")
    assert [(cell.row_span, cell.col_span) for cell in table.cells] == [(2, 2), (2, 1), (1, 2), (1, 1)]


def test_many_overlapping_shapes_are_ordered_in_no_time() -> None:
    shapes = "".join(box(f"글 {n}", n % 7, n % 5, 8, 6) + box("<a:p/>", n % 3, n % 4, 9, 7) for n in range(300))
    assert len(texts(read(deck(shapes)))) == 301


def test_files_that_cannot_be_used_say_why() -> None:
    whole = make_pptx([Slide("하나"), Slide("둘")])
    with pytest.raises(Corrupt):
        read(whole[: len(whole) // 2])
    with pytest.raises(Empty):
        read(make_pptx([Slide()]))
    with pytest.raises(TooLarge):
        read(whole, Limits(pages=1))


@pytest.mark.cases
def test_everything_in_one_deck_is_found(cases_dir: Path) -> None:
    parsed = read((cases_dir / "formats/pptx/syn_ko_everything.pptx").read_bytes())
    found = texts(parsed) + [text for block in parsed.blocks for text in cells(block)]
    musts = [
        "1분기 실적",
        "위 왼쪽(나중 그림)",
        "아래 오른쪽(먼저 그림)",
        "그룹 안 글",
        "중첩 그룹 글",
        "발표자 노트: 매출 12% 증가 설명",
        "매출",
        "112",
        "월별 가입자",
    ]
    musts += ["가입자수", "1350", "2월", "숨긴 슬라이드", "상위", "하위"]
    assert len(musts) == 15
    assert [must for must in musts if must not in found] == []
    assert found.index("위 왼쪽(나중 그림)") < found.index("아래 오른쪽(먼저 그림)")


@pytest.mark.parametrize(
    "part", ["slides/_rels/slide2", "slideLayouts/_rels/slideLayout2", "notesSlides/_rels/notesSlide1"]
)
def test_a_cut_list_of_relationships_costs_no_slide(part: str) -> None:
    slides = [Slide("표지", cover=True), Slide("예산", (Block("paragraph", "총 3억원"),), notes="여기서 쉰다")]
    data = edited(make_pptx(slides), {f"ppt/{part}.xml.rels": [("</Relationships>", "")]})
    parsed = read(data)
    assert texts(parsed)[:3] == ["표지", "예산", "총 3억원"]
    assert parsed.warnings == ("1 damaged lists of what belongs to a part",)


def test_a_presentation_whose_order_is_lost_is_refused() -> None:
    cut = {"ppt/_rels/presentation.xml.rels": [("</Relationships>", "")]}
    with pytest.raises(Corrupt):
        read(edited(make_pptx([Slide("표지", cover=True)]), cut))
