"""What it means to take an answer or a replacement back: said twice, it changes nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
# reopen: an answer is taken back. return: a replacement is, for good. already: that was done before. nothing: no cause.
Effect = Literal["reopen", "return", "already", "nothing"]
# In the evidence of a rejection that took back what the rule alone had replaced; accepting it replaces again.
TAKEN_BACK = "taken_back"


@dataclass(frozen=True, slots=True)
class Known:
    """What undoing goes by: the standing answers, the standing replacements by id, and what was undone since the
    last run began, whose replacements stand until the next.
    """

    answers: Mapping[str, Row]
    standing: Mapping[str, Row]
    undone: frozenset[str]

    def effect(self, key: str) -> tuple[Effect, str]:
        """Return what undoing `key` does, and the id of the answer that it takes back, "" for none."""
        answer = self.answers.get(key)
        if answer is not None:
            return ("already", "") if answer["evidence"].get(TAKEN_BACK) else ("reopen", key)
        replaced = self.standing.get(key)
        if replaced is None:
            return "nothing", ""
        if self.by_rule(key):
            return ("nothing", "") if key in self.undone else ("return", "")
        rests_on = str(replaced["evidence"]["answered"])
        return ("reopen", rests_on) if self.accepted(rests_on) else ("nothing", "")

    def by_rule(self, key: str) -> bool:
        """Tell whether a replacement stands that rests on no answer."""
        return key in self.standing and not self.standing[key]["evidence"].get("answered")

    def accepted(self, key: str) -> bool:
        """Tell whether an item stands accepted."""
        return bool(self.answers.get(key, {}).get("answer") == "accept")

    def returns(self, key: str) -> bool:
        """Tell whether the next refresh takes a standing replacement back."""
        answer = self.answers.get(key)
        if answer is not None and answer["answer"] == "reject":
            return True
        return not self.by_rule(key) and not self.accepted(str(self.standing[key]["evidence"]["answered"]))


def known(con: duckdb.DuckDBPyConnection) -> Known:
    """Read it from the ledger."""
    from resources.ledger import replacements, reviews, runs

    last = runs.last(con)
    return Known(
        reviews.answers(con),
        {row["item_id"]: row for row in replacements.standing(con)},
        frozenset(reviews.undone_since(con, last["started_at"] if last else None)),
    )


def marked(item: Row, taken_back: bool) -> Row:
    """Return the item with or without the mark of what was taken back."""
    evidence = {key: value for key, value in item["evidence"].items() if key != TAKEN_BACK}
    return {**item, "evidence": {**evidence, TAKEN_BACK: True} if taken_back else evidence}


def take_back(con: duckdb.DuckDBPyConnection, item: Row, before: Known, now: datetime) -> Effect:
    """Undo one item; returns what that did."""
    from resources.ledger import reviews

    effect, answer = before.effect(item["item_id"])
    if effect == "reopen":
        reviews.undo(con, answer, now)
    elif effect == "return":
        reviews.answer(con, marked(item, taken_back=True), "reject", now)
    return effect
