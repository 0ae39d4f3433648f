"""Which values of two similar passages contradict: one attribute, one scope, two values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from pipelines.agree import LOWER, UPPER, agree, amount, equal, numeric
from pipelines.review import item_id
from pipelines.scope import contrasts
from pipelines.value import Value

# Share of the attribute words of both sides that must be common. When only one side has more words it is more exact:
# one common word allows one, two allow three. Words that set a scope are compared as such. Chosen on
# benchmarks/dedup/contradiction_pairs.toml.
LEAST_COMMON = 0.4
LEAST_COMMON_BOTH = 0.5
# In Korean text a Latin word is a name: RTO, SLA, VPN.
LEAST_COMMON_NAME = 0.3
# A state is a weak value (a clause ends with one often); a version is named by its product, whatever stands beside.
_LEAST = {"state": 0.5, "version": 0.3}
# Words of events and records: the date of one meeting is no contradiction to that of another.
_EVENTS_WORDS = """
회의 작성 개최 보고 발행 발송 수신 참석 배포 기록 일정 공지 행사 주간 정기 월간 회의록 문서 버전 개정 등록
업데이트 updated date written author 담당 기안 시행 게시 수집 측정 발생 접수 점검 요청 답변 응답 출력 인쇄
meeting minutes 진행 일지 안건 간담회
"""
_EVENTS = frozenset(_EVENTS_WORDS.split())
# What one side says and the other doesn't: rows of a calendar, exceptions from a rule.
_TOLD_BY_BOTH = ("exception", "month", "quarter")
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


def contradictions(a: Sequence[Value], b: Sequence[Value]) -> list[Contradiction]:
    """Return what two passages state differently, in the order of `a`, each value at most once.

    A value that the other side states too is settled; of what is left those belong together that are closest to each
    other, from either side.
    """
    pairs = [(x, y) for x in a for y in b if comparable(x, y) and same_attribute(x, y)]
    settled = {id(value) for pair in pairs if equal(*pair) for value in pair}
    best: dict[int, tuple[float, bool, int]] = {}
    for x, y in pairs:
        for value in (x, y):
            best[id(value)] = max(_closeness(x, y), best.get(id(value), (0.0, False, 0)))
    found = []
    for x, y in pairs:
        mutual = _closeness(x, y) == best[id(x)] == best[id(y)]
        if mutual and not settled & {id(x), id(y)} and not agree(x, y) and _one_rule(x, y, a, b):
            found.append(Contradiction(_shared(x, y), x.kind.split(":")[0], x, y))
            settled |= {id(x), id(y)}
    return found


def _shared(a: Value, b: Value) -> tuple[str, ...]:
    """Return the attribute's words that both sides know, whichever comes first the same ones."""
    known = {*a.words, *a.predicate, *a.context} & {*b.words, *b.predicate, *b.context}
    return tuple(dict.fromkeys(word for word in (*a.words, *b.words) if word in known))


def comparable(a: Value, b: Value) -> bool:
    """Tell whether two values are of one kind and one scope, neither a lower bound beside an upper one."""
    return _kinds(a, b) and _scopes(a, b) and _bounds(a, b)


def _kinds(a: Value, b: Value) -> bool:
    one, other = a.kind, b.kind
    if one == other or {one, other} <= {"rate", "rate:month"}:
        return True
    if one.startswith("count") and other.startswith("count"):
        return one in _ANY_COUNT or other in _ANY_COUNT
    return one.startswith("duration") and other.startswith("duration")


def _scopes(a: Value, b: Value) -> bool:
    one, other = _by_class(a.scope), _by_class(b.scope)
    if any(name in one and name in other and not one[name] & other[name] for name in {*one, *other} - {"exception"}):
        return False
    if any((name in one) != (name in other) for name in _TOLD_BY_BOTH):
        return False
    if any(("goal", "fact") in one.scope and other.bound in UPPER for one, other in ((a, b), (b, a))):
        return False  # how many came, and how many may come
    return _against(a.per) == _against(b.per) or not (a.per and b.per)


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


