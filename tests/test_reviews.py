"""The review queue remembers by body and for ever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipelines.review import item_id
from resources.ledger import Ledger, reviews
from resources.ledger.health import doubled_keys
from resources.ledger.rows import insert

NOW = datetime(2026, 11, 30, tzinfo=UTC)
PAIR, OTHER = item_id("version", "aa", "bb"), item_id("version", "aa", "cc")


def item(key: str = PAIR, why: str = "dates only") -> reviews.Row:
    return reviews.new_item(key, "version", a_body="aa", b_body="bb", evidence={"why": why})


def test_an_item_keeps_its_date_and_closes_with_its_cause(tmp_path: Path) -> None:
    with Ledger(tmp_path).transaction("test") as con:
        reviews.sync(con, "version", [item()], NOW)
        reviews.sync(con, "version", [item(why="words of state only")], NOW + timedelta(days=1))
        (row,) = reviews.opened(con)
        assert (row["opened_at"], row["evidence"]) == (NOW, {"why": "words of state only"})
        reviews.sync(con, "contradiction", [], NOW)
        assert len(reviews.opened(con, "version")) == 1
        reviews.sync(con, "version", [], NOW)
        assert reviews.opened(con) == [] and reviews.find(con, PAIR) is not None


def test_a_cause_that_comes_back_is_open_again(tmp_path: Path) -> None:
    with Ledger(tmp_path).transaction("test") as con:
        for night, items in enumerate([[item()], [], [item()]]):
            reviews.sync(con, "version", items, NOW + timedelta(days=night))
        assert [row["opened_at"] for row in reviews.opened(con)] == [NOW + timedelta(days=2)]


def test_the_newest_answer_counts_until_it_is_undone(tmp_path: Path) -> None:
    with Ledger(tmp_path).transaction("test") as con:
        reviews.answer(con, item(), "accept", NOW)
        reviews.answer(con, item(), "reject", NOW + timedelta(days=1))
        assert reviews.answers(con)[PAIR]["answer"] == "reject" and reviews.answers(con, "redundancy") == {}
        assert reviews.undo(con, PAIR, NOW) and reviews.answers(con) == {}
        assert not reviews.undo(con, PAIR, NOW)


def test_what_stands_unchanged_is_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[reviews.Row] = []
    monkeypatch.setattr(reviews, "update", lambda con, table, keys, rows: written.extend(rows))
    figures = {"why": "dates only", "jaccard": 0.6, "own": ("3,200",)}
    items = [{**item(), "evidence": figures}, item(OTHER)]
    with Ledger(tmp_path).transaction("test") as con:
        reviews.sync(con, "version", items, NOW)
        reviews.sync(con, "version", items, NOW + timedelta(days=1))
        assert written == []
        reviews.sync(con, "version", [items[0], item(OTHER, why="words of state only")], NOW + timedelta(days=2))
    assert [row["item_id"] for row in written] == [OTHER]


def covered(body: str, *by: str) -> reviews.Row:
    evidence = {"covered_by": [{"source": "s", "path": one, "body": one} for one in by]}
    key = item_id("redundancy", body)
    return reviews.new_item(key, "redundancy", a_body=body, b_body=by[0], evidence=evidence)


def test_an_accepted_redundancy_names_all_that_covers_it_until_it_is_undone(tmp_path: Path) -> None:
    with Ledger(tmp_path).transaction("test") as con:
        reviews.answer(con, covered("cc", "dd", "ee"), "accept", NOW)
        reviews.answer(con, covered("ff", "dd"), "reject", NOW)
        assert reviews.accepted_covers(con) == {"cc": {"dd", "ee"}}
        assert reviews.lapsed(con, {"dd", "ee"}) == set()
        assert reviews.lapsed(con, {"dd"}) == {item_id("redundancy", "cc")}
        reviews.undo(con, item_id("redundancy", "cc"), NOW)
        assert reviews.accepted_covers(con) == {}


def test_two_that_cover_each_other_are_not_accepted_at_once(tmp_path: Path) -> None:
    one, other = covered("cc", "dd"), covered("dd", "cc")
    with Ledger(tmp_path).transaction("test") as con:
        assert reviews.unacceptable(con, [one], {"cc", "dd"}) == []
        assert reviews.unacceptable(con, [one, other], {"cc", "dd"}) == [one["item_id"], other["item_id"]]
        reviews.answer(con, one, "accept", NOW)
        assert reviews.unacceptable(con, [other], {"cc", "dd"}) == [other["item_id"]]


def test_a_key_that_stands_twice_among_what_holds_is_named(tmp_path: Path) -> None:
    values = {"chunk_hash": "a", "values_version": "1", "found": []}
    replaced = {"older_body": "aa", "newer_body": "bb", "ended_at": NOW}
    with Ledger(tmp_path).transaction("test") as con:
        for night in range(2):
            reviews.sync(con, "version", [item()], NOW + timedelta(days=2 * night))
            reviews.sync(con, "version", [], NOW + timedelta(days=2 * night + 1))
        insert(con, "replacements", [replaced, replaced, {**replaced, "ended_at": None}])
        assert doubled_keys(con) == {}
        insert(con, "review_items", [{**item(), "opened_at": NOW}] * 2)
        insert(con, "replacements", [{**replaced, "newer_body": "cc", "ended_at": None}])
        insert(con, "chunk_values", [values, values])
        assert doubled_keys(con) == {"review_items": 1, "replacements": 1, "chunk_values": 1}
