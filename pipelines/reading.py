"""A statement read clause by clause into values: what a clause says may be meant in the next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pipelines.attitudes import attitudes
from pipelines.attribute import Token, Word, fold, is_content, words
from pipelines.attribute_words import MEANS
from pipelines.choices import choices
from pipelines.clauses import Clause, around, clauses, with_owner, without_condition, without_start
from pipelines.deeds import deeds
from pipelines.occasions import day_of, occasion
from pipelines.quantities import Found
from pipelines.scope import Scope, contrasts, scopes
from pipelines.sides import bound_before, sides_of
from pipelines.statements import Statement
from pipelines.value import Value
from pipelines.verbs import verbs
from pipelines.wording import (
    bound_of,
    is_condition,
    is_denied,
    is_event_span,
    is_example,
    is_name,
    is_past,
    is_relative,
)
from pipelines.written import written

# What a person sees of a passage at most.
CLAUSE_CHARS = 120
# What sets a scope stands nearer than this; a clause without end is read in linear time.
SCOPE_CHARS = 1000
# Scopes that hold for the clause that sets them only.
_OF_CLAUSE = ("exception", "goal", "phase")


# Whom something is agreed with says nothing of which value it is.
_APPROVERS = frozenset(("팀장", "부서장", "임원", "부장", "과장", "본부장", "관리자", "상급자", "admin"))
_ASKED = re.compile(r"[와과]\s?(?:협의|상의|합의)|의\s?(?:승인|결재|허가|확인|동의)|에게\s|께\s|\s(?:승인|결재)")


# For whom: 직원 1인당, 사용자 한 명에.
_PERSONS = frozenset(("직원", "고객", "참석", "본인", "사람", "담당", "대상자"))
_EACH = re.compile(r"\s?(?:1\s?인당|인당|1\s?명당|한\s명(?:에|당))")
# 1회 이체 한도, 1일 한도: what is limited, not a value.
_BASIS = re.compile(
    r"(?<![가-힣\d])(?:1|한)\s?(?P<of>[회일건인월년박명번주달])\s?(?:[가-힣]+\s){0,2}[가-힣]{0,4}(?:한도|상한)"
)
# What someone does: 법무팀이 계약서를 검토한다.
_DEED = re.compile(r"([가-힣]{2,4})(?:한다|합니다|하며|하고|하여야|해야)")
_MANNER = re.compile(
    r"(?<![가-힣])(?:자동(?:으로|\s)|(?P<hand>수동(?:으로|\s)))|\bautomatically\b|\b(?P<by>manually)\b"
)
# 자동으로 연장되지 않는다
_NOT_DONE = re.compile(r"\s?(?:[가-힣]+\s)?[가-힣]+지(?:는|도)?\s않")
# 연 2회(6월, 12월): they only say when.
_MONTHS = re.compile(r"\s?\(?(?:\d{1,2}\s?월\s?(?:[,·]|과|와|및)?\s?)+\)?")
_LIMITED = re.compile(
    r"\s?(?:까지|이내(?:로|에서|에)?|이하(?:로)?|한도(?:로|에서|\s내에서)?)(?:만|는)?\s(?:[가-힣]+\s){0,2}[가-힣]*?"
    r"(?P<can>(?:[가-힣]\s?수\s?있|가능하|가능합|허용)[가-힣]*)[.\s]*$"
)
_MODAL = re.compile(r"\b(?:may|can|could|is|are)\b", re.IGNORECASE)
_TAX = re.compile(
    r"(?:부가\s?(?:가치)?세|VAT)[은는이가를도]?\s?(?P<state>별도|제외|불포함|미포함|비포함|포함|extra|excl|incl)",
    re.IGNORECASE,
)


class Reading:
    """One statement, read clause by clause; what a clause says may be meant in the next."""

    def __init__(
        self, text: str, one: Statement, tokens: Sequence[Token], of_label: Mapping[str, list[str]], heading: str
    ) -> None:
        self.one, self.tokens = one, tokens
        self.shown = text[one.start : one.end]
        found = written(self.shown, one.unit)
        self.found = [value for value in found if not _is_each(value, found)]
        # Of a date, what names a month or quarter sets the scope, as it does of other values.
        self.dateless = [one for one in self.found if not is_event_span(self.shown, one, self.one.label)]
        self.occasion = occasion(self.shown, self.found)
        self.covered = [(value.start, value.end) for value in found]
        every = words(self.shown, tokens)
        every = [w for w in every if not (w[0] in _APPROVERS and _ASKED.match(self.shown, w[2]))]
        every = [w for w in every if not (w[0] in _PERSONS and _EACH.match(self.shown, w[2]))]
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
        yield from self._tax(clause)
        yield from self._manner(clause)
        yield from self._choices(clause)
        beside = [value for value in self._values(clause) if value.kind not in ("version", "count:", "weekday")]
        beside = [value for value in beside if self.shown[value.start : value.end] != "전액"]
        if beside:
            yield from self._allowed(clause, beside)
            return
        inside = [(f, tag, a - clause.start, b - clause.start) for f, tag, a, b in self.tokens if clause.holds(a)]
        part = self.shown[clause.start : clause.end]
        for state in list(attitudes(part, inside)) or list(verbs(part)) or deeds(part, inside):
            if state.kind == "state:manner" and _MANNER.search(part):
                continue
            yield replace(state, start=state.start + clause.start, end=state.end + clause.start)

    def _allowed(self, clause: Clause, beside: Sequence[Found]) -> Iterator[Found]:
        """Yield that something is allowed where only how much of it is limited: 3회까지 허용한다."""
        last = beside[-1]
        if (m := _LIMITED.match(self.shown, last.end)) and not any(value.kind in ("date", "time") for value in beside):
            yield Found("state:can", "allowed", *m.span("can"))

    def _choices(self, clause: Clause) -> Iterator[Found]:
        """Yield who does something, and by what or where, beside other values too."""
        for one in choices(self.shown[clause.start : clause.end]):
            yield replace(one, start=one.start + clause.start, end=one.end + clause.start)

    def _manner(self, clause: Clause) -> Iterator[Found]:
        """Yield how something is done, beside other values too: every 30 days, automatically."""
        for m in _MANNER.finditer(self.shown, clause.start, clause.end):
            english = bool(m["by"]) or self.shown[m.start() : m.end()].isascii()
            denied = bool(
                re.search(r"\b(?:not|never|no\slonger)\b", self.shown[clause.start : m.start()], re.IGNORECASE)
                if english
                else _NOT_DONE.match(self.shown, m.end())
            )
            by_hand = bool(m["hand"] or m["by"]) != denied
            yield Found("state:manner", "manual" if by_hand else "automatic", *m.span())

    def _tax(self, clause: Clause) -> Iterator[Found]:
        """Yield whether a price includes the tax, beside the price too."""
        shown = self.shown[clause.start : clause.end]
        if any(value.kind.startswith("money") for value in self._values(clause)) and (m := _TAX.search(shown)):
            out = re.match("별도|제외|불포함|미포함|비포함|extra|excl", m["state"]) is not None
            start, end = (clause.start + place for place in m.span("state"))
            yield Found("state:inclusion", "out" if out else "in", start, end)

    def _is_aside(self, value: Found, clause: Clause) -> bool:
        shown = self.shown
        label = self.one.label
        if value is self.occasion:
            return True
        if any(m.start() <= value.start < m.end("of") for m in _BASIS.finditer(shown, clause.start, clause.end)):
            return True
        past = is_past(shown, value, clause.start, clause.end)
        named = is_event_span(shown, value, label) or is_name(shown, value, label)
        return past or named or is_denied(shown, value) or is_relative(shown, value) or is_example(shown, value)

    def _value(self, value: Found, values: Sequence[Found], own: Sequence[Word], clause: Clause) -> Value:
        before, after = self._words(value, values, own, clause)
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
            words=tuple(dict.fromkeys(strong or inherited or _content(self.above))),
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

    def _words(
        self, value: Found, values: Sequence[Found], own: Sequence[Word], clause: Clause
    ) -> tuple[list[Word], list[Word]]:
        if value.kind.startswith("choice"):
            return [word for word in own if word[2] <= value.start or word[1] >= value.end], []
        if value.kind.startswith("state"):
            if self.shown[value.start : value.end].lower() == "without":  # who may, and what isn't needed
                return [word for word in own if word[2] <= self._modal(clause) or word[1] >= value.end], []
            english = not re.search("[가-힣]", self.shown[clause.start : clause.end])
            state = fold(self.shown[value.start :].split(" ", 1)[0].strip(".,").lower()) if english else ""
            return [word for word in own if (english and word[0] != state) or word[2] <= value.start], []
        values = [
            one for one in values if one.kind != "state:can" and not one.kind.startswith("choice")
        ]  # it stands where the clause ends
        before, after = around(own, values, value)
        if any(is_condition(self.shown, one) for one in values if one.end <= value.start):
            before = [word for word in own if word[1] < value.start]  # 실패 5회 시 30분: its words count for both
        before, after = without_condition(self.shown, value, *with_owner(self.shown, value, before, after))
        return without_start(self.shown, value, before, after)

    def _modal(self, clause: Clause) -> int:
        """Return where an English clause says that something may be done."""
        m = _MODAL.search(self.shown, clause.start, clause.end)
        return m.start() if m else clause.start

    def _scope(self, value: Found, clause: Clause, named: Scope) -> Scope:
        """Return the scope: of clause and labels, for other classes of the sentence so far, then of the headings."""
        found = self.dateless if value.kind == "date" else self.found
        blank = _blanked(self.shown, [*found, value], value)
        if value.kind == "rate" and (months := _MONTHS.match(blank, value.end)):
            blank = blank[: months.start()] + " " * len(months[0]) + blank[months.end() :]
        begin, end = max(clause.start, value.start - SCOPE_CHARS), min(clause.end, value.end + SCOPE_CHARS)
        made = [*scopes(f"{self.one.label} \n {blank[begin:end]}"), *named]
        sentence = [
            pair
            for pair in scopes(blank[max(0, clause.start - SCOPE_CHARS) : clause.start])
            if pair[0] not in _OF_CLAUSE
        ]
        sentence += contrasts(word for word, _, end in self.words if end <= value.start)
        for wider in (sentence, self.outer):
            known = {name for name, _ in made}
            made += [pair for pair in wider if pair[0] not in known]
        made += [("version", one.value) for one in self._values(clause) if one.kind == "version" != value.kind]
        if self.occasion:
            made.append(("day", day_of(self.occasion)))
        made += [pair for pair in self._days(value, clause) if pair not in made]
        made += [("basis", m["of"]) for m in _BASIS.finditer(self.shown, clause.start, clause.end)]
        if value.kind == "choice:doer" and (deed := _DEED.search(self.shown, value.end, clause.end)):
            made.append(("deed", fold(deed[1])))
        if re.search(r"\d", self.one.row):
            made.append(("row", "".join(self.one.row.split())))
        return tuple(sorted({*made, *(("side", side) for side in sides_of(self.shown, value))}))

    def _days(self, value: Found, clause: Clause) -> Iterator[tuple[str, str]]:
        """Yield the day of the week that a time holds for, as one of those that work or rest."""
        if value.kind != "weekday":
            for other in self._values(clause):
                if other.kind == "weekday":
                    yield from contrasts(["주말" if other.value in ("6", "7") else "평일"])


_AMOUNTS = ("money", "size", "weight")


def _is_each(value: Found, found: Sequence[Found]) -> bool:
    """Tell whether a value says only for how many the amount after it is: 한 끼 가격은 7,000원."""
    one = value.kind.startswith("count:") and value.kind != "count:회" and value.value == "1" and not value.per
    return one and any(0 <= other.start - value.end < 12 and other.kind.startswith(_AMOUNTS) for other in found)


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
    if not value.kind.startswith(("count", "duration")):
        return []
    said = re.findall(r"(?<=\s)[a-z]{3,}", shown[value.start : value.end].lower())
    return [fold(word) for word in said if word in MEANS]


def _bound(value: Found, every: Sequence[str], shown: str, label: str) -> str:
    if value.kind.startswith("state"):
        return ""
    sides = sides_of(shown, value)
    bound = bound_before(sides, value.bound or bound_of(shown, value, label))
    if (
        bound
        or "early" in sides
        or "latest" in sides
        or value.kind in ("date", "time")
        or value.kind.startswith("state")
    ):
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
        if itself or (other.kind not in ("version", "floor") and (other.kind != "date" or value.kind == "date")):
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
