"""Words in names and titles: of a series, of a state, of a product, of a variant."""

from __future__ import annotations

import re
from typing import Literal

Series = Literal["", "dated", "releases", "parties"]

_LATIN = r"(?<![a-z])(?:{})(?![a-z])"


def _pattern(korean: str, english: str = "") -> re.Pattern[str]:
    """Return a pattern for Korean words anywhere and English ones that stand alone."""
    return re.compile(f"{korean}|{_LATIN.format(english)}" if english else korean, re.IGNORECASE)


# A document that says so isn't in force yet: it replaces nothing by its name alone ...
NOT_IN_FORCE = _pattern(
    r"초안|시안|가안|검토|[(\[]\s*안\s*[)\]]|(?<=[_\- ])안(?=$|[_\- .(])|(?:개정|수정|제정|변경|조정)안|"
    r"의견\s*(?:수렴|조회)|(?:작성|작업|협의|수정|보완|편집|진행)\s*중(?![요간점복심])|초고|잠정|미완성|미확정|미승인|입법\s*예고|"
    r"회람|(?:공유|송부)용|"  # handed round for remarks
    r"예정|상신|(?:승인|결재|검토|심사)\s*(?:대기|요청|요망|예정|전(?![가-힣])|중)|(?:[(\[_]|상태\s?)\s*(?:보류|취소|대기)",
    r"draft|drft|wip|beta|alpha|rc\s?\d*|preview|tbd|unapproved|proposed|for[\s_-]*(?:comments?|review|circulation)|"
    r"redlined?|pending|(?:in|under)[\s_-]*review|on[\s_-]*hold|cancell?ed|upcoming|planned|not[\s_-]*(?:yet[\s_-]*)?(?:approved|effective)",
)
# ... nor does one that says that it is past or was turned down.
PAST = _pattern(
    r"구버전|이전\s*(?:본|버전|판)|폐기(?![물처])|반려|사용\s*금지|미사용",
    r"obsolete|deprecated|rejected|withdrawn|superseded",
)
# A document that says so is in force: nothing replaces it by its name alone.
IN_FORCE = _pattern(
    r"시행|결재\s*완료|결재본|확정|최종|공고|승인\s*(?:본|완료|됨)|고시|공포|공표|발효|체결|서명\s*(?:본|완료)|날인|발행본|배포본|(?:[(\[_]|^)\s*현행(?![가-힣])",
    r"final(?:i[sz]ed)?|approved|effective|signed|executed|published|official|in[\s_-]*force",
)

