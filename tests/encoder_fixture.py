"""The real default encoder for tests marked `encoder`, unpacked once a machine user."""

from __future__ import annotations

from pathlib import Path

from resources.model import BUNDLED, model_folder


def unpacked_encoder(cache_dir: Path) -> Path:
    """Unpack the bundled model under `cache_dir` (reused when it is there) and return the folder of models."""
    model_folder(BUNDLED, cache_dir)
    return cache_dir
