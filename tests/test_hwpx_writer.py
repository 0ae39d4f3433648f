"""Our own HWPX files are read by programs that aren't ours."""

from __future__ import annotations

import hwpforge
import unhwp  # type: ignore[import-untyped]
from hwpx_writer import write_hwpx
from test_hwp5_writer import BLOCKS, MODIFIED, WORDS

from pipelines.records import Block, Cell

DATA = write_hwpx(BLOCKS, title="제안서", author="김새로", modified=MODIFIED)


def test_unhwp_reads_every_word() -> None:
    with unhwp.parse_bytes(DATA) as result:
        assert [word for word in WORDS if word not in result.markdown] == []
        assert result.title == "제안서"


def test_hwpforge_reads_words_levels_merged_cells_and_properties() -> None:
    document = hwpforge.Document.from_bytes(DATA)
    assert document.validate()["ok"]
    text = document.to_md().text
    assert [word for word in WORDS if word not in text] == []
    assert '<td rowspan="2">항목</td>' in text
    assert '<td colspan="2">값</td>' in text
    assert "[^1]: 운영 환경 기준." in text
    headings = document.outline()["outline"]["headings"]
    assert [(heading["text"], heading["level"]) for heading in headings] == [("결제 연동 제안", 1), ("제1절 일정", 2)]
    properties = document.inspect()["metadata"]
    assert (properties["title"], properties["author"]) == ("제안서", "김새로")
    assert properties["modified"] == "2026-03-02T09:30:00Z"


def test_a_table_in_a_cell_stays_in_its_cell() -> None:
    inner = Block("table", cells=(Cell(0, 0, (Block("paragraph", "안쪽"),)),))
    outer = Block("table", cells=(Cell(0, 0, (Block("paragraph", "바깥"), inner)),))
    data = write_hwpx([outer], title="", author="", modified=MODIFIED)
    text = hwpforge.Document.from_bytes(data).to_md().text
    assert "바깥" in text
    assert "안쪽" in text


def test_the_same_blocks_give_the_same_bytes() -> None:
    assert write_hwpx(BLOCKS, title="제안서", author="김새로", modified=MODIFIED) == DATA
