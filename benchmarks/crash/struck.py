"""A team whose nights are cut off or find their disk full, and are then compared with what the events say."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from chain import settings
from child import Played, was_killed
from compared import differing
from disks import file_size, resize, used
from events import Story
from oracle import Expected, Oracle
from points import WRITES, Points, disk_full
from score import Score
from world import SOURCES, Event, play


class StruckTeam:
    """One team's folders, its story, and what was seen of it so far."""

    def __init__(self, home: Path, seed: int, score: Score) -> None:
        self.home = home
        self.seed = seed
        self.score = score
        self._dice = random.Random(f"kills {seed}")
        self._nights = Story(seed).nights()
        self._oracle = Oracle()
        self._night = -1
        self._kept: set[str] = set()
        self._passed: Counter[str] = Counter()
        self._writes = 1  # whole files that a run wrote
        self._lasts = 1.0
        home.mkdir(parents=True, exist_ok=True)
        for name in SOURCES:
            (home / "docs" / name).mkdir(parents=True)
        (home / "saero.toml").write_text(settings(), encoding="utf-8")

    def round(self, strike: str) -> bool:
        """Play one night: events, a run that is struck, a run that isn't. False when the first came to its end."""
        events = next(self._nights)
        self._night += 1
        for event in events:
            play(event, self.home / "docs")
        expected = self._oracle.night(events)
        self.score.events.update(event.kind for event in events)
        said = self._struck(strike, expected.encoder)
        hit = said is not None
        self.score.ended += not hit
        if said is not None:
            self.score.struck[strike] += 1
            self.score.points[said] += 1
        self._clean(expected, events, f"{strike}: {said or 'came to its end'}")
        return hit

    def _struck(self, strike: str, encoder: str) -> str | None:
        """Play the night's first run and strike it; returns where, None when it came to its end."""
        if strike == "point":
            return self._killed_at_a_point(encoder)
        if strike == "moment":
            return self._killed_at_a_moment(encoder)
        return self._out_of_space(strike, encoder)

    def _killed_at_a_point(self, encoder: str) -> str | None:
        names = sorted(self._passed) or ["after commit parse"]
        aim = self._dice.choice(names)
        count = self._dice.randint(1, max(1, self._passed[aim]))
        status, _ = self._played(encoder, hour=2).run(points=Points((aim, count)))
        return aim if was_killed(status) else None

    def _killed_at_a_moment(self, encoder: str) -> str | None:
        after = self._dice.uniform(0, self._lasts * 1.1)
        status, _ = self._played(encoder, hour=2).run(kill_after=after)
        return "at a random moment" if was_killed(status) else None

    def _out_of_space(self, strike: str, encoder: str) -> str | None:
        before: Callable[[], None] | None = None
        points, aimed = None, 0
        if strike == "our writes":
            aim = WRITES[0]
            # As many as the last run of this kind passed: a quiet one passes but those of its progress.
            aimed = self._dice.randint(1, max(1, self._writes))
            points = Points((aim, aimed), disk_full)
        elif strike == "file size":
            largest = max((p.stat().st_size for p in (self.home / "state").rglob("*") if p.is_file()), default=1 << 20)
            limit = int(largest ** self._dice.uniform(0.4, 0.95)) if self._dice.random() < 0.8 else largest
            before = file_size(limit)
        else:
            free = int(2 ** self._dice.uniform(12, 19))
            resize(self.home / "state", used(self.home / "state") + free)
        status, said = self._played(encoder, hour=2).run(points=points, before=before)
        if strike == "small disk":
            resize(self.home / "state", 1 << 30)
        if status == 0:
            self._writes = said["passed"].get(WRITES[0], self._writes)
            return f"{strike}: went on" if points is not None and self._writes >= aimed else None
        error = said.get("error", f"ended with {status}")
        self.score.errors[said.get("kind", "none")] += 1
        if not said.get("clear"):
            self.score.is_unclear(f"seed {self.seed}, night {self._night}, {strike}: {error}")
        return f"{strike}: {said.get('stage') or 'start'}"

    def _clean(self, expected: Expected, events: list[Event], after: str) -> None:
        """Play the night's second run and compare."""
        begun = time.monotonic()
        status, said = self._played(expected.encoder, hour=3, look=True).run()
        self._lasts = 0.7 * self._lasts + 0.3 * (time.monotonic() - begun)
        where = f"seed {self.seed}, night {self._night}, {after}"
        if status != 0:
            self.score.differs(f"{where}: the next run failed: {said.get('error', status)}")
            return
        self._passed = Counter(said["passed"])
        found = said["seen"]
        kept = set(found.pop("kept"))
        wrong = [*found.pop("faults"), *differing(asdict(expected), found)]
        if lost := self._kept - kept:
            wrong.append(f"{len(lost)} decisions, mails or answers of canaries are lost")
        self._kept = kept
        if wrong:
            kinds = ", ".join(event.kind for event in events)
            self.score.differs(f"{where} ({kinds}): " + "; ".join(wrong))

    def _played(self, encoder: str, *, hour: int, look: bool = False) -> Played:
        return Played(self.home, self.seed, self._night, hour, encoder, look, frozenset(self._kept))
