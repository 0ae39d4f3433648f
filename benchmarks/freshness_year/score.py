"""Compare what each night said and told with the truth."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from nights import Seen, Told
from office import Fact
from truth import QUIET, Truth

# One logit under the score at the start is a drop (DESIGN section 7).
DROP = 1.0
_WINDOW = 30
CERTAIN = ("lost", "value_changed")
RETURNED = "version_returned"


@dataclass
class Score:
    """What was right and wrong in a year; lists hold one line for each fault.

    wanted, found  canary nights by the state that was true, and those of them that said so
    false          lost or value_changed that weren't true
    """

    facts: list[Fact]
    wanted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    false_urgent: list[int] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    too_early: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    holds: list[str] = field(default_factory=list)
    mails: Counter[str] = field(default_factory=Counter)
    eroded: int = 0
    noticed: int = 0
    steps: list[float] = field(default_factory=list)
    _baseline: dict[int, float] = field(default_factory=dict)
    _before: dict[int, str] = field(default_factory=dict)
    _last: dict[str, Told] = field(default_factory=dict)
    _falling: dict[int, float] = field(default_factory=dict)

    def night(self, number: int, today: date, truth: Truth, seen: Seen) -> None:
        """Judge one night."""
        wanted = {fact.number: self._wanted(fact, truth, seen, today) for fact in self.facts}
        for fact in self.facts:
            self._canary(number, fact, wanted[fact.number], seen.states[fact.question])
        if truth.held != seen.held:
            self.holds.append(f"night {number}: held {seen.held}, right is {truth.held}")
        self._mail(number, truth, wanted, seen.told)
        self._served(number, today, truth, seen)
        self._before = wanted

    def _wanted(self, fact: Fact, truth: Truth, seen: Seen, today: date) -> str:
        said = truth.state(fact, today)
        score = seen.scores.get(fact.question)
        if said or score is None:
            return said
        if fact.number not in truth.diluted:
            self._baseline.setdefault(fact.number, score)
            self._falling.pop(fact.number, None)
            return ""
        fallen = _logit(self._baseline[fact.number]) - _logit(score)
        before = self._falling.get(fact.number, self._baseline[fact.number])
        if score < before:
            self.steps.append(before - score)
        self._falling[fact.number] = score
        return "drop" if fallen >= DROP else ""

    def _canary(self, number: int, fact: Fact, wanted: str, said: str) -> None:
        self.wanted[wanted] += 1
        right = said == wanted if wanted else said in QUIET or (number == 0 and said == "new")
        self.found[wanted] += right
        if not right:
            self.wrong.append(f"night {number}: {fact.place}: {said}, right is {wanted or 'ok'}")
        if said in CERTAIN and not wanted:
            self.false.append(self.wrong[-1])
        if wanted == "drop" and self._before.get(fact.number) != "drop":
            self.eroded += 1
            self.noticed += right

    def _mail(self, number: int, truth: Truth, wanted: dict[int, str], told: list[Told]) -> None:
        by_question = {fact.question: fact for fact in self.facts}
        urgent: dict[str, bool] = {}
        for line in told:
            fact = by_question.get(line.query)
            right = self._is_right(line, truth, wanted[fact.number] if fact else "")
            if line.urgent:
                urgent[line.mail] = urgent.get(line.mail, True) and right
            if line.state == "resolved" and not right:
                self.too_early.append(f"night {number}: {line.kind} of {line.query or line.source}")
            last = self._last.get(line.alert)
            if line.kind == RETURNED:
                # Its end isn't told, so the same document may return more than once in a year: once for each event.
                again = not any(f"{line.source}/{line.path}".startswith(name) for name in truth.ended)
            else:
                again = last is not None and (last.state, last.kind) == (line.state, line.kind)
            if again:
                self.twice.append(f"night {number}: {line.state} {line.kind} of {line.query or line.source}")
            self._last[line.alert] = line
        self.mails.update("urgent" if line else "false urgent" for line in urgent.values())
        self.mails["digest"] += len({line.mail for line in told if not line.urgent})
        self.false_urgent += [number for right in urgent.values() if not right]
        heard = {(line.query, line.kind.removeprefix("canary_")) for line in told if line.urgent}
        for fact in self.facts:
            now, before = wanted[fact.number], self._before.get(fact.number, "")
            if number and now in CERTAIN and now != before and (fact.question, now) not in heard:
                self.untold.append(f"night {number}: {now} {fact.place}")

    def _is_right(self, line: Told, truth: Truth, wanted: str) -> bool:
        """Tell whether a line of a mail is true tonight."""
        if line.kind.startswith("canary_"):
            if line.state == "resolved":
                return wanted not in CERTAIN
            return line.kind.removeprefix("canary_") == wanted or (not wanted and not line.urgent)
        if line.kind == "source_unreachable":
            return (line.source in truth.away) != (line.state == "resolved")
        if line.kind == "publish_held":
            return truth.held != (line.state == "resolved")
        return not line.urgent

    def _served(self, number: int, today: date, truth: Truth, seen: Seen) -> None:
        """Every line that a search can find stands in its file now, or its folder is out of reach."""
        for place, text in seen.rows:
            source = place.partition("/")[0]
            if source in truth.away:
                continue
            lines = [line.strip("# ") for line in text.splitlines() if line.strip()]
            known = truth.files.get(place, "")
            if not truth.may_serve(place, today) or any(line not in known for line in lines):
                self.stale.append(f"night {number}: {place}" + (" (held)" if seen.held else ""))

    def faults(self) -> list[str]:
        """Return a line for each fault."""
        return [*self.wrong, *self.untold, *self.twice, *self.too_early, *self.holds, *self.stale]

    def worst_month(self) -> int:
        """Return the most false urgent mails in any 30 nights."""
        nights = sorted(self.false_urgent)
        return max((sum(start <= one < start + _WINDOW for one in nights) for start in nights), default=0)

    def recall(self, state: str) -> float:
        """Return the share of canary nights in a state that said so; 1 without any."""
        return self.found[state] / self.wanted[state] if self.wanted[state] else 1.0


def _logit(score: float) -> float:
    bounded = min(max(score, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))