# One of many alike that are all true at once: a later one doesn't replace an earlier one. "dated" ones are told apart
# by their day, number or period, those of "parties" by the persons or firms that they bind.
_DATED = _pattern(
    r"회의록|의사록|회의\s*(?:자료|결과)|주간|월간|일일|분기\s*보고|실적|결산|일지(?![가-힣])|주보(?![가-힣])|월보|일보(?![가-힣])|"
    r"인보이스|영수증|급여\s*(?:명세|대장)|거래\s*명세|뉴스레터|소식지|공지|안내\s*메일|보도\s*자료|점검표|청구서|세금\s*계산서|"
    r"정산(?:서|내역)|스프린트|회고|업무\s*보고|출장\s*(?:보고|복명)|의안|일정표|당번표|근무표|식단|지출\s*결의|품의|기안|"
    r"장애\s*보고|송장|발주서|납품|정산(?![가-힣 ])|회차|차시|통권|창간",
    r"invoices?|minutes|weekly|monthly|daily|quarterly|sprint|newsletters?|receipts?|retro(?:spective)?|stand[\s_-]?up|"
    r"post[\s_-]?mortem|incident|purchase[\s_-]*orders?|issue\s*\d+|vol(?:ume)?\s*\d+|agenda|payslips?|timesheets?",
)
# Told apart by the version of what they announce.
_RELEASES = _pattern(
    r"릴리[스즈]|핫\s*픽스|알려진\s*(?:문제|이슈)|(?:패치|버그|빌드|업그레이드)"  # a rule about bugs is none
    r"(?:\s*(?:수정|적용|배포|개선))?\s*(?:노트|내역|이력|공지|결과|목록|사항|정보|안내)?(?=[\s_\-.(\[]*(?:v|\d|$))|(?:변경|수정|개선|업데이트|추가|신규|반영)\s*(?:이력|내역|사항|기능|노트)|"
    r"(?:업데이트|배포)\s*(?:안내|공지|결과|이력|보고|노트)",
    r"releases?|hot[\s_-]?fix(?:es)?|change[\s_-]*logs?|what'?s[\s_-]*new|known[\s_-]*issues?|"
    r"(?:patch(?:es)?|bug[\s_-]?fix(?:es)?|upgrades?|builds?)(?:[\s_-]*(?:notes?|lists?|logs?|history|results?|info))?"
    r"(?=[\s_\-.(\[]*(?:v|\d|$))|"
    r"new[\s_-]*features?",
)
# Something that takes place: with a day in its name it is one of a series.
_EVENTS = _pattern(
    r"회의(?!실)|미팅|인터뷰|면담|간담회|워크[숍샵]|세미나|토론회|설명회|위원회|브리핑|발표|심의|감사|시험|방문|행사|출장|점검|검사|훈련|교육|결과",
    r"meetings?|interviews?|workshops?|seminars?|kick[\s_-]?off|visits?|calls?|committee|briefings?|audits?|tests?",
)
_PARTIES = _pattern(
    r"계약서|협약서|약정서|합의서|각서|서약서|이력서|자기\s*(?:소개|평가)서?|사직서|인수인계서|휴직원|신청서|지원서|동의서|확인서|증명서|위임장|"
    r"의뢰서|요청서(?<!제안요청서)|견적|설문|평가표|시말서|경위서|계약(?![가-힣 ])",
    r"contracts?|agreements?|nda|mou|sow|msa|resume|cv|quot(?:es?|ations?)|application[\s_-]*form|certificates?",
)
# What carries versions of its own, or is written for each version of something: two generations of an API are both
# described as long as both run ...
_PRODUCTS = _pattern(
    r"프로토콜|마이그레이션|호환성|지원\s*종료|벤치마크|성능\s*측정|롤백|회귀\s*(?:시험|테스트)|의존성|패키지|형상|변경\s*요청|배포\s*(?:점검|체크|계획|절차)|"
    r"영향(?:도|평가)?\s*분석|규격|인터페이스|연동|웹\s*훅|약관|요금|회로|도면|부품|설치|사양|스펙|기종|단말|버전별|달라진\s*점|다운로드|"
    r"심사\s*노트|버그|패치|빌드|업그레이드|엔진|모터|스피커|냉매|밸브|어댑터|라우터|셋\s?톱|펌웨어|스키마|"
    r"블루투스|와이파이|윈도우|안드로이드|리눅스|파이썬|자바(?![가-힣])|쿠버네티스|오라클|"
    # ... and of what is made to choose from, or in sets, each is itself: 로고 제안_v1, 모의고사_v2.
    r"로고|광고|문안|카피(?![가-힣])|슬로건|네이밍|캐릭터|배너|포스터|썸네일|콘티|템플릿|모의고사|기출|문제지|시험지|퀴즈|질문지|시나리오|스토리|디자인\s*(?:제안|시안)",
    r"apis?|sdks?|protocols?|migrations?|compatibility|deprecations?|benchmarks?|rollback|regression|dependenc(?:y|ies)|"
    r"packages?|sbom|deploy(?:ment|ed)?|roll[\s_-]?outs?|launch(?:es)?|smoke|change[\s_-]*requests?|go[\s_-]*live|cut[\s_-]*over|interfaces?|web[\s_-]*hooks?|install(?:ation)?|setup|datasheets?|schematics?|pcb|"
    r"circuits?|patch(?:es)?|bug[\s_-]?fix(?:es)?|builds?|upgrades?|downloads?|snmp|nfs|smb|oauth|openid|saml|fhir|hl7|tls|ssl|ipv?|"
    r"http|mqtt|grpc|graphql|usb|cuda|ubuntu|yolo|ios|android|windows|macos|linux|python|java|kotlin|node|react|spring|"
    r"postgres(?:ql)?|mysql|oracle|kubernetes|k8s|docker|bluetooth|wi-?fi|excel|office|terms|pricing|logos?|ads?|banners?|posters?|templates?|surveys?|"
    r"questionnaires?|quiz(?:zes)?|exams?|scenarios?|storyboards?",
)
# ... and what does when its name stands right before the version: 추천모델 v2, 빌드 결과_v3.1, but not 모델 카드_v2.
_VERSIONED = re.compile(
    r"(?:펌웨어|드라이버|플러그인|앱|업데이트|배포|출시|모델|엔진|스키마|데이터\s?셋|시스템|솔루션|서버|클라이언트|제품|결과|목록|"
    r"문제|이슈|"
    + _LATIN.format(
        r"firmware|drivers?|plug-?ins?|apps?|models?|engines?|schemas?|datasets?|"
        r"clients?|servers?|gateways?|hwp|benchmarks?|results?|issues?"
    )
    + r")[\s_\-.(\[]*$",
    re.IGNORECASE,
)
# English words and short forms for what an office writes.
_DOCUMENT = _pattern(
    r"(?!)",
    r"proposals?|plans?|reports?|guides?|guidelines?|manuals?|handbooks?|polic(?:y|ies)|procedures?|process|specs?|"
    r"specifications?|requirements?|designs?|road\s?maps?|run\s?books?|play\s?books?|documents?|docs?|notes?|memos?|"
    r"overview|strateg(?:y|ies)|budgets?|schedules?|wbs|srs|sds|prd|brd|rfp|rfi|sop|sla|faq|readme|presentations?|deck|"
    r"slides?|brief|charter|checklists?|architecture|standards?|rules?|regulations?|tutorials?|analys[ie]s|papers?|"
    r"thesis|stud(?:y|ies)|lists?|matrix|registers?|estimates?|onboarding|wiki|kpi|okr",
)
# Another document made from the same matter.
VARIANT = _pattern(
    r"요약|발췌|영문|국문|한글판?|번역|부록|별첨|붙임|첨부|표지|목차|양식|서식|예시|작성\s*예|대비표|비교|신구|내부용|외부용|고객용|"
    r"관리자용?|사용자용?",
    r"summary|abstract|english|korean|translation|kor?|en|eng|appendix|annex|attachment|cover|template|form|example|diff|"
    r"comparison|internal|external|public|admin|user",
)

