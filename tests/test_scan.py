"""Scanning a folder: what counts as a document, and what the disk may throw at us."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines import scan
from pipelines.scan import Globs, Listing, key_name, scan_findings, scan_source


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"text")


def paths(listing: Listing) -> list[str]:
    return [entry.path for entry in listing.entries]


def test_files_are_listed_by_relative_path_with_size_and_times(tmp_path: Path) -> None:
    write(tmp_path, "제안서/2026 상반기/견적서.docx", "a.txt")
    listing = scan_source(tmp_path)
    assert listing.root == "ok"
    assert paths(listing) == ["a.txt", "제안서/2026 상반기/견적서.docx"]
    entry = listing.entries[0]
    status = (tmp_path / "a.txt").stat()
    assert (entry.size, entry.mtime_ns, entry.ctime_ns, entry.inode) == (
        4,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
    )


def test_a_root_that_is_missing_empty_or_a_file_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "empty" / "stub").mkdir(parents=True)
    write(tmp_path, "file")
    assert scan_source(tmp_path / "nowhere").root == "missing"
    assert scan_source(tmp_path / "file" / "below").root == "missing"
    assert scan_source(tmp_path / "empty").root == "empty"
    assert scan_source(tmp_path / "file").root == "not_a_folder"


def test_a_folder_that_holds_only_system_files_is_empty(tmp_path: Path) -> None:
    write(tmp_path, ".DS_Store", "Thumbs.db")
    assert scan_source(tmp_path).root == "empty"


def test_names_are_composed_and_opened_as_the_disk_spells_them(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "폴더/회의록.txt")
    write(tmp_path, decomposed)
    (entry,) = scan_source(tmp_path).entries
    assert entry.path == "폴더/회의록.txt"
    assert Path(entry.disk_path).read_bytes() == b"text"


@pytest.mark.skipif(sys.platform == "darwin", reason="APFS and HFS+ don't allow two spellings of one name")
def test_of_two_spellings_of_one_name_the_composed_one_is_used(tmp_path: Path) -> None:
    composed = "보고.txt"
    decomposed = unicodedata.normalize("NFD", composed)
    write(tmp_path, composed, decomposed)
    listing = scan_source(tmp_path)
    assert [entry.disk_path for entry in listing.entries] == [str(tmp_path / composed)]
    (finding,) = scan_findings("제안서", listing)
    assert (finding.kind, finding.path) == ("name_clash", composed)
    assert finding.detail["hidden"] == [str(tmp_path / decomposed)]


def test_a_folder_named_like_a_mails_attachments_is_reported_and_left_alone(tmp_path: Path) -> None:
    write(tmp_path, "메일/주문.eml", "메일/주문.eml!/견적.txt", "낙서!/메모.txt", "안.docx", "안.docx!/부록.txt")
    listing = scan_source(tmp_path)
    assert paths(listing) == ["낙서!/메모.txt", "메일/주문.eml", "안.docx", "안.docx!/부록.txt"]
    (finding,) = scan_findings("영업", listing)
    assert (finding.kind, finding.path) == ("name_clash", "메일/주문.eml!/견적.txt")


@pytest.mark.skipif(sys.platform == "darwin", reason="APFS refuses names that aren't UTF-8")
def test_a_name_that_is_not_utf8_is_read_as_cp949_and_reported(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/" + "견적서.txt".encode("cp949")
    Path(os.fsdecode(raw)).write_bytes(b"text")
    listing = scan_source(tmp_path)
    assert paths(listing) == ["견적서.txt"]
    assert Path(listing.entries[0].disk_path).read_bytes() == b"text"
    assert [(finding.kind, finding.path) for finding in scan_findings("s", listing)] == [
        ("name_not_utf8", "견적서.txt")
    ]


def test_bytes_that_are_no_encoding_show_as_escapes_and_can_be_stored() -> None:
    name, odd = key_name(os.fsdecode(b"a\xff\xff.txt"))
    assert (name, odd) == ("a\\xff\\xff.txt", True)
    assert name.encode("utf-8")


def test_system_files_and_recycle_bins_are_skipped_whatever_their_case(tmp_path: Path) -> None:
    write(tmp_path, ".git/config", "a/node_modules/b/c.md", "~$보고.docx", "THUMBS.DB", "x.TMP", "#recycle/옛.hwp")
    write(tmp_path, "._보고.docx", "$RECYCLE.BIN/S-1/x.docx", "보고.docx")
    listing = scan_source(tmp_path)
    assert paths(listing) == ["보고.docx"]
    assert listing.skipped == {"temporary": 8}


def test_excluded_folders_are_not_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "임시/a.txt", "임시/b/c.txt", "문서/임시/d.txt", "문서/e.bak", "문서/f.txt")
    entered = record_scandir(monkeypatch)
    listing = scan_source(tmp_path, exclude=["임시/**", "*.bak"])
    assert paths(listing) == ["문서/f.txt", "문서/임시/d.txt"]
    assert str(tmp_path / "임시") not in entered
    assert listing.skipped == {"excluded": 2}


def record_scandir(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    entered: list[str] = []
    real = os.scandir

    def scandir(path: str) -> Iterator[os.DirEntry[str]]:
        entered.append(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    return entered


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.bak", "a/b.bak", True),
        ("*.bak", "a/b.bak/c.txt", True),
        ("임시", "x/임시/y.txt", True),
        ("/임시", "x/임시/y.txt", False),
        ("임시/**", "임시", True),
        ("임시/**", "임시2/a", False),
        ("주간/*.txt", "주간/a.txt", True),
        ("주간/*.txt", "주간/더/a.txt", False),
        ("**/초안/*", "a/b/초안/c", True),
        ("a/**/z.txt", "a/z.txt", True),
        ("보고[0-9].txt", "보고7.txt", True),
        ("보고[!0-9].txt", "보고7.txt", False),
        ("a[.txt", "a[.txt", True),
        ("*계획*", "2026/상반기 계획(안).hwp", True),
        (unicodedata.normalize("NFD", "임시/**"), "임시/a", True),
    ],
)
def test_patterns_mean_what_people_write(pattern: str, path: str, matches: bool) -> None:
    assert Globs([pattern]).match(path) is matches


def test_no_pattern_matches_nothing_and_a_broken_one_is_named() -> None:
    assert not Globs([]).match("a")
    with pytest.raises(ValueError, match=r"z-a"):
        Globs(["[z-a]"])


def test_links_are_not_followed_and_pipes_not_opened(tmp_path: Path) -> None:
    write(tmp_path, "a.txt")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    listing = scan_source(tmp_path)
    assert paths(listing) == ["a.txt"]
    assert listing.skipped == {"link": 2, "special": 1}


def test_a_root_that_is_itself_a_link_is_listed(tmp_path: Path) -> None:
    write(tmp_path, "real/a.txt")
    (tmp_path / "root").symlink_to(tmp_path / "real", target_is_directory=True)
    assert paths(scan_source(tmp_path / "root")) == ["a.txt"]


def test_a_folder_that_refuses_is_reported_and_the_rest_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "열림/a.txt", "닫힘/b.txt")
    refuse(monkeypatch, tmp_path / "닫힘")
    listing = scan_source(tmp_path)
    assert paths(listing) == ["열림/a.txt"]
    assert [item.path for item in listing.unlisted] == ["닫힘"]
    assert scan_findings("s", listing)[0].detail == {"reason": "Permission denied"}


def test_a_root_that_refuses_is_unreadable_not_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, tmp_path)
    assert scan_source(tmp_path).root == "unreadable"


def test_a_root_that_vanishes_during_the_scan_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, tmp_path, FileNotFoundError(2, "No such file or directory"))
    assert scan_source(tmp_path).root == "missing"


def refuse(monkeypatch: pytest.MonkeyPatch, folder: Path, error: OSError | None = None) -> None:
    """Make one folder fail to list, as permissions do for people who aren't root."""
    real = os.scandir

    def scandir(path: str) -> Iterator[os.DirEntry[str]]:
        if path == str(folder):
            raise error or PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)


