"""What a value is counted against: 주 2회, 분당 100회, 100 requests per minute, 1인당 5만원."""

from __future__ import annotations

import re
from dataclasses import replace

from pipelines.quantities import Found

# "담당", "해당", "배당" count against nothing.
THINGS = """
인 인월 인일 km 킬로미터 미터 리터 kg 톤 그램 명 사람 건 개 대 회 박 좌석 석 계정 사용자 회원 고객 시간 kg ㎡
평 장 식 끼 병 박스 상자 페이지 쪽 파일 이미지 주문 메시지 문항 프로젝트 팀 부서 차량 객실 세대 가구 권 과목
키 토큰 세션 인스턴스 테넌트 도메인 채널 아이디 라인 설비 과제 강의 학점 업체 기업 가맹점 매장 지점 학생
환자 제품 상품 단말기 기기 서버 노드 코어 요청 호출 거래 결제 GB MB kWh
"""
_THING = rf"(?:[1한]\s?)?(?P<thing>{'|'.join(sorted(THINGS.split(), key=len, reverse=True))})"
# Any other noun with 당, but those that end so: 로트당, 샤드당; 식당, 담당.
_ANY_THING = r"(?P<any>[가-힣]{1,5}(?<![식강담해수배정타부상합전할감마서성명법불저혈엔])(?<!달러)(?<!유로)(?<!위안))"
# "1인당 한도는 3만원": a word or two may stand between.
_TOPIC = r"(?P<topic>\s?[가-힣]{1,5}\s?[가-힣]{0,4}(?:은|는|이|:)\s?)?(?:최대|최소|각|약|평균|총)?\s?$"
# Seconds of a period; a month is the twelfth of a year of 365 days, so that 월 1회 = 연 12회.
DAY, YEAR = 86400, 31536000
_PERIODS: tuple[tuple[str, int], ...] = (
    (r"초|sec(?:ond)?|s", 1),
    (r"분|min(?:ute)?", 60),
    (r"시간|hour|hr|h", 3600),
    (r"일|하루|day", DAY),
    (r"주|주일|week", 7 * DAY),
    (r"월|개월|달|month", YEAR // 12),
    (r"분기|quarter", YEAR // 4),
    (r"반기", YEAR // 2),
    (r"년|연|해|year", YEAR),
)
_ANY_PERIOD = "|".join(f"(?P<p{n}>{words})" for n, (words, _) in enumerate(_PERIODS))
_PERIOD_BEFORE = re.compile(
    rf"(?<![가-힣A-Za-z\d])(?<!다음\s)(?<!이번\s)(?<!지난\s)(?:매\s?|1\s?|한\s?|일\s?)?(?:{_ANY_PERIOD})\s?(?:(?:당|별로?){_TOPIC}|(?:간|에|"
    rf"평균|마다|기준|최대|최소|최소한|적어도|각)?\s?(?:최대|최소|각|약|평균|총)?\s?$)",
    re.IGNORECASE,
)
_PERIOD_AFTER = re.compile(
    rf"^\s?(?:\w+\s){{0,3}}(?:/|per\s|an?\s|each\s|every\s)\s?(?:{_ANY_PERIOD})(?![A-Za-z가-힣])", re.IGNORECASE
)
_ADVERB_AFTER = re.compile(r"^\s?(?:\w+\s)?(daily|weekly|monthly|quarterly|annually|yearly|hourly)", re.IGNORECASE)
_ADVERBS = {
    "daily": DAY, "weekly": 7 * DAY, "monthly": YEAR // 12, "quarterly": YEAR // 4, "annually": YEAR, "yearly": YEAR,
    "hourly": 3600, "annual": YEAR,
}  # fmt: skip
_THING_BEFORE = re.compile(
    rf"(?<![가-힣\d])(?:(?:{_THING}\s?|{_ANY_THING})당{_TOPIC}|[1한]\s?(?P<one>[가-힣]{{1,4}})에\s?(?:최대|최소|각|약)?\s?$)"
)
_THING_AFTER = re.compile(
    r"^\s?(?:\w+\s)?(?:/\s?|per\s)(?P<thing>명|인|건|개|대|회|박|user|person|seat|item|night|account)"
)
_SAME_THING = {
    "인": "명",
    "사람": "명",
    "사용자": "명",
    "user": "명",
    "person": "명",
    "seat": "좌석",
    "item": "개",
    "night": "박",
    "번": "회",
}


# What is done so often, or so long, in a period named before it: 1년에 직무교육을 30시간, 한 달에 관리자 교육을 두 번.
_PERIOD_APART = re.compile(
    rf"(?<![가-힣A-Za-z\d])(?:매|(?:1|한|일)\s?)?(?:{_ANY_PERIOD})에\s(?P<between>(?:[가-힣A-Za-z]+\s){{1,3}})(?:최대|최소|각|약|평균|총)?\s?$"
)


def period_seconds(m: re.Match[str]) -> int:
    """Return the seconds of the period that a pattern with _ANY_PERIOD matched."""
    return next(seconds for n, (_, seconds) in enumerate(_PERIODS) if m[f"p{n}"])


def with_period(found: Found, text: str) -> Found:
    """Add what a value is counted against, and its words: 주 2회, 분당 100회, 100 requests per minute, 1인당 5만원."""
    start = max(0, found.start - 16)
    before, after = text[start : found.start], text[found.end : found.end + 40]
    leading = _PERIOD_BEFORE.search(before) or _THING_BEFORE.search(before)
    if leading and re.search("[가-힣]", leading[0]):
        said = leading.groupdict().get("topic")
        return replace(found, start=found.start if said else start + leading.start(), per=_per(leading))
    apart = _PERIOD_APART.search(text, max(0, found.start - 30), found.start)
    if apart and found.kind.startswith(("count", "duration:second")):
        return replace(found, per=_per(apart))
    trailing = _PERIOD_AFTER.match(after) or _THING_AFTER.match(after) or _ADVERB_AFTER.match(after)
    return replace(found, end=found.end + trailing.end(), per=_per(trailing)) if trailing else found


def _per(m: re.Match[str]) -> str:
    said = m.groupdict()
    if "thing" in said:
        thing = (said["thing"] or said.get("any") or said.get("one") or "").lower()
        return _SAME_THING.get(thing, thing)
    return str(_ADVERBS[m[1].lower()] if "p0" not in said else period_seconds(m))
