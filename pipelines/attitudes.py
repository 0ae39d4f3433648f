"""States that a clause ends with: required or optional, allowed or forbidden, on or off, done or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipelines.quantities import Found

# class -> state -> words. The first two states of a class are opposites: a denial turns one into the other.
_STATES: dict[str, dict[str, str]] = {
    "need": {
        "required": "필수 필수적 의무 의무적 필요 강제 required mandatory compulsory necessary 의무화",
        "optional": "선택 선택적 임의 자율 권장 권고 optional 불필요 면제 생략 recommended unnecessary",
    },
    "can": {
        "allowed": "허용 가능 허가 인정 개방 allowed permitted possible 허락",
        "forbidden": "금지 금한 금합 금함 불가 불가능 불허 차단 불인정 폐쇄 통제 forbidden prohibited disallowed "
        "blocked banned",
    },
    "use": {
        "on": "사용 활성화 적용 켜짐 켜져 켜 활성 지원 enabled on active supported 가동",
        "off": "미사용 비활성화 미적용 꺼짐 꺼져 꺼 끄 비활성 미지원 중지 disabled off inactive unsupported",
    },
    "decision": {
        "approved": "승인 가결 채택 통과 합격 의결 approved accepted 수락",
        "rejected": "반려 부결 기각 거절 불승인 미승인 불합격 불채택 탈락 rejected denied declined",
        "held": "보류 유보 계류",
    },
    "progress": {
        "done": "완료 종료 종결 마감 done completed finished closed 해결 complete",
        "open": "미완료 미완 진행중 진행_중 처리중 처리_중 작업중 검토중 검토_중 진행 open ongoing pending 미해결",
        "held": "보류 중단 지연 보류중 blocked suspended postponed 연기 취소",
        "new": "대기 예정 미착수 착수전 준비중 planned",
    },
    "fee": {"paid": "유료 유상 paid", "free": "무료 무상 free 무상_제공"},
    "secrecy": {"public": "공개 public", "private": "비공개 대외비 private confidential"},
    "inclusion": {"in": "포함 included", "out": "제외 별도 미포함 불포함 excluded 제외됨"},
    "manner": {"automatic": "자동 automatic automatically", "manual": "수동 manual manually"},
    "place": {"online": "온라인 비대면 online", "offline": "오프라인 대면 현장 offline in-person"},
    "timing": {"before": "사전 선불 prepaid", "after": "사후 후불 postpaid"},
    "payment": {"paid": "지급 지원금_지급", "unpaid": "미지급 부지급"},
    "tax": {"taxed": "과세", "untaxed": "면세 비과세"},
    "opening": {"open": "정상_운영 정상운영 정상_영업 영업 연중무휴 무휴", "closed": "휴무 휴관 휴업 휴원"},
    "truth": {"true": "true yes 예 참 유", "false": "false no 아니오 아니요 거짓"},
    "storing": {"kept": "보관 보존 저장", "destroyed": "파기 폐기 삭제 deleted destroyed"},
    "form": {"written": "서면", "oral": "구두"},
    "sync": {"sync": "동기 synchronous", "async": "비동기 asynchronous"},
    "force": {
        "valid": "시행_중 시행중 유효 발효 현행 effective in_force",
        "void": "폐지 실효 무효 효력_상실 철회 repealed revoked void invalid abolished withdrawn",
    },
    "rate": {"fixed": "고정 정액 fixed", "variable": "변동 정률 variable floating"},
    "by": {"own": "직접 자체 in-house", "contract": "외주 위탁 외부위탁 outsourced"},
    "bidding": {"competed": "경쟁입찰 일반경쟁 공개경쟁", "direct": "수의계약"},
    "drawing": {"first": "선착순", "lot": "추첨"},
    "cooling": {"cold": "냉장 refrigerated", "frozen": "냉동 frozen", "room": "상온 실온"},
    "lasting": {"lasting": "영구 상시 permanent", "passing": "한시 일시 temporary"},
    "medium": {"electronic": "전자 electronic", "paper": "종이 지면"},
    "naming": {"named": "실명 기명", "nameless": "익명 무기명 anonymous"},
    "seating": {"set": "지정석 고정석", "any": "자율석 자유석"},
    "extent": {"whole": "전부 전량 전수", "part": "일부 표본 부분"},
    "sorting": {"up": "오름차순 ascending", "down": "내림차순 descending"},
    "work": {"present": "출근", "absent": "휴가 재택"},
}
# How something is done stands before what is done: 무상 수리해 준다, 자동으로 결제된다.
_HOW = (
    *("fee", "manner", "place", "form", "sync", "opening", "rate", "by", "bidding", "drawing", "cooling", "lasting"),
    *("medium", "naming", "seating", "extent", "sorting"),
)
_MEANING = {
    word.replace("_", " "): (name, state)
    for name, states in reversed(_STATES.items())
    for state, words in states.items()
    for word in words.split()
}
_WORD = re.compile(
    r"(?<![A-Za-z])(?:"
    + "|".join(re.escape(word).replace(r"\ ", r"\s?") for word in sorted(_MEANING, key=len, reverse=True))
    + r")(?![A-Za-z])",
    re.IGNORECASE,
)
_DENIAL = re.compile(r"않|아니|없|못|\s안\s|불가|금지|면제|\bnot\b|n't\b")
_NOT_BEFORE = re.compile(r"\b(?:not|never|no longer)\s(?:be\s)?$", re.IGNORECASE)
_ABLE = re.compile(
    r"""(?P<free>지\s?않아도\s?(?:되|된|됩|무방|괜찮)|없어도\s?(?:되|된|됩|무방)|필요(?:가|는)?\s?없|지\s?않는다면)
      | (?P<unneeded>\bneed(?:s)?\snot\b|\bneedn't\b|\b(?:not|n't)\s(?:have|need|required)\sto\b
            |\bno\s(?:[a-z-]+\s){1,4}(?:is|are)\s(?:needed|required|necessary)\b)
      | (?P<yes>(?<!이)[가-힣]도\s?(?:된|되|됩|좋|무방|괜찮|문제\s?(?:가\s)?없)
            |[가-힣]면\s(?:된다|됩니다|괜찮)|[가-힣]\s?수\s?있|\bcan\s(?!not)|\bmay\s(?!not))
      | (?P<no>수\s?없|하지\s?못하|\bcannot\b|\bcan't\b|\b(?:may|must)\snot\b)
      | (?P<duty>(?<!이)[가-힣]야(?:만)?\s?(?:한|하|합|됩|된|함)|\bmust\s(?!not)|\bshall\s(?!not))
      | (?P<ban>(?:면|서는)\s?(?:안|아니)\s?(?:된|되|됩)|안\s?됩니다|안\s?된다)""",
    re.VERBOSE,
)
# 승인 없이 체결할 수 있다
_WITHOUT = re.compile(r"[가-힣]\s?(?P<without>없이)(?:도)?\s.*(?:수\s?있|가능|[된한]다|[됩합]니다)")
# Only with it: 승인이 있어야 가능하다, 등록해야만 이용할 수 있다; and what a rule lets someone get: 승인을 받는다.
_ONLY_WITH = re.compile(
    r"[가-힣]야(?P<only>(?:만)?\s(?:[가-힣]+\s){0,2}[가-힣]*\s?(?:가능|수\s?있|허용|인정|된다|됩니다))"
)
_ASKED_FOR = re.compile(
    r"(?:승인|허가|결재|동의|확인|심사|검토|사인|서명)(?P<get>[을를]\s(?:반드시\s|미리\s|먼저\s|꼭\s)?"
    r"(?:받는다|받습니다|거친다|거칩니다|얻는다|얻습니다|구한다|받도록\s?한다))"
)
# May ... without approval, can ... without a badge: that isn't needed.
_WITHOUT_ENGLISH = re.compile(
    r"\b(?:may|can|could|(?:is|are|be)\s(?:allowed|permitted)\sto|(?:is|are)\s[a-z]+ed)\s(?!not).{0,80}?(?P<without>\bwithout\b)(?!\snotice)",
    re.IGNORECASE,
)
# Nothing is charged: 수수료는 없다, 요금을 받지 않는다.
_NO_CHARGE = re.compile(
    r"[가-힣](?:비|료|금|비용|금액)(?:[은는이가도])?\s?(?P<how>없(?:다|습니다|음|으며|고)|없이\s(?=.*무료))"
    r"|[가-힣](?:비|료|금|비용|금액)[은는을를]?\s(?P<not>(?:\S+\s)?(?:받|부과하|청구하|부담하|내|붙|들)지\s?않(?:는|습|음|으|고))"
)
# What may stand between a state and the end of its clause: particles, endings, copula, auxiliaries, light nouns.
_TAIL_TAGS = ("J", "E", "XSV", "XSA", "XSN", "VC", "VX", "NNB", "SF", "SP", "SS", "SW", "MAG", "SO")
_TAIL_WORDS_WORDS = """
이용 대상 하 되 있 없 않 상태 사항 항목 처리 설정 유지 원칙 조치 운영 제공 적용 실시 시행 간주 의무 by default as
well now always 결정 확정 명령 요청 현재 모두 전면 일체 이루어지 받 같 지정 중 됨 함 수 것 안 못
"""
_TAIL_WORDS = frozenset(_TAIL_WORDS_WORDS.split())


# What a thing is that is required or optional: 필수 항목, 선택 제출 서류.
_NEEDED_WORDS = """
입력 입력값 값 필드 제출 서류 문서 과목 요건 조건 옵션 파라미터 인자 속성 이수 참석 교육 절차 단계 기재 첨부 증빙 기능
자료 field parameter document
"""
_NEEDED = frozenset(_NEEDED_WORDS.split())


def attitudes(clause: str, tokens: Sequence[tuple[str, str, int, int]]) -> Iterator[Found]:
    """Yield the state that a clause ends with, and what isn't needed for it.

    `tokens` are (form, tag, start, end) within the clause.
    """
    able = _ABLE.search(clause)
    if without := _WITHOUT.search(clause) or _WITHOUT_ENGLISH.search(clause):
        yield Found("state:need", "optional", without.start("without"), without.end("without"))
    if only := _ONLY_WITH.search(clause) or _ASKED_FOR.search(clause):
        yield Found("state:need", "required", only.start(only.lastgroup or 0), len(clause.rstrip(" .。!")))
        return
    if charged := _NO_CHARGE.search(clause):
        yield Found("state:fee", "free", charged.start(charged.lastgroup or 0), len(clause.rstrip(" .。!")))
        return
    for m in reversed(list(_WORD.finditer(clause))):
        name, state = _MEANING[" ".join(m[0].lower().split())] if m[0].lower() in _MEANING else _spaced(m[0])
        if able and name not in ("need", "can", "manner", "fee"):
            continue
        tail = [token for token in tokens if token[2] >= m.end()]
        english = re.search(
            r"\b(?:is|are|be|been|remains?|stays?)\s(?:not\s|no\slonger\s|by default\s|still\s|fully\s)?"
            r"(?:turned\s|switched\s|kept\s)?$",
            clause[: m.start()],
        )
        how = name in _HOW and re.match(r"(?:적?으로|로|은|\s|$)", clause[m.end() :]) and len(tail) < 9
        how = how or (name == "need" and re.match(r"(?:적?으로|로)\s|에\s?맡", clause[m.end() :]) and len(tail) < 9)
        if how and _starts_word(m, tokens):
            yield Found(f"state:{name}", state, m.start(), m.end())
            return
        if not english and (not _starts_word(m, tokens) or not all(_is_tail(token, name) for token in tail)):
            continue
        denied = bool(_DENIAL.search(clause[m.end() :]) or _NOT_BEFORE.search(clause[: m.start()]))
        if denied and name == "storing":
            break  # 저장하지 않는다: it isn't done
        names = list(_STATES[name])
        turned = names[1 - names.index(state)] if denied and state in names[:2] else state
        yield Found(f"state:{name}", turned, m.start(), len(clause.rstrip(" .。!")))
        return
    yield from _ability(clause)


def _spaced(word: str) -> tuple[str, str]:
    squeezed = "".join(word.lower().split())
    return next(found for known, found in _MEANING.items() if "".join(known.split()) == squeezed)


def _starts_word(m: re.Match[str], tokens: Sequence[tuple[str, str, int, int]]) -> bool:
    """Tell whether a token begins where the state does: "사용" isn't in "남사용"."""
    return any(start == m.start() for _, _, start, _ in tokens)


def _is_tail(token: tuple[str, str, int, int], name: str) -> bool:
    form, tag, _, _ = token
    if name == "need" and form in _NEEDED:
        return True
    return tag.startswith(_TAIL_TAGS) or form.lower() in _TAIL_WORDS


def _ability(clause: str) -> Iterator[Found]:
    """Yield whether something can, can't or must be done; the last such word speaks."""
    found = list(_ABLE.finditer(clause))
    if not found:
        return
    m = found[-1]
    end = len(clause.rstrip(" .。!"))
    if m["free"] or m["unneeded"]:
        yield Found("state:need", "optional", m.start(), end)
    elif m["duty"]:
        denied = re.search(r"지\s(?:않|아니|말)|아니\s?하", clause[max(0, m.start() - 6) : m.end()])
        yield (
            Found("state:can", "forbidden", m.start(), end)
            if denied
            else Found("state:need", "required", m.start(), end)
        )
    else:
        yield Found("state:can", "allowed" if m["yes"] else "forbidden", m.start(), end)
