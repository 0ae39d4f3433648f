"""Compare a listing with what is known, and decide which missing documents may really go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from pipelines.scan import Entry, Globs, Listing

HoldReason = Literal["root", "unlisted", "mass_deletion", "unreadable_wave"]

# The coarsest clock in use: FAT stores times in steps of 2 s, HFS+ and old SMB servers of 1 s, ext4 and APFS finer.
CLOCK_GRAIN_NS = 2_000_000_000
# A time further ahead than this is no server clock that runs fast but a wrong date: it must not cost a hash a night.
CLOCK_AHEAD_NS = 86_400_000_000_000
# DESIGN section 5: a loss above both in one night is an accident until a person or time says otherwise.
MASS_DELETION_DOCUMENTS = 20
MASS_DELETION_SHARE = 0.10
HOLD_NIGHTS = 7
WAVE_SHARE = 0.05
# One or two files a night break by themselves (caught half copied, closed by an expired licence); three at once in a
# small folder are worth a look, and all that a false alarm costs is that deletions wait.
WAVE_DOCUMENTS = 3
WAVE_CATEGORIES = frozenset({"unreadable", "damaged", "drm"})


@dataclass(frozen=True, slots=True)
class Known:
    """A file as the last run saw it.

    read_at_ns  when its bytes were last hashed (epoch); 0 when never
    good        a parsed version of it is served
    again       try it again though the disk says it is unchanged (its last reading failed, or the parser is newer)
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    content_hash: str
    read_at_ns: int
    good: bool = True
    again: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from the last run.

    unchanged  not opened at all
    unsure     size and times are as known but were younger than the clock's grain when the file was read: to be hashed
    again      unchanged, but asked to be tried again
    missing    known paths that the listing doesn't have
    excluded   known paths that the settings leave out now: they go without any guard
    """

    new: tuple[Entry, ...] = ()
    changed: tuple[Entry, ...] = ()
    unsure: tuple[Entry, ...] = ()
    again: tuple[Entry, ...] = ()
    unchanged: tuple[Entry, ...] = ()
    missing: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    def to_read(self) -> tuple[Entry, ...]:
        """Return the files that a worker must open."""
        return self.new + self.changed + self.unsure + self.again


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why a missing document is held, and for how many nights that count; `counted_on` is the last of them."""

    reason: HoldReason
    nights: int
    counted_on: date | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which missing documents go, and which are held."""

    gone: tuple[str, ...] = ()
    held: Mapping[str, Waiting] = field(default_factory=dict)


def compare(listing: Listing, known: Mapping[str, Known], *, exclude: Iterable[str] = ()) -> Changes:
    """Sort a source's files by what must be done with them.

    `known` maps path -> file for this source's files on disk only (attachments follow their mail).
    """
    stable = inodes_stable(listing, known)
    sorted_out: dict[str, list[Entry]] = {name: [] for name in ("new", "changed", "unsure", "again", "unchanged")}
    for entry in listing.entries:
        sorted_out[_change(entry, known.get(entry.path), stable)].append(entry)
    present = {entry.path for entry in listing.entries}
    globs = Globs(exclude)
    absent = sorted(path for path in known if path not in present)
    excluded = tuple(path for path in absent if globs.match(path))
    return Changes(
        **{name: tuple(entries) for name, entries in sorted_out.items()},
        missing=tuple(path for path in absent if not globs.match(path)),
        excluded=excluded,
    )


def _change(entry: Entry, known: Known | None, inode_counts: bool) -> str:
    if known is None:
        return "new"
    if not _same_times(entry, known) or (inode_counts and entry.inode != known.inode):
        return "changed"
    if _within_grain(known):
        return "unsure"
    return "again" if known.again else "unchanged"


def _same_times(entry: Entry, known: Known) -> bool:
    return (entry.size, entry.mtime_ns, entry.ctime_ns) == (known.size, known.mtime_ns, known.ctime_ns)


def _within_grain(known: Known) -> bool:
    """Tell whether a second write could hide behind the same time stamp (git calls such entries racy)."""
    return any(
        -CLOCK_GRAIN_NS <= clock - known.read_at_ns <= CLOCK_AHEAD_NS for clock in (known.mtime_ns, known.ctime_ns)
    )


def inodes_stable(listing: Listing, known: Mapping[str, Known]) -> bool:
    """Tell whether inode numbers survive between runs here; many SMB and FUSE mounts deal them out anew.

    They don't when most files with the same size and times have another number.
    """
    same = [(entry, known[entry.path]) for entry in listing.entries if entry.path in known]
    same = [(entry, before) for entry, before in same if _same_times(entry, before)]
    moved = sum(entry.inode != before.inode for entry, before in same)
    return moved * 2 <= len(same)


def deletions(
    changes: Changes,
    known: Mapping[str, Known],
    listing: Listing,
    *,
    today: date,
    waiting: Mapping[str, Waiting],
    moved_hashes: Collection[str] = (),
    accept: bool = False,
    wave: bool = False,
) -> Verdict:
    """Decide which missing documents of one source are gone and which are held (DESIGN section 5, GUARDS).

    waiting       what earlier runs held of this source
    moved_hashes  content hashes that this run read or knows at another path: what moved isn't lost and doesn't count
    accept        a person said that the deletions are meant
    wave          `unreadable_wave` was true for this source tonight
    """
    if accept:
        return Verdict(gone=changes.missing + changes.excluded)
    reasons = _hold_reasons(changes, known, listing, waiting, moved_hashes, wave)
    gone = [path for path in changes.missing if path not in reasons]
    held: dict[str, Waiting] = {}
    for path, reason in reasons.items():
        before = waiting.get(path)
        proves = _proves(reason, listing)
        after = _one_more_night(before, reason, today, counts=proves or reason == "root")
        if after.nights >= HOLD_NIGHTS and proves:
            gone.append(path)
            continue
        held[path] = after
    return Verdict(tuple(sorted([*gone, *changes.excluded])), held)


def _hold_reasons(
    changes: Changes,
    known: Mapping[str, Known],
    listing: Listing,
    waiting: Mapping[str, Waiting],
    moved_hashes: Collection[str],
    wave: bool,
) -> dict[str, HoldReason]:
    """Return path -> why it must wait; a path that isn't there may go."""
    if listing.root != "ok":
        return {path: _lasting_reason(waiting.get(path)) or "root" for path in changes.missing}
    reasons: dict[str, HoldReason] = {}
    fresh: list[str] = []
    for path in changes.missing:
        lasting = _lasting_reason(waiting.get(path))
        if out_of_sight(path, listing):
            reasons[path] = "unlisted"
        elif known[path].content_hash in moved_hashes:
            continue
        elif lasting is not None:
            reasons[path] = lasting
        else:
            fresh.append(path)
    if wave:
        reasons.update(dict.fromkeys(fresh, "unreadable_wave"))
    elif len(fresh) > max(MASS_DELETION_DOCUMENTS, MASS_DELETION_SHARE * len(known)):
        reasons.update(dict.fromkeys(fresh, "mass_deletion"))
    return reasons


