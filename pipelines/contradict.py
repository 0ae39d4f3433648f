"""Which values of two similar passages contradict: one attribute, one scope, two values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipelines.agree import LOWER, UPPER, agree, amount, equal, numeric
from pipelines.review import item_id
from pipelines.same import likeness, roles_differ
from pipelines.sameness import LEAST, SETTLES
from pipelines.spelling import spelled_alike
from pipelines.traits import is_fact, is_record, traits
from pipelines.value import Value

# What one side says and the other doesn't: rows of a calendar, exceptions from a rule.
_TOLD_BY_BOTH = ("exception", "month", "quarter", "event")
# What an announcement of one event says of it (이번 워크숍), where another names the event only.
_OF_EVENTS = ("date", "time", "money", "state:fee")
# How long something holds is how often it is renewed.
_RENEWED = frozenset(("종료", "갱신", "교체", "바꾸"))
# States of different classes that can't both hold.
_OPPOSED = (
    {"off", "allowed"},
    {"on", "forbidden"},
    {"required", "forbidden"},
    {"not done", "allowed"},
    {"not done", "required"},
    {"done", "forbidden"},
    {"out", "allowed"},
    {"in", "forbidden"},
    {"open", "not done"},
    {"open", "forbidden"},
    {"closed", "done"},
    {"closed", "allowed"},
)
_ATTITUDES = frozenset(("state:need", "state:can", "state:deed", "state:use", "state:inclusion", "state:opening"))
_WHEN = frozenset(("relative year", "year"))
_LEFT = frozenset(("남", "나머지", "잔여", "잔량"))
# A number of these units may be any thing's.
_ANY_COUNT = ("count:", "count:개")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two values of one attribute; `words` are the attribute's words that both sides share, in the order of a."""

    words: tuple[str, ...]
    kind: str
    a: Value
    b: Value

    def key(self, a_body: str, b_body: str) -> str:
        """Return the id under which the review queue knows it; the same whichever side comes first."""
        sides = sorted((f"{body} {value.bound} {value.value}" for body, value in ((a_body, self.a), (b_body, self.b))))
        return item_id("contradiction", self.kind, " ".join(sorted(self.words)), *sides)


@dataclass(frozen=True, slots=True)
class Rivals:
    """Two comparable values that may be of one attribute, and what they have in common."""

    a: Value
    b: Value
    traits: dict[str, float]


def contradictions(a: Sequence[Value], b: Sequence[Value]) -> list[Contradiction]:
    """Return what two passages state differently, in the order of `a`, each value at most once."""
    pairs = rivals(a, b)
    found: list[Contradiction] = []
    taken: set[int] = set()
    for n, like in open_pairs(pairs, [likeness(pair.traits) for pair in pairs]):
        x, y = pairs[n].a, pairs[n].b
        if like > LEAST and not taken & {id(x), id(y)} and clash(x, y, a, b):
            found.append(Contradiction(_shared(x, y), min(x.kind, y.kind).split(":")[0], x, y))
            taken |= {id(x), id(y)}
    return found


def rivals(a: Sequence[Value], b: Sequence[Value]) -> list[Rivals]:
    """Return the comparable values of two passages whose attributes have a word in common, in the order of `a`."""
    pairs = [(x, y) for x in a for y in b if comparable(x, y) and _shared(x, y)]
    of = Counter(id(value) for pair in pairs for value in pair)
    return [Rivals(x, y, traits(x, y, a, b, (of[id(x)], of[id(y)]))) for x, y in pairs]


def open_pairs(pairs: Sequence[Rivals], likes: Sequence[float]) -> list[tuple[int, float]]:
    """Return (place, likeness) of the pairs in which either value is the likeliest for the other.

    A value that the other side states too is settled.
    """
    settled: set[int] = set()
    best: dict[int, float] = {}
    for pair, like in zip(pairs, likes, strict=True):
        for value in (pair.a, pair.b):
            best[id(value)] = max(like, best.get(id(value), like))
        if like > SETTLES and equal(pair.a, pair.b):
            settled |= {id(pair.a), id(pair.b)}
    return [
        (n, like)
        for n, (pair, like) in enumerate(zip(pairs, likes, strict=True))
        if like == best[id(pair.a)] == best[id(pair.b)] and not settled & {id(pair.a), id(pair.b)}
    ]


