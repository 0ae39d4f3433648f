"""Environments of the tools that ours is held against, each with every version pinned (benchmarks/peers)."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path

PINNED = Path(__file__).resolve().parents[1] / "peers"


def installed(name: str, venvs: Path) -> tuple[Path, str]:
    """Make a tool's environment unless it stands there; returns its interpreter, and why it can't be had."""
    wanted = (PINNED / f"{name}.txt").read_text(encoding="utf-8")
    place = venvs / name
    python, done = place / "bin" / "python", place / "installed.txt"
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return python, ""
    venv.create(place, with_pip=True, clear=True)
    command = [str(python), "-m", "pip", "install", "-q", "--no-deps", "-r", str(PINNED / f"{name}.txt")]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return python, "can't be installed here"
    done.write_text(wanted, encoding="utf-8")
    return python, ""
