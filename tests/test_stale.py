"""An answer says when it may be out of date, and why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pipelines.stale import Status, stale_reasons, stale_results

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
FRESH = {"succeeded_at": NOW - timedelta(hours=7), "settings": "s1", "encoder": "e1"}


def reasons(**values: object) -> list[str]:
    return stale_reasons(Status(**{**FRESH, **values}), now=NOW, settings="s1", encoder="e1")  # type: ignore[arg-type]


def test_a_fresh_index_gives_no_reason() -> None:
    assert reasons() == []


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"succeeded_at": None}, "run_overdue"),
        ({"succeeded_at": NOW - timedelta(hours=26, seconds=1)}, "run_overdue"),
        ({"last_failed": True}, "last_run_failed"),
        ({"held": "canaries lost their passages"}, "publish_held"),
        ({"unreachable": ("공유",)}, "source_unreachable"),
        ({"settings": "s0"}, "settings_changed"),
        ({"encoder": "e0"}, "encoder_changed"),
    ],
)
def test_each_cause_has_its_word(values: dict[str, object], reason: str) -> None:
    assert reasons(**values) == [reason]


def test_a_run_of_last_night_counts_until_the_next_is_two_hours_late() -> None:
    assert reasons(succeeded_at=NOW - timedelta(hours=26)) == []


def test_causes_come_together_the_worst_first() -> None:
    assert reasons(succeeded_at=None, last_failed=True, encoder="e0") == [
        "run_overdue", "last_run_failed", "encoder_changed",
    ]  # fmt: skip


def test_before_the_first_run_only_the_missing_run_is_told() -> None:
    assert stale_reasons(Status(), now=NOW, settings="s1", encoder="e1") == ["run_overdue"]


def test_a_result_that_shows_an_earlier_text_is_named() -> None:
    shown = [
        ("규정/야간.md", ["stale_parse"]),
        ("규정/a.md", []),
        ("규정/야간.md", ["stale_parse"]),
        ("정책/b.md", ["held"]),
    ]
    assert stale_results(shown) == ["stale_parse:규정/야간.md", "held:정책/b.md"]