def clash(x: Value, y: Value, a: Sequence[Value], b: Sequence[Value]) -> bool:
    """Tell whether two values of one attribute can't both hold, all that either passage states considered."""
    return not agree(x, y) and not _apart(x, y, a, b) and _one_rule(x, y, a, b)


def _apart(x: Value, y: Value, a: Sequence[Value], b: Sequence[Value]) -> bool:
    """Tell whether two values are of two days, or one is the sum of several that the other side states."""
    if x.kind not in _DAYS and _other_day(_beside(x, a), _beside(y, b)):
        return True
    if _is_part(x, y) or _is_part(y, x) or roles_differ(x, y) or is_record(x, y) or _other_event(x, y, a, b):
        return True
    if _is_excepted(x, y, a) or _is_excepted(y, x, b):
        return True
    if any(_is_free_from(one, other) for one, other in ((x, y), (y, x))):
        return True
    for side, rule, event in ((a, x, y), (b, y, x)):
        if is_fact(event) and any(v.condition for v in side if v.group == rule.group):
            return True  # a rule for some, and what happened
        others = rule.predicate and event.predicate and not {*rule.predicate} & {*event.predicate, *event.words}
        if others and is_fact(event) and not is_fact(rule):
            return True  # how many are wanted, and how many came
    return _is_sum(x, y, b) or _is_sum(y, x, a) or _is_rest(x, y, a) or _is_rest(y, x, b)


def _is_part(whole: Value, part: Value) -> bool:
    """Tell whether one value is a sum and the other of a part of it, or against each one: 전체 120명, 소재팀 18명."""
    named = ("whole", "whole")
    if ("part", "part") in whole.scope or numeric(whole) is None or numeric(part) is None:
        return False
    if ("part", "part") in part.scope:
        return part.kind == whole.kind and amount(part) < amount(whole)
    if named in part.scope or named not in whole.scope:
        return False
    more = {*part.words} - {*whole.words, *whole.predicate, *whole.context}
    less = part.kind == whole.kind and amount(part) < amount(whole)
    return less and bool(part.per or ("each", "each") in part.scope or any(_PART.search(word) for word in more))


_PART = re.compile(
    "[가-힣](?:팀|부|과|실|반|층|동|점|센터|본부|공장|라인|지역|그룹|소)$|team|branch|office|plant|region"
)


def _is_excepted(rule: Value, other: Value, beside: Sequence[Value]) -> bool:
    """Tell whether a rule's own passage excepts what the other value is of: 휴학은 2년, 다만 군 휴학은 제외한다."""
    for one in beside:
        if one is not rule and any(name == "exception" for name, _ in one.scope):
            more = {*one.words} - {*rule.words}
            if more and more <= {*other.words}:
                return True
    return False


def _is_free_from(limit: Value, price: Value) -> bool:
    """Tell whether one value is from what on nothing is charged, and the other what is charged below."""
    free = ("무료", "free")
    named = any(word in free for word in (*limit.words, *limit.predicate))
    return bool(limit.condition and named) and not price.condition and limit.kind == price.kind


def _other_event(x: Value, y: Value, a: Sequence[Value], b: Sequence[Value]) -> bool:
    """Tell whether two clauses tell of two events: days that differ, and all else that both state, or what is past."""
    mine, yours = ([v for v in side if v.group == one.group] for side, one in ((a, x), (b, y)))
    days = [(v, w) for v in mine for w in yours if v.kind == w.kind == "date" and not v.bound and not w.bound]
    if not days or any(agree(*pair) for pair in days):
        return False
    others = [(v, w) for v in mine for w in yours if v.kind == w.kind != "date"]
    if any(equal(*pair) for pair in others):
        return False
    past = all(any(is_fact(v) for v in side) for side in (mine, yours))
    return len({v.kind for v, _ in others}) > (0 if past else 1)


_DAYS = ("date", "weekday", "monthday")


