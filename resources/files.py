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


def refused(error: OSError, path: Path) -> SaeroError:
    """Return what the run must do about a file of the state that the system wouldn't write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return TryAgain(f"{path}: the disk is full; free some space and run `saero refresh` again, nothing is lost")
    return Broken(f"{path}: can't be written: {error.strerror}; the state folder must belong to who runs saero")
