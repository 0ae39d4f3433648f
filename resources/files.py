"""Write files so that a reader sees the old or the new one, never half of either."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from pipelines.errors import Broken, SaeroError, TryAgain


def write_whole(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write aside, flush to disk, rename over `path`; folders are made with mode 0700.

    Raises TryAgain when the disk is full and Broken when the system refuses; what stood at `path` still stands then.
    """
    aside = (
        path.with_name(f".{os.getpid()}.aside")
        if len(path.name.encode()) > 200
        else path.with_name(f".{path.name}.aside")
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with aside.open("wb") as file:
                file.write(data)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            aside.replace(path)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise
        if durable:
            sync_folder(path.parent)
    except OSError as error:
        raise refused(error, path) from error


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` survive a power cut."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


# No room on the disk, in the quota, or under the limit that a file may not outgrow.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def no_room(error: BaseException) -> bool:
    """Tell whether an error says that nothing more can be written; Lance says the number in words alone."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in _NO_ROOM
    return any(f"(os error {number})" in str(error) for number in _NO_ROOM)


def full(path: Path) -> TryAgain:
    """Return what a run says when there is no room to write `path`."""
    return TryAgain(f"{path}: the disk is full; free some space and run `saero refresh` again, nothing is lost")


def refused(error: OSError, path: Path) -> SaeroError:
    """Return what the run must do about a file of the state that the system wouldn't write."""
    if no_room(error):
        return full(path)
    return Broken(f"{path}: can't be written: {error.strerror}; the state folder must belong to who runs saero")
