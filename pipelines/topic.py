"""What a clause speaks of: the noun phrase that its first particle of subject or topic ends."""

from __future__ import annotations

import re

from pipelines.attribute import fold

# 계약 보증금은, 영업 1팀이: a phrase of at most six words.
_TOPIC = re.compile(r"^(?P<phrase>(?:[^\s,.;:()|]+\s){0,5}?[^\s,.;:()|]*[가-힣A-Za-z)])(?:은|는|이|가)\s")
_GENITIVE = re.compile("(?<=[가-힣]{2})(?:의|에서|에|으로|로|을|를)$")


def topic(clause: str) -> tuple[str, ...]:
    """Return the folded words of a Korean clause's topic, without particles; () where no particle ends one."""
    m = _TOPIC.match(clause)
    if m is None:
        return ()
    return tuple(fold(_GENITIVE.sub("", word)) for word in m["phrase"].split())


def two_of_one_head(a: str, b: str) -> bool:
    """Tell whether two clauses speak of one head with modifiers that share no letter: 계약 보증금은, 하자 보증금은."""
    mine, yours = topic(a), topic(b)
    if len(mine) < 2 or len(yours) < 2 or mine[-1] != yours[-1]:
        return False
    one, other = {*mine[:-1]} - {*yours}, {*yours[:-1]} - {*mine}
    return bool(one and other) and not {*"".join(one)} & {*"".join(other)}