def _beside(value: Value, side: Sequence[Value]) -> list[Value]:
    return [one for one in side if one.group == value.group and not one.bound]


def _other_day(mine: Sequence[Value], yours: Sequence[Value]) -> bool:
    for kind in _DAYS:
        here, there = ([value for value in side if value.kind == kind] for side in (mine, yours))
        if here and there and not any(agree(one, other) for one in here for other in there):
            return True
    return False


def _is_sum(total: Value, part: Value, beside: Sequence[Value]) -> bool:
    if not all(value.kind.startswith(("money", "count")) for value in (total, part)):
        return False
    if len(part.words) > 1 and {*part.words} <= {*total.words}:
        return False  # it is of that part: 경결함 3건, beside 경결함 2건 and 중결함 1건
    parts = [amount(value) for value in beside if value.kind == part.kind and _scopes(value, total)]
    return len(parts) > 1 and sum(parts) == amount(total)


def _is_rest(total: Value, rest: Value, beside: Sequence[Value]) -> bool:
    """Tell whether one value is what another leaves of a third: 1,000개, 400개 beside 600개."""
    if not all(value.kind.startswith(("money", "count")) for value in (total, rest)):
        return False
    known = [amount(value) for value in beside if value.kind == total.kind and value is not total]
    return bool({*rest.words} & _LEFT) and any(amount(total) == amount(rest) + one for one in known)


def _shared(a: Value, b: Value) -> tuple[str, ...]:
    """Return the attribute's words that both sides know, whichever comes first the same ones."""
    (left, after_a, about_a), (right, after_b, about_b) = spelled_alike(a, b)
    known = {*left, *after_a, *about_a} & {*right, *after_b, *about_b}
    shared = [word for word in (*left, *right) if word in known]
    # 로그인 5회 실패 시 잠긴다, 비밀번호를 3회 틀리면 잠긴다: only what is done is one.
    return tuple(dict.fromkeys(shared or [word for word in after_a if word in after_b]))


def comparable(a: Value, b: Value) -> bool:
    """Tell whether two values are of one kind and one scope, neither a lower bound beside an upper one."""
    return _kinds(a, b) and _scopes(a, b) and _bounds(a, b)


def _kinds(a: Value, b: Value) -> bool:
    comparable = _of_one_kind(a.kind, b.kind)
    if comparable is not None:
        return comparable
    if {a.kind, b.kind} <= _ATTITUDES:
        return {a.value, b.value} in _OPPOSED
    return "0" not in (a.value, b.value) and bool({*a.words, *a.predicate, *b.words, *b.predicate} & _RENEWED)


@cache
def _of_one_kind(one: str, other: str) -> bool | None:
    """Tell whether values of two kinds can be compared; None where it depends on the values."""
    if {one.split(":")[0], other.split(":")[0]} == {"rate", "duration"}:
        return None
    if {one, other} <= {"rate", "rate:month", "monthday"} and one != other:
        return True
    if one != other and {one, other} <= _ATTITUDES:
        return None
    if {one, other} in ({"count:명", "count:석"}, {"count:건", "count:회"}, {"score", "count:"}):
        return True
    if "state:fee" in (one, other) and {one[:5], other[:5]} & {"money", "perce"}:
        return True
    if one == other or {one, other} <= {"rate", "rate:month"}:
        return True
    if one.startswith("count") and other.startswith("count"):
        return one in _ANY_COUNT or other in _ANY_COUNT
    return one.startswith("duration") and other.startswith("duration")


def _scopes(a: Value, b: Value) -> bool:
    one, other = _by_class(a.scope), _by_class(b.scope)
    if any(_two(one[name], other[name]) for name in {*one} & {*other} - {"exception"}):
        return False
    told = [name for name in _TOLD_BY_BOTH if (name in one) != (name in other)]
    this_one = told == ["event"] and {*one.get("event", ()), *other.get("event", ())} == {"이번"}
    if told and not (this_one and a.kind.startswith(_OF_EVENTS)):
        return False
    if not this_one and any(is_fact(one) and (other.bound or other.condition) for one, other in ((a, b), (b, a))):
        return False  # how many came, and how many may come
    if any(_sides(v) == {"early"} and not _sides(w) for v, w in ((a, b), (b, a))):
        return False  # from when on, and how long
    if _is_filled(a, b) or _is_filled(b, a):
        return False
    if any(is_fact(v) and _WHEN & {*said} - {*unsaid} for v, said, unsaid in ((a, one, other), (b, other, one))):
        return False  # what was once
    return _against(a.per) == _against(b.per) or not (a.per and b.per)


