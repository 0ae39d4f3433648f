from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pipelines.dedup import Copy
from pipelines.states import settle

NOW = datetime(2026, 11, 30, tzinfo=UTC)
NOTHING: dict[str, Any] = {
    "duplicate_of": None, "superseded_by": None, "expires_at": None, "expiry_evidence": None, "retired": False,
    "flags": [],
}  # fmt: skip


def document(path: str, body: str, **changed: Any) -> dict[str, Any]:
    return {
        "source": "메일", "path": path, "served_hash": f"bytes of {body}", "body_hash": body, "state": "live",
        **NOTHING, **changed,
    }  # fmt: skip


def settled(rows: list[dict[str, Any]], *worded: str) -> dict[str, dict[str, Any]]:
    copies = {("메일", row["path"]): Copy("메일", row["path"], row["body_hash"], 1, 0) for row in rows}
    kept = {key: copy for key, copy in copies.items() if key[1] in worded}
    changed = settle(rows, copies=kept, replaced={}, demoted=(), expiry={}, rejected=(), now=NOW)
    return {row["path"]: row for row in rows} | {row["path"]: row for row in changed}


def test_of_equal_bodies_one_is_live_and_the_other_names_it() -> None:
    after = settled([document("가.eml", "aa"), document("나.eml", "aa")], "가.eml", "나.eml")
    assert after["가.eml"]["state"] == "live"
    assert (after["나.eml"]["state"], after["나.eml"]["duplicate_of"]) == ("duplicate", "메일/가.eml")


def test_a_mail_without_words_that_carries_documents_is_live() -> None:
    before = document("견적.eml", "bb", state="duplicate", duplicate_of="메일/가.eml")
    after = settled([before])["견적.eml"]
    assert (after["state"], after["duplicate_of"]) == ("live", None)
