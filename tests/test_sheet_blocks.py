"""Regions of a sheet become records: what each row is worth, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from pipelines.parsers.sheet_blocks import sheet_blocks
from pipelines.parsers.sheet_grid import Area, Grid, Table
from pipelines.records import Block


def grid_of(rows: Sequence[Any], merges: Sequence[Area] = ()) -> Grid:
    """Return a sheet whose rows and columns begin at 1; None leaves a cell empty."""
    cells = {n: {c: str(v) for c, v in enumerate(row, 1) if v is not None} for n, row in enumerate(rows, 1)}
    grid = Grid("표", rows={number: row for number, row in cells.items() if row}, merges=list(merges))
    grid.settle()
    return grid


def shown(block: Block) -> str:
    if block.kind != "record":
        return block.text
    labels = block.labels or ("",) * len(block.values)
    return "; ".join(f"{label}: {value}" if label else value for label, value in zip(labels, block.values, strict=True))


def lines(grid: Grid) -> list[str]:
    """Return the blocks of a sheet without its own heading."""
    return [shown(block) for block in sheet_blocks(grid)[1:]]


class _Walked(dict[int, str]):
    """A row that counts how often anyone walks over its cells."""

    walks = 0

    def __iter__(self) -> Iterator[int]:
        _Walked.walks += 1
        return super().__iter__()


class _Listed(list[Table]):
    """Tables that count how often anyone walks over them."""

    walks = 0

    def __iter__(self) -> Iterator[Table]:
        _Listed.walks += 1
        return super().__iter__()


def walks(groups: int) -> int:
    """Return how often the rows of a table are walked over, whose first column is merged two rows at a time."""
    pairs = [[f"그룹{n // 2}" if n % 2 == 0 else None, f"세부{n}", n] for n in range(2 * groups)]
    merges = [Area(2 * n + 2, 1, 2 * n + 3, 1) for n in range(groups)]
    grid = grid_of([["구분", "세부", "값"], *pairs], merges)
    grid.rows = {number: _Walked(cells) for number, cells in grid.rows.items()}
    _Walked.walks = 0
    assert lines(grid)[-1] == f"구분: 그룹{groups - 1}; 세부: 세부{2 * groups - 1}; 값: {2 * groups - 1}"
    return _Walked.walks


def test_twice_the_merged_rows_cost_twice_the_walks() -> None:
    assert walks(400) < 2.2 * walks(200)


def test_a_header_printed_again_on_every_page_keeps_its_labels_and_is_said_once() -> None:
    page: list[list[Any]] = [["이름", "부서", "점수"], ["가", "영업", 1], ["나", "개발", 2]]
    assert lines(grid_of([*page, *page])) == [
        "이름; 부서; 점수",
        "이름: 가; 부서: 영업; 점수: 1",
        "이름: 나; 부서: 개발; 점수: 2",
        "이름: 가; 부서: 영업; 점수: 1",
        "이름: 나; 부서: 개발; 점수: 2",
    ]


def test_a_header_of_two_rows_printed_again_is_said_once() -> None:
    page: list[list[Any]] = [["구분", "상반기", None], [None, "계획", "실적"], ["매출", 10, 12], ["이익", 1, 2]]
    merges = [merge for top in (1, 5) for merge in (Area(top, 1, top + 1, 1), Area(top, 2, top, 3))]
    assert (
        lines(grid_of([*page, *page], merges))[2:]
        == [
            "구분: 매출; 상반기 / 계획: 10; 상반기 / 실적: 12",
            "구분: 이익; 상반기 / 계획: 1; 상반기 / 실적: 2",
        ]
        * 2
    )


def test_a_row_that_comes_again_right_below_itself_is_no_header() -> None:
    assert lines(grid_of([["가", "나"], ["가", "나"], ["다", 1]])) == ["가; 나", "가; 나", "다; 1"]


def test_an_empty_corner_heads_the_column_of_row_names() -> None:
    quarters = [[None, "1분기", "2분기", "3분기"], ["서울", 1, 2, 3], ["부산", 4, 5, 6]]
    assert lines(grid_of(quarters))[1:] == ["서울; 1분기: 1; 2분기: 2; 3분기: 3", "부산; 1분기: 4; 2분기: 5; 3분기: 6"]
    years = [[None, 2025, 2026], ["매출", 10, 12], ["이익", 1, 2]]
    assert lines(grid_of(years))[1:] == ["매출; 2025: 10; 2026: 12", "이익; 2025: 1; 2026: 2"]


def test_a_row_that_only_lacks_its_first_value_is_no_header() -> None:
    assert lines(grid_of([[None, "가", 1], ["나", "다", 2], ["라", "마", 3]]))[1] == "나; 다; 2"


def test_tables_beside_each_other_may_have_equal_labels() -> None:
    grid = grid_of([["구분", "금액", "구분", "금액"], ["가", 1, "나", 2], ["다", 3, "라", 4]])
    assert lines(grid)[1:] == ["구분: 가; 금액: 1; 구분: 나; 금액: 2", "구분: 다; 금액: 3; 구분: 라; 금액: 4"]


def table_walks(tables: int) -> int:
    """Return how often the tables of a sheet are walked over, where each stands after a blank row with a filter."""
    rows: list[Any] = [row for n in range(tables) for row in (["품목", "값"], [f"가{n}", n], [])]
    grid = grid_of(rows)
    grid.tables = _Listed(Table(Area(3 * n + 1, 1, 3 * n + 2, 2), filtered=True) for n in range(tables))
    grid.settle()
    _Listed.walks = 0
    assert lines(grid)[-1] == f"품목: 가{tables - 1}; 값: {tables - 1}"
    return _Listed.walks


def test_more_filters_cost_no_more_walks() -> None:
    assert table_walks(40) == table_walks(20)


def test_rows_of_words_without_a_header_take_no_labels() -> None:
    people = [["홍길동", "서울", "영업"], ["김철수", "부산", "개발"], ["이영희", "대구", "인사"]]
    assert lines(grid_of(people)) == ["홍길동; 서울; 영업", "김철수; 부산; 개발", "이영희; 대구; 인사"]


@pytest.mark.parametrize(
    ("rows", "last"),
    [
        ([["성명", "지역"], ["홍길동", "서울"], ["김철수", "부산"]], "성명: 김철수; 지역: 부산"),
        ([["도시", "규정"], ["서울", "제1조"], ["부산", "제2조"]], "도시: 부산; 규정: 제2조"),
        ([["town", "staff"], ["서울", "홍길동"], ["부산", "김철수"]], "town: 부산; staff: 김철수"),
        ([["열1", "열2"], ["서울", "홍길동"], ["부산", "김철수"]], "열1: 부산; 열2: 김철수"),
        ([["전사 배치"], ["도시", "사원"], ["서울", "홍길동"], ["부산", "김철수"]], "도시: 부산; 사원: 김철수"),
        ([[], ["도시", "사원"], ["서울", "홍길동"], ["부산", "김철수"]], "도시: 부산; 사원: 김철수"),
        (
            [[None, "오전", "오후"], ["월요일", "홍길동", "김철수"], ["화요일", "이영희", "박민수"]],
            "화요일; 오전: 이영희; 오후: 박민수",
        ),
    ],
)
def test_a_header_over_words_is_known_by_its_words_its_look_or_its_place(rows: list[Any], last: str) -> None:
    assert lines(grid_of(rows))[-1] == last


def test_a_header_over_words_is_known_by_its_marks() -> None:
    grid = grid_of([["도시", "사원"], ["서울", "홍길동"], ["부산", "김철수"]])
    grid.emphasised = {(1, 1), (1, 2)}
    assert lines(grid)[-1] == "도시: 부산; 사원: 김철수"


def test_notes_right_under_a_table_take_no_label() -> None:
    table = [["구분", "금액"], ["가", 1], ["나", 2], ["-", None], ["※ 부가세 별도"], ["* 잠정치"]]
    assert lines(grid_of(table))[1:] == [
        "구분: 가; 금액: 1",
        "구분: 나; 금액: 2",
        "구분: -",
        "※ 부가세 별도",
        "* 잠정치",
    ]
    assert [block.kind for block in sheet_blocks(grid_of(table))[-2:]] == ["paragraph", "paragraph"]


def test_days_head_columns_where_no_days_stand_under_them() -> None:
    duty = [["담당", "2026-01-01", "2026-01-02"], ["가", "휴가", "근무"], ["나", "근무", "휴가"]]
    assert lines(grid_of(duty))[-1] == "담당: 나; 2026-01-01: 근무; 2026-01-02: 휴가"
    corner = [[None, "3/2(월)", "3/3(화)", "3/4(수)"], ["서버", 1, 2, 3], ["회선", 4, 5, 6]]
    assert lines(grid_of(corner))[-1] == "회선; 3/2(월): 4; 3/3(화): 5; 3/4(수): 6"
    spans = [["가", "2026-01-01", "2026-01-02"], ["나", "2026-02-01", "2026-02-02"], ["다", "2026-03-01", "2026-03-02"]]
    assert lines(grid_of(spans))[-1] == "다; 2026-03-01; 2026-03-02"
    shares = [["인건비", "1.5", "2.3"], ["장비비", "3", "4"]]
    assert lines(grid_of(shares)) == ["인건비; 1.5; 2.3", "장비비; 3; 4"]
