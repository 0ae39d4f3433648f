"""Disks without room: a small disk of memory, and a limit on the size of files."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path


def file_size(limit: int) -> Callable[[], None]:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    return limited


def used(folder: Path) -> int:
    """Return the bytes that a disk of memory needs for a folder: whole pages."""
    return sum(4096 + -(-path.lstat().st_size // 4096) * 4096 for path in folder.rglob("*")) + 4096


def mount_small(folder: Path) -> bool:
    """Mount a small disk of memory; False where this machine doesn't let us."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={1 << 30},mode=700", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True).returncode == 0


def resize(folder: Path, size: int) -> None:
    command = ["mount", "-t", "tmpfs", "-o", f"remount,size={size}", "tmpfs", str(folder)]
    subprocess.run(command, check=True, capture_output=True)


def unmount(folder: Path) -> None:
    """Take a small disk away."""
    subprocess.run(["umount", "--lazy", str(folder)], check=False, capture_output=True)
