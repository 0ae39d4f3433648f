"""A year of events, drawn from a seed: what each does to the folders, and what must be told of it."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

from office import FOLDERS, LIBRARY, Fact, asking, page, unrelated
from truth import Truth

Act = Callable[[], None]
# Pages that repeat the question stand before the answer: one more than a person reads.
NEAR = 6
# An answer that erodes is edited every second night.
_ERODED, _EDITED_EVERY = 26, 2
_LONGEST = 8


class Story:
    """Plans every night beforehand; `play` does what the plan says."""

    def __init__(self, docs: Path, truth: Truth, seed: int, nights: int, first_day: date, unrelated: int) -> None:
        self.truth = truth
        self.counts: Counter[str] = Counter()
        self.encoder = ""
        self.eroding: list[Fact] = []
        self.ladders: dict[int, list[str]] = {}
        self._docs = docs
        self._dice = random.Random(seed)
        self._nights = nights
        self._first = first_day
        self._unrelated = unrelated
        self._plan: dict[int, list[Act]] = {}
        self._busy: dict[str, list[tuple[int, int]]] = {}
        self._now = datetime.min
        self._plan_all()

    def begin(self, now: datetime) -> None:
        """Write what stands before the first night."""
        self._now = now
        for fact in self.truth.facts:
            self._write(fact.place, page(fact))
        for number in range(12):
            self._write(f"{LIBRARY}/{number}.md", unrelated(number))

    def play(self, night: int, now: datetime) -> None:
        """Do what happens before a night."""
        self._now, self.truth.held = now, False
        self.truth.ended.clear()
        for act in self._plan.get(night, ()):
            act()

    # What is planned

    def _plan_all(self) -> None:
        share = self._nights / 300
        for night, encoder in ((0.45, "b"), (0.8, "")):
            self._at(int(night * self._nights), lambda encoder=encoder: self._change_encoder(encoder))
        for part in (0.25, 0.6):
            self._plan_hold(int(part * self._nights))
        for _ in range(max(2, round(8 * share))):
            self._plan_away()
        self._at(int(0.95 * self._nights), self._fill_library)
        kinds = {
            self._deleted: 26, self._overwritten: 26, self._replaced: 16, self._expired: 16, self._displaced: 16,
            self._diluted: 10, self._renamed: 14, self._copied: 10, self._edited: 16, self._added: 24,
        }  # fmt: skip
        for plan, count in kinds.items():
            for _ in range(max(2, round(count * share))):
                plan()

    def _free(self, nights: int, *, watched: bool | None = None, alone: bool = False) -> tuple[Fact, int] | None:
        """Return an answer that nothing happens to for so many nights from a night on, and take it.

        Two that are pushed down in one night hold a version, so `alone` looks for a night without another.
        """
        for _ in range(200):
            start = self._dice.randrange(2, max(3, self._nights - nights - 6))
            fact = self._dice.choice(self.truth.facts)
            span = (start, start + nights + 3)
            if watched is not None and fact.watched is not watched:
                continue
            if alone and not self._is_free("pushed down", (start, start)):
                continue
            if self._is_free(fact.place, span) and self._is_free(f"away {fact.folder}", span):
                if alone:
                    self._busy.setdefault("pushed down", []).append((start, start))
                self._busy.setdefault(fact.place, []).append(span)
                self._busy.setdefault(f"in {fact.folder}", []).append(span)
                return fact, start
        return None

    def _is_free(self, what: str, span: tuple[int, int]) -> bool:
        return all(span[1] < start or end < span[0] for start, end in self._busy.get(what, ()))

    def _at(self, night: int, act: Act) -> None:
        self._plan.setdefault(night, []).append(act)

    def _lasting(self, kind: str, begin: Callable[[Fact], None], end: Callable[[Fact], None], **wanted: bool) -> None:
        """Plan something that happens to an answer and is undone some nights later."""
        nights = self._dice.randint(2, _LONGEST)
        found = self._free(nights, **wanted)
        if found is None:
            return
        fact, start = found
        self.counts[kind] += 1
        self._at(start, lambda: begin(fact))
        self._at(start + nights, lambda: end(fact))

    def _deleted(self) -> None:
        def begin(fact: Fact) -> None:
            self._delete(fact.place)
            self.truth.states[fact.number] = "lost"

        self._lasting("an answer deleted", begin, self._restore)

    def _overwritten(self) -> None:
        def begin(fact: Fact) -> None:
            self._write(fact.place, page(fact, wrong=True))
            self.truth.states[fact.number] = "value_changed" if fact.watched else "lost"

        self._lasting("overwritten with a wrong number", begin, self._restore)

    def _replaced(self) -> None:
        wrong = self._dice.random() < 0.5

        def begin(fact: Fact) -> None:
            self._delete(fact.place)
            self._write(f"{fact.folder}/{fact.name}_v1.md", page(fact))
            self._write(f"{fact.folder}/{fact.name}_v2.md", page(fact, wrong=wrong, note="둘째 판에서 고쳐 썼다."))
            if not fact.replaced_by_rule:  # a person is asked, and both versions serve
                return
            self.truth.old.add(f"{fact.folder}/{fact.name}_v1.md")
            if wrong and fact.watched:
                self.truth.states[fact.number] = "value_changed"

        def end(fact: Fact) -> None:
            if fact.replaced_by_rule:
                self.truth.ended.add(f"{fact.folder}/{fact.name}")
            self.truth.old.discard(f"{fact.folder}/{fact.name}_v1.md")
            for version in ("v1", "v2"):
                self._delete(f"{fact.folder}/{fact.name}_{version}.md")
            self._restore(fact)

        self._lasting("replaced by a newer version" + (", another value" if wrong else ""), begin, end)

    def _expired(self) -> None:
        nights = self._dice.randint(4, _LONGEST + 2)
        found = self._free(nights)
        if found is None:
            return
        fact, start = found
        last = self._first + timedelta(days=start + 2)
        self.counts["expired, then renewed"] += 1

        def begin() -> None:
            self._write(fact.place, page(fact, expires=last.isoformat()))
            self.truth.expires[fact.place] = last

        def renew() -> None:
            later = last + timedelta(days=2000)
            self._write(fact.place, page(fact, expires=later.isoformat()))
            self.truth.expires[fact.place] = later

        self._at(start, begin)
        self._at(start + nights, renew)

    def _displaced(self) -> None:
        self._lasting("pushed down by near-topic documents", self._push_down, self._let_up, alone=True)

    def _push_down(self, fact: Fact) -> None:
        for number in range(NEAR):
            self._write(f"{fact.folder}/질문/{fact.name} {number}.md", asking(fact, number))
        self.truth.states[fact.number] = "displaced"

    def _let_up(self, fact: Fact) -> None:
        for number in range(NEAR):
            self._delete(f"{fact.folder}/질문/{fact.name} {number}.md")
        self.truth.states.pop(fact.number, None)

    def _diluted(self) -> None:
        found = self._free(_ERODED, watched=True)
        if found is None or found[0] in self.eroding:
            return
        fact, start = found
        self.eroding.append(fact)
        self.counts["eroded in steps of .05"] += 1

        def step(number: int) -> None:
            if number < len(self.ladders[fact.number]):
                self._write(fact.place, self.ladders[fact.number][number])
                self.truth.diluted.add(fact.number)

        for number in range(_ERODED // _EDITED_EVERY):
            self._at(start + _EDITED_EVERY * number, partial(step, number))
        self._at(start + _ERODED, partial(self._restore, fact))

    def _renamed(self) -> None:
        def begin(fact: Fact) -> None:
            self._move(fact.place, f"{fact.folder}/옮김/{fact.name} 새.md")

        def end(fact: Fact) -> None:
            self._move(f"{fact.folder}/옮김/{fact.name} 새.md", fact.place)

        self._lasting("moved to another place", begin, end)

    def _copied(self) -> None:
        def begin(fact: Fact) -> None:
            self._write(f"{LIBRARY}/{fact.name} - 사본.md", self.truth.files[fact.place])

        self._lasting("copied", begin, lambda fact: self._delete(f"{LIBRARY}/{fact.name} - 사본.md"))

    def _edited(self) -> None:
        def begin(fact: Fact) -> None:
            self._write(fact.place, page(fact, note="담당자의 전화번호가 바뀌었다."))

        self._lasting("edited beside the answer", begin, self._restore, watched=True)

    def _added(self) -> None:
        number = 100 + self.counts["unrelated, one by one"]
        self.counts["unrelated, one by one"] += 1
        night = self._dice.randrange(1, self._nights)
        self._at(night, lambda: self._write(f"{LIBRARY}/{number}.md", unrelated(number)))

    def _plan_hold(self, night: int) -> None:
        """Push two answers down in one night, so that the version waits, while others are deleted and overwritten."""
        span = (night, night + 8)
        facts = self._dice.sample(self.truth.facts, 8)
        chosen = [fact for fact in facts if self._is_free(fact.place, span)][:4]
        for fact in chosen:
            self._busy.setdefault(fact.place, []).append(span)
            self._busy.setdefault(f"in {fact.folder}", []).append(span)
        self._busy.setdefault("pushed down", []).append((night - 1, night + 1))
        first, second, gone, changed = chosen
        self.counts["held, with a deletion and an overwrite in it"] += 1

        def begin() -> None:
            self._push_down(first)
            self._push_down(second)
            self._delete(gone.place)
            self.truth.states[gone.number] = "lost"
            self._write(changed.place, page(changed, wrong=True))
            self.truth.states[changed.number] = "value_changed" if changed.watched else "lost"
            self.truth.held = True

        def end() -> None:
            self._let_up(first)
            self._let_up(second)
            self._restore(gone)
            self._restore(changed)

        self._at(night, begin)
        self._at(night + 5, end)

    def _plan_away(self) -> None:
        nights = self._dice.randint(1, 4)
        for _ in range(200):
            start = self._dice.randrange(3, self._nights - nights - 4)
            folder = self._dice.choice(FOLDERS)
            span = (start - 1, start + nights + 2)
            if not (self._is_free(f"in {folder}", span) and self._is_free("away", span)):
                continue
            self._busy.setdefault(f"away {folder}", []).append(span)
            self._busy.setdefault("away", []).append(span)
            self.counts["a folder unmounted"] += 1
            self._at(start, partial(self._unmount, folder))
            self._at(start + nights, partial(self._mount, folder))
            return

    # What is done to the folders

    def _restore(self, fact: Fact) -> None:
        self._write(fact.place, page(fact))
        self.truth.states.pop(fact.number, None)
        self.truth.diluted.discard(fact.number)

    def _write(self, place: str, text: str) -> None:
        path = self._docs / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        # Changed at noon before the night, on the clock of the story.
        moment = self._now.timestamp() - 14 * 3600
        os.utime(path, (moment, moment))
        self.truth.files[place] = text

    def _delete(self, place: str) -> None:
        (self._docs / place).unlink()
        del self.truth.files[place]
        self.truth.expires.pop(place, None)

    def _move(self, place: str, to: str) -> None:
        (self._docs / to).parent.mkdir(parents=True, exist_ok=True)
        (self._docs / place).rename(self._docs / to)
        self.truth.files[to] = self.truth.files.pop(place)

    def _unmount(self, folder: str) -> None:
        aside = self._docs.with_name("away") / folder
        aside.parent.mkdir(exist_ok=True)
        (self._docs / folder).rename(aside)
        self.truth.away.add(folder)

    def _mount(self, folder: str) -> None:
        (self._docs.with_name("away") / folder).rename(self._docs / folder)
        self.truth.away.discard(folder)

    def _fill_library(self) -> None:
        self.counts[f"{self._unrelated} unrelated documents at once"] += 1
        for number in range(1000, 1000 + self._unrelated):
            self._write(f"{LIBRARY}/{number // 100}/{number}.md", unrelated(number))

    def _change_encoder(self, name: str) -> None:
        self.counts["the encoder changed"] += 1
        self.encoder = name
