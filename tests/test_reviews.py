"""The review queue remembers by body and for ever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipelines.review import item_id
from resources.ledger import Ledger, reviews

NOW = datetime(2026, 11, 30, tzinfo=UTC)
PAIR = item_id("version", "aa", "bb")


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


def test_an_accepted_redundancy_takes_its_body_out_of_search(tmp_path: Path) -> None:
    covered = reviews.new_item(item_id("redundancy", "cc"), "redundancy", a_body="cc", b_body="dd", evidence={})
    with Ledger(tmp_path).transaction("test") as con:
        reviews.answer(con, covered, "accept", NOW)
        assert reviews.rejected_bodies(con) == {"cc"}
        reviews.undo(con, covered["item_id"], NOW)
        assert reviews.rejected_bodies(con) == set()
