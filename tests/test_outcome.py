"""What a reading means for a document: a failure never takes away what was last read well."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pipelines.outcome import attachment_paths, must_retry, read_badly, read_well
from resources.ledger.documents import new_row

NOW = datetime(2026, 11, 30, 2, tzinfo=UTC)


def row(**values: Any) -> dict[str, Any]:
    return new_row(source="정책", path="a.docx", **values)


def test_a_new_file_that_gives_text_is_live() -> None:
    read = read_well(row(), "c1", "b1")
    assert (read["state"], read["content_hash"], read["served_hash"], read["body_hash"]) == ("live", "c1", "c1", "b1")
    assert read["category"] is None


def test_a_damaged_save_keeps_the_last_good_version_flagged() -> None:
    read = read_badly(read_well(row(), "c1", "b1"), "c2", "damaged", "not a zip file", NOW)
    assert (read["state"], read["content_hash"], read["served_hash"], read["body_hash"]) == ("failed", "c2", "c1", "b1")
    assert read["flags"] == ["stale_parse"]
    assert (read["category"], read["reason"], read["failing_since"]) == ("damaged", "not a zip file", NOW)


def test_a_second_bad_night_counts_and_keeps_the_first_date() -> None:
    once = read_badly(read_well(row(), "c1", "b1"), "c2", "damaged", "x", NOW)
    twice = read_badly(once, "", "unreadable", "y", NOW + timedelta(days=1))
    assert (twice["failed_runs"], twice["failing_since"], twice["flags"]) == (2, NOW, ["stale_parse"])
    assert twice["content_hash"] == "c2", "an unopened file tells no content"


def test_a_good_save_ends_the_failure() -> None:
    failed = read_badly(read_well(row(), "c1", "b1"), "c2", "damaged", "x", NOW)
    mended = read_well(failed, "c3", "b3")
    assert (mended["state"], mended["flags"], mended["failed_runs"]) == ("live", [], 0)
    assert (mended["category"], mended["reason"], mended["failing_since"]) == (None, None, None)


def test_other_flags_stay() -> None:
    failed = read_badly(row(flags=["future_clock"], served_hash="c1"), "c2", "damaged", "x", NOW)
    assert failed["flags"] == ["future_clock", "stale_parse"]
    assert read_well(failed, "c3", "b3")["flags"] == ["future_clock"]


def test_a_scan_waits_for_ocr_unless_it_had_text_before() -> None:
    assert read_badly(row(), "c1", "needs_ocr", "a scan", NOW)["state"] == "needs_ocr"
    assert read_badly(row(served_hash="c0"), "c1", "needs_ocr", "a scan", NOW)["state"] == "failed"


@pytest.mark.parametrize("state", ["superseded", "expired", "duplicate", "rejected"])
def test_an_edit_leaves_the_judgement_to_later_stages(state: str) -> None:
    assert read_well(row(state=state), "c2", "b2")["state"] == state


@pytest.mark.parametrize("good", [True, False])
def test_a_file_that_was_read_no_longer_waits_for_its_deletion(good: bool) -> None:
    held = row(state="held", hold_reason="mass", hold_nights=3, hold_counted=NOW.date(), gone_at=NOW, served_hash="c0")
    read = read_well(held, "c1", "b1") if good else read_badly(held, "c1", "damaged", "x", NOW)
    assert [read[name] for name in ("hold_reason", "hold_nights", "hold_counted", "gone_at")] == [None] * 4
    assert read["state"] == ("live" if good else "failed")


@pytest.mark.parametrize(
    ("category", "again"),
    [(None, False), ("damaged", False), ("needs_ocr", False), ("drm", False), ("unreadable", True), ("timeout", True),
     ("changed_while_reading", True)],
)  # fmt: skip
def test_only_a_failure_that_another_night_may_mend_is_tried_again(category: str | None, again: bool) -> None:
    assert must_retry({"category": category}) is again


def test_attachments_of_one_name_are_numbered() -> None:
    names = ["견적서.xlsx", "견적서.xlsx", "견적서#2.xlsx", "a/b.txt", "", "견적서.xlsx"]
    paths = attachment_paths("메일/주문.eml", names)
    assert paths == [
        "메일/주문.eml!/견적서.xlsx",
        "메일/주문.eml!/견적서#2.xlsx",
        "메일/주문.eml!/견적서#2#2.xlsx",
        "메일/주문.eml!/a_b.txt",
        "메일/주문.eml!/attachment",
        "메일/주문.eml!/견적서#3.xlsx",
    ]
    assert len(set(paths)) == len(names)
