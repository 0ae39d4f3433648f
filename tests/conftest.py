"""Fixtures that every room shares."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from encoder_fixture import unpacked_encoder

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def own_environment() -> Iterator[None]:
    """Take back what a command called in this process set for Dagster: the next test would use its settings."""
    names = ("SAERO_CONFIG", "SAERO_DAGSTER", "DAGSTER_HOME")
    before = {name: os.environ.get(name) for name in names}
    yield
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@pytest.fixture(scope="session")
def cases_dir() -> Path:
    """The shared case files: SAERO_CASES, or ../shared/cases beside the checkout; skips visibly without them."""
    folder = Path(os.environ.get("SAERO_CASES") or PROJECT.parent / "shared" / "cases")
    if not folder.is_dir():
        pytest.skip(f"no case files at {folder} (set SAERO_CASES)")
    return folder


@pytest.fixture(scope="session")
def encoder_folder(request: pytest.FixtureRequest) -> Path:
    """The folder of models with the bundled encoder in it, unpacked once and kept between sessions."""
    return unpacked_encoder(request.config.cache.mkdir("saero-models"))
