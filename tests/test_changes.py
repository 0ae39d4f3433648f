"""What a night's listing means: which files are opened, and which missing documents may go."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from pipelines.changes import Changes, Known, Verdict, Waiting, compare, deletions, unreadable_wave
from pipelines.scan import Entry, Listing, Root, Unlisted

LAST_RUN = 1_764_000_000_000_000_000
OLD = LAST_RUN - 3_600_000_000_000
TONIGHT = date(2026, 11, 30)


def entry(path: str, *, size: int = 10, mtime: int = OLD, ctime: int = OLD, inode: int = 7) -> Entry:
    return Entry(path, "/disk/" + path, size, mtime, ctime, inode)


def known(path: str, *, mtime: int = OLD, again: bool = False, good: bool = True, content: str = "") -> Known:
    return Known(path, 10, mtime, OLD, 7, content or f"hash of {path}", LAST_RUN, good, again)


def by_path(*items: Known) -> dict[str, Known]:
    return {item.path: item for item in items}


def listing(*entries: Entry, root: Root = "ok", unlisted: tuple[str, ...] = ()) -> Listing:
    return Listing(root, entries, tuple(Unlisted(path, "Permission denied") for path in unlisted))


def names(entries: tuple[Entry, ...]) -> list[str]:
    return [item.path for item in entries]


def test_files_are_sorted_into_new_changed_and_unchanged() -> None:
    changes = compare(
        listing(entry("a"), entry("b", size=11), entry("c", mtime=OLD + 1), entry("d")),
        by_path(known("a"), known("b"), known("c"), known("e")),
    )
    assert names(changes.unchanged) == ["a"]
    assert names(changes.changed) == ["b", "c"]
    assert names(changes.new) == ["d"]
    assert changes.missing == ("e",)


def test_a_file_replaced_under_the_same_times_is_changed() -> None:
    entries = [entry(f"{n}") for n in range(9)] + [entry("swapped", inode=8)]
    changes = compare(listing(*entries), by_path(*(known(item.path) for item in entries)))
    assert names(changes.changed) == ["swapped"]


def test_inode_numbers_dealt_out_anew_by_a_mount_are_ignored() -> None:
    entries = [entry(f"{n}", inode=100 + n) for n in range(9)]
    changes = compare(listing(*entries), by_path(*(known(item.path) for item in entries)))
    assert changes.to_read() == ()


@pytest.mark.parametrize("offset", [-1_900_000_000, 0, 5_000_000_000])
def test_a_file_as_young_as_its_last_reading_is_hashed_again(offset: int) -> None:
    mtime = LAST_RUN + offset
    changes = compare(listing(entry("a", mtime=mtime)), by_path(known("a", mtime=mtime)))
    assert names(changes.unsure) == ["a"]


def test_a_wrong_date_in_the_far_future_costs_nothing() -> None:
    mtime = LAST_RUN + 10 * 86_400_000_000_000
    changes = compare(listing(entry("a", mtime=mtime)), by_path(known("a", mtime=mtime)))
    assert names(changes.unchanged) == ["a"]


def test_a_failed_document_is_tried_again() -> None:
    changes = compare(listing(entry("a")), by_path(known("a", again=True)))
    assert names(changes.to_read()) == ["a"]


def night(
    missing: int,
    *,
    of: int = 1000,
    state: Listing | None = None,
    waiting: dict[str, Waiting] | None = None,
    today: date = TONIGHT,
    moved: frozenset[str] = frozenset(),
    accept: bool = False,
    wave: bool = False,
) -> Verdict:
    """Judge a night on which the first `missing` of `of` documents d/0000... are missing."""
    before = by_path(*(known(f"d/{n:04}") for n in range(of)))
    state = state or listing(*(entry(path) for path in list(before)[missing:]))
    changes = compare(state, before)
    return deletions(
        changes, before, state, today=today, waiting=waiting or {}, moved_hashes=moved, accept=accept, wave=wave
    )


def reasons(verdict: Verdict) -> Counter[str]:
    return Counter(item.reason for item in verdict.held.values())


def test_ordinary_deletions_go_the_same_night() -> None:
    verdict = night(20, of=30)
    assert len(verdict.gone) == 20
    assert not verdict.held


def test_a_tenth_of_a_large_source_may_go_and_one_more_is_held() -> None:
    assert len(night(100).gone) == 100
    verdict = night(101)
    assert (len(verdict.gone), len(verdict.held)) == (0, 101)
    assert reasons(verdict) == {"mass_deletion": 101}


@pytest.mark.parametrize("root", ["missing", "empty", "not_a_folder", "unreadable"])
def test_nothing_goes_while_the_root_is_not_there(root: Root) -> None:
    verdict = night(3, of=3, state=Listing(root))
    assert verdict.gone == ()
    assert reasons(verdict) == {"root": 3}


def test_only_what_is_under_a_refused_folder_is_held() -> None:
    before = by_path(known("닫힘/a"), known("닫힘2/a"), known("b"), known("c"))
    state = listing(entry("c"), unlisted=("닫힘",))
    verdict = deletions(compare(state, before), before, state, today=TONIGHT, waiting={})
    assert verdict.gone == ("b", "닫힘2/a")
    assert set(verdict.held) == {"닫힘/a"}


def test_what_lies_on_a_file_system_that_is_not_entered_is_held() -> None:
    before = by_path(known("mount/a"), known("b"))
    state = replace(listing(entry("b")), other_devices=("mount",))
    assert set(deletions(compare(state, before), before, state, today=TONIGHT, waiting={}).held) == {"mount/a"}


def test_moved_content_is_no_loss() -> None:
    hashes = frozenset(f"hash of d/{n:04}" for n in range(150))
    assert len(night(200, moved=hashes).gone) == 200


def test_moved_content_under_a_missing_root_still_waits() -> None:
    assert night(3, of=3, state=Listing("missing"), moved=frozenset({"hash of d/0000"})).gone == ()


def test_a_person_can_say_that_the_deletions_are_meant() -> None:
    assert len(night(500, accept=True).gone) == 500


def test_what_the_settings_exclude_goes_without_waiting() -> None:
    before = by_path(*(known(f"임시/{n}") for n in range(50)), known("a"))
    state = listing(entry("a"))
    changes = compare(state, before, exclude=["임시/**"])
    assert changes.missing == ()
    assert len(deletions(changes, before, state, today=TONIGHT, waiting={}).gone) == 50


def test_held_documents_go_on_the_seventh_readable_night() -> None:
    waiting: dict[str, Waiting] = {}
    for number in range(1, 8):
        verdict = night(300, waiting=waiting, today=TONIGHT + timedelta(days=number))
        waiting = dict(verdict.held)
        assert len(verdict.gone) == (300 if number == 7 else 0)


def test_ten_runs_in_one_night_count_once() -> None:
    waiting: dict[str, Waiting] = {}
    for _ in range(10):
        waiting = dict(night(300, waiting=waiting).held)
    assert {item.nights for item in waiting.values()} == {1}


def test_nights_without_the_root_prove_nothing() -> None:
    waiting: dict[str, Waiting] = {}
    for number in range(20):
        verdict = night(300, state=Listing("missing"), waiting=waiting, today=TONIGHT + timedelta(days=number))
        waiting = dict(verdict.held)
    assert verdict.gone == ()
    assert waiting["d/0000"].nights == 20


def test_a_night_without_the_root_neither_counts_nor_starts_the_count_anew() -> None:
    waiting = dict(night(300).held)
    waiting = dict(night(300, state=Listing("missing"), waiting=waiting, today=TONIGHT + timedelta(days=1)).held)
    verdict = night(300, waiting=waiting, today=TONIGHT + timedelta(days=2))
    assert {(item.reason, item.nights) for item in verdict.held.values()} == {("mass_deletion", 2)}


def test_documents_still_missing_when_the_root_returns_are_judged_anew() -> None:
    waiting = dict(night(0, of=50, state=Listing("missing")).held)
    assert len(night(2, of=50, waiting=waiting, today=TONIGHT + timedelta(days=1)).gone) == 2


def test_a_small_deletion_beside_a_held_one_goes_at_once() -> None:
    waiting = dict(night(300).held)
    verdict = night(302, waiting=waiting, today=TONIGHT + timedelta(days=1))
    assert verdict.gone == ("d/0300", "d/0301")
    assert len(verdict.held) == 300


def wave(failed: dict[str, str], *, missing: tuple[str, ...] = (), of: int = 40) -> bool:
    before = by_path(*(known(f"{n}.hwp") for n in range(of)))
    return unreadable_wave(Changes(missing=missing), before, failed)


def test_many_documents_turning_unreadable_are_a_wave() -> None:
    assert wave({f"{n}.hwp": "drm" for n in range(3)})
    assert not wave({f"{n}.hwp": "drm" for n in range(3)}, of=60)
    assert not wave({f"{n}.hwp": "drm" for n in range(2)}, of=10)
    assert not wave({f"{n}.hwp": "encrypted" for n in range(30)})


def test_files_renamed_by_ransomware_are_a_wave() -> None:
    missing = tuple(f"{n}.hwp" for n in range(5))
    assert wave({f"{name}.locked": "unsupported" for name in missing}, missing=missing)


def test_new_broken_files_are_no_wave() -> None:
    assert not wave({f"new{n}.hwp": "damaged" for n in range(30)})


def test_documents_that_were_broken_before_are_no_wave() -> None:
    before = by_path(*(known(f"{n}", good=False) for n in range(9)))
    assert not unreadable_wave(Changes(), before, {f"{n}": "damaged" for n in range(9)})


def test_deletions_wait_during_a_wave() -> None:
    assert reasons(night(3, wave=True)) == {"unreadable_wave": 3}
