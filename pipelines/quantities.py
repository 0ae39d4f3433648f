"""Quantities in a text: money, durations, percentages, counts, sizes, lengths, versions, bare numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from pipelines.numerals import AMOUNT, DIGITS, NUMBER, canonical, number
from pipelines.units import COUNTED, CURRENCIES, UNIT, UNITS, spelled, unit


@dataclass(frozen=True, slots=True)
class Found:
    """A value where it stands: `start`..`end` in the text, `kind` and canonical `value`.

    bound  "" exactly, "min" and "max" including the value, "over" and "under" without it; a range has two values
    per    what it is counted against: seconds of a period ("604800"), or a thing ("명", "건"); "" for nothing
    """

    kind: str
    value: str
    start: int
    end: int
    bound: str = ""
    per: str = ""


# What may follow a Hangul unit: "3일은" is three days, "3일정" isn't.
AFTER = (
    r"(?![가-힣])|(?=(?:이상|이하|미만|초과|이내|이전|이후|내외|안팎|가량|정도|동안|까지|부터|마다|당|씩|"
    r"간|쯤|안에|안으로|내에|내로|"
    r"내|전|후|뒤|중|임|입니다|이다|이며|이고|이나|이었|이던|였|인|일\s*때|이|가|은|는|을|를|의|에|로|"
    r"으로|과|와|도|만|한도|한정|제한|짜리|"
    r"권|어치|상당|무료|유상|무상|보관|유지|지급|보장|연장|단위|간격|주기|기준|꼴|뿐|밖|다|예요|이에요)(?![가-힣])|"
    r"(?=(?:이상|이하|미만|초과|이내|까지|부터|마다|이며|이고|이나|이었|이던|였|인|이|에서|에|으로|로|의|"
    r"간|간의|당|씩|동안|임|라|보다|만|을|를|은|는|도|과|와|입)[가-힣]{0,4}))"
)
_TILDE = r"\s*(?:[~∼〜–—-]|내지)\s*"
_SCALE = r"(?:\s?(?:thousand|million|billion|k|m|bn)(?![A-Za-z]))?"
_CURRENCY = spelled([word for word in CURRENCIES if word not in ("$", "₩", "￦", "€", "us$")])
_MONEY = re.compile(
    rf"""(?:(?P<low>{AMOUNT}){_TILDE})?(?P<n>{AMOUNT})\s?(?P<unit>백만|천|만|억)?\s?(?P<scale>{_SCALE.strip()})\s?
         (?P<cur>{_CURRENCY})(?:정)?(?![A-Za-z])(?:{AFTER})
      | (?P<sign>US\$|[$₩￦€]|KRW|USD|EUR)\s?(?:(?P<low2>{DIGITS}){_TILDE}[$₩￦€]?)?
        (?P<n2>{AMOUNT})(?P<scale2>{_SCALE})""",
    re.VERBOSE | re.IGNORECASE,
)
# "제3장" and "No. 5" are names, "3분의 2" is a fraction.
_NO_DIGIT = r"(?<![\d.,A-Za-z제])(?<!제\s)(?<!No\.\s)"
_QUANTITY = re.compile(
    rf"{_NO_DIGIT}(?:(?P<low>{DIGITS})\s?(?:{UNIT})?{_TILDE})?(?P<n>{NUMBER})\)?[\s-]?(?:calendar\s)?(?P<unit>{UNIT})(?!의\s?\d)(?:{AFTER})",
    re.IGNORECASE,
)
# 23±2℃: what is aimed at, the tolerance apart.
_TOLERATED = re.compile(
    rf"{_NO_DIGIT}(?P<n>{DIGITS})\s?(?:{UNIT})?\s?(?:±|\+/-)\s?{DIGITS}\s?(?P<unit>{UNIT})(?:{AFTER})", re.IGNORECASE
)
_COMPOUND = re.compile(
    rf"{_NO_DIGIT}(?:(?P<a>{NUMBER})\s?(?P<ua>년|시간|분|hours?|minutes?|years?|hr?s?)\s?(?:and\s)?)"
    rf"(?P<b>{NUMBER})\s?(?P<ub>개월|분|초|minutes?|mins?|seconds?|months?)(?:{AFTER})",
    re.IGNORECASE,
)
_HALF = re.compile(r"(?P<n>\d+|한|두)\s?(?P<u>년|시간|달)\s?반(?![가-힣기])|(?<![가-힣\d])반\s?(?P<one>년|달)")
_HALF_A = re.compile(r"\bhalf[\s-](?:an?[\s-])?(?P<u>hour|day|month|year)\b", re.IGNORECASE)
_DAYS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "열흘": 10, "보름": 15,
    "일주일": 7, "일주간": 7, "fortnight": 14,
}  # fmt: skip
_DAY_WORD = re.compile(rf"(?<![가-힣])(?:{spelled(list(_DAYS))})(?:{AFTER})")
# "2단계 사업" and "3등급 환자" name one of several; how many there are is said of the whole.
_LEVELS = re.compile(
    rf"(?<![\d.제])(?P<n>{NUMBER})\s?(?:개\s?)?(?:단계|등급)(?=(?:으?로|를|을|이다|입니다|이며|체계|제|\s?\(|"
    r"\s?(?:결재|승인|체계|척도|평가|절차|심사|검토)|\s?(?:이상|이하)?[으로의]{0,2}\s?(?:구성|구분|나누|나뉘|분류))(?![가-힣]?\s?(?:승급|승격|상향|하향)))"
)
_VERSION = re.compile(
    rf"""(?<![A-Za-z가-힣])(?P<name>[A-Za-z][A-Za-z.+#]*|안드로이드|자바|파이썬|윈도우?|크롬)\s?(?:버전\s?|version\s?|v\.?\s?)?
        (?P<n>\d+(?:\.\d+)*(?:\.x)?)(?![\d%A-Za-z]|,\d|\s?(?:{UNIT})(?![A-Za-z가-힣]))
      | (?<![\d.])(?P<led>\d+(?:\.\d+)+)\s?버전(?![가-힣]{{2}})
      | (?:버전|version|ver\.?|v)(?:은|는|이|:)?\s?v?(?P<bare>\d+(?:\.\d+)*(?:-[a-z0-9.]+)?)(?![\dA-Za-z])""",
    re.VERBOSE | re.IGNORECASE,
)
# Products whose number is a version. Others ("Section 3", "Table 2") need a dot in it, or are no version.
_PRODUCTS_WORDS = """
tls ssl ios android java jdk python node node.js nodejs windows macos ubuntu centos rhel debian chrome edge
safari firefox http php ruby go golang .net net kotlin swift react vue angular spring django mysql postgresql
postgres mariadb oracle redis kafka kubernetes k8s docker nginx tomcat elasticsearch oauth openapi usb wi-fi
bluetooth 안드로이드 자바 파이썬 윈도 윈도우 크롬 excel office hwp openssl typescript spark hadoop airflow
"""
_PRODUCTS = frozenset(_PRODUCTS_WORDS.split())
_FUNCTION = r"(?:this|was|has|does|its|us|is|as|per|of|in|on|at|and|or|for|to|from|by|after|before|percent|the|an?)\b"
_PHONE = re.compile(r"(?<![\d-])(?:0\d{1,2}|1[568]\d\d)[-.)]\s?\d{3,4}(?:-\d{4})?(?![\d-])")
_BARE = re.compile(
    rf"(?:(?<=[:=])|(?<=[가-힣a-z]\s)|(?<=\sis\s)|(?<=\sto\s)|(?<=\sof\s)|(?<=^))\s*"
    rf"(?P<n>{DIGITS})(?=\s*(?:$|[.;,)|]|(?:번)?(?:이다|입니다|이며|이고|임|으로|로|을|를|까지|"
    rf"(?:이상|이하|미만|초과)(?:이다|입니다|이며|이고|이면|인|일|으로|의|을|은|이|에)?)(?![가-힣])"
    r"|\s(?:or|and|by|per)\s))(?!\.\d|,\d|[.)]\s)",
    re.IGNORECASE,
)
_NOUN = re.compile(
    rf"{_NO_DIGIT}(?P<n>{NUMBER})\s(?:(?!{_FUNCTION})[a-z]+\s){{0,2}}?(?P<unit>(?!{_FUNCTION})[a-z]{{3,}}s)(?![A-Za-z])",
    re.IGNORECASE,
)


# English nouns that rules count, where there is one of them: one approval is enough.
_ONE = re.compile(
    r"\b(?P<n>one|1)\s(?=(?:approval|approver|reviewer|review|signature|replica|backup|quote|device|account|witness)\b)",
    re.IGNORECASE,
)


def quantities(text: str) -> Iterator[Found]:
    """Yield the quantities of a text, possibly overlapping; the earlier yielded one is the better reading."""
    for finder in (
        _phones,
        _terms,
        _speeds,
        _money,
        _tolerated,
        _compounds,
        _levels,
        _guests,
        _quantities,
        _versions,
        _nouns,
        _ones,
        _keyed,
        _bare,
    ):
        yield from finder(text)


def _phones(text: str) -> Iterator[Found]:
    for m in _PHONE.finditer(text):
        yield Found("phone", re.sub(r"\D", "", m[0]), *m.span())


# How long an invoice may wait: net 30, Net-45 days.
_TERMS = re.compile(r"\bnet[\s-](?P<n>\d{1,3})(?:[\s-]days?\b)?(?![\d,%]|\.\d)", re.IGNORECASE)


def _terms(text: str) -> Iterator[Found]:
    for m in _TERMS.finditer(text):
        yield Found("duration:second", canonical(Decimal(m["n"]) * 86400), m.start("n"), m.end(), bound="max")


# 시속 10km, 시속 60킬로
_SPEED = re.compile(rf"시속\s?(?:약\s?)?(?P<n>{DIGITS})\s?(?:km|㎞|킬로미터|킬로)(?:/h)?", re.IGNORECASE)


def _speeds(text: str) -> Iterator[Found]:
    for m in _SPEED.finditer(text):
        value = number(m["n"])
        if value is not None:
            yield Found("speed", canonical(value), *m.span())


def _money(text: str) -> Iterator[Found]:
    for m in _MONEY.finditer(text):
        currency = CURRENCIES[(m["cur"] or m["sign"]).lower()]
        value = number(m["n"] or m["n2"], m["scale"] or m["scale2"] or "")
        if value is None or not _means_amount(m["n"] or m["n2"]):
            continue
        factor = {"백만": 10**6, "천": 10**3, "만": 10**4, "억": 10**8}.get(m["unit"] or "", 1)
        low = m["low"] or m["low2"]
        yield from _ranged(Found(f"money:{currency}", "", *m.span()), low, value, Decimal(factor))


def _means_amount(written: str) -> bool:
    """Tell 삼천 and 만 from the begin of a word: 사원 is an employee, 조원 a member."""
    return re.search(r"\d", written) is not None or written in ("천", "만") or len(written) > 1


def _means_count(written: str, gap: bool, counter: str) -> bool:
    """Tell a number in Hangul from the begin of a word: 구분, 세대, 한편; "한 번에" and "한 가지" count nothing."""
    if re.fullmatch("[일이삼사오육칠팔구십백천만억조]+", written):
        return len(written) > 1 or (gap and written in "십백천만")
    if written == "한" and counter in ("가지", "편", "층", "면", "줄", "채"):
        return False
    return gap or counter in ("달", "번", "명", "개", "시간", "살", "가지", "차례", "주", "개월")


def _ranged(found: Found, low: str | None, value: Decimal, factor: Decimal) -> Iterator[Found]:
    """Yield one value, or the two ends of a range; "1~3천만 원": what follows the second number goes for both."""
    if low is None:
        yield replace(found, value=canonical(value * factor))
        return
    least = number(low)
    if least is not None:
        yield replace(found, value=canonical(least * factor), bound="min")
        yield replace(found, value=canonical(value * factor), bound="max")


def _compounds(text: str) -> Iterator[Found]:
    for m in _COMPOUND.finditer(text):
        (kind, first), (other, second) = unit(m["ua"]), unit(m["ub"])
        a, b = number(m["a"]), number(m["b"])
        if kind == other and a is not None and b is not None:
            yield Found(f"duration:{kind}", canonical(a * first + b * second), *m.span())
    for m in _HALF.finditer(text):
        kind, factor = unit(m["u"] or m["one"])
        whole = number(m["n"]) if m["n"] else Decimal(0)
        half = Decimal(15 * 86400) if (m["u"] or m["one"]) == "달" else factor / 2
        if whole is not None and (kind == "second" or (m["u"] or m["one"]) == "년"):
            yield Found(f"duration:{kind}", canonical(whole * factor + half), *m.span())
        elif m["one"] == "달":
            yield Found("duration:second", canonical(half), *m.span())
    for m in _HALF_A.finditer(text):
        kind, factor = unit(m["u"])
        months = kind == "month" and factor == 1
        length = Decimal(15 * 86400) if months else factor / 2
        yield Found("duration:second" if months else f"duration:{kind}", canonical(length), *m.span())
    for m in _DAY_WORD.finditer(text):
        yield Found("duration:second", canonical(Decimal(_DAYS[m[0]] * 86400)), *m.span())


def _tolerated(text: str) -> Iterator[Found]:
    for m in _TOLERATED.finditer(text):
        value = number(m["n"])
        kind, factor = unit(m["unit"])
        if value is not None:
            kind = f"duration:{kind}" if kind in ("second", "month", "workday") else kind
            yield Found(kind, canonical(value * factor), *m.span())


_NO_COUNT = re.compile(r"에|도|\s?더")
_NTH = re.compile(r"\s?차(?:에|부터|까지|의|\s|$)")
# What ppm is a share of: 불량률 300ppm is 0.03 %.
_OF_FAULTS = re.compile(r"불량|결함|오류|에러|반품|[가-힣]률|defect|failure|fault|error|reject", re.IGNORECASE)
_BELOW_ZERO = re.compile(r"(?:영하|minus|[-−])\s?$")


def _quantities(text: str) -> Iterator[Found]:
    for m in _QUANTITY.finditer(text):
        written, value = m["unit"], number(m["n"])
        hangul = re.fullmatch(r"[가-힣]+", m["n"]) is not None
        gap = " " in text[m.end("n") : m.start("unit")]
        if value is None or (hangul and not (re.fullmatch(COUNTED, written) and _means_count(m["n"], gap, written))):
            continue
        kind, factor = unit(written)
        if written == "번" and m["n"] == "한" and _NO_COUNT.match(text, m.end()):
            continue
        if _NTH.match(text, m.end()):
            continue  # 2개월 차: the second month
        if text.startswith("당", m.end()):
            continue  # 1인당: against what the next number is counted
        if written == "분" and hangul and m["n"] in ("한", "두", "세", "네"):
            kind, factor = "count:명", Decimal(1)  # 두 분: two persons
        if written == "교대" and "조" in m["n"]:
            value = number(re.sub(r".*조", "", m["n"])) or value  # 4조 3교대: four teams
        if written == "년" and 1900 <= value <= 2100:
            continue
        if kind in ("second", "month", "workday"):
            kind = f"duration:{kind}"
        if kind == "concentration" and _OF_FAULTS.search(text, max(0, m.start() - 40), m.start()):
            kind, factor = "percent", Decimal("0.0001")
        if kind == "temperature" and _BELOW_ZERO.search(text, max(0, m.start() - 8), m.start()):
            factor = -factor
        yield from _ranged(Found(kind, "", *m.span()), m["low"], value, factor)


def _levels(text: str) -> Iterator[Found]:
    for m in _LEVELS.finditer(text):
        value = number(m["n"])
        if value is not None:
            yield Found("count:단계", canonical(value), *m.span())


# 150분께: persons, not minutes.
_GUESTS = re.compile(rf"{_NO_DIGIT}(?P<n>{NUMBER})\s?분(?=께|에게|들|을\s?(?:모시|초대|선정|추첨|뽑))")


def _guests(text: str) -> Iterator[Found]:
    for m in _GUESTS.finditer(text):
        value = number(m["n"])
        if value is not None:
            yield Found("count:명", canonical(value), *m.span())


def product_versions(text: str) -> Iterator[Found]:
    """Yield versions of well-known products, which look like dates at times: "TLS 1.1."."""
    for m in _VERSION.finditer(text):
        if (m["name"] or "").lower() in _PRODUCTS and "." in m["n"]:
            yield Found("version", m["n"], m.start("n"), m.end("n"))


def _versions(text: str) -> Iterator[Found]:
    for m in _VERSION.finditer(text):
        name = (m["name"] or "").lower()
        if name in ("v", "ver", "ver.", "version"):
            yield Found("version", m["n"], m.start(), m.end())
        elif name and (name in _PRODUCTS or (re.fullmatch(r"\d+(?:\.\d+){1,3}", m["n"]) and name not in _NO_PRODUCT)):
            yield Found("version", m["n"], m.start("n"), m.end("n"))
        elif m["led"]:
            yield Found("version", m["led"], *m.span())
        elif m["bare"]:
            yield Found("version", m["bare"], *m.span("bare"))


_NO_PRODUCT_WORDS = """
is to of at by in on the a an about section chapter table figure or and from than
"""
_NO_PRODUCT = frozenset(_NO_PRODUCT_WORDS.split())


# What a number after these names is one of several: "severity 2 tickets".
_NAMING = re.compile(
    r"(?:severity|level|priority|phase|tier|class|grade|step|section|등급|레벨|단계)\s?$", re.IGNORECASE
)


_YEAR = re.compile(r"(?:19[5-9]|20[0-4])\d")


def _nouns(text: str) -> Iterator[Found]:
    """English counts of anything: "5 connections", "5 unused vacation days"; the words stay with the attribute."""
    for m in _NOUN.finditer(text):
        value = number(m["n"])
        kind, factor = UNITS.get(m["unit"].lower(), ("count:", Decimal(1)))
        if kind == "count:" and _YEAR.fullmatch(m["n"]):
            continue  # the 2025 sales kickoff
        if value is not None and not _NAMING.search(text, max(0, m.start() - 12), m.start()):
            kind = f"duration:{kind}" if kind in ("second", "month", "workday") else kind
            yield Found(kind, canonical(value * factor), m.start(), m.end("n"))


def _ones(text: str) -> Iterator[Found]:
    for m in _ONE.finditer(text):
        yield Found("count:", "1", *m.span("n"))


# A key of a configuration that names the unit of its number: retention_days=90, timeoutMs: 3000.
_KEYED = re.compile(
    r"(?:[_.\-](?P<unit>ms|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|months?|years?|kb|mb|gb|percent|pct)"
    rf"|(?<=[a-z])(?P<camel>Ms|Secs?|Seconds|Mins?|Minutes|Hours|Days|Weeks|Months|Mb|Gb|Percent))\s?[=:]\s?(?P<n>{DIGITS})(?![\d.A-Za-z가-힣%])"
)


def _keyed(text: str) -> Iterator[Found]:
    for m in _KEYED.finditer(text):
        kind, factor = unit(m["unit"] or m["camel"])
        kind = f"duration:{kind}" if kind in ("second", "month", "workday") else kind
        value = number(m["n"])
        if value is not None:
            yield Found(kind, canonical(value * factor), *m.span("n"))


def _bare(text: str) -> Iterator[Found]:
    for m in _BARE.finditer(text):
        value = number(m["n"])
        if value is not None:
            yield Found("count:", canonical(value), *m.span("n"))
