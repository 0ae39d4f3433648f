"""Values that a passage states, in one spelling each, with what they are values of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pipelines.attribute import words
from pipelines.reading import Reading
from pipelines.statements import Statement, plain, statements
from pipelines.value import Value
from pipelines.wording import is_header, is_question

# Part of the key of stored values: a change of any rule here or in the modules that read values must change it.
VALUES_VERSION = "7"


def stated(text: str, heading: str = "") -> list[Value]:
    """Return the values of one passage in order; `heading` is the path over it."""
    return list(_of_passage(plain(text), plain(heading)))


def _of_passage(text: str, heading: str) -> Iterator[Value]:
    from pipelines.tokens import analysed

    said = [one for one in statements(text) if _worth(text, one)]
    if not said:
        return
    labels = list(dict.fromkeys([heading, *(one.label for one in said), *(one.before for one in said)]))
    found = analysed([text[one.start : one.end] for one in said] + labels)
    of_label = {
        label: [word for word, _, _ in words(label, tokens)]
        for label, tokens in zip(labels, found[len(said) :], strict=True)
    }
    group = 0
    for one, tokens in zip(said, found, strict=False):
        for values in Reading(text, one, tokens, of_label, heading).clauses():
            yield from (replace(value, group=group) for value in values)
            group += 1


# What every value has one of; a sentence without any isn't worth Kiwi's time.
_HINT = re.compile(
    r"\d|[십백천만억]\s?[가-힣]|[한두세네석넉열무섯곱덟홉]\s?[가-힣]|매\s?[일주월년달시분반]|말일|익월|"
    r"격[일주월]|하루|이틀|[사나열]흘|보름|일주일|반[년달]|정오|자정|절반|과반|분의|즉시|즉각|지체|당일|익일|다음|영업일|요일|"
    r"필수|필요|의무|선택|임의|권[장고]|허[용가락]|가능|금지|불가|차단|인정|사용|[활비]활?성|적용|지원|켜|"
    r"꺼|중[지단]|승인|반려|[부가]결|거절|보류|완료|"
    r"종료|진행|대기|예정|착수|[유무][료상]|공개|포함|제외|별도|[자수]동|온라인|오프라인|대면|사[전후]|"
    r"[선후]불|지급|과세|면[세제]|휴[무관]|영업|운영|"
    r"수\s?[있없]|야\s?[한합함하]|도\s?[된되됩무]|안\s?[된됩]|생략|[파폐]기|보관|삭제|서면|구두|동기|자율|"
    r"않|못\s?[한합]|[가-힣]니?다[.\s]*$|해결|지연|연기|취소|수락|합격|탈락|채택|통과|기각|현장|출근|예$|[팀부실과][이가에]\s|[팀부실]이?[다입]|법원|담당|소관|부담|[으]?로\s|시행|유효|발효|현행|실효|무효|효력|철회|고정|정액|변동|정률|직접|자체|외주|위탁|경쟁|수의|선착순|추첨|냉[장동]|[상실]온|영구|상시|한시|일시|전자|종이|지면|실명|기명|익명|[정율유]석|전[부량수]|일부|표본|차순|"
    r"(?i:\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|every|once|twice|yes|no|on|off|can|"
    r"may|must|shall)\b|"
    r"ly\b|ed\b|able\b|ible\b|ional\b|ory\b|done|(?:in|by|until|since)\s(?-i:[A-Z])|open|free|paid|public|private|auto|manual|line\b|sync|immediate|at\sonce|same\s|next\s|majority|half\b|thirds?\b|without\b|(?:support|require|allow|permit|include|need)s?\b|"
    r"true|false|active|necess|\b(?:accept|reject|refuse|decline|cover|enable|disable|block|exclude|mandate)s\b|void|fixed|floating|forbid|prohibit|\bban)"
)


def _worth(text: str, one: Statement) -> bool:
    shown = text[one.start : one.end]
    return _HINT.search(shown) is not None and not is_question(shown) and not is_header(shown)
