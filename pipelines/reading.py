"""A statement read clause by clause into values: what a clause says may be meant in the next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pipelines.attitudes import attitudes
from pipelines.attribute import Token, Word, fold, is_content, words
from pipelines.attribute_words import MEANS
from pipelines.clauses import Clause, around, clauses, without_start
from pipelines.quantities import Found
from pipelines.scope import Scope, contrasts, scopes
from pipelines.statements import Statement
from pipelines.value import Value
from pipelines.wording import bound_of, is_condition, is_event_span, is_example, is_name, is_past, is_relative, side_of
from pipelines.written import written

# What a person sees of a passage at most.
CLAUSE_CHARS = 120
# Scopes that hold for the clause that sets them only.
_OF_CLAUSE = ("exception", "goal", "phase")


class Reading:
    """One statement, read clause by clause; what a clause says may be meant in the next."""

    def __init__(
        self, text: str, one: Statement, tokens: Sequence[Token], of_label: Mapping[str, list[str]], heading: str
    ) -> None:
        self.one, self.tokens = one, tokens
        self.shown = text[one.start : one.end]
        self.found = written(self.shown, one.unit)
        self.covered = [(value.start, value.end) for value in self.found]
        every = words(self.shown, tokens)
        self.words = [w for w in every if not any(a < w[2] and w[1] < b for a, b in self.covered)]
        self.label = of_label[one.label]
        self.above = [*of_label[heading], *of_label[one.before]]
        outer = [pair for pair in scopes(f"{heading} \n {one.before}") if pair[0] not in _OF_CLAUSE]
        self.outer = (*outer, *contrasts(self.above))
        self.carried: list[str] = []

    def clauses(self) -> Iterator[list[Value]]:
        """Yield the values of each clause that has some."""
        for clause in clauses(self.shown, self.tokens, self.covered):
            own = [word for word in self.words if clause.start <= word[1] < clause.end]
            values = sorted([*self._values(clause), *self._states(clause)], key=lambda value: value.start)
            made = [self._value(value, values, own, clause) for value in values if not self._is_aside(value, clause)]
            if made:
                yield made
            self.carried = [word for word, _, _ in own if is_content(word)] or self.carried

    def _values(self, clause: Clause) -> list[Found]:
        return [value for value in self.found if clause.start <= value.start < clause.end]

    def _states(self, clause: Clause) -> Iterator[Found]:
        """Yield the state that a clause ends with, when it states nothing else but bare names such as TLS 1.2."""
        if any(value.kind not in ("version", "count:") for value in self._values(clause)):
            return
        inside = [(f, tag, a - clause.start, b - clause.start) for f, tag, a, b in self.tokens if clause.holds(a)]
        for state in attitudes(self.shown[clause.start : clause.end], inside):
            yield replace(state, start=state.start + clause.start, end=state.end + clause.start)

    def _is_aside(self, value: Found, clause: Clause) -> bool:
        shown = self.shown
        label = self.one.label
        past = is_past(shown, value, clause.start, clause.end)
        named = is_event_span(shown, value, label) or is_name(shown, value, label)
        return past or named or is_relative(shown, value) or is_example(shown, value)

    def _value(self, value: Found, values: Sequence[Found], own: Sequence[Word], clause: Clause) -> Value:
        before, after = self._words(value, values, own)
        every = [*self.label, *(word for word, _, _ in (*before, *after))]
        bound = _bound(value, every, self.shown, self.one.label)
        strong, weak = (
            _content([*self.label, *_plain(before), *_unit_words(value, self.shown)]),
            _content(_plain(after)),
        )
        if not strong:
            strong, weak = weak, []
        named = contrasts(every)
        inherited = [word for word in self.carried if not {c for c, _ in contrasts([word])} & {c for c, _ in named}]
        context = dict.fromkeys([*self.above, *inherited, *_plain(own)])
        return Value(
            kind=_kind(value, every),
            value=value.value,
            bound=bound,
            per=value.per,
            words=tuple(dict.fromkeys(strong or inherited)),
            predicate=tuple(dict.fromkeys(weak)),
            context=tuple(word for word in _content(context) if word not in strong),
            scope=self._scope(value, clause, named),
            written=_written(self.shown, value),
            clause=_short(self.shown, clause, value, self.one.label),
            start=self.one.start + value.start,
            end=self.one.start + value.end,
            group=0,
            condition=is_condition(self.shown, value),
            borrowed=not strong,
        )

    def _words(self, value: Found, values: Sequence[Found], own: Sequence[Word]) -> tuple[list[Word], list[Word]]:
        if value.kind.startswith("state"):
            return [word for word in own if word[2] <= value.start], []
        before, after = around(own, values, value)
        if any(is_condition(self.shown, one) for one in values if one.end <= value.start):
            before = [word for word in own if word[1] < value.start]  # 실패 5회 시 30분: its words count for both
        return without_start(self.shown, value, before, after)

    def _scope(self, value: Found, clause: Clause, named: Scope) -> Scope:
        """Return the scope: of clause and labels, for other classes of the sentence so far, then of the headings."""
        blank = _blanked(self.shown, self.found, value)
        made = [*scopes(f"{self.one.label} \n {blank[clause.start : clause.end]}"), *named]
        sentence = [pair for pair in scopes(blank[: clause.start]) if pair[0] not in _OF_CLAUSE]
        sentence += contrasts(word for word, _, end in self.words if end <= clause.start)
        for wider in (sentence, self.outer):
            known = {name for name, _ in made}
            made += [pair for pair in wider if pair[0] not in known]
        if re.search(r"\d", self.one.row):
            made.append(("row", "".join(self.one.row.split())))
        side = side_of(self.shown, value)
        return tuple(sorted({*made, *([("side", side)] if side else [])}))


def _written(shown: str, value: Found) -> str:
    """Return a value as it stands there; an ending ("수 없다") with its verb."""
    start = shown.rfind(" ", 0, value.start) + 1 if value.kind.startswith("state") else value.start
    return shown[start : value.end].strip()


def _plain(pieces: Iterable[Word]) -> list[str]:
    return [word for word, _, _ in pieces]


def _content(said: Iterable[str]) -> list[str]:
    """Return the words that say which value it is; how it is meant (at most) is its bound."""
    return [word for word in said if is_content(word) and word not in ("max", "min", "주기")]


def _unit_words(value: Found, shown: str) -> list[str]:
    """Return what an English count counts: "100 requests per minute"."""
    if not value.kind.startswith("count"):
        return []
    said = re.findall(r"(?<=\s)[a-z]{3,}", shown[value.start : value.end].lower())
    return [fold(word) for word in said if word in MEANS]


def _bound(value: Found, every: Sequence[str], shown: str, label: str) -> str:
    bound = value.bound or bound_of(shown, value, label)
    if bound or value.kind in ("date", "time") or value.kind.startswith("state"):
        return bound
    if value.kind.startswith("duration") and "종료" in every:
        return "max"  # how long something is valid is how long it may last
    return "max" if "max" in every else "min" if "min" in every else ""


def _kind(value: Found, every: Sequence[str]) -> str:
    """Return the kind; how long an interval lasts is a rate."""
    if value.kind.startswith("duration") and "주기" in every:
        return "rate:month" if value.kind == "duration:month" else "rate"
    return value.kind


def _blanked(shown: str, found: Sequence[Found], value: Found) -> str:
    """Return a statement without the values that set no scope: dates do for other values, versions for all."""
    blank = list(shown)
    for other in found:
        itself = (other.start, other.end) == (value.start, value.end)
        if itself or (other.kind != "version" and (other.kind != "date" or value.kind == "date")):
            blank[other.start : other.end] = " " * (other.end - other.start)
    return "".join(blank)


def _short(shown: str, clause: Clause, value: Found, label: str) -> str:
    """Return at most CLAUSE_CHARS of the clause, around the value."""
    start, end = min(clause.start, value.start), max(clause.end, value.end)
    room = CLAUSE_CHARS - (value.end - value.start) - 2
    if end - start > CLAUSE_CHARS:
        start = max(start, value.start - room // 2)
        end = min(end, start + CLAUSE_CHARS - 2)
    text = " ".join(shown[start:end].strip(" ,;").split())
    led = f"{' '.join(label.split())}: {text}" if label else text
    return led if len(led) <= CLAUSE_CHARS else f"{led[: CLAUSE_CHARS - 1]}…"