# Words for the state of a text with what they weigh in its order: part of the name, not of what it is about.
_STATES: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (weight, re.compile(pattern, re.IGNORECASE))
    for weight, pattern in (
        (
            -2,
            r"구버전|이전(?:본|버전|판)|백업(?:본)?|임시(?:본)?|폐기(?:본)?|(?<![a-z])(?:old|backup|bak|temp|tmp|obsolete)(?![a-z])",
        ),
        (
            -1,
            r"초안|시안|가안|검토(?:본|안|용|중|필|요청)?|의견\s?수렴(?:용|본|안|중)?|개정안|수정안|(?:작성|작업|수정|보완|편집|진행)\s?중|초고|미완성본?|[(\[]안[)\]]|"
            r"(?<=[_\- ])안(?=$|[_\- .(])|(?<![a-z])(?:draft|wip|rc\d*|beta|alpha)(?![a-z])",
        ),
        (
            1,
            r"(?:찐|진짜|레알|최)*최종(?:본|안|판)?|확정(?:본|안)?|시행(?:본|안)?|결재(?:완료|본)|승인(?:본|완료)|공고(?:본|안)?|"
            r"제출(?:본|용)?|완성본|완료본|(?<![a-z])(?:final|approved|signed)(?![a-z])",
        ),
        (
            0.5,
            r"재?수정(?:본|판|완료)?|공유(?:본|용)?|송부(?:본|용)?|회람(?:본|용)?|보완(?:본)?|신버전|최신(?:본|판)?|(?:일부|전부)?개정(?:본|판)?|증보판|"
            r"(?<![a-z])(?:revised|updated|new|latest|clean)(?![a-z])",
        ),
    )
)
# A word ends there, or a counter follows: 최종2, 수정본_3.
_ENDS = r"(?![가-힣])(?:[\s_]?\d{1,2}(?![\d.가-힣]))?"
STATE = re.compile(
    "|".join(f"(?:(?:{pattern.pattern}){_ENDS})" for _, pattern in _STATES),
    re.IGNORECASE,
)
_STRONGER = re.compile(r"찐|진짜|레알|최(?=최)")


def spread(text: str) -> str:
    """Part words that only a capital parts: OrionMOU."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)


def series_of(name: str, dated: bool) -> Series:
    """Return of which kind of series a name is, "" for none; `dated` says whether there is a day in it."""
    if _RELEASES.search(name):
        return "releases"
    if _DATED.search(name) or (dated and _EVENTS.search(name)):
        return "dated"
    return "parties" if _PARTIES.search(name) else ""


def of_a_product(name: str, before: str) -> bool:
    """Tell whether the version that follows the text `before` in a name may be that of a product."""
    return bool(_PRODUCTS.search(name) or _VERSIONED.search(before) or _of_a_latin_name(before))


def _of_a_latin_name(before: str) -> bool:
    """Tell whether Latin words stand right before the version none of which is a document: SNMP_v2, 배치 CUDA v11.

    A writer's name stands off: 기획서_khr_v2.
    """
    if _DOCUMENT.search(before):
        return False
    if re.search(r"[가-힣]", before):
        return re.search(r"(?:^|[\s가-힣])[a-z][a-z\d.+]+\s*$", before, re.IGNORECASE) is not None
    return re.search(r"[a-z]{2}", before, re.IGNORECASE) is not None


def states_in(text: str) -> tuple[str, ...]:
    """Return the words of state in a text, in order and in lower case."""
    return tuple(found[0].lower() for found in STATE.finditer(text))


def rank_of(words: tuple[str, ...]) -> float:
    """Return how far along the words say that a text is: backup -2, draft -1, revised .5, final 1, 진짜최종 2."""
    return sum(_weight(word) for word in words)


def _weight(word: str) -> float:
    weight = next((weight for weight, pattern in _STATES if pattern.match(word)), 0.0)
    counted = re.search(r"\d+", word)
    return weight + len(_STRONGER.findall(word)) + (int(counted[0]) / 100 if counted else 0)
