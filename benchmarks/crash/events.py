"""What happens to a team's folders night after night, drawn from a seed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from datetime import timedelta

from world import FIRST_DAY, LEAVING, PINNED, SOURCES, Event, File, Place, World

# Of the first source nothing is ever unmounted, so that the passage that comes and goes is known.
_SHARES = SOURCES[1:]
_WORDS = ("결제", "승인", "정산", "단말기", "수수료", "환불", "서버", "장애", "배포", "일정", "검수", "계약")
_SYLLABLES = "가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허고노도로모보소오조초코토포호"
_MOST = 30  # documents, above which more leave than come


class Story:
    """Draws the events of each night from a seed; knows the folders as they become.

    clock  it is set back by days at times, and right again some nights later
    """

    def __init__(self, seed: int, *, clock: bool = False) -> None:
        self._clock = clock
        self._dice = random.Random(seed)
        self.world = World()
        self._gone: dict[Place, File] = {}
        self._texts: dict[Place, list[File]] = {}  # what stood there before
        self._chains: dict[Place, list[Place]] = {}  # v1 -> all its versions, oldest first
        self._numbers = 0
        self._touched: set[str] = set()
        self._night = 0

    def nights(self) -> Iterator[list[Event]]:
        """Yield the events before each night."""
        yield self._begin()
        while True:
            self._night += 1
            self._touched = set()
            events: list[Event] = []
            for _ in range(self._dice.choice((0, 1, 1, 2, 2, 3, 4))):
                drawn = self._draw()
                for event in drawn:
                    self.world.take(event)
                    self._touched |= {event.place[0], event.to[0]}
                events += drawn
            yield events

    def _begin(self) -> list[Event]:
        events = [Event("new", "write", place, file=File((text,))) for place, (_, text) in PINNED.items()]
        for source in SOURCES * 4:
            events.append(Event("new", "write", self._fresh(source), file=self._page()))
        for event in events:
            self.world.take(event)
        return events

    def _draw(self) -> list[Event]:
        kinds = {
            self._new: 4, self._edited: 5, self._reverted: 2, self._renamed: 3, self._moved: 3, self._copied: 3,
            self._deleted: 4, self._restored: 3, self._versioned: 3, self._unversioned: 2, self._expiring: 2,
            self._broken: 2, self._unmounted: 2, self._mounted: 3, self._another_encoder: 1, self._pinned: 2,
        }  # fmt: skip
        if self._clock:
            kinds[self._set] = 4 if self.world.behind else 1
        crowd = len(self.world.files) > _MOST
        kinds[self._new] = 1 if crowd else 4
        kinds[self._deleted] = 7 if crowd else 2
        draw = self._dice.choices(list(kinds), list(kinds.values()))[0]
        return draw()

    def _new(self) -> list[Event]:
        return [Event("new", "write", self._fresh(), file=self._page())]

    def _edited(self) -> list[Event]:
        """Change a paragraph; a file that can't be read is mended so."""
        if not (place := self._pick(broken_too=True)):
            return []
        file = self.world.files[place]
        self._texts.setdefault(place, []).append(file)
        page = list(file.paragraphs or self._page().paragraphs)
        page[self._dice.randrange(len(page))] = self._paragraph()
        kind = "edited" if file.broken is None else "mended"
        return [Event(kind, "write", place, file=File(tuple(page), file.expires))]

    def _reverted(self) -> list[Event]:
        """Take an edit back: the words that stood there before."""
        known = [place for place in self._free(broken_too=True) if self._texts.get(place)]
        if not known:
            return []
        place = self._dice.choice(known)
        return [Event("reverted", "write", place, file=self._texts[place].pop())]

    def _renamed(self) -> list[Event]:
        place = self._pick()
        return [Event("renamed", "rename", place, self._fresh(place[0]))] if place else []

    def _moved(self) -> list[Event]:
        place = self._pick()
        others = [name for name in SOURCES if place and name != place[0] and name not in self.world.away]
        return [Event("moved", "rename", place, self._fresh(self._dice.choice(others)))] if place and others else []

    def _copied(self) -> list[Event]:
        place = self._pick()
        if place is None or self.world.files[place].expires:
            return []
        return [Event("copied", "copy", place, self._fresh())]

    def _deleted(self) -> list[Event]:
        if not (place := self._pick(broken_too=True)):
            return []
        self._gone[place] = self.world.files[place]
        return [Event("deleted", "delete", place)]

    def _restored(self) -> list[Event]:
        there = [p for p in self._gone if p not in self.world.files and p[0] not in self.world.away]
        if not there:
            return []
        place = self._dice.choice(there)
        return [Event("restored", "write", place, file=self._gone.pop(place))]

    def _versioned(self) -> list[Event]:
        """Write v1 of something, or the next version beside one that stands."""
        chains = [first for first, chain in self._chains.items() if chain and first[0] not in self.world.away]
        if not chains or self._dice.random() < 0.4:
            source, path = self._fresh()
            first = source, f"{path.removesuffix('.md')}_v1.md"
            self._chains[first] = [first]
            return [Event("first version", "write", first, file=self._page())]
        first = self._dice.choice(chains)
        chain = self._chains[first]
        if len(chain) > 5:
            return []
        last = self.world.files[chain[-1]]
        place = first[0], first[1].replace("_v1.md", f"_v{len(chain) + 1}.md")
        chain.append(place)
        return [Event("next version", "write", place, file=File((*last.paragraphs, self._paragraph())))]

    def _unversioned(self) -> list[Event]:
        """Take the newest of some versions away."""
        chains = [chain for first, chain in self._chains.items() if len(chain) > 1 and first[0] not in self.world.away]
        return [Event("newest version deleted", "delete", self._dice.choice(chains).pop())] if chains else []

    def _expiring(self) -> list[Event]:
        day = FIRST_DAY + timedelta(days=self._night + self._dice.randrange(-1, 25))
        page = self._page()
        return [Event("expiring", "write", self._fresh(), file=File(page.paragraphs, day))]

    def _broken(self) -> list[Event]:
        place = self._pick() if self._dice.random() < 0.7 else self._fresh()
        if place is None:
            return []
        if place in self.world.files:
            self._texts.setdefault(place, []).append(self.world.files[place])
        self._numbers += 1
        return [Event("broken", "write", place, file=File(broken=self._numbers))]

    def _unmounted(self) -> list[Event]:
        """What is touched in the same night stays, so that a source's documents are known when it goes."""
        there = [name for name in _SHARES if name not in self._touched | self.world.away]
        return [Event("unmounted", "unmount", (self._dice.choice(there), ""))] if there else []

    def _mounted(self) -> list[Event]:
        gone = sorted(self.world.away - self._touched)
        return [Event("mounted again", "mount", (self._dice.choice(gone), ""))] if gone else []

    def _another_encoder(self) -> list[Event]:
        return [Event("another encoder", "encoder", encoder=self.world.encoder + 1)]

    def _set(self) -> list[Event]:
        """Set the clock back by days, or right again."""
        if self.world.behind:
            return [Event("clock right again", "clock")]
        return [Event("clock set back", "clock", days=self._dice.randint(1, 20))]

    def _pinned(self) -> list[Event]:
        """Once a night: a passage that was lost and found in one night is no news."""
        if LEAVING[0] in self._touched:
            return []
        if LEAVING in self.world.files:
            return [Event("pinned deleted", "delete", LEAVING)]
        return [Event("pinned restored", "write", LEAVING, file=File((PINNED[LEAVING][1],)))]

    def _free(self, *, broken_too: bool = False) -> list[Place]:
        """Return the places that may be changed: no version, no pinned passage, within reach."""
        chained = {place for chain in self._chains.values() for place in chain}
        return [
            place
            for place, file in self.world.files.items()
            if place not in PINNED
            and place not in chained
            and place[0] not in self.world.away
            and (broken_too or file.broken is None)
        ]

    def _pick(self, *, broken_too: bool = False) -> Place | None:
        free = self._free(broken_too=broken_too)
        return self._dice.choice(free) if free else None

    def _fresh(self, source: str = "") -> Place:
        """Return a place that no file ever had; names share no stem, so that nobody takes them for versions."""
        self._numbers += 1
        names = hashlib.sha256(f"{self._numbers}".encode()).digest()
        stem = "".join(_SYLLABLES[byte % len(_SYLLABLES)] for byte in names[:6])
        there = [name for name in SOURCES if name not in self.world.away]
        return source or self._dice.choice(there), f"{stem}.md"

    def _page(self) -> File:
        return File(tuple(self._paragraph() for _ in range(self._dice.choice((2, 4, 5, 6)))))

    def _paragraph(self) -> str:
        dice = self._dice
        return " ".join(f"{dice.choice(_WORDS)}{dice.randrange(10_000)}" for _ in range(dice.choice((15, 25)))) + "."
