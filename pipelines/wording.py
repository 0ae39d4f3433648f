"""How a value is meant: at least or at most, before or after, once or now, for example or in earnest."""

from __future__ import annotations

import re

from pipelines.quantities import Found

_AFTER: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (bound, re.compile(rf"\s?(?:\([^)]{{0,20}}\)\s?)?(?:{pattern})", re.IGNORECASE))
    for bound, pattern in (
        (
            "max",
            r"(?:을|를)?\s?(?:초과|넘)(?:하|을|지|어|기|할)?\s?(?:지\s)?(?:수\s?없|않|못|아니|"
            r"서는\s?(?:안|아니))",
        ),
        ("max", r"(?:이|을|를)?\s?(?:지나|지난|경과|넘)\S*\s.*(?:없|불가|안\s)"),
        ("min", r"미만(?:은|이|으로|인|일)?\s?(?:경우)?\s?(?:수\s?없|불가|안\s?된|안\s?됩|금지|허용하지)"),
        ("min", r"\s?미만(?:이면|일\s때|[은인])?[^.]{0,24}(?:수\s?없|불가|안\s?된|안\s?됩)"),
        (
            "max",
            r"(?:[을를이가])?\s?(?:초과하면|넘으면)[^.]{0,22}(?:수\s?없|불가|안\s?된|안\s?됩|실패|불합격|반려|거절|탈락|부적합|무효)",
        ),
        (
            "min",
            r"의\s(?:[가-힣]+\s)?(?:승인|동의|서명|확인|검토|추천|결재|날인)[을를이가]?\s?(?:있어야|받아야|얻어야|거쳐야|필요)",
        ),
        ("min", r"(?:\w+\s)?(?:이상|or\smore|or\slonger|or\sabove|at\s(?:the\s)?least|or\slater|\+)"),
        (
            "max",
            r"(?:\w+\s)?(?:이하|이내|내(?:에|로)?(?![가-힣])|안에|안으로|or\sless|or\sfewer|or\sbelow|"
            r"한도|한(?:\)|$)|까지|max)",
        ),
        ("under", r"미만"),
        ("over", r"(?:을|를)?\s?초과|(?:을|를)\s?넘"),
        ("min", r"[을를]\s?(?:넘지|채우지|충족하지)\s?(?:못하면|않으면|못할|못한)"),
        ("min", r"(?:[을를이가]\s?)?(?:채워야|채우면|넘어야|넘겨야|돼야|되어야|달성해야|충족해야)"),
        ("min", r"부터|from\snow|에\s(?:문을\s)?(?:열|연|엽|여는|개[장점관]|오픈|시작|들어[오와]|출근)"),
        ("max", r"에\s(?:문을\s)?(?:닫|폐[장점관]|마감|끝|마치|마칩|나[가갑간]|퇴근|종료)"),
        ("max", r"(?:을|를|만)?\s?(?:[가-힣]+\s){0,2}[가-힣]*\s?(?:수\s있|허용|가능)"),
    )
)
_BEFORE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (bound, re.compile(rf"(?:{pattern})\s*(?:약|총|각|of|is|are|:|=|은|는)?\s*$", re.IGNORECASE))
    for bound, pattern in (
        (
            "max",
            r"최대|최장|최고|늦어도|상한|한도|at\smost|up\sto|(?:no|not)\s(?:more|longer|later)\sthan|"
            r"(?:not|never)\s(?:to\s)?(?:exceed(?:ing)?|beyond|above|over)|maximum|max\.?|within|≤|<=|until|through|before|by|limit(?:ed)?\sto|"
            r"allowed|capped\sat|ceiling\sof|closes?\sat",
        ),
        (
            "min",
            r"최소|최소한|적어도|최저|최단|하한|at\s(?:the\s)?least|minimum|min\.?|(?:no|not)\s(?:less|"
            r"fewer|shorter|earlier)\sthan|≥|>=|from|since|starting|opens?\sat",
        ),
        ("under", r"less\sthan|fewer\sthan|under|below|shorter\sthan|<"),
        ("over", r"more\sthan|greater\sthan|(?<!carry\s)over|above|exceeding|exceeds|longer\sthan|>"),
    )
)
# 최소 10명이 있어야 설립할 수 있다: said before the number, it goes before what is said after it.
_LEAST = re.compile(
    r"(?:최소(?:한)?|적어도|at\s(?:the\s)?least|no\s(?:less|fewer)\sthan)\s*(?:약|총|각)?\s*$", re.IGNORECASE
)
_LIMIT = re.compile(
    r"(?<![파폐포연])기한|한도|상한|정원|수용|제한|타임\s?아웃|마감|납기|limit|time-?out|capacity|deadline|max",
    re.IGNORECASE,
)
_PAST_WORD = re.compile(
    r"종전|기존(?=\s*(?:에는|에|엔|의|값|은|:|\d))|개정\s?전|변경\s?전|조정\s?전|인상\s?전|예전|이전에는|"
    r"이전에|이전\s(?:기준|버전|규정|값)|과거|당초|원래|애초|"
    r"(?:지난해|작년|전년)까지|formerly|previous(?:ly)?|used\sto|originally|was\sonce|in\sthe\spast|"
    r"\bold\b|before\sthe\schange|구\s?(?:규정|지침|기준|버전)",
    re.IGNORECASE,
)
_NOW_WORD = re.compile(
    r"현재|현행|지금|이제|개정\s?후|변경\s?후|조정\s?후|신규|부터는|now|currently|today", re.IGNORECASE
)
_PAST_ENDING = re.compile(
    r"[았었였했됐왔]\s?(?:으나|지만|는데|던|다가|고)|(?:이던|하던|되던|였던)|\bwas\b[^.]*\bbut\b|\bwere\b[^.]*\bbut\b"
)
_CHANGED_TO = re.compile(
    r"\s?(?:\w{0,6}\s?)?(?:에서|→|⇒|->|=>|to\s)(?!\s?(?:제공|근무|진행|개최|열|접수|신청|확인|처리))", re.IGNORECASE
)
_CHANGE = re.compile(
    r"변경|증액|감액|증원|감원|개편|상향|하향|조정|인상|인하|연장|단축|축소|확대|늘|줄|개정|올|내리|낮|높|"
    r"바뀌|바꾸|수정|전환|→|⇒|->|increas|reduc|rais|lower|chang|extend|cut",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"예를\s?들(?:어|면)|예컨대|가령|예\s?[:)]|\(예\b|예시\s?[:)]|\be\.?g\.?[\s,:]|\bfor\s(?:example|"
    r"instance)|\bsuch\sas|만약|가정하면|라고\s?하면|(?<!이하)(?<!이내)(?<!이상이)(?<!미만이)(?<!초과)라면",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\s?(?:이상|이하|미만|초과|이내|까지)?\s?(?:인|의|이면|일\s?때|일\s?경우|시(?![가-힣])|하는|"
    r"할\s?(?:때|경우)|하면|한\s|되면|면(?=[\s,])|을\s?넘|를\s?넘|의\s?경우|경우|마다|경과|"
    r"(?:이상|이하|미만|초과)\s[가-힣\s]{2,}(?:은|는|이|가|의|에게|에는)\s|[이가]?\s?(?:지나|경과하|되)면|이\s?지나)",
)
_VALUE_FOLLOWS = re.compile(
    r"\s?(?:$|[.,;)\]|~∼–-]|까지|부터|에(?![가-힣])|에는|이다|이며|이고|입니다|임|로|으로|이내|중|말|초|"
    r"경|쯤|전|후|예정|마감|완료|종료|시행|출시|오픈|"
    r"배포|적용|개시|시작|도입|개통|준공|납품|지급|발표|개최|이전|이후|is|at|for|\()"
)


_RELATIVE = re.compile(
    r"\s?(?:씩\s)?(?:더|덜|만큼(?=\s(?:더|덜|늘|줄|오르|올|내리|내려|높|낮|길|짧)))\s|(?:을|를|이|가|은|는|만)?\s?(?:추가로\s)?(?:늘|줄|증가|감소|오르|올랐|"
    r"내리|내려|상승|하락|깎|적습|적다|많습|많다|빠르|늦)",
)
_DENIED = re.compile(r"[이가]?\s?아(?:니라|닌|니고)(?![가-힣]*\s?도)|,?\s(?:not\s)?instead\sof")


def is_denied(shown: str, value: Found) -> bool:
    """Tell whether a value is named only to say that it isn't that: 30일이 아니라 60일."""
    return bool(_DENIED.match(shown, value.end))


_QUESTION = re.compile(r"\?\s*$|(?:는지|은지|을지|할지|될지|나요|까요|ㄹ까|습니까|건가요|ㄴ가요|인가요)(?:$|[\s.,])")
_NAMING = re.compile(
    r"(?:번호|코드|순번|순위|아이디|식별자|\bID\b|\bNo\b\.?|선행|버전)\s?[:=]?\s*(?:은|는|이)?\s*$", re.IGNORECASE
)
# "v1 API는 ...": which one is meant.
_OF_VERSION = re.compile(
    r"\s?(?:API|엔드포인트|endpoint|버전[은의이에]|클라이언트|앱|서버|문서|규격)"
    r"|\s(?:supports?|requires?|adds?|introduces?|includes?|fixes|removes?|drops?|allows?|users?)\b",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\s*(?:Date|Sent|From|To|Cc|Received|보낸\s?날짜|보낸\s?사람|받는\s?사람|참조)\s?:", re.IGNORECASE
)


def is_relative(shown: str, value: Found) -> bool:
    """Tell whether a value says by how much something differs: 30만 원 내려갑니다, 1.4 GB를 더 쓴다."""
    return not value.kind.startswith(("state", "date", "time")) and bool(_RELATIVE.match(shown, value.end))


def is_question(shown: str) -> bool:
    """Tell whether a sentence asks: what it names isn't stated."""
    return bool(_QUESTION.search(shown))


def is_header(shown: str) -> bool:
    """Tell whether a line is one of a mail's head."""
    return bool(_HEADER.match(shown))


def is_name(shown: str, value: Found, label: str) -> bool:
    """Tell whether a bare number only names something: 번호: 3.2."""
    if value.kind == "floor":
        return bool(re.match(r"\s?[가-힣]{2,}|의\s", shown[value.end :])) and not bound_of(shown, value, label)
    if value.kind == "version":
        return bool(_OF_VERSION.match(shown, value.end))
    if value.kind != "count:":
        return False
    lead = shown[: value.start] if shown[: value.start].strip() else label
    return bool(_NAMING.search(lead))


def bound_of(shown: str, value: Found, label: str) -> str:
    """Return the bound that the words around a value, or its label, give it."""
    after, before = shown[value.end : value.end + 30], shown[max(0, value.start - 24) : value.start]
    if _LEAST.search(before):
        return _moment("min", value)
    for bound, pattern in _AFTER:
        if pattern.match(after):
            return _moment(bound, value)
    for bound, pattern in _BEFORE:
        if pattern.search(before):
            return _moment(bound, value)
    limited = value.kind.startswith(("duration", "money", "count", "size")) and _LIMIT.search(f"{label} {shown}")
    return "max" if limited else ""


def _moment(bound: str, value: Found) -> str:
    """Return the bound of a moment: from then on, or until then."""
    if value.kind in ("date", "time", "weekday", "monthday"):
        return {"over": "min", "under": "max"}.get(bound, bound)
    return bound


def is_past(shown: str, value: Found, start: int, end: int) -> bool:
    """Tell whether a value of the clause `start`..`end` held once: 종전 30초, 30초였으나, 30초에서 60초로 변경."""
    lead, tail = shown[start : value.start], shown[value.end : min(len(shown), value.end + 40)]
    words = list(_PAST_WORD.finditer(lead))
    if (
        words
        and not _NOW_WORD.search(lead[words[-1].end() :])
        and not re.search(r"\d\D+에서\s|\bto\b|→|->", lead[words[-1].end() :])
    ):
        return True
    if _PAST_ENDING.search(shown[value.end : end][:24]):
        return True
    changed = _CHANGED_TO.match(tail)
    return bool(
        changed and re.search(r"\d|[가-힣]", tail[changed.end() :]) and _CHANGE.search(tail + shown[end : end + 40])
    )


def is_example(shown: str, value: Found) -> bool:
    """Tell whether a value only illustrates: what follows "예를 들어" in its sentence or brackets."""
    for m in _EXAMPLE.finditer(shown):
        opened = shown.rfind("(", 0, m.end())
        closed = shown.find(")", opened) if opened >= m.start() - 2 and opened >= 0 else len(shown)
        if m.start() <= value.start < (closed if closed >= 0 else len(shown)):
            return True
        if m[0] in ("라고 하면", "라면") and value.end <= m.start() <= value.end + 10:
            return True
    return False


def is_condition(shown: str, value: Found) -> bool:
    """Tell whether a value says when something holds: 10명 이상인 경우, 5일을 초과하면."""
    after = shown[value.end : value.end + 16]
    if re.match(r"\s?(?:을|를)?\s?(?:초과|넘)\S{0,2}\s?(?:지\s)?(?:않|못|아니)", after):
        return False
    if after.startswith("의 ") and value.kind != "count:명":
        return False  # 5,500원의 식권
    if re.match(
        r"\s?(?:이상\s?)?(?:근속|재직|근무)(?:자|한\s|\s?(?:직원|사원|임직원))", after
    ) and value.kind.startswith("duration"):
        return True  # 10년 근속자에게
    return bool(_CONDITION.match(after)) and not re.match(r"\s?(?:이상|이하|미만|초과|이내|까지)?\s?의무", after)


# A sentence that tells of an event ends within so many characters; read further, a long list costs its square.
_NEAR_END = 160


def is_event_span(shown: str, value: Found, label: str) -> bool:
    """Tell whether a month, quarter or year only says which one is meant: "9월 매출", "2026년 예산"."""
    if value.kind == "date" and re.match(r"\s?(?:기준|현재(?!까지))", shown[value.end :]):
        return True  # as it was then
    if (
        value.kind == "date"
        and re.search(r"\([^()]*,\s*$", shown[: value.start])
        and shown[value.end :].startswith(")")
    ):
        return True  # (who, when)
    if (
        value.kind == "date"
        and re.match(r"[^.]*\d[^.]*[았었였했됐]다", shown[value.end : value.end + _NEAR_END])
        and "?" in value.value.split("-")[2]
    ):
        return True  # 1분기에는 120곳 늘었다
    if value.kind != "date" or not value.value.split("/")[0].endswith("-?"):
        return False
    if label and not shown[: value.start].strip():
        return bool(shown[value.end :].strip(" .") and not _VALUE_FOLLOWS.match(shown[value.end :]))
    if (
        value.value.split("-", 1)[1].startswith("?-?/")
        and not re.match(r"\s?(?:까지|부터|에\s|에는|이다|예정|로\s|$)", shown[value.end :])
        and "Q" not in value.value
        and "H" not in value.value
    ):
        return not re.search(r"[:=]\s?$", shown[: value.start])
    return not _VALUE_FOLLOWS.match(shown[value.end :])
