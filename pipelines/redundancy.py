"""Which documents add nothing of their own, because their passages stand in others."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pipelines.covers import PARTIAL, Covers, holders
from pipelines.findings import AHEAD
from pipelines.review import Answer
from pipelines.served import Served

Verdict = Literal["duplicate", "partial", "new"]

# DESIGN section 7.
DUPLICATE = 0.9
# Documents remembered that hold one passage: enough to name who covers, whatever a form's boilerplate stands in.
_HOLDERS = 32
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Facts:
    """What decides besides the words. `moment`: of its own clock, else the file's; `answer`: what a person said."""

    moment: datetime
    answer: Answer | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A covered passage and what covers it, both as places in Served.chunk_ids; the cosine is None by words alone."""

    passage: int
    by: int
    cosine: float | None
    containment: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A document's verdict. `by`: who covers how many passages, most first; `pairs`: one a covered passage, the least
    alike first.
    """

    body: str
    verdict: Verdict
    passages: int
    by: tuple[tuple[str, int], ...]
    pairs: tuple[Pair, ...]

    @property
    def share(self) -> float:
        """Return the covered share of the passages."""
        return len(self.pairs) / self.passages if self.passages else 0.0


def judge(served: Served, covers: Covers, facts: Mapping[str, Facts]) -> list[Judged]:
    """Judge every body in `facts`, those that `find_covers` reached; sorted by body.

    Of bodies that cover each other one is named: a body counts as covered only by bodies that stay. Those come first
    that no others cover wholly, then those that a person said stay, then the rest, newer before older, longer before
    shorter; each stays unless the ones before it make it a duplicate. So what is named can leave all at once, and each
    of its passages still stands in a document that stays.
    """
    return sorted(_Judge(served, covers, facts).all(), key=lambda judged: judged.body)


def moment(modified_at: datetime | None, mtime_ns: int, now: datetime) -> datetime:
    """Return a document's own time, else its file's; one that runs ahead counts as the oldest."""
    found = modified_at or datetime.fromtimestamp(mtime_ns / 1e9, UTC)
    return _LONG_AGO if found > now + AHEAD else found


class _Judge:
    def __init__(self, served: Served, covers: Covers, facts: Mapping[str, Facts]) -> None:
        self._served = served
        self._covers = covers
        self._facts = facts
        self._passages = {n: served.passages_of(n) for n, body in enumerate(served.bodies) if body in facts}
        self._holders = holders(served)
        self._staying: dict[int, list[int]] = defaultdict(list)  # text -> bodies that stay and hold it

    def all(self) -> Iterator[Judged]:
        for body in self._ordered():
            judged = self._judged(body)
            answer = self._facts[judged.body].answer
            if answer == "reject" or (judged.verdict != "duplicate" and answer != "accept"):
                self._stays(body)
            yield judged

    def _ordered(self) -> list[int]:
        shares = {body: self._share(body) for body in self._passages}

        def key(body: int) -> tuple[int, float, float, int, str]:
            facts, share = self._facts[self._served.bodies[body]], shares[body]
            whole = share >= DUPLICATE
            rank = {"accept": 3, "reject": 1, None: 2}[facts.answer] if whole or facts.answer == "accept" else 0
            newest = -facts.moment.timestamp()
            return rank, 0.0 if whole else share, newest, -len(self._passages[body]), self._served.bodies[body]

        return sorted(self._passages, key=key)

    def _share(self, body: int) -> float:
        """Return the share of a body's passages that any other body covers."""
        own = [int(text) for text in self._texts(body)]
        held = set(own)

        def elsewhere(text: int) -> bool:
            return bool(self._holders[text] > (text in held))

        covered = sum(elsewhere(text) or any(elsewhere(by) for by, _, _ in self._covers.of(text)) for text in own)
        return covered / len(own) if own else 0.0

    def _texts(self, body: int) -> list[int]:
        passages = self._passages[body]
        texts: list[int] = self._served.hash_of[passages.start : passages.stop].tolist()
        return texts

    def _stays(self, body: int) -> None:
        for text in dict.fromkeys(self._texts(body)):
            if len(self._staying[text]) < _HOLDERS:
                self._staying[text].append(body)

    def _judged(self, body: int) -> Judged:
        options = [self._options(text) for text in self._texts(body)]
        holders = Counter(holder for found in options for holder in found)
        named: Counter[int] = Counter()
        pairs = []
        for passage, found in zip(self._passages[body], options, strict=True):
            if found:
                holder = min(found, key=lambda one: (-holders[one], self._served.bodies[one]))
                named[holder] += 1
                pairs.append(self._pair(passage, holder, *found[holder]))
        share = len(pairs) / len(options) if options else 0.0
        verdict: Verdict = "duplicate" if share >= DUPLICATE else "partial" if share >= PARTIAL else "new"
        by = sorted(((self._served.bodies[one], count) for one, count in named.items()), key=lambda b: (-b[1], b[0]))
        pairs.sort(key=lambda pair: (pair.containment, pair.passage))
        return Judged(self._served.bodies[body], verdict, len(options), tuple(by), tuple(pairs))

    def _options(self, text: int) -> dict[int, tuple[int, float, float]]:
        """Return body that stays -> its text that covers this one best, cosine and containment."""
        found: dict[int, tuple[int, float, float]] = dict.fromkeys(self._staying.get(text, ()), (text, 1.0, 1.0))
        for by, cosine, containment in self._covers.of(text):
            for body in self._staying.get(by, ()):
                if body not in found or found[body][2] < containment:
                    found[body] = by, cosine, containment
        return found

    def _pair(self, passage: int, holder: int, text: int, cosine: float, containment: float) -> Pair:
        by = self._passages[holder][self._texts(holder).index(text)]
        return Pair(passage, by, None if math.isnan(cosine) else cosine, containment)
