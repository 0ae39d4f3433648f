"""Files of the state are written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pipelines.errors import Broken, TryAgain
from resources.files import write_whole


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "안" / "status.json"
    write_whole(target, b"old")
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert [path.name for path in target.parent.iterdir()] == ["status.json"]


def test_new_folders_are_for_their_owner_only(tmp_path: Path) -> None:
    write_whole(tmp_path / "state" / "file", b"x")
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700


def test_a_name_as_long_as_the_file_system_allows_is_written(tmp_path: Path) -> None:
    target = tmp_path / ("가" * 85)
    write_whole(target, b"x", durable=False)
    assert target.read_bytes() == b"x"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_said_and_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    target = tmp_path / "status.json"
    write_whole(target, b"old")

    def full(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TryAgain, match=r"status\.json: the disk is full"):
        write_whole(target, b"new")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["status.json"]


def test_a_place_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"a file where the folder should be")
    with pytest.raises(Broken, match=r"run\.json: can't be written"):
        write_whole(tmp_path / "state" / "run.json", b"x")


def test_an_interrupt_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "status.json"
    write_whole(target, b"old")

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(target, b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]
