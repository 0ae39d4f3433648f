from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from document_makers import documents, record
from hypothesis import given

from pipelines import blocks_json
from pipelines.records import Aside, Attachment, Block, Locator, Parsed

FULL = Parsed(
    format="hwp",
    blocks=(Block("paragraph", "본문\n둘째 줄 🙂", locator=Locator(page=3, ocr=True)), record(["가"], ["1"], row=7)),
    title="제목",
    author="김",
    modified_at=datetime(2026, 11, 30, 9, 1, 2, 345678, tzinfo=UTC),
    created_at=datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=9))),
    clock="hwp:summary13",
    pages=4,
    ocr_pages=(2, 4),
    asides={"header": 2},
    apart=(Aside("header", "대외비", Locator(page=1)), Aside("comment", "금액 확인")),
    warnings=("2 formulas without a cached value",),
    properties={"expires_at": "2026-12-31"},
)


@given(documents())
def test_blocks_come_back_as_they_were(blocks: list[Block]) -> None:
    parsed = Parsed("docx", tuple(blocks))
    assert blocks_json.load(blocks_json.dump(parsed)) == parsed


def test_every_field_but_the_attachments_comes_back() -> None:
    with_file = replace(FULL, attachments=(Attachment("견적.xlsx", b"PK"),))
    data = blocks_json.dump(with_file)
    assert blocks_json.load(data) == FULL
    assert "견적".encode() not in data


def test_defaults_take_no_room() -> None:
    assert blocks_json.dump(Parsed("txt", (Block("paragraph", "가"),))).decode() == (
        '{"form":1,"format":"txt","blocks":[{"kind":"paragraph","text":"가"}]}'
    )


def test_records_of_a_sheet_share_their_labels() -> None:
    parsed = Parsed("xlsx", tuple(record(["이름", "나이"], [str(n), "1"], row=n) for n in range(3)))
    first, second, _ = blocks_json.load(blocks_json.dump(parsed)).blocks
    assert first.labels is second.labels


@pytest.mark.parametrize("data", [b"[]", b'{"blocks":[]}', b'{"form":2,"format":"txt","blocks":[]}'])
def test_another_form_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="form 1"):
        blocks_json.load(data)
