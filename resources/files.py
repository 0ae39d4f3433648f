"""Write files so that a reader sees the old or the new one, never half of either."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write aside, flush to disk, rename over `path`; folders are made with mode 0700."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    aside = (
        path.with_name(f".{os.getpid()}.aside")
        if len(path.name.encode()) > 200
        else path.with_name(f".{path.name}.aside")
    )
    try:
        with aside.open("wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` survive a power cut."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
