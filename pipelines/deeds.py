"""Whether a clause says that something is done, or that it isn't: 상담한다, 상담하지 않는다."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipelines.quantities import Found

_DENIED = re.compile(
    r"지(?:는|도)?\s?(?:않|아니)(?:는다|습니다|음|으며|고|는데|으나|지만|하며|한다|하고)[.!\s]*$"
    r"|(?<![가-힣])(?:안|못)\s?(?:한다|합니다|된다|됩니다)[.!\s]*$"
)
_DONE = re.compile(r"(?:[ᆫ는]다|[가-힣]다|니다)[.!\s]*$")
# Auxiliaries, copulas and light nouns say something else of it: 할 수 있다, 하는 것이다.
_OTHERS = ("VX", "VCP", "VCN", "VA", "NNB")
_VERBS = ("VV", "XSV")


def deeds(clause: str, tokens: Sequence[tuple[str, str, int, int]]) -> Iterator[Found]:
    """Yield whether what a clause ends with is done, from the end of its verb's stem on; nothing of the past."""
    verb = next((n for n in range(len(tokens) - 1, -1, -1) if tokens[n][1].startswith(_VERBS)), None)
    if verb is None:
        return
    _, tag, start, end = tokens[verb]
    place = start if tag == "XSV" else end
    stop = len(clause.rstrip(" .。!"))
    if any(token[1] == "EP" for token in tokens[verb:]) or place >= stop:
        return
    if _DENIED.search(clause, place - 1 if place else 0):
        yield Found("state:deed", "not done", place, stop)
    elif _DONE.search(clause, place) and not any(token[1] in _OTHERS for token in tokens[verb:]):
        yield Found("state:deed", "done", place, stop)
