"""What the scenes of a generated folder draw from: titles, texts and their next states, days, clocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from generator import Prose, edited
from version_names import KINDS, PROJECTS

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
# Bytes of a text: a page to three. Longer ones only cost time here.
SMALLEST, LARGEST = 700, 3000

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Made:
    """A document and the truth about it. `moment` is when it was written, `clock` what the file says (or None)."""

    name: str
    text: str
    moment: datetime
    clock: datetime | None
    thread: str
    order: int = 0
    lane: str = ""
    standing: str = ""
    scene: str = ""


class Desk:
    """What the scenes of one folder draw from; no title is used for two things."""

    def __init__(self, prose: Prose, forms: dict[str, str]) -> None:
        self.prose, self.rng, self._forms = prose, prose.rng, forms
        self._titles: set[str] = set()
        self.threads = 0

    def pick(self, things: Sequence[Thing]) -> Thing:
        """Return one of the things."""
        return things[int(self.rng.integers(len(things)))]

    def chance(self, share: float) -> bool:
        """Tell yes in `share` of the calls."""
        return bool(self.rng.random() < share)

    def number(self, low: int, high: int) -> int:
        """Return a whole number from low to high."""
        return int(self.rng.integers(low, high + 1))

    def kind(self) -> str:
        """Return a kind of document."""
        return self.pick(KINDS)

    def title(self, kind: str) -> str:
        """Return a title of that kind that nothing else in the folder has."""
        gap = self.pick((" ", "_", ""))
        for _ in range(1000):
            title = f"{self.pick(PROJECTS)}{gap}{kind}" if self.chance(0.8) else kind
            key = "".join(title.replace("_", "").split()).lower()
            if key not in self._titles:
                self._titles.add(key)
                return title
        raise ValueError("no title is left for this folder")

    def text(self, kind: str) -> str:
        """Return a new text on the kind's form: a tenth to six tenths of it are shared with every other of its kind."""
        form = self._forms.setdefault(kind, self.prose.text(1200))
        size = float(self.rng.uniform(SMALLEST, LARGEST))
        shared = float(self.rng.uniform(0.1, 0.6))
        own, common = self.prose.text(size * (1 - shared)), form[: round(size * shared / 2.4)]
        parts = max(2, len(common) // 120)
        return "\n".join(
            f"{common[len(common) * n // parts : len(common) * (n + 1) // parts]}\n"
            f"{own[len(own) * n // parts : len(own) * (n + 1) // parts]}"
            for n in range(parts)
        )

    def stepped(self, text: str) -> str:
        """Return the next state of a text: .5 to 15 % of it changed, here and there or in one place, often grown."""
        share = float(self.rng.uniform(0.005, 0.15))
        if self.chance(0.5):
            text = edited(self.prose, text, share)
        else:
            start = self.number(0, max(0, round(len(text) * (1 - share))))
            text = text[:start] + self.prose.text(share * len(text) * 2.4) + text[start + round(len(text) * share) :]
        if self.chance(0.5):
            text += "\n" + self.prose.text(max(40.0, len(text) * float(self.rng.uniform(0.02, 0.25))))
        return text

    def states(self, kind: str, count: int) -> list[str]:
        """Return a text and its next states."""
        texts = [self.text(kind)]
        while len(texts) < count:
            texts.append(self.stepped(texts[-1]))
        return texts

    def sibling(self, text: str) -> str:
        """Return another thing told on the same template: 5 to 60 % of the words are its own."""
        return edited(self.prose, text, float(self.rng.uniform(0.05, 0.6)))

    def moments(self, count: int) -> list[datetime]:
        """Return that many days in order, some days or months apart."""
        moment = START + timedelta(days=self.number(0, 300), hours=self.number(0, 8))
        moments = []
        for _ in range(count):
            moments.append(moment)
            moment += timedelta(days=self.number(1, 40))
        return moments

    def clock(self, moment: datetime) -> datetime | None:
        """Return what the file says of when it was written: one in five says nothing, some were saved again later."""
        if self.chance(0.2):
            return None
        return moment + timedelta(days=60) if self.chance(0.03) else moment

    def thread(self) -> str:
        """Return a new thread."""
        self.threads += 1
        return f"thread {self.threads}"
