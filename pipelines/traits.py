"""What two values have in common: figures by which pipelines.same tells whether they are of one attribute."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from difflib import SequenceMatcher
from functools import lru_cache

from pipelines.agree import agree, amount, equal, in_days, numeric
from pipelines.milestones import two_milestones
from pipelines.spelling import spelled_alike
from pipelines.topic import two_of_one_head
from pipelines.value import Value

# Words of events and records: the date of one meeting is no contradiction to that of another.
_EVENTS_WORDS = """
회의 작성 개최 보고 발행 발송 수신 참석 배포 기록 일정 공지 행사 주간 정기 월간 회의록 문서 버전 개정 등록
업데이트 updated date written author 담당 기안 시행 게시 수집 측정 발생 접수 점검 요청 답변 응답 출력 인쇄
meeting minutes 진행 일지 안건 간담회 시작 종료
"""
_EVENTS = frozenset(_EVENTS_WORDS.split())
# Who does something, and how it is asked for, seldom say which value it is; two of them beside each other do.
_ACTORS_WORDS = """
직원 고객 참석 당직 본인 담당 사람 대상자 협력사 팀원 신청자 이용자 작업자 게스트 손님 방문 방문객 비회원 강사
학생 학부모 교사 환자 보호자 팀장 부서장 임차인 임대인 매수인 매도인 발주자 수급인 개발자 협력업체 응시자 지원자 승객
"""
ACTORS = frozenset(_ACTORS_WORDS.split())
_ROLES = ACTORS | {"admin", "일반", "임원"}
_LIGHT_WORDS = """
신청 호출 종료 가입 발생 협의 open close 열 닫 부서 timeout 책정 반드시 미리 첫 log inactivity 문서 비용
일반적 원칙적 규정상 조건 1인 new issu 생기 주어지 나
"""
_LIGHT = frozenset(_LIGHT_WORDS.split())
# Scopes that, told by one side only, make the values two more often than others do.
_TOLD_BY_ONE = ("relative year", "whole", "ordinal", "each", "quota", "goal")
# Scopes that say when: two facts of one quarter are of one thing more often than others.
_TIMES = frozenset(("year", "relative year", "quarter", "month", "half"))
# What an undertaking has several of, one for each step.
_MOMENTS = ("date", "duration")
# What is no number.
_NAMED = ("state", "choice")
# exp(4) = 55: a number that many times as large is no nearer to being the same thing's than one 1,000 times as large.
_FARTHEST = 4.0


def traits(
    a: Value, b: Value, in_a: Sequence[Value], in_b: Sequence[Value], rivals: tuple[int, int]
) -> dict[str, float]:
    """Return the figures of a pair by name, the same whichever side comes first.

    `in_a` and `in_b` are all values of either passage; `rivals` how many of the other side a and b compare with.
    """
    found = {**_of_words(a, b), **_of_numbers(a, b), **_of_scopes(a, b), **_of_mates(a, b, in_a, in_b)}
    one, other = rivals
    found["only ones"] = float(one == other == 1)
    found["rivals"] = math.log(one * other)
    return found


def _of_words(a: Value, b: Value) -> dict[str, float]:
    (left, after_a, about_a), (right, after_b, about_b) = spelled_alike(a, b)
    mine, yours = {*left, *after_a}, {*right, *after_b}
    all_a, all_b = mine | {*about_a}, yours | {*about_b}
    common, every = mine & yours, all_a & all_b
    only_a, only_b = _only(left, common, about_b), _only(right, common, about_a)
    heavy_a, heavy_b = heavy(only_a, only_b)
    fewer, more = sorted((len(heavy_a), len(heavy_b)))
    replaced = bool(heavy_a and heavy_b) and in_one_place(left, right, heavy_a, heavy_b)
    form = _bigrams_alike(_form(a), _form(b)) if fewer else 0.0
    swapped = replaced and len(left) == len(right) == len({*left} & {*right}) + 1 and {*after_a} == {*after_b}
    ends = bool(left and right)
    done_a, done_b = {*after_a} - {*all_b}, {*after_b} - {*all_a}
    return {
        "shared words": len({*left} & {*right}) / max(1, len({*left} | {*right})),
        "covered": len(every) / max(1, min(len(all_a), len(all_b))),
        "1 common": float(len(common) > 0),
        "2 common": float(len(common) > 1),
        "3 common": float(len(common) > 2),
        "one more exact": float(more > 0),
        "more exact": float(min(more, 4)),
        "both more exact": float(fewer > 0),
        "both more exact, alike": form,
        "replaced": float(replaced),
        "replaced, alike": form * replaced,
        "one replaced, no other": float(swapped),
        "two of one head": float(two_of_one_head(a.clause, b.clause)),
        "light replaced": float(bool(only_a and only_b) and not fewer),
        "a first known": float(ends and (left[0] in all_b or right[0] in all_a)),
        "first known": float(ends and left[0] in all_b and right[0] in all_a),
        "last known": float(ends and left[-1] in all_b and right[-1] in all_a),
        "letters": _bigrams_alike((*left, *after_a), (*right, *after_b)),
        "letters of others": _bigrams_alike(only_a, only_b) if only_a and only_b else 0.0,
        "latin and hangul": float(fewer > 0 and _latin(heavy_a) != _latin(heavy_b)),
        "few words": float(min(len({*left}), len({*right})) < 2),
        "roles": float(not _ROLES.isdisjoint(only_a) and not _ROLES.isdisjoint(only_b)),
        "done alike": float(bool({*after_a} & {*after_b})),
        "done otherwise": float(bool(done_a and done_b)),
        "both borrowed": float(a.borrowed and b.borrowed),
        "two languages": float(_hangul(a) != _hangul(b)),
    }


def _of_numbers(a: Value, b: Value) -> dict[str, float]:
    return {
        "apart": _ratio(a, b),
        "one kind": float(a.kind == b.kind or _lengths(a, b)),
        "one per": float(bool(a.per) and a.per == b.per),
        "per of one": float(bool(a.per) != bool(b.per)),
        "one bound": float(bool(a.bound) and a.bound == b.bound),
        "two bounds": float(bool(a.bound and b.bound) and a.bound != b.bound),
        "condition of one": float(a.condition != b.condition),
        "state": float(a.kind.startswith(_NAMED) or b.kind.startswith(_NAMED)),
        "date": float(a.kind == b.kind == "date"),
        "two milestones": float(
            a.kind.startswith(_MOMENTS) and b.kind.startswith(_MOMENTS) and two_milestones(a.clause, b.clause)
        ),
        "rate": float(a.kind.startswith("rate") or b.kind.startswith("rate")),
    }


def _of_scopes(a: Value, b: Value) -> dict[str, float]:
    one, other = {name for name, _ in a.scope}, {name for name, _ in b.scope}
    shared = {name for name, _ in {*a.scope} & {*b.scope}}
    facts = [is_fact(a), is_fact(b)]
    return {
        "shared scopes": float(min(len(shared), 3)),
        "two facts": float(all(facts)),
        "two facts of one time": float(all(facts) and not shared.isdisjoint(_TIMES)),
        "one fact": float(any(facts) and not all(facts)),
        **{f"{name} of one": float((name in one) != (name in other)) for name in _TOLD_BY_ONE},
    }


def _of_mates(a: Value, b: Value, in_a: Sequence[Value], in_b: Sequence[Value]) -> dict[str, float]:
    """Return whether other values of the two clauses are equal, or differ."""
    mine, yours = ([v for v in side if v.group == one.group and v is not one] for side, one in ((in_a, a), (in_b, b)))
    mates = [(v, w) for v in mine for w in yours if v.kind == w.kind]
    return {
        "equal mates": float(any(equal(*pair) for pair in mates)),
        "other mates": float(any(not agree(*pair) for pair in mates)),
        "other days": float(any(v.kind == "date" != a.kind and not agree(v, w) for v, w in mates)),
    }


def is_fact(value: Value) -> bool:
    """Tell whether a value says what happened, not what holds."""
    return ("goal", "fact") in value.scope or any(name == "event" for name, _ in value.scope)


def is_record(a: Value, b: Value) -> bool:
    """Tell whether two dates or times may be of two meetings or reports: nothing else is common."""
    if a.kind not in ("date", "time"):
        return False
    (left, after_a, about_a), (right, after_b, about_b) = spelled_alike(a, b)
    common = {*left, *after_a} & {*right, *after_b}
    if a.kind == "time" and len(common) > 1:
        return False
    # Without any, what the clause before is about: 아침 7시에 열리고 밤 11시에 닫힌다.
    return (common or {*left, *after_a, *about_a} & {*right, *after_b, *about_b}) <= _EVENTS


def heavy(mine: Sequence[str], yours: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words of either side that make another attribute of it: not those of asking, nor a lone actor's."""
    light = _LIGHT if {*mine} & _ROLES and {*yours} & _ROLES else _LIGHT | ACTORS
    mine, yours = ([word for word in side if word not in light] for side in (mine, yours))
    return mine, yours


