"""What a night must leave, from the events alone: no ledger, no index, nothing of the code that is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from world import FIRST_DAY, LEAVING, PINNED, SOURCES, Event, File, Place, World

ZONE = ZoneInfo("Asia/Seoul")
SOON = timedelta(days=14)
URGENT = frozenset({"source_unreachable", "canary_lost"})
# Told once: their end is no news.
ONCE = frozenset({"version_returned", "canary_new"})
Found = tuple[str, str, str]  # kind, source, path


@dataclass(frozen=True, slots=True)
class Expected:
    """What must be seen after a night. Places are written "source/path".

    served    the document that serves a text -> its words; `retired` those that only --include finds
    also      the same -> where else the text stands
    mirrored  every document with a text version -> its words
    findings  that stand; those that are told once are left out
    told      what the night's mails must tell: kind, source, path, open or resolved
    mails     kind -> how many the night must write
    """

    served: dict[str, str]
    retired: dict[str, str]
    also: dict[str, list[str]]
    states: dict[str, str]
    mirrored: dict[str, str]
    findings: list[list[str]]
    canaries: dict[str, str]
    told: list[list[str]]
    mails: dict[str, int]
    unreachable: list[str]
    unsearched: list[str]
    encoder: str


@dataclass(slots=True)
class Known:
    """A document as the last night saw it: what is in its file, what of it is served, the day that saw it first."""

    file: File
    served: File | None
    first: int


@dataclass
class Oracle:
    """Follows the events; `night` says what the run after them must leave."""

    world: World = field(default_factory=World)
    _known: dict[Place, Known] = field(default_factory=dict)
    _night: int = -1
    _findings: set[Found] = field(default_factory=set)
    _replaced: dict[str, str] = field(default_factory=dict)

    def night(self, events: list[Event]) -> Expected:
        """Take the events before a night in, and say what it leaves."""
        for event in events:
            self.world.take(event)
        self._night += 1
        self._look()
        held = {place for place in self._known if place[0] in self.world.away}
        serving = self._serving(held)
        replaced = self._replacements()
        expired = {place for place in self._known if self._is_expired(place)}
        states = {place: self._state(place, held, expired, serving, replaced) for place in self._known}
        findings = self._found(states)
        returned = self._returned(states, replaced)
        lost = LEAVING not in self.world.files
        canary: set[Found] = {("canary_lost", *LEAVING)} if lost else set()
        told = self._news(findings | canary, returned)
        self._findings, self._replaced = findings | canary, replaced
        past = {place for place in serving if place in expired or self._words(place) in replaced}
        return Expected(
            served={_name(place): self._words(place) for place in serving if place not in past},
            retired={_name(place): self._words(place) for place in past},
            also={_name(place): self._others(place) for place in serving},
            states={_name(place): state for place, state in states.items()},
            mirrored={_name(place): self._words(place) for place, known in self._known.items() if known.served},
            findings=sorted(list(one) for one in findings),
            canaries={
                question: "lost" if lost and place == LEAVING else ("new" if not self._night else "ok")
                for place, (question, _) in PINNED.items()
            },
            told=sorted(list(one) for one in told),
            mails=_mails(told, first=not self._night),
            unreachable=sorted(self.world.away),
            unsearched=sorted(
                _name(place)
                for place, known in self._known.items()
                if known.file.broken is not None and known.served is None and place not in held
            ),
            encoder=f"words@{self.world.encoder}",
        )

    @property
    def today(self) -> date:
        """The day of the newest night, by its clock."""
        return FIRST_DAY + timedelta(days=self._night - self.world.behind)

    def _look(self) -> None:
        """See the folders within reach: what vanished under one name and came under another keeps its first night."""
        seen = [source for source in SOURCES if source not in self.world.away]
        vanished: dict[File, int] = {}
        for source in seen:
            for place in sorted(place for place in self._known if place[0] == source):
                if place not in self.world.files:
                    known = self._known.pop(place)
                    vanished.setdefault(known.file, known.first)
        for place, file in self.world.files.items():
            if place[0] not in seen:
                continue
            if place not in self._known:
                self._known[place] = Known(file, None, vanished.get(file, self._night - self.world.behind))
            known = self._known[place]
            known.file = file
            if file.broken is None:
                known.served = file

    def _words(self, place: Place) -> str:
        served = self._known[place].served
        return served.words if served else ""

    def _serving(self, held: set[Place]) -> set[Place]:
        """Return the documents that serve a text: one that can be read, the first seen, by source and name."""
        holders: dict[str, list[Place]] = {}
        for place, known in self._known.items():
            if known.served is not None:
                holders.setdefault(known.served.words, []).append(place)

        def rank(place: Place) -> tuple[bool, bool, int, int, str]:
            known = self._known[place]
            away = place in held or known.file.broken is not None
            return self._is_expired(place), away, known.first, SOURCES.index(place[0]), place[1]

        return {min(places, key=rank) for places in holders.values()}

    def _others(self, place: Place) -> list[str]:
        words = self._words(place)
        return sorted(
            _name(other)
            for other, known in self._known.items()
            if other != place and known.served is not None and known.served.words == words
        )

    def _is_expired(self, place: Place) -> bool:
        served = self._known[place].served
        return served is not None and served.expires is not None and self.today > served.expires

    def _replacements(self) -> dict[str, str]:
        """Return the words of each older version -> those of the next that stands."""
        chains: dict[Place, list[tuple[int, str]]] = {}
        for (source, path), known in self._known.items():
            stem, mark, number = path.removesuffix(".md").rpartition("_v")
            if mark and known.served is not None:
                chains.setdefault((source, stem), []).append((int(number), known.served.words))
        return {
            older[1]: newer[1]
            for chain in chains.values()
            for older, newer in zip(sorted(chain), sorted(chain)[1:], strict=False)
        }

    def _state(
        self,
        place: Place,
        held: set[Place],
        expired: set[Place],
        serving: set[Place],
        replaced: Mapping[str, str],
    ) -> str:
        known = self._known[place]
        if place in held:
            return "held"
        if known.file.broken is not None:
            return "failed"
        if self._words(place) in replaced:
            return "superseded"
        if place in expired:
            return "expired"
        return "live" if place in serving else "duplicate"

    def _found(self, states: Mapping[Place, str]) -> set[Found]:
        found: set[Found] = {("source_unreachable", source, "") for source in self.world.away}
        now = datetime.combine(self.today, datetime.min.time(), ZONE) + timedelta(hours=2)
        for place, state in states.items():
            known = self._known[place]
            if state == "failed":
                found.add(("stale_parse" if known.served else "unsearched", *place))
            elif state == "superseded":
                found.add(("superseded", *place))
            elif state == "live" and known.served and known.served.expires:
                end = datetime.combine(known.served.expires + timedelta(days=1), datetime.min.time(), ZONE)
                if end - now <= SOON:
                    found.add(("expires_soon", *place))
        return found

    def _returned(self, states: Mapping[Place, str], replaced: Mapping[str, str]) -> set[Found]:
        """Return the older versions that serve again because the newer is gone from disk."""
        present = {known.served.words for known in self._known.values() if known.served}
        back = {
            older
            for older, newer in self._replaced.items()
            if older not in replaced and newer not in present and older in present
        }
        return {
            ("version_returned", *place)
            for place, state in states.items()
            if state == "live" and self._words(place) in back
        }

    def _news(self, findings: set[Found], returned: set[Found]) -> set[tuple[str, str, str, str]]:
        opened = (findings - self._findings) | returned
        if not self._night:
            opened |= {("canary_new", *place) for place in PINNED}
        resolved = self._findings - findings
        return {(*one, "open") for one in opened} | {(*one, "resolved") for one in resolved}


def _mails(told: set[tuple[str, str, str, str]], *, first: bool) -> dict[str, int]:
    """One mail for what can't wait and one for the rest: there is one address, and a digest every night."""
    if first:
        return {"first": 1}
    urgent = {one for one in told if one[0] in URGENT}
    return {kind: 1 for kind, some in (("urgent", urgent), ("digest", told - urgent)) if some}


def _name(place: Place) -> str:
    return "/".join(place)
