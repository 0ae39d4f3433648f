"""Which steps of an undertaking a clause names: two of them have each a day of their own."""

from __future__ import annotations

import re

# step -> how it is called. Until when (마감, due) is said of any step, and a meeting may be where it is said.
_STEPS: dict[str, str] = {
    "submission": r"접수|신청|제출|응모|지원서|투고|모집|submission|submi(?:t|ts|tted)\b|application|\bappl(?:y|ies)\b|"
    "registration",
    "briefing": r"설명회|오리엔테이션|briefing|orientation|information\ssession",
    "announcement": r"발표|공고|announce",
    "review": r"심사|평가|심의|면접|evaluation|\binterviews?\b",
    "start": r"착수|개시|시작|착공|출범|개장|개통|입사|개강|개학|개막|kick-?off|\b(?:starts?|begins?|opens?|opening)\b",
    "end": r"종료|준공|완료|완공|종강|폐회|퇴사|폐막|만료|\b(?:ends?|expir[a-z]+)\b",
    "delivery": r"납품|인도|배송|출고|입고|deliver|\bship",
    "acceptance": r"검수|시험|테스트|acceptance|\btest",
    "payment": r"지급|납부|입금|정산|결제|잔금|중도금|payment|\bpaid\b|\bpay\b|invoice",
    "repeal": r"폐지|실효|repeal|abolish|retire|sunset",
    "force": r"시행|발효|effective|comes?\sinto\sforce|takes?\seffect",
    "release": r"배포|출시|릴리스|공개|release|launch|go-?live|rollout",
    "contract": r"계약|체결|서명|signing|signed|contract",
    "design": r"설계|디자인|design",
    "move": r"이사|이전|move|relocat",
    "freeze": r"동결|freeze",
}
_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _STEPS.items())


def milestones(clause: str) -> frozenset[str]:
    """Return the steps that a clause names."""
    return frozenset(name for name, pattern in _PATTERNS if pattern.search(clause))


def two_milestones(a: str, b: str) -> bool:
    """Tell whether each of two clauses names a step that the other doesn't, and both none."""
    mine, yours = milestones(a), milestones(b)
    return bool(mine and yours) and mine.isdisjoint(yours)