def _two(mine: set[str], yours: set[str]) -> bool:
    """Tell whether two sides name different alternatives, be there one that both name: 서울 지점, 부산 지점."""
    return bool(mine - yours and yours - mine)


def _sides(value: Value) -> set[str]:
    return {said for name, said in value.scope if name == "side"}


def _is_filled(place: Value, number: Value) -> bool:
    """Tell whether a number is one of those that a place has room for: 정원 15명, 12명이다."""
    quota = ("quota", "정원")
    if quota not in place.scope or quota in number.scope or number.bound or numeric(place) is None:
        return False
    return numeric(number) is not None and amount(number) <= amount(place)


def _against(per: str) -> str:
    """Return what a value is counted against; all periods are one, as they are converted."""
    return "period" if per.isdigit() else per


def _by_class(scope: Sequence[tuple[str, str]]) -> dict[str, set[str]]:
    classes: dict[str, set[str]] = {}
    for name, said in scope:
        classes.setdefault(name, set()).add(said)
    return classes


def _bounds(a: Value, b: Value) -> bool:
    """Tell whether two bounds can contradict: not the begin of something beside its end."""
    opposite = (a.bound in LOWER and b.bound in UPPER) or (a.bound in UPPER and b.bound in LOWER)
    if not opposite:
        return True
    if a.kind.split(":")[0] in ("date", "time", "weekday", "monthday"):
        return False
    least, most = (a, b) if a.bound in LOWER else (b, a)
    if numeric(least) is None or numeric(most) is None or amount(least) < amount(most):
        return False
    return amount(least) > amount(most) or (least.bound == "min") == (most.bound == "max")


def _one_rule(a: Value, b: Value, in_a: Sequence[Value], in_b: Sequence[Value]) -> bool:
    """Tell whether two values hold under one condition: 10명 이상 10 %, 20명 이상 20 % are two rows of one rule."""
    for mine in in_a:
        for yours in in_b:
            if mine.group != a.group or yours.group != b.group or mine is a or yours is b or not _kinds(mine, yours):
                continue
            conditional = (mine.condition and yours.condition) or (a.condition and b.condition)
            other = mine.kind.split(":")[0] != a.kind.split(":")[0]
            # 500만 원 이상 and 500만 원을 넘으면 are one condition.
            near = mine.value == yours.value and any({mine.bound, yours.bound} <= {*side} for side in (LOWER, UPPER))
            if conditional and other and not near and not agree(mine, yours):
                return False
    return True


def answered(found: Mapping[str, Any], answers: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the answer that a person gave to a contradiction, the newest of several, None for nothing yet.

    `found` and the evidence of an answer hold attribute, kind and the sides "a" and "b" with value, path and body. An
    answer holds as long as kind and both values are equal and on each side the path or the body is. Of the attribute a
    word must be left, as a sentence may be written anew; an answer to all of the words goes before.
    """
    same = [answer for answer in reversed(answers) if _is_same(found, answer["evidence"])]
    exact = (answer for answer in same if {*answer["evidence"]["attribute"]} == {*found["attribute"]})
    return next(exact, same[0] if same else None)


def _is_same(found: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    if known["kind"] != found["kind"] or {*known["attribute"]}.isdisjoint(found["attribute"]):
        return False
    straight = _same_side(found["a"], known["a"]) and _same_side(found["b"], known["b"])
    return straight or (_same_side(found["a"], known["b"]) and _same_side(found["b"], known["a"]))


def _same_side(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    place = (one["source"], one["path"]) == (other["source"], other["path"]) or one["body"] == other["body"]
    return bool(place and one["value"] == other["value"])
