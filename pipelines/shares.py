"""Shares of a whole that aren't written in percent: fractions, majorities, ratios of two that are ten or a hundred."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.numerals import canonical, number
from pipelines.quantities import Found

_FRACTION = re.compile(
    r"(?<![\d.])(?P<b>\d+(?:,\d{3})*|[이삼사오육칠팔구십백천만]{1,2})\s?분의\s?(?P<a>\d+(?:\.\d+)?|[일이삼사오육칠팔구])(?![가-힣]*분)"
    r"|(?<![\d/.])(?P<c>\d)/(?P<d>\d|1,?000?)(?![\d/])|절반"
    r"|\b(?P<e>one|two|three)[\s-](?P<f>half|thirds?|quarters?|fourths?|fifths?)\b|\bhalf\sof\b",
    re.IGNORECASE,
)
_BELOW = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5}
# More than half of those who vote.
_MAJORITY = re.compile(r"과반수?(?![가-힣]*하)|\b(?:simple\s)?majority\b", re.IGNORECASE)
# All of a cost, where someone bears it or gets it back.
_IN_FULL = re.compile(r"전액(?=(?:을|은|이)?\s?(?:[가-힣]+[이가은는에]\s)?(?:지원|부담|환불|환급|보상|지급|보전|배상))")
_RATIO = re.compile(r"(?<![\d:.])(?P<a>\d{1,2})\s?(?::|대)\s?(?P<b>\d{1,2})(?![\d:.,]|\s?[년월일시분명])")


def shares(text: str) -> Iterator[Found]:
    """Yield the shares of a text as percentages; both of a ratio, at one place."""
    for m in _FRACTION.finditer(text):
        below = _BELOW.get((m["f"] or "").lower().rstrip("s")) or number(m["b"] or m["d"] or "2")
        above = number(m["a"] or m["c"] or m["e"] or "1")
        if above is not None and below and above < below:
            yield Found("percent", canonical(round(100 * above / below, 4)), *m.span())
    for m in _MAJORITY.finditer(text):
        yield Found("percent", "50", *m.span(), bound="over")
    for m in _IN_FULL.finditer(text):
        yield Found("percent", "100", *m.span())
    for m in _RATIO.finditer(text):
        one, other = int(m["a"]), int(m["b"])
        if one + other in (10, 100):
            for part in (one, other):
                yield Found("percent", str(part * 100 // (one + other)), *m.span())