def test_a_tree_deeper_than_the_recursion_limit_is_no_crash(tmp_path: Path) -> None:
    depth = 1500
    fd = os.open(tmp_path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=fd)
        deeper = os.open("d", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = deeper
    os.close(os.open("a.txt", os.O_CREAT | os.O_WRONLY, dir_fd=fd))
    os.close(fd)
    listing = scan_source(tmp_path)
    (tmp_path / ("d/" * depth + "a.txt")).unlink()
    for level in range(depth, 0, -1):  # shutil.rmtree, with which pytest clears up, is itself recursive
        (tmp_path / ("d/" * level)).rmdir()
    assert paths(listing) == ["d/" * depth + "a.txt"]


def test_a_path_longer_than_the_system_allows_is_reported(tmp_path: Path) -> None:
    write(tmp_path, "a.txt")
    fd = os.open(tmp_path, os.O_RDONLY)
    for _ in range(25):
        os.mkdir("d" * 200, dir_fd=fd)
        deeper = os.open("d" * 200, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = deeper
    os.close(fd)
    listing = scan_source(tmp_path)
    assert paths(listing) == ["a.txt"]
    assert [item.reason for item in listing.unlisted] == ["File name too long"]


def test_other_file_systems_are_not_entered(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "mount/b.txt")
    walk = scan._Walk(Globs([]), device=tmp_path.stat().st_dev + 1)
    walk.run(str(tmp_path))
    assert walk.listing().other_devices == ("mount",)
