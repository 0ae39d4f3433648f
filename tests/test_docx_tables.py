"""Word files: tables."""

from __future__ import annotations

import pytest
from docx_writer import package, paragraph, read
from office_makers import grid, make_docx

from pipelines.errors import TooLarge
from pipelines.records import Block, Cell, Limits


def test_merged_and_nested_tables_keep_their_shape() -> None:
    nested = grid([["안", "쪽"]])
    cells = (
        Cell(0, 0, (Block("paragraph", "구분"),), 2, 1),
        Cell(0, 1, (Block("paragraph", "금액"),), 1, 2),
        Cell(1, 1, (Block("paragraph", "10"), nested)),
        Cell(1, 2, (Block("paragraph", "20"),)),
    )
    table = Block("table", cells=cells)
    assert read(make_docx([table])).blocks == (table,)


def test_a_one_cell_table_is_a_frame() -> None:
    parsed = read(make_docx([grid([["상자 안의 글"]])]))
    assert [block.kind for block in parsed.blocks] == ["paragraph"]


def test_deleted_and_hidden_rows_and_deleted_cells_are_left_out() -> None:
    def row(words: str, properties: str = "") -> str:
        return (
            f"<w:tr><w:trPr>{properties}</w:trPr>"
            + "".join(f"<w:tc>{paragraph(word)}</w:tc>" for word in words)
            + "</w:tr>"
        )

    dead = f"<w:tr><w:tc><w:tcPr><w:cellDel/></w:tcPr>{paragraph('죽')}</w:tc><w:tc>{paragraph('마')}</w:tc></w:tr>"
    rows = row("가나") + row("다라", "<w:del/>") + row("바사", "<w:hidden/>") + row("자차", "<w:ins/>") + dead
    body = f"<w:tbl>{rows}</w:tbl>"
    parsed = read(package(body))
    assert [cell.blocks[0].text for cell in parsed.blocks[0].cells] == ["가", "나", "자", "차", "마"]
    assert parsed.asides == {"hidden": 1, "tracked_change": 3}


def test_grid_lines_that_no_cell_uses_are_gone() -> None:
    def cell(text: str, span: int) -> str:
        return f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr>{paragraph(text)}</w:tc>'

    rows = f"<w:tr>{cell('가', 2)}{cell('나', 999999999)}</w:tr><w:tr>{cell('다', 2)}{cell('라', 3)}</w:tr>"
    table = read(package(f"<w:tbl>{rows}</w:tbl>")).blocks[0]
    assert [(cell.row, cell.col, cell.col_span) for cell in table.cells] == [
        (0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1),
    ]  # fmt: skip


def test_a_vertical_merge_that_starts_nowhere_is_a_cell() -> None:
    def cell(text: str, merge: str) -> str:
        return f"<w:tc><w:tcPr>{merge}</w:tcPr>{paragraph(text)}</w:tc>"

    rows = (
        f"<w:tr>{cell('가', '<w:vMerge/>')}{cell('나', '')}</w:tr>"
        '<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>' + cell("다", "") + "</w:tr>"
        f"<w:tr>{cell('라', '<w:vMerge/>')}{cell('마', '')}</w:tr>"
    )
    table = read(package(f"<w:tbl>{rows}</w:tbl>")).blocks[0]
    assert [(cell.blocks[0].text, cell.row_span) for cell in table.cells] == [
        ("가", 1), ("나", 1), ("다", 1), ("라", 1), ("마", 1),
    ]  # fmt: skip


def test_a_table_wider_than_the_limit_is_refused() -> None:
    cells = "".join(f"<w:tc>{paragraph('가')}</w:tc>" for _ in range(40))
    rows = f"<w:tr>{cells}</w:tr>" + f"<w:tr><w:tc>{paragraph('나')}</w:tc></w:tr>" * 40
    with pytest.raises(TooLarge):
        read(package(f"<w:tbl>{rows}</w:tbl>"), Limits(cells=1000))


@pytest.mark.parametrize(
    ("look", "row", "expected"),
    [
        ("", "", 1),
        ("", '<w:tblHeader w:val="false"/>', 0),
        ('<w:tblLook w:val="0480"/>', "", 0),
        ('<w:tblLook w:val="04A0"/>', "", 1),
        ('<w:tblLook w:firstRow="0" w:val="04A0"/>', "", 0),
        ('<w:tblLook w:firstRow="0"/>', "<w:tblHeader/>", 1),
        ('<w:tblLook w:val="zz"/>', "", 1),
    ],
)
def test_a_first_row_is_a_header_unless_the_table_denies_it(look: str, row: str, expected: int) -> None:
    cells = "".join(f"<w:tc>{paragraph(word)}</w:tc>" for word in ("가", "나"))
    first, second = f"<w:tr><w:trPr>{row}</w:trPr>{cells}</w:tr>", f"<w:tr>{cells}</w:tr>"
    parsed = read(package(f"<w:tbl><w:tblPr>{look}</w:tblPr>{first}{second}</w:tbl>"))
    assert parsed.blocks[0].header_rows == expected


def test_a_heading_in_a_frame_heads_the_text_and_one_in_a_table_labels_its_cell() -> None:
    title = paragraph("계획", '<w:outlineLvl w:val="0"/>')
    frame = f"<w:tbl><w:tr><w:tc>{title}</w:tc></w:tr></w:tbl>"
    table = f"<w:tbl><w:tr><w:tc>{title}</w:tc><w:tc>{paragraph('값')}</w:tc></w:tr></w:tbl>"
    blocks = read(package(frame + table)).blocks
    assert (blocks[0].kind, blocks[0].level, blocks[1].cells[0].blocks[0].kind) == ("heading", 1, "paragraph")
