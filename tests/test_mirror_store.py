"""The folder of text versions: every document has one place, inside the folder, and no two share it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.mirror import MAX_NAME_BYTES, Mirror, fit


@pytest.fixture
def mirror(tmp_path: Path) -> Mirror:
    return Mirror(tmp_path / "parsed")


def test_a_text_version_is_written_read_and_removed(mirror: Mirror, tmp_path: Path) -> None:
    assert mirror.write("공유/영업", "견적/견적서.xlsx", "금액: 1원\n")
    assert (tmp_path / "parsed/공유/영업/견적/견적서.xlsx.md").read_text(encoding="utf-8") == "금액: 1원\n"
    assert mirror.read("공유/영업", "견적/견적서.xlsx") == "금액: 1원\n"
    mirror.remove("공유/영업", "견적/견적서.xlsx")
    assert mirror.read("공유/영업", "견적/견적서.xlsx") is None
    assert list((tmp_path / "parsed").iterdir()) == [], "empty folders leave with it"


def test_removing_leaves_neighbours_and_forgives_what_is_gone(mirror: Mirror) -> None:
    mirror.write("정책", "a/1.txt", "하나")
    mirror.write("정책", "a/2.txt", "둘")
    mirror.remove("정책", "a/1.txt")
    mirror.remove("정책", "a/1.txt")
    assert mirror.read("정책", "a/2.txt") == "둘"


def test_an_unchanged_text_is_not_written_again(mirror: Mirror) -> None:
    mirror.write("정책", "휴가.md", "15일")
    os.utime(mirror.path("정책", "휴가.md"), (1, 1))
    assert not mirror.write("정책", "휴가.md", "15일")
    assert mirror.path("정책", "휴가.md").stat().st_mtime == 1
    assert mirror.write("정책", "휴가.md", "16일")


def test_lines_come_back_byte_for_byte(mirror: Mirror) -> None:
    text = "a\x85b\u2028c\r\nd\n"
    mirror.write("정책", "a.txt", text)
    assert mirror.read("정책", "a.txt") == text


def test_a_damaged_text_version_reads_as_none(mirror: Mirror) -> None:
    mirror.write("정책", "a.txt", "x")
    mirror.path("정책", "a.txt").write_bytes(b"\xff")
    assert mirror.read("정책", "a.txt") is None


def test_long_names_are_cut_with_a_hash_that_tells_them_apart(mirror: Mirror) -> None:
    names = [f"{'가나다라마' * 20}{end}.hwp" for end in ("", "_사본")]
    for name in names:
        mirror.write("공유", f"{'마' * 80}/{name}", name)
    assert [mirror.read("공유", f"{'마' * 80}/{name}") for name in names] == names
    for part in mirror.path("공유", f"{'마' * 80}/{names[0]}").parts:
        assert len(part.encode()) <= MAX_NAME_BYTES + len(".md")


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a/../../../x", "..", ".", "", "a\0b", "a//b"])
@pytest.mark.parametrize("source", ["정책", "..", "../..", ""])
def test_no_path_leaves_the_folder(mirror: Mirror, tmp_path: Path, source: str, path: str) -> None:
    mirror.write(source, path, "x")
    assert mirror.read(source, path) == "x"
    written = [found for found in tmp_path.rglob("*") if found.is_file()]
    assert [tmp_path / "parsed" in found.parents for found in written] == [True]


def test_names_that_differ_in_what_a_disk_refuses_stay_apart(mirror: Mirror) -> None:
    paths = ["a\\b", "a_b", "a\x01b", "a\x02b", "a\udcb0b", "..", "_..", "x", "x.md/y", "메일.eml!/.", "메일.eml!/.."]
    assert len({str(mirror.path("정책", path)) for path in paths}) == len(paths)
    for path in paths:
        mirror.write("정책", path, ascii(path))
    assert [mirror.read("정책", path) for path in paths] == [ascii(path) for path in paths]


@given(st.lists(st.text(max_size=90), min_size=2, max_size=2, unique=True))
def test_two_names_never_share_a_place(names: list[str]) -> None:
    one, other = (fit(name) for name in names)
    assert one != other
    for part in (one, other):
        assert part not in ("", ".", "..")
        assert "/" not in part
        assert len(part.encode("utf-8")) <= MAX_NAME_BYTES
