"""Presentations: slides in showing order, shapes as a reader meets them."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pptx
import pytest
from office_makers import Slide, grid, make_pptx
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from pipelines.errors import Corrupt, Empty, TooLarge
from pipelines.parsers.pptx import parse
from pipelines.records import Block, Cell, Limits, Locator, Parsed


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
    assert cells(table) == ["", "점유율", "1월", "12.5%", "2월", "50%"]


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
    assert texts(parsed) == ["보임", "숨김"]
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
        "그룹 안 글",
        "중첩 그룹 글",
        "발표자 노트: 매출 12% 증가 설명",
        "매출",
        "112",
        "월별 가입자",
    ]
    musts += ["가입자수", "1350", "2월", "숨긴 슬라이드", "상위", "하위"]
    assert [must for must in musts if must not in found] == []
    assert found.index("위 왼쪽(나중 그림)") < found.index("아래 오른쪽(먼저 그림)")