def out_of_sight(path: str, listing: Listing) -> bool:
    """Tell whether a missing file may stand where it stood: its source or its folder can't be listed tonight."""
    if listing.root != "ok":
        return True
    hidden = (*(item.path for item in listing.unlisted), *listing.other_devices)
    return any(path == place or path.startswith(place + "/") for place in hidden)


def _lasting_reason(before: Waiting | None) -> HoldReason | None:
    """Return a reason that holds until a person or 7 nights end it; the others are judged anew each night."""
    return before.reason if before is not None and before.reason in ("mass_deletion", "unreadable_wave") else None


def _proves(reason: HoldReason, listing: Listing) -> bool:
    """Tell whether tonight counts towards the 7 nights: only a source that shows all the rest proves anything."""
    if listing.root != "ok":
        return False
    return reason == "unlisted" or not listing.unlisted


def _one_more_night(before: Waiting | None, reason: HoldReason, today: date, *, counts: bool) -> Waiting:
    """Count a night once, however many runs it has; another reason starts anew."""
    if before is None or before.reason != reason:
        return Waiting(reason, 1 if counts else 0, today if counts else None)
    if not counts or before.counted_on == today:
        return before
    return Waiting(reason, before.nights + 1, today)


def unreadable_wave(changes: Changes, known: Mapping[str, Known], failed: Mapping[str, str]) -> bool:
    """Tell whether a source's documents are turning into bytes nobody can read: ransomware, a DRM roll-out.

    `failed` maps path -> category for what failed tonight. A document turned when its good version was served and its
    file is unreadable, damaged or drm now, or when it vanished and a file with an ending added ("예산.xlsx.locked")
    that can't be read stands beside its place.
    """
    turned = {path for path, category in failed.items() if category in WAVE_CATEGORIES and _was_good(known, path)}
    renamed = [path for path, category in failed.items() if category in WAVE_CATEGORIES | {"unsupported"}]
    missing = set(changes.missing)
    for path in renamed:
        before = path.rpartition(".")[0]
        if before in missing and _was_good(known, before):
            turned.add(before)
    return len(turned) >= WAVE_DOCUMENTS and len(turned) > WAVE_SHARE * len(known)


def _was_good(known: Mapping[str, Known], path: str) -> bool:
    before = known.get(path)
    return before is not None and before.good
