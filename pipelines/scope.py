"""What sets two values apart that would be one attribute: ordinals, years, parties, environments and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from pipelines.attribute_words import CONTRASTS, MEANS

Scope = tuple[tuple[str, str], ...]

ALTERNATIVES: dict[str, list[tuple[str, str]]] = {}
for _n, _line in enumerate(CONTRASTS.strip().splitlines()):
    for _group in _line.split():
        for _word in _group.split("="):
            ALTERNATIVES.setdefault(MEANS.get(_word, _word), []).append((f"kind{_n}", _group.split("=", 1)[0]))
# While something lasts: 수습기간 중, 휴가 중; of several: 직원 중, 예산 중.
_LASTING_WORDS = """
기간 시간 휴가 휴직 근무 수습 재직 재학 운전 통화 회의 수업 시험 작업 공사 점검 진행 출장 교육 업무 사용 이용 임신 입원
치료 상담 주행 가동 운영 영업 비행 학기 계약 파견 협의 심사 검토 배송 보관 촬영 훈련 행사 방학 체류 이동
"""
_NOT_WHILE = "".join(f"(?<!{word})" for word in _LASTING_WORDS.split())
_SCOPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.VERBOSE | re.IGNORECASE))
    for name, pattern in (
        (
            "year",
            r"""(?<!\d)((?:19|20)\d\d)\s?(?:년도?|학년도|회계연도|FY)(?!\s?\d{1,2}\s?월)
              | (?<!\d)FY\s?(20\d\d) | (?<![\d.,-])(20\d\d)(?=\s[가-힣A-Za-z])""",
        ),
        (
            "relative year",
            r"(올해|금년|당해|내년|작년|전년|지난해|이듬해|this\syear|(?:next|(?:the\s)?following)\s(?:calendar\s)?year|last\syear)",
        ),
        (
            "relative month",
            r"(?<![가-힣])(지난\s?달|전월|이번\s?달|당월|다음\s?달|익월|차월|last\smonth|this\smonth|next\smonth)",
        ),
        (
            "quarter",
            r"([1-4])\s?(?:/4\s?)?분기 | (?<![A-Za-z])Q([1-4])(?!\d) | \b(first|second|third|fourth)[\s-]quarter",
        ),
        ("month", r"(?<![\d.])(1[0-2]|0?[1-9])\s?월(?:분|호|말|초|중)?(?!\s?\d)"),
        ("half", r"([상하])반기"),
        (
            "ordinal",
            r"""(?:제\s?)?(\d+)\s?(?:차(?!례|장|량|선|이)|호(?=\s[가-힣]{2}|[실점선차])|회차|기(?=\s|수|생|[가-힣]{2})|호기|순위|단계(?!로|를|\s?(?:결재|승인)|이다|입니다)|학년|학기|교시|주차|차시|라운드)
              | 제\s?(\d+)\s?(?!조|장|절|항|편|관|호서식)[가-힣] | (?<![가-힣])([일이삼사])차(?![가-힣])
              | (?<![A-Za-z])((?:first|second|third|fourth)(?![\s-]quarter)
                |phase\s?\d+|round\s?\d+|stage\s?\d+)(?![A-Za-z])""",
        ),
        (
            "numbered",
            r"""(?<![\d.,-])(\d{1,3}\s?(?:라인|호선|공장|창고|사업장|사업부|캠퍼스|본부|팀|동|관|심|세대|종)
                (?=은|는|이|가|의|에|을|를|도|과|와|[,:()]|\s(?!이상|이하|이내|까지|규모|운영)[가-힣A-Za-z]))
              | (?<![\d.,-])(\d{1,2}(?:호기|기)(?=[은는의가에,:]|\s)) | (항소심|상고심)""",
        ),
        ("named", r"(?<=[a-z]\s)((?-i:[A-HJ-Z]))(?=\s(?-i:[a-z])|[,.:)]|$)"),
        (
            "code",
            r"""(?<![A-Za-z0-9])((?-i:[A-Z]{1,8})-\d+[A-Z0-9-]*)(?![A-Za-z0-9])
              | (?<![A-Za-z0-9])((?-i:ISO|IEC|IATF|RFC|ASTM|IEEE|KS|JIS|DIN|EN)\s?(?-i:[A-Z]?)\s?\d{2,6})(?![\d.,])
              | (?<![A-Za-z0-9])([AB]\d)(?=\s?(?:용지|사이즈|규격|paper|size))""",
        ),
        (
            "party",
            r"""(?<![A-Za-z가-힣])((?-i:[A-Z])|[갑을병정])(?=\s?(?:사|팀|안|동|조|급|그룹|구역|타입|형|등급|업체|은행|
                지점|프로젝트|상품|코스|반|사업자)(?![가-힣]{3}))
              | (?<=[가-힣]\s)((?-i:[A-Z]))(?=[의은는이가\s,.:)]|$)
              | (?:team|plan|project|company|option|group|type|tier|zone)\s((?-i:[A-Z])|\d)(?![A-Za-z0-9])""",
        ),
        (
            "level",
            r"""(?<![\d.])(\d+)\s?(?:등급|급|레벨|군)(?![가-힣])
              | (?:level|grade|severity|priority|레벨|심각도|우선순위|등급|유형|타입|구역|그룹|
                group|type|zone|옵션|option)
                \s?(\d+)(?![\d.%]|\s?(?:명|개|건))""",
        ),
        ("degree", r"(높음|보통|낮음|매우\s높음|심각|경미)"),
        ("api", r"(?<![A-Za-z])v(\d+)(?=\s?(?:api|엔드포인트|부터|에서|의))"),
        (
            "goal",
            r"목표|계획(?=[은는:])|target|goal|실적|실제|actual|\b(?:came\sto|amounted\sto|totall?ed|took\splace|(?:was|were)\sheld|attended|spent|logged)\b|(?:쓰|이용하|사용하|보유하|근무하|일하|갖|가지|다니|맡)고\s있(?:다|습니다)[.]?\s*$|[가-힣]*[았었였했됐왔갔났샀썼컸봤졌렸](?:다|습니다|음)[.]?\s*$",
        ),
        (
            "whole",
            r"전체|전사|총원|총계|합계|총액|누계|누적|통틀어|합쳐|(?<![가-힣])총(?:\s(?=[가-힣])|(?=사업비|금액|인원|예산|비용|계약|중량|면적|수량|기간))|(?<![A-Za-z])(?:total|overall|altogether)(?![a-z])",
        ),
        (
            "part",
            rf"(?<=[가-힣]){_NOT_WHILE}\s(?:중|가운데)\s(?=[가-힣\d]|\s)|그\s?(?:중|가운데)(?![가-힣])|\sof\swhich\s",
        ),
        (
            "each",
            r"(?<![가-힣\d])(?:1\s?)?(?:일|주|월|년|건|회|인|명|개|대|박|시간)\s?(?:당|마다|별)(?![가-힣])|(?<![가-힣\d])(?:한|1)\s?개의|하나의\s|각각의|개별\s|(?:per|each|every)\s(?:day|week|month|item|person|case)|\b(?:single|individual)\s",
        ),
        ("quota", r"(정원|수용|capacity)"),
        (
            "event",
            r"(어제|지금까지|현재까지|그제|그저께|방금|지난번|지난주|이번(?!에는|\s?(?:달|분기|학기|규정|개정|호|주|년|판))|오늘(?!\s?부터))",
        ),
        (
            "floor",
            r"""(지하\s?\d+|\d+)\s?층(?=\s?[가-힣]{2}|의\s)(?!\s?(?:이상|이하|까지|규모|건물|입니다|이다))
              | (?<![가-힣])(지하)(?=\s(?!\d)[가-힣]{2})""",
        ),
        ("phase", r"(?<=[가-힣])\s?(전|후|이전|이후)(?=까지|에는|에도|에만|에\s|부터|이면|이라면)"),
        ("exception", r"(?:^|[\s,(])(단,|다만|예외적|제외하고|except)"),
    )
)


def scopes(text: str) -> Scope:
    """Return the scopes that a text sets, sorted: (class, name)."""
    found = set()
    for name, pattern in _SCOPES:
        for m in pattern.finditer(text):
            said = next((group for group in m.groups() if group), m[0]).lower().lstrip("0")
            found.add((name, _READ[name](said) if name in _READ else said))
    return tuple(sorted(pair for pair in found if pair[1]))


def _ordinal(said: str) -> str:
    order = {"일": "1", "이": "2", "삼": "3", "사": "4", "first": "1", "second": "2", "third": "3", "fourth": "4"}
    return order.get(said, said.replace(" ", ""))


def _relative_year(said: str) -> str:
    return re.sub(r"^(?:the\s)?(?:next|following)\s(?:calendar\s)?", "next ", said)


_RELATIVE_MONTHS = {"전월": "지난달", "당월": "이번달", "익월": "다음달", "차월": "다음달"}


def _relative_month(said: str) -> str:
    bare = said.replace(" ", "").replace("lastmonth", "전월").replace("thismonth", "당월").replace("nextmonth", "익월")
    return _RELATIVE_MONTHS.get(bare, bare)


def _goal(said: str) -> str:
    """Tell what is aimed at from what was reached: 목표는 60 %, 42 %였다."""
    if said in ("목표", "계획", "target", "goal"):
        return "goal"
    return "" if _SETTLED.match(said) else "fact"


# What is decided holds from then on: 20만 원으로 책정하였다, 8대로 늘렸다.
_SETTLED = re.compile(
    r".*(?:책정|결정|확정|변경|인상|인하|상향|하향|조정|개정|합의|지정|설정|산정|제한|연장|단축|확대|축소)(?:하였|되었|했|됐)"
    r"|(?:늘|줄|올|내|높|낮|바꾸|바꿨|바뀌|바뀐|옮|정하|정했|정해|맞추|맞췄|두었|뒀|줄였|낮췄|높였)"
)


_READ: dict[str, Callable[[str], str]] = {
    "ordinal": _ordinal,
    "quarter": _ordinal,
    "relative year": _relative_year,
    "relative month": _relative_month,
    "numbered": lambda said: {"항소심": "2심", "상고심": "3심"}.get(said, said.replace(" ", "")),
    "goal": _goal,
    "whole": lambda said: "whole",
    "part": lambda said: "part",
    "each": lambda said: "each",
}


def contrasts(words: Iterable[str]) -> Scope:
    """Return which alternatives the words name, sorted: ("kind3", "연결")."""
    return tuple(sorted({found for word in words for found in ALTERNATIVES.get(word, ())}))
