"""Numbers that a document would take with it: those that nothing covering it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from pipelines.redundancy import Judged
from pipelines.served import Served

# Duplicates whose words are read at once, with those of what covers them.
_READ = 16
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")


def own_numbers(texts: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """Return the numbers of `texts`, as written, that stand nowhere in `others`: 30초 where the others say 60초."""
    known = {_bare(number) for text in others for number in _NUMBER.findall(text)}
    found = (number for text in texts for number in _NUMBER.findall(text))
    return tuple(dict.fromkeys(number for number in found if _bare(number) not in known))


def of_duplicates(
    served: Served, judged: Iterable[Judged], texts_of: Callable[[Sequence[int]], list[str]]
) -> dict[str, tuple[str, ...]]:
    """Compare the numbers of each duplicate with those of all documents that cover it; returns body -> its own.

    texts_of  rows of Served.hashes -> their texts
    """
    place = {body: row for row, body in enumerate(served.bodies)}

    def rows(body: str) -> list[int]:
        passages = served.passages_of(place[body])
        return [int(row) for row in served.hash_of[passages.start : passages.stop]]

    found = {}
    named = [one for one in judged if one.verdict == "duplicate"]
    for start in range(0, len(named), _READ):
        part = {one.body: [body for body, _ in one.by] for one in named[start : start + _READ]}
        wanted = sorted({row for body, others in part.items() for one in (body, *others) for row in rows(one)})
        text = dict(zip(wanted, texts_of(wanted), strict=True))
        for body, others in part.items():
            beside = [text[row] for other in others for row in rows(other)]
            found[body] = own_numbers([text[row] for row in rows(body)], beside)
    return found


def _bare(number: str) -> str:
    """Return a number without the marks that are a matter of taste: 3,200 is 3200, 2026.12.31 is 2026-12-31."""
    return number.replace(",", "").replace(".", "-").replace("/", "-")