def in_one_place(a: Sequence[str], b: Sequence[str], mine: Sequence[str], yours: Sequence[str]) -> bool:
    """Tell whether some of `mine` stand in a where some of `yours` stand in b: VIP 회원, 일반 회원."""
    if tuple(b) < tuple(a):
        a, b, mine, yours = b, a, yours, mine  # difflib's answer depends on the order
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "replace" and any(word in mine for word in a[i1:i2]) and any(word in yours for word in b[j1:j2]):
            return True
    return False


def _only(words: Sequence[str], common: set[str], context: Sequence[str]) -> list[str]:
    """Return the words that only one side has; of words that the other borrows any may be meant."""
    return [word for word in words if word not in common and word not in context]


def _form(value: Value) -> tuple[str, ...]:
    return tuple(value.clause.replace(value.written, " ").split())


def _latin(words: Sequence[str]) -> bool:
    return any(word.isascii() for word in words)


def _hangul(value: Value) -> bool:
    return re.search("[가-힣]", value.clause) is not None


def _bigrams_alike(a: Sequence[str], b: Sequence[str]) -> float:
    """Return Dice's coefficient of the letter pairs within words."""
    one, other = _bigrams(tuple(a)), _bigrams(tuple(b))
    return 2 * len(one & other) / max(1, len(one) + len(other))


@lru_cache(maxsize=4096)
def _bigrams(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word[n : n + 2] for word in words for n in range(max(1, len(word) - 1)))


def _lengths(a: Value, b: Value) -> bool:
    """Tell whether both say how long something takes, in whatever unit: 1년, 90일."""
    return a.kind.startswith("duration:") and b.kind.startswith("duration:")


def _ratio(a: Value, b: Value) -> float:
    """Return how many times one number is the other, as a logarithm; 0 where there are no numbers of one unit."""
    if numeric(a) is None or numeric(b) is None or not (a.kind == b.kind or _lengths(a, b)):
        return 0.0
    # A period that only one side names may be the other's too.
    one, other = (
        float(in_days(v) if _lengths(a, b) else amount(v) if a.per and b.per else Decimal(v.value)) for v in (a, b)
    )
    low, high = sorted((one, other))
    return min(math.log(high / low), _FARTHEST) if low > 0 else _FARTHEST / 2
