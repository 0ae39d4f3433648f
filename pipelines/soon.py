"""How soon something is due where no number says it: at once, the same day, the next day, the next working day."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.quantities import Found

# What follows where something is due then: 당일까지, 당일 오전, 다음 날 지급, 당일 비활성화한다.
_DUE = (
    r"(?=까지|에(?![가-힣])|\s?(?:오[전후]|중|내|안에)|\s?\d"
    r"|\s?(?:처리|발송|출고|회신|답변|보고|배송|완료|통보|마감|지급|입금|반납|제출)"
    r"|\s?[가-힣]{2,5}(?:한다|합니다|하고|하며|해야|된다|됩니다|되며|시킨다))"
)
_SOON = re.compile(
    rf"""(?<![가-힣])(?:(?P<work>(?:익|다음\s?|차기\s?)영업일){_DUE}
      | (?P<next>익일|다음\s?날|이튿날|내일){_DUE}
      | (?P<same>당일){_DUE}
      | (?P<since>당일|즉시)(?:부터)
      | (?P<before>전날|전일)(?=\s?(?:\S{{1,6}}\s?)?까지)
      | (?P<once>즉시|즉각|지체\s?없이|곧바로)(?!성|[가-힣]{{0,2}}\s?(?:출금|할인)))
      | \b(?:(?P<nextwork>(?:the\s)?next\s(?:business|working)\sday)|(?P<nextday>(?:the\s)?(?:next|following)\sday)
      |(?P<sameday>(?:the\s)?same\s(?:business\s|working\s)?day)|(?P<now>immediately|at\sonce|right\saway|without\sdelay))\b""",
    re.VERBOSE | re.IGNORECASE,
)


def soon(text: str) -> Iterator[Found]:
    """Yield how soon something is due, as a duration of no or one day."""
    for m in _SOON.finditer(text):
        said = m.lastgroup or ""
        if said in ("work", "nextwork"):
            yield Found("duration:workday", "1", *m.span(), bound="max")
        else:
            day = said in ("next", "nextday", "before")
            yield Found("duration:second", "86400" if day else "0", *m.span(), bound="" if said == "since" else "max")
