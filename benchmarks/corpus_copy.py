"""A copy of the example corpus with a saero.toml of its own: for scripts that change documents."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def copy_corpus(home: Path) -> Path:
    """Copy corpus and settings into `home` and return the settings file; the model is linked if it is unpacked."""
    shutil.copytree(PROJECT / "examples" / "corpus", home / "examples" / "corpus")
    settings = home / "saero.toml"
    shutil.copy(PROJECT / "saero.toml", settings)
    models = PROJECT / ".saero" / "models"
    if models.is_dir():
        (home / ".saero").mkdir(mode=0o700)
        (home / ".saero" / "models").symlink_to(models, target_is_directory=True)
    return settings


def environment(settings: Path) -> dict[str, str]:
    """Return the environment of a process that works on that copy and on nothing else."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SAERO_", "DAGSTER_"))}
    return {**kept, "SAERO_CONFIG": str(settings), "PYTHONUTF8": "1"}
