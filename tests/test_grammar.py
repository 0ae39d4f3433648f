"""What a person types into a search, taken apart, and what of an index it leaves."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.errors import Refused
from pipelines.grammar import Request, conditions, read


def test_words_alone_are_the_question() -> None:
    assert read("결제 대기 시간은 얼마?") == Request("결제 대기 시간은 얼마?")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"대기 시간" 결제', Request("대기 시간 결제", phrases=("대기 시간",))),
        ("“대기 시간” 결제", Request("대기 시간 결제", phrases=("대기 시간",))),
        ("결제 -환불", Request("결제", excluded=("환불",))),
        ('결제 -"부분 환불"', Request("결제", excluded=("부분 환불",))),
        ("결제 source:제안서 source:개발", Request("결제", sources=("제안서", "개발"))),
        ('결제 source:"공유/2026 상반기"', Request("결제", sources=("공유/2026 상반기",))),
        ("결제 path:*.hwp", Request("결제", paths=("*.hwp",))),
        ("결제 after:2026-03-02 before:2026.06", Request("결제", after=date(2026, 3, 2), before=date(2026, 6, 1))),
        ("결제 After:2026", Request("결제", after=date(2026, 1, 1))),
    ],
)
def test_each_part_of_the_grammar(text: str, said: Request) -> None:
    assert read(text) == said


@pytest.mark.parametrize(
    "text", ["영하 -10도", "14:30 회의", '5" 화면', "A-10 자원:물", "source: 뜻", "- 환불", 'say "']
)
def test_what_only_looks_like_it_is_words(text: str) -> None:
    assert read(text) == Request(text)


@pytest.mark.parametrize(
    "text",
    [
        "after:어제 결제",
        "before:2026-13 결제",
        "source:개발",
        "-환불",
        "path:*.md after:2026",
        "after:0001 결제",
        "before:9999 결제",
        " ",
    ],
)
def test_a_day_that_is_none_and_a_question_of_filters_are_refused(text: str) -> None:
    with pytest.raises(Refused):
        read(text)


def test_the_rest_of_a_long_question_is_not_read() -> None:
    assert read("결제 " * 1_000 + "after:어제").words == " ".join(["결제"] * 667)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        request = read(text)
    except Refused:
        return
    assert request.words.strip()


ROWS = [
    ("제안서", "주간/회의.md", ["API"], "결제 API_v3의 대기\n시간은 30초", datetime(2026, 3, 1, tzinfo=UTC)),
    ("개발", "b_c.hwp", [], "api_v31 대기", datetime(2026, 3, 2, tzinfo=UTC)),
    ("개발", "bxc.hwp", [], "금융기관 100% 부분 환불", datetime(2026, 5, 31, tzinfo=UTC)),
    ("개", "e/주간/f.md", ["총칙"], "공공기관의 it's", datetime(2026, 6, 1, tzinfo=UTC)),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import lance

    names = ("source", "path", "heading", "text", "modified_at")
    types = (pa.string(), pa.string(), pa.list_(pa.string()), pa.string(), pa.timestamp("us", "UTC"))
    columns = {
        name: pa.array([row[n] for row in ROWS], kind) for n, (name, kind) in enumerate(zip(names, types, strict=True))
    }
    place = tmp_path_factory.mktemp("grammar") / "rows.lance"
    lance.write_dataset(pa.table(columns), str(place))
    return place


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('"api_v3" 결제', [0]),
        ('"대기 시간" 결제', [0]),
        ('"api" 결제', [0]),
        ("기관 -금융", [0, 1, 3]),
        ("기관 -api_v3 -환불", [1, 3]),
        ("기관 -it's", [0, 1, 2]),
        ('"100%" 기관', [2]),
        ("것 source:개발", [1, 2]),
        ("것 source:개발 source:개", [1, 2, 3]),
        ("것 path:*.hwp", [1, 2]),
        ("것 path:b_c", [1]),
        ("것 path:주간/*", [0, 3]),
        ("것 path:주간/?.MD", [3]),
        ("것 after:2026-03-02 before:2026-06-01", [1, 2]),
        ("것 path:주간 before:2026-03-02", [0]),
    ],
)
def test_the_conditions_leave_what_was_asked_for(index: Path, text: str, left: list[int]) -> None:
    import lance

    found = lance.dataset(str(index)).to_table(filter=" and ".join(conditions(read(text))))
    assert found["path"].to_pylist() == [ROWS[n][1] for n in left]


def test_days_begin_in_the_zone_of_the_settings() -> None:
    zone = timezone(timedelta(hours=9))
    assert conditions(read("것 after:2026-03-01"), zone) == ["modified_at >= timestamp '2026-02-28 15:00:00'"]
