"""Which state a document gets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pipelines.dedup import Copy
from pipelines.expiry import Expiry
from pipelines.states import DEMOTED, READING, settle

NOW = datetime(2026, 11, 30, tzinfo=UTC)
WORDLESS = "no words"  # a body that serves nothing


def row(path: str, body: str | None = "a", **values: Any) -> dict[str, Any]:
    base = {
        "source": "s",
        "path": path,
        "served_hash": body and f"content-{path}",
        "body_hash": body,
        "state": "live",
        "flags": [],
        "duplicate_of": None,
        "superseded_by": None,
        "expires_at": None,
        "expiry_evidence": None,
        "body_expires_at": None,
        "retired": False,
    }
    return {**base, **values}


def settled(rows: list[dict[str, Any]], **said: Any) -> dict[str, dict[str, Any]]:
    copies = {
        (item["source"], item["path"]): Copy(
            item["source"],
            item["path"],
            item["body_hash"],
            NOW + timedelta(number),
            0,
            sound=item["state"] not in READING,
        )
        for number, item in enumerate(rows)
        if item["body_hash"] and item["body_hash"] != WORDLESS
    }
    arguments: dict[str, Any] = {"replaced": {}, "demoted": set(), "expiry": {}, "rejected": set(), "now": NOW, **said}
    changed = settle(rows, copies=copies, **arguments)
    return {item["path"]: item for item in [*rows, *changed]}


def test_the_first_of_equal_bodies_serves_and_the_other_names_it() -> None:
    after = settled([row("first.md"), row("second.md")])
    assert after["first.md"]["state"] == "live"
    assert (after["second.md"]["state"], after["second.md"]["duplicate_of"]) == ("duplicate", "s/first.md")


def test_a_body_expires_with_its_last_holder() -> None:
    past = Expiry(NOW - timedelta(days=1), "ttl")
    after = settled([row("first.md"), row("second.md")], expiry={("s", "first.md"): past})
    assert after["second.md"]["state"] == "live"
    assert (after["first.md"]["state"], after["first.md"]["retired"]) == ("expired", True)
    both = {("s", "first.md"): past, ("s", "second.md"): past}
    after = settled([row("first.md"), row("second.md")], expiry=both)
    assert {after[path]["state"] for path in after} == {"expired"}


def test_the_body_ends_with_the_last_of_its_holders() -> None:
    soon, late = Expiry(NOW + timedelta(days=1), "ttl"), Expiry(NOW + timedelta(days=9), "ttl")
    rows = [row("first.md"), row("second.md")]
    after = settled(rows, expiry={("s", "first.md"): soon, ("s", "second.md"): late})
    assert [after[path]["expires_at"] for path in after] == [soon.at, late.at]
    assert {item["body_expires_at"] for item in after.values()} == {late.at}
    after = settled(rows, expiry={("s", "first.md"): soon})
    assert {item["body_expires_at"] for item in after.values()} == {None}


@pytest.mark.parametrize("state", ["held", "failed"])
def test_a_sound_copy_serves_before_one_that_cannot_be_read(state: str) -> None:
    after = settled([row("first.md", state=state), row("second.md")])
    assert after["first.md"]["duplicate_of"] == "s/second.md" and after["first.md"]["state"] == state
    assert after["second.md"]["duplicate_of"] is None and after["second.md"]["state"] == "live"


def test_a_document_that_lost_its_words_keeps_no_judgement_of_its_old_body() -> None:
    judged = {
        "duplicate_of": "s/first.md", "superseded_by": "s/v2.md", "retired": True, "expires_at": NOW,
        "expiry_evidence": "ttl", "body_expires_at": NOW, "flags": [DEMOTED], "state": "superseded",
    }  # fmt: skip
    after = settled([row("mail.eml", WORDLESS, **judged)])
    assert after["mail.eml"] == row("mail.eml", WORDLESS)
    assert settled([row("scan.pdf", None, state="failed")])["scan.pdf"]["state"] == "failed"


def test_superseding_is_of_the_body_and_retires_every_holder() -> None:
    after = settled([row("v1.md"), row("사본/v1.md"), row("v2.md", "b")], replaced={"a": "b"})
    for path in ("v1.md", "사본/v1.md"):
        assert (after[path]["state"], after[path]["superseded_by"]) == ("superseded", "s/v2.md")
        assert after[path]["retired"]
    assert after["v2.md"]["state"] == "live"


def test_a_demoted_version_stays_in_the_main_table_and_is_flagged() -> None:
    after = settled([row("v1.md"), row("v2.md", "b")], replaced={"a": "b"}, demoted={"a"})
    assert not after["v1.md"]["retired"]
    assert after["v1.md"]["flags"] == [DEMOTED]


@pytest.mark.parametrize("state", ["held", "failed", "needs_ocr"])
def test_what_reading_decided_is_not_hidden(state: str) -> None:
    after = settled([row("v1.md", state=state), row("v2.md", "b")], replaced={"a": "b"})
    assert after["v1.md"]["state"] == state
    assert after["v1.md"]["superseded_by"] == "s/v2.md"


def test_a_replacement_whose_newer_body_is_gone_is_none() -> None:
    after = settled([row("v1.md", state="superseded", superseded_by="s/v2.md", retired=True)], replaced={"a": "b"})
    assert (after["v1.md"]["state"], after["v1.md"]["superseded_by"], after["v1.md"]["retired"]) == (
        "live",
        None,
        False,
    )


def test_a_document_without_words_keeps_its_state() -> None:
    assert settled([row("mail.eml", None)])["mail.eml"]["state"] == "live"


def test_rejected_goes_before_superseded() -> None:
    after = settled([row("v1.md"), row("v2.md", "b")], replaced={"a": "b"}, rejected={"a"})
    assert (after["v1.md"]["state"], after["v1.md"]["retired"]) == ("rejected", True)
