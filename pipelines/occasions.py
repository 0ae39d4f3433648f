"""Days that only say which occasion is told of: 3월 4일 총무팀 회의: 참석자 6명."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.quantities import Found

# A noun of what takes place once on a day, and tells its figures.
_OCCASION = re.compile(
    r"\s(?:[가-힣A-Za-z]+\s){0,3}?[가-힣A-Za-z]*(?:회의|회의록|간담회|미팅|보고|보고서|점검|행사|세미나|워크숍|교육|설명회|총회|이사회|감사|"
    r"훈련|면담|측정|검사|시험|결산|정산|회차|모임|실사|조사|장애|사고|배포|작업|방문|출장|meeting|minutes|report|review|workshop|"
    r"training|inspection|audit|outage|incident|session|release)(?![가-힣]*일)",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"(?:meeting|minutes|report|review|workshop|training|inspection|audit|outage|session)\s(?:of|on)\s$", re.IGNORECASE
)


def occasion(shown: str, found: Sequence[Found]) -> Found | None:
    """Return the date of a statement that only names the occasion of its other values, None when there is none."""
    dates = [value for value in found if value.kind == "date"]
    if len(dates) != 1 or len(found) < 2 or dates[0].bound or "?" in dates[0].value.split("-", 1)[1]:
        return None
    date = dates[0]
    named = _OCCASION.match(shown, date.end) or _FOR.search(shown, max(0, date.start - 24), date.start)
    return date if named else None


def day_of(date: Found) -> str:
    """Return month and day of a date, without its year: one side may leave it out."""
    return date.value.split("-", 1)[1].rstrip("/")
