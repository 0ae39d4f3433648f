"""Whether two values are of one attribute, by the words around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from pipelines.loanwords import is_loan
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
# Who does something, and how it is asked for, seldom say which value it is; two of them beside each other do.
_ACTORS_WORDS = """
직원 고객 참석 당직 본인 담당 사람 대상자 협력사 팀원 신청자 이용자 작업자 게스트 손님 방문 방문객 비회원 강사
학생 학부모 교사 환자 보호자 팀장 부서장 임차인 임대인 매수인 매도인 발주자 수급인 개발자 협력업체 응시자 지원자 승객
"""
_ACTORS = frozenset(_ACTORS_WORDS.split())
_ROLES = _ACTORS | {"admin", "일반", "임원"}
_LIGHT_WORDS = """
신청 호출 종료 가입 발생 협의 open close 열 닫 부서 timeout 책정 반드시 미리 첫 log inactivity 문서 비용
일반적 원칙적 규정상 조건 1인 new issu 생기 주어지 나
"""
_LIGHT = frozenset(_LIGHT_WORDS.split())


def same_attribute(a: Value, b: Value) -> bool:
    """Tell whether the words of two values mean one attribute.

    Words that only one side has make it more exact; words that stand in one place on either side (VIP 회원, 일반 회원)
    make two attributes of it. Other predicates (신청한다, 보낸다) do so only where hardly anything else is common.
    """
    left, right = _split(a.words, b.words), _split(b.words, a.words)
    left, right = _alike(left, right, a.kind.startswith("duration"))
    common = {*left, *a.predicate} & {*right, *b.predicate}
    done = {*a.predicate} & {*b.predicate}
    if (not common & {*left, *right} and len(done) < 3) or (a.borrowed and b.borrowed):
        return False
    if (a.kind == "date" or (a.kind == "time" and len(common) < 2)) and common <= _EVENTS:
        return False
    # Of words that a clause borrows from the one before, those that aren't common may be that one's alone.
    mine = [word for word in left if word not in {*common, *b.context}] if not a.borrowed else []
    yours = [word for word in right if word not in {*common, *a.context}] if not b.borrowed else []
    mine, yours = _heavy(mine, yours)
    if mine and yours and not (len(done) > 1 and len(common) > 2) and _in_one_place(left, right, mine, yours):
        return False
    mine, yours = ([word for word in words if not contrasts([word])] for words in (mine, yours))
    if len(common) < 2 * min(len(mine), len(yours)):
        return False
    met = {*a.predicate} & {*right, *b.predicate} and {*b.predicate} & {*left, *a.predicate}
    if len(common) < 2 and a.predicate and b.predicate and not met:
        return False
    if "state:deed" in (a.kind, b.kind) and (len(common) < 2 or len(mine) + len(yours) > 1):
        return False
    least = LEAST_COMMON_BOTH if mine and yours else LEAST_COMMON
    if not (mine and yours) and any(word.isascii() for word in common):
        least = LEAST_COMMON_NAME
    least = _LEAST.get(a.kind.split(":")[0], _LEAST.get(b.kind.split(":")[0], least))
    return len(common) >= least * (len(common) + len(mine) + len(yours))


def roles_differ(a: Value, b: Value) -> bool:
    """Tell whether two values are for two kinds of people, named beside them or in the sentence before."""
    mine, yours = ({*one.words, *one.predicate, *one.context} & _ACTORS for one in (a, b))
    return bool(mine and yours) and not mine & yours


# What most passages state several of, or any thing may have, isn't known by its kind alone.
_MANY = ("state", "version", "date", "weekday", "phone", "count:", "count:개", "rate")
# Words that both sides must share, and of all words of the shorter one, where the kind alone tells the attribute; one
# more without one that names it, one less for rare units in passages that agree in another value.
LONE_COMMON, LONE_SHARE = 3, 0.6


def lone(a: Value, b: Value, in_a: Sequence[Value], in_b: Sequence[Value]) -> bool:
    """Tell whether two values are the only ones of their kind in passages that speak of the same things."""
    if a.kind != b.kind or a.kind in _MANY or a.kind.startswith(("state", "rate")) or a.condition or b.condition:
        return False
    if any(sum(one.kind == a.kind for one in side) > 1 for side in (in_a, in_b)):
        return False
    mine, yours = ({*one.words, *one.predicate, *one.context} for one in (a, b))
    common = mine & yours
    shared = {*a.words} & {*b.words}
    if shared and _in_one_place(a.words, b.words, [*{*a.words} - yours], [*{*b.words} - mine]):
        return False
    meet = any((x.kind, x.value, x.bound) == (y.kind, y.value, y.bound) for x in in_a for y in in_b)
    least = LONE_COMMON - 1 if meet and _is_rare(a) else LONE_COMMON if shared else LONE_COMMON + 1
    return len(common) >= least and len(common) >= LONE_SHARE * min(len(mine), len(yours))


def _is_rare(value: Value) -> bool:
    """Tell whether a value counts things that few values count: sheets, bottles, sets."""
    return value.kind.startswith("count:") and value.kind not in ("count:명", "count:회", "count:건")


def _heavy(mine: Sequence[str], yours: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words of either side that make another attribute of it: not those of asking, nor a lone actor's."""
    light = _LIGHT if {*mine} & _ROLES and {*yours} & _ROLES else _LIGHT | _ACTORS
    return [word for word in mine if word not in light], [word for word in yours if word not in light]


def _split(words: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the words, one that the other side writes as two neighbours divided so: 지체상금 beside 지체, 상금."""
    pairs = {one + two: (one, two) for one, two in pairwise(other)}
    return [part for word in words for part in pairs.get(word, (word,))]


def _alike(left: Sequence[str], right: Sequence[str], lasting: bool) -> tuple[list[str], list[str]]:
    """Return the words with one spelling for those that differ by a last syllable: 임대, 임대차."""
    same = {
        max(one, other, key=len): min(one, other, key=len)
        for one in left
        for other in right
        if one != other and _HANGUL.fullmatch(min(one, other, key=len)) and _LONGER.fullmatch(max(one, other, key=len))
        if abs(len(one) - len(other)) < 3 and (one.startswith(other) or other.startswith(one))
    }
    means = _MEANS_TOO | _LASTS_UNTIL if lasting else _MEANS_TOO
    for one, other in ((x, y) for mine, yours in ((left, right), (right, left)) for x in mine for y in yours):
        if other in means.get(one, ()):
            same[one] = other
    same |= {one: other for one in left for other in right if one != other and is_loan(one, other)}
    return [same.get(word, word) for word in left], [same.get(word, word) for word in right]


# What a word means depends on what it stands beside; what is deleted after 30 days is kept for 30 days.
_MEANS_TOO = {"빌리": ("임대", "대출")}
_LASTS_UNTIL = {"삭제": ("보관",), "폐기": ("보관",)}
# A word and itself with one syllable more are one, rooms and people apart (회의실, 개발자).
_HANGUL = re.compile("[가-힣]{2,}")
_LONGER = re.compile("[가-힣]{3,}(?<![실자점팀장])")


def _in_one_place(a: Sequence[str], b: Sequence[str], mine: Sequence[str], yours: Sequence[str]) -> bool:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "replace" and any(word in mine for word in a[i1:i2]) and any(word in yours for word in b[j1:j2]):
            return True
    return False
