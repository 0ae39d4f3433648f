"""What a reading means for a document: a failure never takes away what was last read well."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pipelines.outcome import attachment_paths, file_of, limits_text, read_badly, read_well, settled, waits
from pipelines.records import Limits
from resources.ledger.documents import new_row

NOW = datetime(2026, 11, 30, 2, tzinfo=UTC)


def row(**values: Any) -> dict[str, Any]:
    return new_row(source="정책", path="a.docx", **values)


def test_a_new_file_that_gives_text_is_live() -> None:
    read = read_well(row(), "c1", "b1", "p1")
    assert (read["state"], read["content_hash"], read["served_hash"], read["body_hash"]) == ("live", "c1", "c1", "b1")
    assert read["category"] is None


def test_a_damaged_save_keeps_the_last_good_version_flagged() -> None:
    read = read_badly(read_well(row(), "c1", "b1", "p1"), "c2", "damaged", "not a zip file", NOW)
    assert (read["state"], read["content_hash"], read["served_hash"], read["body_hash"]) == ("failed", "c2", "c1", "b1")
    assert read["flags"] == ["stale_parse"]
    assert (read["category"], read["reason"], read["failing_since"]) == ("damaged", "not a zip file", NOW)


def test_a_second_bad_night_counts_and_keeps_the_first_date() -> None:
    once = read_badly(read_well(row(), "c1", "b1", "p1"), "c2", "damaged", "x", NOW)
    twice = read_badly(once, "", "unreadable", "y", NOW + timedelta(days=1))
    assert (twice["failed_runs"], twice["failing_since"], twice["flags"]) == (2, NOW, ["stale_parse"])
    assert twice["content_hash"] == "c2", "an unopened file tells no content"


def test_a_good_save_ends_the_failure() -> None:
    failed = read_badly(read_well(row(), "c1", "b1", "p1"), "c2", "damaged", "x", NOW)
    mended = read_well(failed, "c3", "b3", "p1")
    assert (mended["state"], mended["flags"], mended["failed_runs"]) == ("live", [], 0)
    assert (mended["category"], mended["reason"], mended["failing_since"]) == (None, None, None)


def test_other_flags_stay() -> None:
    failed = read_badly(row(flags=["future_clock"], served_hash="c1"), "c2", "damaged", "x", NOW)
    assert failed["flags"] == ["future_clock", "stale_parse"]
    assert read_well(failed, "c3", "b3", "p1")["flags"] == ["future_clock"]


def test_a_scan_waits_for_ocr_unless_it_had_text_before() -> None:
    assert read_badly(row(), "c1", "needs_ocr", "a scan", NOW)["state"] == "needs_ocr"
    assert read_badly(row(served_hash="c0"), "c1", "needs_ocr", "a scan", NOW)["state"] == "failed"


@pytest.mark.parametrize("state", ["superseded", "expired", "duplicate", "rejected"])
def test_an_edit_leaves_the_judgement_to_later_stages(state: str) -> None:
    assert read_well(row(state=state), "c2", "b2", "p1")["state"] == state


@pytest.mark.parametrize("good", [True, False])
def test_a_file_that_was_read_no_longer_waits_for_its_deletion(good: bool) -> None:
    held = row(state="held", hold_reason="mass", hold_nights=3, hold_counted=NOW.date(), gone_at=NOW, served_hash="c0")
    read = read_well(held, "c1", "b1", "p1") if good else read_badly(held, "c1", "damaged", "x", NOW)
    assert [read[name] for name in ("hold_reason", "hold_nights", "hold_counted", "gone_at")] == [None] * 4
    assert read["state"] == ("live" if good else "failed")


LIMITS = Limits(file_mb=1)


def judged(category: str | None = None) -> dict[str, Any]:
    return {"category": category}


def test_a_document_read_by_this_parser_is_settled_until_its_reading_failed() -> None:
    good = read_well(row(), "c1", "b1", "p1")
    assert settled(good, judged(), "p1", LIMITS)
    assert not settled(good, None, "p1", LIMITS), "its blocks are lost, or nobody judged it"
    assert not settled(good, judged(), "p2", LIMITS), "a copy elsewhere was read by a newer parser"
    assert not settled(good, judged("damaged"), "p2", LIMITS)
    assert not settled(read_badly(good, "", "unreadable", "in use", NOW), judged(), "p1", LIMITS)


@pytest.mark.parametrize(
    ("category", "kept", "again"),
    [("damaged", True, False), ("needs_ocr", True, False), ("drm", True, False), ("too_large", True, False),
     ("too_large", False, True), ("unreadable", False, True), ("timeout", False, True)],
)  # fmt: skip
def test_only_a_failure_that_another_night_may_mend_is_tried_again(category: str, kept: bool, again: bool) -> None:
    failed = read_badly(row(size=10), "c1", category, "x", NOW)
    assert settled(failed, judged(category) if kept else None, "p1", LIMITS) is not again


def test_a_file_above_the_limit_waits_for_a_higher_one() -> None:
    failed = read_badly(row(size=3 << 20), "", "too_large", "3 MB", NOW)
    assert settled(failed, None, "p1", LIMITS)
    assert not settled(failed, None, "p1", replace(LIMITS, file_mb=4))


def test_what_takes_a_whole_limit_three_nights_in_vain_is_tried_weekly() -> None:
    last = int(NOW.timestamp() * 1e9)
    slow = {**read_badly(row(), "c1", "timeout", "x", NOW), "read_at_ns": last, "failed_runs": 3}
    assert waits(slow, NOW + timedelta(days=1))
    assert not waits(slow, NOW + timedelta(days=8))
    assert not waits({**slow, "failed_runs": 2}, NOW + timedelta(days=1))
    assert not waits({**slow, "category": "unreadable"}, NOW + timedelta(days=1)), "asking costs nothing"


def test_the_limits_that_can_make_a_document_too_large_are_named() -> None:
    assert limits_text(LIMITS) == "stream_mb=64 file_mb=1 memory_mb=2048" == limits_text(replace(LIMITS, seconds=1))


def test_an_attachment_of_a_forwarded_mail_stands_in_the_outermost_file() -> None:
    mail, inner = "낙서!/a.eml", "낙서!/a.eml!/b.eml"
    rows = {
        mail: {"path": mail, "mail": None},
        inner: {"path": inner, "mail": mail},
        f"{inner}!/c.txt": {"path": f"{inner}!/c.txt", "mail": inner},
    }
    assert {file_of(item, rows) for item in rows.values()} == {mail}


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