def same_attribute(a: Value, b: Value) -> bool:
    """Tell whether the words of two values mean one attribute.

    Words that only one side has make it more exact; words that stand in one place on either side (VIP 회원, 일반 회원)
    make two attributes of it. Other predicates (신청한다, 보낸다) do so only where hardly anything else is common.
    """
    left, right = _split(a.words, b.words), _split(b.words, a.words)
    left, right = _alike(left, right)
    common = {*left, *a.predicate} & {*right, *b.predicate}
    if not common & {*left, *right} or (a.borrowed and b.borrowed):
        return False
    if a.kind in ("date", "time") and common <= _EVENTS:
        return False
    # Of words that a clause borrows from the one before, those that aren't common may be that one's alone.
    mine = [word for word in left if word not in {*common, *b.context}] if not a.borrowed else []
    yours = [word for word in right if word not in {*common, *a.context}] if not b.borrowed else []
    if mine and yours and _in_one_place(left, right, mine, yours):
        return False
    mine, yours = ([word for word in words if not contrasts([word])] for words in (mine, yours))
    if len(common) < 2 * min(len(mine), len(yours)):
        return False
    met = {*a.predicate} & {*right, *b.predicate} and {*b.predicate} & {*left, *a.predicate}
    if len(common) < 2 and a.predicate and b.predicate and not met:
        return False
    least = LEAST_COMMON_BOTH if mine and yours else LEAST_COMMON
    if not (mine and yours) and any(word.isascii() for word in common):
        least = LEAST_COMMON_NAME
    least = _LEAST.get(a.kind.split(":")[0], least)
    return len(common) >= least * (len(common) + len(mine) + len(yours))


def _split(words: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the words, one that the other side writes as two neighbours divided so: 지체상금 beside 지체, 상금."""
    pairs = {one + two: (one, two) for one, two in pairwise(other)}
    return [part for word in words for part in pairs.get(word, (word,))]


def _alike(left: Sequence[str], right: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words with one spelling for those that differ by a last syllable: 임대, 임대차."""
    same = {
        max(one, other, key=len): min(one, other, key=len)
        for one in left
        for other in right
        if one != other and _HANGUL.fullmatch(one) and _HANGUL.fullmatch(other)
        if abs(len(one) - len(other)) == 1 and (one.startswith(other) or other.startswith(one))
    }
    return [same.get(word, word) for word in left], [same.get(word, word) for word in right]


# A word and itself with one syllable more are one, rooms and people apart (회의실, 개발자).
_HANGUL = re.compile("[가-힣]{2,}(?<![실자점팀장])")


def _in_one_place(a: Sequence[str], b: Sequence[str], mine: Sequence[str], yours: Sequence[str]) -> bool:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "replace" and any(word in mine for word in a[i1:i2]) and any(word in yours for word in b[j1:j2]):
            return True
    return False


def _closeness(a: Value, b: Value) -> tuple[float, bool, int]:
    common = len({*a.words} & {*b.words})
    scope = len({*a.scope} & {*b.scope})
    return common / max(1, len({*a.words} | {*b.words})), a.bound == b.bound, scope


def _one_rule(a: Value, b: Value, in_a: Sequence[Value], in_b: Sequence[Value]) -> bool:
    """Tell whether two values hold under one condition: 10명 이상 10 %, 20명 이상 20 % are two rows of one rule."""
    for mine in in_a:
        for yours in in_b:
            if mine.group != a.group or yours.group != b.group or mine is a or yours is b or not _kinds(mine, yours):
                continue
            conditional = (mine.condition and yours.condition) or (a.condition and b.condition)
            if conditional and mine.kind.split(":")[0] != a.kind.split(":")[0] and not agree(mine, yours):
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
